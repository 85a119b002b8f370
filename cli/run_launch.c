/* cli/run_launch.c: runs one launch, program by program, on the host's memory.
 */
#include "base/panic.h"
#include "cli/run.h"
#include "ops/ops.h"

#include <string.h>

/* ----------------------------------------------------- synchronisation */

typedef struct use_scan {
  bool *used; /* by value id: is an operand somewhere, or yielded */
} use_scan;

static void scan_uses(use_scan *s, const region *r) {
  for (size_t i = 0; i < r->insts.count; i++) {
    const inst *in = r->insts.at[i];
    for (uint32_t k = 0; k < in->operand_count; k++)
      s->used[in->operands[k]] = true;
    for (int k = 0; k < 2; k++)
      if (in->regions[k])
        scan_uses(s, in->regions[k]);
  }
  for (size_t i = 0; i < r->yields.count; i++)
    s->used[r->yields.at[i]] = true;
}

static bool reads_atomics(const use_scan *s, const region *r) {
  for (size_t i = 0; i < r->insts.count; i++) {
    const inst *in = r->insts.at[i];
    if (in->kind == NODE_OP && op_effect_of(in->op) == EFFECT_ATOMIC &&
        in->result_count && s->used[in->results[0]])
      return true;
    for (int k = 0; k < 2; k++)
      if (in->regions[k] && reads_atomics(s, in->regions[k]))
        return true;
  }
  return false;
}

/* A program can wait for another only by what an atomic gives it. */
static bool may_synchronise(run *r, const tile_program *p) {
  use_scan s = {.used = ARENA_ARRAY(r->arena, bool, p->values.count + 1)};
  scan_uses(&s, p->body);
  return reads_atomics(&s, p->body);
}

/* ------------------------------------------------------------------ memory */

static bool content(void *context, uint32_t tensor, int64_t offset,
                    exec_cell *state, uint64_t *bits) {
  const run *r = context;
  const run_storage *s = &r->storages.at[r->launch->tensors[tensor].storage];
  int64_t place = run_place(s, offset);
  if (place >= 0 && s->state[place] == RUN_BY_EXEC)
    return false;
  *state = place < 0 ? CELL_EMPTY : (exec_cell)s->state[place];
  *bits = place < 0 ? 0 : s->bits[place];
  return true;
}

static void clear_marks(run *r) {
  for (size_t i = 0; i < r->storages.count; i++) {
    run_storage *s = &r->storages.at[i];
    size_t n = (size_t)(s->high - s->low);
    if (n == 0)
      continue;
    memset(s->writer, 0, n * sizeof *s->writer);
    memset(s->reader, 0, n * sizeof *s->reader);
    memset(s->written_at, 0, n * sizeof *s->written_at);
    memset(s->atomic, 0, n * sizeof *s->atomic);
  }
}

typedef struct taking {
  run *r;
  exec_machine *m;
} taking;

static bool take_element(void *context, const run_tensor *t, int64_t place,
                         int64_t offset) {
  const taking *w = context;
  run_storage *s = &w->r->storages.at[t->storage];
  int64_t at = run_place(s, t->start + offset);
  (void)place;
  s->state[at] = (uint8_t)exec_cell_at(w->m, t->index, offset);
  if (!exec_peek(w->m, t->index, offset, &s->bits[at]))
    s->bits[at] = 0;
  return true;
}

/* -------------------------------------------------------------------- run */

static void tell_event(run *r, const run_launch *l, const exec_event *e) {
  r->fault =
      (run_fault){.found = true,
                  .decided = e->kind != EVENT_OPAQUE && e->kind != EVENT_LIMIT,
                  .at = e->at,
                  .text = run_event_text(r, l, e)};
}

/* False when a fault was found. */
static bool run_programs(run *r, run_launch *l, exec_machine *m) {
  int64_t at[3];
  for (at[2] = 0; at[2] < l->grid[2]; at[2]++)
    for (at[1] = 0; at[1] < l->grid[1]; at[1]++)
      for (at[0] = 0; at[0] < l->grid[0]; at[0]++) {
        exec_event e;
        if (exec_run(m, at, &e) && !r->fault.found)
          tell_event(r, l, &e);
        if (r->fault.found)
          return false;
      }
  return true;
}

static bool run_on(run *r, run_launch *l, arena *scratch) {
  exec_event refused;
  exec_options options = {.fill = FILL_RANDOM,
                          .seed = r->seed,
                          .content = content,
                          .content_context = r,
                          .step_limit = UINT64_MAX,
                          .stop_at_first = true,
                          .recorder = run_recorder,
                          .recorder_context = r};
  exec_machine *m =
      exec_create(scratch, l->program, &l->numbers, options, &refused);
  if (!m)
    return run_fail(r, "line %u: this launch is refused: %s", refused.at.line,
                    refused.detail);
  exec_grid(m, l->grid);
  run_print_launch(r, l);
  run_begin(r);
  bool good = run_programs(r, l, m);
  run_flush(r);
  taking all = {r, m};
  for (size_t i = 0; good && i < l->program->tensors.count; i++)
    run_walk(&l->tensors[i], take_element, &all);
  return good;
}

bool run_execute(run *r, run_launch *l) {
  arena *scratch = arena_create();
  r->launch = l;
  l->judges_races = !may_synchronise(r, l->program);
  if (!l->judges_races)
    run_note(r, arena_printf(r->arena,
                             "conflicts between programs of `%s` are not "
                             "looked for: its atomics may order them",
                             l->program->kernel));
  clear_marks(r);
  bool good = run_on(r, l, scratch);
  arena_destroy(scratch);
  return good;
}
