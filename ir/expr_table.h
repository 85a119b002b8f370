/* ir/expr_table.h: the inside of the expression table, shared by expr.c (the
 * table), expr_poly.c (sums and products) and expr_fold.c (constructors).
 *
 * Every node but a sum or a product is an atom of polynomials. Sums and
 * products exist only as the tree of a polynomial in normal form
 * (poly_make), so two equal polynomials over the same atoms are one node.
 * The order of terms and operands depends on the structure of expressions and
 * on the order of symbols, never on handles: a program that is printed and
 * read again prints the same. */
#ifndef IR_EXPR_TABLE_H
#define IR_EXPR_TABLE_H

#include "base/map.h"
#include "base/vec.h"
#include "ir/expr.h"

enum {
  EXPR_MAX_SIZE = 4096, /* nodes of the tree; a larger one is EXPR_NONE */
  EXPR_MAX_NEST = 64,   /* atoms within atoms */
  POLY_DEGREE = 12,     /* of one product */
  POLY_TERMS = 64,      /* of one node; also operands of min, max, and, or */
  POLY_ROOM = 2 * POLY_TERMS + 2, /* while computing */
};

typedef struct expr_node {
  expr_kind kind;
  uint32_t size, nest;
  expr operand[3];
  int64_t value; /* EXPR_INT: the number; EXPR_SYMBOL: its index */
} expr_node;

struct exprs {
  arena *arena;
  VEC(expr_node) nodes; /* [0] is unused */
  uint32_t *slots;      /* open addressing; 0 is free */
  size_t room;          /* a power of two */
  VEC(symbol *) symbols;
  VEC(expr) symbol_exprs;
  map *names; /* hash of a name -> 1 + index of the first such symbol */
};

/* The node of that content, as it is: no folding. EXPR_NONE if too large. */
expr expr_node_make(exprs *t, expr_kind kind, int64_t value,
                    const expr operand[3]);
const expr_node *expr_node_at(const exprs *t, expr e);
/* Total order by structure: symbols first, constants last. */
int expr_order(const exprs *t, expr a, expr b);

typedef struct poly_term {
  int64_t coef; /* never 0 */
  uint32_t degree;
  expr atom[POLY_DEGREE]; /* sorted by expr_order; repeated for powers */
} poly_term;

/* Terms in descending graded order; the constant is last. No terms: 0. */
typedef struct poly {
  size_t count;
  poly_term term[POLY_ROOM];
} poly;

/* All functions that return bool fail on overflow or lack of room. */
bool poly_of(const exprs *t, expr e, poly *out);
bool poly_add_int(const exprs *t, poly *p, int64_t value);
bool poly_add_atom(const exprs *t, poly *p, expr atom, int64_t coef);
/* p += coef * term, p += coef * q */
bool poly_add_scaled(const exprs *t, poly *p, const poly_term *term,
                     int64_t coef);
bool poly_add(const exprs *t, poly *p, const poly *q, int64_t coef);
bool poly_mul(const exprs *t, const poly *a, const poly *b, poly *out);
bool poly_negate(poly *p);
/* n == whole * d + rest, exactly. d has a positive leading coefficient. No
 * term of rest can be reduced by d; for a constant d, terms with coefficients
 * that are no multiples stay in rest as they are. */
bool poly_divide(const exprs *t, const poly *n, const poly *d, poly *whole,
                 poly *rest);
bool poly_is_int(const poly *p, int64_t *value);
/* The constant term, 0 if there is none, and its removal. */
int64_t poly_constant(const poly *p);
int64_t poly_take_constant(poly *p);
/* Greatest common divisor of `start` and all coefficients; the constant
 * counts only when asked for. */
int64_t poly_content(const poly *p, int64_t start, bool with_constant);
/* Divides all coefficients exactly. */
void poly_divide_exact(poly *p, int64_t by);
expr poly_make(exprs *t, const poly *p);

#endif
