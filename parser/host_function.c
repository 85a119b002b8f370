/* parser/host_function.c: all that the host functions of a file do to memory:
 * one recorded run for each function, or one for each way in which its open
 * flags may be decided. */
#include "parser/host_record.h"

#include <string.h>

void host_run_function(host_run *r, node definition) {
  r->record = ARENA_NEW(r->arena, host_record);
  r->record->times = expr_int(r->t, 1);
  r->owner = host_lines_of(r->host, definition);
  r->host_function = definition;
  host_find_limit(r);
  r->p->max_numel = r->max_numel;
  host_enter_function(r, definition);
  r->launch_frame = r->frame;
  host_apply_clauses(r);
  host_apply_options(r);
}

/* What does not change from run to run. Every local may decide what is done. */
static void study(host *h, host_task *task) {
  host_run r = {.host = h, .syntax = h->syntax, .arena = h->work};
  host_count_parameters(&r, task->function);
  host_count_locals(&r, node_field(task->function, "body"));
  for (size_t i = 0; i < r.locals.count; i++)
    r.locals.at[i].relevant = true;
  task->locals = r.locals;
}

void host_note_choice(host_run *r, node condition, bool truth) {
  const char *text = host_text(r, condition);
  if (!truth)
    text = arena_printf(r->arena, "not (%s)", text);
  VEC_PUSH(r->arena, &r->chosen, text);
}

static const char *value_text(const host_run *r, host_value v) {
  int64_t truth;
  if (v.kind == HOST_NONE)
    return "None";
  if (v.kind == HOST_BOOL && expr_is_int(r->t, v.number, &truth))
    return truth ? "True" : "False";
  return NULL;
}

const char *host_choice_text(const host_run *r, arena *arena) {
  strbuf out = strbuf_make(arena);
  for (size_t i = 1; i < r->slots->count; i++) {
    const host_slot *s = &r->slots->at[i];
    const char *text = NULL;
    if (s->name && s->is_decided)
      text = value_text(r, s->decided);
    else if (s->name && s->not_none && s->none_tested)
      text = "not None";
    if (text)
      strbuf_printf(&out, "%s%s=%s", out.length ? ", " : "", s->name, text);
  }
  for (size_t i = 0; i < r->chosen.count; i++)
    strbuf_printf(&out, "%s%s", out.length ? ", " : "", r->chosen.at[i]);
  return out.text;
}

static void read_variants(host *h, host_task *task, const char *name,
                          host_unit_vec *out) {
  host_script script = {0};
  bool more = true;
  for (int i = 0; more && i < HOST_PROGRAMS; i++) {
    host_script taken = {0}, arity = {0};
    host_run r = host_run_task(h, task, &script, &taken, &arity);
    host_unit u = {.name = name,
                   .at =
                       node_span(h->syntax, node_field(task->function, "name")),
                   .program = r.p};
    u.choice = host_choice_text(&r, h->arena);
    if (r.steps >= HOST_STEPS || r.too_many)
      record_open(&r, task->function, name, "the function is too long");
    record_finish(&r, &u);
    host_finish(&r);
    if (!r.dead && u.steps.count)
      VEC_PUSH(h->arena, out, u);
    more = host_next_script(h, taken, arity, &script);
  }
}

void host_read_functions(host *h, host_unit_vec *out) {
  for (size_t i = 0; i < h->names->functions.count; i++) {
    const file_function *f = &h->names->functions.at[i];
    if (f->jit || f->nested)
      continue;
    host_task task = {.kernel = f, .function = f->definition};
    const char *name =
        f->class_name ? arena_printf(h->arena, "%s.%s", f->class_name, f->name)
                      : f->name;
    study(h, &task);
    read_variants(h, &task, name, out);
  }
}
