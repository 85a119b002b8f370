/* parser/host_reduce.c: rules of operators.def that leave axes out or combine
 * them: reductions, products, joining; and those that copy or fill.
 *
 * Sound: as in host_rule.c. */
#include "parser/host_record.h"

#include "base/panic.h"

#include <string.h>

/* ---------------------------------------------------------------- arguments */

/* The axes of a reduction as bits; false: not known. None given: all. */
static bool read_axes(operation *o, uint32_t tensor, uint32_t *axes) {
  host_run *r = o->r;
  const host_value *v = host_argument_at(&o->call, 1, "dim");
  if (!v)
    v = host_keyword(&o->call, "axis");
  *axes = 0;
  if (!v || host_settle(r, *v).kind == HOST_NONE)
    return true;
  host_value one = host_settle(r, *v);
  const host_value *items = &one;
  uint32_t count = 1;
  if (one.kind == HOST_TUPLE && !host_items(r, one, &items, &count))
    return false;
  for (uint32_t i = 0; i < count; i++) {
    int64_t d;
    if (!expr_is_int(r->t, host_as_int(r, items[i]), &d))
      return false;
    host_ask_axis(r, tensor, (int)d);
  }
  if (!operation_rank(o, tensor))
    return false;
  for (uint32_t i = 0; i < count; i++) {
    uint8_t d;
    if (!host_axis(r, tensor, items[i], &d))
      return false;
    *axes |= 1u << d;
  }
  return true;
}

static bool keeps_axes(operation *o, bool *keep) {
  const host_value *v = host_argument_at(&o->call, 2, "keepdim");
  int64_t known;
  if (!v)
    v = host_keyword(&o->call, "keepdims");
  *keep = false;
  if (!v)
    return true;
  if (!expr_is_int(o->r->t, host_truth(o->r, *v), &known))
    return false;
  *keep = known != 0;
  return true;
}

static bool only_operand(operation *o, uint32_t *tensor) {
  bool open;
  host_value self =
      o->call.count ? host_settle(o->r, o->call.args[0]) : host_unknown();
  if (o->call.open_args || o->call.open_names ||
      host_keyword(&o->call, "out") || host_keyword(&o->call, "where"))
    return false;
  if (self.kind == HOST_UNKNOWN && self.slot && !record_is_number(o->r, self) &&
      host_slot_at(o->r, self.slot)->parameter)
    return host_as_tensor(o->r, self, tensor);
  return record_tensor(o->r, self, tensor, &open);
}

/* --------------------------------------------------------------- reductions */

static bool reduce(operation *o, unsigned results) {
  host_run *r = o->r;
  uint32_t tensor, axes;
  bool keep;
  if (!only_operand(o, &tensor))
    return false;
  if (!read_axes(o, tensor, &axes) || !keeps_axes(o, &keep)) {
    o->why = "the axes of this reduction are not known";
    return false;
  }
  operation_read(o, tensor);
  host_tensor t = r->tensors.at[tensor];
  expr extent[TYPE_MAX_RANK];
  uint8_t rank = 0;
  if (axes && (!t.ranked || t.folded))
    return false;
  for (uint8_t d = 0; axes && d < t.rank; d++)
    if (!(axes >> d & 1))
      extent[rank++] = t.extent[d];
    else if (keep)
      extent[rank++] = expr_int(r->t, 1);
  for (uint8_t d = 0; !axes && keep && d < t.rank; d++)
    extent[rank++] = expr_int(r->t, 1);
  o->value = operation_result(o, o->result, extent, rank);
  operation_dtype(o);
  if (results == 2)
    o->value =
        operation_pair(o, operation_result(o, RESULT_INDEX, extent, rank));
  return true;
}

bool operator_reduction(operation *o) {
  return reduce(o, 1);
}

/* max(x), max(x, dim), max(x, y) */
bool operator_extremum(operation *o) {
  const host_value *second = host_argument_at(&o->call, 1, "other");
  uint32_t tensor;
  bool open;
  if (second && record_tensor(o->r, *second, &tensor, &open))
    return operator_elementwise(o);
  second = host_argument_at(&o->call, 1, "dim");
  if (!second)
    second = host_keyword(&o->call, "axis");
  bool axis = second && host_settle(o->r, *second).kind != HOST_NONE;
  return reduce(o, axis && !o->numpy ? 2 : 1);
}

