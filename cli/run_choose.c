/* cli/run_choose.c: which program each launch of the plan is.
 *
 * Names in options have to be those of something in the plan. Of the programs
 * that a launch may be, --set decides about switches, then the host code's
 * conditions, then the arrays that are given. */
#include "base/map.h"
#include "cli/run.h"

#include <string.h>

static program_vec programs_of(run *r, const run_plan *plan) {
  program_vec out = {0};
  for (size_t i = 0; i < plan->count; i++)
    for (size_t k = 0; k < plan->at[i].variants.count; k++)
      VEC_PUSH(r->arena, &out, plan->at[i].variants.at[k]);
  return out;
}

/* ------------------------------------------------------------ names given */

static bool names_tensor(const program_vec *all, const char *name) {
  for (size_t i = 0; i < all->count; i++)
    for (uint32_t n = 0; n < all->at[i]->tensors.count; n++)
      if (run_is_named(all->at[i], n, name))
        return true;
  return false;
}

static bool names_number(const program_vec *all, const char *name) {
  for (size_t i = 0; i < all->count; i++) {
    const tile_program *p = all->at[i];
    if (exprs_find(p->exprs, name) != EXPR_NONE)
      return true;
    for (size_t n = 0; n < p->params.count; n++)
      if (strcmp(p->params.at[n].name, name) == 0)
        return true;
  }
  return false;
}

static bool check_tensor(run *r, const program_vec *all, const char *option,
                         const char *name) {
  strbuf names = strbuf_make(r->arena);
  intern *seen = intern_create(r->arena);
  uint32_t count = 0;
  if (names_tensor(all, name))
    return true;
  for (size_t i = 0; i < all->count; i++)
    for (uint32_t n = 0; n < all->at[i]->tensors.count; n++) {
      const char *other = all->at[i]->tensors.at[n].name;
      if (intern_id(seen, other) > count)
        strbuf_printf(&names, "%s%s", count++ ? ", " : "", other);
    }
  return run_fail(r, "--%s: no tensor is called `%s`; there is %s", option,
                  name, names.text);
}

bool run_check_names(run *r, const run_plan *plan) {
  program_vec all = programs_of(r, plan);
  for (size_t i = 0; i < r->in.count; i++)
    if (!check_tensor(r, &all, "in", r->in.at[i].name))
      return false;
  for (size_t i = 0; i < r->out.count; i++)
    if (!check_tensor(r, &all, "out", r->out.at[i].name))
      return false;
  for (size_t i = 0; i < r->types.count; i++)
    if (!check_tensor(r, &all, "dtype", r->types.at[i].name))
      return false;
  for (size_t i = 0; i < r->sets.count; i++)
    if (!names_number(&all, r->sets.at[i].name))
      return run_fail(r, "--set: nothing is called `%s`", r->sets.at[i].name);
  return true;
}

/* -------------------------------------------------------------- types */

/* Of its array, by --dtype, else what the parser finds (a tensor of indices is
 * i32), else f32. */
static scalar type_of(run *r, const tile_program *p, uint32_t index) {
  const run_file *f = run_input_of(r, p, index);
  scalar found = p->tensors.at[index].dtype;
  for (size_t i = 0; i < r->types.count && !f; i++)
    if (run_is_named(p, index, r->types.at[i].name))
      return r->types.at[i].dtype;
  return f ? run_dtype(f) : found == SC_ANY ? SC_F32 : found;
}

void run_type_tensors(run *r, const run_plan *plan, parse_options *out) {
  program_vec all = programs_of(r, plan);
  VEC(const char *) names = {0};
  VEC(scalar) types = {0};
  for (size_t i = 0; i < all.count; i++)
    for (uint32_t n = 0; n < all.at[i]->tensors.count; n++) {
      const tensor *t = &all.at[i]->tensors.at[n];
      VEC_PUSH(r->arena, &names, t->root);
      VEC_PUSH(r->arena, &types, type_of(r, all.at[i], n));
    }
  out->dtype_names = names.at;
  out->dtypes = types.at;
  out->dtype_count = types.count;
}

/* ---------------------------------------------------------------- variants */

/* Whether --set speaks against the value that a switch has in the program. */
static bool is_excluded(const run *r, const tile_program *p) {
  for (size_t i = 0; i < r->sets.count; i++)
    for (size_t k = 0; k < p->params.count; k++) {
      const run_set *s = &r->sets.at[i];
      const param *q = &p->params.at[k];
      if (q->kind != PARAM_STATIC || strcmp(q->name, s->name) != 0 || !q->text)
        continue;
      bool same =
          strcmp(q->text, s->text) == 0 ||
          (s->is_int && strcmp(q->text, s->whole ? "True" : "False") == 0);
      if (!same)
        return true;
    }
  return false;
}

/* How well the arrays given fit the tensors that the program has. */
static int score_of(run *r, const tile_program *p) {
  int score = 0;
  for (uint32_t i = 0; i < p->tensors.count; i++)
    if (run_input_of(r, p, i))
      score += 1000;
    else if (p->tensors.at[i].content == CONTENT_CALLER)
      score--;
  return score;
}

static const char *switches_of(run *r, const tile_program *p) {
  strbuf out = strbuf_make(r->arena);
  for (size_t i = 0; i < p->params.count; i++)
    if (p->params.at[i].kind == PARAM_STATIC && p->params.at[i].text)
      strbuf_printf(&out, "%s%s=%s", out.length ? ", " : "",
                    p->params.at[i].name, p->params.at[i].text);
  return out.text;
}

static void note_refusal(run *r, const run_step *step, const run_launch *l) {
  const fact *f = run_refusal(l);
  const char *text = expr_text(l->program->exprs, f->condition, r->arena);
  run_note(r, arena_printf(r->arena,
                           "the launch on line %u is not made: %s is false "
                           "(line %u)",
                           step->line, text, f->line));
}

static run_outcome fail_none(run *r, const char *trouble) {
  run_fail(r, "%s", trouble ? trouble : "no form of the launch fits --set");
  return RUN_FAILED;
}

static run_outcome fail_several(run *r, const run_step *step,
                                const tile_program *a, const tile_program *b) {
  run_fail(r,
           "the launch on line %u has several forms: %s; or %s; choose with "
           "--set NAME=VALUE",
           step->line, switches_of(r, a), switches_of(r, b));
  return RUN_FAILED;
}

run_outcome run_choose(run *r, const run_step *step, run_launch *out) {
  const tile_program *second = NULL; /* as good as the best */
  run_launch refused = {.program = NULL};
  const char *trouble = NULL;
  int best = 0;
  out->program = NULL;
  for (size_t i = 0; i < step->variants.count; i++) {
    run_launch l = {.program = step->variants.at[i]};
    int score = score_of(r, l.program);
    if (is_excluded(r, l.program))
      continue;
    if (!run_bind(r, &l)) {
      trouble = trouble ? trouble : r->error;
      r->error = NULL;
    } else if (run_refusal(&l)) {
      refused = l;
    } else if (!out->program || score > best) {
      *out = l;
      best = score;
      second = NULL;
    } else if (score == best) {
      second = l.program;
    }
  }
  if (second)
    return fail_several(r, step, out->program, second);
  if (out->program)
    return RUN_CHOSEN;
  if (!refused.program)
    return fail_none(r, trouble);
  note_refusal(r, step, &refused);
  return RUN_SKIPPED;
}
