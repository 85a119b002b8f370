/* parser/host_parts.c: methods that give parts of a tensor, or put tensors
 * together, by their names: narrow, select, chunk, split, unbind, squeeze,
 * flatten, unflatten, repeat, view_as, expand_as; and results of one element
 * for each element. */
#include "parser/host_state.h"

#include "base/panic.h"

#include <string.h>

static bool is(const char *a, const char *b) {
  return strcmp(a, b) == 0;
}

/* A ranked tensor whose axes are all known, with its strides. */
static bool plain_tensor(host_run *r, uint32_t tensor, host_tensor *out) {
  host_strides(r, tensor);
  *out = r->tensors.at[tensor];
  return out->ranked && !out->folded && host_rank_certain(r, tensor);
}

static bool axis_of(host_run *r, uint32_t tensor, const host_value *axis,
                    uint8_t *out) {
  host_value zero = host_int(expr_int(r->t, 0));
  return host_axis(r, tensor, axis ? *axis : zero, out);
}

static expr after(host_run *r, const host_tensor *t, uint8_t axis, expr by) {
  expr moved = expr_mul(r->t, by, t->stride[axis]);
  return t->start == EXPR_NONE ? moved : expr_add(r->t, t->start, moved);
}

/* The part [from, from + length) of an axis. */
static host_value part(host_run *r, const host_tensor *base, uint8_t axis,
                       expr from, expr length) {
  host_tensor t = *base;
  int64_t zero;
  bool whole = length == base->extent[axis] && expr_is_int(r->t, from, &zero) &&
               zero == 0;
  t.start = after(r, base, axis, from);
  t.extent[axis] = length;
  t.contiguous = base->contiguous && (whole || axis == 0);
  t.strided = true;
  return host_view_of(r, t);
}

/* Sound: torch raises where the part is not inside. */
static host_value narrow(host_run *r, uint32_t tensor, const host_call *c) {
  const host_value *dim = host_argument_at(c, 0, "dim");
  const host_value *from = host_argument_at(c, 1, "start");
  const host_value *length = host_argument_at(c, 2, "length");
  host_tensor base;
  uint8_t axis;
  if (!dim || !from || !length || !plain_tensor(r, tensor, &base) ||
      !axis_of(r, tensor, dim, &axis))
    return host_unknown();
  expr low = host_as_int(r, *from), n = host_as_int(r, *length);
  if (!host_nonnegative(r, low) || n == EXPR_NONE)
    return host_unknown();
  expr end = expr_add(r->t, low, n);
  uint32_t line = host_line(r, c->at);
  host_fact(r, expr_compare(r->t, EXPR_LE, end, base.extent[axis]), FACT_HOST,
            line);
  host_fact(r, expr_compare(r->t, EXPR_LE, expr_int(r->t, 0), n), FACT_HOST,
            line);
  return part(r, &base, axis, low, n);
}

static host_value without_axis(host_run *r, const host_tensor *base,
                               uint8_t axis, expr index) {
  host_tensor t = *base;
  t.start = after(r, base, axis, index);
  t.adrift = t.adrift || index == EXPR_NONE;
  for (uint8_t d = axis; d + 1 < t.rank; d++) {
    t.extent[d] = t.extent[d + 1];
    t.stride[d] = t.stride[d + 1];
  }
  t.rank--;
  t.contiguous = base->contiguous && axis == 0;
  t.strided = true;
  return host_view_of(r, t);
}

static host_value select_(host_run *r, uint32_t tensor, const host_call *c) {
  const host_value *dim = host_argument_at(c, 0, "dim");
  const host_value *index = host_argument_at(c, 1, "index");
  host_tensor base;
  uint8_t axis;
  if (!dim || !index || !plain_tensor(r, tensor, &base) ||
      !axis_of(r, tensor, dim, &axis))
    return host_unknown();
  expr i = host_as_int(r, *index);
  int64_t n;
  if (expr_is_int(r->t, i, &n) && n < 0)
    i = expr_add(r->t, base.extent[axis], i);
  else if (!host_nonnegative(r, i))
    return host_unknown();
  return without_axis(r, &base, axis, i);
}

/* How many pieces the code around a call takes: `a, b = x.chunk(2)`. 0: nobody
 * knows. */
static uint32_t pieces_taken(host_run *r, node call) {
  node up = node_parent(call), target = node_field(up, "left");
  syn kind = host_kind_of(r, target);
  if (host_kind_of(r, up) != SYN_assignment ||
      !node_same(node_field(up, "right"), call) ||
      (kind != SYN_pattern_list && kind != SYN_tuple_pattern))
    return 0;
  for (node n = node_child(target, 0); node_is(n); n = node_next(n))
    if (host_kind_of(r, n) != SYN_identifier)
      return 0;
  return node_count(target);
}

