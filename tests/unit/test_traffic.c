/* The parts that the models of memory traffic are made of. */
#include "base/checked.h"
#include "base/map.h"
#include "traffic/coalesce.h"
#include "traffic/elements.h"
#include "traffic/formula.h"
#include "traffic/gpu.h"
#include "traffic/lru.h"
#include "traffic/offsets.h"
#include "traffic/tiles.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

static uint64_t next_random(uint64_t *state) {
  *state += 0x9e3779b97f4a7c15u;
  return hash_mix(17, *state);
}

/* ---------------------------------------------------------------- offsets */

static void equal_sets_are_one(void **state) {
  arena *a = arena_create();
  offsets *table = offsets_create(a);
  int64_t up[] = {7, 8, 9, 20, 9}, down[] = {120, 109, 108, 107};
  int64_t other[] = {7, 8, 10, 20}, least;
  (void)state;
  uint32_t first = offsets_of(table, up, 5, &least);
  assert_int_equal(least, 7);
  const offset_set *set = offsets_at(table, first);
  assert_int_equal(set->run_count, 2);
  assert_int_equal(set->count, 4);
  assert_int_equal(set->last, 13);
  assert_int_equal(offsets_of(table, down, 4, &least), first);
  assert_int_equal(least, 107);
  assert_int_not_equal(offsets_of(table, other, 4, &least), first);
  int64_t one[] = {-5};
  assert_int_equal(offsets_of(table, one, 1, &least), OFFSETS_ONE);
  assert_int_equal(least, -5);
  arena_destroy(a);
}

/* Random numbers below 40: `n` of them. */
static void fill(int64_t *at, size_t n, uint64_t *seed) {
  for (size_t i = 0; i < n; i++)
    at[i] = (int64_t)(next_random(seed) % 40);
}

static void sums_are_all_sums(void **state) {
  enum { A = 9, B = 7 };
  uint64_t seed = 1;
  (void)state;
  for (int round = 0; round < 300; round++) {
    arena *a = arena_create();
    offsets *table = offsets_create(a);
    int64_t x[A], y[B], all[A * B], lx, ly, least;
    fill(x, A, &seed);
    fill(y, B, &seed);
    for (size_t i = 0; i < A * B; i++)
      all[i] = x[i / B] + y[i % B];
    uint32_t sx = offsets_of(table, x, A, &lx);
    uint32_t sy = offsets_of(table, y, B, &ly);
    uint32_t sum = offsets_sum(table, sx, sy);
    assert_int_equal(sum, offsets_of(table, all, A * B, &least));
    assert_int_equal(least, lx + ly);
    assert_int_equal(sum, offsets_sum(table, sy, sx));
    arena_destroy(a);
  }
}

static void elements_are_counted_once(void **state) {
  uint64_t seed = 2;
  (void)state;
  for (int round = 0; round < 300; round++) {
    arena *a = arena_create();
    offsets *table = offsets_create(a);
    elements all = elements_make(a);
    bool seen[2000] = {false};
    int64_t count = 0;
    for (int k = 0; k < 12; k++) {
      int64_t x[9], least;
      int64_t place = (int64_t)(next_random(&seed) % 900);
      fill(x, 9, &seed);
      for (int i = 0; i < 9; i++)
        seen[place + x[i]] = true;
      uint32_t set = offsets_of(table, x, 9, &least);
      /* Negative addresses are addresses too. */
      elements_add(&all, place + least - 450, offsets_at(table, set));
    }
    for (int i = 0; i < 2000; i++)
      count += seen[i];
    assert_int_equal(elements_count(&all), count);
    arena_destroy(a);
  }
}

static void far_elements_are_not_counted(void **state) {
  arena *a = arena_create();
  offsets *table = offsets_create(a);
  elements all = elements_make(a);
  const offset_set *one = offsets_at(table, OFFSETS_ONE);
  (void)state;
  assert_int_equal(elements_count(&all), 0);
  elements_add(&all, INT64_MIN, one);
  assert_int_equal(elements_count(&all), 1);
  elements_add(&all, INT64_MAX, one);
  assert_int_equal(elements_count(&all), -1);
  arena_destroy(a);
}

/* ------------------------------------------------------------------ tiles */