bool operator_sorting(operation *o) {
  uint32_t tensor;
  if (o->numpy || !only_operand(o, &tensor))
    return false;
  operation_read(o, tensor);
  o->value = operation_result_like(o, RESULT_SAME, tensor);
  o->value = operation_pair(o, operation_result_like(o, RESULT_INDEX, tensor));
  return true;
}

/* ------------------------------------------------------------- contractions */

/* (..., M, K) @ (..., K, N); a vector is a matrix of one row or column. */
bool operator_product(operation *o) {
  host_run *r = o->r;
  uint32_t tensor[2];
  expr extent[TYPE_MAX_RANK];
  uint8_t rank = 0;
  if (o->call.count != 2 || o->call.named)
    return false;
  for (int i = 0; i < 2; i++) {
    bool open;
    host_value v = host_settle(r, o->call.args[i]);
    bool fresh = v.kind == HOST_UNKNOWN && v.slot &&
                 host_slot_at(r, v.slot)->parameter && !record_is_number(r, v);
    if (fresh ? !host_as_tensor(r, v, &tensor[i])
              : !record_tensor(r, v, &tensor[i], &open))
      return false;
    if (!operation_rank(o, tensor[i])) {
      o->why = "the number of axes of an operand is not known";
      return false;
    }
    operation_read(o, tensor[i]);
  }
  host_tensor a = r->tensors.at[tensor[0]], b = r->tensors.at[tensor[1]];
  if (a.rank == 0 || b.rank == 0)
    return false;
  uint8_t batch_a = a.rank > 2 ? a.rank - 2 : 0;
  uint8_t batch_b = b.rank > 2 ? b.rank - 2 : 0;
  if (batch_a && batch_b && batch_a != batch_b)
    return false;
  for (uint8_t d = 0; d < batch_a || d < batch_b; d++) {
    if (batch_a && batch_b)
      extent[rank++] = operation_broadcast(o, a.extent[d], b.extent[d]);
    else
      extent[rank++] = batch_a ? a.extent[d] : b.extent[d];
  }
  /* Both agree along what is contracted, or this raises. */
  expr k = b.extent[b.rank > 1 ? b.rank - 2 : 0];
  host_fact(r, expr_compare(r->t, EXPR_EQ, a.extent[a.rank - 1], k), FACT_HOST,
            host_line(r, o->at));
  if (a.rank > 1)
    extent[rank++] = a.extent[a.rank - 2];
  if (b.rank > 1)
    extent[rank++] = b.extent[b.rank - 1];
  o->value = operation_result(o, o->result, extent, rank);
  return true;
}

/* cat([a, b], dim): everything once. */
bool operator_joining(operation *o) {
  host_run *r = o->r;
  const host_value *items;
  uint32_t count;
  uint8_t axis = 0;
  if (o->call.count < 1 || !host_items(r, o->call.args[0], &items, &count) ||
      count == 0 || count > OPERATOR_OPERANDS)
    return false;
  const host_value *dim = host_argument_at(&o->call, 1, "dim");
  if (!dim)
    dim = host_keyword(&o->call, "axis");
  host_tensor all = {0};
  for (uint32_t i = 0; i < count; i++) {
    bool open;
    uint32_t tensor;
    if (!record_tensor(r, items[i], &tensor, &open) ||
        !operation_rank(o, tensor))
      return false;
    operation_read(o, tensor);
    host_tensor t = r->tensors.at[tensor];
    if (i == 0) {
      all = t;
      if (dim && !host_axis(r, tensor, *dim, &axis))
        return false;
    } else if (t.rank == all.rank) {
      all.extent[axis] = expr_add(r->t, all.extent[axis], t.extent[axis]);
    } else {
      return false;
    }
  }
  o->value = operation_result(o, o->result, all.extent, all.rank);
  return true;
}

/* -------------------------------------------------------- copies and filling
 */

