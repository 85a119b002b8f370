/* analysis/prover_z3.c: questions to Z3; the only file that knows it.
 *
 * A fresh, uncounted context per question, deleted with it: the same question
 * costs the same and answers the same whatever was asked before. Atoms that
 * are not variables (quotients, min, applications) are integer constants here;
 * what is known about them comes as formulas. Formulas, terms and factors are
 * ordered by size and structural hash, never by handle. */
#include "analysis/query.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <z3.h>

typedef struct translation {
  symtab *t;
  arena *scratch;
  Z3_context z3;
  Z3_sort integers, truths;
  Z3_ast *memo; /* by handle */
  VEC(const char *) names;
} translation;

/* Installed so that the library does not end the process; the code is read
 * with Z3_get_error_code afterwards. */
static void on_error(Z3_context z3, Z3_error_code code) {
  (void)z3;
  (void)code;
}

static Z3_context open_context(void) {
  Z3_config config = Z3_mk_config();
  Z3_context z3 = Z3_mk_context(config);
  Z3_del_config(config);
  Z3_set_error_handler(z3, on_error);
  return z3;
}

static Z3_ast translate(translation *self, sym e);

static int order_hashes(translation *self, sym a, sym b) {
  uint64_t x = sym_structural_hash(self->t, a);
  uint64_t y = sym_structural_hash(self->t, b);
  return x != y ? (x > y) - (x < y) : (a > b) - (a < b);
}

static void sort_syms(translation *self, sym *at, size_t n) {
  for (size_t i = 1; i < n; i++) {
    sym e = at[i];
    size_t k = i;
    for (; k > 0 && order_hashes(self, e, at[k - 1]) < 0; k--)
      at[k] = at[k - 1];
    at[k] = e;
  }
}

/* A name for an atom: its text, made unique. */
static Z3_symbol name_of(translation *self, sym e) {
  const char *text = sym_text(self->t, e, self->scratch), *name = text;
  bool taken = true;
  for (int copy = 2; taken; copy++) {
    taken = false;
    for (size_t i = 0; i < self->names.count && !taken; i++)
      taken = strcmp(self->names.at[i], name) == 0;
    if (taken)
      name = arena_printf(self->scratch, "%s!%d", text, copy);
  }
  VEC_PUSH(self->scratch, &self->names, name);
  return Z3_mk_string_symbol(self->z3, name);
}

static Z3_ast constant(translation *self, sym e) {
  Z3_sort sort = sym_is_bool(self->t, e) ? self->truths : self->integers;
  return Z3_mk_const(self->z3, name_of(self, e), sort);
}

static Z3_ast number(translation *self, int64_t value) {
  return Z3_mk_int64(self->z3, value, self->integers);
}

static Z3_ast translate_term(translation *self, const sym_term *term) {
  Z3_ast factors[32];
  sym atoms[32];
  unsigned n = 0;
  assert(term->atom_count < 32);
  if (term->coef != 1 || term->atom_count == 0)
    factors[n++] = number(self, term->coef);
  for (uint32_t i = 0; i < term->atom_count; i++)
    atoms[i] = term->atoms[i];
  sort_syms(self, atoms, term->atom_count);
  for (uint32_t i = 0; i < term->atom_count; i++)
    factors[n++] = translate(self, atoms[i]);
  return n == 1 ? factors[0] : Z3_mk_mul(self->z3, n, factors);
}

typedef struct keyed_term {
  uint64_t key;
  sym_term term;
} keyed_term;

static int order_terms(const void *a, const void *b) {
  const keyed_term *x = a, *y = b;
  if (x->term.atom_count != y->term.atom_count)
    return (x->term.atom_count > y->term.atom_count) -
           (x->term.atom_count < y->term.atom_count);
  return (x->key > y->key) - (x->key < y->key);
}

static Z3_ast translate_poly(translation *self, sym e) {
  const sym_term *terms;
  size_t n = sym_terms(self->t, e, &terms);
  if (n == 0)
    return number(self, 0);
  keyed_term *order = ARENA_ARRAY(self->scratch, keyed_term, n);
  Z3_ast *parts = ARENA_ARRAY(self->scratch, Z3_ast, n);
  for (size_t i = 0; i < n; i++) {
    order[i].term = terms[i];
    for (uint32_t k = 0; k < terms[i].atom_count; k++)
      order[i].key += sym_structural_hash(self->t, terms[i].atoms[k]);
  }
  qsort(order, n, sizeof *order, order_terms);
  for (size_t i = 0; i < n; i++)
    parts[i] = translate_term(self, &order[i].term);
  return n == 1 ? parts[0] : Z3_mk_add(self->z3, (unsigned)n, parts);
}

