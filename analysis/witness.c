/* analysis/witness.c: from "not proved" to a counterexample that was replayed.
 *
 * The solver proposes numbers for the launch and a program id, small ones
 * first; the interpreter in exec/ runs that program and alone decides whether
 * there is a fault. Then each size is made as small as the fault allows. All
 * numbers of the witness are those of the interpreter's event. */
#include "analysis/interp.h"
#include "analysis/judge_state.h"
#include "exec/exec.h"
#include <assert.h>
#include <string.h>

enum {
  MAX_TRIES = 48,
  MAX_STEPS = 1 << 21,
  MORE_STEPS = 1 << 25,
  MAX_UNSURE = 2
};

typedef struct search {
  judge *judge;
  sym_vec facts; /* with `bad` as the last */
  const inst *at;
  event_kind kind;
  unsigned tries, unsure;
  bool mismatch;
  int64_t turns[8]; /* of the model at hand, of the loops around `at` */
  /* the best so far */
  bool found;
  int64_t *numbers; /* by symbol index */
  exec_event event;
  const char *tile;
  const sym_vec *enlarged; /* variables that stand for "as large as you like" */
} search;

/* Products of two small sizes do not leave 32 bits. */
static const int64_t LIMITS[] = {4, 16, 128, 4096, 1 << 20, 0};
enum { FIRST_WRAP = 4 };

static bool model_value(const model *m, sym atom, int64_t *value) {
  for (size_t i = 0; i < m->count; i++)
    if (m->entries[i].atom == atom) {
      *value = m->entries[i].value;
      return true;
    }
  return false;
}

/* ------------------------------------------------------------ enlarging */

/* What the enlarged variables are first; then they grow by GROWTH. Several of
 * one tensor multiply, so the more there are the smaller they start. */
enum { LARGE_BITS = 24, GROWTH = 16 };

static bool is_enlarged(const search *s, sym var) {
  for (size_t i = 0; s->enlarged && i < s->enlarged->count; i++)
    if (s->enlarged->at[i] == var)
      return true;
  return false;
}

static int64_t large(const search *s) {
  size_t n = s->enlarged ? s->enlarged->count : 0;
  return (int64_t)1 << (n > 1 ? LARGE_BITS / (n > 3 ? 3 : n) : LARGE_BITS);
}

/* A grid that the host computes in a way that nobody could tell may be empty
 * for the sizes of a counterexample. */
static bool grid_is_unknown(const tile_program *p) {
  for (size_t i = 0; i < exprs_symbol_count(p->exprs); i++)
    for (int axis = 0; axis < 3; axis++)
      if (expr_mentions(p->exprs, p->grid[axis],
                        exprs_symbol_expr(p->exprs, i)) &&
          launch_host_keeps(p, i))
        return true;
  return false;
}

/* Facts that need an enlarged tensor to be small are false then, and there is
 * no counterexample. */
static void enlarge_facts(search *s) {
  symtab *t = s->judge->syms;
  sym number = sym_int(t, large(s));
  for (size_t i = 0; i < s->facts.count; i++)
    for (size_t k = 0; s->enlarged && k < s->enlarged->count; k++)
      s->facts.at[i] =
          sym_substitute(t, s->facts.at[i], &s->enlarged->at[k], &number, 1);
}

static bool model_lookup(void *context, const symtab *t, sym atom,
                         int64_t *value) {
  (void)t;
  return model_value(context, atom, value);
}

