/* analysis/witness.c: from "not proved" to a counterexample that was replayed.
 *
 * The solver proposes numbers for the launch and a program id, small ones
 * first; the interpreter in exec/ runs that program and alone decides whether
 * there is a fault. Then each size is made as small as the fault allows. All
 * numbers of the witness are those of the interpreter's event. */
#include "analysis/judge_state.h"
#include "exec/exec.h"
#include <assert.h>
#include <string.h>

enum { MAX_TRIES = 48 };

typedef struct search {
  judge *judge;
  sym_vec facts; /* with `bad` as the last */
  const inst *at;
  event_kind kind;
  unsigned tries;
  bool mismatch;
  /* the best so far */
  bool found;
  int64_t *numbers; /* by symbol index */
  exec_event event;
} search;

static const int64_t LIMITS[] = {2, 4, 16, 128, 4096, 1 << 20, 0};

static bool model_value(const model *m, sym atom, int64_t *value) {
  for (size_t i = 0; i < m->count; i++)
    if (m->entries[i].atom == atom) {
      *value = m->entries[i].value;
      return true;
    }
  return false;
}

static void numbers_of(const judge *self, const model *m, int64_t *numbers,
                       bool *known) {
  exprs *t = self->program->exprs;
  for (size_t i = 0; i < exprs_symbol_count(t); i++) {
    const symbol *s = exprs_symbol_at(t, i);
    known[i] = true;
    if (s->pinned)
      numbers[i] = s->pin;
    else if (!model_value(m, self->launch->symbol[i], &numbers[i]))
      numbers[i] = s->role == SYMBOL_CONST ? 1 : 0;
  }
}

static void program_of(const judge *self, const model *m, int64_t program[3]) {
  for (int axis = 0; axis < 3; axis++) {
    program[axis] = 0;
    int64_t fixed;
    if (sym_is_int(self->syms, self->launch->pid[axis], &fixed))
      program[axis] = fixed;
    else
      model_value(m, self->launch->pid[axis], &program[axis]);
  }
}

static bool replay(search *s, const int64_t *numbers, const bool *known,
                   const int64_t program[3], exec_event *event) {
  judge *self = s->judge;
  arena *scratch = arena_create();
  assignment a = {.count = exprs_symbol_count(self->program->exprs)};
  a.value = arena_copy(scratch, numbers, sizeof(int64_t) * (a.count + 1));
  a.known = arena_copy(scratch, known, sizeof(bool) * (a.count + 1));
  exec_options options = {.stop_at_first = true,
                          .only_inst = s->at->index,
                          .only_kind = s->kind,
                          .step_limit = (uint64_t)1 << 24};
  *event = (exec_event){0};
  exec_machine *m = exec_create(scratch, self->program, &a, options, event);
  bool shown = m && exec_run(m, program, event) > 0 && event->kind == s->kind &&
               event->inst == s->at->index;
  if (shown && event->detail)
    event->detail = arena_strdup(self->arena, event->detail);
  arena_destroy(scratch);
  return shown;
}

/* Asks for a model under the limit and replays it. */
static truth attempt(search *s, int64_t limit) {
  judge *self = s->judge;
  size_t n = exprs_symbol_count(self->program->exprs);
  model m = {0};
  s->tries++;
  truth have = prover_model(self->prover, s->facts.at, s->facts.count, limit,
                            self->arena, &m);
  if (have != YES)
    return have;
  int64_t *numbers = ARENA_ARRAY(self->arena, int64_t, n + 1);
  bool *known = ARENA_ARRAY(self->arena, bool, n + 1);
  int64_t program[3];
  exec_event event;
  numbers_of(self, &m, numbers, known);
  program_of(self, &m, program);
  if (!replay(s, numbers, known, program, &event)) {
    s->mismatch = true;
    return UNSURE;
  }
  s->found = true;
  s->numbers = numbers;
  s->event = event;
  return YES;
}

/* Tries to give symbol i the value v, keeping the others at most as large as
 * they are. */
