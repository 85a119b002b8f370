/* checks/fix.h: what an author could write to mend a fault. */
#ifndef CHECKS_FIX_H
#define CHECKS_FIX_H

#include "checks/checks_run.h"

/* "mask=offsets < n_elements" for an access to a vector whose offset and size
 * have names in the kernel; null when there is no such fix. */
const char *fix_mask(const check_input *in, const access *a);

#endif
