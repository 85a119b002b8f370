/* parser/host_tensor.c: tensors of the host code: symbols for extents and
 * strides, and what the questions about a tensor tell of its rank. */
#include "parser/host_state.h"

#include "base/panic.h"

#include <string.h>

host_value host_tensor_value(uint32_t tensor) {
  return (host_value){.kind = HOST_TENSOR, .tensor = tensor};
}

uint32_t host_tensor_add(host_run *r, host_tensor t) {
  t.index = -1;
  VEC_PUSH(r->arena, &r->tensors, t);
  return (uint32_t)(r->tensors.count - 1);
}

uint32_t host_storage_add(host_run *r, host_storage s) {
  VEC_PUSH(r->arena, &r->storages, s);
  return (uint32_t)(r->storages.count - 1);
}

void host_touch(host_run *r, uint32_t tensor, bool by_launch) {
  host_storage *s = &r->storages.at[r->tensors.at[tensor].storage];
  if (r->reached) {
    s->later = true;
  } else {
    s->touched = true;
    s->shared = s->shared || by_launch;
    s->edits += !by_launch;
  }
}

expr host_numel(host_run *r, const host_tensor *t) {
  if (!t->ranked)
    return EXPR_NONE;
  expr e = expr_int(r->t, 1);
  for (uint8_t d = 0; d < t->rank; d++)
    e = expr_mul(r->t, e, t->extent[d]);
  return e;
}

void host_row_major(host_run *r, host_tensor *t) {
  expr stride = expr_int(r->t, 1);
  for (int d = t->rank - 1; d >= 0; d--) {
    t->stride[d] = stride;
    stride = expr_mul(r->t, stride, t->extent[d]);
  }
  t->strided = true;
}

void host_strides(host_run *r, uint32_t tensor) {
  host_tensor t = r->tensors.at[tensor];
  if (t.strided || !t.ranked)
    return;
  if (t.contiguous) {
    host_row_major(r, &t);
  } else {
    for (uint8_t d = 0; d < t.rank; d++) {
      const char *name = arena_printf(r->arena, "%s.stride(%d)", t.name, d);
      symbol s = {.role = SYMBOL_STRIDE,
                  .unbounded = t.slot && !t.parameter,
                  .line = t.line};
      t.stride[d] = host_symbol(r, name, s);
    }
    t.strided = true;
  }
  r->tensors.at[tensor] = t;
}

/* --------------------------------------------------------------- learning */

/* A slot whose rank is seen in a new light forgets the names of its axes. */
static void relearn(host_run *r, host_slot *s) {
  memset(s->axis_names, 0, sizeof s->axis_names);
  r->changed = true;
}

static host_slot *slot_of(host_run *r, uint32_t tensor) {
  uint32_t slot = r->tensors.at[tensor].slot;
  return slot ? host_slot_at(r, slot) : NULL;
}

bool host_rank_certain(host_run *r, uint32_t tensor) {
  const host_tensor *t = &r->tensors.at[tensor];
  return t->ranked && !t->folded &&
         (t->clause || !t->slot || host_slot_at(r, t->slot)->rank_exact);
}

void host_ask_rank(host_run *r, uint32_t tensor, int rank) {
  host_slot *s = slot_of(r, tensor);
  if (!s || r->tensors.at[tensor].clause || rank < 1 || rank > TYPE_MAX_RANK ||
      r->speculating)
    return;
  if (s->rank_exact == 0) {
    s->rank_exact = rank;
    relearn(r, s);
  }
}

expr host_ask_numel(host_run *r, uint32_t tensor) {
  const host_tensor *t = &r->tensors.at[tensor];
  host_slot *s = t->slot ? host_slot_at(r, t->slot) : NULL;
  if (s && !t->folded && !host_rank_certain(r, tensor)) {
    if (!s->numel_asked) {
      s->numel_asked = true;
      relearn(r, s);
    }
    return EXPR_NONE;
  }
  return host_numel(r, t);
}

void host_ask_axis(host_run *r, uint32_t tensor, int axis) {
  host_slot *s = slot_of(r, tensor);
  if (!s || r->tensors.at[tensor].clause || axis < -TYPE_MAX_RANK ||
      axis >= TYPE_MAX_RANK)
    return;
  if (axis >= 0 && axis + 1 > s->axes_front) {
    s->axes_front = axis + 1;
    relearn(r, s);
  } else if (axis < 0 && -axis > s->axes_back) {
    s->axes_back = -axis;
    relearn(r, s);
  }
}

void host_ask_strides(host_run *r, uint32_t tensor) {
  uint32_t slot = r->tensors.at[tensor].stride_slot;
  host_slot *s = slot ? host_slot_at(r, slot) : NULL;
  if (s && !s->strides_asked) {
    s->strides_asked = true;
    r->changed = true;
  }
  host_strides(r, tensor);
}