static void tiles_have_numbers(void **state) {
  arena *a = arena_create();
  tiles t = tiles_make(a);
  (void)state;
  for (uint32_t i = 0; i < 5000; i++)
    assert_int_equal(tiles_number(&t, (tile){i % 3, i % 7, -(int64_t)i}), i);
  for (uint32_t i = 0; i < 5000; i++)
    assert_int_equal(tiles_number(&t, (tile){i % 3, i % 7, -(int64_t)i}), i);
  assert_int_equal(tiles_number(&t, (tile){1, 0, 0}), 5000);
  arena_destroy(a);
}

/* -------------------------------------------------------------------- LRU */

/* The same with an array that is searched and moved. */
typedef struct plain_lru {
  uint32_t number[64];
  int64_t bytes[64];
  size_t count;
  int64_t used, capacity;
} plain_lru;

static void remove_at(plain_lru *p, size_t i) {
  p->used -= p->bytes[i];
  for (p->count--; i < p->count; i++) {
    p->number[i] = p->number[i + 1];
    p->bytes[i] = p->bytes[i + 1];
  }
}

static bool plain_touch(plain_lru *p, uint32_t number, int64_t bytes) {
  bool hit = false;
  for (size_t i = 0; i < p->count && !hit; i++)
    if (p->number[i] == number) {
      hit = true;
      remove_at(p, i);
    }
  p->number[p->count] = number;
  p->bytes[p->count++] = bytes;
  p->used += bytes;
  while (p->used > p->capacity)
    remove_at(p, 0);
  return hit;
}

static void lru_is_lru(void **state) {
  uint64_t seed = 3;
  (void)state;
  for (int round = 0; round < 100; round++) {
    arena *a = arena_create();
    lru fast = lru_make(a, 100);
    plain_lru slow = {.capacity = 100};
    for (int i = 0; i < 400; i++) {
      uint32_t number = (uint32_t)(next_random(&seed) % 30);
      /* Some do not fit at all. */
      int64_t bytes = number == 7 ? 101 : 1 + number;
      assert_int_equal(lru_touch(&fast, number, bytes),
                       plain_touch(&slow, number, bytes));
      assert_int_equal(fast.used, slow.used);
    }
    arena_destroy(a);
  }
}

/* ---------------------------------------------------------------- formula */

typedef struct maker {
  symtab *t;
  sym vars[3];
  int64_t values[3];
  uint64_t seed;
} maker;

static sym random_truth(maker *m, int depth);

static sym random_integer(maker *m, int depth) {
  uint64_t r = next_random(&m->seed);
  symtab *t = m->t;
  if (depth == 0)
    return r % 2 ? m->vars[r / 2 % 3] : sym_int(t, (int64_t)(r / 2 % 9) - 4);
  sym a = random_integer(m, depth - 1), b = random_integer(m, depth - 1);
  switch (r % 11) {
  case 0:
    return sym_sub(t, a, b);
  case 1:
    return sym_mul(t, a, b);
  case 2:
    return sym_fdiv(t, a, b);
  case 3:
    return sym_fmod(t, a, b);
  case 4:
    return sym_tdiv(t, a, b);
  case 5:
    return sym_tmod(t, a, b);
  case 6:
    return sym_min(t, a, b);
  case 7:
    return sym_max(t, a, b);
  case 8:
    return sym_select(t, random_truth(m, depth - 1), a, b);
  case 9:
    return sym_pow2ceil(t, a);
  default:
    return sym_add(t, a, b);
  }
}

static sym random_truth(maker *m, int depth) {
  uint64_t r = next_random(&m->seed);
  symtab *t = m->t;
  if (depth > 0 && r % 4 < 3) {
    sym a = random_truth(m, depth - 1), b = random_truth(m, depth - 1);
    return r % 4 == 0   ? sym_and(t, a, b)
           : r % 4 == 1 ? sym_or(t, a, b)
                        : sym_not(t, a);
  }
  sym a = random_integer(m, depth), b = random_integer(m, depth);
  switch (r / 4 % 4) {
  case 0:
    return sym_eq(t, a, b);
  case 1:
    return sym_ne(t, a, b);
  case 2:
    return sym_ispow2(t, a);
  default:
    return sym_le(t, a, b);
  }
}

static bool lookup(void *context, const symtab *t, sym atom, int64_t *value) {
  const maker *m = context;
  (void)t;
  for (int i = 0; i < 3; i++)
    if (m->vars[i] == atom) {
      *value = m->values[i];
      return true;
    }
  return false;
}

