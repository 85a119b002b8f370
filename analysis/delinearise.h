/* analysis/delinearise.h: inside of the search for indices (prover only). */
#ifndef ANALYSIS_DELINEARISE_H
#define ANALYSIS_DELINEARISE_H

#include "analysis/prover.h"

enum { DELINEARISE_RANK = 12 };

/* Where constants go that several axes could take. */
typedef enum split_style {
  SPLIT_NEAREST,          /* to the outer axis, rounded to nearest */
  SPLIT_FLOOR,            /* to the outer axis, rounded down */
  SPLIT_CONSTANTS_INSIDE, /* to the innermost axis */
} split_style;
enum { SPLIT_STYLES = 3 };

/* delinearise() with a choice; rank is at most DELINEARISE_RANK. */
bool delinearise_as(symtab *t, sym offset, const sym *stride, size_t rank,
                    split_style style, sym *index);
/* Axes from the outermost stride to the innermost. */
void stride_order(const symtab *t, const sym *stride, size_t rank,
                  size_t *order);

#endif
