/* traffic/formula.c: compiles an expression to postfix code and runs it. */
#include "traffic/formula.h"
#include "base/panic.h"
#include "base/vec.h"

typedef enum code {
  CODE_NUMBER, /* pushes value */
  CODE_SLOT,   /* pushes slots[value] */
  CODE_ADD,    /* from here on: take two, push one */
  CODE_MUL,
  CODE_FDIV,
  CODE_FMOD,
  CODE_TDIV,
  CODE_TMOD,
  CODE_MIN,
  CODE_MAX,
  CODE_AND,
  CODE_OR,
  CODE_GE0, /* take one, push one */
  CODE_EQ0,
  CODE_NE0,
  CODE_NOT,
  CODE_POW2CEIL,
  CODE_ISPOW2,
  CODE_SELECT, /* takes three: condition, a, b */
} code;

typedef struct step {
  code code;
  int64_t value;
} step;

struct formula {
  VEC(step) steps;
};

enum { MOST_STEPS = 20000, MOST_DEPTH = 200 };

typedef struct compiler {
  arena *arena;
  symtab *t;
  formula_slots slots;
  formula *out;
  unsigned depth; /* of the stack */
  sym missing;
} compiler;

static bool compile(compiler *c, sym e);

static bool put(compiler *c, code code, int64_t value) {
  step s = {code, value};
  VEC_PUSH(c->arena, &c->out->steps, s);
  if (code <= CODE_SLOT)
    c->depth++;
  else if (code <= CODE_OR)
    c->depth--;
  else if (code == CODE_SELECT)
    c->depth -= 2;
  return c->depth < MOST_DEPTH && c->out->steps.count < MOST_STEPS;
}

static bool fail(compiler *c, sym e) {
  if (c->missing == SYM_NONE)
    c->missing = e;
  return false;
}

static bool put_slot(compiler *c, sym e) {
  int64_t value;
  if (sym_is_int(c->t, e, &value))
    return put(c, CODE_NUMBER, value);
  return put(c, CODE_SLOT, c->slots.slot(c->slots.context, e));
}

static bool is_outer(compiler *c, sym e) {
  return c->slots.outer(c->slots.context, e);
}

/* Atoms that are gathered in one slot with others. */
static bool is_gathered(compiler *c, sym atom) {
  return c->slots.gather && c->slots.gather(c->slots.context, atom);
}

static bool is_all_gathered(compiler *c, const sym_term *term) {
  for (uint32_t k = 0; k < term->atom_count; k++)
    if (!is_gathered(c, term->atoms[k]))
      return false;
  return true;
}

/* The product of a term's gathered atoms and its coefficient. */
static sym gathered_factor(compiler *c, const sym_term *term) {
  sym product = sym_int(c->t, term->coef);
  for (uint32_t k = 0; k < term->atom_count; k++)
    if (is_gathered(c, term->atoms[k]))
      product = sym_mul(c->t, product, term->atoms[k]);
  return product;
}

static sym gathered_sum(compiler *c, const sym_term *terms, size_t n) {
  sym sum = sym_int(c->t, 0);
  for (size_t i = 0; i < n; i++)
    if (is_all_gathered(c, &terms[i]))
      sum = sym_add(c->t, sum, gathered_factor(c, &terms[i]));
  return sum;
}

static bool put_term(compiler *c, const sym_term *term) {
  if (!put_slot(c, gathered_factor(c, term)))
    return false;
  for (uint32_t k = 0; k < term->atom_count; k++)
    if (!is_gathered(c, term->atoms[k]) &&
        (!compile(c, term->atoms[k]) || !put(c, CODE_MUL, 0)))
      return false;
  return true;
}

static bool put_poly(compiler *c, sym e) {
  const sym_term *found;
  size_t n = sym_terms(c->t, e, &found);
  /* Making expressions moves the table. */
  sym_term *terms = arena_copy(c->arena, found, n * sizeof *found);
  if (!put_slot(c, gathered_sum(c, terms, n)))
    return false;
  for (size_t i = 0; i < n; i++)
    if (!is_all_gathered(c, &terms[i]) &&
        (!put_term(c, &terms[i]) || !put(c, CODE_ADD, 0)))
      return false;
  return true;
}

static bool put_operands(compiler *c, sym e, code fold, code last) {
  const sym *found;
  size_t n = sym_operands(c->t, e, &found);
  sym *operands = arena_copy(c->arena, found, n * sizeof *found);
  for (size_t i = 0; i < n; i++) {
    if (!compile(c, operands[i]))
      return false;
    if (i > 0 && fold != CODE_NUMBER && !put(c, fold, 0))
      return false;
  }
  return last == CODE_NUMBER || put(c, last, 0);
}

