/* parser/contract_parse.h: tokens and terms of contract comments; shared by
 * the contract_*.c files only.
 *
 * The parser reads one line of text. The first mistake stops it: `error` is
 * set, every later call does nothing, and whoever started the clause turns the
 * mistake into a notice. */
#ifndef PARSER_CONTRACT_PARSE_H
#define PARSER_CONTRACT_PARSE_H

#include "parser/contract.h"

typedef enum token_kind {
  TOKEN_END,  /* end of the line, or `--` */
  TOKEN_INT,  /* number */
  TOKEN_NAME, /* identifier, and the words of the grammar */
  TOKEN_MARK, /* punctuation and operators */
  TOKEN_BAD,  /* a character that the grammar does not know */
} token_kind;

typedef struct token {
  token_kind kind;
  uint32_t start, length; /* bytes of the line */
  int64_t number;
} token;

typedef struct clause_parser {
  arena *arena;
  const char *text;
  uint32_t line, column; /* of text[0] */
  token now;             /* the token not yet taken */
  uint32_t depth;        /* of nested terms */
  uint32_t powers;       /* of terms that are no constants, so far */
  const char *error;     /* null until the first mistake */
  span error_at;
} clause_parser;

/* Starts reading `text` at byte `from`. */
clause_parser parser_start(arena *arena, const char *text, uint32_t from,
                           uint32_t line, uint32_t column);
void parser_next(clause_parser *p);
/* Whether the token not yet taken has this text. */
bool parser_at(const clause_parser *p, const char *text);
/* Takes the token if it has this text. */
bool parser_take(clause_parser *p, const char *text);
/* Takes it or fails with "expected `text`, found ...". */
void parser_expect(clause_parser *p, const char *text);
/* Fails at the token not yet taken: "expected WHAT, found TOKEN". */
void parser_fail_expected(clause_parser *p, const char *what);
void parser_fail(clause_parser *p, span at, const char *message);
span parser_span(const clause_parser *p, token t);
char *parser_text(const clause_parser *p, token t);
/* Takes an identifier; "" after a failure. */
const char *parser_name(clause_parser *p, const char *what, span *at);

typedef VEC(const term *) term_vec;

/* One clause that is not `ignore`, up to its `;` or the end. */
void parser_clause(clause_parser *p, clause *c);
const term *parser_term(clause_parser *p);
/* { , condition } as one term. */
const term *parser_conditions(clause_parser *p);
/* term { , term } */
void parser_terms(clause_parser *p, term_vec *out);
const term *term_int(arena *arena, int64_t value, span at);
const term *term_binary(arena *arena, term_kind kind, const term *a,
                        const term *b, span at);

#endif
