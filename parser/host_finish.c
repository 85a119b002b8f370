/* parser/host_finish.c: the program's tensors and the facts that hold without
 * anybody saying so. */
#include "parser/host_state.h"

#include "base/panic.h"

#include <string.h>

uint32_t host_program_tensor(host_run *r, uint32_t tensor_) {
  host_tensor *from = &r->tensors.at[tensor_];
  if (from->index < 0) {
    tensor blank = {
        .name = from->name, .written = true, .start = expr_int(r->t, 0)};
    VEC_PUSH(r->arena, &r->p->tensors, blank);
    from->index = (int)r->p->tensors.count - 1;
  }
  return (uint32_t)from->index;
}

static bool is_known(const host_tensor *t) {
  if (!t->ranked || !t->strided)
    return false;
  for (uint8_t d = 0; d < t->rank; d++)
    if (t->extent[d] == EXPR_NONE || t->stride[d] == EXPR_NONE)
      return false;
  return true;
}

/* A parameter of so many axes, or one allocated after its likeness. */
static bool has_free_strides(host_run *r, uint32_t index) {
  const host_tensor *t = &r->tensors.at[index];
  return t->slot && !t->contiguous && !t->clause &&
         host_rank_certain(r, index) && !host_slot_at(r, t->slot)->rank_assumed;
}

/* Nobody says how many axes a parameter has, nor counts them from the end. */
static bool may_have_more_axes(host_run *r, uint32_t index) {
  const host_tensor *t = &r->tensors.at[index];
  if (!t->slot || !t->parameter || t->clause || t->contiguous)
    return false;
  const host_slot *s = host_slot_at(r, t->slot);
  return s->rank_exact == 0 && s->axes_back == 0;
}

static void fill(host_run *r, uint32_t index) {
  host_strides(r, index);
  const host_tensor *from = &r->tensors.at[index];
  tensor *t = &r->p->tensors.at[from->index];
  t->name = from->name;
  t->dtype = from->dtype;
  t->type_of = from->type_of;
  t->known = is_known(from);
  t->parameter = from->parameter;
  t->assumed_contiguous = t->known && from->assumed;
  t->more_axes = t->known && may_have_more_axes(r, index);
  t->free_strides = t->known && has_free_strides(r, index);
  t->disjoint = from->disjoint && t->known;
  t->storage = from->storage;
  t->start = from->adrift               ? EXPR_NONE
             : from->start == EXPR_NONE ? expr_int(r->t, 0)
                                        : from->start;
  t->perhaps = from->perhaps;
  t->held = from->held;
  t->anywhere = from->anywhere;
  t->line = from->line;
  t->origin = from->origin;
  t->rank = t->known ? from->rank : 0;
  for (uint8_t d = 0; d < t->rank; d++) {
    t->extent[d] = from->extent[d];
    t->stride[d] = from->stride[d];
  }
  if (r->storages.at[from->storage].fresh && from->sized && !t->align)
    t->align = 16;
}

void host_fill_tensors(host_run *r) {
  for (size_t i = 0; i < r->tensors.count; i++)
    if (r->tensors.at[i].index >= 0)
      fill(r, (uint32_t)i);
}

/* What running the launch needs to know. */
static void set_content(host_run *r, const host_tensor *from, tensor *t) {
  const host_storage *s = &r->storages.at[from->storage];
  const host_tensor *root = r->tensors.at;
  while (root->storage != from->storage)
    root++;
  t->root = root->name;
  t->root_line = root->line;
  t->edits = s->edits;
  t->shared = s->shared;
  t->fill = s->fill;
  if (s->edits)
    t->content = CONTENT_HOST;
  else if (!s->fresh)
    t->content = from->parameter ? CONTENT_CALLER : CONTENT_HOST;
  else if (s->empty)
    t->content = CONTENT_EMPTY;
  else
    t->content = s->filled ? CONTENT_FILLED : CONTENT_HOST;
}

/* What holds values at the start, and what is to be written. */
static void set_role(host_run *r, const host_tensor *from) {
  tensor *t = &r->p->tensors.at[from->index];
  host_storage s = r->storages.at[from->storage];
  bool apart = s.fresh && !s.touched && host_is_apart(r, from);
  t->own = apart && !from->adrift;
  bool blank = s.fresh && s.empty && !s.touched;
  if (!from->written_stated)
    t->written = !blank || !apart;
  if (from->role_stated)
    return;
  if (!s.fresh)
    t->role = TENSOR_IN;
  else if (blank && s.returned && !s.later && !t->written && !t->part_written)
    t->role = TENSOR_OUT;
  else
    t->role = t->written ? TENSOR_INOUT : TENSOR_IN;
}

/* ------------------------------------------------------------------ facts */

static void at_least(host_run *r, expr e, int64_t least, fact_origin origin,
                     uint32_t line) {
  expr low = expr_int(r->t, least);
  host_fact(r, expr_compare(r->t, EXPR_LE, low, e), origin, line);
}

static void switch_facts(host_run *r, const symbol *s, expr e) {
  expr last = expr_int(r->t, (int64_t)s->label_count - 1);
  at_least(r, e, 0, FACT_DEFAULT, s->line);
  host_fact(r, expr_compare(r->t, EXPR_LE, e, last), FACT_DEFAULT, s->line);
}