void host_note_extent(host_run *r, const char *name, expr number) {
  if (expr_kind_of(r->t, number) != EXPR_SYMBOL ||
      host_bound_times(r, name) != 1)
    return;
  for (size_t i = 0; i < r->tensors.count; i++) {
    const host_tensor *t = &r->tensors.at[i];
    if (!t->slot || t->clause || !t->ranked)
      continue;
    for (uint8_t d = 0; d < t->rank; d++) {
      host_slot *s = host_slot_at(r, t->slot);
      if (t->extent[d] != number || s->axis_names[d])
        continue;
      s->axis_names[d] = arena_strdup(r->host->work, name);
      r->changed = true;
      return;
    }
  }
}

/* ------------------------------------------------------------- parameters */

static expr extent_symbol(host_run *r, const char *name, bool outside,
                          uint32_t line) {
  expr known = host_introduced_symbol(r, name);
  if (known != EXPR_NONE)
    return known;
  symbol s = {.role = SYMBOL_SIZE, .unbounded = !outside, .line = line};
  return host_symbol(r, name, s);
}

/* The number of axes as far as the questions tell. When nobody asked for the
 * first ones, or the number of elements counts, one axis stands for all that
 * lie between; that needs contiguity. */
static void guess_rank(const host_slot *s, bool free_strides, host_tensor *t) {
  int front = s->axes_front, back = s->axes_back;
  bool none = front == 0 && back == 0;
  bool fold = none || (!free_strides && (front == 0 || s->numel_asked));
  if (s->rank_exact) {
    t->rank = (uint8_t)s->rank_exact;
  } else if (fold && front + 1 + back <= TYPE_MAX_RANK) {
    t->rank = (uint8_t)(front + 1 + back);
    t->folded = (uint8_t)(front + 1);
  } else if (front == 1 && back > 0 && back < TYPE_MAX_RANK) {
    t->rank = (uint8_t)(back + 1);
  } else {
    t->rank = (uint8_t)(front > back ? front : back);
  }
}

static const char *axis_name(host_run *r, const host_slot *s,
                             const host_tensor *t, int d) {
  int at = t->folded ? t->folded - 1 : t->rank, after = t->rank - 1 - at;
  if (s->axis_names[d])
    return s->axis_names[d];
  if (d != at)
    return arena_printf(r->arena, "%s.shape[%d]", t->name,
                        d < at ? d : d - t->rank);
  if (t->rank == 1)
    return arena_printf(r->arena, "%s.numel()", t->name);
  if (at == 0)
    return arena_printf(r->arena, "%s.shape[:-%d].numel()", t->name, after);
  if (after == 0)
    return arena_printf(r->arena, "%s.shape[%d:].numel()", t->name, at);
  return arena_printf(r->arena, "%s.shape[%d:-%d].numel()", t->name, at, after);
}

static void guess_extents(host_run *r, const host_slot *s, host_tensor *t) {
  bool free_strides = s->strides_asked && !s->contiguous_stated;
  guess_rank(s, free_strides, t);
  t->ranked = true;
  for (uint8_t d = 0; d < t->rank; d++)
    t->extent[d] =
        extent_symbol(r, axis_name(r, s, t, d), t->parameter, t->line);
  t->contiguous = !free_strides;
  t->assumed = !free_strides && !s->contiguous_stated;
  t->disjoint = !free_strides;
}

scalar host_given_dtype(const host_run *r, const char *name) {
  const parse_options *o = &r->host->options;
  scalar all = SC_ANY;
  for (size_t i = 0; i < o->dtype_count; i++) {
    if (name && strcmp(o->dtype_names[i], name) == 0)
      return o->dtypes[i];
    if (!*o->dtype_names[i])
      all = o->dtypes[i];
  }
  return all;
}

