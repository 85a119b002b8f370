/* parser/host_view.c: subscripts and views of tensors.
 *
 * A view is a tensor of its own with the storage of its base: what a kernel
 * may touch through its pointer are the elements of the view. */
#include "parser/host_state.h"

#include "base/panic.h"

#include <string.h>

host_value host_view_of(host_run *r, host_tensor view) {
  host_mark_derived(&view);
  view.sized = view.spelled = false;
  view.slot = 0;
  view.clause = NULL;
  view.identical = false;
  view.folded = 0;
  return host_tensor_value(host_tensor_add(r, view));
}

host_value host_spell(host_run *r, host_value v, node at) {
  host_tensor *t = v.kind == HOST_TENSOR ? &r->tensors.at[v.tensor] : NULL;
  const char *text = host_text(r, at);
  if (!t || !t->unnamed || t->spelled || !t->base || t->sized ||
      strcmp(t->base, "tensor") == 0)
    return v;
  bool long_ = strlen(text) > 40 || strchr(text, '\n');
  t->name = long_ ? arena_printf(r->arena, "%s[...]", t->base) : text;
  t->spelled = true;
  return v;
}

bool host_axis(host_run *r, uint32_t tensor, host_value axis, uint8_t *out) {
  const host_tensor *t = &r->tensors.at[tensor];
  int64_t d;
  if (!t->ranked || !expr_is_int(r->t, host_as_int(r, axis), &d))
    return false;
  int64_t folded = t->folded ? t->folded - 1 : -1, from = d;
  if (d < 0)
    d += t->rank;
  *out = (uint8_t)d;
  if (d < 0 || d >= t->rank || d == folded)
    return false;
  return folded < 0 || (from >= 0) == (d < folded);
}

host_value host_permute(host_run *r, uint32_t tensor, const uint8_t *order) {
  host_strides(r, tensor);
  host_tensor base = r->tensors.at[tensor], t = base;
  bool same = true;
  for (uint8_t d = 0; d < t.rank; d++) {
    t.extent[d] = base.extent[order[d]];
    t.stride[d] = base.stride[order[d]];
    same = same && order[d] == d;
  }
  if (same)
    return host_tensor_value(tensor);
  t.contiguous = false;
  return host_view_of(r, t);
}

host_value host_unsqueeze(host_run *r, uint32_t tensor, int axis) {
  host_strides(r, tensor);
  host_tensor base = r->tensors.at[tensor], t = base;
  int d = axis < 0 ? axis + base.rank + 1 : axis;
  if (!base.ranked || base.folded || d < 0 || d > base.rank ||
      base.rank == TYPE_MAX_RANK)
    return host_unknown();
  for (int i = base.rank; i > d; i--) {
    t.extent[i] = base.extent[i - 1];
    t.stride[i] = base.stride[i - 1];
  }
  t.extent[d] = expr_int(r->t, 1);
  t.stride[d] = d < base.rank ? expr_mul(r->t, base.extent[d], base.stride[d])
                              : expr_int(r->t, 1);
  t.rank++;
  return host_view_of(r, t);
}

/* Sound: an axis that is stretched has extent 1 and gets stride 0; whether a
 * symbolic extent is 1 decides its stride. */
host_value host_expand(host_run *r, uint32_t tensor, const host_value *sizes,
                       uint32_t count) {
  host_strides(r, tensor);
  host_tensor base = r->tensors.at[tensor], t = base;
  if (!base.ranked || base.folded || count < base.rank || count > TYPE_MAX_RANK)
    return host_unknown();
  uint32_t fresh = count - base.rank;
  for (uint32_t d = 0; d < count; d++) {
    expr to = host_as_int(r, sizes[d]);
    int64_t n;
    bool old = d >= fresh;
    expr from = old ? base.extent[d - fresh] : expr_int(r->t, 1);
    expr stride = old ? base.stride[d - fresh] : expr_int(r->t, 0);
    if (to == EXPR_NONE)
      return host_unknown();
    if (expr_is_int(r->t, to, &n) && n == -1)
      to = from;
    expr one = expr_compare(r->t, EXPR_EQ, from, expr_int(r->t, 1));
    t.extent[d] = to;
    t.parameter = t.parameter && to == from;
    t.stride[d] =
        to == from ? stride : expr_select(r->t, one, expr_int(r->t, 0), stride);
  }
  t.rank = (uint8_t)count;
  t.contiguous = false;
  t.disjoint = false;
  return host_view_of(r, t);
}

