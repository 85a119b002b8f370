/* Walks of tiles against the interpreter: for kernels of the corpus at random
 * small sizes, the tiles that a walk says a program touches are those whose
 * lanes the interpreter records, in the same order. */
#include "analysis/launch.h"
#include "base/map.h"
#include "exec/exec.h"
#include "parser/parser.h"
#include "traffic/cache.h"
#include "traffic/footprint.h"
#include "traffic/walk.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/* What one access addressed at one moment. */
typedef struct event {
  uint32_t inst;
  int64_t lanes, elements, first;
  uint64_t hash; /* of the addresses, whatever their order */
} event;
typedef VEC(event) event_vec;

typedef struct trial {
  arena *scratch;
  tile_program *program;
  uint64_t seed;
  event_vec walked, ran;
  const walk *walk;
  /* The access that the interpreter is at. */
  uint32_t inst, turn_count;
  int64_t turns[8];
  VEC(int64_t) addresses;
  bool *skipped; /* by instruction: refused by the walk */
} trial;

static uint64_t next_random(uint64_t *state) {
  *state += 0x9e3779b97f4a7c15u;
  return hash_mix(17, *state);
}

/* ------------------------------------------------------------- the walk */

static void touched(void *context, touch t) {
  trial *self = context;
  const tile *tile = walk_tile(self->walk, t.tile);
  const offset_set *set = walk_tile_offsets(self->walk, t.tile);
  event e = {.inst = walk_access(self->walk, t.access)->inst->index,
             .lanes = t.lanes,
             .elements = set->count,
             .first = tile->first};
  for (size_t i = 0; i < set->run_count; i++)
    for (int64_t k = 0; k < set->runs[i].length; k++)
      e.hash += hash_mix(3, (uint64_t)(tile->first + set->runs[i].first + k));
  VEC_PUSH(self->scratch, &self->walked, e);
}

/* ------------------------------------------------------ the interpreter */

