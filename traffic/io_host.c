/* traffic/io_host.c: what a host function moves: its whole-array operators and
 * the kernels that it launches.
 *
 * Sound: the formula of a launch speaks of the launch's own symbols, which
 * carry the names of the host function's, as both readings name a symbol after
 * the place that it comes from. A symbol that the function's reading does not
 * have is left as one of the kernel, under a name of its own; in a loop, where
 * it may change from turn to turn, the launch is not counted. */
#include "traffic/io.h"

#include "base/panic.h"

#include <string.h>

typedef struct reading {
  arena *arena;
  io_function *f;
  const host_unit *unit;
  const io_function_vec *kernels;
} reading;

/* A launch whose formula is taken over. */
typedef struct taking {
  const reading *r;
  const host_step *step;
  const io_function *kernel;
  bool in_loop, from_loop; /* a symbol that a loop may change was met */
  bool from_buffer;        /* a sum over a buffer was met */
} taking;

#define CHANGES_IN_LOOP                                                        \
  "what the launch moves may change from turn to turn of the loop around it"

static bool is_turn(const host_unit *u, const char *name) {
  for (size_t i = 0; i < u->turns.count; i++)
    if (strcmp(u->turns.at[i], name) == 0)
      return true;
  return false;
}

static const symbol *symbol_named(const tile_program *p, const char *name) {
  expr e = exprs_find(p->exprs, name);
  return e != EXPR_NONE && expr_kind_of(p->exprs, e) == EXPR_SYMBOL
             ? expr_symbol(p->exprs, e, NULL)
             : NULL;
}

/* Whether another launched kernel fixes a constexpr of that name to another
 * number. */
static bool is_shared_name(const taking *k, const char *name) {
  const symbol *own = symbol_named(k->kernel->program, name);
  for (size_t i = 0; own && i < k->r->unit->steps.count; i++) {
    const host_step *s = &k->r->unit->steps.at[i];
    for (size_t n = 0; s->kind == STEP_LAUNCH && n < k->r->kernels->count;
         n++) {
      const io_function *other = k->r->kernels->at[n];
      if (other->launch_line != s->at.line || other == k->kernel)
        continue;
      const symbol *theirs = symbol_named(other->program, name);
      if (theirs &&
          (theirs->pinned != own->pinned || theirs->pin != own->pin ||
           (!own->pinned && strcmp(other->name, k->kernel->name) != 0)))
        return true;
    }
  }
  return false;
}

/* A name of the called function around the launch. */
static sym take_meaning(taking *k, const char *name) {
  const reading *r = k->r;
  for (size_t i = 0; i < k->step->meanings.count; i++) {
    const host_meaning *m = &k->step->meanings.at[i];
    if (strcmp(m->name, name) != 0)
      continue;
    if (m->value != EXPR_NONE)
      return launch_sym(judge_launch(r->f->judge), m->value);
    if (m->type_of)
      return sym_var(r->f->syms, ROLE_SIZE,
                     arena_printf(r->arena, "%s.itemsize", m->type_of));
  }
  return SYM_NONE;
}

static sym take_variable(void *context, const symtab *from, sym variable) {
  taking *k = context;
  const reading *r = k->r;
  symtab *t = r->f->syms;
  const char *name = sym_var_name(from, variable);
  sym_role role = sym_var_role(from, variable);
  size_t length = strlen(name);
  if (count_sum_of(k->kernel->judge, variable)) {
    k->from_buffer = true;
    return SYM_NONE;
  }
  bool size_of_element =
      length > 9 && strcmp(name + length - 9, ".itemsize") == 0;
  if (role == ROLE_CONST) {
    const char *as =
        is_shared_name(k, name)
            ? arena_printf(r->arena, "%s.%s", k->kernel->name, name)
            : name;
    io_add_pin(r->arena, r->f, k->kernel->program, name, as);
    return sym_var(t, role, as);
  }
  if (k->step->called)
    return take_meaning(k, name);
  expr own = exprs_find(r->unit->program->exprs, name);
  if (own != EXPR_NONE && !is_turn(r->unit, name))
    return launch_sym(judge_launch(r->f->judge), own);
  if (size_of_element)
    return sym_var(t, role, name);
  if (k->in_loop) {
    k->from_loop = true;
    return SYM_NONE;
  }
  return sym_var(t, role,
                 arena_printf(r->arena, "%s.%s", k->kernel->name, name));
}

/* ------------------------------------------------------------------ launches
 */