/* ---------------------------------------------------------------- reshape */

/* What an axis of -1 stands for: the number of elements over the product of
 * the others. Equal extents cancel. */
static expr missing_extent(host_run *r, const host_tensor *base,
                           const host_tensor *t, int missing) {
  bool used[TYPE_MAX_RANK] = {false};
  expr rest = expr_int(r->t, 1), left = rest;
  int64_t n;
  for (uint8_t d = 0; d < t->rank; d++) {
    bool found = d == missing;
    for (uint8_t k = base->rank; k-- > 0 && !found;)
      if (!used[k] && base->extent[k] == t->extent[d])
        used[k] = found = true;
    if (!found)
      rest = expr_mul(r->t, rest, t->extent[d]);
  }
  for (uint8_t k = 0; k < base->rank; k++)
    if (!used[k])
      left = expr_mul(r->t, left, base->extent[k]);
  if (expr_is_int(r->t, rest, &n) && n == 1)
    return left;
  return expr_fdiv(r->t, left, rest);
}

host_value host_reshape(host_run *r, uint32_t tensor, const host_value *sizes,
                        uint32_t count, bool may_copy) {
  expr total = host_ask_numel(r, tensor);
  host_tensor base = r->tensors.at[tensor], t = base;
  int missing = -1;
  int64_t n;
  if (total == EXPR_NONE || count > TYPE_MAX_RANK)
    return host_unknown();
  t.rank = (uint8_t)count;
  for (uint32_t d = 0; d < count; d++) {
    t.extent[d] = host_as_int(r, sizes[d]);
    if (t.extent[d] == EXPR_NONE)
      return host_unknown();
    if (!expr_is_int(r->t, t.extent[d], &n) || n != -1)
      continue;
    if (missing >= 0)
      return host_unknown();
    missing = (int)d;
  }
  if (missing >= 0)
    t.extent[missing] = missing_extent(r, &base, &t, missing);
  /* The elements are the same: reshaping raises otherwise. */
  expr same = expr_compare(r->t, EXPR_EQ, host_numel(r, &t), total);
  host_fact(r, same, FACT_HOST, base.line);
  t.strided = false;
  t.stride_slot = 0;
  if (!base.contiguous) {
    /* A view with other strides, or a copy. */
    t.disjoint = false;
    if (may_copy)
      t.adrift = true;
  }
  return host_view_of(r, t);
}

/* ----------------------------------------------------------------- slices */

typedef struct slice_ends {
  node start, stop, step;
} slice_ends;

static slice_ends read_slice(host_run *r, node at) {
  slice_ends s = {.start = {.id = NULL}};
  node *part[] = {&s.start, &s.stop, &s.step};
  uint32_t i = 0;
  for (uint32_t k = 0; k < node_any_count(at); k++) {
    node n = node_any_child(at, k);
    if (strcmp(syntax_kind_text(n), ":") == 0)
      i++;
    else if (i < 3 && host_kind_of(r, n) != SYN_comment)
      *part[i] = n;
  }
  return s;
}

/* Whether e <= extent is plain: a quotient of it. */
static bool is_part(host_run *r, expr e, expr extent) {
  expr parts[3];
  int64_t n;
  return e != EXPR_NONE && expr_kind_of(r->t, e) == EXPR_FDIV &&
         expr_operands(r->t, e, parts) == 2 && parts[0] == extent &&
         expr_is_int(r->t, parts[1], &n) && n >= 1;
}

