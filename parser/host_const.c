/* parser/host_const.c: constexpr parameters: values given, and what the launch
 * leaves open. */
#include "parser/host_state.h"

#include "base/panic.h"

#include <string.h>

void host_bind_number(host_run *r, uint32_t index, expr value) {
  param p = {.kind = PARAM_CONST, .value = value};
  static_value s = {.kind = STATIC_INT, .number = value};
  host_set_param(r, index, p, s);
  r->arguments[index].given = true;
  r->arguments[index].value = host_int(value);
}

static void bind_flag(host_run *r, uint32_t index, bool truth) {
  host_bind_static(r, index, host_bool(expr_int(r->t, truth)));
  r->arguments[index].given = true;
}

/* A condition that reaches a constexpr: one program for each truth value. */
static void bind_condition(host_run *r, uint32_t index, expr c) {
  int64_t known;
  if (expr_is_int(r->t, c, &known)) {
    bind_flag(r, index, known != 0);
    return;
  }
  bool truth = host_choose(r, 2) == 0;
  host_fact(r, truth ? c : expr_not(r->t, c), FACT_HOST, r->p->launch_line);
  bind_flag(r, index, truth);
}

/* An integer whose value the launch does not tell. */
static void bind_free_number(host_run *r, uint32_t index) {
  const param_guess *g = &r->guesses.at[index];
  symbol s = {.role = SYMBOL_CONST, .line = host_line(r, g->at)};
  int64_t pin;
  if (host_kind_of(r, g->default_value) == SYN_integer &&
      !r->arguments[index].given &&
      expr_is_int(r->t, host_eval(r, g->default_value).number, &pin)) {
    if (pin < 2) {
      host_bind_number(r, index, expr_int(r->t, pin));
      return;
    }
    s.pinned = true;
    s.pin = pin;
  }
  host_bind_number(r, index, host_symbol(r, g->name, s));
}

static void bind_string(host_run *r, uint32_t index) {
  const param_guess *g = &r->guesses.at[index];
  uint32_t choice = host_choose(r, (uint32_t)g->string_count + 1);
  const char *text = "";
  if (choice < g->string_count)
    text = g->strings[choice];
  else
    for (size_t i = 0; i < g->string_count; i++)
      if (*g->strings[i] == '\0')
        text = "another";
  host_bind_static(r, index, (host_value){.kind = HOST_STRING, .text = text});
  r->arguments[index].given = true;
}

/* Compared with numbers: each of them, and any other. */
static void bind_mode(host_run *r, uint32_t index) {
  const param_guess *g = &r->guesses.at[index];
  uint32_t choice = host_choose(r, (uint32_t)g->integer_count + 1);
  if (choice < g->integer_count) {
    host_bind_number(r, index, expr_int(r->t, g->integers[choice]));
    return;
  }
  symbol s = {
      .role = SYMBOL_CONST, .unbounded = true, .line = host_line(r, g->at)};
  expr e = host_symbol(r, g->name, s);
  for (size_t i = 0; i < g->integer_count; i++)
    host_fact(r, expr_compare(r->t, EXPR_NE, e, expr_int(r->t, g->integers[i])),
              FACT_DEFAULT, s.line);
  host_bind_number(r, index, e);
}

void host_bind_open_constant(host_run *r, uint32_t index) {
  const param_guess *g = &r->guesses.at[index];
  syn kind = host_kind_of(r, g->default_value);
  bool number = g->spans_tile || g->integer_used || kind == SYN_integer;
  if (g->string_count) {
    bind_string(r, index);
    return;
  }
  if (g->none_tested && host_choose(r, 2) == 1) {
    host_bind_static(r, index, host_none());
    r->arguments[index].given = true;
    return;
  }
  if ((g->truth_tested && !number) || kind == SYN_true || kind == SYN_false) {
    bind_flag(r, index, host_choose(r, 2) == 0);
    return;
  }
  if (g->integer_count && !g->spans_tile && !g->integer_used) {
    bind_mode(r, index);
    return;
  }
  if (number)
    bind_free_number(r, index);
  else
    host_bind_static(r, index, host_unknown());
}

