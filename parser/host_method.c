/* parser/host_method.c: attributes and methods of tensors; what torch makes.
 *
 * HOST_META as a result means "none of mine". */
#include "parser/host_state.h"

#include "base/map.h"
#include "base/panic.h"

#include <string.h>

enum { MOST_BYTES = 16 }; /* of an element */

static const host_value not_mine = {.kind = HOST_META};

static bool is(const char *a, const char *b) {
  return strcmp(a, b) == 0;
}

static bool is_one_of(const char *name, const char *const *names, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (is(name, names[i]))
      return true;
  return false;
}

#define ONE_OF(name, ...)                                                      \
  is_one_of(name, (const char *const[]){__VA_ARGS__},                          \
            sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

/* ----------------------------------------------------------------- dtypes */

scalar host_dtype_named(const char *full) {
  static const struct {
    const char *name;
    scalar dtype;
  } rows[] = {{"float32", SC_F32},
              {"float", SC_F32},
              {"float16", SC_F16},
              {"half", SC_F16},
              {"bfloat16", SC_BF16},
              {"float64", SC_F64},
              {"double", SC_F64},
              {"int8", SC_I8},
              {"int16", SC_I16},
              {"short", SC_I16},
              {"int32", SC_I32},
              {"int", SC_I32},
              {"int64", SC_I64},
              {"long", SC_I64},
              {"uint8", SC_U8},
              {"uint16", SC_U16},
              {"uint32", SC_U32},
              {"uint64", SC_U64},
              {"bool", SC_BOOL},
              {"int1", SC_BOOL},
              {"float8_e4m3fn", SC_F8E4M3},
              {"float8e4nv", SC_F8E4M3},
              {"float8_e5m2", SC_F8E5M2},
              {"float8e5", SC_F8E5M2}};
  static const char *const roots[] = {"torch.", "triton.language.", "tl."};
  if (!full)
    return SC_NONE;
  for (size_t k = 0; k < sizeof roots / sizeof *roots; k++) {
    size_t n = strlen(roots[k]);
    if (strncmp(full, roots[k], n) != 0)
      continue;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
      if (is(full + n, rows[i].name))
        return rows[i].dtype;
  }
  return SC_NONE;
}

static scalar dtype_of(const host_value *v, scalar otherwise) {
  if (!v)
    return otherwise;
  return v->kind == HOST_DTYPE  ? v->dtype
         : v->kind == HOST_NONE ? otherwise
                                : SC_ANY;
}

/* States the element type of a tensor, `otherwise` where `dtype=` is left out.
 */
static void state_dtype(host_tensor *t, const host_value *v, scalar otherwise,
                        const char *type_of) {
  bool stated = v && v->kind != HOST_NONE;
  t->dtype = dtype_of(v, otherwise);
  t->type_of = !stated ? type_of : v->kind == HOST_DTYPE ? v->text : NULL;
}

/* ------------------------------------------------------------ allocations */

host_value host_allocate(host_run *r, host_tensor t, bool empty) {
  host_storage storage = {.fresh = true, .empty = empty};
  t.name = "tensor";
  t.unnamed = true;
  t.storage = host_storage_add(r, storage);
  t.disjoint = true;
  t.sized = true;
  host_value v = host_tensor_value(host_tensor_add(r, t));
  host_size_facts(r, &r->tensors.at[v.tensor]);
  return v;
}

/* Sizes as a tuple, a shape, or one argument each. False: unknown. */
static bool read_sizes(host_run *r, const host_call *c, host_tensor *t) {
  const host_value *items = c->args, *size = host_keyword(c, "size");
  uint32_t count = c->folded ? c->all_count : c->count;
  if (count == 0 && size) {
    items = size;
    count = 1;
  }
  if (c->open_args && !c->folded)
    return false;
  t->folded = (uint8_t)c->folded;
  if (count == 1) {
    host_value only = host_settle(r, items[0]);
    t->folded = host_folded(r, only);
    if (only.kind == HOST_SHAPE)
      t->slot = r->tensors.at[only.tensor].slot;
    if (only.kind != HOST_INT && only.kind != HOST_UNKNOWN &&
        !host_items(r, only, &items, &count))
      return false;
  }
  if (count > TYPE_MAX_RANK)
    return false;
  t->rank = (uint8_t)count;
  t->ranked = true;
  t->contiguous = true;
  for (uint32_t d = 0; d < count; d++) {
    t->extent[d] = host_as_int(r, items[d]);
    t->ranked = t->ranked && t->extent[d] != EXPR_NONE;
  }
  return t->ranked;
}

static const char *origin_text(host_run *r, const host_call *c) {
  const char *text = host_text(r, c->at);
  for (const char *p = text; *p; p++)
    if (*p == '\n')
      return arena_printf(r->arena, "%s(...)",
                          host_text(r, node_field(c->at, "function")));
  return text;
}

static host_value allocate_sized(host_run *r, const host_call *c, bool empty,
                                 scalar dtype) {
  host_tensor t = {.origin = origin_text(r, c), .line = host_line(r, c->at)};
  state_dtype(&t, host_keyword(c, "dtype"), dtype, NULL);
  if (!read_sizes(r, c, &t)) {
    t.ranked = false;
    t.rank = 0;
  }
  if (host_keyword(c, "memory_format") || host_keyword(c, "names"))
    t.contiguous = false;
  return host_allocate(r, t, empty);
}

static host_value allocate_like(host_run *r, const host_call *c,
                                host_value model, bool empty) {
  uint32_t tensor;
  if (!host_as_tensor(r, model, &tensor))
    return host_open(r, c->at, 0, NULL);
  const host_value *format = host_keyword(c, "memory_format");
  host_value v = host_like(r, tensor, false);
  host_tensor *t = &r->tensors.at[v.tensor];
  r->storages.at[t->storage].empty = empty;
  state_dtype(t, host_keyword(c, "dtype"), t->dtype, t->type_of);
  t->origin = origin_text(r, c);
  t->line = host_line(r, c->at);
  if (format && format->kind != HOST_NONE) {
    const char *text = host_text(r, c->at);
    t->contiguous = strstr(text, "torch.contiguous_format") != NULL;
    t->strided = false;
  }
  host_size_facts(r, t);
  return v;
}

static host_value allocate_strided(host_run *r, const host_call *c) {
  const host_value *sizes, *strides;
  uint32_t n, m;
  if (c->count < 2 || !host_items(r, c->args[0], &sizes, &n) ||
      !host_items(r, c->args[1], &strides, &m) || n != m || n > TYPE_MAX_RANK)
    return host_open(r, c->at, 0, NULL);
  host_tensor t = {.dtype = dtype_of(host_keyword(c, "dtype"), SC_F32),
                   .origin = origin_text(r, c),
                   .line = host_line(r, c->at),
                   .rank = (uint8_t)n,
                   .ranked = true,
                   .strided = true};
  for (uint32_t d = 0; d < n; d++) {
    t.extent[d] = host_as_int(r, sizes[d]);
    t.stride[d] = host_as_int(r, strides[d]);
    if (t.extent[d] == EXPR_NONE || t.stride[d] == EXPR_NONE)
      return host_open(r, c->at, 0, NULL);
  }
  host_value v = host_allocate(r, t, true);
  r->tensors.at[v.tensor].disjoint = false;
  return v;
}

static host_value allocate_range(host_run *r, const host_call *c) {
  if (c->count != 1 || c->open_args)
    return host_open(r, c->at, 0, NULL);
  expr n = host_as_int(r, c->args[0]);
  if (n == EXPR_NONE)
    return host_open(r, c->at, 0, NULL);
  return allocate_sized(r, c, false, SC_I64);
}

/* torch.full(size, value). */
static host_value allocate_full(host_run *r, const host_call *c) {
  const host_value *value = host_argument_at(c, 1, "fill_value");
  scalar dtype = !value                      ? SC_ANY
                 : value->kind == HOST_FLOAT ? SC_F32
                 : value->kind == HOST_INT   ? SC_I64
                 : value->kind == HOST_BOOL  ? SC_BOOL
                                             : SC_ANY;
  host_call size = *c;
  size.count = size.all_count = c->count > 1 ? 1 : c->count;
  return allocate_sized(r, &size, false, dtype);
}

/* Takes note of the number in every element of what zeros, ones, full and
 * their kin allocated; `value` is what full was given. */
static host_value filled(host_run *r, host_value v, const char *name,
                         const host_value *value) {
  int64_t whole = 0;
  if (v.kind != HOST_TENSOR)
    return v;
  host_storage *s = &r->storages.at[r->tensors.at[v.tensor].storage];
  s->filled = ONE_OF(name, "zeros", "zeros_like", "new_zeros", "ones",
                     "ones_like", "new_ones");
  s->fill = strstr(name, "ones") ? 1 : 0;
  if (!value || !strstr(name, "full"))
    return v;
  s->filled = value->kind == HOST_FLOAT
                  ? value->has_real
                  : expr_is_int(r->t, value->number, &whole);
  s->fill = value->kind == HOST_FLOAT ? value->real : (double)whole;
  return v;
}

static host_value torch_allocation(host_run *r, const char *name,
                                   const host_call *c) {
  size_t n = strlen(name);
  if (host_keyword(c, "out")) /* what is given back is that */
    return not_mine;
  if (is(name, "empty"))
    return allocate_sized(r, c, true, SC_F32);
  if (ONE_OF(name, "zeros", "ones", "rand", "randn"))
    return allocate_sized(r, c, false, SC_F32);
  if (is(name, "full"))
    return allocate_full(r, c);
  if (is(name, "arange"))
    return allocate_range(r, c);
  if (is(name, "empty_strided"))
    return allocate_strided(r, c);
  if (n > 5 && is(name + n - 5, "_like") && c->count >= 1 && name[0] != '_')
    return allocate_like(r, c, c->args[0], is(name, "empty_like"));
  return not_mine;
}

host_value host_torch(host_run *r, const char *name, const host_call *c) {
  uint32_t tensor;
  size_t n = strlen(name);
  host_value made = torch_allocation(r, name, c);
  if (made.kind != not_mine.kind)
    return filled(r, made, name, host_argument_at(c, 1, "fill_value"));
  if (is(name, "numel") && c->count == 1 &&
      host_as_tensor(r, c->args[0], &tensor)) {
    expr e = host_ask_numel(r, tensor);
    return e == EXPR_NONE ? host_open(r, c->at, 0, NULL) : host_int(e);
  }
  if (ONE_OF(name, "transpose", "permute", "reshape", "flatten", "unsqueeze",
             "squeeze", "t", "clone", "swapaxes", "narrow", "select", "chunk",
             "split", "unbind", "unflatten") &&
      c->count >= 1) {
    host_call rest = *c;
    rest.args++;
    rest.count--;
    return host_method(r, c->args[0], name, &rest);
  }
  host_call rest = *c;
  const char *last = strrchr(name, '.') ? strrchr(name, '.') + 1 : name;
  if (c->count >= 1 && c->args[0].kind == HOST_TENSOR) {
    rest.args++;
    rest.count--;
    if (host_is_pointwise(r, last, &rest))
      return host_pointwise(r, c->args[0].tensor);
  }
  /* torch's own functions read their arguments, but for in-place ones. */
  bool writes = (n && name[n - 1] == '_') || host_keyword(c, "out") ||
                strncmp(name, "ops.", 4) == 0 ||
                strncmp(name, "distributed.", 12) == 0 ||
                strncmp(name, "library.", 8) == 0;
  return writes ? not_mine : host_open(r, c->at, 0, NULL);
}

/* ------------------------------------------------------------- attributes */

static host_value tensor_dtype(host_run *r, uint32_t tensor) {
  const host_tensor *t = &r->tensors.at[tensor];
  return (host_value){
      .kind = HOST_DTYPE, .dtype = t->dtype, .text = t->type_of};
}

/* The number of axes where it is certain. */
static host_value tensor_rank(host_run *r, uint32_t tensor, node at) {
  return host_rank_certain(r, tensor)
             ? host_int(expr_int(r->t, r->tensors.at[tensor].rank))
             : host_open(r, at, 1, NULL);
}

static host_value reverse(host_run *r, uint32_t tensor) {
  host_tensor t = r->tensors.at[tensor];
  uint8_t order[TYPE_MAX_RANK];
  if (!t.ranked || t.folded)
    return host_unknown();
  for (uint8_t d = 0; d < t.rank; d++)
    order[d] = (uint8_t)(t.rank - 1 - d);
  return host_permute(r, tensor, order);
}

static host_value swap_axes(host_run *r, uint32_t tensor, host_value a,
                            host_value b) {
  uint8_t order[TYPE_MAX_RANK], x, y;
  if (!host_axis(r, tensor, a, &x) || !host_axis(r, tensor, b, &y) ||
      r->tensors.at[tensor].folded)
    return host_unknown();
  for (uint8_t d = 0; d < r->tensors.at[tensor].rank; d++)
    order[d] = d;
  order[x] = y;
  order[y] = x;
  return host_permute(r, tensor, order);
}

static host_value bytes_of(host_run *r, uint32_t tensor, node at) {
  const host_tensor *t = &r->tensors.at[tensor];
  unsigned bytes = scalar_bytes(t->dtype);
  const char *name = arena_printf(r->arena, "%s.element_size()", t->name);
  return bytes ? host_int(expr_int(r->t, bytes))
               : host_natural(r, at, name, MOST_BYTES);
}

static void note_size(host_run *r, uint32_t tensor) {
  uint32_t slot = r->tensors.at[tensor].slot;
  if (slot)
    host_slot_at(r, slot)->size_asked = true;
}

static host_value tensor_attribute(host_run *r, uint32_t tensor,
                                   const char *name, node at) {
  if (is(name, "shape"))
    note_size(r, tensor);
  host_value v = host_tensor_value(tensor);
  if (is(name, "shape"))
    v.kind = HOST_SHAPE;
  else if (is(name, "dtype"))
    return tensor_dtype(r, tensor);
  else if (is(name, "ndim"))
    return tensor_rank(r, tensor, at);
  else if (ONE_OF(name, "T", "mT")) {
    host_ask_rank(r, tensor, is(name, "T") ? 2 : 0);
    return is(name, "T") ? reverse(r, tensor)
                         : swap_axes(r, tensor, host_int(expr_int(r->t, -1)),
                                     host_int(expr_int(r->t, -2)));
  } else if (is(name, "itemsize"))
    return bytes_of(r, tensor, at);
  else if (!is(name, "data"))
    return host_open(r, at, 0, NULL);
  return v;
}

/* Attributes that tell that something is a tensor. */
static bool tells_tensor(const char *name) {
  return ONE_OF(name, "shape", "dtype", "ndim", "T", "mT", "is_cuda", "device");
}

/* `self.x`: the same until an unknown function may have changed it. */
static host_value object_attribute(host_run *r, node at) {
  const char *text = host_text(r, at);
  const host_value *bound = host_lookup(r, text);
  if (bound)
    return *bound;
  if (r->calls > 0)
    return host_unknown();
  host_value v = host_unknown();
  v.slot = host_slot_of(r, (const char *)node_parent(at).tree,
                        (uint32_t)hash_bytes(text, strlen(text)) ^
                            (r->epoch * 2654435761u));
  host_slot *s = host_slot_at(r, v.slot);
  s->outside = true;
  if (!s->name) {
    s->name = arena_strdup(r->host->work, text);
    s->line = host_line(r, at);
  }
  return host_settle(r, v);
}

static bool is_constant(host_value v) {
  return v.kind == HOST_INT || v.kind == HOST_BOOL || v.kind == HOST_FLOAT ||
         v.kind == HOST_STRING;
}

host_value host_attribute(host_run *r, node at) {
  const char *full = host_qualified(r, at);
  scalar dtype = host_dtype_named(full);
  if (dtype != SC_NONE)
    return (host_value){.kind = HOST_DTYPE, .dtype = dtype};
  const char *name = host_text(r, node_field(at, "attribute"));
  host_value object = host_eval(r, node_field(at, "object"));
  uint32_t tensor;
  if (object.kind == HOST_TENSOR ||
      (object.kind == HOST_UNKNOWN && tells_tensor(name))) {
    if (host_as_tensor(r, object, &tensor))
      return host_spell(r, tensor_attribute(r, tensor, name, at), at);
    return host_open(r, at, 0, NULL);
  }
  if (strcmp(name, "value") == 0 && is_constant(object))
    return object; /* of tl.constexpr(...) */
  host_value known;
  if (object.kind == HOST_UNKNOWN && host_device_property(r, at, name, &known))
    return known;
  if (object.kind == HOST_UNKNOWN)
    return object_attribute(r, at);
  return host_open(r, at, 0, NULL);
}

/* ---------------------------------------------------------------- methods */

host_value host_ask_size(host_run *r, uint32_t tensor, host_value axis,
                         bool stride, node at) {
  int64_t d;
  if (!expr_is_int(r->t, host_as_int(r, axis), &d) || d < -TYPE_MAX_RANK ||
      d >= TYPE_MAX_RANK)
    return host_open(r, at, 0, NULL);
  host_ask_axis(r, tensor, (int)d);
  if (stride)
    host_ask_strides(r, tensor);
  host_tensor t = r->tensors.at[tensor];
  uint8_t k;
  if (!t.ranked || !host_axis(r, tensor, axis, &k))
    return host_open(r, at, 0, NULL);
  if (!stride)
    return host_int(t.extent[k]);
  host_strides(r, tensor);
  return host_int(r->tensors.at[tensor].stride[k]);
}

static host_value size_method(host_run *r, uint32_t tensor, bool stride,
                              const host_call *c) {
  const host_value *axis = host_argument_at(c, 0, "dim");
  if (axis)
    return host_ask_size(r, tensor, *axis, stride, c->at);
  host_value v = host_tensor_value(tensor);
  v.kind = stride ? HOST_STRIDES : HOST_SHAPE;
  return v;
}

/* Row-major whatever it was: itself or a copy. */
static host_value contiguous(host_run *r, uint32_t tensor) {
  host_tensor t = r->tensors.at[tensor];
  if (t.contiguous && !t.assumed)
    return host_tensor_value(tensor);
  host_mark_derived(&t);
  t.contiguous = true;
  t.assumed = false;
  t.strided = false;
  t.disjoint = true;
  t.stride_slot = 0;
  return host_tensor_value(host_tensor_add(r, t));
}

static host_value converted(host_run *r, uint32_t tensor, const char *name,
                            const host_call *c) {
  static const struct {
    const char *name;
    scalar dtype;
  } rows[] = {{"float", SC_F32},  {"half", SC_F16},  {"bfloat16", SC_BF16},
              {"double", SC_F64}, {"int", SC_I32},   {"long", SC_I64},
              {"short", SC_I16},  {"bool", SC_BOOL}, {"char", SC_I8},
              {"byte", SC_U8}};
  scalar dtype = r->tensors.at[tensor].dtype;
  const char *type_of = r->tensors.at[tensor].type_of;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (is(name, rows[i].name))
      dtype = rows[i].dtype;
  for (uint32_t i = 0; i < c->count; i++)
    if (c->args[i].kind == HOST_DTYPE ||
        (c->args[i].kind == HOST_UNKNOWN && !is(name, "clone"))) {
      dtype = dtype_of(&c->args[i], dtype);
      type_of = dtype == SC_ANY ? c->args[i].text : NULL;
    }
  host_value v = is(name, "clone") ? host_like(r, tensor, true)
                                   : host_perhaps_same(r, tensor);
  host_tensor *t = &r->tensors.at[v.tensor];
  const host_tensor *from = &r->tensors.at[tensor];
  state_dtype(t, host_keyword(c, "dtype"), dtype, type_of);
  if (t->dtype == from->dtype) /* the same numbers */
    r->storages.at[t->storage].edits = r->storages.at[from->storage].edits;
  return v;
}

static host_value new_tensor(host_run *r, uint32_t tensor, const char *name,
                             const host_call *c) {
  scalar dtype = r->tensors.at[tensor].dtype;
  if (is(name, "new_full")) {
    host_call size = *c;
    size.count = size.all_count = c->count > 1 ? 1 : c->count;
    return filled(r, allocate_sized(r, &size, false, dtype), name,
                  host_argument_at(c, 1, "fill_value"));
  }
  return filled(r, allocate_sized(r, c, is(name, "new_empty"), dtype), name,
                NULL);
}

static bool is_reshaping(const char *name) {
  return ONE_OF(name, "view", "reshape", "flatten", "ravel");
}

static host_value reshaped(host_run *r, uint32_t tensor, const char *name,
                           const host_call *c) {
  const host_value *sizes = c->args;
  uint32_t count = c->count;
  host_value all = host_int(expr_int(r->t, -1));
  if (ONE_OF(name, "flatten", "ravel")) {
    if (c->count || c->named)
      return host_open(r, c->at, 0, NULL);
    return host_reshape(r, tensor, &all, 1, true);
  }
  if (c->open_args || c->named || count == 0)
    return host_open(r, c->at, 0, NULL);
  if (count == 1 && sizes[0].kind == HOST_SHAPE && sizes[0].tensor == tensor)
    return host_tensor_value(tensor);
  if (count == 1 && sizes[0].kind != HOST_INT &&
      sizes[0].kind != HOST_UNKNOWN && !host_items(r, sizes[0], &sizes, &count))
    return host_open(r, c->at, 0, NULL);
  host_value v = host_reshape(r, tensor, sizes, count, is(name, "reshape"));
  return v.kind == HOST_UNKNOWN ? host_open(r, c->at, 0, NULL) : v;
}

static host_value axes_method(host_run *r, uint32_t tensor, const char *name,
                              const host_call *c) {
  if (is(name, "t")) {
    host_ask_rank(r, tensor, 2);
    return reverse(r, tensor);
  }
  if (ONE_OF(name, "transpose", "swapaxes", "swapdims")) {
    const host_value *a = host_argument_at(c, 0, "dim0");
    const host_value *b = host_argument_at(c, 1, "dim1");
    return a && b ? swap_axes(r, tensor, *a, *b) : host_unknown();
  }
  const host_value *order = c->args;
  uint32_t count = c->count;
  if (count == 1 && !host_items(r, order[0], &order, &count))
    return host_unknown();
  if (count == 0 || count > TYPE_MAX_RANK)
    return host_unknown();
  host_ask_rank(r, tensor, (int)count);
  uint8_t axes[TYPE_MAX_RANK];
  uint32_t seen = 0;
  if (count != r->tensors.at[tensor].rank)
    return host_unknown();
  for (uint32_t i = 0; i < count; i++) {
    if (!host_axis(r, tensor, order[i], &axes[i]))
      return host_unknown();
    seen |= 1u << axes[i];
  }
  return seen == (1u << count) - 1 ? host_permute(r, tensor, axes)
                                   : host_unknown();
}

static host_value is_contiguous(host_run *r, uint32_t tensor) {
  const host_tensor *t = &r->tensors.at[tensor];
  bool certain = t->contiguous && !t->assumed;
  return host_bool(certain ? expr_int(r->t, 1) : EXPR_NONE);
}

static host_value or_open(host_run *r, host_value v, node at) {
  return v.kind == HOST_UNKNOWN && !v.slot ? host_open(r, at, 0, NULL) : v;
}

/* In place: the tensor itself, written. */
static host_value in_place(host_run *r, uint32_t tensor) {
  host_touch(r, tensor, false);
  return host_tensor_value(tensor);
}

static host_value tensor_method(host_run *r, uint32_t tensor, const char *name,
                                const host_call *c) {
  if (ONE_OF(name, "size", "numel", "nelement"))
    note_size(r, tensor);
  if (ONE_OF(name, "size", "stride"))
    return size_method(r, tensor, is(name, "stride"), c);
  if (ONE_OF(name, "numel", "nelement")) {
    expr e = host_ask_numel(r, tensor);
    return e == EXPR_NONE ? host_open(r, c->at, 0, NULL) : host_int(e);
  }
  if (ONE_OF(name, "dim", "ndimension"))
    return tensor_rank(r, tensor, c->at);
  if (is(name, "element_size"))
    return bytes_of(r, tensor, c->at);
  if (is(name, "is_contiguous"))
    return is_contiguous(r, tensor);
  if (is(name, "contiguous"))
    return contiguous(r, tensor);
  host_value made;
  if (host_part_method(r, tensor, name, c, &made))
    return or_open(r, made, c->at);
  if (host_is_pointwise(r, name, c))
    return host_pointwise(r, tensor);
  if (is_reshaping(name))
    return reshaped(r, tensor, name, c);
  if (ONE_OF(name, "t", "transpose", "swapaxes", "swapdims", "permute"))
    return or_open(r, axes_method(r, tensor, name, c), c->at);
  if (ONE_OF(name, "detach", "requires_grad_", "cuda", "view_as_real") &&
      !is(name, "view_as_real"))
    return host_tensor_value(tensor);
  if (ONE_OF(name, "to", "type", "float", "half", "bfloat16", "double", "int",
             "long", "short", "bool", "char", "byte", "clone", "cpu"))
    return converted(r, tensor, name, c);
  if (ONE_OF(name, "new_empty", "new_zeros", "new_ones", "new_full"))
    return new_tensor(r, tensor, name, c);
  if (is(name, "unsqueeze") && c->count == 1) {
    int64_t axis;
    if (expr_is_int(r->t, host_as_int(r, c->args[0]), &axis) && axis > -8 &&
        axis < 8)
      return or_open(r, host_unsqueeze(r, tensor, (int)axis), c->at);
  }
  if (is(name, "expand") && c->count >= 1 && !c->open_args) {
    const host_value *sizes = c->args;
    uint32_t count = c->count;
    if (count > 1 || host_items(r, sizes[0], &sizes, &count))
      return or_open(r, host_expand(r, tensor, sizes, count), c->at);
  }
  size_t n = strlen(name);
  if (n > 1 && name[n - 1] == '_' && name[n - 2] != '_')
    return in_place(r, tensor);
  return host_open(r, c->at, 0, NULL);
}

host_value host_method(host_run *r, host_value self, const char *name,
                       const host_call *c) {
  uint32_t tensor;
  self = host_settle(r, self);
  if (self.kind == HOST_SHAPE && is(name, "numel")) {
    expr e = host_ask_numel(r, self.tensor);
    return e == EXPR_NONE ? host_open(r, c->at, 0, NULL) : host_int(e);
  }
  bool tells =
      ONE_OF(name, "size", "stride", "numel", "dim", "is_contiguous",
             "contiguous", "element_size", "view", "reshape", "new_empty",
             "new_zeros", "data_ptr", "transpose", "permute", "unsqueeze",
             "storage_offset", "new_ones", "new_full");
  if (self.kind != HOST_TENSOR && !(self.kind == HOST_UNKNOWN && tells))
    return not_mine;
  if (!host_as_tensor(r, self, &tensor))
    return host_open(r, c->at, 0, NULL);
  return tensor_method(r, tensor, name, c);
}
