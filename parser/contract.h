/* parser/contract.h: contract comments, `# tilecheck: ...`.
 *
 * Clauses are parsed without knowing what the names mean (contract_read) and
 * applied when a function's launch is prepared (host.c). docs/contract.md
 * gives the grammar. Besides plain names, terms may hold the names that
 * messages print: `x.shape[0]`, `x.stride(1)`, `x.numel()` are TERM_NAMEs with
 * exactly that text. */
#ifndef PARSER_CONTRACT_H
#define PARSER_CONTRACT_H

#include "parser/names.h"

typedef enum clause_kind {
  CLAUSE_TENSOR,
  CLAUSE_ASSUME,
  CLAUSE_GRID,
  CLAUSE_VALUES,
  CLAUSE_CONST,
  CLAUSE_MAX_NUMEL,
  CLAUSE_WRITTEN,
  CLAUSE_DISJOINT,
} clause_kind;

/* A contract expression, unresolved: names are text. */
typedef enum term_kind {
  TERM_INT,
  TERM_NAME,
  TERM_ADD,
  TERM_SUB,
  TERM_MUL,
  TERM_FDIV,
  TERM_FMOD,
  TERM_NEG,
  TERM_MIN,
  TERM_MAX,
  TERM_CDIV,
  TERM_LT,
  TERM_LE,
  TERM_GT,
  TERM_GE,
  TERM_EQ,
  TERM_NE,
  TERM_AND, /* chained comparisons and lists of conditions */
  TERM_POW2,
} term_kind;

typedef struct term term;
struct term {
  term_kind kind;
  int64_t number;
  const char *name;
  const term *a, *b;
  span at;
};

typedef struct clause {
  clause_kind kind;
  span at;
  span name_at;
  const char *name; /* TENSOR, VALUES, CONST, WRITTEN; first of DISJOINT */
  uint32_t owner_from, owner_to; /* lines of the function; 0, 0: the file */
  bool *used; /* set by whoever applies it; unused ones are TC903 */
  /* TENSOR */
  bool role_given;
  tensor_role role;
  scalar dtype;     /* SC_ANY for `any` */
  bool any_rank;    /* `...` */
  bool strides_any; /* `stride any` */
  const term *const *extents;
  const term *const *strides; /* null: contiguous */
  size_t rank;
  const term *offset;
  int64_t align; /* bytes, 0 if not given */
  /* ASSUME: a condition; MAX_NUMEL: a term; GRID: axes in extents/rank */
  const term *condition;
  /* VALUES */
  bool any_values, finite, distinct, sorted;
  /* The sets joined by `or`: ranges with both ends included ([a, b) ends at
   * b - 1); a member of `{a, b}` is a range from itself to itself. */
  const term *const *set_least;
  const term *const *set_greatest;
  size_t set_count;
  const term *const *except;
  size_t except_count;
  /* CONST: the members, or pow2 with optional least and greatest */
  const term *const *members;
  size_t member_count;
  bool const_pow2;
  const term *least, *greatest;
  /* WRITTEN: [low : high] for each axis, null ends open */
  const term *const *slice_low;
  const term *const *slice_high;
  size_t slice_count;
  /* DISJOINT */
  const char *const *names;
  size_t name_count;
} clause;

typedef struct contract {
  VEC(clause) clauses;
  VEC(suppression) suppressions;
} contract;

/* Reads all contract comments of a file. Malformed ones become TC902 notices
 * with the exact column and are left out. */
contract *contract_read(arena *arena, const file_names *names,
                        notice_vec *notices);
/* One condition of the grammar from an option's text (--assume). Null and an
 * error sentence with a column (from 1) on failure. */
const term *contract_condition(arena *arena, const char *text, uint32_t *column,
                               const char **error);
/* A term as a launch expression; `resolve` gives the expression of a name
 * (EXPR_NONE: unknown, and *unknown is set to the term that failed). */
typedef expr (*term_resolver)(void *context, const char *name);
expr term_resolve(exprs *t, const term *term_, term_resolver resolve,
                  void *context, const term **unknown);

#endif