static void numbers_of(const search *search_, const model *m, int64_t *numbers,
                       bool *known) {
  const judge *self = search_->judge;
  exprs *t = self->program->exprs;
  for (size_t i = 0; i < exprs_symbol_count(t); i++) {
    const symbol *s = exprs_symbol_at(t, i);
    known[i] = true;
    if (s->pinned)
      numbers[i] = s->pin;
    else if (is_enlarged(search_, self->launch->symbol[i]))
      numbers[i] = large(search_);
    else if (!sym_eval(self->syms, self->launch->symbol[i], model_lookup,
                       (void *)m, &numbers[i]))
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

/* The model's turns of the loops around an instruction, outermost first.
 * True when the instruction is in the region. */
static bool turns_around(const judge *self, const model *m, const region *r,
                         const inst *at, unsigned depth, int64_t turns[8]) {
  for (size_t k = 0; k < r->insts.count; k++) {
    const inst *i = r->insts.at[k];
    bool loop = i->kind == NODE_FOR || i->kind == NODE_WHILE;
    if (i == at)
      return true;
    if (loop && depth < 8 &&
        !model_value(m, interp_turn(self->syms, i), &turns[depth]))
      turns[depth] = -1;
    for (int arm = 0; arm < 2; arm++)
      if (i->regions[arm] &&
          turns_around(self, m, i->regions[arm], at, depth + loop, turns))
        return true;
  }
  return false;
}

/* What the model says that loads find, as tensors whose every element holds
 * one number: the range of the `values` clause is narrowed to it, so that the
 * program's text alone tells the interpreter. */
static void fill_contents(const judge *self, const model *m) {
  exprs *t = self->program->exprs;
  for (size_t k = 0; k < m->count; k++) {
    const access *a = judge_load_behind(self, m->entries[k].atom);
    if (!a)
      continue;
    tensor *x = &self->program->tensors.at[a->pointer.tensor];
    x->least = x->greatest = expr_int(t, m->entries[k].value);
  }
}

typedef struct tensor_ends {
  expr least, greatest;
} tensor_ends;

static tensor_ends *save_contents(const judge *self) {
  size_t n = self->program->tensors.count;
  tensor_ends *ends = ARENA_ARRAY(self->arena, tensor_ends, n + 1);
  for (size_t k = 0; k < n; k++)
    ends[k] = (tensor_ends){self->program->tensors.at[k].least,
                            self->program->tensors.at[k].greatest};
  return ends;
}

static void restore_contents(const judge *self, const tensor_ends *ends) {
  for (size_t k = 0; k < self->program->tensors.count; k++) {
    self->program->tensors.at[k].least = ends[k].least;
    self->program->tensors.at[k].greatest = ends[k].greatest;
  }
}

/* An instruction whose result goes into that of `at` (or is it). */
static bool goes_into(const tile_program *p, const inst *at, uint32_t index,
                      unsigned depth) {
  if (at->index == index)
    return true;
  for (uint32_t k = 0; k < at->operand_count && depth < 32; k++) {
    const inst *def = at->operands[k] == VALUE_NONE
                          ? NULL
                          : p->values.at[at->operands[k]].def;
    if (def && def->kind == NODE_OP && goes_into(p, def, index, depth + 1))
      return true;
  }
  return false;
}

/* A value may have left its type earlier on the way to `at`: the interpreter
 * then names that instruction. */
static bool is_fault(const search *s, const exec_event *event) {
  if (event->kind != s->kind)
    return false;
  if (!s->at) /* the launch itself */
    return event->inst == 0;
  return event->inst == s->at->index ||
         (s->kind == EVENT_WRAP &&
          goes_into(s->judge->program, s->at, event->inst, 0));
}

static bool run_once(search *s, const int64_t *numbers, const bool *known,
                     const int64_t program[3], uint32_t only, bool enter,
                     exec_event *event) {
  judge *self = s->judge;
  arena *scratch = arena_create();
  assignment a = {.count = exprs_symbol_count(self->program->exprs)};
  a.value = arena_copy(scratch, numbers, sizeof(int64_t) * (a.count + 1));
  a.known = arena_copy(scratch, known, sizeof(bool) * (a.count + 1));
  exec_options options = {.stop_at_first = true,
                          .only_inst = only,
                          .only_kind = s->kind,
                          .step_limit = enter ? MORE_STEPS : MAX_STEPS,
                          .enter_at_turn = enter};
  memcpy(options.turn, s->turns, sizeof options.turn);
  *event = (exec_event){0};
  exec_machine *m = exec_create(scratch, self->program, &a, options, event);
  bool shown = (!m || exec_run(m, program, event) > 0) && is_fault(s, event);
  if (shown && event->detail)
    event->detail = arena_strdup(self->arena, event->detail);
  arena_destroy(scratch);
  return shown;
}

static bool replay_of(search *s, const int64_t *numbers, const bool *known,
                      const int64_t program[3], uint32_t only,
                      exec_event *event) {
  if (run_once(s, numbers, known, program, only, false, event))
    return true;
  bool more = event->kind == EVENT_LIMIT;
  return more && run_once(s, numbers, known, program, only, true, event);
}

/* What leaves its type on the way to `at` is named, where there is such a
 * thing; else other arithmetic may have wrapped before, and is passed over. */
static bool replay(search *s, const int64_t *numbers, const bool *known,
                   const int64_t program[3], exec_event *event) {
  return (s->kind == EVENT_WRAP &&
          replay_of(s, numbers, known, program, 0, event)) ||
         replay_of(s, numbers, known, program, s->at ? s->at->index : 0, event);
}

/* The fault stays when the enlarged variables grow further. */
static bool stays(search *s, const int64_t *numbers, const bool *known,
                  const int64_t program[3]) {
  judge *self = s->judge;
  size_t n = exprs_symbol_count(self->program->exprs);
  int64_t *grown = arena_copy(self->arena, numbers, sizeof *numbers * (n + 1));
  exec_event event;
  bool any = false;
  for (size_t i = 0; i < n; i++)
    if (is_enlarged(s, self->launch->symbol[i])) {
      grown[i] *= GROWTH;
      any = true;
    }
  return !any || replay(s, grown, known, program, &event);
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
  numbers_of(s, &m, numbers, known);
  program_of(self, &m, program);
  if (s->at)
    turns_around(self, &m, self->program->body, s->at, 0, s->turns);
  tensor_ends *ends = save_contents(self);
  fill_contents(self, &m);
  bool shown = replay(s, numbers, known, program, &event);
  shown = shown && stays(s, numbers, known, program);
  strbuf text = strbuf_make(self->arena);
  if (shown)
    program_print(self->program, &text);
  restore_contents(self, ends);
  if (!shown) {
    /* What is not understood shows nothing, and is said elsewhere. */
    s->mismatch = s->mismatch || event.kind != EVENT_OPAQUE;
    return UNSURE;
  }
  s->found = true;
  s->tile = text.text;
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
    if (exprs_symbol_at(self->program->exprs, k)->pinned || is_enlarged(s, x))
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
         !is_enlarged(s, self->launch->symbol[i]) &&
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

/* "element 5 of 5" of a vector, counted from 0. */
static const char *element_text(const search *s) {
  const tile_program *p = s->judge->program;
  size_t n = exprs_symbol_count(p->exprs);
  bool *known = ARENA_ARRAY(s->judge->arena, bool, n + 1);
  memset(known, true, n + 1);
  int64_t count;
  if (s->kind != EVENT_OUTSIDE || p->tensors.at[s->event.tensor].rank != 1 ||
      !expr_eval(p->exprs, p->tensors.at[s->event.tensor].extent[0], s->numbers,
                 known, &count))
    return NULL;
  return arena_printf(s->judge->arena, "element %lld of %lld",
                      (long long)s->event.offset, (long long)count);
}

const witness *witness_make(judge *self, const int64_t *numbers,
                            const exec_event *event, const char *tile,
                            const char *detail) {
  exprs *t = self->program->exprs;
  size_t n = exprs_symbol_count(t);
  witness *w = ARENA_NEW(self->arena, witness);
  named_number *sizes = ARENA_ARRAY(self->arena, named_number, n + 1);
  named_number *constexprs = ARENA_ARRAY(self->arena, named_number, n + 1);
  for (size_t i = 0; i < n; i++) {
    const symbol *x = exprs_symbol_at(t, i);
    named_number entry = {.name = x->name, .value = numbers[i]};
    if (x->role == SYMBOL_SWITCH && entry.value >= 0 &&
        entry.value < x->label_count)
      entry.label = x->labels[entry.value];
    if (x->role == SYMBOL_CONST || x->role == SYMBOL_SWITCH)
      constexprs[w->constexpr_count++] = entry;
    else
      sizes[w->size_count++] = entry;
  }
  w->sizes = sizes;
  w->constexprs = constexprs;
  w->program_rank = self->program->grid_rank ? self->program->grid_rank : 3;
  memcpy(w->program, event->program, sizeof w->program);
  w->turn_count = event->turn_count;
  memcpy(w->turns, event->turns, sizeof w->turns);
  w->lane_count = event->lane_count;
  memcpy(w->lane, event->lane, sizeof w->lane);
  w->event = event_kind_name(event->kind);
  w->inst = event->inst;
  w->offset = event->offset;
  w->value = event->value;
  w->detail = detail;
  w->other = event->other;
  memcpy(w->other_program, event->other_program, sizeof w->other_program);
  w->replayed = true;
  w->tile = tile;
  return w;
}

bool judge_host_is_read(const judge *self) {
  return !grid_is_unknown(self->program) && !self->program->unread_line;
}

const witness *judge_refute(judge *self, const sym_vec *facts, sym bad,
                            const inst *at, fault kind, const sym_vec *enlarged,
                            bool *mismatch) {
  static const event_kind shown[] = {
      [FAULT_OUTSIDE] = EVENT_OUTSIDE,    [FAULT_WRAP] = EVENT_WRAP,
      [FAULT_DIV_ZERO] = EVENT_DIV_ZERO,  [FAULT_CLAIM] = EVENT_CLAIM,
      [FAULT_GRID] = EVENT_GRID,          [FAULT_CONTRACT] = EVENT_CONTRACT,
      [FAULT_UNWRITTEN] = EVENT_UNWRITTEN};
  assert(self->launch->pinned);
  if (!judge_host_is_read(self))
    return NULL;
  search s = {
      .judge = self, .at = at, .kind = shown[kind], .enlarged = enlarged};
  for (size_t i = 0; i < facts->count; i++)
    VEC_PUSH(self->arena, &s.facts, facts->at[i]);
  VEC_PUSH(self->arena, &s.facts, bad);
  enlarge_facts(&s);
  size_t count = sizeof LIMITS / sizeof *LIMITS;
  size_t first = kind == FAULT_WRAP ? FIRST_WRAP : 0;
  for (size_t i = first; i < count && !s.found && s.unsure < MAX_UNSURE; i++)
    s.unsure += attempt(&s, LIMITS[i]) == UNSURE;
  *mismatch = *mismatch || (s.mismatch && !s.found);
  if (!s.found)
    return NULL;
  shrink(&s);
  return witness_make(self, s.numbers, &s.event, s.tile,
                      s.event.detail ? s.event.detail : element_text(&s));
}
