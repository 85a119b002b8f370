/* checks/indirect.c: TC104: an index that was itself loaded stays in range.
 *
 * It is the bounds question of an access (bounds.c), asked of an address that
 * holds a number found in memory. Whatever a `values` clause says of the
 * contents is known of the number; without a clause the range that would do is
 * worked out and, when the access is inside under it, becomes the requirement:
 * the caller promises what the tensor holds. */
#include "checks/require.h"

/* The one loaded number in e; SYM_NONE when there are several or none. */
static sym only_content(judge *j, sym e, uint32_t *tensor) {
  symtab *t = judge_launch(j)->syms;
  size_t n = sym_atoms(t, e, NULL, 0);
  sym *atoms = ARENA_ARRAY(judge_arena(j), sym, n ? n : 1), found = SYM_NONE;
  sym_atoms(t, e, atoms, n);
  for (size_t i = 0; i < n; i++) {
    if (!judge_content_of(j, atoms[i], tensor))
      continue;
    if (found != SYM_NONE)
      return SYM_NONE;
    found = atoms[i];
  }
  if (found != SYM_NONE)
    judge_content_of(j, found, tensor);
  return found;
}

/* e with each choice that the facts decide replaced by what is chosen: under
 * the mask of its load a loaded number is what was loaded. */
static sym decided(judge *j, const sym_vec *facts, sym e) {
  symtab *t = judge_launch(j)->syms;
  size_t n = sym_atoms(t, e, NULL, 0);
  sym *atoms = ARENA_ARRAY(judge_arena(j), sym, n ? n : 1);
  const sym *args;
  sym_atoms(t, e, atoms, n);
  for (size_t i = 0; i < n; i++) {
    if (sym_kind_of(t, atoms[i]) != SYM_SELECT)
      continue;
    sym_operands(t, atoms[i], &args);
    if (judge_implies(j, facts, args[0]))
      e = sym_substitute(t, e, &atoms[i], &args[1], 1);
    else if (judge_implies(j, facts, sym_not(t, args[0])))
      e = sym_substitute(t, e, &atoms[i], &args[2], 1);
  }
  return e;
}

/* Sound: index = found + rest with 0 <= rest < least_end, so that
 * 0 <= found < extent - least_end + 1 gives 0 <= index < extent. The access is
 * proved under the promise all the same. */
bool indirect_range(const check_input *in, judge *j, const sym_vec *facts,
                    sym index, sym extent, value_range *out) {
  symtab *t = judge_launch(j)->syms;
  uint32_t tensor = 0;
  sym one = sym_int(t, 1), rest_end = one;
  index = decided(j, facts, index);
  out->found = only_content(j, index, &tensor);
  if (out->found == SYM_NONE || in->program->tensors.at[tensor].has_range)
    return false;
  sym rest = sym_sub(t, index, out->found);
  if (judge_depends_on_content(j, rest))
    return false;
  if (rest != sym_int(t, 0)) {
    rest_end = judge_upper_bound(j, facts, rest);
    if (rest_end == SYM_NONE ||
        !judge_implies(j, facts, sym_ge(t, rest, sym_int(t, 0))))
      return false;
  }
  out->end = sym_add(t, sym_sub(t, extent, rest_end), one);
  out->tensor = in->program->tensors.at[tensor].name;
  return judge_upper_bound(j, facts, out->end) != SYM_NONE &&
         !judge_implies(j, facts, sym_le(t, out->end, sym_int(t, 0)));
}

void require_values(const check_input *in, judge *j, const value_range *r,
                    verdict *v) {
  const char *end = sym_text(judge_launch(j)->syms, r->end, in->arena);
  text_add(
      in->arena, &v->requires,
      arena_printf(in->arena, "values of `%s` are in [0, %s)", r->tensor, end));
  text_add(in->arena, &v->asserts,
           arena_printf(in->arena, "# tilecheck: values %s in [0, %s)",
                        r->tensor, end));
}

bool indirect_decides(judge *j, const access *a) {
  const launch *l = judge_launch(j);
  symtab *t = l->syms;
  sym extent[TYPE_MAX_RANK], stride[TYPE_MAX_RANK], index[TYPE_MAX_RANK];
  if (a->pointer.form != VALUE_POINTER || a->pointer.tensor == TENSOR_LOST ||
      a->pointer.of == SYM_NONE || !judge_depends_on_content(j, a->pointer.of))
    return false;
  const tensor *x = &l->program->tensors.at[a->pointer.tensor];
  if (!x->known)
    return true;
  launch_tensor(l, a->pointer.tensor, extent, stride);
  if (!delinearise(t, a->pointer.of, stride, x->rank, index))
    return true;
  sym_vec facts = judge_access_facts(j, a, NULL);
  for (unsigned d = 0; d < x->rank; d++)
    if (index[d] != SYM_NONE && !judge_depends_on_content(j, index[d]) &&
        !judge_implies(j, &facts,
                       sym_and(t, sym_ge(t, index[d], sym_int(t, 0)),
                               sym_lt(t, index[d], extent[d]))))
      return false;
  return true;
}
