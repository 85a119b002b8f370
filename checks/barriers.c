/* checks/barriers.c: see barriers.h. */
#include "checks/barriers.h"

/* --------------------------------------------------------------- barriers */

static bool holds_inst(const inst *i, const inst *at);

static bool region_holds(const region *r, const inst *at) {
  for (size_t k = 0; k < r->insts.count; k++)
    if (holds_inst(r->insts.at[k], at))
      return true;
  return false;
}

static bool holds_inst(const inst *i, const inst *at) {
  if (i == at)
    return true;
  for (int arm = 0; arm < 2; arm++)
    if (i->regions[arm] && region_holds(i->regions[arm], at))
      return true;
  return false;
}

static bool has_barrier(const region *r, size_t from, size_t to) {
  for (size_t k = from; k < to; k++)
    if (r->insts.at[k]->kind == NODE_OP && op_is_barrier(r->insts.at[k]->op))
      return true;
  return false;
}

/* Sound: in the innermost region that holds both, the barrier stands between
 * the two instructions that hold them, so it is passed on the way from the
 * first to the second; when the region runs again, a barrier before the first
 * or after the second is passed on the way back. */
static bool apart_in(const region *r, const inst *a, const inst *b,
                     bool repeats) {
  size_t n = r->insts.count, first = n, second = n;
  for (size_t k = 0; k < n; k++) {
    const inst *i = r->insts.at[k];
    bool has_a = holds_inst(i, a), has_b = holds_inst(i, b);
    if (has_a && has_b) {
      bool loop = i->kind == NODE_FOR || i->kind == NODE_WHILE;
      for (int arm = 0; arm < 2; arm++)
        if (i->regions[arm] && region_holds(i->regions[arm], a) &&
            region_holds(i->regions[arm], b))
          return apart_in(i->regions[arm], a, b, repeats || loop);
      return false;
    }
    if (has_a || has_b) {
      second = first < n ? k : second;
      first = first < n ? first : k;
    }
  }
  return second < n && has_barrier(r, first + 1, second) &&
         (!repeats || has_barrier(r, 0, first) ||
          has_barrier(r, second + 1, n));
}

bool barrier_between(const tile_program *p, const access *a, const access *b) {
  return a->inst != b->inst && apart_in(p->body, a->inst, b->inst, false);
}

/* --------------------------------------------------------- synchronisation */

typedef struct taint {
  const tile_program *p;
  bool *value;   /* by value id: depends on what other programs write */
  bool *written; /* by tensor index */
  bool any_written, changed, decides;
} taint;

static uint32_t base_tensor(const tile_program *p, value_id v, unsigned depth) {
  for (size_t i = 0; i < p->params.count; i++)
    if (p->params.at[i].value_id == v && p->params.at[i].kind == PARAM_POINTER)
      return p->params.at[i].tensor;
  const inst *def = p->values.at[v].def;
  if (!def || def->kind != NODE_OP || def->operand_count == 0 || depth > 64 ||
      !p->values.at[def->operands[0]].type.pointer)
    return TENSOR_LOST;
  return base_tensor(p, def->operands[0], depth + 1);
}

static bool reads_written(const taint *s, const inst *i) {
  uint32_t tensor = base_tensor(s->p, i->operands[0], 0);
  if (tensor == TENSOR_LOST || s->any_written)
    return s->any_written;
  for (size_t k = 0; k < s->p->tensors.count; k++)
    if (s->written[k] &&
        tensors_may_share(&s->p->tensors.at[k], &s->p->tensors.at[tensor]))
      return true;
  return false;
}

static void mark(taint *s, value_id v) {
  if (v != VALUE_NONE && !s->value[v]) {
    s->value[v] = true;
    s->changed = true;
  }
}

static void note_writes(taint *s, const region *r) {
  for (size_t k = 0; k < r->insts.count; k++) {
    const inst *i = r->insts.at[k];
    op_effect effect = i->kind == NODE_OP ? op_effect_of(i->op) : EFFECT_NONE;
    if (effect == EFFECT_WRITE || effect == EFFECT_ATOMIC) {
      uint32_t tensor = base_tensor(s->p, i->operands[0], 0);
      if (tensor == TENSOR_LOST)
        s->any_written = true;
      else
        s->written[tensor] = true;
    } else if (effect == EFFECT_ANY) {
      s->any_written = true;
    }
    for (int arm = 0; arm < 2; arm++)
      if (i->regions[arm])
        note_writes(s, i->regions[arm]);
  }
}

static bool tainted_operand(const taint *s, const inst *i) {
  for (uint32_t k = 0; k < i->operand_count; k++)
    if (i->operands[k] != VALUE_NONE && s->value[i->operands[k]])
      return true;
  return false;
}

static bool is_source(const taint *s, const inst *i) {
  op_effect effect = i->kind == NODE_OP ? op_effect_of(i->op) : EFFECT_NONE;
  return effect == EFFECT_ATOMIC || effect == EFFECT_ANY ||
         (effect == EFFECT_READ && reads_written(s, i));
}

static void flow(taint *s, const region *r);

/* Everything in and behind a loop or branch with a tainted operand is. */
static void flow_inst(taint *s, const inst *i) {
  bool dirty = tainted_operand(s, i) || is_source(s, i);
  unsigned bounds = i->kind == NODE_FOR ? 3 : i->kind == NODE_IF ? 1 : 0;
  for (uint32_t k = 0; k < bounds; k++)
    s->decides = s->decides || s->value[i->operands[k]];
  for (int arm = 0; arm < 2; arm++) {
    const region *r = i->regions[arm];
    if (!r)
      continue;
    for (size_t k = 0; dirty && k < r->args.count; k++)
      mark(s, r->args.at[k]);
    flow(s, r);
    for (size_t k = 0; k < r->yields.count; k++)
      dirty = dirty || s->value[r->yields.at[k]];
    if (i->kind == NODE_WHILE && arm == 0 && r->yields.count &&
        s->value[r->yields.at[0]])
      s->decides = true;
    for (size_t k = 0; dirty && k < r->args.count; k++)
      mark(s, r->args.at[k]);
  }
  for (uint32_t k = 0; dirty && k < i->result_count; k++)
    mark(s, i->results[k]);
}

static void flow(taint *s, const region *r) {
  for (size_t k = 0; k < r->insts.count; k++)
    flow_inst(s, r->insts.at[k]);
}

bool programs_synchronise(const tile_program *p) {
  arena *scratch = arena_create();
  taint s = {.p = p,
             .value = ARENA_ARRAY(scratch, bool, p->values.count + 1),
             .written = ARENA_ARRAY(scratch, bool, p->tensors.count + 1),
             .changed = true};
  note_writes(&s, p->body);
  while (s.changed && !s.decides) {
    s.changed = false;
    flow(&s, p->body);
  }
  arena_destroy(scratch);
  return s.decides;
}
