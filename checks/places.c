/* checks/places.c: see places.h. */
#include "checks/places.h"

#include <string.h>

static bool followed(const access *a) {
  return !a->opaque && a->pointer.form == VALUE_POINTER &&
         a->pointer.tensor != TENSOR_LOST && a->pointer.of != SYM_NONE;
}

static const tensor *tensor_of(const check_input *in, const access *a) {
  return &in->program->tensors.at[a->pointer.tensor];
}

/* Sound: the launch decides these conditions, and no launch meets those of
 * both: it executes one of the two at most. */
static bool places_exclude(const check_input *in, judge *j, const access *a,
                           const access *b) {
  symtab *t = judge_launch(j)->syms;
  const access *both[] = {a, b};
  sym_vec facts = {0};
  size_t first = 0;
  for (int k = 0; a != b && k < 2; k++) {
    first = k == 0 ? 0 : facts.count;
    for (size_t i = 0; i < both[k]->facts.count; i++)
      if (judge_is_launch_level(j, both[k]->facts.at[i]))
        VEC_PUSH(in->arena, &facts, both[k]->facts.at[i]);
    if (facts.count == first)
      return false;
  }
  for (size_t i = 0; i < first; i++)
    for (size_t k = first; k < facts.count; k++)
      if (facts.at[k] == sym_not(t, facts.at[i]))
        return true;
  sym never = sym_not(t, sym_eq(t, sym_int(t, 0), sym_int(t, 0)));
  return a != b && judge_prove(j, &facts, never).proved;
}

places places_relate(const check_input *in, judge *j, const access *a,
                     const access *b) {
  if (places_exclude(in, j, a, b))
    return PLACES_APART;
  if (!followed(a) || !followed(b))
    return PLACES_UNCLEAR;
  const tensor *x = tensor_of(in, a), *y = tensor_of(in, b);
  if (!tensors_may_share(x, y))
    return PLACES_APART;
  return tensors_are_placed(x, y) ? PLACES_ONE_STORAGE : PLACES_UNCLEAR;
}

const type *places_type(const tile_program *p, const access *a) {
  return &p->values.at[a->inst->operands[0]].type;
}

bool places_same_shape(const tile_program *p, const access *a,
                       const access *b) {
  const type *t = places_type(p, a), *u = places_type(p, b);
  bool same = t->rank == u->rank;
  for (unsigned d = 0; same && d < t->rank; d++)
    same = t->dim[d] == u->dim[d];
  return same;
}

/* ---------------------------------------------------------------- indices */

typedef struct indices {
  bool known;
  unsigned count;
  sym at[TYPE_MAX_RANK];
} indices;

static bool same_geometry(const tensor *x, const tensor *y) {
  bool same = x->known && y->known && x->rank == y->rank &&
              x->start == y->start && x->storage == y->storage;
  for (unsigned d = 0; same && d < x->rank; d++)
    same = x->extent[d] == y->extent[d] && x->stride[d] == y->stride[d];
  return same;
}

static bool all_found(const sym *index, unsigned rank) {
  for (unsigned d = 0; d < rank; d++)
    if (index[d] == SYM_NONE)
      return false;
  return true;
}

/* Under what a caller has to promise for the access to be inside. */
static bool inside_by_promise(const check_input *in, judge *j, const access *a,
                              layout_promise *found, verdict *v) {
  bool free_axis[TYPE_MAX_RANK] = {false};
  sym_vec facts = judge_access_facts(j, a, NULL);
  verdict asked = *v;
  proof how = {0};
  require_free_axes(in, j, a->pointer.tensor, free_axis);
  if (judge_inside_dense(j, a, &facts).proved)
    return false;
  if (!require_extent(in, j, a, &facts, free_axis, &asked, &how, found) &&
      !require_row_major(in, j, a, &facts, free_axis, &asked, &how, found))
    return false;
  v->requires = asked.requires;
  v->asserts = asked.asserts;
  return true;
}

sym_vec places_promise(const check_input *in, judge *j, const access *a) {
  layout_promise found = {0};
  verdict nobody = {0};
  if (followed(a) && tensor_of(in, a)->known)
    inside_by_promise(in, j, a, &found, &nobody);
  return found.facts;
}

/* Indices that are proved to be in range: those of the element touched. What is
 * promised for that goes to *promised and v. */
