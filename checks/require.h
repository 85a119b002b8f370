/* checks/require.h: what a caller must promise for an access to be inside. */
#ifndef CHECKS_REQUIRE_H
#define CHECKS_REQUIRE_H

#include "checks/checks_run.h"

/* Axes of a known tensor that a caller may enlarge: it came in as a parameter
 * and no argument that the kernel uses, no grid and no other tensor mentions
 * the axis's extent. */
void require_free_axes(const check_input *in, judge *j, uint32_t tensor,
                       bool free_axis[TYPE_MAX_RANK]);
/* All extents that callers may enlarge, of all tensors. */
sym_vec require_free_extents(const check_input *in, judge *j);
/* True when the value holds a stride of a tensor whose extents are the
 * caller's: only the extents would say how large it gets. */
bool require_rests_on_free(const check_input *in, judge *j, sym value);
/* What a requirement says as facts, and the indices of the element that is
 * touched under it; rank 0: they are not known. */
typedef struct layout_promise {
  sym_vec facts;
  unsigned rank;
  sym index[TYPE_MAX_RANK];
  sym_vec strides, values; /* each of these strides has that value */
} layout_promise;
/* Finds the weakest extent that puts the access inside, proves that it does,
 * and adds it to v->requires and v->asserts. False when none was found. */
bool require_extent(const check_input *in, judge *j, const access *a,
                    const sym_vec *facts, const bool *free_axis, verdict *v,
                    proof *how, layout_promise *out);
/* The same for a kernel that takes its tensors for contiguous, whatever strides
 * the host asks for. A fault that another layout shows comes first. */
bool require_row_major(const check_input *in, judge *j, const access *a,
                       const sym_vec *facts, const bool *free_axis, verdict *v,
                       proof *how, layout_promise *out);
/* What a launch must meet to compile at all (compiles.c). */
void require_compiles(const check_input *in, verdict *v);
/* An offset into a tensor that nobody describes as a sum of index*stride over
 * products of sizes and strides: how many there are, 0 for more than
 * TYPE_MAX_RANK. */
size_t require_groups(const check_input *in, judge *j, sym offset, sym *stride,
                      sym *index);
/* The values that a loaded index may have for `index` to be in [0, extent)
 * (indirect.c). They are facts about what this access found, and one promise
 * about the tensor that it was found in. False where no range would do, or a
 * clause says already what the values are. */
typedef struct value_range {
  const char *tensor;
  sym found, end; /* 0 <= found < end */
} value_range;
bool indirect_range(const check_input *in, judge *j, const sym_vec *facts,
                    sym index, sym extent, value_range *out);
void require_values(const check_input *in, judge *j, const value_range *r,
                    verdict *v);
/* A loaded number alone decides whether the access is inside: TC104. */
bool indirect_decides(judge *j, const access *a);
/* "x is contiguous", where the host code leaves that to the caller. */
void require_contiguity(const check_input *in, uint32_t tensor, verdict *v);

#endif
