/* exec/machine.c: runs programs: regions, loops, branches.
 *
 * A region runs its instructions in order until the run is stopped. Loop
 * arguments share the storage of what they start from; at the end of a turn
 * the yielded values are copied to a second storage, and the two change places
 * once all are copied. */
#include "exec/rules.h"

#define DEFAULT_STEPS ((uint64_t)1 << 28)

exec_rule machine_rule(op_id op) {
  static const exec_rule rules[OP_COUNT] = {
#define OP(id, name, signature, value, effect, exec) [OP_##id] = exec_##exec,
#include "ops/ops.def"
#undef OP
  };
  assert(op < OP_COUNT && rules[op]);
  return rules[op];
}

/* ------------------------------------------------------------------ loops */

static void carry(exec_machine *m, value_id arg, const tile *t) {
  tile *next = &m->next[arg];
  size_t n = next->type.lanes;
  assert(t->type.lanes == n);
  tile_begin(m, next);
  memcpy(next->bits, t->bits, sizeof *t->bits * n);
  if (t->trouble)
    memcpy(tile_trouble(m, next), t->trouble, sizeof *t->trouble * n);
  next->tensor = t->tensor;
  if (t->tensors)
    memcpy(tile_tensors(m, next), t->tensors, sizeof *t->tensors * n);
  next->wrap_inst = t->wrap_inst;
  if (t->exact)
    memcpy(tile_exact(m, next), t->exact, sizeof *t->exact * n);
}

void machine_commit(exec_machine *m, value_id arg) {
  tile *t = &m->values[arg], *next = &m->next[arg];
  lane_store old = t->own;
  tile_share(t, next);
  t->own = next->own;
  next->own = old;
}

/* The values that a region yields become the arguments of the next turn. */
static void carry_all(exec_machine *m, const region *from, const value_id *args,
                      size_t count) {
  assert(from->yields.count == count);
  for (size_t k = 0; k < count; k++)
    carry(m, args[k], &m->values[from->yields.at[k]]);
  for (size_t k = 0; k < count; k++)
    machine_commit(m, args[k]);
}

static void enter_loop(exec_machine *m) {
  if (m->depth < MAX_TURNS)
    m->turns[m->depth] = 0;
  m->depth++;
}

static void set_turn(exec_machine *m, int64_t turn) {
  assert(m->depth > 0);
  if (m->depth <= MAX_TURNS)
    m->turns[m->depth - 1] = turn;
}

/* The turn at which to enter a loop, not beyond `count`. */
static int64_t wanted_turn(const exec_machine *m, const inst *in,
                           int128 count) {
  uint32_t d = m->depth;
  const int64_t *turn = m->options.turn;
  if (!m->options.enter_at_turn || d >= m->chain_count ||
      m->chain[d] != in->index)
    return 0;
  for (uint32_t i = 0; i < d; i++)
    if (turn[i] >= 0 && m->turns[i] != turn[i])
      return 0;
  return turn[d] <= 0 ? 0 : turn[d] < count ? turn[d] : (int64_t)count;
}

/* A step may be negative only when it is a constant: Python's order is kept by
 * the compiler then. */
static bool constant(const exec_machine *m, value_id v) {
  const inst *def = m->program->values.at[v].def;
  while (def && def->kind == NODE_OP &&
         (def->op == OP_CAST || def->op == OP_NEG))
    def = m->program->values.at[def->operands[0]].def;
  return def && def->kind == NODE_OP && def->op == OP_CONST;
}

typedef struct loop_bounds {
  int128 low, high, step;
} loop_bounds;

static bool read_bounds(exec_machine *m, const inst *in, loop_bounds *out) {
  int128 *to[3] = {&out->low, &out->high, &out->step};
  assert(in->operand_count >= 3);
  for (uint32_t i = 0; i < 3; i++) {
    const tile *t = tile_operand(m, in, i);
    if (!event_decide(m, in, t, "a loop bound"))
      return false;
    wrap_use(m, in, t, "the loop");
    if (m->stopped)
      return false;
    if (number_is_float(t->type.elem)) {
      double x = number_decode(t->type.elem, t->bits[0]);
      uint64_t bits = 0;
      if (!number_truncate(SC_I64, x, &bits)) {
        event_give_up(m, EVENT_OPAQUE, in, "a loop bound is no integer");
        return false;
      }
      *to[i] = (int64_t)bits;
    } else {
      *to[i] = lane_value(t, 0);
    }
  }
  if (out->step == 0 || (out->step < 0 && !constant(m, in->operands[2]))) {
    event_give_up(m, EVENT_LIMIT, in,
                  out->step == 0 ? "the loop's step is 0"
                                 : "the loop's step is negative at run time");
    return false;
  }
  return true;
}

