/* checks/compiles.c: what must hold for a launch to compile, as requirements.
 *
 * A tile has a power of two of lanes, 1 to 2^20, and a dot contracts and spans
 * at least 16. Where the lengths of tiles come from sizes, as in
 * next_power_of_2(n_cols), some launches do not compile, and what is proved of
 * them is proved of nothing: the caller is told. Lengths that are block sizes
 * are the business of whoever picks them (docs/contract.md). */
#include "checks/require.h"

enum { MAX_BITS = 20, LEAST_DOT = 16 };

typedef struct need_of_launch {
  sym condition;
  const char *text;
} need_of_launch;

typedef struct compiles {
  const check_input *in;
  judge *judge;
  symtab *syms;
  sym_vec facts; /* of the launch, but for those that say that it compiles */
  sym_vec seen;  /* lengths and products that have been looked at */
  VEC(need_of_launch) needs;
} compiles;

static bool in_caller_terms(const compiles *self, sym e) {
  const tile_program *p = self->in->program;
  for (size_t i = 0; i < exprs_symbol_count(p->exprs); i++)
    if (launch_hides(p, i) &&
        sym_mentions(self->syms, e, judge_launch(self->judge)->symbol[i]))
      return false;
  return judge_is_launch_level(self->judge, e);
}

/* `text` says the condition; null: its own text does. */
static void require(compiles *self, sym condition, const char *text) {
  if (sym_kind_of(self->syms, condition) == SYM_FALSE ||
      !in_caller_terms(self, condition) ||
      judge_prove(self->judge, &self->facts, condition).proved)
    return;
  if (!text)
    text = sym_text(self->syms, condition, self->in->arena);
  VEC_PUSH(self->in->arena, &self->needs, ((need_of_launch){condition, text}));
}

static bool first_time(compiles *self, sym e) {
  for (size_t i = 0; i < self->seen.count; i++)
    if (self->seen.at[i] == e)
      return false;
  VEC_PUSH(self->in->arena, &self->seen, e);
  return true;
}

/* e is one of a few numbers, all of them powers of two. */
static bool is_listed(const compiles *self, sym fact, sym e) {
  symtab *t = self->syms;
  const sym *options, *operand;
  size_t n =
      sym_kind_of(t, fact) == SYM_OR ? sym_operands(t, fact, &options) : 0;
  for (size_t i = 0; i < n; i++) {
    int64_t c;
    if (sym_kind_of(t, options[i]) != SYM_EQ0)
      return false;
    sym_operands(t, options[i], &operand);
    if (!sym_is_int(t, sym_sub(t, e, operand[0]), &c) &&
        !sym_is_int(t, sym_add(t, e, operand[0]), &c))
      return false;
    if (c < 1 || (c & (c - 1)) != 0)
      return false;
  }
  return n > 0;
}

/* Products, roundings and quotients of powers of two are powers of two (or 0);
 * a block size is one. */
static bool is_power(const compiles *self, sym e) {
  symtab *t = self->syms;
  const sym *operands;
  int64_t c;
  if (sym_is_int(t, e, &c))
    return true; /* a fault of the launch itself is not the caller's */
  sym_kind kind = sym_kind_of(t, e);
  if (kind == SYM_POW2CEIL ||
      (kind == SYM_VAR && sym_var_role(t, e) == ROLE_CONST))
    return true;
  if (kind == SYM_MIN || kind == SYM_MAX || kind == SYM_FDIV) {
    sym_operands(t, e, &operands);
    return is_power(self, operands[0]) && is_power(self, operands[1]);
  }
  for (size_t i = 0; i < self->facts.count; i++)
    if (self->facts.at[i] == sym_ispow2(t, e) ||
        self->facts.at[i] == sym_eq(t, e, sym_pow2ceil(t, e)) ||
        is_listed(self, self->facts.at[i], e))
      return true;
  return false;
}

static void require_power(compiles *self, sym e) {
  if (is_power(self, e) || !in_caller_terms(self, e))
    return;
  const char *text = sym_text(self->syms, e, self->in->arena);
  need_of_launch n = {sym_eq(self->syms, e, sym_pow2ceil(self->syms, e)),
                      arena_printf(self->in->arena,
                                   "%s == triton.next_power_of_2(%s)", text,
                                   text)};
  VEC_PUSH(self->in->arena, &self->needs, n);
}

/* e <= most. Sound: next_pow2(x) exceeds a power of two exactly when x does. */
static void require_most(compiles *self, sym e, int64_t most) {
  symtab *t = self->syms;
  unsigned bits = 0;
  while (bits < MAX_BITS && (int64_t)2 << bits <= most)
    bits++;
  if (sym_kind_of(t, e) == SYM_POW2CEIL) {
    const sym *operands;
    sym_operands(t, e, &operands);
    e = operands[0];
    most = (int64_t)1 << bits;
  }
  bool power = most == (int64_t)1 << bits;
  require(self, sym_le(t, e, sym_int(t, most)),
          power ? arena_printf(self->in->arena, "%s <= 2**%u",
                               sym_text(t, e, self->in->arena), bits)
                : NULL);
}

