/* checks/places.h: when two accesses touch one element. */
#ifndef CHECKS_PLACES_H
#define CHECKS_PLACES_H

#include "analysis/pair.h"
#include "checks/require.h"

typedef enum places {
  PLACES_APART,       /* different memory */
  PLACES_UNCLEAR,     /* nobody knows where one of the two is */
  PLACES_ONE_STORAGE, /* one storage, both places known */
} places;

places places_relate(const check_input *in, judge *j, const access *a,
                     const access *b);
/* Assumes that the two instances touch one element. Where both are accesses
 * with known indices of one tensor whose elements are apart, the indices are
 * equal; that its elements are apart is a requirement unless something says so.
 * False when an address is not followed. */
bool places_equal(const check_input *in, judge *j, const access *a,
                  const access *b, pair *p, verdict *v);
/* What a caller has to promise for the access to be inside. */
sym_vec places_promise(const check_input *in, judge *j, const access *a);
/* Of the pointers of an access. */
const type *places_type(const tile_program *p, const access *a);
bool places_same_shape(const tile_program *p, const access *a, const access *b);

#endif
