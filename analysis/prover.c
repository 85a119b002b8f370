/* analysis/prover.c: the order of work for one goal.
 *
 * Folding, then bounds, then certificates, then Z3 with a deterministic limit.
 * Each public call has scratch memory of its own. */
#include "analysis/memo.h"
#include "analysis/query.h"

enum {
  DEFAULT_RLIMIT = 1000000, /* about 0.5 s */
  DEFAULT_BUDGET = 6000000, /* about 3 s */
  LEAST_RLIMIT = 20000,     /* less is not worth a context */
  DEFAULT_DEADLINE_MS = 20000,
  PROOF_ARITH = 6, /* Z3's linear and non-linear integer solver */
};

typedef struct batch {
  arena *scratch;
  query_cache queries;
} batch;

struct prover {
  symtab *t;
  prover_options options;
  prover_stats stats;
  memo_view *memo; /* null: nothing is remembered */
  batch *batch;    /* null: each question is by itself */
};

prover *prover_create(arena *kernel, symtab *t, prover_options options) {
  prover *self = ARENA_NEW(kernel, prover);
  self->t = t;
  self->options = options;
  if (!self->options.rlimit)
    self->options.rlimit = DEFAULT_RLIMIT;
  if (!self->options.budget)
    self->options.budget = DEFAULT_BUDGET;
  if (!self->options.deadline_ms)
    self->options.deadline_ms = DEFAULT_DEADLINE_MS;
  if (options.memo)
    self->memo = memo_open(options.memo, kernel, t);
  return self;
}

/* The place of an answer; null when nothing is remembered. */
static memo_answer *remembered(prover *self, memo_effort effort,
                               const sym *facts, size_t n, sym goal) {
  return self->memo ? memo_at(self->memo, effort, facts, n, goal) : NULL;
}

static proof answer_by(proof_method method) {
  return (proof){.proved = method != METHOD_NONE, .method = method};
}

static proof keep(memo_answer *answer, proof result, uint64_t rlimit) {
  if (answer)
    *answer = (memo_answer){.known = true, .proof = result, .rlimit = rlimit};
  return result;
}

/* One goal that is no conjunction; a disjunction is refuted as a whole. */
typedef struct question {
  prover *self;
  arena *scratch;
  const sym *facts;
  size_t n;
  sym goal;
  query built; /* assembled when it has a cert */
} question;

/* The goal, or what is false, is among the facts and their parts. */
static bool is_stated(const symtab *t, const sym *facts, size_t n, sym goal) {
  const sym *parts;
  for (size_t i = 0; i < n; i++) {
    sym_kind kind = sym_kind_of(t, facts[i]);
    if (facts[i] == goal || kind == SYM_FALSE)
      return true;
    if (kind != SYM_AND)
      continue;
    size_t count = sym_operands(t, facts[i], &parts);
    if (is_stated(t, parts, count, goal))
      return true;
  }
  return false;
}

static bool folds(const question *q) {
  return sym_kind_of(q->self->t, q->goal) == SYM_TRUE ||
         is_stated(q->self->t, q->facts, q->n, q->goal);
}

static bool by_bounds(cert *facts, sym goal) {
  const sym *args;
  if (facts->contradiction)
    return true;
  if (sym_kind_of(facts->t, goal) != SYM_GE0)
    return false;
  sym_operands(facts->t, goal, &args);
  return cert_bounds_ge(facts, args[0]);
}

static proof_method literal_fast(const query *q, sym goal) {
  if (by_bounds(q->cert, goal))
    return METHOD_BOUNDS;
  return cert_proves(q->cert, goal, CERT_STEPS) ? METHOD_CERTIFICATE
                                                : METHOD_NONE;
}

static sym_vec all_facts(const question *q, sym more) {
  sym_vec facts = {0};
  for (size_t i = 0; i < q->n; i++)
    VEC_PUSH(q->scratch, &facts, q->facts[i]);
  if (more != SYM_NONE)
    VEC_PUSH(q->scratch, &facts, more);
  return facts;
}

