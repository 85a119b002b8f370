/* parser/host_record_call.c: functions of the file that a recorded run calls:
 * what their names mean to the caller.
 *
 * Sound: the reading of a launch names its symbols after parameters, as they
 * are when the function begins, and after locals that are bound once. A
 * parameter means what the call bound it to; a local that is bound once means
 * at the launch what it means everywhere. */
#include "parser/host_record.h"

#include "base/map.h"

#include <string.h>

uint64_t host_record_enter(host_run *r, node call) {
  uint64_t before = r->record ? r->record->path : 0;
  if (r->record)
    r->record->path = hash_mix(before, node_start(call));
  return before;
}

void host_record_leave(host_run *r, uint64_t path) {
  if (r->record)
    r->record->path = path;
}

void host_record_arguments(host_run *r) {
  const host_env *env = &r->frame->env;
  r->frame->entry = (host_env){.count = env->count, .room = env->count};
  r->frame->entry.at =
      arena_copy(r->arena, env->at, env->count * sizeof *env->at);
}

static void add(host_run *r, host_step *s, host_meaning m) {
  VEC_PUSH(r->arena, &s->meanings, m);
}

static void add_tensor(host_run *r, host_step *s, const char *name,
                       uint32_t tensor) {
  const host_tensor *t = &r->tensors.at[tensor];
  unsigned size = scalar_bytes(t->dtype);
  host_meaning one = {.name = arena_printf(r->arena, "%s.itemsize", name),
                      .value = size ? expr_int(r->t, size) : EXPR_NONE,
                      .type_of = t->type_of};
  add(r, s, one);
  add(r, s, (host_meaning){.name = name, .flag = "not None"});
  if (!host_rank_certain(r, tensor))
    return;
  for (uint8_t d = 0; d < t->rank; d++) {
    host_meaning axis = {.name =
                             arena_printf(r->arena, "%s.shape[%d]", name, d),
                         .value = t->extent[d]};
    add(r, s, axis);
  }
  host_meaning all = {.name = arena_printf(r->arena, "%s.numel()", name),
                      .value = host_numel(r, t)};
  add(r, s, all);
}

static void add_meaning(host_run *r, host_step *s, const char *name,
                        host_value v) {
  int64_t truth;
  v = host_settle(r, v);
  if (v.kind == HOST_TENSOR)
    add_tensor(r, s, name, v.tensor);
  else if (v.kind == HOST_INT)
    add(r, s, (host_meaning){.name = name, .value = v.number});
  else if (v.kind == HOST_NONE)
    add(r, s, (host_meaning){.name = name, .flag = "None"});
  else if (v.kind == HOST_BOOL && expr_is_int(r->t, v.number, &truth))
    add(r, s, (host_meaning){.name = name, .flag = truth ? "True" : "False"});
}

static bool is_bound_once(const host_locals *locals, const char *name) {
  for (size_t i = 0; i < locals->count; i++)
    if (strcmp(locals->at[i].name, name) == 0)
      return locals->at[i].bound == 1;
  return false;
}

static bool holds_name(const host_env *env, const char *name) {
  for (size_t i = 0; i < env->count; i++)
    if (strcmp(env->at[i].name, name) == 0)
      return true;
  return false;
}

void record_meanings(host_run *r, node launch, host_step *s) {
  const host_frame *f = r->frame;
  node around = {.id = NULL};
  for (node n = launch; node_is(n); n = node_parent(n))
    if (host_kind_of(r, n) == SYN_function_definition)
      around = n; /* the outermost one is what the launch is read in */
  if (!f || !f->inlined || !node_same(f->definition, around)) {
    s->why = "the launch stands in a function inside one that this one calls";
    return;
  }
  host_run counting = {.host = r->host, .syntax = r->syntax, .arena = r->arena};
  host_count_parameters(&counting, around);
  host_count_locals(&counting, node_field(around, "body"));
  s->called = true;
  for (size_t i = 0; i < f->entry.count; i++)
    add_meaning(r, s, f->entry.at[i].name, f->entry.at[i].value);
  for (size_t i = 0; i < f->env.count; i++)
    if (!holds_name(&f->entry, f->env.at[i].name) &&
        is_bound_once(&counting.locals, f->env.at[i].name))
      add_meaning(r, s, f->env.at[i].name, f->env.at[i].value);
}