/* The counter's next value; in its type it may wrap, and the loop's condition
 * uses it. */
static int128 advance(exec_machine *m, const inst *in, const tile *counter,
                      int128 now, int128 step) {
  int128 next = now + step;
  int_form form = int_form_of(counter->type.elem);
  int128 wrapped = int_value(form, int_fit(form, (uint64_t)next));
  if (wrapped != next && scalar_bits(counter->type.elem) <= 32 &&
      wrap_watched(m, in))
    event_report(m, EVENT_WRAP, in, &counter->type, 0,
                 (exec_event){.value = (int64_t)wrapped,
                              .detail =
                                  "the loop's counter leaves its type and "
                                  "wraps, used by the loop's condition"});
  return wrapped;
}

static void set_counter(exec_machine *m, tile *t, int128 now) {
  tile_begin(m, t);
  t->bits[0] = number_is_float(t->type.elem)
                   ? number_encode(t->type.elem, (double)now)
                   : int_fit(int_form_of(t->type.elem), (uint64_t)now);
}

static void run_for(exec_machine *m, const inst *in) {
  const region *r = in->regions[0];
  size_t carried = in->operand_count - 3;
  assert(r->args.count == carried + 1 && in->result_count == carried);
  loop_bounds b;
  if (!read_bounds(m, in, &b))
    return;
  const value_id *args = r->args.at + 1;
  tile *counter = &m->values[r->args.at[0]];
  for (size_t k = 0; k < carried; k++)
    tile_share(&m->values[args[k]], tile_operand(m, in, (uint32_t)k + 3));
  int128 gap = b.step > 0 ? b.high - b.low : b.low - b.high;
  int128 stride = b.step > 0 ? b.step : -b.step;
  int64_t turn = wanted_turn(m, in, gap > 0 ? (gap + stride - 1) / stride : 0);
  if (turn > 0 && !turn_enter(m, in, turn))
    turn = 0;
  int128 now = b.low + b.step * turn;
  enter_loop(m);
  for (; !m->stopped && (b.step > 0 ? now < b.high : now > b.high); turn++) {
    set_turn(m, turn);
    set_counter(m, counter, now);
    event_charge(m, in, 1);
    machine_region(m, r);
    if (m->stopped)
      break;
    carry_all(m, r, args, carried);
    now = number_is_float(counter->type.elem)
              ? now + b.step
              : advance(m, in, counter, now, b.step);
  }
  m->depth--;
  for (size_t k = 0; k < carried; k++)
    tile_share(&m->values[in->results[k]], &m->values[args[k]]);
}

static void run_while(exec_machine *m, const inst *in) {
  const region *test = in->regions[0], *body = in->regions[1];
  size_t carried = in->operand_count;
  assert(test->args.count == carried && body->args.count == carried);
  assert(in->result_count == carried && test->yields.count == 1);
  for (size_t k = 0; k < carried; k++)
    tile_share(&m->values[test->args.at[k]], tile_operand(m, in, (uint32_t)k));
  enter_loop(m);
  for (int64_t turn = 0; !m->stopped; turn++) {
    set_turn(m, turn);
    event_charge(m, in, 1);
    machine_region(m, test);
    const tile *condition = &m->values[test->yields.at[0]];
    if (m->stopped || !event_decide(m, in, condition, "a loop condition") ||
        !condition->bits[0])
      break;
    for (size_t k = 0; k < carried; k++)
      tile_share(&m->values[body->args.at[k]], &m->values[test->args.at[k]]);
    machine_region(m, body);
    if (!m->stopped)
      carry_all(m, body, test->args.at, carried);
  }
  m->depth--;
  for (size_t k = 0; k < carried; k++)
    tile_share(&m->values[in->results[k]], &m->values[test->args.at[k]]);
}

static void run_if(exec_machine *m, const inst *in) {
  const tile *condition = tile_operand(m, in, 0);
  if (!event_decide(m, in, condition, "a branch"))
    return;
  const region *r = in->regions[condition->bits[0] ? 0 : 1];
  event_charge(m, in, 1);
  if (r)
    machine_region(m, r);
  if (m->stopped)
    return;
  for (uint32_t k = 0; k < in->result_count; k++)
    tile_share(&m->values[in->results[k]], &m->values[r->yields.at[k]]);
}

/* The lanes of a program meet there, on today's hardware at least. */
static bool has_barrier(op_id op) {
  op_signature s = op_signature_of(op);
  return op_is_barrier(op) || s == SIG_REDUCE || s == SIG_ARG ||
         s == SIG_SCAN || s == SIG_DOT;
}