static bool compile_kind(compiler *c, sym e) {
  switch (sym_kind_of(c->t, e)) {
  case SYM_INT:
    return put_slot(c, e);
  case SYM_POLY:
    return put_poly(c, e);
  case SYM_TRUE:
    return put(c, CODE_NUMBER, 1);
  case SYM_FALSE:
    return put(c, CODE_NUMBER, 0);
  case SYM_FDIV:
    return put_operands(c, e, CODE_NUMBER, CODE_FDIV);
  case SYM_FMOD:
    return put_operands(c, e, CODE_NUMBER, CODE_FMOD);
  case SYM_TDIV:
    return put_operands(c, e, CODE_NUMBER, CODE_TDIV);
  case SYM_TMOD:
    return put_operands(c, e, CODE_NUMBER, CODE_TMOD);
  case SYM_MIN:
    return put_operands(c, e, CODE_MIN, CODE_NUMBER);
  case SYM_MAX:
    return put_operands(c, e, CODE_MAX, CODE_NUMBER);
  case SYM_SELECT:
    return put_operands(c, e, CODE_NUMBER, CODE_SELECT);
  case SYM_POW2CEIL:
    return put_operands(c, e, CODE_NUMBER, CODE_POW2CEIL);
  case SYM_GE0:
    return put_operands(c, e, CODE_NUMBER, CODE_GE0);
  case SYM_EQ0:
    return put_operands(c, e, CODE_NUMBER, CODE_EQ0);
  case SYM_NE0:
    return put_operands(c, e, CODE_NUMBER, CODE_NE0);
  case SYM_AND:
    return put_operands(c, e, CODE_AND, CODE_NUMBER);
  case SYM_OR:
    return put_operands(c, e, CODE_OR, CODE_NUMBER);
  case SYM_NOT:
    return put_operands(c, e, CODE_NUMBER, CODE_NOT);
  case SYM_ISPOW2:
    return put_operands(c, e, CODE_NUMBER, CODE_ISPOW2);
  case SYM_VAR:
  case SYM_APPLY:
  case SYM_APPLYB:
    return fail(c, e);
  }
  panic("no formula of kind %d", (int)sym_kind_of(c->t, e));
}

static bool compile(compiler *c, sym e) {
  return is_outer(c, e) ? put_slot(c, e) : compile_kind(c, e);
}

const formula *formula_compile(arena *arena, symtab *t, sym e,
                               formula_slots slots, sym *missing) {
  compiler c = {
      .arena = arena, .t = t, .slots = slots, .out = ARENA_NEW(arena, formula)};
  if (compile(&c, e))
    return c.out;
  *missing = c.missing == SYM_NONE ? e : c.missing;
  return NULL;
}

/* ------------------------------------------------------------- running */

typedef struct item {
  int64_t value;
  bool ok;
} item;

static item quotient(int code, item a, item b) {
  item none = {0, false};
  if (!a.ok || !b.ok || b.value == 0)
    return none;
  if (b.value == -1) {
    bool divides = code == CODE_FDIV || code == CODE_TDIV;
    if (divides && a.value == INT64_MIN)
      return none;
    return (item){divides ? -a.value : 0, true};
  }
  switch (code) {
  case CODE_FDIV:
    return (item){floor_div(a.value, b.value), true};
  case CODE_FMOD:
    return (item){floor_mod(a.value, b.value), true};
  case CODE_TDIV:
    return (item){a.value / b.value, true};
  default:
    return (item){a.value % b.value, true};
  }
}

/* One operand that equals `absorbing` decides, whatever the other. */
static item connective(item a, item b, int64_t absorbing) {
  if ((a.ok && a.value == absorbing) || (b.ok && b.value == absorbing))
    return (item){absorbing, true};
  return (item){!absorbing, a.ok && b.ok};
}

static item binary(int code, item a, item b) {
  item out = {0, a.ok && b.ok};
  switch (code) {
  case CODE_ADD:
    out.ok = add_ok(a.value, b.value, &out.value) && out.ok;
    return out;
  case CODE_MUL:
    out.ok = mul_ok(a.value, b.value, &out.value) && out.ok;
    return out;
  case CODE_MIN:
    out.value = a.value < b.value ? a.value : b.value;
    return out;
  case CODE_MAX:
    out.value = a.value > b.value ? a.value : b.value;
    return out;
  case CODE_AND:
    return connective(a, b, 0);
  case CODE_OR:
    return connective(a, b, 1);
  default:
    return quotient(code, a, b);
  }
}

static item unary(int code, item a) {
  switch (code) {
  case CODE_GE0:
    return (item){a.value >= 0, a.ok};
  case CODE_EQ0:
    return (item){a.value == 0, a.ok};
  case CODE_NE0:
    return (item){a.value != 0, a.ok};
  case CODE_NOT:
    return (item){!a.value, a.ok};
  case CODE_ISPOW2:
    return (item){a.value > 0 && (a.value & (a.value - 1)) == 0, a.ok};
  default:
    assert(code == CODE_POW2CEIL);
    a.ok = a.ok && a.value <= (int64_t)1 << 62;
    return (item){a.ok ? next_pow2(a.value) : 0, a.ok};
  }
}

bool formula_eval(const formula *self, const int64_t *slots, int64_t *out) {
  item stack[MOST_DEPTH];
  size_t n = 0;
  for (size_t i = 0; i < self->steps.count; i++) {
    step s = self->steps.at[i];
    if (s.code == CODE_NUMBER) {
      stack[n++] = (item){s.value, true};
    } else if (s.code == CODE_SLOT) {
      stack[n++] = (item){slots[s.value], true};
    } else if (s.code <= CODE_OR) {
      n--;
      stack[n - 1] = binary(s.code, stack[n - 1], stack[n]);
    } else if (s.code == CODE_SELECT) {
      n -= 2;
      item c = stack[n - 1], chosen = stack[c.value ? n : n + 1];
      stack[n - 1] = (item){chosen.value, c.ok && chosen.ok};
    } else {
      stack[n - 1] = unary(s.code, stack[n - 1]);
    }
  }
  assert(n == 1);
  *out = stack[0].value;
  return stack[0].ok;
}