/* The tensor that an open value is. */
static uint32_t slot_tensor(host_run *r, uint32_t slot) {
  host_slot s = *host_slot_at(r, slot);
  if (!s.tensor_used) {
    host_slot_at(r, slot)->tensor_used = true;
    r->changed = true;
  }
  if (s.tensor)
    return s.tensor - 1;
  host_storage storage = {.fresh = false};
  const clause *c = s.name ? host_clause_for(r, CLAUSE_TENSOR, s.name) : NULL;
  host_tensor t = {
      .name = s.name ? arena_strdup(r->arena, s.name) : "tensor",
      .origin = s.parameter ? "parameter" : "a value that is not understood",
      .line = s.line,
      .dtype = s.dtype_stated != SC_NONE ? s.dtype_stated
                                         : host_given_dtype(r, s.name),
      .type_of = s.name ? arena_strdup(r->arena, s.name) : NULL,
      .slot = slot,
      .storage = host_storage_add(r, storage),
      /* Of a local nobody can pass a larger one. */
      .parameter = s.parameter || s.outside || c,
      .held = s.outside && !s.parameter,
      .anywhere = !s.parameter && !s.outside,
      .sized = true,
      .stride_slot = slot,
      .identical = true,
  };
  if (c && !c->any_rank) {
    host_state_tensor(r, c, &t);
  } else {
    if (c)
      *c->used = true;
    if (c && c->strides_any)
      s.strides_asked = true;
    guess_extents(r, &s, &t);
  }
  if (c && c->dtype != SC_ANY)
    t.dtype = c->dtype;
  uint32_t index = host_tensor_add(r, t);
  host_slot_at(r, slot)->tensor = index + 1;
  return index;
}

bool host_as_tensor(host_run *r, host_value v, uint32_t *tensor) {
  v = host_settle(r, v);
  if (v.kind == HOST_TENSOR) {
    *tensor = v.tensor;
    return true;
  }
  if (v.kind != HOST_UNKNOWN || !v.slot)
    return false;
  const host_slot *s = host_slot_at(r, v.slot);
  if (s->symbol != EXPR_NONE) {
    /* Taken for a number before: the next run knows better. */
    if (s->parameter && !s->tensor_used) {
      host_slot_at(r, v.slot)->tensor_used = true;
      r->changed = true;
    }
    return false;
  }
  *tensor = slot_tensor(r, v.slot);
  return true;
}

/* ------------------------------------------------------------------- like */

void host_mark_derived(host_tensor *t) {
  if (!t->base)
    t->base = t->name;
  t->unnamed = true;
}

host_value host_like(host_run *r, uint32_t tensor, bool copy) {
  host_tensor t = r->tensors.at[tensor];
  host_storage storage = {.fresh = !copy, .edits = copy};
  t.storage = host_storage_add(r, storage);
  t.start = EXPR_NONE;
  t.adrift = t.anywhere = t.held = false;
  t.perhaps = 0;
  t.disjoint = true;
  t.sized = true;
  t.stride_slot = 0;
  t.index = -1;
  t.clause = copy ? t.clause : NULL;
  t.identical = copy && t.identical;
  t.parameter = copy && t.parameter;
  /* Of a contiguous tensor: contiguous, whatever that rests on. */
  t.strided = t.strided && t.contiguous;
  t.assumed = copy && t.assumed;
  if (t.rank == 1 && host_rank_certain(r, tensor)) {
    /* Dense, so there is only one way. */
    t.contiguous = true;
    t.strided = false;
  }
  host_mark_derived(&t);
  t.spelled = false;
  if (!copy) {
    t.name = "tensor";
    t.base = NULL;
  }
  return host_tensor_value(host_tensor_add(r, t));
}

host_value host_perhaps_same(host_run *r, uint32_t tensor) {
  host_value v = host_like(r, tensor, true);
  host_tensor *t = &r->tensors.at[v.tensor];
  const host_tensor *from = &r->tensors.at[tensor];
  t->perhaps = from->storage + 1;
  t->anywhere = from->anywhere || from->perhaps;
  t->disjoint = from->disjoint;
  return v;
}

/* Sound: an allocation that returned, and an argument, have extents and a span
 * within the limit; a view lies within its base and adds nothing. */
void host_size_facts(host_run *r, const host_tensor *t) {
  exprs *x = r->t;
  expr zero = expr_int(x, 0), limit = expr_int(x, r->max_numel);
  expr empty = zero, span = expr_int(x, 1);
  if (!t->ranked || !t->sized)
    return;
  for (uint8_t d = 0; d < t->rank; d++) {
    expr e = t->extent[d];
    host_fact(r, expr_compare(x, EXPR_LE, zero, e), FACT_SHAPE, t->line);
    host_fact(r, expr_compare(x, EXPR_LE, e, limit), FACT_SHAPE, t->line);
    empty = expr_or(x, empty, expr_compare(x, EXPR_EQ, e, zero));
    if (t->strided) {
      expr last = expr_sub(x, e, expr_int(x, 1));
      span = expr_add(x, span, expr_mul(x, last, t->stride[d]));
    }
  }
  if (t->contiguous)
    host_fact(r, expr_compare(x, EXPR_LE, host_numel(r, t), limit), FACT_SHAPE,
              t->line);
  else if (t->strided)
    host_fact(r, expr_or(x, empty, expr_compare(x, EXPR_LE, span, limit)),
              FACT_SHAPE, t->line);
}