static void symbol_facts(host_run *r) {
  for (size_t i = 0; i < exprs_symbol_count(r->t); i++) {
    symbol s = *exprs_symbol_at(r->t, i);
    expr e = exprs_find(r->t, s.name);
    if (s.role == SYMBOL_SIZE || s.role == SYMBOL_STRIDE)
      at_least(r, e, 0, FACT_SHAPE, s.line);
    else if (s.role == SYMBOL_CONST && !s.unbounded && !(s.pinned && s.pin < 1))
      at_least(r, e, 1, FACT_DEFAULT, s.line);
    else if (s.role == SYMBOL_SWITCH)
      switch_facts(r, &s, e);
  }
  expr limit = expr_int(r->t, r->max_numel);
  for (size_t i = 0; i < r->nonnegative.count; i++)
    at_least(r, r->nonnegative.at[i], 0, FACT_DEFAULT, 0);
  for (size_t i = 0; i < r->naturals.count; i++) {
    host_natural_number n = r->naturals.at[i];
    at_least(r, n.number, 1, FACT_DEFAULT, 0);
    if (n.most)
      host_fact(r,
                expr_compare(r->t, EXPR_LE, n.number, expr_int(r->t, n.most)),
                FACT_DEFAULT, 0);
  }
  for (size_t i = 0; i < r->limited.count; i++)
    host_fact(r, expr_compare(r->t, EXPR_LE, r->limited.at[i], limit),
              FACT_DEFAULT, 0);
}

/* Defaults of plain integers carry the line of their parameter. */
static void add_lines(host_run *r) {
  for (size_t i = 0; i < r->p->facts.count; i++) {
    fact *f = &r->p->facts.at[i];
    if (f->origin != FACT_DEFAULT || f->line)
      continue;
    for (size_t k = 0; k < exprs_symbol_count(r->t); k++) {
      const symbol *s = exprs_symbol_at(r->t, k);
      if (s->line &&
          expr_mentions(r->t, f->condition, exprs_find(r->t, s->name)))
        f->line = s->line;
    }
  }
}

/* Whether a condition lists values of e, one of them below 1. */
static bool lists_less(host_run *r, expr condition, expr e, bool *less) {
  expr part[3];
  int64_t n;
  size_t count = expr_operands(r->t, condition, part);
  expr_kind kind = expr_kind_of(r->t, condition);
  if (kind == EXPR_OR && count == 2)
    return lists_less(r, part[0], e, less) && lists_less(r, part[1], e, less);
  if (kind != EXPR_EQ || count != 2)
    return false;
  expr other = part[0] == e ? part[1] : part[0];
  if ((part[0] != e && part[1] != e) || !expr_is_int(r->t, other, &n))
    return false;
  *less = *less || n < 1;
  return true;
}

/* `assert mode in (-1, 0, 1)`: the host code itself says what a constexpr may
 * be; no default does. */
static void lift_defaults(host_run *r) {
  for (size_t i = 0; i < exprs_symbol_count(r->t); i++) {
    symbol *s = exprs_symbol_at(r->t, i);
    bool less = false;
    for (size_t k = 0; s->role == SYMBOL_CONST && k < r->p->facts.count; k++)
      s->unbounded =
          s->unbounded || (lists_less(r, r->p->facts.at[k].condition,
                                      exprs_symbol_expr(r->t, i), &less) &&
                           less);
  }
}

/* Facts about arguments come first: they hold whatever the function does. */
static void add_default_facts(host_run *r) {
  tile_program *p = r->p;
  lift_defaults(r);
  VEC(fact) said = {0};
  for (size_t i = 0; i < p->facts.count; i++)
    VEC_PUSH(r->arena, &said, p->facts.at[i]);
  p->facts.count = 0;
  for (size_t i = 0; i < r->tensors.count; i++) {
    const host_tensor *t = &r->tensors.at[i];
    if ((t->parameter || t->slot) && t->sized)
      host_size_facts(r, t);
  }
  symbol_facts(r);
  add_lines(r);
  for (size_t i = 0; i < said.count; i++)
    host_fact(r, said.at[i].condition, said.at[i].origin, said.at[i].line);
}

/* Tensors of the host code whose size is not understood: some size, that
 * nobody can choose. */
static void fill_unread(host_run *r) {
  for (size_t i = 0; i < r->tensors.count && node_is(r->launch); i++) {
    host_tensor *from = &r->tensors.at[i];
    if (from->index < 0 || from->parameter || is_known(from))
      continue;
    symbol s = {.role = SYMBOL_SIZE, .unbounded = true, .line = from->line};
    const char *name = arena_printf(r->arena, "%s.numel()", from->name);
    from->extent[0] = host_symbol(r, name, s);
    from->stride[0] = expr_int(r->t, 1);
    from->rank = 1;
    from->ranked = from->strided = true;
    from->assumed = from->disjoint = false;
    fill(r, (uint32_t)i);
  }
}

void host_finish(host_run *r) {
  r->reached = false;
  r->guards.count = 0;
  fill_unread(r);
  for (size_t i = 0; i < r->tensors.count; i++) {
    const host_tensor *from = &r->tensors.at[i];
    if (from->index < 0)
      continue;
    set_role(r, from);
    set_content(r, from, &r->p->tensors.at[from->index]);
  }
  add_default_facts(r);
  for (size_t i = 0; i < r->p->params.count; i++)
    assert(r->p->params.at[i].name);
}
