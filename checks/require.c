/* checks/require.c: requirements on the caller.
 *
 * Every requirement is verified: it is assumed and the access is proved
 * inside. A requirement speaks of extents and arguments by the host's names
 * (or, when nobody launches the kernel here, by its parameters' and G0, G1,
 * G2). */
#include "checks/require.h"

/* ------------------------------------------------------- what is tied */

static bool uses_value(const region *r, value_id v) {
  for (size_t i = 0; i < r->insts.count; i++) {
    const inst *it = r->insts.at[i];
    for (uint32_t k = 0; k < it->operand_count; k++)
      if (it->operands[k] == v)
        return true;
    for (int arm = 0; arm < 2; arm++)
      if (it->regions[arm] && uses_value(it->regions[arm], v))
        return true;
  }
  return false;
}

/* Whether the value of e grows with a variable. One that only decides between
 * values (`256 if n <= 1024 else 64`) is not held by them: a larger one is met
 * with the value for it. */
static bool mentions_within(judge *j, expr e, sym var, int depth) {
  const launch *l = judge_launch(j);
  exprs *t = l->program->exprs;
  expr part[3];
  if (e == EXPR_NONE || !sym_mentions(l->syms, launch_sym(l, e), var))
    return false;
  size_t n = expr_operands(t, e, part);
  if (n == 0 || depth == 0)
    return true;
  for (size_t i = expr_kind_of(t, e) == EXPR_SELECT ? 1 : 0; i < n; i++)
    if (mentions_within(j, part[i], var, depth - 1))
      return true;
  return false;
}

static bool mentions(judge *j, expr e, sym var) {
  return mentions_within(j, e, var, 8);
}

/* Numbers that the caller has tied to the launch: arguments, the grid, and the
 * ends of what a tensor holds. */
static bool in_launch_numbers(judge *j, sym var) {
  const tile_program *p = judge_launch(j)->program;
  for (uint32_t k = 0; k < p->tensors.count; k++)
    if (p->tensors.at[k].has_range &&
        (mentions(j, p->tensors.at[k].least, var) ||
         mentions(j, p->tensors.at[k].greatest, var)))
      return true;
  for (size_t i = 0; i < p->params.count; i++) {
    const param *q = &p->params.at[i];
    bool used = !q->value_id || uses_value(p->body, q->value_id);
    if (used && (mentions(j, q->value, var) || mentions(j, q->offset, var)))
      return true;
  }
  for (int axis = 0; axis < 3; axis++)
    if (sym_mentions(judge_launch(j)->syms, judge_launch(j)->grid[axis], var))
      return true;
  return false;
}

/* An extent of a tensor that came in from outside, of one that this kernel is
 * not given too. */
static bool sizes_a_parameter(judge *j, sym var) {
  const launch *l = judge_launch(j);
  exprs *t = l->program->exprs;
  for (size_t i = 0; i < exprs_symbol_count(t); i++) {
    const symbol *s = exprs_symbol_at(t, i);
    if (l->symbol[i] == var)
      return (s->role == SYMBOL_SIZE || s->role == SYMBOL_STRIDE) &&
             !s->unbounded;
  }
  return false;
}

/* A number of a parameter tensor in e that no launch number mentions. Facts
 * about it may narrow it; one that ties it to another number replaces it.
 * Views and tensors that the host allocates after its likeness grow with it.
 * SYM_NONE if there is none. */
static sym untied_in(judge *j, expr e) {
  const launch *l = judge_launch(j);
  sym of = launch_sym(l, e), vars[8];
  size_t n = sym_variables(l->syms, of, vars, 8);
  for (size_t i = 0; i < n && i < 8; i++)
    if (!in_launch_numbers(j, vars[i]) && sizes_a_parameter(j, vars[i]) &&
        sym_var_role(l->syms, vars[i]) != ROLE_UNKNOWN)
      return vars[i];
  return SYM_NONE;
}

static bool is_untied(judge *j, expr e) {
  return untied_in(j, e) == launch_sym(judge_launch(j), e);
}

/* A stride that the host's allocation chose, after the likeness of another
 * tensor's: the author may assert it before the launch. */
