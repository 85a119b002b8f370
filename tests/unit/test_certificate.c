/* tests/unit/test_certificate.c: what the certificates prove is true.
 *
 * Random facts and goals, and real obligations with facts left out and goals
 * shifted: whenever a proof is claimed, brute force over small integers must
 * not find a point where the facts hold and the goal does not. */
#include "analysis/prover.h"
#include "base/vec.h"
#include "obligations.h"
#include "points.h"
#include "sym_reader.h"
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

typedef VEC(sym) sym_list;

static uint64_t random_state = 1;

static uint64_t next_random(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state * UINT64_C(2685821657736338717) >> 11;
}

static int64_t pick(int64_t low, int64_t high) {
  return low + (int64_t)(next_random() % (uint64_t)(high - low + 1));
}

enum { FEW = 5 };

typedef struct problem {
  arena *arena;
  symtab *t;
  sym variables[FEW];
  sym_list facts;
  sym goal;
} problem;

static sym random_number(problem *p, int depth);

static sym random_truth(problem *p, int depth) {
  sym a = random_number(p, depth), b = random_number(p, depth);
  switch (pick(0, 9)) {
  case 0:
    return sym_eq(p->t, a, b);
  case 1:
    return sym_ne(p->t, a, b);
  case 2:
    return sym_or(p->t, sym_ge(p->t, a, b), random_truth(p, 0));
  case 3:
    return sym_and(p->t, sym_le(p->t, a, b), random_truth(p, 0));
  default:
    return sym_ge(p->t, a, b);
  }
}

static sym random_number(problem *p, int depth) {
  if (depth == 0 || pick(0, 4) == 0)
    return pick(0, 3) ? p->variables[pick(0, FEW - 1)]
                      : sym_int(p->t, pick(-3, 4));
  sym a = random_number(p, depth - 1), b = random_number(p, depth - 1);
  switch (pick(0, 15)) {
  case 0:
    return sym_fdiv(p->t, a, b);
  case 1:
    return sym_fmod(p->t, a, b);
  case 2:
    return sym_tdiv(p->t, a, b);
  case 3:
    return sym_tmod(p->t, a, b);
  case 4:
    return sym_min(p->t, a, b);
  case 5:
    return sym_max(p->t, a, b);
  case 6:
    return sym_select(p->t, random_truth(p, 0), a, b);
  case 7:
    return sym_cdiv(p->t, a, b);
  case 8:
    return sym_pow2ceil(p->t, a);
  case 9:
  case 10:
  case 11:
    return sym_mul(p->t, a, b);
  case 12:
    return sym_sub(p->t, a, b);
  default:
    return sym_add(p->t, a, b);
  }
}

/* Facts of the usual kinds, so that many goals do follow. */
static sym usual_fact(problem *p) {
  symtab *t = p->t;
  int64_t first = pick(0, FEW - 1), step = pick(0, 1) ? 1 : 3;
  sym x = p->variables[first], y = p->variables[(first + step) % FEW];
  sym z = p->variables[(first + 2) % FEW];
  sym w = p->variables[(first + 3 * step) % FEW];
  sym v = p->variables[(first + 4) % FEW];
  switch (pick(0, 10)) {
  case 0:
  case 1:
    return sym_ge(t, x, sym_int(t, pick(-1, 2)));
  case 2:
  case 3:
    return sym_lt(t, x, y);
  case 4:
    return sym_lt(t, x, sym_mul(t, y, z));
  case 5:
    return sym_lt(t, sym_add(t, sym_mul(t, x, y), z), w);
  case 6:
    return sym_eq(t, sym_fmod(t, x, y), sym_int(t, 0));
  case 7:
    return sym_eq(t, x, sym_mul(t, y, z));
  case 8: /* two instances */
    return sym_eq(t, sym_add(t, sym_mul(t, x, y), z),
                  sym_add(t, sym_mul(t, v, y), w));
  case 9:
    return sym_and(t, sym_ge(t, x, sym_int(t, 0)), sym_lt(t, x, y));
  default:
    return random_truth(p, 2);
  }
}

static problem random_problem(void) {
  static const char *const names[] = {"v", "w", "x", "y", "z"};
  problem p = {.arena = arena_create()};
  p.t = symtab_create(p.arena);
  for (int i = 0; i < FEW; i++)
    p.variables[i] = sym_var(p.t, (sym_role)pick(0, 6), names[i]);
  for (int64_t i = 0, n = pick(1, 5); i < n; i++)
    VEC_PUSH(p.arena, &p.facts, usual_fact(&p));
  if (pick(0, 1))
    p.goal = random_truth(&p, 2);
  else
    p.goal = usual_fact(&p);
  return p;
}

static points_goal brute_force(const symtab *t, const sym *facts, size_t n,
                               sym goal, points p) {
  points_goal g = {.goal = goal, .enough = SIZE_MAX};
  if (p.random)
    g.enough = 400;
  points_list(&p, t, facts, n, goal);
  p.visit = points_check;
  p.context = &g;
  points_search(&p);
  return g;
}

static void show(const symtab *t, arena *a, const sym *facts, size_t n,
                 sym goal) {
  for (size_t i = 0; i < n; i++)
    print_message("  %s\n", sym_text(t, facts[i], a));
  print_message("  |- %s\n", sym_text(t, goal, a));
}

static size_t proved_count, vacuous_count;

