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

static void bind_truth(host_run *r, uint32_t index, expr condition) {
  host_bind_static(r, index, host_bool(condition));
  r->arguments[index].given = true;
}

static void bind_flag(host_run *r, uint32_t index, bool truth) {
  bind_truth(r, index, expr_int(r->t, truth));
}

/* A condition that reaches a constexpr: one program for each truth value, or
 * the kernel gets the condition. */
static void bind_condition(host_run *r, uint32_t index, expr c) {
  int64_t known;
  c = host_known(r, c);
  if (expr_is_int(r->t, c, &known)) {
    bind_flag(r, index, known != 0);
    return;
  }
  if (r->host->joined && c != EXPR_NONE) {
    bind_truth(r, index, c);
    return;
  }
  bool truth = host_choose(r, 2) == 0;
  host_fact(r, truth ? c : expr_not(r->t, c), FACT_HOST, r->p->launch_line);
  bind_flag(r, index, truth);
}

/* A flag that is open: either value. */
static void bind_open_flag(host_run *r, uint32_t index) {
  const param_guess *g = &r->guesses.at[index];
  if (r->host->joined)
    bind_truth(r, index, host_switch_truth(r, g->name, host_line(r, g->at)));
  else
    bind_flag(r, index, host_choose(r, 2) == 0);
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

/* The texts that a parameter is compared with, each once. */
static names_vec open_texts(host_run *r, const param_guess *g) {
  names_vec texts = {0};
  for (size_t i = 0; i < g->string_count; i++) {
    bool known = false;
    for (size_t k = 0; k < texts.count; k++)
      known = known || strcmp(texts.at[k], g->strings[i]) == 0;
    if (!known)
      VEC_PUSH(r->arena, &texts, g->strings[i]);
  }
  return texts;
}

/* Compared with texts: one program for each and one for another text, or one
 * for all of them. */
static void bind_string(host_run *r, uint32_t index) {
  const param_guess *g = &r->guesses.at[index];
  names_vec texts = open_texts(r, g);
  uint32_t count = (uint32_t)texts.count, choice = 0;
  host_value v = {.kind = HOST_STRING, .text = ""};
  if (r->host->joined)
    v = host_choice_of_texts(r, g->name, texts.at, count, host_line(r, g->at));
  else
    choice = host_choose(r, count + 1);
  if (choice < count && !r->host->joined)
    v.text = texts.at[choice];
  else
    for (size_t i = 0; i < count && !r->host->joined; i++)
      if (*texts.at[i] == '\0')
        v.text = "another";
  host_bind_static(r, index, v);
  r->arguments[index].given = true;
}

/* A number that the parameter is compared with nowhere. */
static expr other_mode(host_run *r, const param_guess *g) {
  symbol s = {
      .role = SYMBOL_CONST, .unbounded = true, .line = host_line(r, g->at)};
  expr e = host_symbol(r, g->name, s);
  for (size_t i = 0; i < g->integer_count; i++)
    host_fact(r, expr_compare(r->t, EXPR_NE, e, expr_int(r->t, g->integers[i])),
              FACT_DEFAULT, s.line);
  return e;
}

/* Each number that it is compared with, and any other, as one value. */
static host_value joined_modes(host_run *r, const param_guess *g) {
  uint32_t n = (uint32_t)g->integer_count + 1, line = host_line(r, g->at);
  host_value *items = ARENA_ARRAY(r->arena, host_value, n);
  const char **labels = ARENA_ARRAY(r->arena, const char *, n);
  for (uint32_t i = 0; i + 1 < n; i++) {
    items[i] = host_int(expr_int(r->t, g->integers[i]));
    labels[i] = arena_printf(r->arena, "%lld", (long long)g->integers[i]);
  }
  host_value v = {.kind = HOST_CHOICE, .items = items, .count = n};
  labels[n - 1] = "another";
  v.number = host_switch(r, g->name, labels, n, line);
  items[n - 1] = host_int(other_mode(r, g));
  return v;
}

/* Compared with numbers: each of them, and any other. */
static void bind_mode(host_run *r, uint32_t index) {
  const param_guess *g = &r->guesses.at[index];
  if (r->host->joined) {
    host_bind_static(r, index, joined_modes(r, g));
    r->arguments[index].given = true;
    return;
  }
  uint32_t choice = host_choose(r, (uint32_t)g->integer_count + 1);
  if (choice < g->integer_count) {
    host_bind_number(r, index, expr_int(r->t, g->integers[choice]));
    return;
  }
  host_bind_number(r, index, other_mode(r, g));
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
    bind_open_flag(r, index);
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

/* One of several: the kernel asks which. */
static void bind_choice(host_run *r, uint32_t index, host_value v) {
  const param_guess *g = &r->guesses.at[index];
  expr number = host_choice_number(r, v);
  for (size_t i = 0; v.kind == HOST_CHOICE && i < g->string_count; i++)
    host_text_choice(r, v, g->strings[i]);
  if (number != EXPR_NONE && (g->spans_tile || g->integer_used))
    host_bind_number(r, index, number);
  else
    host_bind_static(r, index, v);
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
  for (size_t i = 0; i < g->string_count; i++)
    v = host_text_choice(r, v, g->strings[i]);
  if (v.kind == HOST_CHOICE) {
    bind_choice(r, index, v);
    return;
  }
  s = host_slot_at(r, v.slot);
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
    host_decide_none(r, v.slot);
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
  case HOST_CHOICE:
    bind_choice(r, index, v);
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