static bool is_chosen_by_host(judge *j, expr e) {
  const launch *l = judge_launch(j);
  exprs *t = l->program->exprs;
  for (size_t i = 0; i < exprs_symbol_count(t); i++)
    if (exprs_symbol_expr(t, i) == e)
      return exprs_symbol_at(t, i)->role == SYMBOL_STRIDE &&
             exprs_symbol_at(t, i)->unbounded &&
             !in_launch_numbers(j, l->symbol[i]);
  return false;
}

void require_free_axes(const check_input *in, judge *j, uint32_t index,
                       bool free_axis[TYPE_MAX_RANK]) {
  const tensor *x = &in->program->tensors.at[index];
  for (unsigned d = 0; d < x->rank; d++)
    free_axis[d] = untied_in(j, x->extent[d]) != SYM_NONE;
}

bool require_rests_on_free(const check_input *in, judge *j, sym value) {
  const launch *l = judge_launch(j);
  for (uint32_t k = 0; k < in->program->tensors.count; k++) {
    const tensor *x = &in->program->tensors.at[k];
    bool free_axis[TYPE_MAX_RANK] = {false}, any = false;
    require_free_axes(in, j, k, free_axis);
    for (unsigned d = 0; x->known && d < x->rank; d++)
      any = any || free_axis[d];
    for (unsigned d = 0; any && d < x->rank; d++) {
      sym stride = launch_sym(l, x->stride[d]);
      if (sym_kind_of(l->syms, stride) == SYM_VAR &&
          sym_mentions(l->syms, value, stride))
        return true;
    }
  }
  return false;
}

static bool is_among(const sym_vec *list, sym e) {
  for (size_t i = 0; i < list->count; i++)
    if (list->at[i] == e)
      return true;
  return false;
}

sym_vec require_free_extents(const check_input *in, judge *j) {
  sym_vec out = {0};
  for (uint32_t k = 0; k < in->program->tensors.count; k++) {
    const tensor *x = &in->program->tensors.at[k];
    for (unsigned d = 0; x->known && d < x->rank; d++) {
      sym var = untied_in(j, x->extent[d]);
      if (var != SYM_NONE && !is_among(&out, var))
        VEC_PUSH(in->arena, &out, var);
    }
  }
  return out;
}

/* ------------------------------------------------------------- phrases */

static void demand(const check_input *in, verdict *v, const char *condition,
                   const char *assertion) {
  text_add(in->arena, &v->requires, condition);
  if (assertion)
    text_add(in->arena, &v->asserts, assertion);
}

static void demand_contiguity(const check_input *in, const tensor *x,
                              verdict *v) {
  demand(in, v, arena_printf(in->arena, "`%s` is contiguous", x->name),
         arena_printf(in->arena, "assert %s.is_contiguous()", x->name));
}

void require_contiguity(const check_input *in, uint32_t index, verdict *v) {
  const tensor *x = &in->program->tensors.at[index];
  if (!x->assumed_contiguous)
    return;
  demand_contiguity(in, x, v);
}

static const char *text_of(const check_input *in, judge *j, sym e) {
  return sym_text(judge_launch(j)->syms, e, in->arena);
}

static void demand_at_least(const check_input *in, judge *j, sym have, sym want,
                            verdict *v) {
  const char *condition = arena_printf(
      in->arena, "%s >= %s", text_of(in, j, have), text_of(in, j, want));
  bool host = in->program->launch_line != 0;
  demand(in, v, condition, host ? assert_line(in->arena, condition) : NULL);
}

/* --------------------------------------------------------- known tensors */

static sym element_count(judge *j, const sym *extent, unsigned rank) {
  sym n = sym_int(judge_launch(j)->syms, 1);
  for (unsigned d = 0; d < rank; d++)
    n = sym_mul(judge_launch(j)->syms, n, extent[d]);
  return n;
}

static void demand_unit_stride(const check_input *in, judge *j, sym stride,
                               verdict *v) {
  const char *condition =
      arena_printf(in->arena, "%s == 1", text_of(in, j, stride));
  demand(in, v, condition, assert_line(in->arena, condition));
}