static Z3_ast translate_connective(translation *self, sym e) {
  const sym *operands;
  size_t n = sym_operands(self->t, e, &operands);
  sym *sorted = arena_copy(self->scratch, operands, n * sizeof(sym));
  Z3_ast *parts = ARENA_ARRAY(self->scratch, Z3_ast, n);
  sort_syms(self, sorted, n);
  for (size_t i = 0; i < n; i++)
    parts[i] = translate(self, sorted[i]);
  return sym_kind_of(self->t, e) == SYM_AND
             ? Z3_mk_and(self->z3, (unsigned)n, parts)
             : Z3_mk_or(self->z3, (unsigned)n, parts);
}

static Z3_ast translate_new(translation *self, sym e) {
  const sym *args;
  Z3_context z3 = self->z3;
  switch (sym_kind_of(self->t, e)) {
  case SYM_INT:
  case SYM_POLY:
    return translate_poly(self, e);
  case SYM_TRUE:
    return Z3_mk_true(z3);
  case SYM_FALSE:
    return Z3_mk_false(z3);
  case SYM_GE0:
    sym_operands(self->t, e, &args);
    return Z3_mk_ge(z3, translate(self, args[0]), number(self, 0));
  case SYM_EQ0:
    sym_operands(self->t, e, &args);
    return Z3_mk_eq(z3, translate(self, args[0]), number(self, 0));
  case SYM_NE0:
    sym_operands(self->t, e, &args);
    return Z3_mk_not(z3,
                     Z3_mk_eq(z3, translate(self, args[0]), number(self, 0)));
  case SYM_NOT:
    sym_operands(self->t, e, &args);
    return Z3_mk_not(z3, translate(self, args[0]));
  case SYM_AND:
  case SYM_OR:
    return translate_connective(self, e);
  case SYM_VAR:
  case SYM_FDIV:
  case SYM_FMOD:
  case SYM_TDIV:
  case SYM_TMOD:
  case SYM_MIN:
  case SYM_MAX:
  case SYM_SELECT:
  case SYM_POW2CEIL:
  case SYM_APPLY:
  case SYM_APPLYB:
  case SYM_ISPOW2:
    return constant(self, e);
  }
  panic("no symbol kind %d", (int)sym_kind_of(self->t, e));
}

static Z3_ast translate(translation *self, sym e) {
  if (!self->memo[e])
    self->memo[e] = translate_new(self, e);
  return self->memo[e];
}

static translation start(symtab *t, arena *scratch) {
  translation self = {.t = t, .scratch = scratch, .z3 = open_context()};
  self.integers = Z3_mk_int_sort(self.z3);
  self.truths = Z3_mk_bool_sort(self.z3);
  self.memo = ARENA_ARRAY(scratch, Z3_ast, symtab_count(t) + 1);
  return self;
}

typedef struct sized {
  sym formula;
  size_t size;
  uint64_t hash;
} sized;

static size_t weight(const symtab *t, sym e) {
  const sym_term *terms;
  const sym *operands;
  size_t sum = 1;
  if (!sym_is_bool(t, e)) {
    size_t n = sym_terms(t, e, &terms);
    for (size_t i = 0; i < n; i++)
      sum += 1 + terms[i].atom_count;
    return sum;
  }
  size_t n = sym_operands(t, e, &operands);
  for (size_t i = 0; i < n; i++)
    sum += weight(t, operands[i]);
  return sum;
}

static int order_sizes(const void *a, const void *b) {
  const sized *x = a, *y = b;
  if (x->size != y->size)
    return (x->size > y->size) - (x->size < y->size);
  if (x->hash != y->hash)
    return (x->hash > y->hash) - (x->hash < y->hash);
  return (x->formula > y->formula) - (x->formula < y->formula);
}

/* Short formulas first, each once. */
static sym_vec in_order(symtab *t, arena *scratch, const sym *formulas,
                        size_t n) {
  sym_vec out = {0};
  sized *order = ARENA_ARRAY(scratch, sized, n);
  for (size_t i = 0; i < n; i++)
    order[i] = (sized){formulas[i], weight(t, formulas[i]),
                       sym_structural_hash(t, formulas[i])};
  qsort(order, n, sizeof *order, order_sizes);
  for (size_t i = 0; i < n; i++)
    if (i == 0 || order[i].formula != order[i - 1].formula)
      VEC_PUSH(scratch, &out, order[i].formula);
  return out;
}

static void set_uint(Z3_context z3, Z3_params params, const char *name,
                     unsigned value) {
  Z3_params_set_uint(z3, params, Z3_mk_string_symbol(z3, name), value);
}

static Z3_solver open_solver(Z3_context z3, z3_limits limits) {
  Z3_solver solver = Z3_mk_simple_solver(z3);
  Z3_solver_inc_ref(z3, solver);
  Z3_params params = Z3_mk_params(z3);
  Z3_params_inc_ref(z3, params);
  set_uint(z3, params, "arith.solver", limits.arith);
  set_uint(z3, params, "rlimit",
           limits.rlimit > UINT32_MAX ? UINT32_MAX : (unsigned)limits.rlimit);
  set_uint(z3, params, "timeout", limits.deadline_ms);
  set_uint(z3, params, "random_seed", 0);
  Z3_solver_set_params(z3, solver, params);
  Z3_params_dec_ref(z3, params);
  return solver;
}

