/* traffic/scope.c: hoisting. */
#include "traffic/scope.h"

#include <assert.h>

scope *scope_create(arena *arena, const sizes *sizes) {
  scope *self = ARENA_NEW(arena, scope);
  self->arena = arena;
  self->sizes = sizes;
  self->t = sizes->launch->syms;
  return self;
}

unsigned scope_level(const scope *self, sym e) {
  for (unsigned d = self->depth; d > 0; d--)
    if (sym_mentions(self->t, e, self->turns[d - 1]))
      return d;
  return 0;
}

static bool find_slot(const scope *self, sym e, uint32_t *slot) {
  if (sym_kind_of(self->t, e) != SYM_VAR)
    return false;
  for (uint32_t axis = 0; axis < 3; axis++)
    if (self->sizes->launch->pid[axis] == e) {
      *slot = axis;
      return true;
    }
  for (uint32_t d = 0; d < self->depth; d++)
    if (self->turns[d] == e) {
      *slot = 3 + d;
      return true;
    }
  return false;
}

static bool is_in_scope(void *context, sym e) {
  uint32_t slot;
  return find_slot(context, e, &slot);
}

static uint32_t slot_of(void *context, sym e) {
  uint32_t slot = 0;
  bool found = find_slot(context, e, &slot);
  assert(found);
  (void)found;
  return slot;
}

bool scope_hoist(scope *self, sym e, hoisted *out, sym *missing) {
  formula_slots slots = {is_in_scope, NULL, slot_of, self};
  e = sizes_apply(self->sizes, e);
  *out = (hoisted){.level = scope_level(self, e)};
  out->formula = formula_compile(self->arena, self->t, e, slots, missing);
  return out->formula != NULL;
}

/* What depends on inner turns depends on outer ones, as far as anyone knows. */
static void touch_from(scope *self, unsigned level) {
  uint64_t stamp = ++self->last_stamp;
  for (unsigned d = level; d < SCOPE_LEVELS; d++)
    self->stamps[d] = stamp;
}

void scope_move(scope *self, unsigned level, int64_t to) {
  assert(level > 0 && level < SCOPE_LEVELS);
  self->now[3 + level - 1] = to;
  touch_from(self, level);
}

void scope_program(scope *self, int64_t program) {
  for (int axis = 0; axis < 3; axis++) {
    self->now[axis] = program % self->sizes->grid[axis];
    program /= self->sizes->grid[axis];
  }
  touch_from(self, 0);
}

void scope_evaluate(const scope *scope, hoisted *self) {
  uint64_t stamp = scope->stamps[self->level];
  if (self->stamp == stamp)
    return;
  self->stamp = stamp;
  self->ok = formula_eval(self->formula, scope->now, &self->value);
}
