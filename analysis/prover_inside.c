/* analysis/prover_inside.c: is an offset that of an element of the tensor?
 *
 * Candidate splits: all axes apart first, then with adjacent axes merged where
 * the outer stride is the inner stride times the inner extent. Each split is
 * tried by bounds and certificates; only the most promising go to Z3.
 * Sound: merging is exact, since i*(e*s) + j*s = (i*e + j)*s, and for e >= 1
 * the pairs (i, j) with 0 <= j < e are the numbers i*e + j; for e = 0 both
 * sides are empty. e >= 0 is proved before a merge is used. */
#include "analysis/delinearise.h"
#include "analysis/query.h"
#include <string.h>

enum { SPLITS = 48, SOLVER_SPLITS = 2 };

typedef struct split {
  size_t rank; /* of the groups */
  sym extent[DELINEARISE_RANK], stride[DELINEARISE_RANK];
  sym index[DELINEARISE_RANK];
  size_t axis[DELINEARISE_RANK]; /* of a group of one; else SIZE_MAX */
  uint32_t merged;               /* gaps closed, as a bit set */
  unsigned proved;               /* goals that hold by certificate */
} split;

typedef struct search {
  prover *prover;
  symtab *t;
  const sym *facts;
  size_t n;
  sym offset;
  const sym *extent, *stride;
  size_t rank;
  size_t order[DELINEARISE_RANK];
  split *splits;
  size_t count;
} search;

static bool holds_fast(search *self, sym goal) {
  return prover_implies_fast(self->prover, self->facts, self->n, goal);
}

/* Gap g lies between the axes at places g and g + 1 of the order. */
static bool can_merge(search *self, size_t g) {
  size_t outer = self->order[g], inner = self->order[g + 1];
  sym product = sym_mul(self->t, self->extent[inner], self->stride[inner]);
  return product == self->stride[outer] &&
         holds_fast(self,
                    sym_ge(self->t, self->extent[inner], sym_int(self->t, 0)));
}

static void group(search *self, uint32_t merged, split *out) {
  *out = (split){.merged = merged};
  for (size_t place = 0; place < self->rank; place++) {
    size_t d = self->order[place], at = out->rank;
    if (place > 0 && merged & 1u << (place - 1)) {
      at--;
      out->extent[at] = sym_mul(self->t, out->extent[at], self->extent[d]);
      out->axis[at] = SIZE_MAX;
    } else {
      out->extent[at] = self->extent[d];
      out->axis[at] = d;
      out->rank++;
    }
    out->stride[at] = self->stride[d];
  }
}

static bool known(const search *self, const split *s) {
  for (size_t i = 0; i < self->count; i++)
    if (self->splits[i].merged == s->merged &&
        memcmp(self->splits[i].index, s->index, sizeof s->index) == 0)
      return true;
  return false;
}

static void add_split(search *self, uint32_t merged, split_style style) {
  split s;
  if (self->count == SPLITS)
    return;
  group(self, merged, &s);
  if (delinearise_as(self->t, self->offset, s.stride, s.rank, style, s.index) &&
      !known(self, &s))
    self->splits[self->count++] = s;
}

static int bits(uint32_t set) {
  int n = 0;
  for (; set; set &= set - 1)
    n++;
  return n;
}

static void list_splits(search *self) {
  uint32_t allowed = 0;
  size_t gaps = self->rank ? self->rank - 1 : 0;
  stride_order(self->t, self->stride, self->rank, self->order);
  for (size_t g = 0; g < gaps; g++)
    if (can_merge(self, g))
      allowed |= 1u << g;
  for (int merges = 0; merges <= (int)gaps; merges++)
    for (uint32_t set = 0; set < 1u << gaps; set++)
      if (bits(set) == merges && (set & ~allowed) == 0)
        for (int style = 0; style < SPLIT_STYLES; style++)
          add_split(self, set, (split_style)style);
}

/* Goal number k of a split: 0 <= index and index < extent of each group. */
static sym goal_of(search *self, const split *s, size_t k) {
  sym index = s->index[k / 2];
  return k % 2 == 0 ? sym_ge(self->t, index, sym_int(self->t, 0))
                    : sym_lt(self->t, index, s->extent[k / 2]);
}

static proof prove_split(search *self, const split *s) {
  proof result = {.proved = true, .method = METHOD_FOLD};
  for (size_t k = 0; k < 2 * s->rank; k++) {
    proof part =
        prover_prove(self->prover, self->facts, self->n, goal_of(self, s, k));
    if (!part.proved)
      return part;
    if (part.method > result.method)
      result.method = part.method;
  }
  return result;
}

static bool try_fast(search *self, split *s) {
  for (size_t k = 0; k < 2 * s->rank; k++)
    s->proved += holds_fast(self, goal_of(self, s, k));
  return s->proved == 2 * s->rank;
}

static split *most_promising(search *self, uint64_t *tried) {
  split *best = NULL;
  size_t at = 0;
  for (size_t i = 0; i < self->count; i++) {
    split *s = &self->splits[i];
    if (*tried & UINT64_C(1) << i)
      continue;
    /* compares proved / goals */
    if (!best || s->proved * best->rank > best->proved * s->rank) {
      best = s;
      at = i;
    }
  }
  *tried |= UINT64_C(1) << at;
  return best;
}

static void report(const search *self, const split *s, sym *index) {
  if (!index)
    return;
  for (size_t d = 0; d < self->rank; d++)
    index[d] = SYM_NONE;
  for (size_t i = 0; i < s->rank; i++)
    if (s->axis[i] != SIZE_MAX)
      index[s->axis[i]] = s->index[i];
}

static proof search_splits(search *self, sym *index) {
  proof result = {.trouble = TROUBLE_GAVE_UP};
  uint64_t tried = 0;
  list_splits(self);
  for (size_t i = 0; i < self->count; i++)
    if (try_fast(self, &self->splits[i])) {
      report(self, &self->splits[i], index);
      return prove_split(self, &self->splits[i]);
    }
  if (prover_settings(self->prover).no_z3)
    return result;
  for (int i = 0; i < SOLVER_SPLITS && (size_t)i < self->count; i++) {
    const split *s = most_promising(self, &tried);
    if (!s)
      break;
    result = prove_split(self, s);
    if (result.proved) {
      report(self, s, index);
      return result;
    }
  }
  return result;
}

proof prover_inside(prover *self, const sym *facts, size_t n, sym offset,
                    const sym *extent, const sym *stride, size_t rank,
                    sym *index) {
  symtab *t = prover_symtab(self);
  search s = {.prover = self,
              .t = t,
              .facts = facts,
              .n = n,
              .offset = offset,
              .extent = extent,
              .stride = stride,
              .rank = rank};
  if (rank == 0)
    return prover_prove(self, facts, n, sym_eq(t, offset, sym_int(t, 0)));
  if (rank > DELINEARISE_RANK)
    return (proof){.trouble = TROUBLE_GAVE_UP};
  arena *scratch = arena_create();
  s.splits = ARENA_ARRAY(scratch, split, SPLITS);
  proof result = search_splits(&s, index);
  arena_destroy(scratch);
  return result;
}
