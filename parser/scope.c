/* parser/scope.c: things and the names bound to them. */
#include "parser/scope.h"

thing thing_value(value_id id) {
  return (thing){.kind = THING_VALUE, .id = id};
}

thing thing_fixed(static_value fixed) {
  return (thing){.kind = THING_FIXED, .fixed = fixed};
}

thing thing_int(expr number) {
  static_value v = {.kind = number ? STATIC_INT : STATIC_UNKNOWN};
  v.number = number;
  return thing_fixed(v);
}

thing thing_bool(expr condition) {
  static_value v = {.kind = condition ? STATIC_BOOL : STATIC_UNKNOWN};
  v.number = condition;
  return thing_fixed(v);
}

thing thing_float(double real) {
  return thing_fixed((static_value){.kind = STATIC_FLOAT, .real = real});
}

thing thing_string(const char *text) {
  return thing_fixed((static_value){.kind = STATIC_STRING, .text = text});
}

thing thing_none(void) {
  return thing_fixed((static_value){.kind = STATIC_NONE});
}

thing thing_dtype(scalar dtype) {
  return thing_fixed((static_value){.kind = STATIC_DTYPE, .dtype = dtype});
}

thing thing_tuple(const thing *items, uint32_t count) {
  uint32_t depth = 1;
  for (uint32_t i = 0; i < count; i++)
    if (items[i].kind == THING_TUPLE && items[i].depth >= depth)
      depth = items[i].depth + 1;
  if (depth > TUPLE_DEPTH)
    return thing_gone("tuples nest too deeply");
  return (thing){
      .kind = THING_TUPLE, .items = items, .count = count, .depth = depth};
}

bool block_same(const thing *a, const thing *b) {
  const block *x = a->block, *y = b->block;
  if (!x || !y)
    return x == y;
  return x->descriptor == y->descriptor && x->nan == y->nan &&
         type_equal(&x->shape, &y->shape);
}

thing thing_gone(const char *why) {
  return (thing){.kind = THING_GONE, .why = why};
}

thing thing_unknown(void) {
  return thing_fixed((static_value){.kind = STATIC_UNKNOWN});
}

bool thing_is(const thing *t, static_kind kind) {
  return t->kind == THING_FIXED && t->fixed.kind == kind;
}

static bool same_text(const char *a, const char *b) {
  return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_fixed(const thing *a, const thing *b) {
  const static_value *x = &a->fixed, *y = &b->fixed;
  return x->kind == y->kind && x->number == y->number &&
         memcmp(&x->real, &y->real, sizeof x->real) == 0 &&
         same_text(x->text, y->text) && x->dtype == y->dtype &&
         x->tensor == y->tensor && x->offset == y->offset &&
         node_same(x->where, y->where) && x->file == y->file &&
         (x->kind != STATIC_CHOICE || x->items == y->items) &&
         a->pointer_type == b->pointer_type && a->block_type == b->block_type;
}

bool thing_same(const thing *a, const thing *b) {
  if (a->kind != b->kind)
    return false;
  if (a->kind == THING_GONE)
    return true;
  if (a->kind == THING_VALUE)
    return a->id == b->id;
  if (a->kind == THING_FIXED)
    return same_fixed(a, b);
  if (a->count != b->count || !block_same(a, b))
    return false;
  for (uint32_t i = 0; i < a->count; i++)
    if (!thing_same(&a->items[i], &b->items[i]))
      return false;
  return true;
}

const thing *scope_find(const scope *self, const char *name) {
  for (size_t i = self->names.count; i-- > 0;)
    if (strcmp(self->names.at[i].name, name) == 0)
      return &self->names.at[i].value;
  return NULL;
}

void scope_bind(scope *self, const char *name, thing value) {
  for (size_t i = 0; i < self->names.count; i++)
    if (strcmp(self->names.at[i].name, name) == 0) {
      self->names.at[i].value = value;
      return;
    }
  VEC_PUSH(self->arena, &self->names, ((bound_name){name, value}));
}

void scope_forget(scope *self, const char *name) {
  for (size_t i = 0; i < self->names.count; i++)
    if (strcmp(self->names.at[i].name, name) == 0) {
      self->names.count--;
      memmove(&self->names.at[i], &self->names.at[i + 1],
              (self->names.count - i) * sizeof self->names.at[0]);
      return;
    }
}

scope scope_copy(const scope *self) {
  scope copy = {.arena = self->arena};
  for (size_t i = 0; i < self->names.count; i++)
    VEC_PUSH(self->arena, &copy.names, self->names.at[i]);
  return copy;
}