/* A requirement that no launch can meet would prove anything. */
static bool impossible(judge *j, const sym_vec *facts, sym have, sym want) {
  return judge_implies(j, facts, sym_lt(judge_launch(j)->syms, have, want));
}

/* A stride that the requirement is about, by what it has to be. */
static void promise_stride(const check_input *in, judge *j, sym stride,
                           sym value, layout_promise *out) {
  VEC_PUSH(in->arena, &out->strides, stride);
  VEC_PUSH(in->arena, &out->values, value);
  VEC_PUSH(in->arena, &out->facts,
           sym_eq(judge_launch(j)->syms, stride, value));
}

/* Axis by axis: each free axis gets the extent that its index needs. The
 * strides are those promised. */
static bool require_axes(const check_input *in, judge *j, const access *a,
                         const sym_vec *facts, const bool *free_axis,
                         const sym *stride, verdict *v, proof *how,
                         layout_promise *out) {
  symtab *t = judge_launch(j)->syms;
  const tensor *x = &in->program->tensors.at[a->pointer.tensor];
  sym extent[TYPE_MAX_RANK], own[TYPE_MAX_RANK], *index = out->index;
  sym want[TYPE_MAX_RANK] = {SYM_NONE};
  sym_vec *promised = &out->facts;
  value_range values[TYPE_MAX_RANK] = {{NULL, SYM_NONE, SYM_NONE}};
  sym_vec more = {0};
  launch_tensor(judge_launch(j), a->pointer.tensor, extent, own);
  if (!delinearise(t, a->pointer.of, stride, x->rank, index))
    return false;
  for (unsigned d = 0; d < x->rank; d++) {
    if (index[d] != SYM_NONE && judge_depends_on_content(j, index[d])) {
      if (!indirect_range(in, j, facts, index[d], extent[d], &values[d]))
        return false;
      VEC_PUSH(in->arena, promised, sym_ge(t, values[d].found, sym_int(t, 0)));
      VEC_PUSH(in->arena, promised, sym_lt(t, values[d].found, values[d].end));
      continue;
    }
    if (!free_axis[d] || index[d] == SYM_NONE)
      continue;
    want[d] = judge_upper_bound(j, facts, index[d]);
    if (want[d] == SYM_NONE || impossible(j, facts, extent[d], want[d]))
      return false;
    VEC_PUSH(in->arena, promised, sym_ge(t, extent[d], want[d]));
  }
  for (size_t i = 0; i < facts->count; i++)
    VEC_PUSH(in->arena, &more, facts->at[i]);
  for (size_t i = 0; i < promised->count; i++)
    VEC_PUSH(in->arena, &more, promised->at[i]);
  *how = judge_inside(j, a, &more, stride, NULL);
  if (!how->proved)
    return false;
  out->rank = x->rank;
  for (unsigned d = 0; d < x->rank; d++)
    if (values[d].tensor)
      require_values(in, j, &values[d], v);
  for (unsigned d = 0; d < x->rank; d++)
    if (want[d] != SYM_NONE &&
        !judge_implies(j, facts, sym_ge(t, extent[d], want[d])))
      demand_at_least(in, j, extent[d], want[d], v);
  return true;
}

static bool require_own_axes(const check_input *in, judge *j, const access *a,
                             const sym_vec *facts, const bool *free_axis,
                             verdict *v, proof *how, layout_promise *out) {
  sym extent[TYPE_MAX_RANK], stride[TYPE_MAX_RANK];
  launch_tensor(judge_launch(j), a->pointer.tensor, extent, stride);
  *out = (layout_promise){0};
  return require_axes(in, j, a, facts, free_axis, stride, v, how, out);
}