/* An end of a slice, clamped to [0, extent] as Python does. */
static expr clamp_end(host_run *r, node at, expr otherwise, expr extent) {
  if (!node_is(at))
    return otherwise;
  host_value v = host_eval(r, at);
  if (v.kind == HOST_NONE)
    return otherwise;
  expr e = host_as_int(r, v);
  int64_t n;
  if (expr_is_int(r->t, e, &n) && n < 0)
    return expr_max(r->t, expr_add(r->t, extent, e), expr_int(r->t, 0));
  if (is_part(r, e, extent) && host_nonnegative(r, extent))
    return e;
  expr below = expr_min(r->t, e, extent), zero = expr_int(r->t, 0);
  if (host_nonnegative(r, e) || e == EXPR_NONE)
    return below;
  expr back = expr_max(r->t, expr_add(r->t, extent, e), zero);
  return expr_select(r->t, expr_compare(r->t, EXPR_LT, e, zero), back, below);
}

/* Whether two expressions have a symbol in common, or a fact of the host code
 * ties one of each together. */
static bool tied(host_run *r, expr a, expr b) {
  for (size_t i = 0; i < exprs_symbol_count(r->t); i++) {
    expr s = exprs_symbol_expr(r->t, i);
    if (!expr_mentions(r->t, a, s))
      continue;
    if (expr_mentions(r->t, b, s))
      return true;
    for (size_t k = 0; k < r->p->facts.count; k++) {
      expr c = r->p->facts.at[k].condition, parts[3];
      if (!expr_mentions(r->t, c, s) || expr_kind_of(r->t, c) != EXPR_EQ)
        continue;
      for (size_t n = expr_operands(r->t, c, parts); n-- > 0;)
        for (size_t m = 0; m < exprs_symbol_count(r->t); m++)
          if (expr_mentions(r->t, parts[n], exprs_symbol_expr(r->t, m)) &&
              expr_mentions(r->t, b, exprs_symbol_expr(r->t, m)))
            return true;
    }
  }
  return false;
}

/* Whether a slice ends where its tensor's own extent says: a larger tensor has
 * no larger slice then. */
static bool ends_itself(host_run *r, node at, expr extent) {
  slice_ends s = read_slice(r, at);
  expr start =
      node_is(s.start) ? host_as_int(r, host_eval(r, s.start)) : EXPR_NONE;
  expr stop =
      node_is(s.stop) ? host_as_int(r, host_eval(r, s.stop)) : EXPR_NONE;
  return (start != EXPR_NONE && tied(r, start, extent)) ||
         (stop != EXPR_NONE && tied(r, stop, extent));
}

typedef struct slicing {
  host_run *r;
  host_tensor base, view;
  uint8_t axis; /* of the base, next */
} slicing;

/* The view starts `index` steps of its base's next axis later. */
static void advance(slicing *s, expr index, expr stride) {
  host_run *r = s->r;
  expr old = s->view.start, by = expr_mul(r->t, index, stride);
  s->view.start = old == EXPR_NONE ? by : expr_add(r->t, old, by);
}

/* Extent of [start : stop] and the start. */
static bool slice_extent(host_run *r, node at, expr extent, expr *start,
                         expr *length, int64_t *step) {
  slice_ends s = read_slice(r, at);
  expr zero = expr_int(r->t, 0);
  *start = clamp_end(r, s.start, zero, extent);
  expr stop = clamp_end(r, s.stop, extent, extent);
  *step = 1;
  if (node_is(s.step) &&
      (!expr_is_int(r->t, host_as_int(r, host_eval(r, s.step)), step) ||
       *step < 1))
    return false;
  expr n = expr_sub(r->t, stop, *start);
  if (*start != zero)
    n = expr_max(r->t, n, zero);
  *length = *step == 1 ? n : expr_cdiv(r->t, n, expr_int(r->t, *step));
  return *length != EXPR_NONE;
}

static void keep_axis(slicing *s) {
  s->view.extent[s->view.rank] = s->base.extent[s->axis];
  s->view.stride[s->view.rank++] = s->base.stride[s->axis++];
}

