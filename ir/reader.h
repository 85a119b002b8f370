/* ir/reader.h: the inside of the reader of tile programs: a cursor over the
 * text (reader.c), types and declared values (reader.c), statements of the
 * launch (read.c), the body (read_body.c).
 *
 * Every function that reads something returns false (or VALUE_NONE,
 * EXPR_NONE) after an error; the first error is kept. */
#ifndef IR_READER_H
#define IR_READER_H

#include "ir/tile.h"

enum { READER_NEST = 200 };

typedef struct reader {
  arena *arena;
  const char *text; /* `length` bytes and a zero */
  size_t length, at;
  unsigned nest;
  tile_program *p;
  VEC(bool) defined; /* by value id */
  const char *error; /* null: none yet */
  size_t error_at;
} reader;

/* A value that is being declared: `%7 name : type`. */
typedef struct declared {
  value_id id;
  const char *name;
  type type;
  size_t at;
} declared;
typedef VEC(declared) declared_vec;
typedef VEC(value_id) value_vec;

bool reader_fail(reader *r, const char *why);
bool reader_fail_at(reader *r, size_t at, const char *why);

/* Blanks and comments; _lines: ends of lines too. */
void reader_skip(reader *r);
void reader_skip_lines(reader *r);
/* take: moves past it if it is there. need: an error if it is not. */
bool reader_take(reader *r, const char *punctuation);
bool reader_need(reader *r, const char *punctuation);
bool reader_take_word(reader *r, const char *word);
bool reader_need_word(reader *r, const char *word);
bool reader_end_line(reader *r);
/* The word at the cursor, without moving; length 0 if there is none. */
size_t reader_peek_word(reader *r, const char **word);

bool reader_u32(reader *r, uint32_t *out);
bool reader_i64(reader *r, int64_t *out);
bool reader_number(reader *r, double *out);
bool reader_name(reader *r, const char **out);
bool reader_string(reader *r, const char **out);
/* `10:11-10:30` */
bool reader_span(reader *r, span *out);
/* An expression; `?` gives EXPR_NONE and true. */
bool reader_expr(reader *r, expr *out);
bool reader_scalar(reader *r, scalar *out);
bool reader_type(reader *r, type *out);

/* A use of a value that the text has declared before. */
bool reader_value(reader *r, value_id *out);
bool reader_declared(reader *r, declared *out);
bool reader_define(reader *r, const declared *d);

/* ir/read_body.c: from behind `{` to behind the matching `}`. */
bool reader_region(reader *r, region *into);

#endif