static bool require_unit_axis(const check_input *in, judge *j, const access *a,
                              const sym_vec *facts, const bool *free_axis,
                              unsigned axis, verdict *v, proof *how,
                              layout_promise *out) {
  symtab *t = judge_launch(j)->syms;
  sym extent[TYPE_MAX_RANK], stride[TYPE_MAX_RANK];
  launch_tensor(judge_launch(j), a->pointer.tensor, extent, stride);
  sym unit = stride[axis];
  *out = (layout_promise){0};
  stride[axis] = sym_int(t, 1);
  promise_stride(in, j, unit, stride[axis], out);
  verdict asked = *v;
  demand_unit_stride(in, j, unit, &asked);
  if (!require_axes(in, j, a, facts, free_axis, stride, &asked, how, out))
    return false;
  *v = asked;
  return true;
}

/* A kernel that adds a column index without a stride assumes that one of the
 * strides is 1. */
static bool require_unit_stride(const check_input *in, judge *j,
                                const access *a, const sym_vec *facts,
                                const bool *free_axis, verdict *v, proof *how,
                                layout_promise *out) {
  const tensor *x = &in->program->tensors.at[a->pointer.tensor];
  for (int d = x->rank - 1; d >= 0; d--)
    if ((is_untied(j, x->stride[d]) || is_chosen_by_host(j, x->stride[d])) &&
        require_unit_axis(in, j, a, facts, free_axis, (unsigned)d, v, how, out))
      return true;
  return false;
}

/* A host that asks only for some strides of a tensor leaves its rank open: the
 * kernel may well index one axis more, whose stride it takes to be 1. */
static bool may_have_another_axis(const check_input *in, const tensor *x,
                                  const bool *free_axis) {
  if (!x->more_axes || x->rank == 0 || x->rank >= TYPE_MAX_RANK)
    return false;
  for (unsigned d = 0; d < x->rank; d++)
    if (!free_axis[d])
      return false;
  return expr_kind_of(in->program->exprs, x->stride[x->rank - 1]) ==
         EXPR_SYMBOL;
}

/* Proves 0 <= index for each axis and asks for the extents. Sound: with the
 * extents and the unit stride that are demanded, the indices are those of an
 * element of the tensor, whatever its rank was thought to be. */
static bool require_another_axis(const check_input *in, judge *j,
                                 const access *a, const sym_vec *facts,
                                 const bool *free_axis, verdict *v, proof *how,
                                 layout_promise *out) {
  symtab *t = judge_launch(j)->syms;
  const tensor *x = &in->program->tensors.at[a->pointer.tensor];
  sym extent[TYPE_MAX_RANK], stride[TYPE_MAX_RANK], *index = out->index;
  sym want[TYPE_MAX_RANK];
  unsigned last = x->rank;
  *out = (layout_promise){0};
  if (!may_have_another_axis(in, x, free_axis))
    return false;
  launch_tensor(judge_launch(j), a->pointer.tensor, extent, stride);
  stride[last] = sym_int(t, 1);
  if (!delinearise(t, a->pointer.of, stride, last + 1, index))
    return false;
  for (unsigned d = 0; d <= last; d++) {
    if (index[d] == SYM_NONE)
      return false;
    want[d] = judge_upper_bound(j, facts, index[d]);
    *how = judge_prove(j, facts, sym_ge(t, index[d], sym_int(t, 0)));
    if (want[d] == SYM_NONE || !how->proved ||
        (d < last && impossible(j, facts, extent[d], want[d])))
      return false;
  }
  for (unsigned d = 0; d <= last; d++) {
    const char *condition = arena_printf(in->arena, "%s.shape[%u] >= %s",
                                         x->name, d, text_of(in, j, want[d]));
    demand(in, v, condition, assert_line(in->arena, condition));
  }
  const char *unit =
      arena_printf(in->arena, "%s.stride(%u) == 1", x->name, last);
  demand(in, v, unit, arena_printf(in->arena, "assert %s", unit));
  out->rank = last + 1;
  return true;
}

static bool contiguous(judge *j, const sym *extent, const sym *stride,
                       unsigned rank) {
  symtab *t = judge_launch(j)->syms;
  sym step = sym_int(t, 1);
  for (unsigned d = rank; d-- > 0;) {
    if (stride[d] != step)
      return false;
    step = sym_mul(t, step, extent[d]);
  }
  return true;
}

