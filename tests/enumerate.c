/* tests/enumerate.c: runs what was proved.
 *
 *   enumerate FILE [LAUNCHES [SEED]]
 *
 * For each tile program of a Python file, random launches that its facts allow
 * (sizes around 0, 1 and multiples of blocks, in every eighth launch one size
 * near the limit of 32 bits, of which some programs are run) are run in the
 * interpreter. Then again under what the requirements ask, so that a
 * `proved-if` is tested as a proof. Each
 * live lane of each access is compared with what the analysis says of it: the
 * path facts and the mask hold there, and the address is the number that the
 * symbolic offset gives. An access with a verdict `proved` must show no event;
 * in every fourth launch races are watched too. An access about which something
 * is proved must be reached by some lane, or the solver must find a launch,
 * program and lane that reach it: nothing is proved of what cannot be.
 * Prints a line for each program; exit status 1 on any disagreement. */
#include "analysis/judge.h"
#include "analysis/prover.h"
#include "checks/analyse.h"
#include "exec/exec.h"
#include "parser/parser.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct trial {
  const tile_program *program;
  const launch *launch;
  const interp_result *result;
  const int64_t *numbers;
  uint32_t
      loops_of[64]; /* loop instructions around the access, outermost first */
  uint32_t loop_count;
  const exec_access *now;
  uint64_t lanes, lanes_of_launch, compared, failures;
  bool *reached; /* by access */
  arena *scratch;
} trial;