static size_t weight(const symtab *t, sym e) {
  const sym *args;
  const sym_term *terms;
  if (!sym_is_bool(t, e))
    return sym_terms(t, e, &terms);
  size_t n = sym_operands(t, e, &args), sum = 1;
  for (size_t i = 0; i < n; i++)
    sum += weight(t, args[i]);
  return sum;
}

/* The literal goal under the facts, by bounds and certificates. *built is
 * assembled unless the answer is remembered. */
static proof_method ask_literal(question *q, const sym_vec *facts, sym goal,
                                cone_width width, query *built) {
  prover *self = q->self;
  query_select(built, q->scratch, self->t, facts->at, facts->count, &goal, 1,
               width);
  memo_answer *answer =
      remembered(self, MEMO_CONE, built->facts.at, built->facts.count, goal);
  if (answer && answer->known)
    return answer->proof.method;
  proof_method method;
  if (self->batch && width == CONE_ALL) {
    method = literal_fast(query_cached(&self->batch->queries,
                                       self->batch->scratch, self->t, facts->at,
                                       facts->count, goal, CONE_ALL),
                          goal);
  } else {
    query_assemble(built, &goal, 1, false);
    method = literal_fast(built, goal);
  }
  keep(answer, answer_by(method), 0);
  return method;
}

/* Part `k` of a disjunction under the negation of the others. */
static proof_method part_fast(question *q, const sym *parts, size_t n,
                              size_t k) {
  symtab *t = q->self->t;
  sym others = sym_false(t);
  if (sym_kind_of(t, parts[k]) == SYM_AND)
    return METHOD_NONE; /* left to the solver */
  for (size_t i = 0; i < n; i++)
    if (i != k)
      others = sym_or(t, others, parts[i]);
  sym_vec facts = all_facts(q, sym_not(t, others));
  query built;
  return ask_literal(q, &facts, parts[k], CONE_NARROW, &built);
}

/* Sound: `A or B` follows when B follows from not A. The longest part is the
 * likeliest: the others are mostly the opposite of a mask. */
static proof_method disjunction_fast(question *q) {
  symtab *t = q->self->t;
  const sym *parts;
  size_t n = sym_operands(t, q->goal, &parts);
  bool *tried = ARENA_ARRAY(q->scratch, bool, n);
  for (size_t round = 0; round < n; round++) {
    size_t best = n;
    for (size_t i = 0; i < n; i++)
      if (!tried[i] &&
          (best == n || weight(t, parts[i]) > weight(t, parts[best])))
        best = i;
    tried[best] = true;
    proof_method method = part_fast(q, parts, n, best);
    if (method != METHOD_NONE)
      return method;
  }
  return METHOD_NONE;
}

static bool is_about_constants(question *q) {
  return (sym_roles(q->self->t, q->goal) &
          ~(1u << ROLE_SIZE | 1u << ROLE_STRIDE | 1u << ROLE_CONST)) == 0;
}

/* A goal about sizes alone may follow from a program or lane that exists. */
static bool needs_all(question *q, const query *narrow) {
  return narrow->left_out && is_about_constants(q) &&
         sym_kind_of(q->self->t, q->goal) != SYM_OR;
}

static proof_method fast(question *q) {
  symtab *t = q->self->t;
  q->built = (query){0};
  if (sym_kind_of(t, q->goal) == SYM_OR)
    return disjunction_fast(q);
  sym_vec facts = all_facts(q, SYM_NONE);
  proof_method method = ask_literal(q, &facts, q->goal, CONE_NARROW, &q->built);
  if (method == METHOD_NONE && needs_all(q, &q->built))
    method = ask_literal(q, &facts, q->goal, CONE_ALL, &q->built);
  return method;
}

/* The facts for the solver, unless they are chosen already. */
static void select_for_solver(question *q) {
  prover *self = q->self;
  if (q->built.cert)
    return;
  query_select(&q->built, q->scratch, self->t, q->facts, q->n, &q->goal, 1,
               CONE_NARROW);
  if (needs_all(q, &q->built))
    query_select(&q->built, q->scratch, self->t, q->facts, q->n, &q->goal, 1,
                 CONE_ALL);
}