static int ascending(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

static void end_access(trial *self) {
  int64_t *at = self->addresses.at;
  size_t n = self->addresses.count;
  self->addresses.count = 0;
  if (n == 0 || self->skipped[self->inst])
    return;
  qsort(at, n, sizeof *at, ascending);
  event e = {.inst = self->inst, .lanes = (int64_t)n, .first = at[0]};
  for (size_t i = 0; i < n; i++)
    if (i == 0 || at[i] != at[i - 1]) {
      e.hash += hash_mix(3, (uint64_t)at[i]);
      e.elements++;
    }
  VEC_PUSH(self->scratch, &self->ran, e);
}

static void recorded(void *context, const exec_access *now) {
  trial *self = context;
  bool same = self->inst == now->inst && self->turn_count == now->turn_count;
  for (uint32_t i = 0; i < now->turn_count && same; i++)
    same = self->turns[i] == now->turns[i];
  if (!same)
    end_access(self);
  self->inst = now->inst;
  self->turn_count = now->turn_count;
  for (uint32_t i = 0; i < now->turn_count; i++)
    self->turns[i] = now->turns[i];
  VEC_PUSH(self->scratch, &self->addresses, now->offset);
}

/* --------------------------------------------------------------- launches */

enum { SIZES = 3 };

/* Few different sizes, so that equations between sizes hold now and then. */
static int64_t random_number(const symbol *s, const int64_t *sizes,
                             uint64_t *seed) {
  static const int64_t blocks[] = {16, 16, 32, 16};
  uint64_t r = next_random(seed);
  if (s->role == SYMBOL_CONST)
    return s->pow2 ? blocks[r % 4] : 1 + (int64_t)(r % 4);
  return s->role == SYMBOL_GRID ? 1 + (int64_t)(r % 4) : sizes[r % SIZES];
}

static void set_dense_strides(trial *t, int64_t *numbers, const bool *known) {
  const tile_program *p = t->program;
  for (uint32_t k = 0; k < p->tensors.count; k++) {
    const tensor *x = &p->tensors.at[k];
    int64_t step = 1, extent;
    for (unsigned d = x->rank; d-- > 0;) {
      size_t index;
      if (expr_kind_of(p->exprs, x->stride[d]) == EXPR_SYMBOL) {
        expr_symbol(p->exprs, x->stride[d], &index);
        numbers[index] = step;
      }
      if (!expr_eval(p->exprs, x->extent[d], numbers, known, &extent))
        return;
      step *= extent > 1 ? extent : 1;
    }
  }
}

/* The launch's own number, where the program depends on it. */
static bool is_fixed(const tile_program *p, size_t index) {
  const symbol *s = exprs_symbol_at(p->exprs, index);
  for (size_t i = 0; i < p->decided.count; i++)
    if (p->decided.at[i] == exprs_symbol_expr(p->exprs, index))
      return true;
  return s->pinned && !(s->role == SYMBOL_CONST && s->pow2);
}

/* Two symbols that a fact says are equal get one number. */
static void meet_equations(const tile_program *p, int64_t *numbers) {
  for (size_t i = 0; i < p->facts.count; i++) {
    expr sides[3];
    size_t a, b;
    if (expr_kind_of(p->exprs, p->facts.at[i].condition) != EXPR_EQ)
      continue;
    expr_operands(p->exprs, p->facts.at[i].condition, sides);
    if (expr_kind_of(p->exprs, sides[0]) != EXPR_SYMBOL ||
        expr_kind_of(p->exprs, sides[1]) != EXPR_SYMBOL)
      continue;
    expr_symbol(p->exprs, sides[0], &a);
    expr_symbol(p->exprs, sides[1], &b);
    numbers[is_fixed(p, a) ? b : a] = numbers[is_fixed(p, a) ? a : b];
  }
}

static bool choose(trial *t, int64_t *numbers, bool *known) {
  exprs *x = t->program->exprs;
  int64_t sizes[SIZES];
  for (size_t i = 0; i < SIZES; i++)
    sizes[i] = (int64_t)(next_random(&t->seed) % 70);
  sizes[0] = next_random(&t->seed) % 4 ? 16 : 128;
  for (size_t i = 0; i < exprs_symbol_count(x); i++) {
    const symbol *s = exprs_symbol_at(x, i);
    numbers[i] =
        is_fixed(t->program, i) ? s->pin : random_number(s, sizes, &t->seed);
    known[i] = true;
  }
  meet_equations(t->program, numbers);
  set_dense_strides(t, numbers, known);
  for (size_t i = 0; i < t->program->facts.count; i++) {
    int64_t holds;
    if (!expr_eval(x, t->program->facts.at[i].condition, numbers, known,
                   &holds) ||
        !holds)
      return false;
  }
  return true;
}

static void pin(trial *t, const int64_t *numbers, bool *was) {
  exprs *x = t->program->exprs;
  for (size_t i = 0; i < exprs_symbol_count(x); i++) {
    symbol *s = exprs_symbol_at(x, i);
    was[i] = s->pinned;
    s->pinned = true;
    s->pin = numbers[i];
  }
}

static void unpin(trial *t, const bool *was) {
  exprs *x = t->program->exprs;
  for (size_t i = 0; i < exprs_symbol_count(x); i++)
    exprs_symbol_at(x, i)->pinned = was[i];
}

static void compare(const trial *t, int64_t program) {
  bool same = t->walked.count == t->ran.count;
  for (size_t i = 0; i < t->ran.count && same; i++) {
    const event *a = &t->walked.at[i], *b = &t->ran.at[i];
    same = a->inst == b->inst && a->lanes == b->lanes &&
           a->elements == b->elements && a->first == b->first &&
           a->hash == b->hash;
    if (!same)
      printf("walked %u %lld+%lld (%lld lanes), ran %u %lld+%lld (%lld)\n",
             a->inst, (long long)a->first, (long long)a->elements,
             (long long)a->lanes, b->inst, (long long)b->first,
             (long long)b->elements, (long long)b->lanes);
  }
  if (!same)
    fail_msg("%s: %s: program %lld: %zu tiles walked, %zu ran",
             t->program->path, t->program->kernel, (long long)program,
             t->walked.count, t->ran.count);
}

/* Programs compared; 0 when the launch has no model or the run shows an event
 * (wrapping, a place outside a tensor). */
static size_t run_launch(trial *t, walk *w, exec_machine *m) {
  walk_visitor v = {.context = t, .touched = touched};
  const sizes *s = walk_sizes(w);
  size_t compared = 0;
  t->walk = w;
  for (int64_t i = 0; i < sizes_programs(s) && i < 40; i++) {
    int64_t id[3] = {i % s->grid[0], i / s->grid[0] % s->grid[1],
                     i / s->grid[0] / s->grid[1]};
    exec_event event;
    trouble why;
    t->walked.count = t->ran.count = t->addresses.count = 0;
    t->inst = UINT32_MAX;
    if (exec_run(m, id, &event))
      return compared;
    end_access(t);
    assert_true(walk_program(w, i, &v, &why));
    compare(t, i);
    compared++;
  }
  return compared;
}

static size_t try_launch(trial *t, const int64_t *numbers, bool *known) {
  size_t n = exprs_symbol_count(t->program->exprs);
  bool *was = ARENA_ARRAY(t->scratch, bool, n + 1);
  assignment all = {(int64_t *)numbers, known, n};
  exec_options options = {.fill = FILL_RANDOM,
                          .seed = t->seed,
                          .step_limit = (uint64_t)1 << 24,
                          .stop_at_first = true,
                          .recorder = recorded,
                          .recorder_context = t};
  exec_event refused;
  size_t compared = 0;
  sizes sizes;
  dtype_vec none = {0};
  trouble why;
  pin(t, numbers, was);
  judge *j =
      judge_create(t->program->arena, t->program, true, (analysis_options){0});
  unpin(t, was);
  exec_machine *m =
      exec_create(t->scratch, t->program, &all, options, &refused);
  if (m && sizes_resolve(j, &none, &sizes, &why)) {
    walk *w = walk_create(j, &sizes, &why);
    t->skipped = ARENA_ARRAY(t->scratch, bool, t->program->inst_count + 2);
    for (size_t i = 0; w && i < walk_refused_count(w); i++)
      t->skipped[walk_refused(w, i, &why)->inst->index] = true;
    if (w)
      compared = run_launch(t, w, m);
  }
  return compared;
}

static size_t try_program(tile_program *p, uint64_t seed) {
  enum { LAUNCHES = 10, TRIES = 3000 };
  size_t n = exprs_symbol_count(p->exprs), compared = 0;
  trial t = {.program = p, .seed = seed};
  for (int launch = 0, tries = 0; launch < LAUNCHES && tries < TRIES; tries++) {
    t.scratch = arena_create();
    int64_t *numbers = ARENA_ARRAY(t.scratch, int64_t, n + 1);
    bool *known = ARENA_ARRAY(t.scratch, bool, n + 1);
    t.walked = t.ran = (event_vec){0};
    memset(&t.addresses, 0, sizeof t.addresses);
    if (choose(&t, numbers, known)) {
      compared += try_launch(&t, numbers, known);
      launch++;
    }
    arena_destroy(t.scratch);
  }
  return compared;
}

static size_t try_file(const char *path) {
  arena *run = arena_create();
  const char *why = NULL;
  const source *text = source_read(run, path, &why);
  size_t compared = 0;
  if (!text)
    fail_msg("%s: %s", path, why);
  parsed_file *file = parse_file(run, text, (parse_options){0});
  for (size_t k = 0; k < file->kernels.count; k++)
    for (size_t i = 0; i < file->kernels.at[k].programs.count; i++)
      if (!file->kernels.at[k].helper)
        compared += try_program(file->kernels.at[k].programs.at[i], 1);
  arena_destroy(run);
  return compared;
}

static void walks_are_runs(void **state) {
  static const char *const files[] = {
      "corpus/tutorial/vector_add.py",
      "corpus/tutorial/softmax.py",
      "corpus/tutorial/matmul.py",
      "corpus/tutorial/matmul_grouped.py",
      "corpus/tutorial/matmul_persistent.py",
      "corpus/tutorial/matmul_split_k.py",
      "corpus/tutorial/flash_attention.py",
      "corpus/tutorial/layer_norm.py",
      "corpus/tutorial/copy_2d.py",
      "corpus/patterns/batched_matmul.py",
      "corpus/patterns/grouped_order.py",
      "corpus/patterns/persistent_loop.py",
      "corpus/patterns/carried_pointers.py",
      "corpus/patterns/early_return.py",
      "corpus/patterns/grid_3d.py",
      "corpus/patterns/reverse.py",
      "corpus/patterns/rope.py",
      "corpus/patterns/transpose.py",
      "corpus/hostile/while_counts.py",
  };
  (void)state;
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
    size_t compared = try_file(files[i]);
    printf("%s: %zu programs\n", files[i], compared);
    if (compared == 0)
      fail_msg("%s: nothing was compared", files[i]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(walks_are_runs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
