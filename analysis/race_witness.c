/* analysis/race_witness.c: launches in which two instances touch one element.
 *
 * Small launches are run whole by the interpreter in exec/: sizes are taken
 * from a short list, at first all alike, then at random (always the same). When
 * none of them shows the fault the solver proposes numbers and two programs.
 * What is found is made smaller, and counts only when the two programs alone
 * show it again. */
#include "analysis/judge_state.h"
#include "exec/exec.h"

enum {
  SMALL_STEPS = 1 << 21, /* of one launch */
  ALL_STEPS = 1 << 24,   /* of all launches tried */
  RANDOM_LAUNCHES = 160,
  SHRINK_TRIES = 96,
  MAX_CHOICES = 48,
};

typedef struct search {
  judge *judge;
  const inst *at;
  event_kind kind;
  const sym_vec *facts;
  sym *variables; /* of the launch, free ones */
  int64_t *value; /* by variable */
  size_t count;
  uint64_t steps_left;
  uint64_t random;
  int64_t choices[MAX_CHOICES];
  size_t choice_count;
  exec_event event; /* the last one found */
} search;

static bool look_up(void *context, const symtab *t, sym atom, int64_t *value) {
  const search *s = context;
  (void)t;
  for (size_t i = 0; i < s->count; i++)
    if (s->variables[i] == atom) {
      *value = s->value[i];
      return true;
    }
  return false;
}

/* ------------------------------------------------------------- variables */

static void add_variable(search *s, sym var) {
  for (size_t i = 0; i < s->count; i++)
    if (s->variables[i] == var)
      return;
  s->variables[s->count++] = var;
}

static void collect_variables(search *s) {
  judge *j = s->judge;
  exprs *t = j->program->exprs;
  size_t n = exprs_symbol_count(t), room = 0;
  for (size_t i = 0; i < n; i++)
    room += sym_variables(j->syms, j->launch->symbol[i], NULL, 0);
  s->variables = ARENA_ARRAY(j->arena, sym, room + 1);
  s->value = ARENA_ARRAY(j->arena, int64_t, room + 1);
  sym *found = ARENA_ARRAY(j->arena, sym, room + 1);
  for (size_t i = 0; i < n; i++) {
    size_t m = sym_variables(j->syms, j->launch->symbol[i], found, room);
    for (size_t k = 0; k < m; k++)
      add_variable(s, found[k]);
  }
}

static void add_choice(search *s, int64_t n) {
  for (size_t i = 0; i < s->choice_count; i++)
    if (s->choices[i] == n)
      return;
  if (s->choice_count < MAX_CHOICES && n >= 1 && n <= 1 << 16)
    s->choices[s->choice_count++] = n;
}

/* Sizes worth a try: small ones, and those around the launch's blocks. */
static void collect_choices(search *s) {
  exprs *t = s->judge->program->exprs;
  for (int64_t n = 1; n <= 5; n++)
    add_choice(s, n);
  add_choice(s, 8);
  for (size_t i = 0; i < exprs_symbol_count(t); i++) {
    const symbol *x = exprs_symbol_at(t, i);
    if (x->role != SYMBOL_CONST || !x->pinned || x->pin < 2)
      continue;
    static const int64_t times[] = {1, 2, 3, 5};
    for (size_t k = 0; k < sizeof times / sizeof *times; k++)
      add_choice(s, x->pin <= 1 << 14 ? x->pin * times[k] : 0);
    add_choice(s, x->pin + 1);
  }
}

/* Strides that keep the elements of a tensor apart: row-major, from the
 * right. A caller who passes others is asked not to (the disjoint premise). */
static void choose_strides(search *s) {
  judge *j = s->judge;
  for (uint32_t k = 0; k < j->program->tensors.count; k++) {
    const tensor *x = &j->program->tensors.at[k];
    int64_t step = 1, extent;
    for (unsigned d = x->known ? x->rank : 0; d-- > 0;) {
      sym stride = launch_sym(j->launch, x->stride[d]);
      for (size_t i = 0; i < s->count; i++)
        if (s->variables[i] == stride &&
            sym_var_role(j->syms, stride) == ROLE_STRIDE)
          s->value[i] = step;
      if (!sym_eval(j->syms, launch_sym(j->launch, x->extent[d]), look_up, s,
                    &extent))
        break;
      step *= extent > 0 && extent < 1 << 20 ? extent : 1;
      if (step > (int64_t)1 << 40)
        break;
    }
  }
}

/* ------------------------------------------------------------------- runs */

