/* traffic/io_at.c: formulas at given sizes. Values are exact up to 126 bits. */
#include "traffic/io_at.h"

#include <string.h>

/* The variable or expression that stands for a name of the program. */
static sym named(const io_function *f, const char *name) {
  expr e = exprs_find(f->program->exprs, name);
  return e == EXPR_NONE ? SYM_NONE : launch_sym(judge_launch(f->judge), e);
}

static bool bound(const io_place *p, sym atom, int64_t *value) {
  const char *name = sym_var_name(p->f->syms, atom);
  for (size_t i = 0; i < p->variables.count; i++)
    if (p->variables.at[i] == atom) {
      *value = p->numbers.at[i];
      return true;
    }
  for (size_t i = 0; i < p->values->count; i++)
    if (strcmp(p->values->names[i], name) == 0) {
      *value = p->values->values[i];
      return true;
    }
  for (size_t i = 0; i < p->f->pins.count; i++)
    if (strcmp(p->f->pins.at[i].name, name) == 0) {
      *value = p->f->pins.at[i].value;
      return true;
    }
  return false;
}

static bool look_up(void *context, const symtab *t, sym atom, int64_t *value) {
  return sym_kind_of(t, atom) == SYM_VAR && bound(context, atom, value);
}

bool io_value(io_place *place, sym formula, int128 *out) {
  return formula != SYM_NONE &&
         sym_eval_wide(place->f->syms, formula, look_up, place, out);
}

bool io_value_when(io_place *place, sym when, sym formula, int128 *out) {
  int128 truth;
  if (when == SYM_NONE || formula == SYM_NONE ||
      !sym_eval_wide(place->f->syms, when, look_up, place, &truth))
    return false;
  *out = 0;
  return !truth || io_value(place, formula, out);
}

/* -------------------------------------------------------------------- names */

static void add_name(arena *arena, io_names *out, const char *name) {
  for (size_t i = 0; i < out->count; i++)
    if (strcmp(out->at[i], name) == 0)
      return;
  VEC_PUSH(arena, out, name);
}

enum { MOST_VARIABLES = 128 };

static void add_variables(arena *arena, const io_function *f, sym e,
                          io_names *out) {
  sym all[MOST_VARIABLES];
  if (e == SYM_NONE)
    return;
  size_t n = sym_variables(f->syms, e, all, MOST_VARIABLES);
  for (size_t i = 0; i < n && i < MOST_VARIABLES; i++)
    add_name(arena, out, sym_var_name(f->syms, all[i]));
}

void io_list_names(arena *arena, const io_function *f, io_names *out) {
  const exprs *t = f->program->exprs;
  add_variables(arena, f, f->total.elements.formula, out);
  add_variables(arena, f, f->total.bytes.formula, out);
  for (size_t i = 0; i < f->accesses.count; i++)
    add_variables(arena, f, f->accesses.at[i].moved.bytes.formula, out);
  for (size_t i = 0; i < f->steps.count; i++) {
    add_variables(arena, f, f->steps.at[i].reads.bytes.formula, out);
    add_variables(arena, f, f->steps.at[i].writes.bytes.formula, out);
  }
  for (size_t i = 0; i < f->pins.count; i++)
    add_name(arena, out, f->pins.at[i].name);
  for (size_t i = 0; i < exprs_symbol_count(t); i++)
    add_name(arena, out, exprs_symbol_at(f->program->exprs, i)->name);
}

bool io_knows(const io_function *f, const char *name) {
  arena *scratch = arena_create();
  io_names all = {0};
  bool found = false;
  io_list_names(scratch, f, &all);
  for (size_t i = 0; i < all.count; i++)
    found = found || strcmp(all.at[i], name) == 0;
  arena_destroy(scratch);
  return found;
}

void io_missing(io_place *place, sym formula, io_names *out) {
  sym all[MOST_VARIABLES];
  int64_t value;
  if (formula == SYM_NONE)
    return;
  const symtab *t = place->f->syms;
  size_t n = sym_variables(t, formula, all, MOST_VARIABLES);
  for (size_t i = 0; i < n && i < MOST_VARIABLES; i++)
    if (!bound(place, all[i], &value))
      add_name(place->arena, out,
               sym_var_name(t, count_rename(place->f->judge, all[i])));
}

/* --------------------------------------------------------------- the place */

static const char *bind(io_place *p, size_t i) {
  const io_function *f = p->f;
  sym s = named(f, p->values->names[i]);
  if (s == SYM_NONE || sym_kind_of(f->syms, s) != SYM_VAR)
    return NULL;
  int64_t number = p->values->values[i];
  for (size_t k = 0; k < p->variables.count; k++)
    if (p->variables.at[k] == s && p->numbers.at[k] != number)
      return arena_printf(p->arena,
                          "%s = %lld contradicts another value given "
                          "for the same size",
                          p->values->names[i], (long long)number);
  VEC_PUSH(p->arena, &p->variables, s);
  VEC_PUSH(p->arena, &p->numbers, number);
  return NULL;
}

/* A name whose value others decide. */
static const char *compare(io_place *p, size_t i) {
  sym s = named(p->f, p->values->names[i]);
  int128 value;
  if (s == SYM_NONE || !io_value(p, s, &value) || value == p->values->values[i])
    return NULL;
  return arena_printf(p->arena, "%s cannot be %lld, it is %s",
                      p->values->names[i], (long long)p->values->values[i],
                      sym_text(p->f->syms, s, p->arena));
}

const char *io_place_make(arena *arena, const io_function *f,
                          const io_values *values, io_place *out) {
  *out = (io_place){.arena = arena, .f = f, .values = values};
  for (size_t i = 0; i < values->count; i++) {
    const char *why = bind(out, i);
    if (why)
      return why;
  }
  for (size_t i = 0; i < values->count; i++) {
    const char *why = compare(out, i);
    if (why)
      return why;
  }
  for (size_t i = 0; i < f->conditions.count; i++) {
    int128 truth;
    if (io_value(out, f->conditions.at[i], &truth) && !truth)
      return arena_printf(arena, "no launch has these sizes: %s does not hold",
                          sym_text(f->syms, f->conditions.at[i], arena));
  }
  return NULL;
}