/* Whether two texts of choices ("a=True, b=None") can both hold. */
static bool agrees(arena *arena, const char *a, const char *b) {
  char *one = arena_strdup(arena, a), *save = NULL;
  for (char *item = strtok_r(one, ",", &save); item;
       item = strtok_r(NULL, ",", &save)) {
    while (*item == ' ')
      item++;
    const char *equals = strchr(item, '=');
    size_t name = equals ? (size_t)(equals - item) + 1 : 0;
    for (const char *at = b; *at; at += strcspn(at, ",")) {
      at += strspn(at, ", ");
      size_t length = strcspn(at, ",");
      bool same = strlen(item) == length && memcmp(item, at, length) == 0;
      if (name && strncmp(at, item, name) == 0 && !same)
        return false;
    }
  }
  return true;
}

static bool is_of_launch(const io_function *k, const host_step *s) {
  return s->kind == STEP_LAUNCH && k->launch_line == s->at.line &&
         strcmp(k->name, s->name) == 0;
}

void io_host_choices(arena *arena, const host_unit *unit,
                     const io_function_vec *kernels, io_choices *out) {
  for (size_t i = 0; i < unit->steps.count; i++)
    for (size_t n = 0; n < kernels->count; n++) {
      const io_function *k = kernels->at[n];
      bool known = !*k->choice || unit->steps.at[i].called ||
                   !is_of_launch(k, &unit->steps.at[i]) ||
                   !agrees(arena, k->choice, unit->choice);
      for (size_t c = 0; c < out->count && !known; c++)
        known = strcmp(out->at[c], k->choice) == 0;
      if (!known)
        VEC_PUSH(arena, out, k->choice);
    }
  if (out->count == 0)
    VEC_PUSH(arena, out, "");
}

/* Whether the call of the function around the launch decides its flags so. */
static bool is_called_with(const host_step *s, const char *choice) {
  for (const char *at = choice; *at; at += strcspn(at, ",")) {
    at += strspn(at, ", ");
    size_t length = strcspn(at, ",");
    bool found = false;
    for (size_t i = 0; i < s->meanings.count && !found; i++) {
      const host_meaning *m = &s->meanings.at[i];
      size_t name = strlen(m->name);
      found = m->flag && length == name + 1 + strlen(m->flag) &&
              strncmp(at, m->name, name) == 0 && at[name] == '=' &&
              strncmp(at + name + 1, m->flag, strlen(m->flag)) == 0;
    }
    if (!found)
      return false;
  }
  return true;
}

/* The program of the launch that goes with how flags are decided. */
static const io_function *find_kernel(const reading *r, const host_step *s,
                                      const char **why) {
  const io_function *found = NULL;
  size_t fits = 0, all = 0;
  for (size_t i = 0; i < r->kernels->count; i++) {
    const io_function *k = r->kernels->at[i];
    if (!is_of_launch(k, s))
      continue;
    all++;
    if (s->called ? !is_called_with(s, k->choice)
                  : !agrees(r->arena, k->choice, r->f->choice))
      continue;
    fits++;
    found = k;
  }
  *why = all == 0 ? "the launch could not be read"
                  : "the launch comes in several variants";
  return fits == 1 ? found : NULL;
}

static io_quantity take(taking *k, io_quantity from, io_quantity times) {
  symtab *t = k->r->f->syms;
  if (from.formula == SYM_NONE)
    return from;
  sym e = io_import(t, k->kernel->syms, from.formula, take_variable, k);
  if (e == SYM_NONE)
    return io_unknown(k->from_loop ? CHANGES_IN_LOOP
                      : k->from_buffer
                          ? "it depends on what a buffer holds at the launch"
                          : "the launch's formula has no meaning in the host "
                            "function",
                      from.at);
  return io_known(sym_mul(t, e, times.formula));
}

static io_flow take_flow(taking *k, io_flow from, io_quantity times) {
  return (io_flow){take(k, from.elements, times), take(k, from.bytes, times)};
}

static void unknown_step(io_step *out, const char *why) {
  io_quantity q = io_unknown(why, out->at);
  out->reads = out->writes = (io_flow){q, q};
}

static void add_assumption(reading *r, const char *text) {
  for (size_t i = 0; i < r->f->assumptions.count; i++)
    if (strcmp(r->f->assumptions.at[i], text) == 0)
      return;
  VEC_PUSH(r->arena, &r->f->assumptions, text);
}