static uint64_t next_random(uint64_t *state) {
  *state += 0x9e3779b97f4a7c15u;
  uint64_t z = *state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/* ------------------------------------------------------ abstract values */

static bool loops_around(const region *r, uint32_t index, trial *t) {
  for (size_t i = 0; i < r->insts.count; i++) {
    const inst *it = r->insts.at[i];
    if (it->index == index)
      return true;
    bool loop = it->kind == NODE_FOR || it->kind == NODE_WHILE;
    if (loop)
      t->loops_of[t->loop_count++] = it->index;
    for (int k = 0; k < 2; k++)
      if (it->regions[k] && loops_around(it->regions[k], index, t))
        return true;
    if (loop)
      t->loop_count--;
  }
  return false;
}

static bool symbol_number(const trial *t, sym atom, int64_t *value) {
  for (size_t i = 0; i < exprs_symbol_count(t->program->exprs); i++)
    if (t->launch->symbol[i] == atom) {
      *value = t->numbers[i];
      return true;
    }
  return false;
}

static bool lookup(void *context, const symtab *s, sym atom, int64_t *value) {
  const trial *t = context;
  char name[32];
  if (sym_kind_of(s, atom) != SYM_VAR)
    return false;
  for (int axis = 0; axis < 3; axis++)
    if (atom == t->launch->pid[axis]) {
      *value = t->now->program[axis];
      return true;
    }
  for (uint32_t k = 0; k < t->now->lane_count; k++)
    if (atom == launch_lane(t->launch, t->now->lane_count - 1 - k)) {
      *value = t->now->lane[k];
      return true;
    }
  for (uint32_t k = 0; k < t->loop_count && k < t->now->turn_count; k++) {
    snprintf(name, sizeof name, "turn%u", t->loops_of[k]);
    if (strcmp(name, sym_var_name(s, atom)) == 0) {
      *value = t->now->turns[k];
      return true;
    }
  }
  return symbol_number(t, atom, value);
}

static void complain(trial *t, const char *what, sym e) {
  if (t->failures++ > 5)
    return;
  printf("  line %u: program (%lld, %lld, %lld): %s: %s\n", t->now->at.line,
         (long long)t->now->program[0], (long long)t->now->program[1],
         (long long)t->now->program[2], what,
         sym_text(t->launch->syms, e, t->scratch));
}

static void expect_true(trial *t, const char *what, sym fact) {
  int64_t value;
  if (!sym_eval(t->launch->syms, fact, lookup, t, &value))
    return;
  t->compared++;
  if (!value)
    complain(t, what, fact);
}

static void expect_offset(trial *t, const access *a) {
  int64_t value;
  if (a->pointer.form != VALUE_POINTER || a->pointer.of == SYM_NONE)
    return;
  if (!sym_eval(t->launch->syms, a->pointer.of, lookup, t, &value))
    return;
  t->compared++;
  if (value != t->now->offset)
    complain(t, "the address is another", a->pointer.of);
}

static void record(void *context, const exec_access *now) {
  trial *t = context;
  enum { ALL = 4096, THEN = 61 }; /* of a long launch one lane in so many */
  t->now = now;
  t->lanes++;
  if (t->lanes_of_launch++ > ALL && t->lanes_of_launch % THEN)
    return;
  t->loop_count = 0;
  loops_around(t->program->body, now->inst, t);
  for (size_t k = 0; k < t->result->accesses.count; k++) {
    const access *a = &t->result->accesses.at[k];
    if (a->inst->index != now->inst || a->opaque)
      continue;
    t->reached[k] = true;
    for (size_t i = 0; i < t->launch->facts.count; i++)
      expect_true(t, "launch fact", t->launch->facts.at[i]);
    for (size_t i = 0; i < a->facts.count; i++)
      expect_true(t, "path fact", a->facts.at[i]);
    expect_true(t, "mask", a->mask);
    expect_offset(t, a);
    return;
  }
}

/* ------------------------------------------------------- random launches */

static int64_t random_number(const symbol *s, uint64_t *seed) {
  static const int64_t blocks[] = {1, 2, 4, 8, 16, 16, 32, 64};
  uint64_t r = next_random(seed);
  if (s->pinned)
    return s->pin;
  if (s->role == SYMBOL_CONST)
    return blocks[r % 8];
  if (s->role == SYMBOL_GRID)
    return 1 + (int64_t)(r % 4);
  switch (r % 4) {
  case 0:
    return (int64_t)(r >> 8) % 3;
  case 1:
    return blocks[(r >> 8) % 8] + (int64_t)((r >> 16) % 3) - 1;
  default:
    return (int64_t)(r >> 8) % 40;
  }
}

/* What an allocator makes: row-major strides, where the program leaves those of
 * an allocation open. */
static void set_dense_strides(const tile_program *p, int64_t *numbers,
                              const bool *known) {
  for (uint32_t k = 0; k < p->tensors.count; k++) {
    const tensor *x = &p->tensors.at[k];
    int64_t step = 1, extent;
    if (!launch_is_dense(p, k))
      continue;
    for (unsigned d = x->rank; d-- > 0;) {
      size_t index;
      expr_symbol(p->exprs, x->stride[d], &index);
      numbers[index] = step;
      if (!expr_eval(p->exprs, x->extent[d], numbers, known, &extent))
        return;
      step *= extent > 1 ? extent : 1;
    }
  }
}

/* One size or integer gets as large as the others let it: half the limit, the
 * limit divided by what stands beside it, a little less than either. */
static void enlarge_one(const tile_program *p, int64_t *numbers,
                        uint64_t *seed) {
  size_t n = exprs_symbol_count(p->exprs);
  size_t at = n ? next_random(seed) % n : 0;
  int64_t beside = 1;
  for (size_t i = 0; i < n; i++) {
    const symbol *s = exprs_symbol_at(p->exprs, i);
    bool counts = s->role == SYMBOL_SIZE || s->role == SYMBOL_INT;
    if (i != at && counts && numbers[i] > 1 && beside < p->max_numel)
      beside *= numbers[i];
  }
  const symbol *s = n ? exprs_symbol_at(p->exprs, at) : NULL;
  if (s && !s->pinned && (s->role == SYMBOL_SIZE || s->role == SYMBOL_INT))
    numbers[at] = p->max_numel / (next_random(seed) % 2 ? beside : 1) /
                      (1 + (int64_t)(next_random(seed) % 2)) -
                  (int64_t)(next_random(seed) % 3);
}

static bool random_launch(const tile_program *p, int64_t *numbers, bool *known,
                          bool huge, uint64_t *seed) {
  size_t n = exprs_symbol_count(p->exprs);
  for (size_t i = 0; i < n; i++) {
    numbers[i] = random_number(exprs_symbol_at(p->exprs, i), seed);
    known[i] = true;
  }
  if (huge)
    enlarge_one(p, numbers, seed);
  set_dense_strides(p, numbers, known);
  for (size_t i = 0; i < p->facts.count; i++) {
    int64_t holds;
    if (!expr_eval(p->exprs, p->facts.at[i].condition, numbers, known,
                   &holds) ||
        !holds)
      return false;
  }
  return true;
}

/* The verdict about what the event shows. */
static bool is_about(const verdict *v, event_kind kind) {
  switch ((int)kind) {
  case EVENT_OUTSIDE:
    return verdict_is_bounds(v);
  case EVENT_DIV_ZERO:
    return v->code == CHECK_302;
  case EVENT_RACE_STORE:
    return v->code == CHECK_401;
  case EVENT_RACE_LOAD:
    return v->code == CHECK_402;
  case EVENT_LANE:
    return v->code == CHECK_403;
  default:
    return false;
  }
}

static bool is_proved(const verdict_vec *verdicts, const exec_event *event) {
  for (size_t i = 0; i < verdicts->count; i++) {
    const verdict *v = &verdicts->at[i];
    if (v->at.line == event->at.line && v->at.column == event->at.column &&
        v->kind == VERDICT_PROVED && is_about(v, event->kind))
      return true;
  }
  return false;
}

/* All programs, or the first, the last and some between of a large grid. */
static bool run(exec_machine *m, uint64_t seed, exec_event *event) {
  enum { MOST = 4096, SAMPLES = 6 };
  int64_t grid[3], programs = 1;
  exec_grid(m, grid);
  for (int axis = 0; axis < 3; axis++)
    programs = grid[axis] > MOST ? MOST + 1 : programs * grid[axis];
  if (programs <= MOST)
    return exec_run_all(m, event) > 0;
  for (int k = 0; k < SAMPLES; k++) {
    int64_t id[3];
    for (int axis = 0; axis < 3; axis++)
      id[axis] = grid[axis] < 1 || k == 0 ? 0
                 : k == 1
                     ? grid[axis] - 1
                     : (int64_t)(next_random(&seed) % (uint64_t)grid[axis]);
    if (exec_run(m, id, event) > 0)
      return true;
  }
  return false;
}

static uint64_t one_launch(trial *t, const verdict_vec *verdicts,
                           const bool *known, uint64_t seed, bool races,
                           bool huge) {
  assignment numbers = {(int64_t *)t->numbers, (bool *)known,
                        exprs_symbol_count(t->program->exprs)};
  exec_options options = {.fill = FILL_RANDOM,
                          .seed = seed,
                          .step_limit = (uint64_t)1 << (huge    ? 14
                                                        : races ? 18
                                                                : 22),
                          .watch_races = races,
                          .stop_at_first = true, /* nothing holds after it */
                          .recorder = record,
                          .recorder_context = t};
  exec_event event = {0};
  t->lanes_of_launch = 0;
  exec_machine *m =
      exec_create(t->scratch, t->program, &numbers, options, &event);
  if (!m)
    return 0;
  if (run(m, seed, &event) && is_proved(verdicts, &event)) {
    t->failures++;
    printf("  line %u: proved, but a run shows %s\n", event.at.line,
           event_kind_name(event.kind));
    for (size_t i = 0; i < numbers.count; i++)
      printf("    %s = %lld\n", exprs_symbol_at(t->program->exprs, i)->name,
             (long long)t->numbers[i]);
  }
  return 1;
}

/* Each axis steps over all that the axes with smaller strides reach. */
static bool are_apart(const tile_program *p, const tensor *x,
                      const int64_t *numbers, const bool *known) {
  int64_t extent[TYPE_MAX_RANK], stride[TYPE_MAX_RANK];
  for (unsigned d = 0; d < x->rank; d++)
    if (!expr_eval(p->exprs, x->extent[d], numbers, known, &extent[d]) ||
        !expr_eval(p->exprs, x->stride[d], numbers, known, &stride[d]))
      return false;
  for (unsigned d = 0; d < x->rank; d++) {
    int64_t reach = 0;
    for (unsigned e = 0; e < x->rank; e++)
      if (e != d &&
          (stride[e] < stride[d] || (stride[e] == stride[d] && e < d)))
        reach += extent[e] > 1 ? (extent[e] - 1) * stride[e] : 0;
    if (extent[d] > 1 && stride[d] <= reach)
      return false;
  }
  return true;
}

/* The launch keeps what `disjoint` promises. */
static bool keeps_apart(const tile_program *p, const int64_t *numbers,
                        const bool *known) {
  for (size_t k = 0; k < p->tensors.count; k++)
    if (p->tensors.at[k].known && p->tensors.at[k].disjoint &&
        !are_apart(p, &p->tensors.at[k], numbers, known))
      return false;
  return true;
}

static bool claims_about(const verdict_vec *verdicts, const inst *at) {
  for (size_t i = 0; i < verdicts->count; i++) {
    const verdict *v = &verdicts->at[i];
    if (v->at.line == at->at.line && v->at.column == at->at.column &&
        verdict_is_bounds(v) &&
        (v->kind == VERDICT_PROVED || v->kind == VERDICT_PROVED_IF))
      return true;
  }
  return false;
}

/* Some launch, program, turn and lane meet the facts of the access. */
static bool has_point(tile_program *p, size_t index) {
  static const int64_t limits[] = {64, 4096, 0};
  const analysis_options options = {0};
  judge *j = judge_create(p->arena, p, true, options);
  sym_vec facts =
      judge_access_facts(j, &judge_result(j)->accesses.at[index], NULL);
  prover *solver =
      prover_create(p->arena, judge_launch(j)->syms, (prover_options){0});
  for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
    model m;
    if (prover_model(solver, facts.at, facts.count, limits[i], p->arena, &m) ==
        YES)
      return true;
  }
  return false;
}

