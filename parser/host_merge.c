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
    return a->tensor == b->tensor;
  case HOST_FUNCTION:
    return node_same(a->where, b->where);
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

bool host_merge(host_run *r, expr condition, host_value a, host_value b,
                host_value *out) {
  *out = host_unknown();
  a = host_settle(r, a);
  b = host_settle(r, b);
  if (host_same(&a, &b)) {
    *out = a;
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
    return out->number != EXPR_NONE;
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