/* The whole of a contiguous tensor by its number of elements. */
static bool require_count(const check_input *in, judge *j, const access *a,
                          const sym_vec *facts, const bool *free_axis,
                          verdict *v, proof *how, layout_promise *out) {
  symtab *t = judge_launch(j)->syms;
  const tensor *x = &in->program->tensors.at[a->pointer.tensor];
  sym extent[TYPE_MAX_RANK], stride[TYPE_MAX_RANK];
  bool any = false;
  *out = (layout_promise){0};
  launch_tensor(judge_launch(j), a->pointer.tensor, extent, stride);
  for (unsigned d = 0; d < x->rank; d++)
    any = any || free_axis[d];
  if (!any || !contiguous(j, extent, stride, x->rank))
    return false;
  sym want = judge_upper_bound(j, facts, a->pointer.of);
  if (want == SYM_NONE ||
      impossible(j, facts, element_count(j, extent, x->rank), want))
    return false;
  *how = judge_prove(j, facts, sym_ge(t, a->pointer.of, sym_int(t, 0)));
  if (!how->proved)
    return false;
  demand_at_least(in, j, element_count(j, extent, x->rank), want, v);
  VEC_PUSH(in->arena, &out->facts,
           sym_ge(t, element_count(j, extent, x->rank), want));
  return true;
}

/* Sizes that stand in the offset where a stride does: those of the tensor that
 * the kernel has in mind. */
static sym_vec sizes_in(const check_input *in, judge *j, sym offset) {
  const launch *l = judge_launch(j);
  sym vars[16];
  size_t n = sym_variables(l->syms, offset, vars, 16);
  sym_vec out = {0};
  for (size_t i = 0; i < n && i < 16; i++)
    if (sym_var_role(l->syms, vars[i]) == ROLE_SIZE)
      VEC_PUSH(in->arena, &out, vars[i]);
  return out;
}

/* A row-major tensor as long as another one is said to be: `w.shape[0] >= N`
 * where the kernel steps by N and the tensor by w.shape[0]. */
static bool require_like(const check_input *in, judge *j, const access *a,
                         const sym_vec *facts, const bool *free_axis,
                         verdict *v, proof *how, layout_promise *out) {
  symtab *t = judge_launch(j)->syms;
  const tensor *x = &in->program->tensors.at[a->pointer.tensor];
  sym extent[TYPE_MAX_RANK], stride[TYPE_MAX_RANK];
  launch_tensor(judge_launch(j), a->pointer.tensor, extent, stride);
  *out = (layout_promise){0};
  if (x->rank < 2 || !contiguous(j, extent, stride, x->rank))
    return false;
  sym_vec sizes = sizes_in(in, j, a->pointer.of);
  for (unsigned d = 0; d < x->rank; d++)
    for (size_t i = 0; free_axis[d] && i < sizes.count; i++) {
      sym enough = sym_ge(t, extent[d], sizes.at[i]);
      sym_vec more = {0};
      if (sizes.at[i] == extent[d] ||
          impossible(j, facts, extent[d], sizes.at[i]))
        continue;
      for (size_t k = 0; k < facts->count; k++)
        VEC_PUSH(in->arena, &more, facts->at[k]);
      VEC_PUSH(in->arena, &more, enough);
      *how = judge_prove(
          j, &more,
          sym_and(t, sym_ge(t, a->pointer.of, sym_int(t, 0)),
                  sym_lt(t, a->pointer.of, element_count(j, extent, x->rank))));
      if (!how->proved)
        continue;
      demand_at_least(in, j, extent[d], sizes.at[i], v);
      VEC_PUSH(in->arena, &out->facts, enough);
      return true;
    }
  return false;
}

/* ------------------------------------------------------- unknown tensors */

typedef struct group {
  sym stride; /* a product of launch symbols */
  sym index;
  sym extent;
} group;

static bool is_stride_atom(const judge *j, sym atom) {
  symtab *t = judge_launch(j)->syms;
  if (sym_kind_of(t, atom) != SYM_VAR)
    return false;
  sym_role role = sym_var_role(t, atom);
  return role == ROLE_SIZE || role == ROLE_STRIDE;
}