/* The question again with what follows from equalities between instances. */
static proof_method swept(question *q) {
  symtab *t = q->self->t;
  if (!instances_linked(t, q->scratch, q->facts, q->n))
    return METHOD_NONE;
  sym_vec facts = {0};
  query_flatten(t, q->scratch, q->facts, q->n, &facts);
  instances_unify(t, q->scratch, q->self->memo, &facts, &q->goal);
  q->facts = facts.at;
  q->n = facts.count;
  proof_method method = folds(q) ? METHOD_FOLD : fast(q);
  /* What it rests on took certificates. */
  return method == METHOD_FOLD ? METHOD_CERTIFICATE : method;
}

/* Facts, definitions and the negated goal: unsatisfiable means proved. */
static sym_vec refutation(question *q) {
  sym_vec formulas = {0};
  query *built = &q->built;
  if (!built->cert)
    query_assemble(built, &q->goal, 1, false);
  for (size_t i = 0; i < built->facts.count; i++)
    VEC_PUSH(q->scratch, &formulas, built->facts.at[i]);
  for (size_t i = 0; i < built->formulas.count; i++)
    VEC_PUSH(q->scratch, &formulas, built->formulas.at[i]);
  VEC_PUSH(q->scratch, &formulas, sym_not(q->self->t, q->goal));
  return formulas;
}

static proof ask_z3(question *q, uint64_t rlimit) {
  prover *self = q->self;
  if (!rlimit)
    return (proof){.trouble = TROUBLE_RESOURCE};
  z3_limits limits = {.rlimit = rlimit,
                      .deadline_ms = self->options.deadline_ms,
                      .arith = PROOF_ARITH};
  sym_vec formulas = refutation(q);
  z3_answer answer = z3_solve(self->t, q->scratch, formulas.at, formulas.count,
                              limits, NULL, 0, NULL);
  prover_count_z3(self, answer);
  if (answer.satisfiable == NO)
    return answer_by(METHOD_Z3);
  return (proof){.trouble = answer.trouble};
}

/* Sound: a proof counts whatever it cost. A failure for want of work counts for
 * as little work again, and one that the clock made for nothing. */
static bool settles(const memo_answer *answer, uint64_t rlimit) {
  if (!answer || !answer->known || answer->proof.trouble == TROUBLE_DEADLINE)
    return false;
  return answer->proof.trouble != TROUBLE_RESOURCE || rlimit <= answer->rlimit;
}

static proof by_z3(question *q) {
  prover *self = q->self;
  uint64_t rlimit = prover_rlimit(self, self->options.rlimit);
  select_for_solver(q);
  memo_answer *answer = remembered(self, MEMO_CONE_Z3, q->built.facts.at,
                                   q->built.facts.count, q->goal);
  if (settles(answer, rlimit))
    return answer->proof;
  return keep(answer, ask_z3(q, rlimit), rlimit);
}

static void count(prover *self, proof_method method) {
  self->stats.queries++;
  self->stats.by_fold += method == METHOD_FOLD;
  self->stats.by_bounds += method == METHOD_BOUNDS;
  self->stats.by_certificate += method == METHOD_CERTIFICATE;
  self->stats.by_z3 += method == METHOD_Z3;
}

/* What follows by bounds and certificates, asked once. */
static proof_method fast_remembered(question *q) {
  if (folds(q))
    return METHOD_FOLD;
  memo_answer *answer = remembered(q->self, MEMO_FAST, q->facts, q->n, q->goal);
  if (answer && answer->known)
    return answer->proof.method;
  proof_method method = fast(q);
  keep(answer, answer_by(method), 0);
  return method;
}

static proof solve(question *q) {
  proof_method method = swept(q);
  if (method != METHOD_NONE)
    return answer_by(method);
  return q->self->options.no_z3 ? answer_by(METHOD_NONE) : by_z3(q);
}

static proof solve_remembered(question *q) {
  prover *self = q->self;
  uint64_t rlimit = prover_rlimit(self, self->options.rlimit);
  memo_answer *answer = remembered(self, MEMO_SOLVER, q->facts, q->n, q->goal);
  if (settles(answer, rlimit))
    return answer->proof;
  return keep(answer, solve(q), rlimit);
}