static void check_problem(problem *p, bool solver) {
  prover_options options = {.no_z3 = !solver, .rlimit = 20000};
  prover *pr = prover_create(p->arena, p->t, options);
  proof result = prover_prove(pr, p->facts.at, p->facts.count, p->goal);
  if (!result.proved)
    return;
  points box = {.low = -2, .high = 4, .steps = 200000};
  points_goal g = brute_force(p->t, p->facts.at, p->facts.count, p->goal, box);
  if (g.violated)
    show(p->t, p->arena, p->facts.at, p->facts.count, p->goal);
  assert_int_equal(g.violated, 0);
  proved_count++;
  vacuous_count += g.satisfied == 0;
}

static void certificates_prove_no_falsehood(void **state) {
  (void)state;
  random_state = 12345;
  proved_count = vacuous_count = 0;
  for (int i = 0; i < 6000; i++) {
    problem p = random_problem();
    check_problem(&p, false);
    arena_destroy(p.arena);
  }
  print_message("%zu proved, %zu of them without a small point\n", proved_count,
                vacuous_count);
  assert_true(proved_count - vacuous_count > 250);
}

static void the_solver_proves_no_falsehood(void **state) {
  (void)state;
  random_state = 777;
  proved_count = vacuous_count = 0;
  for (int i = 0; i < 150; i++) {
    problem p = random_problem();
    check_problem(&p, true);
    arena_destroy(p.arena);
  }
  print_message("%zu proved\n", proved_count);
}

/* A model satisfies the facts; "none" means that there is no small point. */
static void models_are_right(void **state) {
  (void)state;
  random_state = 4321;
  size_t yes = 0, no = 0, unsure = 0;
  for (int i = 0; i < 120; i++) {
    problem p = random_problem();
    prover *pr = prover_create(p.arena, p.t, (prover_options){.rlimit = 50000});
    model m;
    truth answer = prover_model(pr, p.facts.at, p.facts.count, 0, p.arena, &m);
    points box = {.low = -2, .high = 4, .steps = 200000};
    points_goal g =
        brute_force(p.t, p.facts.at, p.facts.count, sym_false(p.t), box);
    if (answer == NO && g.violated)
      show(p.t, p.arena, p.facts.at, p.facts.count, sym_false(p.t));
    assert_false(answer == NO && g.violated);
    yes += answer == YES;
    no += answer == NO;
    unsure += answer == UNSURE;
    arena_destroy(p.arena);
  }
  print_message("models: %zu, none: %zu, unsure: %zu\n", yes, no, unsure);
  assert_true(yes > 30);
}

static void read_list(reader *r, arena *a, const char *text, bool lets,
                      sym_list *out) {
  char *copy = arena_strdup(a, text), *saved = NULL;
  for (char *part = strtok_r(copy, ";", &saved); part;
       part = strtok_r(NULL, ";", &saved)) {
    if (strspn(part, " ") == strlen(part))
      continue;
    if (lets) {
      reader_let(r, part + strspn(part, " "));
    } else {
      sym fact = reader_read(r, part);
      VEC_PUSH(a, out, fact);
    }
  }
}

/* The obligation with facts left out and its goal moved by one. */
static sym weaken(symtab *t, arena *a, sym_list *facts, sym goal) {
  sym_list kept = {0};
  const sym *args;
  int64_t left_out = pick(0, 2);
  for (size_t i = 0; i < facts->count; i++)
    if (left_out == 0 || pick(0, (int64_t)facts->count) > left_out)
      VEC_PUSH(a, &kept, facts->at[i]);
  *facts = kept;
  while (sym_kind_of(t, goal) == SYM_AND) {
    size_t n = sym_operands(t, goal, &args);
    goal = args[pick(0, (int64_t)n - 1)];
  }
  if (sym_kind_of(t, goal) == SYM_GE0 && pick(0, 1)) {
    sym_operands(t, goal, &args);
    goal = sym_ge(t, args[0], sym_int(t, pick(1, 2)));
  }
  return goal;
}

static void check_weakened(const obligation *o) {
  arena *a = arena_create();
  reader r = {.t = symtab_create(a)};
  sym_list facts = {0};
  reader_declare(&r, o->variables);
  read_list(&r, a, o->lets, true, NULL);
  read_list(&r, a, o->facts, false, &facts);
  sym goal = reader_read(&r, o->goal);
  prover *pr = prover_create(a, r.t, (prover_options){.no_z3 = true});
  goal = weaken(r.t, a, &facts, goal);
  if (prover_prove(pr, facts.at, facts.count, goal).proved) {
    points box = {.low = -1,
                  .high = pick(2, 5),
                  .steps = 30000,
                  .random = next_random() | 1};
    points_goal g = brute_force(r.t, facts.at, facts.count, goal, box);
    if (g.violated)
      show(r.t, a, facts.at, facts.count, goal);
    assert_int_equal(g.violated, 0);
    proved_count++;
    vacuous_count += g.satisfied == 0;
  }
  arena_destroy(a);
}

static void weakened_obligations_are_not_proved(void **state) {
  (void)state;
  random_state = 99;
  proved_count = vacuous_count = 0;
  for (int round = 0; round < 12; round++)
    for (size_t i = 0; i < sizeof OBLIGATIONS / sizeof *OBLIGATIONS; i++)
      check_weakened(&OBLIGATIONS[i]);
  print_message("%zu proved, %zu without a point found\n", proved_count,
                vacuous_count);
  assert_true(proved_count > 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(certificates_prove_no_falsehood),
      cmocka_unit_test(the_solver_proves_no_falsehood),
      cmocka_unit_test(models_are_right),
      cmocka_unit_test(weakened_obligations_are_not_proved),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