static bool has_inner(const judge *j, const sym_term *term) {
  for (uint32_t k = 0; k < term->atom_count; k++)
    if (!judge_is_launch_level(j, term->atoms[k]))
      return true;
  return false;
}

/* Splits a term into (product of sizes and strides) * (the rest). A term
 * without ids, turns or lanes stays whole in the rest: it is a base offset. */
static void split_term(judge *j, const sym_term *term, sym *stride, sym *rest) {
  symtab *t = judge_launch(j)->syms;
  *stride = sym_int(t, 1);
  *rest = sym_int(t, term->coef);
  bool inner = has_inner(j, term);
  for (uint32_t k = 0; k < term->atom_count; k++) {
    sym *part = inner && is_stride_atom(j, term->atoms[k]) ? stride : rest;
    *part = sym_mul(t, *part, term->atoms[k]);
  }
}

static size_t group_terms(const check_input *in, judge *j, sym offset,
                          group **out) {
  symtab *t = judge_launch(j)->syms;
  const sym_term *terms;
  size_t n = sym_terms(t, offset, &terms), count = 0;
  group *groups = ARENA_ARRAY(in->arena, group, n ? n : 1);
  for (size_t i = 0; i < n; i++) {
    sym stride, rest;
    size_t k = 0;
    split_term(j, &terms[i], &stride, &rest);
    while (k < count && groups[k].stride != stride)
      k++;
    if (k == count)
      groups[count++] = (group){stride, sym_int(t, 0), SYM_NONE};
    groups[k].index = sym_add(t, groups[k].index, rest);
  }
  *out = groups;
  return count;
}

size_t require_groups(const check_input *in, judge *j, sym offset, sym *stride,
                      sym *index) {
  group *groups;
  size_t n = group_terms(in, j, offset, &groups);
  for (size_t i = 0; i < n && n <= TYPE_MAX_RANK; i++) {
    stride[i] = groups[i].stride;
    index[i] = groups[i].index;
  }
  return n <= TYPE_MAX_RANK ? n : 0;
}

/* Span that holds index[k]*stride[k] for all k below their extents. */
static sym span_of(judge *j, const group *groups, size_t n) {
  symtab *t = judge_launch(j)->syms;
  sym span = sym_int(t, 1);
  for (size_t k = 0; k < n; k++)
    span = sym_add(t, span,
                   sym_mul(t, sym_sub(t, groups[k].extent, sym_int(t, 1)),
                           groups[k].stride));
  return span;
}

static bool bound_groups(const check_input *in, judge *j, const sym_vec *facts,
                         group *groups, size_t n, proof *how) {
  symtab *t = judge_launch(j)->syms;
  sym zero = sym_int(t, 0);
  (void)in;
  for (size_t k = 0; k < n; k++) {
    groups[k].extent = judge_upper_bound(j, facts, groups[k].index);
    if (groups[k].extent == SYM_NONE)
      return false;
    *how = judge_prove(j, facts, sym_ge(t, groups[k].index, zero));
    if (!how->proved)
      return false;
    *how = judge_prove(j, facts, sym_ge(t, groups[k].stride, zero));
    if (!how->proved)
      return false;
  }
  return true;
}

static const char *elements_text(const check_input *in, judge *j,
                                 const tensor *x, const group *groups, size_t n,
                                 sym count) {
  strbuf text = strbuf_make(in->arena);
  strbuf_printf(&text, "`%s` has at least %s elements", x->name,
                text_of(in, j, count));
  int64_t fixed;
  symtab *t = judge_launch(j)->syms;
  const char *word = " when ";
  for (size_t k = 0; k < n && n > 1; k++)
    if (!sym_is_int(t, groups[k].extent, &fixed)) {
      strbuf_printf(&text, "%s%s >= 1", word, text_of(in, j, groups[k].extent));
      word = " and ";
    }
  return text.text;
}

/* A tensor that nobody describes: as many elements as the access needs.
 * Sound: with 0 <= index < extent and stride >= 0 for each group the offset is
 * below the span; a live lane makes every extent at least 1. */