static proof prove_part(prover *self, const sym *facts, size_t n, sym goal,
                        bool solver) {
  question q = {self, arena_create(), facts, n, goal, {0}};
  proof_method method = fast_remembered(&q);
  proof result = answer_by(method);
  if (!result.proved && solver)
    result = solve_remembered(&q);
  count(self, result.method);
  arena_destroy(q.scratch);
  return result;
}

/* All parts of a conjunction; the method is that of the hardest part. */
static proof prove_all(prover *self, const sym *facts, size_t n, sym goal,
                       bool solver) {
  const sym *parts;
  assert(sym_is_bool(self->t, goal));
  if (sym_kind_of(self->t, goal) != SYM_AND)
    return prove_part(self, facts, n, goal, solver);
  proof result = answer_by(METHOD_FOLD);
  size_t count = sym_operands(self->t, goal, &parts);
  for (size_t i = 0; i < count; i++) {
    proof part = prove_all(self, facts, n, parts[i], solver);
    if (!part.proved)
      return part;
    if (part.method > result.method)
      result.method = part.method;
  }
  return result;
}

proof prover_prove(prover *self, const sym *facts, size_t n, sym goal) {
  return prove_all(self, facts, n, goal, true);
}

proof prover_prove_fast(prover *self, const sym *facts, size_t n, sym goal) {
  return prove_all(self, facts, n, goal, false);
}

bool prover_implies_fast(prover *self, const sym *facts, size_t n, sym goal) {
  return prover_prove_fast(self, facts, n, goal).proved;
}

void prover_begin_batch(prover *self) {
  arena *scratch = arena_create();
  assert(!self->batch);
  self->batch = ARENA_NEW(scratch, batch);
  self->batch->scratch = scratch;
}

void prover_end_batch(prover *self) {
  arena *scratch = self->batch->scratch;
  self->batch = NULL;
  arena_destroy(scratch);
}

prover_stats prover_statistics(const prover *self) {
  return self->stats;
}

void prover_stats_add(prover_stats *to, prover_stats more) {
  to->queries += more.queries;
  to->by_fold += more.by_fold;
  to->by_bounds += more.by_bounds;
  to->by_certificate += more.by_certificate;
  to->by_z3 += more.by_z3;
  to->z3_calls += more.z3_calls;
  to->z3_rlimit_used += more.z3_rlimit_used;
  to->z3_ms += more.z3_ms;
}

uint64_t prover_rlimit(const prover *self, uint64_t wanted) {
  uint64_t used = self->stats.z3_rlimit_used, budget = self->options.budget;
  uint64_t left = used < budget ? budget - used : 0;
  return left < LEAST_RLIMIT ? 0 : left < wanted ? left : wanted;
}

void prover_count_z3(prover *self, z3_answer answer) {
  self->stats.z3_calls++;
  self->stats.z3_rlimit_used += answer.rlimit_used;
  self->stats.z3_ms += answer.milliseconds;
}

symtab *prover_symtab(prover *self) {
  return self->t;
}

prover_options prover_settings(const prover *self) {
  return self->options;
}

void prover_smt2(prover *self, const sym *facts, size_t n, sym goal,
                 strbuf *out) {
  question q = {self, arena_create(), facts, n, goal, {0}};
  select_for_solver(&q);
  sym_vec formulas = refutation(&q);
  z3_text(self->t, q.scratch, formulas.at, formulas.count, out);
  arena_destroy(q.scratch);
}

const char *prover_z3_version(arena *arena) {
  return z3_version(arena);
}

const char *proof_method_name(proof_method method) {
  switch (method) {
  case METHOD_NONE:
    return "none";
  case METHOD_FOLD:
    return "folding";
  case METHOD_BOUNDS:
    return "bounds";
  case METHOD_CERTIFICATE:
    return "certificate";
  case METHOD_Z3:
    return "z3";
  }
  panic("no proof method %d", (int)method);
}
