/* parser/host_const.c: constexpr parameters: values given, autotune
 * configurations, heuristics, and what the launch leaves open. */
#include "parser/host_state.h"

#include "base/panic.h"

#include <string.h>

static void bind_number(host_run *r, uint32_t index, expr value) {
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
      bind_number(r, index, expr_int(r->t, pin));
      return;
    }
    s.pinned = true;
    s.pin = pin;
  }
  bind_number(r, index, host_symbol(r, g->name, s));
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
    bind_number(r, index, expr_int(r->t, g->integers[choice]));
    return;
  }
  symbol s = {
      .role = SYMBOL_CONST, .unbounded = true, .line = host_line(r, g->at)};
  expr e = host_symbol(r, g->name, s);
  for (size_t i = 0; i < g->integer_count; i++)
    host_fact(r, expr_compare(r->t, EXPR_NE, e, expr_int(r->t, g->integers[i])),
              FACT_DEFAULT, s.line);
  bind_number(r, index, e);
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

/* A constexpr that the launch gives a value that is not understood: what the
 * program does with one that never comes says nothing. */
static void bind_unread(host_run *r, uint32_t index) {
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
    bind_number(r, index, e);
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
      bind_number(r, index, v.number);
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
    break;
  }
  host_bind_static(r, index, v);
}

/* --------------------------------------------------------------- autotune */

typedef struct config {
  host_value values; /* DICT */
} config;
typedef VEC(config) config_vec;

/* `triton.Config({...}, ...)`. */
static bool read_config(host_run *r, node at, config_vec *out) {
  node first = node_child(node_field(at, "arguments"), 0);
  if (host_kind_of(r, at) != SYN_call)
    return false;
  if (host_kind_of(r, first) == SYN_keyword_argument)
    first = node_field(first, "value");
  config c = {host_eval(r, first)};
  if (c.values.kind != HOST_DICT)
    return false;
  VEC_PUSH(r->arena, out, c);
  return true;
}

static bool read_config_list(host_run *r, node list, config_vec *out) {
  if (host_kind_of(r, list) != SYN_list && host_kind_of(r, list) != SYN_tuple)
    return false;
  for (node n = node_child(list, 0); node_is(n); n = node_next(n))
    if (host_kind_of(r, n) != SYN_comment && !read_config(r, n, out))
      return false;
  return out->count > 0;
}

/* `[Config({...}) for a in [..] for b in [..]]`: every combination. */
static bool read_config_product(host_run *r, node at, node body, node clause,
                                config_vec *out) {
  while (node_is(clause) &&
         strcmp(syntax_kind_text(clause), "for_in_clause") != 0)
    clause = node_next(clause);
  if (!node_is(clause))
    return read_config(r, body, out);
  const host_value *items;
  uint32_t count;
  node name = node_field(clause, "left");
  if (host_kind_of(r, name) != SYN_identifier ||
      !host_items(r, host_eval(r, node_field(clause, "right")), &items, &count))
    return false;
  for (uint32_t i = 0; i < count && out->count <= HOST_STEPS / 100; i++) {
    host_bind(r, host_text(r, name), items[i]);
    if (!read_config_product(r, at, body, node_next(clause), out))
      return false;
  }
  return true;
}

static node named_list(host_run *r, node at) {
  for (int i = 0; i < 4 && host_kind_of(r, at) == SYN_identifier; i++)
    at = names_constant(r->host->names, host_text(r, at));
  return at;
}

static bool read_configs(host_run *r, config_vec *out) {
  node list = node_field(r->kernel->autotune, "arguments");
  node at = node_child(list, 0);
  for (node n = at; node_is(n); n = node_next(n))
    if (host_kind_of(r, n) == SYN_keyword_argument &&
        node_text_is(r->syntax, node_field(n, "name"), "configs"))
      at = node_field(n, "value");
  at = named_list(r, at);
  if (host_kind_of(r, at) == SYN_list_comprehension)
    return read_config_product(r, at, node_field(at, "body"),
                               node_next(node_field(at, "body")), out);
  return read_config_list(r, at, out);
}