static void read_launch(reading *r, const host_step *s, io_quantity times,
                        io_step *out) {
  const char *why;
  const io_function *kernel = find_kernel(r, s, &why);
  taking k = {.r = r, .step = s, .kernel = kernel};
  if (!kernel) {
    unknown_step(out, why);
    return;
  }
  k.in_loop = kernel->program->loop_line != 0;
  out->reads = take_flow(&k, kernel->reads, times);
  out->writes = take_flow(&k, kernel->writes, times);
  out->when =
      io_import(r->f->syms, kernel->syms, kernel->when, take_variable, &k);
  if (out->when == SYM_NONE)
    unknown_step(out, k.from_loop ? CHANGES_IN_LOOP
                                  : "the grid of the launch is not known here");
  for (size_t i = 0; i < kernel->conditions.count; i++) {
    sym c = io_import(r->f->syms, kernel->syms, kernel->conditions.at[i],
                      take_variable, &k);
    if (c != SYM_NONE)
      VEC_PUSH(r->arena, &r->f->conditions, c);
  }
  if (*kernel->only) {
    const char *only =
        arena_printf(r->arena, "%s (%s)", kernel->only, kernel->name);
    if (!strstr(r->f->only, only))
      r->f->only = arena_printf(r->arena, "%s%s%s", r->f->only,
                                *r->f->only ? ", " : "", only);
  }
  for (size_t i = 0; i < kernel->assumptions.count; i++) {
    const char *text = kernel->assumptions.at[i];
    if (s->called)
      text =
          arena_printf(r->arena, "%s, in %s", text, kernel->program->function);
    add_assumption(r, text);
  }
}

/* ----------------------------------------------------------------- operators
 */

static io_flow sum_moved(reading *r, const moved_vec *all, io_quantity times,
                         span at) {
  symtab *t = r->f->syms;
  const launch *l = judge_launch(r->f->judge);
  io_flow sum = io_nothing(t);
  for (size_t i = 0; i < all->count; i++) {
    const moved *m = &all->at[i];
    sym n = sym_mul(t, launch_sym(l, m->elements), times.formula);
    io_quantity elements = io_known(n);
    elements.at = at;
    io_flow one = io_elements(r->arena, t, elements, m->dtype, m->type_of);
    if (one.bytes.formula == SYM_NONE)
      one.bytes = io_unknown(
          arena_printf(r->arena, "the element type of `%s` is not known",
                       m->name),
          at);
    sum = io_flow_sum(t, sum, one);
  }
  return sum;
}

static io_quantity times_of(reading *r, const host_step *s) {
  symtab *t = r->f->syms;
  sym e = launch_sym(judge_launch(r->f->judge), s->times);
  if (sym_is_bool(t, e))
    e = sym_select(t, e, sym_int(t, 1), sym_int(t, 0));
  return io_known(e);
}

static void add_step(reading *r, const host_step *s) {
  io_step out = {.at = s->at,
                 .name = s->name,
                 .launch = s->kind == STEP_LAUNCH,
                 .when = sym_true(r->f->syms)};
  if (s->why) {
    unknown_step(&out, s->why);
  } else {
    io_quantity times = times_of(r, s);
    if (out.launch) {
      read_launch(r, s, times, &out);
    } else {
      out.reads = sum_moved(r, &s->reads, times, s->at);
      out.writes = sum_moved(r, &s->writes, times, s->at);
    }
  }
  io_simplify(r->f->judge, &out.reads);
  io_simplify(r->f->judge, &out.writes);
  VEC_PUSH(r->arena, &r->f->steps, out);
}

static void add_sums(io_function *f) {
  symtab *t = f->syms;
  f->reads = f->writes = f->atomic = io_nothing(t);
  f->live = f->lanes = f->reads.elements;
  for (size_t i = 0; i < f->steps.count; i++) {
    f->reads = io_flow_sum(t, f->reads, f->steps.at[i].reads);
    f->writes = io_flow_sum(t, f->writes, f->steps.at[i].writes);
  }
  f->total = io_flow_sum(t, f->reads, f->writes);
  io_simplify(f->judge, &f->reads);
  io_simplify(f->judge, &f->writes);
  io_simplify(f->judge, &f->total);
}

io_function *io_host(arena *arena, const host_unit *unit,
                     const io_function_vec *kernels, const char *choice,
                     analysis_options options) {
  io_function *f = ARENA_NEW(arena, io_function);
  bool both = *unit->choice && *choice && strcmp(unit->choice, choice) != 0;
  const char *all = *choice ? choice : unit->choice;
  if (both)
    all = arena_printf(arena, "%s, %s", unit->choice, choice);
  *f = (io_function){.name = unit->name,
                     .at = unit->at,
                     .choice = all,
                     .only = "",
                     .program = unit->program,
                     .unit = unit};
  f->judge = judge_create(unit->program->arena, unit->program, false, options);
  f->syms = judge_launch(f->judge)->syms;
  f->when = sym_true(f->syms);
  reading r = {arena, f, unit, kernels};
  for (size_t i = 0; i < unit->assumptions.count; i++)
    VEC_PUSH(arena, &f->assumptions, unit->assumptions.at[i]);
  for (size_t i = 0; i < unit->steps.count; i++)
    add_step(&r, &unit->steps.at[i]);
  add_sums(f);
  const launch *l = judge_launch(f->judge);
  for (size_t i = 0; i < l->facts.count; i++)
    if (judge_is_launch_level(f->judge, l->facts.at[i]))
      VEC_PUSH(arena, &f->conditions, l->facts.at[i]);
  return f;
}