static bool slice_index(slicing *s, node at) {
  host_run *r = s->r;
  if (s->axis >= s->base.rank)
    return false;
  if (host_kind_of(r, at) != SYN_slice) {
    host_value v = host_eval(r, at);
    if (v.kind != HOST_INT && v.kind != HOST_UNKNOWN)
      return false;
    expr index = host_as_int(r, v);
    int64_t i;
    if (index == EXPR_NONE)
      return false;
    /* A negative index counts from the end; of one that is no number nobody
     * knows. */
    s->view.adrift = s->view.adrift || !expr_is_int(r->t, index, &i) || i < 0;
    advance(s, index, s->base.stride[s->axis++]);
    return true;
  }
  expr start, length;
  int64_t step;
  expr extent = s->base.extent[s->axis], stride = s->base.stride[s->axis];
  if (!slice_extent(r, at, extent, &start, &length, &step))
    return false;
  advance(s, start, stride);
  s->view.extent[s->view.rank] = length;
  s->view.stride[s->view.rank++] = expr_mul(r->t, stride, expr_int(r->t, step));
  s->view.parameter = s->view.parameter && !ends_itself(r, at, extent);
  s->axis++;
  return true;
}

static uint32_t subscript_count(node at) {
  uint32_t n = 0;
  while (node_is(node_field_at(at, "subscript", n)))
    n++;
  return n;
}

/* x[a:b, :, i, None, ...] */
static host_value slice_tensor(host_run *r, uint32_t tensor, node at) {
  uint32_t count = subscript_count(at), plain = 0;
  bool ellipsis = false;
  for (uint32_t i = 0; i < count; i++) {
    syn kind = host_kind_of(r, node_field_at(at, "subscript", i));
    ellipsis = ellipsis || kind == SYN_ellipsis;
    plain += kind != SYN_none && kind != SYN_ellipsis;
  }
  if (plain && !ellipsis)
    host_ask_axis(r, tensor, (int)plain - 1);
  host_strides(r, tensor);
  slicing s = {.r = r, .base = r->tensors.at[tensor]};
  s.view = s.base;
  s.view.rank = 0;
  if (!s.base.ranked || s.base.folded ||
      s.base.rank + count > TYPE_MAX_RANK + plain || plain > s.base.rank)
    return host_open(r, at, 0, NULL);
  for (uint32_t i = 0; i < count; i++) {
    node n = node_field_at(at, "subscript", i);
    syn kind = host_kind_of(r, n);
    if (kind == SYN_ellipsis) {
      for (uint32_t k = plain; k < s.base.rank && s.axis < s.base.rank; k++)
        keep_axis(&s);
    } else if (kind == SYN_none) {
      s.view.extent[s.view.rank] = expr_int(r->t, 1);
      s.view.stride[s.view.rank++] = expr_int(r->t, 0);
    } else if (!slice_index(&s, n)) {
      return host_open(r, at, 0, NULL);
    }
  }
  while (s.axis < s.base.rank)
    keep_axis(&s);
  s.view.contiguous = false;
  s.view.strided = true;
  return host_spell(r, host_view_of(r, s.view), at);
}

/* ----------------------------------------------------------------- others */

/* A constant end of a slice; 0 and false: open. */
static bool constant_end(host_run *r, node at, int64_t *out, bool *wrong) {
  *out = 0;
  if (!node_is(at))
    return false;
  if (!expr_is_int(r->t, host_as_int(r, host_eval(r, at)), out) ||
      *out < -TYPE_MAX_RANK || *out > TYPE_MAX_RANK)
    *wrong = true;
  return true;
}

/* A part of x.shape or x.stride(). What its length is must not depend on a
 * guessed rank. */
