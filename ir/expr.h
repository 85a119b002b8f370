/* ir/expr.h: launch expressions: integers and conditions over the symbols of
 * a launch (sizes, strides, host integers, constexprs, grid axes).
 *
 * They say what is fixed before a program starts: extents, strides, grid,
 * constexpr arithmetic, facts. Arithmetic is Python's: unbounded, // and %
 * floor. Expressions are hash-consed per tile program: equal handles mean
 * equal expressions; constants fold and sums and products of constants and
 * symbols are brought to one order, so `2*B` and `B*2` share a handle.
 * 0 (EXPR_NONE) means "unknown" and is contagious: any operation on it gives
 * EXPR_NONE. */
#ifndef IR_EXPR_H
#define IR_EXPR_H

#include "base/arena.h"
#include "base/strbuf.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint32_t expr;
#define EXPR_NONE ((expr)0)

typedef enum expr_kind {
  EXPR_INT,
  EXPR_SYMBOL,
  EXPR_ADD,
  EXPR_SUB,
  EXPR_MUL,
  EXPR_FDIV, /* Python // */
  EXPR_FMOD, /* Python % */
  EXPR_MIN,
  EXPR_MAX,
  EXPR_CDIV,     /* (a + b - 1) // b */
  EXPR_POW2CEIL, /* triton.next_power_of_2: 0 gives 0 */
  EXPR_SELECT,   /* a if c else b */
  EXPR_LT,       /* conditions from here on: 0 or 1 */
  EXPR_LE,
  EXPR_EQ,
  EXPR_NE,
  EXPR_AND,
  EXPR_OR,
  EXPR_NOT,
  EXPR_ISPOW2,
} expr_kind;

/* What a symbol stands for. */
typedef enum symbol_role {
  SYMBOL_SIZE,   /* an extent of a tensor; >= 0, <= size limit */
  SYMBOL_STRIDE, /* a stride of a tensor; >= 0 unless a fact says otherwise */
  SYMBOL_INT,    /* a plain integer argument; 0 to the size limit by default */
  SYMBOL_CONST, /* an integer constexpr; >= 1; power of two if it spans tiles */
  SYMBOL_GRID,  /* number of programs on an axis when nobody says; >= 1 */
  SYMBOL_SWITCH, /* a constexpr with few values: 0 to label_count - 1 */
} symbol_role;

typedef struct symbol {
  const char *name; /* unique within its table */
  symbol_role role;
  bool pow2;      /* a block size: some tile spans it */
  bool pinned;    /* the launch fixes it to `pin`; a proof for all values may
                     ignore the pin, a refutation keeps it */
  bool unbounded; /* facts of the program alone bound it: no default range */
  int64_t pin;
  uint32_t line;             /* where it comes from, 0 if nowhere */
  const char *const *labels; /* SWITCH: what its values stand for: "True" */
  uint32_t label_count;
} symbol;

typedef struct exprs exprs; /* the table; kernel arena */

exprs *exprs_create(arena *kernel);
/* Appends a symbol; the name must be new (see exprs_find). */
expr exprs_symbol(exprs *t, symbol s);
expr exprs_find(const exprs *t, const char *name); /* EXPR_NONE if absent */
size_t exprs_symbol_count(const exprs *t);
symbol *exprs_symbol_at(exprs *t, size_t index); /* may be edited */
expr exprs_symbol_expr(const exprs *t, size_t index);
const symbol *expr_symbol(const exprs *t, expr e, size_t *index);

expr expr_int(exprs *t, int64_t value);
expr expr_add(exprs *t, expr a, expr b);
expr expr_sub(exprs *t, expr a, expr b);
expr expr_mul(exprs *t, expr a, expr b);
expr expr_fdiv(exprs *t, expr a, expr b); /* by constant 0: EXPR_NONE */
expr expr_fmod(exprs *t, expr a, expr b);
expr expr_min(exprs *t, expr a, expr b);
expr expr_max(exprs *t, expr a, expr b);
expr expr_cdiv(exprs *t, expr a, expr b);
expr expr_pow2ceil(exprs *t, expr a);
expr expr_select(exprs *t, expr c, expr a, expr b);
expr expr_compare(exprs *t, expr_kind kind, expr a, expr b); /* LT LE EQ NE */
expr expr_and(exprs *t, expr a, expr b);
expr expr_or(exprs *t, expr a, expr b);
expr expr_not(exprs *t, expr a);
expr expr_ispow2(exprs *t, expr a);
/* e if it is a condition, else e != 0. The conditions of and, or, not and
 * select go through it. */
expr expr_truth(exprs *t, expr e);

expr_kind expr_kind_of(const exprs *t, expr e);
bool expr_is_int(const exprs *t, expr e, int64_t *value);
/* A comparison or connective, or the constants 0 and 1 (to which they fold).
 */
bool expr_is_condition(const exprs *t, expr e);
/* Operands of e: 0 to 3. */
size_t expr_operands(const exprs *t, expr e, expr out[3]);
/* True when e mentions the symbol. */
bool expr_mentions(const exprs *t, expr e, expr symbol);
/* e with every pinned symbol replaced by its pin, folded. */
expr expr_pin(exprs *t, expr e);
/* e with one symbol replaced, folded. */
expr expr_substitute(exprs *t, expr e, expr symbol, expr by);

/* Value when symbol number i has value[i]; known[i] false makes it fail. False
 * also on division by zero and on overflow of int64. */
bool expr_eval(const exprs *t, expr e, const int64_t *value, const bool *known,
               int64_t *out);

/* Python text (`cdiv(M, BLOCK)`, `M*N + 1`, `K % 2 == 0`, `a if c else b`). */
void expr_print(const exprs *t, expr e, strbuf *out);
const char *expr_text(const exprs *t, expr e, arena *arena);
/* Parses that text; symbols must exist. Returns EXPR_NONE and an error
 * sentence on failure; *end is the offset after the expression. */
expr expr_parse(exprs *t, const char *text, size_t *end, const char **error);

#endif
