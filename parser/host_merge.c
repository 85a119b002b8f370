/* parser/host_merge.c: whether two values are the same, and one value for two
 * where a condition decides between them. */
#include "parser/host_state.h"

#include "base/panic.h"

#include <string.h>

static bool same_text(const char *a, const char *b) {
  return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_items(const host_value *a, const host_value *b) {
  if (a->count != b->count || a->folded != b->folded)
    return false;
  for (uint32_t i = 0; i < a->count; i++) {
    if (!host_same(&a->items[i], &b->items[i]))
      return false;
    if (a->kind != HOST_TUPLE && !same_text(a->keys[i], b->keys[i]))
      return false;
  }
  return true;
}

bool host_same(const host_value *a, const host_value *b) {
  if (a->kind != b->kind)
    return false;
  if ((a->changing || b->changing) && a->items != b->items)
    return false; /* two lists: one may be changed without the other */
  switch (a->kind) {
  case HOST_UNKNOWN:
    return a->slot && a->slot == b->slot;
  case HOST_INT:
  case HOST_BOOL:
    return a->number != EXPR_NONE && a->number == b->number;
  case HOST_FLOAT:
    return a->has_real && b->has_real &&
           memcmp(&a->real, &b->real, sizeof a->real) == 0;
  case HOST_STRING:
    return a->text && same_text(a->text, b->text);
  case HOST_NONE:
  case HOST_META:
    return true;
  case HOST_DTYPE:
    return a->dtype != SC_ANY && a->dtype == b->dtype;
  case HOST_TUPLE:
  case HOST_DICT:
  case HOST_CONFIG:
    return same_items(a, b);
  case HOST_CONFIGS:
    return a->items == b->items;
  case HOST_TENSOR:
  case HOST_SHAPE:
  case HOST_STRIDES:
    return a->tensor == b->tensor && a->absent == b->absent;
  case HOST_FUNCTION:
    return node_same(a->where, b->where);
  case HOST_CHOICE:
    return a->number == b->number && a->items == b->items;
  }
  return false;
}

static bool merge_items(host_run *r, expr condition, host_value a, host_value b,
                        host_value *out) {
  if (a.count != b.count || a.count > HOST_ITEMS || a.folded || b.folded)
    return false;
  host_value items[HOST_ITEMS];
  for (uint32_t i = 0; i < a.count; i++)
    if (!host_merge(r, condition, a.items[i], b.items[i], &items[i]))
      return false;
  *out = host_tuple(r, items, a.count);
  return true;
}

static expr merge_conditions(host_run *r, expr c, expr a, expr b) {
  return expr_or(r->t, expr_and(r->t, c, a),
                 expr_and(r->t, expr_not(r->t, c), b));
}

/* Whether the condition is `stride op 1`. */
static bool compares_with_one(host_run *r, expr condition, expr_kind op,
                              expr stride) {
  expr one = expr_int(r->t, 1);
  return condition != EXPR_NONE &&
         condition == expr_compare(r->t, op, stride, one) &&
         expr_kind_of(r->t, stride) == EXPR_SYMBOL;
}

/* `if x.stride(-1) != 1: x = x.contiguous()`. Sound: the strides of x are free
 * symbols, and those of a contiguous copy are among their values; the last one
 * is 1 in both cases. */
static bool merge_tensors(host_run *r, expr condition, uint32_t a, uint32_t b,
                          host_value *out) {
  bool first = r->tensors.at[a].contiguous;
  uint32_t dense = first ? a : b, other = first ? b : a;
  host_tensor c = r->tensors.at[dense], t = r->tensors.at[other];
  if (!c.contiguous || t.contiguous || !t.ranked || !t.strided || t.rank == 0 ||
      t.rank != c.rank || t.storage != c.storage || !t.stride_slot)
    return false;
  for (uint8_t d = 0; d < t.rank; d++)
    if (t.extent[d] != c.extent[d])
      return false;
  expr *last = &t.stride[t.rank - 1];
  if (!compares_with_one(r, condition, first ? EXPR_NE : EXPR_EQ, *last))
    return false;
  *last = expr_int(r->t, 1);
  host_mark_derived(&t);
  t.identical = true;
  *out = host_tensor_value(host_tensor_add(r, t));
  return true;
}

/* The condition that a value is None; EXPR_NONE: it is neither a tensor nor
 * None nor a parameter that may be None. */
static expr absence_of(host_run *r, host_value v) {
  if (v.kind == HOST_NONE)
    return expr_int(r->t, 1);
  if (v.kind == HOST_TENSOR)
    return v.absent != EXPR_NONE ? v.absent : expr_int(r->t, 0);
  return v.kind == HOST_UNKNOWN && v.slot ? host_slot_at(r, v.slot)->absent
                                          : EXPR_NONE;
}

/* One and the same tuple, list or dictionary, whatever is in it; two numbers or
 * types that nobody knows anything about. */
static bool is_one_object(const host_value *a, const host_value *b) {
  if (a->kind != b->kind)
    return false;
  if (a->kind == HOST_INT)
    return a->number == EXPR_NONE && b->number == EXPR_NONE;
  if (a->kind == HOST_DTYPE)
    return a->dtype == SC_ANY && b->dtype == SC_ANY;
  if (a->kind == HOST_FLOAT)
    return !a->has_real && !b->has_real && a->dividend == b->dividend &&
           a->divisor == b->divisor;
  return (a->kind == HOST_TUPLE || a->kind == HOST_DICT) && a->items &&
         a->items == b->items && a->count == b->count &&
         a->tensor == b->tensor && a->folded == b->folded;
}

/* What a value is where a condition holds that may say whether it is None. */
static host_value where_holds(host_run *r, expr condition, host_value v) {
  expr absent = absence_of(r, v);
  if (absent != EXPR_NONE && absent == condition)
    return host_none();
  if (v.kind == HOST_TENSOR && absent == expr_not(r->t, condition))
    v.absent = EXPR_NONE;
  return v;
}

/* Of two values that are one tensor at most: that tensor, or None. */
static bool merge_optional(host_run *r, expr condition, host_value a,
                           host_value b, host_value *out) {
  expr x = absence_of(r, a), y = absence_of(r, b);
  bool one =
      a.kind == HOST_NONE || b.kind == HOST_NONE ||
      (a.kind == HOST_TENSOR && b.kind == HOST_TENSOR && a.tensor == b.tensor);
  if (!one || condition == EXPR_NONE || x == EXPR_NONE || y == EXPR_NONE)
    return false;
  host_value v = a.kind == HOST_NONE ? b : a;
  expr absent = merge_conditions(r, condition, x, y);
  if (absent == EXPR_NONE)
    return false;
  if (v.kind == HOST_UNKNOWN) {
    *out = v; /* it stands for None already */
    return absent == host_slot_at(r, v.slot)->absent;
  }
  *out = v;
  out->absent = absent;
  return true;
}

/* Fractions, and what is not understood and no tensor. Sound: the merged value
 * may be anything. */
static bool merge_unclear(host_run *r, host_value a, host_value b) {
  host_value both[2] = {a, b};
  if ((a.kind == HOST_UNKNOWN && !a.slot) ||
      (b.kind == HOST_UNKNOWN && !b.slot))
    return true;
  for (int i = 0; i < 2; i++) {
    const host_slot *s = both[i].kind == HOST_UNKNOWN && both[i].slot
                             ? host_slot_at(r, both[i].slot)
                             : NULL;
    if (both[i].kind != HOST_FLOAT &&
        !(s && !s->tensor && !s->tensor_used && !s->parameter))
      return false;
  }
  return true;
}

bool host_merge(host_run *r, expr condition, host_value a, host_value b,
                host_value *out) {
  *out = host_unknown();
  a = host_settle(r, a);
  b = host_settle(r, b);
  if (host_same(&a, &b) || is_one_object(&a, &b)) {
    *out = a;
    return true;
  }
  if (r->host->joined && condition != EXPR_NONE) {
    a = where_holds(r, condition, a);
    b = where_holds(r, expr_not(r->t, condition), b);
    if (merge_optional(r, condition, a, b, out))
      return true;
  }
  if (host_all_configs(r, a, b, out)) {
    out->murky = out->murky || condition != EXPR_NONE;
    return true;
  }
  if (a.kind == HOST_TUPLE && b.kind == HOST_TUPLE && !a.changing &&
      !b.changing)
    return merge_items(r, condition, a, b, out);
  if (a.kind == HOST_BOOL && b.kind == HOST_BOOL) {
    *out = host_bool(merge_conditions(r, condition, a.number, b.number));
    out->murky = a.murky || b.murky;
    return out->number != EXPR_NONE ||
           (a.number == EXPR_NONE && b.number == EXPR_NONE);
  }
  if (r->host->joined && merge_unclear(r, a, b))
    return true;
  if (r->host->joined && a.kind == HOST_DTYPE && b.kind == HOST_DTYPE) {
    *out = (host_value){.kind = HOST_DTYPE, .dtype = SC_ANY};
    return true;
  }
  if (a.kind == HOST_TENSOR && b.kind == HOST_TENSOR)
    return merge_tensors(r, condition, a.tensor, b.tensor, out);
  if (a.kind == HOST_TENSOR || b.kind == HOST_TENSOR)
    return false;
  if (a.kind != HOST_INT && b.kind != HOST_INT)
    return false;
  expr x = host_as_int(r, a), y = host_as_int(r, b);
  *out = host_int(expr_select(r->t, condition, x, y));
  return out->number != EXPR_NONE;
}

/* Sound: the symbol is one of the two, whichever; nobody else speaks of it. */
static host_value either_number(host_run *r, const char *name, uint32_t line,
                                expr a, expr b) {
  symbol s = {.role = SYMBOL_INT, .unbounded = true, .line = line};
  expr e = host_symbol(r, name, s);
  if (host_nonnegative(r, a) && host_nonnegative(r, b))
    VEC_PUSH(r->arena, &r->nonnegative, e);
  host_define(r,
              expr_or(r->t, expr_compare(r->t, EXPR_EQ, e, a),
                      expr_compare(r->t, EXPR_EQ, e, b)),
              line);
  return host_int(e);
}

host_value host_merge_open(host_run *r, expr condition, host_value a,
                           host_value b, const char *name, uint32_t line) {
  host_value merged;
  if (host_merge(r, condition, a, b, &merged))
    return merged;
  a = host_settle(r, a);
  b = host_settle(r, b);
  if (a.kind == HOST_INT && b.kind == HOST_INT && a.number != EXPR_NONE &&
      b.number != EXPR_NONE)
    return either_number(r, name, line, a.number, b.number);
  if (a.kind != HOST_TUPLE || b.kind != HOST_TUPLE || a.changing ||
      b.changing || a.count != b.count || a.count > HOST_ITEMS || a.folded ||
      b.folded)
    return host_unknown();
  host_value items[HOST_ITEMS];
  for (uint32_t i = 0; i < a.count; i++)
    items[i] =
        host_merge_open(r, condition, a.items[i], b.items[i], name, line);
  return host_tuple(r, items, a.count);
}
