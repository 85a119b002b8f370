/* analysis/on_chip.c: bytes of the results of dots. */
#include "analysis/on_chip.h"

static sym result_bytes(const launch *l, const inst *i) {
  const type *t = &l->program->values.at[i->results[0]].type;
  unsigned bytes = scalar_bytes(t->elem);
  sym out = sym_int(l->syms, bytes ? bytes : scalar_bytes(SC_F32));
  for (unsigned d = 0; d < t->rank; d++)
    out = sym_mul(l->syms, out, launch_sym(l, t->dim[d]));
  return out;
}

/* The greater one; where neither surely is, the greatest of both. */
static sym larger(symtab *t, sym a, sym b) {
  int64_t x, y;
  bool fixed = sym_is_int(t, a, &x) && sym_is_int(t, b, &y);
  if (fixed)
    return x > y ? a : b;
  if (sym_is_int(t, a, &x) && x == 0)
    return b;
  if (sym_is_int(t, b, &y) && y == 0)
    return a;
  return sym_max(t, a, b);
}

/* Sound: the dots of a region live at one time with the largest of what its
 * loops and arms hold; bytes are not negative, so a 0 is never the greater. */
static sym region_bytes(const launch *l, const region *r) {
  sym own = sym_int(l->syms, 0), inner = own;
  for (size_t i = 0; r && i < r->insts.count; i++) {
    const inst *x = r->insts.at[i];
    if (launch_is_dot(x))
      own = sym_add(l->syms, own, result_bytes(l, x));
    for (int k = 0; k < 2; k++)
      inner = larger(l->syms, inner, region_bytes(l, x->regions[k]));
  }
  return sym_add(l->syms, own, inner);
}

sym on_chip_bytes(const launch *l) {
  return region_bytes(l, l->program->body);
}