static host_value slice_shape(host_run *r, host_value v, node at) {
  slice_ends s = read_slice(r, at);
  int64_t low, high;
  bool wrong = node_is(s.step);
  bool has_low = constant_end(r, s.start, &low, &wrong);
  bool has_high = constant_end(r, s.stop, &high, &wrong);
  if (wrong)
    return host_open(r, at, 0, NULL);
  if (!has_high && low == 0)
    return v;
  if (has_low && low != 0)
    host_ask_axis(r, v.tensor, (int)low - (low > 0));
  if (has_high && high != 0)
    host_ask_axis(r, v.tensor, (int)high - (high > 0));
  const host_value *items;
  uint32_t count;
  const host_tensor *t = &r->tensors.at[v.tensor];
  int64_t folded = t->folded ? t->folded - 1 : -1;
  bool spans = (!has_high && low >= 0) || (has_high && (high < 0) != (low < 0));
  if (spans && folded < 0 && !host_rank_certain(r, v.tensor)) {
    host_ask_numel(r, v.tensor); /* folds what is between */
    return host_open(r, at, 0, NULL);
  }
  if (!host_extents(r, v, &items, &count))
    return host_open(r, at, 0, NULL);
  int64_t from = low < 0 ? low + count : low;
  int64_t to = !has_high ? count : high < 0 ? high + count : high;
  if (from < 0 || to > count || from > to)
    return host_open(r, at, 0, NULL);
  host_value part = host_tuple(r, items + from, (uint32_t)(to - from));
  if (from <= folded && folded < to)
    part.folded = (uint8_t)(folded - from + 1);
  part.tensor = v.tensor;
  /* Axes are counted from both ends of the folded one. */
  bool before = to <= folded, after = folded < from;
  if (folded >= 0 && !part.folded &&
      ((before && (low < 0 || (has_high && high < 0))) ||
       (after && (low >= 0 || (has_high && high > 0)))))
    return host_open(r, at, 0, NULL);
  return part;
}

static host_value slice_tuple(host_run *r, host_value v, node at) {
  expr start, length;
  int64_t step, from, n;
  if (v.folded ||
      !slice_extent(r, at, expr_int(r->t, v.count), &start, &length, &step) ||
      step != 1 || !expr_is_int(r->t, start, &from) ||
      !expr_is_int(r->t, length, &n))
    return host_open(r, at, 0, NULL);
  return host_tuple(r, v.items + from, (uint32_t)n);
}

static host_value index_tuple(host_run *r, host_value v, host_value index,
                              node at) {
  int64_t i;
  if (v.folded || !expr_is_int(r->t, host_as_int(r, index), &i))
    return host_open(r, at, 0, NULL);
  if (i < 0)
    i += v.count;
  return i >= 0 && i < v.count ? v.items[i] : host_open(r, at, 0, NULL);
}

static host_value index_dictionary(host_run *r, host_value v, host_value key,
                                   node at) {
  if (key.kind == HOST_STRING && key.text)
    for (uint32_t i = v.count; i-- > 0;)
      if (strcmp(v.keys[i], key.text) == 0)
        return v.items[i];
  host_value found;
  return host_look_up(r, v, key, &found) ? found : host_open(r, at, 0, NULL);
}

host_value host_subscript(host_run *r, node at) {
  host_value v = host_eval(r, node_field(at, "value"));
  node first = node_field(at, "subscript");
  uint32_t count = subscript_count(at), tensor;
  bool sliced = host_kind_of(r, first) == SYN_slice;
  bool used =
      v.kind == HOST_UNKNOWN && v.slot && host_slot_at(r, v.slot)->tensor_used;
  if ((v.kind == HOST_TENSOR || used) && host_as_tensor(r, v, &tensor))
    return slice_tensor(r, tensor, at);
  if (count != 1)
    return host_open_part(r, v, at, NULL);
  bool shape = v.kind == HOST_SHAPE || v.kind == HOST_STRIDES;
  if (sliced && shape)
    return slice_shape(r, v, first);
  if (sliced && v.kind == HOST_TUPLE)
    return slice_tuple(r, v, first);
  host_value index = host_eval(r, first);
  if (shape)
    return host_ask_size(r, v.tensor, index, v.kind == HOST_STRIDES, at);
  if (v.kind == HOST_TUPLE)
    return index_tuple(r, v, index, at);
  if (v.kind == HOST_DICT)
    return index_dictionary(r, v, index, at);
  host_value known;
  if (v.kind == HOST_UNKNOWN && index.kind == HOST_STRING && index.text &&
      host_device_property(r, at, index.text, &known))
    return known;
  if (v.kind == HOST_META && index.kind == HOST_STRING && index.text) {
    const host_argument *a = host_argument_named(r, index.text);
    if (a && a->given)
      return a->value;
    return host_unknown();
  }
  return host_open_part(r, v, at, NULL);
}
