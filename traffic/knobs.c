/* traffic/knobs.c: configurations and their costs. */
#include "traffic/knobs.h"
#include "traffic/cache.h"
#include "traffic/footprint.h"

/* CONST == number. */
static bool read_equation(exprs *t, expr e, knob *out) {
  expr sides[3];
  size_t index;
  if (expr_kind_of(t, e) != EXPR_EQ)
    return false;
  expr_operands(t, e, sides);
  int number = expr_is_int(t, sides[0], &out->value) ? 0 : 1;
  if (!expr_is_int(t, sides[number], &out->value) ||
      expr_kind_of(t, sides[1 - number]) != EXPR_SYMBOL)
    return false;
  const symbol *s = expr_symbol(t, sides[1 - number], &index);
  out->name = s->name;
  return s->role == SYMBOL_CONST;
}

/* A conjunction of equations. */
static bool read_set(exprs *t, arena *arena, expr e, knob_set *out) {
  expr sides[3];
  knob one;
  if (expr_kind_of(t, e) == EXPR_AND) {
    expr_operands(t, e, sides);
    return read_set(t, arena, sides[0], out) &&
           read_set(t, arena, sides[1], out);
  }
  if (!read_equation(t, e, &one))
    return false;
  VEC_PUSH(arena, out, one);
  return true;
}

/* A disjunction of such conjunctions. */
static bool read_sets(exprs *t, arena *arena, expr e, knob_sets *out) {
  expr sides[3];
  knob_set one = {0};
  if (expr_kind_of(t, e) == EXPR_OR) {
    expr_operands(t, e, sides);
    return read_sets(t, arena, sides[0], out) &&
           read_sets(t, arena, sides[1], out);
  }
  if (!read_set(t, arena, e, &one))
    return false;
  VEC_PUSH(arena, out, one);
  return true;
}

knob_sets knobs_configurations(const tile_program *p, arena *arena) {
  for (size_t i = 0; i < p->facts.count; i++) {
    knob_sets found = {0};
    const fact *f = &p->facts.at[i];
    if (f->origin == FACT_HOST &&
        read_sets(p->exprs, arena, f->condition, &found) && found.count > 1)
      return found;
  }
  return (knob_sets){0};
}

/* Distinct bytes of all uses; -1 when one was not counted. */
static int64_t distinct_bytes(const footprint *f) {
  int64_t all = 0, bytes;
  for (size_t i = 0; i < f->uses.count; i++) {
    const footprint_use *use = &f->uses.at[i];
    if (use->elements < 0 ||
        !mul_ok(use->elements, use->element_bytes, &bytes) ||
        !add_ok(all, bytes, &all))
      return -1;
  }
  return all;
}

bool knobs_measure(walk *w, int64_t l2, int64_t wave, knob_costs *out,
                   trouble *why) {
  cache_result cache;
  footprint all;
  int64_t programs = sizes_programs(walk_sizes(w));
  if (!cache_simulate(w, l2, wave, &cache, why) ||
      !footprint_find(w, programs, &all, why))
    return false;
  *out =
      (knob_costs){.programs = programs,
                   .requested_bytes = cache.loaded_bytes + cache.stored_bytes,
                   .distinct_bytes = distinct_bytes(&all),
                   .l2_bytes = cache.missed_bytes + cache.stored_bytes};
  walk_on_chip_bytes(w, &out->on_chip_bytes);
  return true;
}
