/* exec/turn.c: enters a loop at a later turn.
 *
 * A carried value that adds loop-invariant amounts each turn is multiplied out
 * in its own wrapping arithmetic. A float that is carried in another way (an
 * accumulator) gets lanes of unknown value: data may flow through them, but
 * the run ends as undecided when an address, a mask or a branch depends on
 * them. Any other carried value means that the turns have to be run. When the
 * turns left out write memory, all later loads of the run are unknown too. */
#include "exec/rules.h"

enum { MOST_TERMS = 16, OUTER = 0, DIRECT = 1, NESTED = 2 };

/* What a loop argument gains each turn. */
typedef struct gain {
  value_id term[MOST_TERMS];
  bool minus[MOST_TERMS];
  uint32_t count;
  bool watched; /* a wrap of one of the sums is looked for */
} gain;

typedef struct loop_entry {
  exec_machine *m;
  const inst *loop;
  uint8_t *place; /* by value id: OUTER, DIRECT in the body, or NESTED */
  bool writes, opaque;
} loop_entry;

/* Places the results and arguments of the body. */
static void survey(loop_entry *e, const region *r, uint8_t place) {
  for (size_t i = 0; i < r->args.count; i++)
    e->place[r->args.at[i]] = NESTED; /* never invariant */
  for (size_t i = 0; i < r->insts.count; i++) {
    const inst *in = r->insts.at[i];
    for (uint32_t k = 0; k < in->result_count; k++)
      e->place[in->results[k]] = in->kind == NODE_OP ? place : NESTED;
    for (int k = 0; k < 2; k++)
      if (in->regions[k])
        survey(e, in->regions[k], NESTED);
    if (in->kind != NODE_OP)
      continue;
    op_effect effect = op_effect_of(in->op);
    if (in->op == OP_OPAQUE)
      e->opaque |= in->attr_count > 0 && e->m->attrs[in->index][0] != 0;
    else
      e->writes |= effect != EFFECT_NONE && effect != EFFECT_READ;
  }
}

static const inst *body_op(const loop_entry *e, value_id v) {
  const inst *def = e->m->program->values.at[v].def;
  return e->place[v] == DIRECT && def ? def : NULL;
}

static bool invariant(const loop_entry *e, value_id v) {
  if (v == VALUE_NONE || e->place[v] == OUTER)
    return true;
  const inst *def = body_op(e, v);
  if (!def || op_effect_of(def->op) != EFFECT_NONE)
    return false;
  for (uint32_t i = 0; i < def->operand_count; i++)
    if (!invariant(e, def->operands[i]))
      return false;
  return true;
}

static bool add_term(const loop_entry *e, gain *g, value_id v, bool minus) {
  if (g->count == MOST_TERMS || !invariant(e, v))
    return false;
  g->term[g->count] = v;
  g->minus[g->count++] = minus;
  return true;
}

/* Follows sums from the yielded value back to the argument. */
static bool find_gain(const loop_entry *e, value_id v, value_id arg, gain *g) {
  while (v != arg) {
    const inst *def = body_op(e, v);
    if (!def)
      return false;
    if (def->op == OP_HINT) {
      v = def->operands[0];
      continue;
    }
    if (def->op != OP_ADD && def->op != OP_SUB && def->op != OP_PTR_ADD)
      return false;
    g->watched |= def->op != OP_PTR_ADD && wrap_watched(e->m, def);
    if (add_term(e, g, def->operands[1], def->op == OP_SUB))
      v = def->operands[0];
    else if (def->op == OP_ADD && add_term(e, g, def->operands[0], false))
      v = def->operands[1];
    else
      return false;
  }
  return true;
}

/* Computes an invariant, and what it needs, before its turn. */
static const tile *invariant_tile(const loop_entry *e, value_id v) {
  const inst *def = body_op(e, v);
  if (!def)
    return &e->m->values[v];
  for (uint32_t i = 0; i < def->operand_count; i++)
    if (def->operands[i] != VALUE_NONE)
      invariant_tile(e, def->operands[i]);
  machine_step(e->m, def);
  return &e->m->values[v];
}

/* exact += by * turns, or anything but `wrapped` when that leaves int128. */
static void exact_gain(int128 *exact, int128 by, int64_t turns, bool minus,
                       int128 wrapped) {
  int128 total;
  bool lost = __builtin_mul_overflow(by, (int128)turns, &total);
  lost |= minus ? __builtin_sub_overflow(*exact, total, exact)
                : __builtin_add_overflow(*exact, total, exact);
  if (lost)
    *exact = wrapped + 1;
}