/* ------------------------------------------------------------- given ones */

/* Whether no address, mask or branch of the kernel asks for the parameter: a
 * number like eps, an element type, a launch option. */
static bool is_idle(const param_guess *g) {
  return !g->spans_tile && !g->integer_used && !g->truth_tested &&
         !g->none_tested && !g->string_count && !g->integer_count;
}

/* A constexpr that the launch gives a value that is not understood: what the
 * program does with one that never comes says nothing. */
static void bind_unread(host_run *r, uint32_t index) {
  if (is_idle(&r->guesses.at[index])) {
    host_bind_open_constant(r, index);
    return;
  }
  host_unread(r, r->launch,
              arena_printf(r->arena, "the value of `%s` is not understood",
                           r->guesses.at[index].name));
  host_bind_open_constant(r, index);
}

static void bind_open(host_run *r, uint32_t index, host_value v) {
  const param_guess *g = &r->guesses.at[index];
  if (!v.slot) {
    bind_unread(r, index);
    return;
  }
  if (host_is_flag(r, v.slot)) {
    bind_condition(r, index, host_truth(r, v));
    return;
  }
  bool number = g->spans_tile || g->integer_used;
  host_slot *s = host_slot_at(r, v.slot);
  if (s->truth_known && g->truth_tested && !number && !g->string_count) {
    bind_flag(r, index, s->truth);
    return;
  }
  syn kind = host_kind_of(r, s->default_value);
  if (s->tensor_used || g->string_count || kind == SYN_string ||
      kind == SYN_float || (g->truth_tested && !number) ||
      (!s->parameter && !number)) {
    if (s->parameter || s->outside)
      host_bind_open_constant(r, index);
    else
      bind_unread(r, index);
    return;
  }
  if (!s->const_name) {
    s->const_name = arena_strdup(r->host->work, g->name);
    r->changed = true;
  }
  expr e = host_as_int(r, v);
  if (e == EXPR_NONE)
    host_bind_open_constant(r, index);
  else
    host_bind_number(r, index, e);
}

/* Notes that a literal is this constexpr; see integer() in host_eval.c. */
static void note_literal(host_run *r, uint32_t index, host_value v) {
  int64_t n;
  if (!v.slot || !expr_is_int(r->t, v.number, &n) || n < 2)
    return;
  host_slot *s = host_slot_at(r, v.slot);
  if (s->const_name)
    return;
  s->const_name = arena_strdup(r->host->work, r->guesses.at[index].name);
  r->changed = true;
}

void host_bind_constant(host_run *r, uint32_t index) {
  host_value v = host_settle(r, r->arguments[index].value);
  if (v.kind == HOST_UNKNOWN && v.slot && host_is_optional(r, v.slot)) {
    host_compare(r, "is", v, host_none());
    v = host_settle(r, v);
  }
  switch (v.kind) {
  case HOST_INT:
    note_literal(r, index, v);
    if (v.number == EXPR_NONE)
      bind_unread(r, index);
    else
      host_bind_number(r, index, v.number);
    return;
  case HOST_BOOL:
    if (v.murky)
      host_unread(r, r->launch,
                  arena_printf(r->arena, "the value of `%s` is not understood",
                               r->guesses.at[index].name));
    bind_condition(r, index, v.number);
    return;
  case HOST_UNKNOWN:
    bind_open(r, index, v);
    return;
  case HOST_FLOAT:
  case HOST_STRING:
  case HOST_NONE:
  case HOST_DTYPE:
  case HOST_TUPLE:
  case HOST_FUNCTION:
  case HOST_TENSOR:
  case HOST_SHAPE:
  case HOST_STRIDES:
  case HOST_DICT:
  case HOST_META:
  case HOST_CONFIG:
  case HOST_CONFIGS:
    break;
  }
  host_bind_static(r, index, v);
}