static bool numbers_of(const search *s, int64_t *numbers, bool *known) {
  const judge *j = s->judge;
  exprs *t = j->program->exprs;
  for (size_t i = 0; i < exprs_symbol_count(t); i++) {
    const symbol *x = exprs_symbol_at(t, i);
    known[i] = true;
    if (x->pinned)
      numbers[i] = x->pin;
    else if (!sym_eval(j->syms, j->launch->symbol[i], look_up, (void *)s,
                       &numbers[i]))
      return false;
  }
  return true;
}

/* Lanes conflict through their values: these must not all be 0. */
static exec_options options_of(const search *s, uint64_t steps) {
  return (exec_options){.fill = s->kind == EVENT_LANE ? FILL_RANDOM : FILL_ZERO,
                        .stop_at_first = true,
                        .watch_races = true,
                        .only_inst = s->at->index,
                        .only_kind = s->kind,
                        .step_limit = steps};
}

/* Runs the launch, whole or the two programs given. */
static bool shows(search *s, const int64_t *first, const int64_t *second,
                  exec_event *event) {
  judge *j = s->judge;
  size_t n = exprs_symbol_count(j->program->exprs);
  arena *scratch = arena_create();
  assignment a = {.count = n,
                  .value = ARENA_ARRAY(scratch, int64_t, n + 1),
                  .known = ARENA_ARRAY(scratch, bool, n + 1)};
  bool found = false;
  *event = (exec_event){0};
  exec_machine *m = NULL;
  if (numbers_of(s, a.value, a.known))
    m = exec_create(scratch, j->program, &a, options_of(s, SMALL_STEPS), event);
  if (m && first) {
    exec_run(m, first, event);
    found = event->kind == s->kind;
    if (!found && second) {
      exec_run(m, second, event);
      found = event->kind == s->kind;
    }
  } else if (m) {
    exec_run_all(m, event);
    found = event->kind == s->kind;
  }
  uint64_t used = m ? exec_steps(m) + 1000 : 100;
  s->steps_left -= used < s->steps_left ? used : s->steps_left;
  if (found && event->detail)
    event->detail = arena_strdup(j->arena, event->detail);
  arena_destroy(scratch);
  return found;
}

/* The two programs of an event show it by themselves. */
static bool confirmed(search *s, const exec_event *event) {
  exec_event again;
  bool one = s->kind == EVENT_LANE;
  if (!shows(s, event->other_program, one ? NULL : event->program, &again))
    return false;
  s->event = again;
  return true;
}

/* The numbers do not contradict what is said of the launch. */
static bool keeps_facts(search *s) {
  const judge *j = s->judge;
  for (size_t i = 0; i < s->facts->count; i++) {
    int64_t holds;
    if (judge_is_launch_level(j, s->facts->at[i]) &&
        sym_eval(j->syms, s->facts->at[i], look_up, s, &holds) && !holds)
      return false;
  }
  return true;
}

static bool try_launch(search *s) {
  exec_event event;
  choose_strides(s);
  return keeps_facts(s) && shows(s, NULL, NULL, &event) && confirmed(s, &event);
}

/* ----------------------------------------------------------------- search */

static uint64_t next_random(search *s) {
  s->random = s->random * 6364136223846793005u + 1442695040888963407u;
  return s->random >> 33;
}

static int64_t const_value(search *s) {
  static const int64_t blocks[] = {16, 32, 1, 2, 4};
  return blocks[next_random(s) % (sizeof blocks / sizeof *blocks)];
}

/* How many values a switch has; 0: the variable is none. */
static uint32_t switch_values(const search *s, size_t i) {
  exprs *t = s->judge->program->exprs;
  for (size_t k = 0; k < exprs_symbol_count(t); k++)
    if (s->judge->launch->symbol[k] == s->variables[i])
      return exprs_symbol_at(t, k)->label_count;
  return 0;
}

static void set_all(search *s, int64_t n) {
  for (size_t i = 0; i < s->count; i++) {
    uint32_t values = switch_values(s, i);
    bool constant = sym_var_role(s->judge->syms, s->variables[i]) == ROLE_CONST;
    s->value[i] = values ? n % values : constant ? 16 : n;
  }
}

static void set_random(search *s) {
  for (size_t i = 0; i < s->count; i++) {
    uint32_t values = switch_values(s, i);
    bool constant = sym_var_role(s->judge->syms, s->variables[i]) == ROLE_CONST;
    s->value[i] = values     ? (int64_t)(next_random(s) % values)
                  : constant ? const_value(s)
                             : s->choices[next_random(s) % s->choice_count];
  }
}