static void gain_exact(const loop_entry *e, tile *out, const tile *start,
                       const gain *g, int64_t turn) {
  bool parted = start->exact != NULL;
  bool narrow = !out->type.pointer && scalar_bits(out->type.elem) <= 32;
  uint32_t origin = start->exact ? start->wrap_inst : e->loop->index;
  for (uint32_t k = 0; k < g->count; k++) {
    const tile *term = &e->m->values[g->term[k]];
    if (term->exact && !parted) {
      parted = true;
      origin = term->wrap_inst;
    }
  }
  if (!parted && !(g->watched && narrow))
    return;
  int128 *exact = tile_exact(e->m, out);
  for (size_t i = 0; i < out->type.lanes; i++) {
    int128 wrapped = exact[i];
    exact[i] = lane_exact(start, i);
    for (uint32_t k = 0; k < g->count; k++)
      exact_gain(&exact[i], lane_exact(&e->m->values[g->term[k]], i), turn,
                 g->minus[k], wrapped);
  }
  if (!parted && e->m->options.only_inst)
    origin = e->m->options.only_inst;
  out->wrap_inst = origin;
  wrap_settle(out);
}

static void carry_gain(const loop_entry *e, value_id arg, const gain *g,
                       int64_t turn) {
  const tile *start = &e->m->values[arg];
  tile *out = &e->m->next[arg];
  tile_begin(e->m, out);
  tile_inherit(e->m, out, start);
  out->tensor = start->tensor;
  if (start->tensors)
    memcpy(tile_tensors(e->m, out), start->tensors,
           sizeof *start->tensors * start->type.lanes);
  for (size_t i = 0; i < out->type.lanes; i++)
    out->bits[i] = start->bits[i];
  for (uint32_t k = 0; k < g->count; k++) {
    const tile *term = invariant_tile(e, g->term[k]);
    assert(term->type.lanes == out->type.lanes);
    tile_inherit(e->m, out, term);
    for (size_t i = 0; i < out->type.lanes; i++) {
      uint64_t by = term->bits[i] * (uint64_t)turn;
      out->bits[i] = g->minus[k] ? out->bits[i] - by : out->bits[i] + by;
    }
  }
  if (!out->type.pointer && scalar_is_int(out->type.elem))
    for (size_t i = 0; i < out->type.lanes; i++)
      out->bits[i] = int_fit(int_form_of(out->type.elem), out->bits[i]);
  gain_exact(e, out, start, g, turn);
}

static void carry_unknown(const loop_entry *e, value_id arg) {
  tile *out = &e->m->next[arg];
  tile_begin(e->m, out);
  memset(out->bits, 0, sizeof *out->bits * out->type.lanes);
  tile_blame_all(e->m, out, LANE_UNKNOWN);
}

/* Whether a pointer gains by integers only (elements of unknown type are not
 * multiplied out). */
static bool whole_terms(const loop_entry *e, const gain *g) {
  for (uint32_t k = 0; k < g->count; k++)
    if (!scalar_is_int(e->m->values[g->term[k]].type.elem))
      return false;
  return true;
}

bool turn_enter(exec_machine *m, const inst *loop, int64_t turn) {
  const region *r = loop->regions[0];
  size_t carried = r->args.count - 1;
  loop_entry e = {.m = m, .loop = loop};
  e.place = ARENA_ARRAY(m->arena, uint8_t, m->value_count);
  gain *gains = ARENA_ARRAY(m->arena, gain, carried);
  bool *unknown = ARENA_ARRAY(m->arena, bool, carried);
  survey(&e, r, DIRECT);
  if (e.opaque)
    return false;
  for (size_t k = 0; k < carried; k++) {
    value_id arg = r->args.at[k + 1];
    const tile_type *t = &m->values[arg].type;
    bool real = !t->pointer && number_is_float(t->elem);
    bool found = find_gain(&e, r->yields.at[k], arg, &gains[k]);
    unknown[k] = real && !(found && gains[k].count == 0);
    if (!real && !(found && whole_terms(&e, &gains[k])))
      return false;
  }
  m->muted = true;
  for (size_t k = 0; k < carried; k++) {
    if (unknown[k])
      carry_unknown(&e, r->args.at[k + 1]);
    else
      carry_gain(&e, r->args.at[k + 1], &gains[k], turn);
  }
  m->muted = false;
  for (size_t k = 0; k < carried; k++)
    machine_commit(m, r->args.at[k + 1]);
  m->stale |= e.writes;
  return true;
}