static indices find_indices(const check_input *in, judge *j, const access *a,
                            verdict *v, layout_promise *promised) {
  const tensor *x = tensor_of(in, a);
  indices out = {.count = x->rank};
  *promised = (layout_promise){0};
  if (!x->known)
    return out;
  sym_vec facts = judge_access_facts(j, a, NULL);
  out.known = x->rank >= 2 && judge_inside(j, a, &facts, NULL, out.at).proved;
  if (!out.known && inside_by_promise(in, j, a, promised, v)) {
    out.known = promised->rank >= 2;
    out.count = promised->rank;
    memcpy(out.at, promised->index, sizeof out.at);
  }
  out.known = out.known && all_found(out.at, out.count);
  return out;
}

static void assume_all(pair *p, const layout_promise *promised) {
  for (size_t i = 0; i < promised->facts.count; i++)
    pair_assume(p, promised->facts.at[i]);
}

/* Row-major strides of the extents: Sound: different index tuples within the
 * extents then have different addresses. */
static bool is_row_major(judge *j, uint32_t tensor, unsigned rank) {
  symtab *t = judge_launch(j)->syms;
  sym extent[TYPE_MAX_RANK], stride[TYPE_MAX_RANK], step = sym_int(t, 1);
  launch_tensor(judge_launch(j), tensor, extent, stride);
  for (unsigned d = rank; d-- > 0;) {
    if (stride[d] != step)
      return false;
    step = sym_mul(t, step, extent[d]);
  }
  return true;
}

static void require_apart(const check_input *in, const tensor *x, verdict *v) {
  text_add(
      in->arena, &v->requires,
      arena_printf(in->arena, "the elements of `%s` do not overlap", x->name));
  if (!v->fix)
    v->fix = arena_printf(in->arena, "# tilecheck: disjoint %s", x->name);
}

/* True when equal addresses may be taken for equal indices. */
static bool elements_apart(const check_input *in, judge *j, uint32_t tensor,
                           verdict *v) {
  const struct tensor *x = &in->program->tensors.at[tensor];
  if (x->assumed_contiguous)
    require_contiguity(in, tensor, v);
  if (x->disjoint || is_row_major(j, tensor, x->rank))
    return true;
  if (!x->parameter)
    return false;
  require_apart(in, x, v);
  return true;
}

/* ---------------------------------------------------- tensors of no launch */

/* Offsets of a tensor that nobody describes, as sums of index*stride over the
 * same strides. */
static bool equal_groups(const check_input *in, judge *j, const access *a,
                         const access *b, pair *p, verdict *v) {
  symtab *t = judge_launch(j)->syms;
  sym stride_a[TYPE_MAX_RANK], index_a[TYPE_MAX_RANK];
  sym stride_b[TYPE_MAX_RANK], index_b[TYPE_MAX_RANK];
  size_t n = require_groups(in, j, a->pointer.of, stride_a, index_a);
  if (n < 2 || n != require_groups(in, j, b->pointer.of, stride_b, index_b))
    return false;
  for (size_t i = 0; i < n; i++) {
    size_t k = 0;
    while (k < n && stride_b[k] != stride_a[i])
      k++;
    if (k == n)
      return false;
    pair_assume(p, sym_eq(t, index_a[i], pair_second(p, index_b[k])));
  }
  require_apart(in, tensor_of(in, a), v);
  return true;
}

bool places_equal(const check_input *in, judge *j, const access *a,
                  const access *b, pair *p, verdict *v) {
  symtab *t = judge_launch(j)->syms;
  const tensor *x = tensor_of(in, a), *y = tensor_of(in, b);
  if (!x->known && a->pointer.tensor == b->pointer.tensor &&
      equal_groups(in, j, a, b, p, v))
    return true;
  if (a->pointer.tensor == b->pointer.tensor || same_geometry(x, y)) {
    verdict before = *v;
    layout_promise of_a, of_b;
    indices one = find_indices(in, j, a, v, &of_a);
    indices two = find_indices(in, j, b, v, &of_b);
    bool indexed = one.known && two.known && one.count == two.count &&
                   elements_apart(in, j, a->pointer.tensor, v);
    if (!indexed && !of_a.strides.count && !of_b.strides.count)
      *v = before;
    else
      assume_all(p, &of_a), assume_all(p, &of_b);
    if (indexed) {
      for (unsigned d = 0; d < one.count; d++)
        pair_assume(p, sym_eq(t, one.at[d], pair_second(p, two.at[d])));
      return true;
    }
  }
  if (x->known && x->assumed_contiguous)
    require_contiguity(in, a->pointer.tensor, v);
  sym first = sym_add(t, launch_sym(judge_launch(j), x->start), a->pointer.of);
  sym second = sym_add(t, launch_sym(judge_launch(j), y->start), b->pointer.of);
  if (a->pointer.tensor == b->pointer.tensor) {
    first = a->pointer.of;
    second = b->pointer.of;
  }
  pair_assume(p, sym_eq(t, first, pair_second(p, second)));
  return true;
}