/* `count` pieces of `size`, the last of which may be shorter. Sound: there are
 * that many, or the code that takes them apart raises an exception. */
static host_value even_pieces(host_run *r, const host_call *c,
                              const host_tensor *base, uint8_t axis,
                              uint32_t count, expr size) {
  host_value items[HOST_ITEMS];
  expr extent = base->extent[axis];
  uint32_t line = host_line(r, c->at);
  expr full = expr_mul(r->t, size, expr_int(r->t, count - 1));
  host_fact(r, expr_compare(r->t, EXPR_LE, full, extent), FACT_HOST, line);
  host_fact(r,
            expr_compare(r->t, EXPR_LE, extent,
                         expr_mul(r->t, size, expr_int(r->t, count))),
            FACT_HOST, line);
  for (uint32_t i = 0; i < count; i++) {
    expr from = expr_mul(r->t, size, expr_int(r->t, i));
    expr length = i + 1 < count ? size : expr_sub(r->t, extent, from);
    items[i] = part(r, base, axis, from, length);
  }
  return host_tuple(r, items, count);
}

static host_value chunk(host_run *r, uint32_t tensor, const host_call *c) {
  const host_value *chunks = host_argument_at(c, 0, "chunks");
  host_tensor base;
  uint8_t axis;
  int64_t n;
  uint32_t count = pieces_taken(r, c->at);
  if (!chunks || !count || !plain_tensor(r, tensor, &base) ||
      !axis_of(r, tensor, host_argument_at(c, 1, "dim"), &axis) ||
      !expr_is_int(r->t, host_as_int(r, *chunks), &n) || n != count ||
      n > HOST_ITEMS)
    return host_unknown();
  expr size = expr_cdiv(r->t, base.extent[axis], expr_int(r->t, n));
  return even_pieces(r, c, &base, axis, count, size);
}

static host_value listed_pieces(host_run *r, const host_call *c,
                                const host_tensor *base, uint8_t axis,
                                const host_value *sizes, uint32_t count) {
  host_value items[HOST_ITEMS];
  expr from = expr_int(r->t, 0);
  for (uint32_t i = 0; i < count; i++) {
    expr size = host_as_int(r, sizes[i]);
    if (size == EXPR_NONE)
      return host_unknown();
    items[i] = part(r, base, axis, from, size);
    from = expr_add(r->t, from, size);
  }
  host_fact(r, expr_compare(r->t, EXPR_EQ, from, base->extent[axis]), FACT_HOST,
            host_line(r, c->at));
  return host_tuple(r, items, count);
}

static host_value split(host_run *r, uint32_t tensor, const host_call *c) {
  const host_value *sizes = host_argument_at(c, 0, "split_size"), *items;
  host_tensor base;
  uint8_t axis;
  uint32_t count = pieces_taken(r, c->at), listed;
  if (!sizes || !plain_tensor(r, tensor, &base) ||
      !axis_of(r, tensor, host_argument_at(c, 1, "dim"), &axis))
    return host_unknown();
  if (sizes->kind == HOST_TUPLE && host_items(r, *sizes, &items, &listed))
    return listed && listed <= HOST_ITEMS
               ? listed_pieces(r, c, &base, axis, items, listed)
               : host_unknown();
  expr size = host_as_int(r, *sizes);
  if (size == EXPR_NONE || !count || count > HOST_ITEMS)
    return host_unknown();
  return even_pieces(r, c, &base, axis, count, size);
}

static host_value unbind(host_run *r, uint32_t tensor, const host_call *c) {
  host_value items[HOST_ITEMS];
  host_tensor base;
  uint8_t axis;
  uint32_t count = pieces_taken(r, c->at);
  if (!plain_tensor(r, tensor, &base) || !count || count > HOST_ITEMS ||
      !axis_of(r, tensor, host_argument_at(c, 0, "dim"), &axis))
    return host_unknown();
  host_fact(
      r, expr_compare(r->t, EXPR_EQ, base.extent[axis], expr_int(r->t, count)),
      FACT_HOST, host_line(r, c->at));
  for (uint32_t i = 0; i < count; i++)
    items[i] = without_axis(r, &base, axis, expr_int(r->t, i));
  return host_tuple(r, items, count);
}

/* squeeze(axis) of an extent that is known. */
static host_value squeeze(host_run *r, uint32_t tensor, const host_call *c) {
  const host_value *dim = host_argument_at(c, 0, "dim");
  host_tensor base;
  uint8_t axis;
  int64_t n;
  if (!dim || !plain_tensor(r, tensor, &base) ||
      !axis_of(r, tensor, dim, &axis) ||
      !expr_is_int(r->t, base.extent[axis], &n))
    return host_unknown();
  if (n != 1)
    return host_tensor_value(tensor);
  bool contiguous = base.contiguous;
  host_value v = without_axis(r, &base, axis, expr_int(r->t, 0));
  r->tensors.at[v.tensor].contiguous = contiguous;
  return v;
}