static bool require_elements(const check_input *in, judge *j, const access *a,
                             const sym_vec *facts, verdict *v, proof *how) {
  const tensor *x = &in->program->tensors.at[a->pointer.tensor];
  symtab *t = judge_launch(j)->syms;
  group whole = {sym_int(t, 1), a->pointer.of, SYM_NONE}, *groups;
  if (bound_groups(in, j, facts, &whole, 1, how)) {
    demand(in, v, elements_text(in, j, x, &whole, 1, whole.extent), NULL);
    return true;
  }
  size_t n = group_terms(in, j, a->pointer.of, &groups);
  if (n < 2 || !bound_groups(in, j, facts, groups, n, how))
    return false;
  demand(in, v, elements_text(in, j, x, groups, n, span_of(j, groups, n)),
         NULL);
  return true;
}

bool require_extent(const check_input *in, judge *j, const access *a,
                    const sym_vec *facts, const bool *free_axis, verdict *v,
                    proof *how, layout_promise *out) {
  *out = (layout_promise){0};
  if (!in->program->tensors.at[a->pointer.tensor].known)
    return require_elements(in, j, a, facts, v, how);
  if (require_like(in, j, a, facts, free_axis, v, how, out) ||
      require_own_axes(in, j, a, facts, free_axis, v, how, out) ||
      require_unit_stride(in, j, a, facts, free_axis, v, how, out) ||
      require_another_axis(in, j, a, facts, free_axis, v, how, out) ||
      require_count(in, j, a, facts, free_axis, v, how, out))
    return true;
  *out = (layout_promise){0}; /* what was promised in vain */
  return false;
}

/* ----------------------------------------------------- row-major tensors */

/* Promises that a tensor is row-major. False when its strides are not free. */
static bool promise_row_major(const check_input *in, judge *j, uint32_t tensor,
                              layout_promise *out) {
  symtab *t = judge_launch(j)->syms;
  const struct tensor *x = &in->program->tensors.at[tensor];
  sym extent[TYPE_MAX_RANK], stride[TYPE_MAX_RANK], step = sym_int(t, 1);
  if (!x->free_strides)
    return false;
  launch_tensor(judge_launch(j), tensor, extent, stride);
  for (unsigned d = x->rank; d-- > 0;) {
    if (stride[d] != step && sym_kind_of(t, stride[d]) != SYM_VAR)
      return false;
    if (stride[d] != step && !is_among(&out->strides, stride[d]))
      promise_stride(in, j, stride[d], step, out);
    step = sym_mul(t, step, extent[d]);
  }
  return true;
}

/* The tensor, and every other one whose strides stand in the offset. */
static bool promise_contiguity(const check_input *in, judge *j, const access *a,
                               verdict *v, layout_promise *out) {
  const launch *l = judge_launch(j);
  sym extent[TYPE_MAX_RANK], stride[TYPE_MAX_RANK];
  for (uint32_t k = 0; k < in->program->tensors.count; k++) {
    const tensor *x = &in->program->tensors.at[k];
    bool concerned = k == a->pointer.tensor;
    launch_tensor(l, k, extent, stride);
    for (unsigned d = 0; d < x->rank && !concerned; d++)
      concerned = sym_kind_of(l->syms, stride[d]) == SYM_VAR &&
                  sym_var_role(l->syms, stride[d]) == ROLE_STRIDE &&
                  sym_mentions(l->syms, a->pointer.of, stride[d]);
    if (!concerned)
      continue;
    size_t before = out->strides.count;
    if (promise_row_major(in, j, k, out))
      demand_contiguity(in, x, v);
    else if (out->strides.count != before || k == a->pointer.tensor)
      return false;
  }
  return out->strides.count > 0;
}

/* is_contiguous() says nothing of the stride of an axis with one element. It
 * does not matter where the stride is multiplied by an index of the axis. */
static bool is_multiplied_by_index(judge *j, sym e, const sym_vec *facts,
                                   sym stride, sym extent) {
  symtab *t = judge_launch(j)->syms;
  sym index, rest;
  if (e == SYM_NONE || !sym_mentions(t, e, stride))
    return true;
  sym_poly_divide(t, e, stride, &index, &rest);
  return !sym_mentions(t, rest, stride) && !sym_mentions(t, index, stride) &&
         judge_implies(j, facts,
                       sym_and(t, sym_ge(t, index, sym_int(t, 0)),
                               sym_lt(t, index, extent)));
}

