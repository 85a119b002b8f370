/* parser/carry.c: names whose values go from one turn of a loop to the next. */
#include "parser/carry.h"

#include <assert.h>

static bool only_values(const thing *t) {
  if (t->kind != THING_TUPLE)
    return t->kind == THING_VALUE;
  for (uint32_t i = 0; i < t->count; i++)
    if (!only_values(&t->items[i]))
      return false;
  return true;
}

static void set_types(lower *l, carry *c, const thing *t) {
  value_vec leaves = {0};
  flatten(l, t, &leaves);
  c->types.count = 0;
  for (size_t i = 0; i < leaves.count; i++) {
    if (is_shapeless(l, leaves.at[i]))
      c->opaque = true;
    VEC_PUSH(l->arena, &c->types, *value_type(l, leaves.at[i]));
  }
}

void carry_find(lower *l, node at, node body, carry_vec *out) {
  text_vec names = {0};
  assigned_names(l, body, &names);
  for (size_t i = 0; i < names.count; i++) {
    const thing *t = scope_find(&l->frame->scope, names.at[i]);
    if (!t || t->kind == THING_GONE)
      continue;
    carry c = {.name = names.at[i], .before = *t, .init = all_values(l, at, t)};
    if (!only_values(&c.init))
      continue; /* None and its like stay what they are */
    set_types(l, &c, &c.init);
    c.pointer = thing_has_pointer(l, &c.init);
    VEC_PUSH(l->arena, out, c);
  }
}

void carry_types(lower *l, const carry_vec *self, const type **types,
                 uint32_t *count) {
  VEC(type) all = {0};
  for (size_t i = 0; i < self->count; i++) {
    const carry *c = &self->at[i];
    if (c->dropped)
      continue;
    if (c->opaque)
      VEC_PUSH(l->arena, &all, type_scalar(SC_ANY));
    for (size_t k = 0; !c->opaque && k < c->types.count; k++)
      VEC_PUSH(l->arena, &all, c->types.at[k]);
  }
  *types = all.at;
  *count = (uint32_t)all.count;
}

void carry_inits(lower *l, node at, carry_vec *self, value_vec *operands) {
  for (size_t i = 0; i < self->count; i++) {
    carry *c = &self->at[i];
    if (c->dropped)
      continue;
    if (c->opaque) {
      thing v = shapeless(l, at, "carried by a loop", &c->init, 1);
      VEC_PUSH(l->arena, operands, v.id);
      continue;
    }
    value_vec leaves = {0};
    flatten(l, &c->init, &leaves);
    assert(leaves.count == c->types.count);
    for (size_t k = 0; k < leaves.count; k++) {
      value_id v = reconcile(l, at, leaves.at[k], &c->types.at[k]);
      assert(v != VALUE_NONE);
      VEC_PUSH(l->arena, operands, v);
    }
  }
}

static value_id add_argument(lower *l, region *into, type t, const char *name) {
  value_id v = program_value(l->p, t, name);
  VEC_PUSH(l->arena, &into->args, v);
  return v;
}

void carry_enter(lower *l, carry_vec *self, region *into) {
  for (size_t i = 0; i < self->count; i++) {
    carry *c = &self->at[i];
    if (c->dropped)
      continue;
    if (c->opaque) {
      value_id v = add_argument(l, into, type_scalar(SC_ANY), c->name);
      mark_value(l, v, MARK_SHAPELESS | (c->pointer ? MARK_POINTER : 0));
      c->inner = thing_value(v);
    } else {
      value_vec args = {0};
      for (size_t k = 0; k < c->types.count; k++) {
        value_id v = add_argument(l, into, c->types.at[k], c->name);
        VEC_PUSH(l->arena, &args, v);
      }
      uint32_t next = 0;
      c->inner = rebuild(l, &c->init, args.at, &next);
    }
    scope_bind(&l->frame->scope, c->name, c->inner);
  }
}

/* The value of a carried name at the end of a turn; values only. */
static thing final_of(lower *l, const carry *c) {
  const thing *t = scope_find(&l->frame->scope, c->name);
  return t ? *t : thing_gone("not bound at the end of a turn");
}

/* Fits the types to those of the end of a turn. False when they do not go
 * together; *changed when the arguments have to become other types. */