void machine_step(exec_machine *m, const inst *in) {
  switch (in->kind) {
  case NODE_OP:
    if (has_barrier(in->op))
      m->epoch++;
    machine_rule(in->op)(m, in);
    return;
  case NODE_FOR:
    run_for(m, in);
    return;
  case NODE_IF:
    run_if(m, in);
    return;
  case NODE_WHILE:
    run_while(m, in);
    return;
  }
  panic("instruction of kind %d", (int)in->kind);
}

void machine_region(exec_machine *m, const region *r) {
  for (size_t i = 0; i < r->insts.count && !m->stopped; i++)
    machine_step(m, r->insts.at[i]);
}

/* ------------------------------------------------------------------- runs */

exec_machine *exec_create(arena *arena, const tile_program *p,
                          const assignment *numbers, exec_options options,
                          exec_event *refused) {
  exec_machine *m = ARENA_NEW(arena, exec_machine);
  size_t symbols = exprs_symbol_count(p->exprs);
  size_t given = numbers->count < symbols ? numbers->count : symbols;
  int64_t *number = ARENA_ARRAY(arena, int64_t, symbols);
  bool *known = ARENA_ARRAY(arena, bool, symbols);
  for (size_t i = 0; i < given; i++) {
    number[i] = numbers->value[i];
    known[i] = numbers->known[i];
  }
  if (options.step_limit == 0)
    options.step_limit = DEFAULT_STEPS;
  *m = (exec_machine){.arena = arena,
                      .program = p,
                      .number = number,
                      .known = known,
                      .options = options,
                      .watch_wraps = options.only_kind == EVENT_NONE ||
                                     options.only_kind == EVENT_WRAP};
  *refused = (exec_event){.kind = EVENT_NONE};
  return launch_bind(m, refused) ? m : NULL;
}

void exec_grid(const exec_machine *m, int64_t grid[3]) {
  memcpy(grid, m->grid, sizeof m->grid);
}

uint64_t exec_steps(const exec_machine *m) {
  return m->steps;
}

size_t exec_run(exec_machine *m, const int64_t program[3], exec_event *event) {
  m->event_count = 0;
  m->first = (exec_event){.kind = EVENT_NONE};
  m->depth = 0;
  m->stopped = m->ended = m->stale = false;
  bool exists = true;
  for (int axis = 0; axis < 3; axis++) {
    m->pid[axis] = program[axis];
    exists &= program[axis] >= 0 && program[axis] < m->grid[axis];
  }
  if (exists)
    machine_region(m, m->program->body);
  *event = m->first;
  return m->event_count;
}

size_t exec_run_all(exec_machine *m, exec_event *event) {
  size_t found = 0;
  int64_t at[3];
  *event = (exec_event){.kind = EVENT_NONE};
  for (at[2] = 0; at[2] < m->grid[2]; at[2]++)
    for (at[1] = 0; at[1] < m->grid[1]; at[1]++)
      for (at[0] = 0; at[0] < m->grid[0]; at[0]++) {
        exec_event now;
        size_t count = exec_run(m, at, &now);
        if (found == 0)
          *event = now;
        found += count;
        if (m->ended || (found > 0 && m->options.stop_at_first))
          return found;
      }
  return found;
}

/* ---------------------------------------------------------------- scalars */

enum { SCALAR_OPERANDS = 4 };

bool exec_scalar(op_id op, const type *operand_types, const uint64_t *operands,
                 size_t n, const type *result_type, uint64_t *out) {
  assert(n <= SCALAR_OPERANDS);
  tile values[SCALAR_OPERANDS + 2] = {{.bits = NULL}};
  uint64_t lanes[SCALAR_OPERANDS + 2] = {0};
  value_id ids[SCALAR_OPERANDS] = {0}, to = (value_id)n + 1;
  for (size_t i = 0; i <= n; i++) {
    const type *t = i < n ? &operand_types[i] : result_type;
    assert(t->rank == 0 && t->wide == 0 && !t->pointer);
    tile *v = &values[i + 1];
    v->type = (tile_type){.elem = t->elem, .lanes = 1};
    v->own.bits = &lanes[i + 1];
    tile_begin(NULL, v);
    if (i < n) {
      ids[i] = (value_id)i + 1;
      lanes[i + 1] = number_fit(t->elem, operands[i]);
    }
  }
  inst in = {.kind = NODE_OP,
             .op = op,
             .index = 1,
             .operand_count = (uint32_t)n,
             .result_count = 1,
             .operands = ids,
             .results = &to};
  arena *scratch = arena_create();
  exec_machine m = {.arena = scratch,
                    .values = values,
                    .value_count = n + 2,
                    .options = {.step_limit = UINT64_MAX}};
  machine_rule(op)(&m, &in);
  const tile *done = &values[n + 1];
  bool sound = !lane_trouble(done, 0);
  if (sound)
    *out = done->bits[0];
  arena_destroy(scratch);
  return sound;
}
