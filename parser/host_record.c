/* parser/host_record.c: steps of a host function, conditions and loops around
 * them. */
#include "parser/host_record.h"

#include "base/map.h"
#include "base/panic.h"

#include <string.h>

void record_assumption(host_run *r, const char *text) {
  host_record *rec = r->record;
  for (size_t i = 0; i < rec->assumptions.count; i++)
    if (strcmp(rec->assumptions.at[i], text) == 0)
      return;
  VEC_PUSH(r->arena, &rec->assumptions, text);
}

size_t record_mark(const host_run *r) {
  return r->record ? r->record->steps.count : 0;
}

void record_rewind(host_run *r, size_t mark) {
  if (r->record && r->record->steps.count > mark)
    r->record->steps.count = mark;
  if (r->record && mark == 0)
    r->record->assumptions.count = 0;
}

void record_doubtful(host_run *r, size_t mark, const char *why) {
  for (size_t i = mark; r->record && i < r->record->steps.count; i++)
    if (!r->record->steps.at[i].step.why)
      r->record->steps.at[i].step.why = why;
}

/* How often what stands here is executed: turns of the loops around it, 0 where
 * a condition does not hold. */
static void set_times(host_run *r, host_step *s) {
  const host_record *rec = r->record;
  s->times = rec->times;
  if (!s->why)
    s->why = rec->why;
  for (size_t i = 0; i < r->guards.count; i++) {
    if (r->guards.at[i] == EXPR_NONE && !s->why)
      s->why = "it depends on a condition that is not known whether it is "
               "executed, or how often";
    s->times = expr_select(r->t, r->guards.at[i], s->times, expr_int(r->t, 0));
  }
}

void record_step(host_run *r, node at, recorded step) {
  host_record *rec = r->record;
  step.node = at.id;
  step.path = rec->path;
  step.start = node_start(at);
  for (size_t i = 0; i < rec->steps.count; i++)
    if (rec->steps.at[i].node == step.node &&
        rec->steps.at[i].path == step.path)
      return;
  step.step.at = node_span(r->syntax, at);
  set_times(r, &step.step);
  VEC_PUSH(r->arena, &rec->steps, step);
}

void record_open(host_run *r, node at, const char *name, const char *why) {
  recorded step = {.step = {.kind = STEP_OPEN, .name = name, .why = why}};
  record_step(r, at, step);
}

/* ---------------------------------------------------------------- operands */

static bool has_number_default(host_run *r, const host_slot *s) {
  syn kind = host_kind_of(r, s->default_value);
  return kind == SYN_integer || kind == SYN_float || kind == SYN_true ||
         kind == SYN_false || kind == SYN_unary_operator;
}

bool record_is_number(host_run *r, host_value v) {
  v = host_settle(r, v);
  if (v.kind != HOST_UNKNOWN)
    return v.kind != HOST_TENSOR;
  if (!v.slot)
    return false;
  const host_slot *s = host_slot_at(r, v.slot);
  const char *a = s->annotation;
  bool stated = a && (strcmp(a, "int") == 0 || strcmp(a, "float") == 0 ||
                      strcmp(a, "bool") == 0);
  return !s->tensor_used && (s->number_used || s->const_name || s->int_name ||
                             stated || has_number_default(r, s));
}

bool record_tensor(host_run *r, host_value v, uint32_t *tensor, bool *open) {
  v = host_settle(r, v);
  *open = false;
  if (v.kind == HOST_TENSOR) {
    *tensor = v.tensor;
    return true;
  }
  if (v.kind != HOST_UNKNOWN || record_is_number(r, v))
    return false;
  if (v.slot && host_slot_at(r, v.slot)->tensor_used &&
      host_as_tensor(r, v, tensor))
    return true;
  *open = true;
  return false;
}

static void note_number(host_run *r, host_slot *s) {
  if (s->number_used || s->tensor_used)
    return;
  s->number_used = true;
  r->changed = true;
}

