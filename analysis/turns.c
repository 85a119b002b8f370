/* analysis/turns.c: the loops around an instruction. */
#include "analysis/interp.h"
#include "analysis/judge_state.h"

static bool turns_of(const judge *j, const region *r, const inst *at,
                     sym *turns, size_t *count) {
  for (size_t k = 0; k < r->insts.count; k++) {
    const inst *i = r->insts.at[k];
    bool loop = i->kind == NODE_FOR || i->kind == NODE_WHILE;
    size_t depth = *count;
    if (i == at)
      return true;
    if (loop && depth < INTERP_MAX_LOOPS)
      turns[(*count)++] = interp_turn(j->syms, i);
    for (int arm = 0; arm < 2; arm++)
      if (i->regions[arm] && turns_of(j, i->regions[arm], at, turns, count))
        return true;
    *count = depth;
  }
  return false;
}

bool judge_turns(const judge *self, const inst *at, sym *turns, size_t *count) {
  *count = 0;
  return turns_of(self, self->program->body, at, turns, count);
}

static bool holds(const region *r, const inst *at) {
  for (size_t k = 0; k < r->insts.count; k++) {
    const inst *i = r->insts.at[k];
    if (i == at || (i->regions[0] && holds(i->regions[0], at)) ||
        (i->regions[1] && holds(i->regions[1], at)))
      return true;
  }
  return false;
}

/* Some `while` runs `from` and not `to`: how often, no fact says. */
static bool has_own_while(const region *r, const inst *from, const inst *to) {
  for (size_t k = 0; k < r->insts.count; k++) {
    const inst *i = r->insts.at[k];
    bool own = false, both = false;
    for (int arm = 0; arm < 2; arm++) {
      if (!i->regions[arm])
        continue;
      own = own || holds(i->regions[arm], from);
      both = both || holds(i->regions[arm], to);
      if (has_own_while(i->regions[arm], from, to))
        return true;
    }
    if (i->kind == NODE_WHILE && own && !both)
      return true;
  }
  return false;
}

sym judge_at_turns(const judge *self, sym e, const inst *from, const inst *to) {
  sym own[INTERP_MAX_LOOPS], other[INTERP_MAX_LOOPS];
  size_t n, m;
  if (!judge_turns(self, from, own, &n) || !judge_turns(self, to, other, &m) ||
      n != m || has_own_while(self->program->body, from, to))
    return SYM_NONE;
  return sym_substitute(self->syms, e, own, other, n);
}