static bool needs_mention(judge *j, needs all, sym stride) {
  symtab *t = judge_launch(j)->syms;
  for (uint32_t i = 0; i < all.count; i++) {
    sym value = all.at[i].value;
    if (value == SYM_NONE)
      value = judge_result(j)->premises.at[all.at[i].premise].value;
    if (sym_mentions(t, value, stride))
      return true;
  }
  return false;
}

/* Nothing else looks at the stride: no mask, branch or loop on the way. */
static bool is_harmless(judge *j, const access *a, const sym_vec *facts,
                        sym stride, sym extent) {
  symtab *t = judge_launch(j)->syms;
  bool ok = is_multiplied_by_index(j, a->pointer.of, facts, stride, extent) &&
            !sym_mentions(t, a->mask, stride) &&
            !needs_mention(j, a->mask_needs, stride) &&
            !needs_mention(j, a->path_needs, stride);
  for (size_t i = 0; i < a->facts.count && ok; i++)
    ok = !sym_mentions(t, a->facts.at[i], stride);
  for (uint32_t i = 0; i < a->pointer.needs.count && ok; i++)
    ok = is_multiplied_by_index(j, a->pointer.needs.at[i].value, facts, stride,
                                extent);
  return ok;
}

static void demand_strides(const check_input *in, judge *j, const access *a,
                           const sym_vec *facts, const layout_promise *made,
                           verdict *v) {
  for (uint32_t k = 0; k < in->program->tensors.count; k++) {
    sym extent[TYPE_MAX_RANK], stride[TYPE_MAX_RANK];
    launch_tensor(judge_launch(j), k, extent, stride);
    for (unsigned d = 0; d < in->program->tensors.at[k].rank; d++)
      for (size_t i = 0; i < made->strides.count; i++) {
        if (made->strides.at[i] != stride[d] ||
            is_harmless(j, a, facts, stride[d], extent[d]))
          continue;
        const char *condition =
            arena_printf(in->arena, "%s == %s", text_of(in, j, stride[d]),
                         text_of(in, j, made->values.at[i]));
        demand(in, v, condition, assert_line(in->arena, condition));
      }
  }
}

/* Sound: with row-major strides the offset is the one with their values in it;
 * those that contiguity leaves open are demanded. */
bool require_row_major(const check_input *in, judge *j, const access *a,
                       const sym_vec *facts, const bool *free_axis, verdict *v,
                       proof *how, layout_promise *out) {
  symtab *t = judge_launch(j)->syms;
  const tensor *x = &in->program->tensors.at[a->pointer.tensor];
  sym extent[TYPE_MAX_RANK], stride[TYPE_MAX_RANK];
  verdict asked = *v;
  *out = (layout_promise){0};
  if (!x->known || !promise_contiguity(in, j, a, &asked, out)) {
    *out = (layout_promise){0};
    return false;
  }
  access b = *a;
  b.pointer.of = sym_substitute(t, a->pointer.of, out->strides.at,
                                out->values.at, out->strides.count);
  sym_vec more = {0};
  for (size_t i = 0; i < facts->count; i++)
    VEC_PUSH(in->arena, &more, facts->at[i]);
  for (size_t i = 0; i < out->facts.count; i++)
    VEC_PUSH(in->arena, &more, out->facts.at[i]);
  launch_tensor(judge_launch(j), a->pointer.tensor, extent, stride);
  for (unsigned d = 0; d < x->rank; d++)
    stride[d] = sym_substitute(t, stride[d], out->strides.at, out->values.at,
                               out->strides.count);
  *how = judge_inside(j, &b, &more, stride, out->index);
  out->rank = x->rank;
  if (!how->proved &&
      !require_axes(in, j, &b, &more, free_axis, stride, &asked, how, out)) {
    *out = (layout_promise){0};
    return false;
  }
  demand_strides(in, j, a, facts, out, &asked);
  *v = asked;
  return true;
}