/* Sound: next_pow2(x) >= n exactly when x > n / 2 for a power of two n; c // d
 * >= n exactly when d <= c // n, for d >= 1; a minimum is at least what both
 * are. */
static void require_least(compiles *self, sym e, int64_t least) {
  symtab *t = self->syms;
  const sym *operands = NULL;
  sym_kind kind = sym_kind_of(t, e);
  int64_t c;
  if (kind == SYM_MIN || kind == SYM_POW2CEIL || kind == SYM_FDIV)
    sym_operands(t, e, &operands);
  if (kind == SYM_MIN) {
    require_least(self, operands[0], least);
    require_least(self, operands[1], least);
  } else if (kind == SYM_POW2CEIL && (least & (least - 1)) == 0) {
    require_least(self, operands[0], least / 2 + 1);
  } else if (kind == SYM_FDIV && sym_is_int(t, operands[0], &c) && c >= least &&
             judge_implies(self->judge, &self->facts,
                           sym_ge(t, operands[1], sym_int(t, 0)))) {
    require_least(self, operands[1], 1);
    require_most(self, operands[1], c / least);
  } else if (kind != SYM_VAR || sym_var_role(t, e) != ROLE_CONST) {
    require(self, sym_ge(t, e, sym_int(t, least)), NULL);
  }
}

/* A tile of that many lanes. Sound: 2^k * next_pow2(x) <= 2^20 exactly when
 * next_pow2(x) <= 2^(20 - k). */
static void require_lanes(compiles *self, sym e) {
  symtab *t = self->syms;
  const sym_term *terms;
  size_t n = sym_terms(t, e, &terms);
  int64_t most = (int64_t)1 << MAX_BITS;
  if (sym_mentions_role(t, e, ROLE_CONST))
    return;
  if (n == 1 && terms[0].atom_count == 1 && terms[0].coef > 0 &&
      sym_kind_of(t, terms[0].atoms[0]) == SYM_POW2CEIL) {
    most /= terms[0].coef;
    e = terms[0].atoms[0];
  }
  require_most(self, e, most);
}

static void require_tile(compiles *self, const type *x) {
  symtab *t = self->syms;
  sym lanes = sym_int(t, 1);
  for (unsigned d = 0; d < x->rank; d++) {
    sym extent = launch_sym(judge_launch(self->judge), x->dim[d]);
    lanes = sym_mul(t, lanes, extent);
    if (!first_time(self, extent))
      continue;
    require_power(self, extent);
    require_least(self, extent, 1);
    require_lanes(self, extent);
  }
  if (x->rank > 1 && first_time(self, lanes))
    require_lanes(self, lanes);
}

static void require_dot(compiles *self, const inst *i) {
  const tile_program *p = self->in->program;
  for (uint32_t k = 0; k < 2; k++) {
    const type *x = &p->values.at[i->operands[k]].type;
    for (unsigned d = x->rank < 2 ? x->rank : x->rank - 2; d < x->rank; d++)
      require_least(self, launch_sym(judge_launch(self->judge), x->dim[d]),
                    LEAST_DOT);
  }
}

/* Whether the launch's facts and the other needs say it already. */
static bool is_implied(compiles *self, size_t which) {
  sym_vec facts = {0};
  for (size_t i = 0; i < self->facts.count; i++)
    VEC_PUSH(self->in->arena, &facts, self->facts.at[i]);
  for (size_t i = 0; i < self->needs.count; i++)
    if (i != which && self->needs.at[i].text)
      VEC_PUSH(self->in->arena, &facts, self->needs.at[i].condition);
  return judge_prove(self->judge, &facts, self->needs.at[which].condition)
      .proved;
}

/* The last were composed of the first. */
static void drop_implied(compiles *self) {
  for (size_t i = self->needs.count; i-- > 0;)
    if (is_implied(self, i))
      self->needs.at[i].text = NULL;
}

void require_compiles(const check_input *in, verdict *out) {
  compiles self = {.in = in, .judge = in->pinned};
  const launch *l = judge_launch(in->pinned);
  self.syms = l->syms;
  for (size_t i = 0; i < l->compile_from; i++)
    VEC_PUSH(in->arena, &self.facts, l->facts.at[i]);
  for (size_t v = 1; v < in->program->values.count; v++) {
    const inst *i = in->program->values.at[v].def;
    require_tile(&self, &in->program->values.at[v].type);
    if (launch_is_dot(i))
      require_dot(&self, i);
  }
  drop_implied(&self);
  for (size_t i = 0; i < self.needs.count; i++)
    if (self.needs.at[i].text)
      require_condition(in, self.needs.at[i].text, out);
}
