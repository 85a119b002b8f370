/* cli/run_record.c: what happens while programs run.
 *
 * The interpreter tells of each live lane of each access. Lanes are counted,
 * compared with what other programs did to the same element, and, for the
 * listing, gathered until the next execution of an access begins. */
#include "base/panic.h"
#include "cli/run.h"

#include <inttypes.h>
#include <string.h>

static uint32_t ordinal_of(const run_launch *l, const int64_t at[3]) {
  int64_t n = at[0] + l->grid[0] * (at[1] + l->grid[1] * at[2]);
  return (uint32_t)(n + 1);
}

/* ---------------------------------------------------------------- conflicts */

static const char *program_text(const run *r, uint32_t number) {
  const int64_t *grid = r->launch->grid;
  int64_t n = (int64_t)number - 1;
  const int64_t at[] = {n % grid[0], n / grid[0] % grid[1],
                        n / grid[0] / grid[1]};
  return run_program_text(r->arena, r->launch->program, at);
}

static void tell(run *r, const exec_access *a, bool decided, const char *what) {
  if (r->fault.found)
    return;
  r->fault = (run_fault){.found = true, .decided = decided, .at = a->at};
  r->fault.text = arena_printf(
      r->arena, "%s%s; kernel %s, program %s", what,
      run_callee_text(r, r->launch, a->inst), r->launch->program->kernel,
      program_text(r, ordinal_of(r->launch, a->program)));
}

static void tell_conflict(run *r, const exec_access *a, const char *verb,
                          uint32_t other, const char *did) {
  const run_tensor *t = &r->launch->tensors[a->tensor];
  const char *who =
      other == MANY_READERS
          ? "other programs"
          : arena_printf(r->arena, "program %s", program_text(r, other));
  tell(r, a, true,
       arena_printf(r->arena, "%s %s, which %s %s", verb,
                    run_index_text(r->arena, t, a->offset), who, did));
}

/* Two lanes of one store, with values that differ. */
static bool same_store(const run_storage *s, int64_t at, const exec_access *a) {
  return a->writes && !a->atomic && s->written_at[at] == a->instance &&
         s->bits[at] != a->bits;
}

/* Reports the first access that conflicts with an earlier one: to the same
 * element, one of them writes, not both are atomic, and they are of different
 * programs or lanes of one store. */
static void compare(run *r, const exec_access *a, run_storage *s, int64_t at) {
  uint32_t own = ordinal_of(r->launch, a->program);
  uint32_t writer = s->writer[at], reader = s->reader[at];
  const run_tensor *t = &r->launch->tensors[a->tensor];
  bool judged = r->launch->judges_races;
  if (same_store(s, at, a))
    tell(r, a, true,
         arena_printf(r->arena, "two lanes of the store write to %s",
                      run_index_text(r->arena, t, a->offset)));
  else if (judged && writer && writer != own && !(a->atomic && s->atomic[at]))
    tell_conflict(r, a, a->writes ? "writes" : "reads", writer, "writes");
  else if (judged && a->writes && reader && reader != own)
    tell_conflict(r, a, "writes", reader, "reads");
}

static void mark(run *r, const exec_access *a, run_storage *s, int64_t at) {
  uint32_t own = ordinal_of(r->launch, a->program);
  if (a->writes) {
    s->writer[at] = own;
    s->written_at[at] = a->instance;
    s->atomic[at] = a->atomic;
    s->bits[at] = a->bits; /* exec/ does not ask for it any more */
  } else {
    s->reader[at] =
        s->reader[at] == 0 || s->reader[at] == own ? own : MANY_READERS;
  }
}

/* ------------------------------------------------------------------ listing */

void run_flush(run *r) {
  if (r->record && r->instance.offsets.count)
    run_print_instance(r, &r->instance);
  r->instance.offsets.count = 0;
}

static void gather(run *r, const exec_access *a) {
  run_instance *i = &r->instance;
  if (i->number != a->instance || i->tensor != a->tensor) {
    run_flush(r);
    i->number = a->instance;
    i->inst = a->inst;
    i->tensor = a->tensor;
    i->at = a->at;
    i->reads = a->reads;
    i->writes = a->writes;
    i->turn_count = a->turn_count;
    memcpy(i->turns, a->turns, a->turn_count * sizeof *a->turns);
    memcpy(i->program, a->program, sizeof i->program);
  }
  VEC_PUSH(r->arena, &i->offsets, a->offset);
}

/* ----------------------------------------------------------------- recorder */

static void tell_value(run *r, const exec_access *a) {
  const run_tensor *t = &r->launch->tensors[a->tensor];
  const char *value =
      a->undefined ? "a value that nothing defines (of a masked-off lane, or "
                     "of memory that holds nothing)"
                   : "a value that is not understood";
  tell(r, a, a->undefined,
       arena_printf(r->arena, "%s is stored in %s", value,
                    run_index_text(r->arena, t, a->offset)));
}

void run_begin(run *r) {
  r->instance.number = 0;
  r->instance.offsets.count = 0;
  r->listed[0] = -1;
}

void run_recorder(void *context, const exec_access *access) {
  run *r = context;
  run_tensor *t = &r->launch->tensors[access->tensor];
  run_storage *s = &r->storages.at[t->storage];
  int64_t at = run_place(s, t->start + access->offset);
  assert(at >= 0); /* elements of the tensor only */
  t->read += access->reads;
  t->written += access->writes;
  if (access->writes && (access->undefined || access->unknown))
    tell_value(r, access);
  compare(r, access, s, at);
  mark(r, access, s, at);
  if (r->record)
    gather(r, access);
}
