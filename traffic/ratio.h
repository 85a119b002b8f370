/* traffic/ratio.h: quotients of formulas, for reading. */
#ifndef TRAFFIC_RATIO_H
#define TRAFFIC_RATIO_H

#include "analysis/sym.h"

/* above/below, in lowest terms as far as common factors of all terms go. */
typedef struct ratio {
  sym above, below;
} ratio;

ratio ratio_of(symtab *t, sym above, sym below);
/* What above/below tends to when all sizes grow alike: a number, or a quotient
 * of the parts that grow fastest. False when a part does not behave like a
 * polynomial there. */
bool ratio_limit(symtab *t, sym above, sym below, ratio *out);

#endif