static host_value flatten(host_run *r, uint32_t tensor, const host_call *c) {
  const host_value *from = host_argument_at(c, 0, "start_dim");
  const host_value *to = host_argument_at(c, 1, "end_dim");
  host_value last = host_int(expr_int(r->t, -1)), sizes[TYPE_MAX_RANK];
  host_tensor base;
  uint8_t low, high;
  uint32_t count = 0;
  if (!plain_tensor(r, tensor, &base) || !axis_of(r, tensor, from, &low) ||
      !axis_of(r, tensor, to ? to : &last, &high) || high < low)
    return host_unknown();
  expr all = expr_int(r->t, 1);
  for (uint8_t d = 0; d < base.rank; d++) {
    bool inside = low <= d && d <= high;
    all = inside ? expr_mul(r->t, all, base.extent[d]) : all;
    if (!inside || d == high)
      sizes[count++] = host_int(inside ? all : base.extent[d]);
  }
  return host_reshape(r, tensor, sizes, count, true);
}

/* Always a view: the strides of an axis that is taken apart follow from its
 * own. */
static host_value unflatten(host_run *r, uint32_t tensor, const host_call *c) {
  const host_value *dim = host_argument_at(c, 0, "dim");
  const host_value *sizes = host_argument_at(c, 1, "sizes"), *items;
  host_tensor base;
  uint8_t axis;
  uint32_t count;
  if (!dim || !sizes || !plain_tensor(r, tensor, &base) ||
      !axis_of(r, tensor, dim, &axis) ||
      !host_items(r, *sizes, &items, &count) || host_folded(r, *sizes) ||
      count == 0 || base.rank + count - 1 > TYPE_MAX_RANK)
    return host_unknown();
  host_tensor t = base;
  expr rest = expr_int(r->t, 1), extent[TYPE_MAX_RANK];
  int missing = -1;
  for (uint32_t i = 0; i < count; i++) {
    int64_t n;
    extent[i] = host_as_int(r, items[i]);
    if (extent[i] == EXPR_NONE)
      return host_unknown();
    if (!expr_is_int(r->t, extent[i], &n) || n != -1)
      rest = expr_mul(r->t, rest, extent[i]);
    else if (missing >= 0)
      return host_unknown();
    else
      missing = (int)i;
  }
  expr whole = base.extent[axis];
  if (missing >= 0)
    extent[missing] = expr_fdiv(r->t, whole, rest);
  expr made = missing >= 0 ? expr_mul(r->t, rest, extent[missing]) : rest;
  host_fact(r, expr_compare(r->t, EXPR_EQ, made, whole), FACT_HOST,
            host_line(r, c->at));
  t.rank = (uint8_t)(base.rank + count - 1);
  for (uint32_t d = axis + 1u; d < base.rank; d++) {
    t.extent[d + count - 1] = base.extent[d];
    t.stride[d + count - 1] = base.stride[d];
  }
  expr stride = base.stride[axis];
  for (uint32_t i = count; i-- > 0;) {
    t.extent[axis + i] = extent[i];
    t.stride[axis + i] = stride;
    stride = expr_mul(r->t, stride, extent[i]);
  }
  return host_view_of(r, t);
}

/* x.repeat(a, b): a new tensor. */
static host_value repeat(host_run *r, uint32_t tensor, const host_call *c) {
  const host_value *times = c->args;
  uint32_t count = c->count;
  host_tensor base;
  if (c->open_args || c->named || count == 0 ||
      (count == 1 && times[0].kind == HOST_TUPLE &&
       !host_items(r, times[0], &times, &count)) ||
      !plain_tensor(r, tensor, &base) || count < base.rank ||
      count > TYPE_MAX_RANK)
    return host_unknown();
  host_tensor t = {.dtype = base.dtype,
                   .origin = "repeat",
                   .line = host_line(r, c->at),
                   .rank = (uint8_t)count,
                   .ranked = true,
                   .contiguous = true};
  uint32_t fresh = count - base.rank;
  for (uint32_t d = 0; d < count; d++) {
    expr old = d < fresh ? expr_int(r->t, 1) : base.extent[d - fresh];
    t.extent[d] = expr_mul(r->t, old, host_as_int(r, times[d]));
    if (t.extent[d] == EXPR_NONE)
      return host_unknown();
  }
  return host_allocate(r, t, false);
}

