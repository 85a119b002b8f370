/* traffic/bands.h: how many bands the first programs touch, as a formula.
 *
 * The tiles that a program touches of a tensor depend on its number q through
 * parts of addresses, masks and loop bounds that hold neither lanes nor turns.
 * If these are all made of q, of q % z, or of q // z, the first P programs have
 * P, min(P, z) or cdiv(P, z) different ones, and no more bands than that. A
 * formula is given where the count at the sizes in hand reaches it. */
#ifndef TRAFFIC_BANDS_H
#define TRAFFIC_BANDS_H

#include "traffic/footprint.h"

typedef struct band_formula {
  const char *tensor;
  direction direction;
  const char *formula; /* in P, sizes and constexprs */
} band_formula;

typedef struct band_formulas {
  const char *limit; /* they hold for P up to it; null: for every P */
  VEC(band_formula) all;
} band_formulas;

/* `free` is a judge that is not pinned, of the same kernel without the sizes
 * that were given; `f` was found at these sizes. */
band_formulas bands_find(arena *arena, judge *free, const sizes *sizes,
                         const footprint *f);

#endif
