/* analysis/memo.c: shapes of expressions, sets of facts, questions.
 *
 * Everything is interned by its exact bytes, so two questions share an answer
 * only if they are the same but for the order of commutative operands and the
 * sign of an equation.
 * Sound: whether facts imply a goal depends on neither. */
#include "analysis/memo.h"
#include "base/map.h"
#include "base/vec.h"
#include <stdlib.h>

typedef VEC(uint32_t) word_vec;

struct proof_memo {
  arena *arena;
  intern *shapes, *sets;
  map *places[MEMO_EFFORTS]; /* set and goal to a place in `answers` */
  VEC(memo_answer *) answers;
};

struct memo_view {
  proof_memo *memo;
  const symtab *t;
  arena *arena;
  uint32_t *shape; /* by handle; 0: not asked yet */
  size_t room;
  intern *lists;   /* of facts, as handles in the order given */
  word_vec set_of; /* by list, from 1 */
};

/* A term of a sum is a shape as well. */
enum { KIND_TERM = SYM_ISPOW2 + 1 };

proof_memo *memo_create(arena *arena) {
  proof_memo *self = ARENA_NEW(arena, proof_memo);
  self->arena = arena;
  self->shapes = intern_create(arena);
  self->sets = intern_create(arena);
  for (int i = 0; i < MEMO_EFFORTS; i++)
    self->places[i] = map_create(arena);
  return self;
}

memo_view *memo_open(proof_memo *memo, arena *arena, const symtab *t) {
  memo_view *self = ARENA_NEW(arena, memo_view);
  self->memo = memo;
  self->t = t;
  self->arena = arena;
  self->lists = intern_create(arena);
  VEC_PUSH(arena, &self->set_of, 0);
  return self;
}

static int order_words(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static uint32_t intern_words(intern *self, const word_vec *words) {
  return intern_id_n(self, (const char *)words->at,
                     words->count * sizeof *words->at);
}

static void push(memo_view *self, word_vec *words, uint32_t word) {
  VEC_PUSH(self->arena, words, word);
}

static void push_number(memo_view *self, word_vec *words, int64_t value) {
  push(self, words, (uint32_t)((uint64_t)value >> 32));
  push(self, words, (uint32_t)value);
}

static void sort_from(word_vec *words, size_t first) {
  if (words->count > first + 1)
    qsort(words->at + first, words->count - first, sizeof *words->at,
          order_words);
}

static uint32_t shape_of(memo_view *self, sym e);

static uint32_t shape_of_term(memo_view *self, const sym_term *term,
                              uint64_t sign) {
  word_vec words = {0};
  push(self, &words, KIND_TERM);
  push_number(self, &words, (int64_t)(sign * (uint64_t)term->coef));
  size_t first = words.count;
  for (uint32_t i = 0; i < term->atom_count; i++)
    push(self, &words, shape_of(self, term->atoms[i]));
  sort_from(&words, first);
  return intern_words(self->memo->shapes, &words);
}

static uint32_t shape_of_sum(memo_view *self, sym e, uint64_t sign) {
  const sym_term *terms;
  word_vec words = {0};
  size_t n = sym_terms(self->t, e, &terms);
  push(self, &words, SYM_POLY);
  size_t first = words.count;
  for (size_t i = 0; i < n; i++)
    push(self, &words, shape_of_term(self, &terms[i], sign));
  sort_from(&words, first);
  return intern_words(self->memo->shapes, &words);
}

/* p == 0 and -p == 0 are one: which of them a table holds depends on the order
 * of its handles. */
static void push_unsigned(memo_view *self, word_vec *words, sym e) {
  uint32_t plus = shape_of_sum(self, e, 1);
  uint32_t minus = shape_of_sum(self, e, UINT64_MAX);
  push(self, words, plus < minus ? plus : minus);
}

static void push_variable(memo_view *self, word_vec *words, sym var) {
  push(self, words, (uint32_t)sym_var_role(self->t, var));
  for (const char *c = sym_var_name(self->t, var); *c; c++)
    push(self, words, (unsigned char)*c);
}

static bool commutes(sym_kind kind) {
  return kind == SYM_MIN || kind == SYM_MAX || kind == SYM_AND ||
         kind == SYM_OR;
}

static void push_operands(memo_view *self, word_vec *words, sym e) {
  const sym *operands;
  sym_kind kind = sym_kind_of(self->t, e);
  if (kind == SYM_APPLY || kind == SYM_APPLYB)
    push(self, words, sym_apply_fn(self->t, e));
  size_t n = sym_operands(self->t, e, &operands), first = words->count;
  for (size_t i = 0; i < n; i++)
    push(self, words, shape_of(self, operands[i]));
  if (commutes(kind))
    sort_from(words, first);
}

static uint32_t new_shape(memo_view *self, sym e) {
  word_vec words = {0};
  const sym *operands;
  int64_t value;
  sym_kind kind = sym_kind_of(self->t, e);
  if (kind == SYM_POLY)
    return shape_of_sum(self, e, 1);
  push(self, &words, (uint32_t)kind);
  if (sym_is_int(self->t, e, &value)) {
    push_number(self, &words, value);
  } else if (kind == SYM_VAR) {
    push_variable(self, &words, e);
  } else if (kind == SYM_EQ0 || kind == SYM_NE0) {
    sym_operands(self->t, e, &operands);
    push_unsigned(self, &words, operands[0]);
  } else {
    push_operands(self, &words, e);
  }
  return intern_words(self->memo->shapes, &words);
}

static void make_room(memo_view *self) {
  size_t room = symtab_count(self->t) * 2;
  uint32_t *fresh = ARENA_ARRAY(self->arena, uint32_t, room);
  for (size_t i = 0; i < self->room; i++)
    fresh[i] = self->shape[i];
  self->shape = fresh;
  self->room = room;
}

static uint32_t shape_of(memo_view *self, sym e) {
  if (e >= self->room)
    make_room(self);
  if (!self->shape[e])
    self->shape[e] = new_shape(self, e);
  return self->shape[e];
}

static uint32_t new_set(memo_view *self, const sym *facts, size_t n) {
  word_vec words = {0};
  size_t kept = 0;
  for (size_t i = 0; i < n; i++)
    push(self, &words, shape_of(self, facts[i]));
  sort_from(&words, 0);
  for (size_t i = 0; i < words.count; i++)
    if (i == 0 || words.at[i] != words.at[i - 1])
      words.at[kept++] = words.at[i];
  words.count = kept;
  return intern_words(self->memo->sets, &words);
}

static uint32_t set_of(memo_view *self, const sym *facts, size_t n) {
  uint32_t list =
      intern_id_n(self->lists, (const char *)facts, n * sizeof *facts);
  if (list == self->set_of.count)
    push(self, &self->set_of, new_set(self, facts, n));
  return self->set_of.at[list];
}

memo_answer *memo_at(memo_view *self, memo_effort effort, const sym *facts,
                     size_t n, sym goal) {
  proof_memo *memo = self->memo;
  uint64_t place, key = set_of(self, facts, n);
  key = key << 32 | shape_of(self, goal);
  if (map_get(memo->places[effort], key, &place))
    return memo->answers.at[place];
  map_put(memo->places[effort], key, memo->answers.count);
  memo_answer *fresh = ARENA_NEW(memo->arena, memo_answer);
  VEC_PUSH(memo->arena, &memo->answers, fresh);
  return fresh;
}