static host_value as_other(host_run *r, uint32_t tensor, const char *name,
                           const host_call *c) {
  const host_value *sizes;
  uint32_t count, other;
  if (c->count != 1 || !host_as_tensor(r, c->args[0], &other))
    return host_unknown();
  host_value shape = host_tensor_value(other);
  shape.kind = HOST_SHAPE;
  if (!host_items(r, shape, &sizes, &count) || host_folded(r, shape))
    return host_unknown();
  return is(name, "expand_as")
             ? host_expand(r, tensor, sizes, count)
             : host_reshape(r, tensor, sizes, count, is(name, "reshape_as"));
}

bool host_part_method(host_run *r, uint32_t tensor, const char *name,
                      const host_call *c, host_value *out) {
  static const struct {
    const char *name;
    host_value (*method)(host_run *, uint32_t, const host_call *);
  } rows[] = {{"narrow", narrow},       {"select", select_},
              {"chunk", chunk},         {"split", split},
              {"unbind", unbind},       {"squeeze", squeeze},
              {"unflatten", unflatten}, {"repeat", repeat}};
  if (is(name, "flatten") && (c->count || c->named)) {
    *out = flatten(r, tensor, c);
    return true;
  }
  if (is(name, "view_as") || is(name, "reshape_as") || is(name, "expand_as")) {
    *out = as_other(r, tensor, name, c);
    return true;
  }
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (is(name, rows[i].name)) {
      *out = rows[i].method(r, tensor, c);
      return true;
    }
  return false;
}

/* ------------------------------------------------- an element for an element
 */

/* Those of operators.def, and some that it does not list. */
static bool is_pointwise_name(const char *name) {
  static const struct {
    const char *name, *rule;
  } rows[] = {
#define OPERATOR(name, where, rule, result) {name, #rule},
#include "parser/operators.def"
#undef OPERATOR
  };
  static const char *const more[] = {
      "acos",       "acosh",     "asin",        "asinh",      "atan",
      "atanh",      "sinh",      "cosh",        "erfc",       "erfinv",
      "lgamma",     "digamma",   "frac",        "nan_to_num", "cumsum",
      "cumprod",    "triu",      "tril",        "flip",       "bernoulli",
      "logsigmoid", "hardswish", "hardsigmoid", "mish",       "relu6",
      "elu",        "selu",      "celu"};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (is(rows[i].rule, "elementwise") && is(rows[i].name, name))
      return true;
  for (size_t i = 0; i < sizeof more / sizeof *more; i++)
    if (is(more[i], name))
      return true;
  return false;
}

/* Certainly no tensor, which could stretch the result. */
static bool is_plain(host_run *r, host_value v) {
  v = host_settle(r, v);
  return v.kind == HOST_INT || v.kind == HOST_FLOAT || v.kind == HOST_BOOL ||
         v.kind == HOST_STRING || v.kind == HOST_NONE || v.kind == HOST_DTYPE ||
         v.kind == HOST_TUPLE;
}

bool host_is_pointwise(host_run *r, const char *name, const host_call *c) {
  bool plain = is_pointwise_name(name) && !c->open_args && !c->open_names &&
               !host_keyword(c, "out") && !host_keyword(c, "inplace");
  for (uint32_t i = 0; plain && i < c->count; i++)
    plain = is_plain(r, c->args[i]) &&
            /* `inplace` without its name */
            host_settle(r, c->args[i]).kind != HOST_BOOL;
  for (uint32_t i = 0; plain && i < c->named; i++)
    plain = is_plain(r, c->values[i]);
  return plain;
}

/* Sound: dense, in the order of the tensor's strides. */
host_value host_pointwise(host_run *r, uint32_t tensor) {
  host_value v = host_like(r, tensor, true);
  r->tensors.at[v.tensor].dtype = SC_ANY;
  return v;
}

/* Sound: equal shapes are not broadcast; of two contiguous tensors the result
 * is contiguous. */
bool host_pointwise_pair(host_run *r, uint32_t a, uint32_t b, host_value *out) {
  const host_tensor *x = &r->tensors.at[a], *y = &r->tensors.at[b];
  bool alike = x->ranked && y->ranked && x->rank == y->rank &&
               x->folded == y->folded &&
               (!x->folded || (x->slot && x->slot == y->slot));
  for (uint8_t d = 0; alike && d < x->rank; d++)
    alike = x->extent[d] == y->extent[d];
  bool certain = host_rank_certain(r, a) && host_rank_certain(r, b);
  if (!alike || (!certain && x->slot != y->slot))
    return false;
  bool contiguous = x->contiguous && y->contiguous;
  bool assumed = x->assumed || y->assumed;
  *out = host_pointwise(r, a);
  host_tensor *t = &r->tensors.at[out->tensor];
  t->contiguous = contiguous;
  t->assumed = contiguous && assumed;
  t->strided = t->strided && contiguous;
  return true;
}