static bool is_var(void *context, sym e) {
  int64_t value;
  return lookup(context, NULL, e, &value);
}

static uint32_t slot_of(void *context, sym e) {
  const maker *m = context;
  return e == m->vars[0] ? 0 : e == m->vars[1] ? 1 : 2;
}

static void check_formula(maker *m, arena *a, sym e) {
  formula_slots slots = {is_var, NULL, slot_of, m};
  sym missing = SYM_NONE;
  const formula *f = formula_compile(a, m->t, e, slots, &missing);
  if (!sym_is_exact(m->t, e)) {
    assert_null(f);
    assert_int_not_equal(missing, SYM_NONE);
    return;
  }
  assert_non_null(f);
  for (int i = 0; i < 20; i++) {
    int64_t want, got;
    for (int k = 0; k < 3; k++)
      m->values[k] = (int64_t)(next_random(&m->seed) % 15) - 5;
    bool has = sym_eval(m->t, e, lookup, m, &want);
    assert_int_equal(formula_eval(f, m->values, &got), has);
    if (has)
      assert_int_equal(got, want);
  }
}

static void formulas_are_expressions(void **state) {
  maker m = {.seed = 4};
  (void)state;
  for (int round = 0; round < 2000; round++) {
    arena *a = arena_create();
    m.t = symtab_create(a);
    m.vars[0] = sym_var(m.t, ROLE_PROGRAM, "pid0");
    m.vars[1] = sym_var(m.t, ROLE_TURN, "turn1");
    m.vars[2] = sym_var(m.t, ROLE_LANE, "lane0");
    check_formula(&m, a,
                  round % 2 ? random_truth(&m, 3) : random_integer(&m, 3));
    arena_destroy(a);
  }
}

static void overflow_has_no_value(void **state) {
  arena *a = arena_create();
  maker m = {.t = symtab_create(a)};
  int64_t big = (int64_t)1 << 62, value;
  sym missing;
  (void)state;
  for (int i = 0; i < 3; i++)
    m.vars[i] = sym_var(m.t, ROLE_PROGRAM, (const char *[]){"a", "b", "c"}[i]);
  formula_slots slots = {is_var, NULL, slot_of, &m};
  sym product = sym_mul(m.t, m.vars[0], m.vars[1]);
  const formula *f = formula_compile(a, m.t, product, slots, &missing);
  assert_false(formula_eval(f, (int64_t[]){big, 4, 0}, &value));
  assert_true(formula_eval(f, (int64_t[]){big, 1, 0}, &value));
  assert_true(value == big);
  /* What a decided condition does not need may be missing. */
  sym chosen = sym_select(m.t, sym_ge(m.t, m.vars[2], sym_int(m.t, 0)),
                          m.vars[0], product);
  f = formula_compile(a, m.t, chosen, slots, &missing);
  assert_true(formula_eval(f, (int64_t[]){big, 4, 0}, &value));
  assert_false(formula_eval(f, (int64_t[]){big, 4, -1}, &value));
  arena_destroy(a);
}

/* ---------------------------------------------------------------- layouts */

static void layouts_are_read(void **state) {
  layout_request r;
  const char *error;
  (void)state;
  assert_true(layout_read("8", &r, &error));
  assert_int_equal(r.rank, 1);
  assert_false(r.has_threads);
  assert_true(layout_read("1x8:4x8:2x2:1x0", &r, &error));
  assert_int_equal(r.rank, 2);
  assert_true(r.has_threads && r.has_warps && r.has_order);
  assert_int_equal(r.order[0], 1);
  const char *const wrong[] = {"",
                               "0",
                               "3",
                               "x8",
                               "8x",
                               "8:16",
                               "8:32:3",
                               "8:32:4:1",
                               "1x8:32",
                               "1x8:4x8:4x1:0x0",
                               "8:32:4:0:0",
                               "8 ",
                               "99999999999999999999",
                               "1x1x1x1x1x1x1",
                               "-8"};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
    assert_false(layout_read(wrong[i], &r, &error));
}

static int64_t small_pow2(uint64_t *seed, int64_t most) {
  int64_t x = (int64_t)1 << next_random(seed) % 8;
  return x < most ? x : most;
}

/* With elements as large as a sector every lane costs one, so that sectors
 * count how often lanes are accessed: once each. */