/* The reader's own value of the call, which knows its shape. */
static host_value as_read(operation *o) {
  host_run *r = o->r;
  host_call c = o->call;
  node callee = node_field(o->at, "function");
  const char *full = host_qualified(r, callee);
  if (full && strncmp(full, "torch.", 6) == 0)
    return host_torch(r, full + 6, &c);
  c.args++;
  c.count--;
  c.all_count--;
  return host_method(r, o->call.args[0], o->name, &c);
}

/* x.to(dtype), x.float(), x.clone(): a copy unless the type stays. */
bool operator_conversion(operation *o) {
  host_run *r = o->r;
  uint32_t tensor;
  if (!only_operand(o, &tensor))
    return false;
  bool always = strcmp(o->name, "clone") == 0 || strcmp(o->name, "copy") == 0 ||
                strcmp(o->name, "astype") == 0;
  for (uint32_t i = 1; i < o->call.count; i++)
    if (host_settle(r, o->call.args[i]).kind != HOST_DTYPE) {
      o->why = "whether this copies depends on its argument";
      return false;
    }
  if (host_keyword(&o->call, "device"))
    return false;
  host_value v = strcmp(o->name, "copy") == 0 || strcmp(o->name, "astype") == 0
                     ? operation_result_like(o, RESULT_SAME, tensor)
                     : as_read(o);
  if (v.kind != HOST_TENSOR)
    return false;
  if (strcmp(o->name, "astype") == 0) {
    host_value stated =
        o->call.count > 1 ? host_settle(r, o->call.args[1]) : host_unknown();
    r->tensors.at[v.tensor].dtype = stated.dtype ? stated.dtype : SC_ANY;
    r->tensors.at[v.tensor].type_of = stated.text;
  }
  scalar from = r->tensors.at[tensor].dtype;
  scalar to = r->tensors.at[v.tensor].dtype;
  o->value = v;
  if (!always && from == SC_ANY) {
    o->why = arena_printf(r->arena,
                          "whether `%s` copies depends on the element type of "
                          "`%s`, which is not stated",
                          o->name, r->tensors.at[tensor].name);
    return false;
  }
  if (!always && from == to) {
    o->value = host_tensor_value(tensor);
    return true;
  }
  operation_read(o, tensor);
  o->write_count = 1;
  o->writes[0] = v.tensor;
  return true;
}

/* Whether its elements lie in row-major order without gaps; an assumption where
 * nobody says so. */
static bool is_dense(operation *o, uint32_t tensor) {
  host_run *r = o->r;
  const host_tensor *t = &r->tensors.at[tensor];
  if (!t->contiguous) {
    o->why = arena_printf(r->arena,
                          "whether `%s` copies depends on the strides of `%s`",
                          o->name, t->name);
    return false;
  }
  if (t->assumed)
    record_assumption(r, arena_printf(r->arena,
                                      "`%s` is contiguous, so that "
                                      "`%s` copies nothing",
                                      t->name, o->name));
  return true;
}

bool operator_contiguous(operation *o) {
  uint32_t tensor;
  if (!only_operand(o, &tensor) || !is_dense(o, tensor))
    return false;
  o->value = as_read(o);
  return o->value.kind == HOST_TENSOR;
}

bool operator_reshape(operation *o) {
  uint32_t tensor;
  if (!only_operand(o, &tensor) || !is_dense(o, tensor))
    return false;
  o->value = as_read(o);
  return o->value.kind == HOST_TENSOR;
}

/* An allocation with contents: written once. */
bool operator_filling(operation *o) {
  o->value = as_read(o);
  if (o->value.kind != HOST_TENSOR)
    return false;
  o->writes[o->write_count++] = o->value.tensor;
  return true;
}

/* x.zero_(), x.fill_(v) */
bool operator_overwriting(operation *o) {
  uint32_t tensor;
  if (!o->in_place || !only_operand(o, &tensor))
    return false;
  o->value = host_tensor_value(tensor);
  o->writes[o->write_count++] = tensor;
  return true;
}

bool operator_nothing(operation *o) {
  (void)o;
  return false; /* the reader's business; never called */
}