typedef VEC(const char *) text_vec;

static void note_requirements(arena *run, const verdict_vec *verdicts,
                              text_vec *out) {
  for (size_t i = 0; i < verdicts->count; i++)
    for (size_t k = 0; k < verdicts->at[i].requires.count; k++) {
      const char *text = verdicts->at[i].requires.at[k];
      bool known = false;
      for (size_t m = 0; m < out->count; m++)
        known = known || strcmp(out->at[m], text) == 0;
      if (!known)
        VEC_PUSH(run, out, arena_strdup(run, text));
    }
}

static uint64_t enumerate(arena *run, tile_program *p, uint64_t launches,
                          uint64_t seed, text_vec *requirements) {
  size_t n = exprs_symbol_count(p->exprs);
  int64_t *numbers = ARENA_ARRAY(p->arena, int64_t, n + 1);
  bool *known = ARENA_ARRAY(p->arena, bool, n + 1);
  verdict_vec verdicts = {0};
  analysis_options options = {0};
  analyse(p, options, NULL, &verdicts, NULL, NULL);
  note_requirements(run, &verdicts, requirements);
  symtab *syms = symtab_create(p->arena);
  trial t = {.program = p, .numbers = numbers};
  t.launch = launch_create(p->arena, p, syms, false);
  t.result = interpret(p->arena, t.launch);
  t.reached = ARENA_ARRAY(p->arena, bool, t.result->accesses.count + 1);
  uint64_t ran = 0;
  for (uint64_t k = 0; ran < launches && k < launches * 200; k++) {
    bool huge = ran % 8 == 6;
    if (!random_launch(p, numbers, known, huge, &seed))
      continue;
    t.scratch = arena_create();
    ran += one_launch(&t, &verdicts, known, seed,
                      ran % 4 == 3 && keeps_apart(p, numbers, known), huge);
    arena_destroy(t.scratch);
  }
  for (size_t i = 0; i < t.result->accesses.count; i++)
    if (!t.reached[i] && !t.result->accesses.at[i].opaque &&
        claims_about(&verdicts, t.result->accesses.at[i].inst) &&
        !has_point(p, i)) {
      t.failures++;
      printf("  line %u: proved, but nothing reaches it\n",
             t.result->accesses.at[i].inst->at.line);
    }
  printf("%s %s line %u: %llu launches, %llu lanes, %llu comparisons, %llu "
         "failures\n",
         p->path, p->kernel, p->launch_line, (unsigned long long)ran,
         (unsigned long long)t.lanes, (unsigned long long)t.compared,
         (unsigned long long)t.failures);
  return t.failures;
}

