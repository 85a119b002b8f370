/* checks/checks_run.h: what a check is given and how it speaks.
 *
 * A check looks at facts, accesses, premises and divisions through the judge
 * of each launch mode and appends verdicts. It never sees the solver. */
#ifndef CHECKS_CHECKS_RUN_H
#define CHECKS_CHECKS_RUN_H

#include "analysis/judge.h"
#include "analysis/verdict.h"

typedef struct check_input {
  const tile_program *program;
  judge *pinned;    /* always there; refutations come from it */
  judge *free;      /* null when no constexpr is pinned, or all were decided */
  bool pinned_only; /* `free` was left out: no proof is for all blocks */
  arena *arena;
  verdict compiles; /* its requires and asserts: for the launch to compile */
  verdict_vec *out;
  hint_vec *hints;
} check_input;

/* In the order in which they rely on each other. */
void check_bounds(check_input *in);     /* TC101, TC102 */
void check_races(check_input *in);      /* TC401 to TC403; after check_bounds */
void check_uninit(check_input *in);     /* TC502 */
void check_overflow(check_input *in);   /* TC301; after check_bounds */
void check_division(check_input *in);   /* TC302 */
void check_descriptor(check_input *in); /* TC103 */
void check_contract(check_input *in);   /* TC601 */
void check_coalescing(check_input *in); /* TC701: a hint */
void check_registers(check_input *in);  /* TC702: a hint */

/* A plain integer argument of the host: the size of no tensor, and described
 * by no clause. */
bool is_plain_argument(const tile_program *p, size_t symbol);
/* Adds the domain in which an open premise holds to the requirements of a
 * verdict that relies on it. False when there is none in the caller's terms. */
bool overflow_require(const check_input *in, judge *j, uint32_t premise,
                      verdict *v);
/* The same for all open premises of something that is proved but for them; the
 * verdict is unknown where one has no such domain. */
void overflow_require_all(const check_input *in, judge *j,
                          const premise_vec *open, const char *unsure,
                          verdict *v);
/* The line of host code that asserts a condition on sizes, as Python. */
const char *assert_line(arena *arena, const char *condition);
/* A requirement that is a condition in Python too, with the line that would
 * assert it where there is host code. */
void require_condition(const check_input *in, const char *condition,
                       verdict *v);

/* A verdict at an instruction, with the launch's facts filled in. */
verdict verdict_start(const check_input *in, check_id code, const inst *at,
                      const char *buffer);
/* A verdict at a place of the file. */
verdict verdict_at(const check_input *in, check_id code, span at);
void text_add(arena *arena, text_list *list, const char *text);
/* A proof for all constexprs, within the limits of the free mode. */
void verdict_all_blocks(const check_input *in, verdict *v);
bool verdict_same_requirements(const verdict *a, const verdict *b);
/* The configurations that a proof under the pins holds for. */
void verdict_pinned(const check_input *in, verdict *v);
/* "`x` has n elements: torch.empty_like(x), line 20" */
void note_tensor(const check_input *in, verdict *v, uint32_t tensor);
/* The reason behind a proof that failed. */
void verdict_unknown(verdict *v, const judge *j, proof p, sym about);

#endif
