/* tests/unit/points.h: small integer points that satisfy facts, by brute
 * force: variables get values one after the other and a fact is checked as
 * soon as it has a value. Independent of the prover. */
#ifndef TESTS_POINTS_H
#define TESTS_POINTS_H

#include "analysis/sym.h"
#include "base/panic.h"

enum { POINT_VARIABLES = 64 };

typedef struct points {
  const symtab *t;
  const sym *facts;
  size_t fact_count;
  sym variables[POINT_VARIABLES];
  int64_t values[POINT_VARIABLES];
  size_t count, assigned;
  int64_t low, high;
  uint64_t random; /* order of values; 0: ascending */
  size_t steps;    /* what is left to try */
  /* Called at each satisfying point; returns false to stop. */
  bool (*visit)(struct points *self, void *context);
  void *context;
} points;

static inline bool points_value(void *context, const symtab *t, sym atom,
                                int64_t *value) {
  const points *p = context;
  (void)t;
  for (size_t i = 0; i < p->assigned; i++)
    if (p->variables[i] == atom) {
      *value = p->values[i];
      return true;
    }
  return false;
}

static inline bool points_consistent(points *p) {
  int64_t value;
  for (size_t i = 0; i < p->fact_count; i++)
    if (sym_eval(p->t, p->facts[i], points_value, p, &value)) {
      if (!value)
        return false;
    } else if (p->assigned == p->count) {
      return false; /* division by zero: no point */
    }
  return true;
}

static inline uint64_t points_random(points *p) {
  p->random ^= p->random << 13;
  p->random ^= p->random >> 7;
  p->random ^= p->random << 17;
  return p->random >> 8;
}

static inline bool points_search(points *p) {
  if (p->steps == 0)
    return false;
  p->steps--;
  if (!points_consistent(p))
    return true;
  if (p->assigned == p->count)
    return p->visit(p, p->context);
  int64_t span = p->high - p->low + 1;
  int64_t shift = p->random ? (int64_t)(points_random(p) % (uint64_t)span) : 0;
  bool more = true;
  p->assigned++;
  for (int64_t k = 0; k < span && more; k++) {
    p->values[p->assigned - 1] = p->low + (k + shift) % span;
    more = points_search(p);
  }
  p->assigned--;
  return more;
}

/* Fills in the variables of the facts and of one more expression. */
static inline void points_list(points *p, const symtab *t, const sym *facts,
                               size_t n, sym more) {
  p->t = t;
  p->facts = facts;
  p->fact_count = n;
  for (size_t i = 0; i <= n; i++) {
    sym found[POINT_VARIABLES];
    size_t k =
        sym_variables(t, i < n ? facts[i] : more, found, POINT_VARIABLES);
    assert(k <= POINT_VARIABLES);
    for (size_t v = 0; v < k; v++) {
      bool known = false;
      for (size_t w = 0; w < p->count; w++)
        known = known || p->variables[w] == found[v];
      assert(known || p->count < POINT_VARIABLES);
      if (!known)
        p->variables[p->count++] = found[v];
    }
  }
}

typedef struct points_goal {
  sym goal;
  size_t satisfied, violated;
  size_t enough; /* stop after so many points */
} points_goal;

static inline bool points_check(points *p, void *context) {
  points_goal *g = context;
  int64_t value;
  g->satisfied++;
  if (sym_eval(p->t, g->goal, points_value, p, &value) && !value) {
    g->violated++;
    return false;
  }
  return g->satisfied < g->enough;
}

#endif