static uint64_t rlimit_count(Z3_context z3, Z3_solver solver) {
  uint64_t used = 0;
  Z3_stats stats = Z3_solver_get_statistics(z3, solver);
  Z3_stats_inc_ref(z3, stats);
  for (unsigned i = 0; i < Z3_stats_size(z3, stats); i++)
    if (strcmp(Z3_stats_get_key(z3, stats, i), "rlimit count") == 0 &&
        Z3_stats_is_uint(z3, stats, i))
      used = Z3_stats_get_uint_value(z3, stats, i);
  Z3_stats_dec_ref(z3, stats);
  return used;
}

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static proof_trouble why_unknown(Z3_context z3, Z3_solver solver,
                                 z3_limits limits, z3_answer answer) {
  const char *reason = Z3_solver_get_reason_unknown(z3, solver);
  if (answer.rlimit_used >= limits.rlimit || strstr(reason, "resource"))
    return TROUBLE_RESOURCE;
  if (strstr(reason, "timeout") || strstr(reason, "cancel") ||
      answer.milliseconds >= limits.deadline_ms)
    return TROUBLE_DEADLINE;
  return TROUBLE_GAVE_UP;
}

/* Values of the atoms in the model; atoms that it leaves open are completed. */
static bool read_model(translation *self, Z3_solver solver,
                       model_entry *entries, size_t count) {
  Z3_context z3 = self->z3;
  Z3_model model = Z3_solver_get_model(z3, solver);
  bool fits = true;
  if (!model)
    return false;
  Z3_model_inc_ref(z3, model);
  for (size_t i = 0; i < count && fits; i++) {
    Z3_ast value = NULL;
    Z3_ast atom = translate(self, entries[i].atom);
    fits = Z3_model_eval(z3, model, atom, true, &value) && value;
    if (fits && sym_is_bool(self->t, entries[i].atom))
      entries[i].value = Z3_get_bool_value(z3, value) == Z3_L_TRUE;
    else if (fits)
      fits = Z3_get_ast_kind(z3, value) == Z3_NUMERAL_AST &&
             Z3_get_numeral_int64(z3, value, &entries[i].value);
  }
  Z3_model_dec_ref(z3, model);
  return fits;
}

z3_answer z3_solve(symtab *t, arena *scratch, const sym *formulas, size_t n,
                   z3_limits limits, model_entry *entries, size_t count,
                   bool *fits) {
  z3_answer answer = {.satisfiable = UNSURE};
  translation self = start(t, scratch);
  Z3_solver solver = open_solver(self.z3, limits);
  sym_vec order = in_order(t, scratch, formulas, n);
  for (size_t i = 0; i < order.count; i++)
    Z3_solver_assert(self.z3, solver, translate(&self, order.at[i]));
  bool built = Z3_get_error_code(self.z3) == Z3_OK;
  double before = now_ms();
  Z3_lbool result = built ? Z3_solver_check(self.z3, solver) : Z3_L_UNDEF;
  answer.milliseconds = now_ms() - before;
  answer.rlimit_used = rlimit_count(self.z3, solver);
  if (result == Z3_L_FALSE && Z3_get_error_code(self.z3) == Z3_OK)
    answer.satisfiable = NO;
  else if (result == Z3_L_TRUE)
    answer.satisfiable = YES;
  else
    answer.trouble =
        built ? why_unknown(self.z3, solver, limits, answer) : TROUBLE_GAVE_UP;
  if (result == Z3_L_TRUE && entries)
    *fits = read_model(&self, solver, entries, count);
  Z3_solver_dec_ref(self.z3, solver);
  Z3_del_context(self.z3);
  return answer;
}

void z3_text(symtab *t, arena *scratch, const sym *formulas, size_t n,
             strbuf *out) {
  translation self = start(t, scratch);
  Z3_solver solver = Z3_mk_simple_solver(self.z3);
  Z3_solver_inc_ref(self.z3, solver);
  sym_vec order = in_order(t, scratch, formulas, n);
  for (size_t i = 0; i < order.count; i++)
    Z3_solver_assert(self.z3, solver, translate(&self, order.at[i]));
  strbuf_put(out, "(set-logic ALL)\n");
  strbuf_put(out, Z3_solver_to_string(self.z3, solver));
  strbuf_put(out, "(check-sat)\n");
  Z3_solver_dec_ref(self.z3, solver);
  Z3_del_context(self.z3);
}

const char *z3_version(arena *arena) {
  unsigned major, minor, build, revision;
  Z3_get_version(&major, &minor, &build, &revision);
  return arena_printf(arena, "%u.%u.%u.%u", major, minor, build, revision);
}
