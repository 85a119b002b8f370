/* cli/run_plan.c: which launches of a file are run, in which order.
 *
 * What is run is one host function with all its launches, line by line; or,
 * where the file launches nothing, one kernel. A launch may have several
 * programs, one for each value of a switch; which one it is, arrays and options
 * decide (choose_variant in cmd_run.c). */
#include "cli/run.h"

#include <stdlib.h>
#include <string.h>

/* A host function, or a kernel that nobody launches. */
typedef struct candidate {
  const char *name;
  uint32_t line;
  bool launches;
} candidate;
typedef VEC(candidate) candidate_vec;

static candidate candidate_of(const tile_program *p) {
  bool launched = p->launch_line != 0;
  return (candidate){.name = !launched     ? p->kernel
                             : p->function ? p->function
                                           : "<module>",
                     .line = launched ? p->function_line : p->at.line,
                     .launches = launched};
}

static bool same(candidate a, candidate b) {
  return a.line == b.line && a.launches == b.launches &&
         strcmp(a.name, b.name) == 0;
}

/* A name, or the line of the `def`. */
static bool is_wanted(const run *r, candidate c) {
  if (!r->function)
    return true;
  char *end;
  unsigned long line = strtoul(r->function, &end, 10);
  return *end == 0 ? line == c.line : strcmp(r->function, c.name) == 0;
}

static bool is_runnable(const kernel_unit *unit, const tile_program *p) {
  return p->launch_line != 0 || !unit->helper;
}

static candidate_vec find_candidates(const run *r, const parsed_file *file,
                                     bool launches) {
  candidate_vec all = {0};
  for (size_t i = 0; i < file->kernels.count; i++) {
    const kernel_unit *unit = &file->kernels.at[i];
    for (size_t k = 0; k < unit->programs.count; k++) {
      candidate c = candidate_of(unit->programs.at[k]);
      bool known = c.launches != launches || !is_wanted(r, c) ||
                   !is_runnable(unit, unit->programs.at[k]);
      for (size_t n = 0; n < all.count; n++)
        known = known || same(all.at[n], c);
      if (!known)
        VEC_PUSH(r->arena, &all, c);
    }
  }
  return all;
}

static void fail_choice(run *r, const candidate_vec *all) {
  strbuf names = strbuf_make(r->arena);
  for (size_t i = 0; i < all->count; i++)
    strbuf_printf(&names, "%s%s (line %u)", i ? ", " : "", all->at[i].name,
                  all->at[i].line);
  /* Of one name: methods of several classes, say. */
  run_fail(r, "there are several functions to run: %s; choose with %s",
           names.text, r->function ? "--function=LINE" : "--function=NAME");
}

static void add_program(run *r, run_plan *plan, tile_program *p) {
  for (size_t i = 0; i < plan->count; i++) {
    run_step *step = &plan->at[i];
    if (step->line == p->launch_line &&
        strcmp(step->variants.at[0]->kernel, p->kernel) == 0) {
      VEC_PUSH(r->arena, &step->variants, p);
      return;
    }
  }
  run_step fresh = {.line = p->launch_line};
  VEC_PUSH(r->arena, &fresh.variants, p);
  VEC_PUSH(r->arena, plan, fresh);
  for (size_t i = plan->count - 1; i > 0; i--) {
    run_step *a = &plan->at[i - 1], *b = &plan->at[i], kept = *a;
    if (a->line <= b->line)
      return;
    *a = *b;
    *b = kept;
  }
}

/* Launches that were left out would be missed. */
static void note_incomplete(run *r, const kernel_unit *unit) {
  if (unit->incomplete)
    run_note(r, arena_printf(r->arena, "a launch of `%s` is left out: %s",
                             unit->name, unit->incomplete));
}

static run_plan plan_of(run *r, const parsed_file *file, candidate chosen) {
  run_plan plan = {0};
  for (size_t i = 0; i < file->kernels.count; i++) {
    const kernel_unit *unit = &file->kernels.at[i];
    bool any = false;
    for (size_t k = 0; k < unit->programs.count; k++) {
      tile_program *p = unit->programs.at[k];
      if (!same(candidate_of(p), chosen))
        continue;
      any = true;
      add_program(r, &plan, p);
      if (p->loop_line)
        run_fail(r,
                 "the launch on line %u stands in a loop (line %u), which is "
                 "not followed",
                 p->launch_line, p->loop_line);
    }
    if (any)
      note_incomplete(r, unit);
  }
  return plan;
}

run_plan run_make_plan(run *r, const parsed_file *file) {
  run_plan none = {0};
  candidate_vec all = find_candidates(r, file, true);
  if (all.count == 0)
    all = find_candidates(r, file, false);
  if (all.count > 1)
    fail_choice(r, &all);
  else if (all.count == 0 && r->function)
    run_fail(r, "no function `%s` launches a kernel", r->function);
  else if (all.count == 0 && r->kernel)
    run_fail(r, "no kernel is called `%s`", r->kernel);
  else if (all.count == 0)
    run_fail(r, "there is no kernel to run");
  return all.count == 1 ? plan_of(r, file, all.at[0]) : none;
}

static bool is_param_of(const tile_program *p, uint32_t tensor,
                        const char *name) {
  for (size_t i = 0; i < p->params.count; i++) {
    const param *q = &p->params.at[i];
    if (q->kind == PARAM_POINTER && q->tensor == tensor &&
        strcmp(q->name, name) == 0)
      return true;
  }
  return false;
}

/* How well a name fits a tensor; 0: not at all. */
static int fit_of(const tile_program *p, uint32_t tensor, const char *name) {
  const struct tensor *t = &p->tensors.at[tensor];
  if (strcmp(t->name, name) == 0)
    return 3;
  if (strcmp(t->root, name) == 0)
    return 2;
  return is_param_of(p, tensor, name) ? 1 : 0;
}

bool run_is_named(const tile_program *p, uint32_t tensor, const char *name) {
  int fit = fit_of(p, tensor, name), best = 1;
  for (uint32_t i = 0; i < p->tensors.count; i++) {
    int other = fit_of(p, i, name);
    best = other > best ? other : best;
  }
  return fit == best;
}

run_file *run_input_of(run *r, const tile_program *p, uint32_t tensor) {
  for (size_t i = 0; i < r->in.count; i++)
    if (run_is_named(p, tensor, r->in.at[i].name))
      return &r->in.at[i];
  return NULL;
}