/* Under the assumptions; the requirements found go to *out. */
static uint64_t enumerate_file(arena *run, const source *text,
                               const text_vec *assumptions, uint64_t launches,
                               uint64_t seed, text_vec *out) {
  parse_options options = {.assumptions = assumptions->at,
                           .assumption_count = assumptions->count};
  parsed_file *file = parse_file(run, text, options);
  uint64_t failures = 0;
  for (size_t k = 0; k < file->kernels.count; k++)
    for (size_t i = 0; i < file->kernels.at[k].programs.count; i++)
      failures += enumerate(run, file->kernels.at[k].programs.at[i], launches,
                            seed, out);
  return failures;
}

int main(int argc, char **argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: enumerate FILE [LAUNCHES [SEED]]\n");
    return 2;
  }
  uint64_t launches = argc > 2 ? strtoull(argv[2], NULL, 10) : 200;
  uint64_t seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
  arena *run = arena_create();
  const char *why = NULL;
  const source *text = source_read(run, argv[1], &why);
  if (!text) {
    fprintf(stderr, "enumerate: %s: %s\n", argv[1], why);
    return 2;
  }
  text_vec requirements = {0}, none = {0};
  uint64_t failures =
      enumerate_file(run, text, &none, launches, seed, &requirements);
  if (requirements.count)
    failures += enumerate_file(run, text, &requirements, launches, seed, &none);
  arena_destroy(run);
  return failures ? 1 : 0;
}