static bool try_smaller(search *s, size_t i, int64_t v) {
  judge *self = s->judge;
  symtab *t = self->syms;
  size_t n = exprs_symbol_count(self->program->exprs), keep = s->facts.count;
  for (size_t k = 0; k < n; k++) {
    sym x = self->launch->symbol[k];
    if (exprs_symbol_at(self->program->exprs, k)->pinned)
      continue;
    sym now = sym_int(t, k == i ? v : s->numbers[k]);
    VEC_PUSH(self->arena, &s->facts,
             k < i || k == i ? sym_eq(t, x, now) : sym_le(t, x, now));
  }
  truth got = attempt(s, 0);
  s->facts.count = keep;
  return got == YES;
}

static bool may_shrink(const judge *self, const search *s, size_t i) {
  const symbol *x = exprs_symbol_at(self->program->exprs, i);
  return !x->pinned && s->numbers[i] > 0 &&
         sym_kind_of(self->syms, self->launch->symbol[i]) == SYM_VAR;
}

static void shrink(search *s) {
  judge *self = s->judge;
  size_t n = exprs_symbol_count(self->program->exprs);
  for (size_t i = 0; i < n; i++) {
    if (!may_shrink(self, s, i))
      continue;
    int64_t low = -1; /* known not to do */
    for (int64_t v = 0; v <= 2 && v < s->numbers[i]; v++) {
      if (s->tries >= MAX_TRIES || try_smaller(s, i, v))
        break;
      low = v;
    }
    while (s->numbers[i] - low > 1 && s->tries < MAX_TRIES) {
      int64_t middle = low + (s->numbers[i] - low) / 2;
      if (middle == s->numbers[i] || !try_smaller(s, i, middle))
        low = middle;
    }
  }
}

/* ------------------------------------------------------ the witness itself */

static const witness *make_witness(const search *s) {
  judge *self = s->judge;
  exprs *t = self->program->exprs;
  size_t n = exprs_symbol_count(t);
  witness *w = ARENA_NEW(self->arena, witness);
  named_number *sizes = ARENA_ARRAY(self->arena, named_number, n + 1);
  named_number *constexprs = ARENA_ARRAY(self->arena, named_number, n + 1);
  for (size_t i = 0; i < n; i++) {
    const symbol *x = exprs_symbol_at(t, i);
    named_number entry = {x->name, s->numbers[i]};
    if (x->role == SYMBOL_CONST)
      constexprs[w->constexpr_count++] = entry;
    else
      sizes[w->size_count++] = entry;
  }
  w->sizes = sizes;
  w->constexprs = constexprs;
  w->program_rank = self->program->grid_rank ? self->program->grid_rank : 3;
  memcpy(w->program, s->event.program, sizeof w->program);
  w->turn_count = s->event.turn_count;
  memcpy(w->turns, s->event.turns, sizeof w->turns);
  w->lane_count = s->event.lane_count;
  memcpy(w->lane, s->event.lane, sizeof w->lane);
  w->event = event_kind_name(s->event.kind);
  w->inst = s->event.inst;
  w->offset = s->event.offset;
  w->value = s->event.value;
  w->detail = s->event.detail;
  w->replayed = true;
  strbuf text = strbuf_make(self->arena);
  program_print(self->program, &text);
  w->tile = text.text;
  return w;
}

const witness *judge_refute(judge *self, const sym_vec *facts, sym bad,
                            const inst *at, fault kind, bool *mismatch) {
  static const event_kind shown[] = {[FAULT_OUTSIDE] = EVENT_OUTSIDE,
                                     [FAULT_WRAP] = EVENT_WRAP,
                                     [FAULT_DIV_ZERO] = EVENT_DIV_ZERO};
  assert(self->launch->pinned);
  search s = {.judge = self, .at = at, .kind = shown[kind]};
  for (size_t i = 0; i < facts->count; i++)
    VEC_PUSH(self->arena, &s.facts, facts->at[i]);
  VEC_PUSH(self->arena, &s.facts, bad);
  size_t count = sizeof LIMITS / sizeof *LIMITS;
  for (size_t i = 0; i < count && !s.found; i++)
    attempt(&s, LIMITS[i]);
  *mismatch = *mismatch || (s.mismatch && !s.found);
  if (!s.found)
    return NULL;
  shrink(&s);
  return make_witness(&s);
}