static bool by_small_launches(search *s) {
  for (size_t k = 0; k < s->choice_count && s->steps_left; k++) {
    set_all(s, s->choices[k]);
    if (try_launch(s))
      return true;
  }
  for (int k = 0; k < RANDOM_LAUNCHES && s->steps_left; k++) {
    set_random(s);
    if (try_launch(s))
      return true;
  }
  return false;
}

static bool model_value(const model *m, sym atom, int64_t *value) {
  for (size_t i = 0; i < m->count; i++)
    if (m->entries[i].atom == atom) {
      *value = m->entries[i].value;
      return true;
    }
  return false;
}

/* The program of an instance in a model; the second one's ids carry a prime. */
static void program_of(const judge *j, const model *m, bool primed,
                       int64_t program[3]) {
  for (int axis = 0; axis < 3; axis++) {
    sym pid = j->launch->pid[axis];
    int64_t fixed;
    program[axis] = 0;
    if (sym_is_int(j->syms, pid, &fixed)) {
      program[axis] = fixed;
      continue;
    }
    if (primed)
      pid = sym_var(j->syms, ROLE_PROGRAM,
                    arena_printf(j->arena, "%s'", sym_var_name(j->syms, pid)));
    model_value(m, pid, &program[axis]);
  }
}

static bool by_solver(search *s, const sym_vec *facts) {
  static const int64_t limits[] = {4, 16, 128, 4096, 0};
  judge *j = s->judge;
  for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) {
    model m = {0};
    int64_t first[3], second[3];
    truth have = prover_model(j->pairs, facts->at, facts->count, limits[k],
                              j->arena, &m);
    if (have == UNSURE)
      return false;
    if (have != YES)
      continue;
    for (size_t i = 0; i < s->count; i++)
      if (!model_value(&m, s->variables[i], &s->value[i]))
        s->value[i] = 1;
    program_of(j, &m, false, first);
    program_of(j, &m, true, second);
    return shows(s, second, s->kind == EVENT_LANE ? NULL : first, &s->event);
  }
  return false;
}

/* ---------------------------------------------------------------- shrinking */

static bool try_value(search *s, size_t i, int64_t n) {
  int64_t *before =
      arena_copy(s->judge->arena, s->value, sizeof *s->value * (s->count + 1));
  exec_event event = s->event;
  s->value[i] = n;
  if (try_launch(s))
    return true;
  memcpy(s->value, before, sizeof *s->value * s->count);
  s->event = event;
  return false;
}

static void shrink(search *s) {
  int tries = SHRINK_TRIES;
  for (size_t i = 0; i < s->count; i++) {
    bool done = s->value[i] <= 1;
    for (int64_t n = 1; n <= 4 && n < s->value[i] && !done && tries-- > 0; n++)
      done = try_value(s, i, n);
    int64_t low = 4;
    while (!done && s->value[i] - low > 1 && tries-- > 0) {
      int64_t middle = low + (s->value[i] - low) / 2;
      if (!try_value(s, i, middle))
        low = middle;
    }
  }
}

const witness *judge_refute_pair(judge *j, const sym_vec *facts, const inst *at,
                                 fault kind) {
  static const event_kind shown[] = {[FAULT_RACE_STORE] = EVENT_RACE_STORE,
                                     [FAULT_RACE_LOAD] = EVENT_RACE_LOAD,
                                     [FAULT_LANE] = EVENT_LANE};
  search s = {.judge = j,
              .at = at,
              .kind = shown[kind],
              .facts = facts,
              .steps_left = ALL_STEPS,
              .random = 1};
  if (!judge_host_is_read(j))
    return NULL;
  collect_variables(&s);
  collect_choices(&s);
  if (!by_small_launches(&s)) {
    s.steps_left = ALL_STEPS;
    if (!by_solver(&s, facts))
      return NULL;
  }
  s.steps_left = ALL_STEPS;
  shrink(&s);
  size_t n = exprs_symbol_count(j->program->exprs);
  int64_t *numbers = ARENA_ARRAY(j->arena, int64_t, n + 1);
  bool *known = ARENA_ARRAY(j->arena, bool, n + 1);
  strbuf text = strbuf_make(j->arena);
  numbers_of(&s, numbers, known);
  program_print(j->program, &text);
  return witness_make(j, numbers, &s.event, text.text, s.event.detail);
}
