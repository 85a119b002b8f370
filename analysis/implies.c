/* analysis/implies.c: what follows at a place of the body, while it is walked.
 *
 * The facts are those that an access at that place would have. */
#include "analysis/interp.h"
#include "analysis/prover.h"

static void push_all(arena *scratch, sym_vec *out, const sym_vec *in) {
  for (size_t k = 0; k < in->count; k++)
    VEC_PUSH(scratch, out, in->at[k]);
}

/* Sound: the path holds whenever i runs, and its own needs are needs of all
 * that is reached through it. */
bool interp_implies(interp *in, const inst *i, sym goal) {
  symtab *t = in->syms;
  arena *scratch = arena_create();
  sym_vec facts = {0}, more = {0};
  push_all(scratch, &facts, &in->launch->facts);
  push_all(scratch, &facts, &in->path);
  if (i->result_count)
    interp_lane_facts(in->launch, interp_type(in, i->results[0]), &more);
  sym about = sym_and(t, goal, sym_and_all(t, in->path.at, in->path.count));
  access_function_facts(in->launch, in->result, about, &more);
  push_all(scratch, &facts, &more);
  prover *p = prover_create(scratch, t, (prover_options){.no_z3 = true});
  bool proved = prover_implies_fast(p, facts.at, facts.count, goal);
  arena_destroy(scratch);
  return proved;
}
