/* analysis/query.h: one question to the prover, assembled (internal).
 *
 * A query has the facts that may matter for its goal, all atoms with their
 * defining facts, and a cert ready to search. It lives in scratch memory. */
#ifndef ANALYSIS_QUERY_H
#define ANALYSIS_QUERY_H

#include "analysis/certificate.h"
#include "analysis/memo.h"

typedef struct query {
  symtab *t;
  arena *scratch;
  sym_vec facts;    /* flattened; no conjunctions */
  sym_vec formulas; /* definitions of atoms, and what follows from them */
  cert *cert;
  size_t left_out; /* facts outside of the cone */
} query;

typedef enum cone_width {
  CONE_NARROW, /* facts linked to the goals by a variable */
  CONE_ALL,    /* all facts */
} cone_width;

/* The first half of query_build: the facts in the cone of the goals. */
void query_select(query *self, arena *scratch, symtab *t, const sym *facts,
                  size_t n, const sym *goals, size_t goal_count,
                  cone_width width);
/* The second half. `exact`: definitions determine the atoms (for models). */
void query_assemble(query *self, const sym *goals, size_t goal_count,
                    bool exact);
void query_build(query *self, arena *scratch, symtab *t, const sym *facts,
                 size_t n, const sym *goals, size_t goal_count,
                 cone_width width, bool exact);
/* Queries assembled lately, in one scratch memory. */
typedef struct query_cache {
  query at[4];
  size_t count; /* of all that were assembled */
} query_cache;
/* query_build for one goal, in the narrow cone or with all facts, without work
 * when a query of the cache has the same facts and all atoms of the goal. Valid
 * until four more are built. */
const query *query_cached(query_cache *cache, arena *scratch, symtab *t,
                          const sym *facts, size_t n, sym goal,
                          cone_width width);
/* Takes conjunctions apart. */
void query_flatten(symtab *t, arena *scratch, const sym *facts, size_t n,
                   sym_vec *out);

/* Two instances (prover_instances.c): some equality links two program ids,
 * turns or lanes; then what follows from the equalities is appended to the
 * facts, and the goal is rewritten to an equivalent one. */
bool instances_linked(symtab *t, arena *scratch, const sym *facts, size_t n);
/* Facts of one round of a sweep. */
typedef struct ragged {
  symtab *t;
  arena *scratch;
  memo_view *memo; /* null: nothing is remembered */
  const sym_vec *facts;
  query_cache queries;
} ragged;
/* e == 0 split by the rule of prover_ragged.c; out: what follows. */
bool instances_ragged(ragged *self, sym e, sym out[2]);
void instances_unify(symtab *t, arena *scratch, memo_view *memo, sym_vec *facts,
                     sym *goal);

/* Small values for the entries of `found` (sorted on the way) that make all
 * facts true (prover_points.c). False says nothing. */
bool points_find(symtab *t, arena *scratch, const sym *facts, size_t n,
                 int64_t limit, model *found);

/* Z3 (prover_z3.c). */
typedef struct z3_limits {
  uint64_t rlimit;
  unsigned deadline_ms, arith;
} z3_limits;
typedef struct z3_answer {
  truth satisfiable; /* UNSURE: see trouble */
  proof_trouble trouble;
  uint64_t rlimit_used;
  double milliseconds;
} z3_answer;
/* Is there a point where all formulas are true? With entries, the values of
 * these `count` atoms at that point (false in *fits when one leaves int64). */
z3_answer z3_solve(symtab *t, arena *scratch, const sym *formulas, size_t n,
                   z3_limits limits, model_entry *entries, size_t count,
                   bool *fits);
/* The same question as SMT-LIB text. */
void z3_text(symtab *t, arena *scratch, const sym *formulas, size_t n,
             strbuf *out);
const char *z3_version(arena *arena);

/* What the other prover files may ask of a prover (prover.c). */
symtab *prover_symtab(prover *self);
prover_options prover_settings(const prover *self);
/* What is left of a prover's budget, at most `wanted`; 0: nothing. */
uint64_t prover_rlimit(const prover *self, uint64_t wanted);
void prover_count_z3(prover *self, z3_answer answer);

#endif