static void layouts_cover_tiles_once(void **state) {
  enum { LANES = 128 * 128 * 4 };
  static int64_t address[LANES];
  static bool live[LANES];
  uint64_t seed = 5;
  (void)state;
  for (int round = 0; round < 300; round++) {
    lane_tile t = {.element_bytes = SECTOR_BYTES,
                   .lanes = 1,
                   .address = address,
                   .is_live = live};
    layout_request r = {0};
    layout l;
    t.shape.rank = r.rank = 1 + (unsigned)(next_random(&seed) % 3);
    for (unsigned d = 0; d < r.rank; d++) {
      t.shape.extent[d] = small_pow2(&seed, d ? 128 : 4);
      r.size[d] = small_pow2(&seed, 16);
      t.lanes *= (size_t)t.shape.extent[d];
    }
    for (size_t i = 0; i < t.lanes; i++) {
      live[i] = next_random(&seed) % 8 > 0;
      address[i] = (int64_t)(t.lanes - i);
      t.live += live[i];
    }
    int64_t warps = (int64_t)1 << next_random(&seed) % 4;
    assert_true(layout_make(&r, &t.shape, warps, &l));
    assert_int_equal(layout_warps(&l), warps);
    assert_int_equal(coalesce_count(&t, &l).sectors, t.live);
  }
}

static void best_layout_is_no_worse(void **state) {
  enum { ROWS = 32, COLUMNS = 64 };
  static int64_t address[ROWS * COLUMNS];
  static bool live[ROWS * COLUMNS];
  uint64_t seed = 6;
  (void)state;
  for (int round = 0; round < 60; round++) {
    lane_tile t = {.shape = {2, {ROWS, COLUMNS}},
                   .element_bytes = (int64_t)1 << next_random(&seed) % 4,
                   .lanes = ROWS * COLUMNS,
                   .live = ROWS * COLUMNS,
                   .address = address,
                   .is_live = live};
    int64_t row = (int64_t)(next_random(&seed) % 100);
    int64_t column = (int64_t)(next_random(&seed) % 3);
    for (int64_t i = 0; i < ROWS * COLUMNS; i++) {
      address[i] = i / COLUMNS * row + i % COLUMNS * column;
      live[i] = true;
    }
    coalesce_result best, other;
    layout_request r;
    const char *error;
    layout l, chosen = coalesce_best(&t, 4, &best);
    assert_int_equal(chosen.rank, 2);
    assert_true(best.used > 0);
    const char *const others[] = {"1x1", "1x2", "2x1:4x8:4x1:0x1"};
    for (size_t i = 0; i < 3; i++) {
      assert_true(layout_read(others[i], &r, &error));
      assert_true(layout_make(&r, &t.shape, 4, &l));
      other = coalesce_count(&t, &l);
      assert_true(best.sectors <= other.sectors);
      assert_int_equal(best.wanted_bytes, other.wanted_bytes);
    }
  }
}

/* -------------------------------------------------------------------- GPU */

static void gpus_are_found(void **state) {
  arena *a = arena_create();
  const char *error = NULL;
  (void)state;
  assert_int_equal(gpu_find(a, "h100", &error)->processors, 132);
  const gpu *own = gpu_find(a, "mine=1.5", &error);
  assert_string_equal(own->title, "mine");
  assert_true(own->bandwidth > 1.49e12 && own->bandwidth < 1.51e12);
  assert_null(error);
  const char *const wrong[] = {
      "", "h101", "=2", "mine=", "mine=x", "mine=-1", "mine=1e99", "mine=nan"};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
    assert_null(gpu_find(a, wrong[i], &error));
  assert_non_null(error);
  arena_destroy(a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equal_sets_are_one),
      cmocka_unit_test(sums_are_all_sums),
      cmocka_unit_test(elements_are_counted_once),
      cmocka_unit_test(far_elements_are_not_counted),
      cmocka_unit_test(tiles_have_numbers),
      cmocka_unit_test(lru_is_lru),
      cmocka_unit_test(formulas_are_expressions),
      cmocka_unit_test(overflow_has_no_value),
      cmocka_unit_test(layouts_are_read),
      cmocka_unit_test(layouts_cover_tiles_once),
      cmocka_unit_test(best_layout_is_no_worse),
      cmocka_unit_test(gpus_are_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