static const host_value *config_value(const config *c, const char *name) {
  for (uint32_t i = 0; i < c->values.count; i++)
    if (strcmp(c->values.keys[i], name) == 0)
      return &c->values.items[i];
  return NULL;
}

/* The value of every configuration as a constant integer. */
static bool config_int(host_run *r, const config *c, const char *name,
                       int64_t *out) {
  const host_value *v = config_value(c, name);
  return v && v->kind == HOST_INT && expr_is_int(r->t, v->number, out);
}

static bool all_ints(host_run *r, const config_vec *all, const char *name,
                     bool *pow2, bool *one) {
  int64_t first = 0, n = 0;
  *pow2 = *one = true;
  for (size_t i = 0; i < all->count; i++) {
    if (!config_int(r, &all->at[i], name, &n))
      return false;
    if (i == 0)
      first = n;
    *pow2 = *pow2 && n > 0 && (n & (n - 1)) == 0;
    *one = *one && n == first;
  }
  return true;
}

/* A tuned parameter that is no integer: one program for each value. */
static void bind_tuned_static(host_run *r, uint32_t index,
                              const config_vec *all) {
  VEC(host_value) distinct = {0};
  for (size_t i = 0; i < all->count; i++) {
    const host_value *v = config_value(&all->at[i], r->guesses.at[index].name);
    bool seen = !v;
    for (size_t k = 0; v && k < distinct.count; k++)
      seen = seen || host_same(v, &distinct.at[k]);
    if (!seen)
      VEC_PUSH(r->arena, &distinct, *v);
  }
  if (distinct.count == 0)
    return;
  uint32_t choice = host_choose(r, (uint32_t)distinct.count);
  r->arguments[index].given = true;
  r->arguments[index].value = distinct.at[choice];
  host_bind_constant(r, index);
}

static void bind_tuned(host_run *r, uint32_t index, const config_vec *all,
                       bool *symbolic) {
  const char *name = r->guesses.at[index].name;
  bool pow2, one;
  *symbolic = false;
  if (!config_value(&all->at[0], name))
    return;
  if (!all_ints(r, all, name, &pow2, &one)) {
    bind_tuned_static(r, index, all);
    return;
  }
  int64_t first = 0;
  config_int(r, &all->at[0], name, &first);
  if (one && first < 2) {
    bind_number(r, index, expr_int(r->t, first));
    return;
  }
  symbol s = {.role = SYMBOL_CONST,
              .pow2 = pow2,
              .pinned = one,
              .pin = first,
              .unbounded = first < 1,
              .line = host_line(r, r->kernel->autotune)};
  bind_number(r, index, host_symbol(r, name, s));
  *symbolic = !one;
}

/* The values of one configuration together, or of each parameter alone when
 * there are too many configurations. */
static void tuned_facts(host_run *r, const config_vec *all,
                        const uint32_t *tuned, size_t count) {
  uint32_t line = host_line(r, r->kernel->autotune);
  bool joint = all->count * count <= 48;
  for (size_t from = 0; from < count; from = joint ? count : from + 1) {
    expr any = expr_int(r->t, 0);
    for (size_t i = 0; i < all->count; i++) {
      expr each = expr_int(r->t, 1);
      for (size_t k = from; k < (joint ? count : from + 1); k++) {
        int64_t n = 0;
        config_int(r, &all->at[i], r->guesses.at[tuned[k]].name, &n);
        expr symbol_ = r->arguments[tuned[k]].value.number;
        each =
            expr_and(r->t, each,
                     expr_compare(r->t, EXPR_EQ, symbol_, expr_int(r->t, n)));
      }
      any = expr_or(r->t, any, each);
    }
    host_fact(r, any, FACT_HOST, line);
  }
}

