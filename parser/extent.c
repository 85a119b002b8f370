/* parser/extent.c: when two extents of tiles are the same.
 *
 * Triton compiles an elementwise operation only if the extents are equal or
 * one of them is 1, so "equal for every value with which both are extents at
 * all" is enough. */
#include "parser/lowering.h"

enum { EXTENT_BITS = 20, SYMBOLS = 2 };

bool extent_is_one(const lower *l, expr e) {
  int64_t n;
  return expr_is_int(l->p->exprs, e, &n) && n == 1;
}

/* The symbols that a or b mentions; false if there are too many, or one that
 * is no power of two. */
static bool block_symbols(const lower *l, expr a, expr b, size_t out[SYMBOLS],
                          size_t *count) {
  exprs *e = l->p->exprs;
  *count = 0;
  for (size_t i = 0; i < exprs_symbol_count(e); i++) {
    const symbol *s = exprs_symbol_at(e, i);
    expr handle = exprs_find(e, s->name);
    if (!expr_mentions(e, a, handle) && !expr_mentions(e, b, handle))
      continue;
    if (!s->pow2 || *count == SYMBOLS)
      return false;
    out[(*count)++] = i;
  }
  return *count > 0;
}

static bool is_extent(int64_t n) {
  return n >= 1 && n <= (int64_t)1 << EXTENT_BITS;
}

/* Tries all powers of two for the symbols: D - D // 2 is D // 2. An extent is
 * at most 2^20, so the values that count are few. */
static bool same_for_blocks(const lower *l, expr a, expr b) {
  exprs *e = l->p->exprs;
  size_t symbols[SYMBOLS] = {0}, count;
  if (!block_symbols(l, a, b, symbols, &count))
    return false;
  size_t total = exprs_symbol_count(e);
  int64_t *values = ARENA_ARRAY(l->arena, int64_t, total);
  bool *known = ARENA_ARRAY(l->arena, bool, total);
  bool met = false;
  int turns = count == 1 ? 1 : EXTENT_BITS + 2;
  for (int i = 0; i < EXTENT_BITS + 2; i++)
    for (int k = 0; k < turns; k++) {
      int64_t x, y;
      values[symbols[1]] = (int64_t)1 << k;
      values[symbols[0]] = (int64_t)1 << i;
      known[symbols[0]] = true;
      known[symbols[1]] = known[symbols[1]] || count > 1;
      if (!expr_eval(e, a, values, known, &x) ||
          !expr_eval(e, b, values, known, &y) || !is_extent(x) || !is_extent(y))
        continue;
      if (x != y)
        return false;
      met = true;
    }
  return met;
}

bool extent_same(const lower *l, expr a, expr b) {
  exprs *e = l->p->exprs;
  int64_t x, y;
  if (a == b || a == EXPR_NONE || b == EXPR_NONE)
    return a == b && a != EXPR_NONE;
  if (expr_is_int(e, expr_pin(e, a), &x) && expr_is_int(e, expr_pin(e, b), &y))
    return x == y;
  return same_for_blocks(l, a, b);
}