void record_number(host_run *r, host_value v) {
  v = host_settle(r, v);
  if (v.kind == HOST_UNKNOWN && v.slot)
    note_number(r, host_slot_at(r, v.slot));
  /* What an integer is computed from are integers. */
  for (size_t i = 1; v.kind == HOST_INT && i < r->slots->count; i++) {
    host_slot *s = &r->slots->at[i];
    if (s->symbol != EXPR_NONE && v.number != EXPR_NONE &&
        expr_mentions(r->t, v.number, s->symbol))
      note_number(r, s);
  }
}

expr record_elements(host_run *r, uint32_t tensor) {
  return host_ask_numel(r, tensor);
}

/* ------------------------------------------------------------------ result */

static moved moved_tensor(host_run *r, uint32_t tensor, expr elements) {
  const host_tensor *t = &r->tensors.at[tensor];
  return (moved){.name = t->name,
                 .elements = elements,
                 .dtype = t->dtype,
                 .type_of = t->type_of};
}

/* Whether some number of the step changes from turn to turn of a loop. */
static bool changes(host_run *r, const host_step *s, expr turn) {
  bool found = expr_mentions(r->t, s->times, turn);
  for (size_t i = 0; i < s->reads.count; i++)
    found = found || expr_mentions(r->t, s->reads.at[i].elements, turn);
  for (size_t i = 0; i < s->writes.count; i++)
    found = found || expr_mentions(r->t, s->writes.at[i].elements, turn);
  return found;
}

static host_step finished(host_run *r, const recorded *from) {
  host_step s = from->step;
  for (size_t i = 0; i < s.reads.count; i++)
    s.reads.at[i] = moved_tensor(r, from->reads[i], s.reads.at[i].elements);
  for (size_t i = 0; i < s.writes.count; i++)
    s.writes.at[i] = moved_tensor(r, from->writes[i], s.writes.at[i].elements);
  for (size_t i = 0; i < r->record->turns.count && !s.why; i++)
    if (changes(r, &s, r->record->turns.at[i]))
      s.why = "its size changes from turn to turn of a loop around it";
  return s;
}

static void assume_ranks(host_run *r) {
  for (size_t i = 1; i < r->slots->count; i++) {
    const host_slot *s = &r->slots->at[i];
    if (s->rank_assumed && s->tensor)
      record_assumption(r, arena_printf(r->arena, "`%s` has %d %s", s->name,
                                        s->rank_exact,
                                        s->rank_exact == 1 ? "axis" : "axes"));
  }
}

static void name_axes(host_run *r, host_unit *out) {
  for (size_t i = 1; i < r->slots->count; i++) {
    const host_slot *s = &r->slots->at[i];
    if (!s->parameter || !s->tensor)
      continue;
    const host_tensor *t = &r->tensors.at[s->tensor - 1];
    for (uint8_t d = 0; t->ranked && d < t->rank; d++) {
      expr extent = t->extent[d];
      bool plain =
          extent != EXPR_NONE && expr_kind_of(r->t, extent) == EXPR_SYMBOL;
      const symbol *e = plain ? expr_symbol(r->t, extent, NULL) : NULL;
      host_axis_name axis = {t->name, d, e ? e->name : NULL};
      if (e)
        VEC_PUSH(r->arena, &out->axes, axis);
    }
  }
}

void record_finish(host_run *r, host_unit *out) {
  const host_record *rec = r->record;
  assume_ranks(r);
  for (size_t i = 0; i < rec->steps.count; i++) {
    const recorded *from = &rec->steps.at[i];
    if (from->doubt && host_slot_at(r, from->doubt)->number_used)
      continue;
    host_step s = finished(r, from);
    VEC_PUSH(r->arena, &out->steps, s);
  }
  for (size_t i = 0; i < rec->turns.count; i++) {
    const char *name = expr_symbol(r->t, rec->turns.at[i], NULL)->name;
    VEC_PUSH(r->arena, &out->turns, name);
  }
  name_axes(r, out);
  for (size_t i = 0; i < rec->assumptions.count; i++)
    VEC_PUSH(r->arena, &out->assumptions, rec->assumptions.at[i]);
}