/* Whether two configurations agree on everything that is no integer. */
static bool same_statics(host_run *r, const config *a, const config *b,
                         const config_vec *all) {
  for (uint32_t i = 0; i < r->guesses.count; i++) {
    const char *name = r->guesses.at[i].name;
    const host_value *x = config_value(a, name), *y = config_value(b, name);
    bool pow2, one;
    if (r->arguments[i].given || r->guesses.at[i].kind != PARAM_CONST ||
        all_ints(r, all, name, &pow2, &one))
      continue;
    if (!x != !y || (x && !host_same(x, y)))
      return false;
  }
  return true;
}

/* Configurations that differ in a flag are programs of their own: their
 * numbers go with it. */
static config_vec choose_group(host_run *r, const config_vec *all) {
  VEC(const config *) groups = {0};
  config_vec chosen = {0};
  for (size_t i = 0; i < all->count; i++) {
    bool seen = false;
    for (size_t k = 0; k < groups.count; k++)
      seen = seen || same_statics(r, groups.at[k], &all->at[i], all);
    if (!seen)
      VEC_PUSH(r->arena, &groups, &all->at[i]);
  }
  const config *first = groups.at[host_choose(r, (uint32_t)groups.count)];
  for (size_t i = 0; i < all->count; i++)
    if (same_statics(r, first, &all->at[i], all))
      VEC_PUSH(r->arena, &chosen, all->at[i]);
  return chosen;
}

void host_read_autotune(host_run *r) {
  if (!node_is(r->kernel->autotune))
    return;
  host_frame *frame = r->frame;
  /* the module's names only */
  r->frame = host_frame_of(r, (node){.id = NULL}, NULL);
  r->frame->inlined = true;
  config_vec all = {0};
  bool known = read_configs(r, &all);
  r->frame = frame;
  if (!known || all.count == 0) {
    host_unread(r, r->kernel->autotune, "these configurations are not read");
    return;
  }
  all = choose_group(r, &all);
  VEC(uint32_t) tuned = {0};
  for (uint32_t i = 0; i < r->guesses.count; i++) {
    bool symbolic;
    if (r->arguments[i].given || r->guesses.at[i].kind != PARAM_CONST)
      continue;
    bind_tuned(r, i, &all, &symbolic);
    if (symbolic)
      VEC_PUSH(r->arena, &tuned, i);
  }
  if (tuned.count)
    tuned_facts(r, &all, tuned.at, tuned.count);
}

/* ------------------------------------------------------------- heuristics */

/* The dictionary of the heuristics; no node: none, or it is not understood. */
static node heuristics_of(host_run *r) {
  node values = {.id = NULL};
  if (node_is(r->kernel->heuristics))
    values = node_child(node_field(r->kernel->heuristics, "arguments"), 0);
  if (host_kind_of(r, values) == SYN_keyword_argument)
    values = node_field(values, "value");
  if (node_is(values))
    values = named_list(r, values);
  return host_kind_of(r, values) == SYN_dictionary ? values
                                                   : (node){.id = NULL};
}

void host_override(host_run *r) {
  node values = heuristics_of(r);
  for (node n = node_child(values, 0); node_is(n); n = node_next(n)) {
    const char *name = host_string_text(r, node_field(n, "key"));
    host_argument *a = name ? host_argument_named(r, name) : NULL;
    if (a)
      a->given = false;
  }
}

void host_read_heuristics(host_run *r) {
  node values = heuristics_of(r);
  if (!node_is(values))
    return;
  host_frame *frame = r->frame;
  for (node n = node_child(values, 0); node_is(n) && !r->dead;
       n = node_next(n)) {
    const char *name = host_string_text(r, node_field(n, "key"));
    host_argument *a = name ? host_argument_named(r, name) : NULL;
    if (!a || a->given)
      continue;
    r->frame = NULL;
    host_value f = host_eval(r, node_field(n, "value"));
    host_value meta = {.kind = HOST_META};
    host_call c = {.at = r->kernel->heuristics, .args = &meta, .count = 1};
    a->given = true;
    a->value = f.kind == HOST_FUNCTION ? host_apply(r, f, &c) : host_unknown();
    r->frame = frame;
    host_bind_constant(r, (uint32_t)(a - r->arguments));
  }
}