static bool fit_types(lower *l, carry *c, const thing *final, bool *changed) {
  value_vec leaves = {0};
  if (!only_values(final) || !same_make(&c->inner, final))
    return false;
  flatten(l, final, &leaves);
  for (size_t k = 0; k < leaves.count; k++) {
    type common = common_type(l, &c->types.at[k], value_type(l, leaves.at[k]));
    if (common.elem == SC_NONE)
      return false;
    if (!type_equal(&common, &c->types.at[k])) {
      c->types.at[k] = common;
      *changed = true;
    }
  }
  return true;
}

static bool any_leaf_shapeless(lower *l, const thing *t) {
  value_vec leaves = {0};
  flatten(l, t, &leaves);
  for (size_t k = 0; k < leaves.count; k++)
    if (is_shapeless(l, leaves.at[k]))
      return true;
  return false;
}

static bool review_one(lower *l, carry *c) {
  bool changed = false;
  thing final = final_of(l, c);
  if (c->dropped) {
    if (thing_same(&final, &c->before))
      return false;
    c->dropped = false;
    c->opaque = c->told = c->pointer = true;
    return true;
  }
  bool pointer = c->pointer || thing_has_pointer(l, &final);
  if (c->opaque) {
    changed = pointer != c->pointer;
    c->pointer = pointer;
    return changed;
  }
  if (thing_same(&final, &c->inner)) {
    c->dropped = true;
    return true;
  }
  bool silent = any_leaf_shapeless(l, &final);
  final = all_values(l, l->frame->definition, &final);
  if (!silent && fit_types(l, c, &final, &changed))
    return changed;
  c->opaque = true;
  c->told = !silent;
  c->pointer = pointer;
  return true;
}

bool carry_review(lower *l, carry_vec *self) {
  bool again = false;
  for (size_t i = 0; i < self->count; i++)
    again = review_one(l, &self->at[i]) || again;
  return again;
}

void carry_give_up(carry_vec *self) {
  for (size_t i = 0; i < self->count; i++) {
    self->at[i].dropped = false;
    self->at[i].opaque = self->at[i].told = self->at[i].pointer = true;
  }
}

void carry_yields(lower *l, node at, carry_vec *self, region *from) {
  for (size_t i = 0; i < self->count; i++) {
    carry *c = &self->at[i];
    if (c->dropped)
      continue;
    thing final = final_of(l, c);
    if (c->opaque) {
      if (c->told)
        refuse(l, at, UNSUPPORTED_CARRIED, c->name, c->pointer);
      thing v = shapeless(l, at, "carried by a loop", &final, 1);
      VEC_PUSH(l->arena, &from->yields, v.id);
      continue;
    }
    final = all_values(l, at, &final);
    value_vec leaves = {0};
    flatten(l, &final, &leaves);
    for (size_t k = 0; k < c->types.count; k++) {
      value_id v = reconcile(l, at, leaves.at[k], &c->types.at[k]);
      assert(v != VALUE_NONE);
      VEC_PUSH(l->arena, &from->yields, v);
    }
  }
}

void carry_leave(lower *l, node at, carry_vec *self, const inst *loop,
                 scope before) {
  text_vec assigned = {0};
  assigned_names(l, at, &assigned);
  scope inside = l->frame->scope;
  l->frame->scope = before;
  uint32_t next = 0;
  for (size_t i = 0; i < self->count; i++) {
    carry *c = &self->at[i];
    if (c->dropped)
      continue;
    thing result;
    if (c->opaque) {
      value_id v = loop->results[next++];
      mark_value(l, v, MARK_SHAPELESS | (c->pointer ? MARK_POINTER : 0));
      result = thing_value(v);
    } else {
      result = rebuild(l, &c->init, loop->results, &next);
    }
    if (result.kind == THING_VALUE)
      l->p->values.at[result.id].name = c->name;
    scope_bind(&l->frame->scope, c->name, result);
  }
  assert(next == loop->result_count);
  /* What was None before the loop and is something else after a turn. */
  for (size_t i = 0; i < assigned.count; i++) {
    const thing *old = scope_find(&l->frame->scope, assigned.at[i]);
    const thing *new = scope_find(&inside, assigned.at[i]);
    if (old && new && old->kind == THING_FIXED && !thing_same(old, new))
      scope_bind(&l->frame->scope, assigned.at[i],
                 thing_gone("changed by a loop"));
  }
}
