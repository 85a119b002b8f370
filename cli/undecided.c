/* cli/undecided.c: when a program was not analysed, each of its accesses is
 * unknown rather than missing. */
#include "base/panic.h"
#include "cli/checker.h"
#include "ops/ops.h"

static void add_access(const tile_program *p, const inst *i, reason why,
                       const char *detail, verdict_vec *out) {
  bool reads = op_effect_of(i->op) == EFFECT_READ;
  verdict v = {.code = reads ? CHECK_101 : CHECK_102,
               .kind = VERDICT_UNKNOWN,
               .at = i->at,
               .kernel = p->kernel,
               .message = reads ? "load reads outside its tensor"
                                : "store writes outside its tensor",
               .why = why,
               .why_detail = detail,
               .launch_line = p->launch_line};
  VEC_PUSH(p->arena, out, v);
}

static void add_region(const tile_program *p, const region *r, reason why,
                       const char *detail, verdict_vec *out) {
  if (!r)
    return;
  for (size_t i = 0; i < r->insts.count; i++) {
    const inst *each = r->insts.at[i];
    if (each->kind == NODE_OP && op_effect_of(each->op) != EFFECT_NONE)
      add_access(p, each, why, detail, out);
    add_region(p, each->regions[0], why, detail, out);
    add_region(p, each->regions[1], why, detail, out);
  }
}

void undecided_accesses(const tile_program *p, reason why, const char *detail,
                        verdict_vec *out) {
  assert(why != REASON_NONE);
  add_region(p, p->body, why, detail, out);
}
