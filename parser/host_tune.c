/* parser/host_tune.c: constexpr parameters that autotune configurations and
 * heuristics fix. */
#include "parser/host_state.h"

#include "base/panic.h"

#include <string.h>

typedef VEC(host_value) value_vec; /* of HOST_CONFIG */

/* --------------------------------------------------------- configurations */

host_value host_config(host_run *r, const host_call *c) {
  const host_value *values = host_argument_at(c, 0, "kwargs");
  if (!values || values->kind != HOST_DICT)
    return host_open(r, c->at, 0, NULL);
  host_value v = host_tuple(r, values->items, values->count);
  v.kind = HOST_CONFIG;
  v.keys = values->keys;
  v.changing = true;
  return v;
}

/* The configurations of a list; false: it holds something else, too. */
static bool add_configs(host_run *r, host_value list, value_vec *out) {
  if (list.kind != HOST_TUPLE && list.kind != HOST_CONFIGS)
    return false;
  for (uint32_t i = 0; i < list.count; i++) {
    if (list.items[i].kind != HOST_CONFIG)
      return false;
    VEC_PUSH(r->arena, out, list.items[i]);
  }
  return true;
}

static host_value some_of(host_run *r, const value_vec *all) {
  host_value v = host_tuple(r, all->at, (uint32_t)all->count);
  v.kind = HOST_CONFIGS;
  v.changing = true;
  return v;
}

host_value host_some_configs(host_run *r, host_value list) {
  value_vec all = {0};
  if (!add_configs(r, list, &all) || all.count == 0)
    return host_unknown();
  host_value v = some_of(r, &all);
  v.murky = list.murky;
  return v;
}

bool host_all_configs(host_run *r, host_value a, host_value b,
                      host_value *out) {
  value_vec all = {0};
  if (!add_configs(r, a, &all) || !add_configs(r, b, &all) || all.count == 0)
    return false;
  *out = some_of(r, &all);
  out->murky = a.murky || b.murky;
  return true;
}

static node configs_argument(host_run *r) {
  node list = node_field(r->kernel->autotune, "arguments");
  node first = node_child(list, 0);
  for (node n = first; node_is(n); n = node_next(n))
    if (host_kind_of(r, n) == SYN_keyword_argument &&
        node_text_is(r->syntax, node_field(n, "name"), "configs"))
      return node_field(n, "value");
  return first;
}

/* A function that drops configurations before they are tried. */
static bool prunes(host_run *r) {
  node list = node_field(r->kernel->autotune, "arguments");
  for (node n = node_child(list, 0); node_is(n); n = node_next(n))
    if (host_kind_of(r, n) == SYN_keyword_argument &&
        node_text_is(r->syntax, node_field(n, "name"), "prune_configs_by") &&
        host_kind_of(r, node_field(n, "value")) != SYN_none)
      return true;
  return false;
}

/* Names are the module's: decorators know no locals of the launch. Sound: what
 * is left out of the list later, or added in one environment only, makes the
 * list a part of what is read here. */
static bool read_configs(host_run *r, value_vec *out) {
  host_frame *frame = r->frame;
  r->frame = host_frame_of(r, (node){.id = NULL}, NULL);
  r->frame->inlined = true;
  host_value list = host_eval(r, configs_argument(r));
  r->frame = frame;
  if (!add_configs(r, list, out) || out->count == 0) {
    r->tuning_open = true;
    host_unread(r, r->kernel->autotune, "these configurations are not read");
    return false;
  }
  if (list.murky || prunes(r))
    host_unread(r, r->kernel->autotune,
                "which of these configurations are tried is not understood");
  return true;
}

static const host_value *config_key(const host_value *config,
                                    const char *name) {
  for (uint32_t i = 0; i < config->count; i++)
    if (strcmp(config->keys[i], name) == 0)
      return &config->items[i];
  return NULL;
}

static bool is_tuned(host_run *r, const value_vec *all, uint32_t index) {
  const char *name = r->guesses.at[index].name;
  for (size_t i = 0; i < all->count; i++)
    if (config_key(&all->at[i], name))
      return true;
  return false;
}

/* What a configuration gives a parameter: its default where it says nothing. */
static host_value config_value(host_run *r, const host_value *config,
                               uint32_t index) {
  const param_guess *g = &r->guesses.at[index];
  const host_value *given = config_key(config, g->name);
  if (given)
    return *given;
  host_frame *frame = r->frame;
  r->frame = NULL;
  host_value v = node_is(g->default_value) ? host_eval(r, g->default_value)
                                           : host_unknown();
  r->frame = frame;
  return v;
}

static bool config_int(host_run *r, const host_value *config, uint32_t index,
                       int64_t *out) {
  host_value v = config_value(r, config, index);
  return v.kind == HOST_INT && expr_is_int(r->t, v.number, out);
}

/* Whether every configuration gives an integer. */
static bool all_ints(host_run *r, const value_vec *all, uint32_t index,
                     bool *pow2, bool *one) {
  int64_t first = 0, n = 0;
  *pow2 = *one = true;
  for (size_t i = 0; i < all->count; i++) {
    if (!config_int(r, &all->at[i], index, &n))
      return false;
    if (i == 0)
      first = n;
    *pow2 = *pow2 && n > 0 && (n & (n - 1)) == 0;
    *one = *one && n == first;
  }
  return true;
}

/* The values that are no integers, each once; false: one is not understood. */
static bool distinct_values(host_run *r, const value_vec *all, uint32_t index,
                            value_vec *out) {
  for (size_t i = 0; i < all->count; i++) {
    host_value v = config_value(r, &all->at[i], index);
    bool seen = false;
    if (!host_same(&v, &v))
      return false;
    for (size_t k = 0; k < out->count && !seen; k++)
      seen = host_same(&v, &out->at[k]);
    if (!seen)
      VEC_PUSH(r->arena, out, v);
  }
  return true;
}

/* A tuned parameter that is no integer: one program for each value. */
static void bind_tuned_static(host_run *r, uint32_t index,
                              const value_vec *all) {
  value_vec distinct = {0};
  r->arguments[index].given = true;
  if (!distinct_values(r, all, index, &distinct)) {
    host_unread(r, r->kernel->autotune,
                arena_printf(r->arena,
                             "the configurations' `%s` is not understood",
                             r->guesses.at[index].name));
    host_bind_open_constant(r, index);
    return;
  }
  uint32_t choice = host_choose(r, (uint32_t)distinct.count);
  r->arguments[index].value = distinct.at[choice];
  host_bind_constant(r, index);
}

/* True: it is a symbol with several values. */
static bool bind_tuned(host_run *r, uint32_t index, const value_vec *all) {
  bool pow2, one;
  int64_t first = 0;
  if (!all_ints(r, all, index, &pow2, &one)) {
    bind_tuned_static(r, index, all);
    return false;
  }
  config_int(r, &all->at[0], index, &first);
  if (one && first < 2) {
    host_bind_number(r, index, expr_int(r->t, first));
    return false;
  }
  symbol s = {.role = SYMBOL_CONST,
              .pow2 = pow2,
              .pinned = one,
              .pin = first,
              .unbounded = first < 1,
              .line = host_line(r, r->kernel->autotune)};
  host_bind_number(r, index, host_symbol(r, r->guesses.at[index].name, s));
  return !one;
}

/* The values of one configuration together, or of each parameter alone when
 * there are too many configurations. */
static void tuned_facts(host_run *r, const value_vec *all,
                        const uint32_t *tuned, size_t count) {
  uint32_t line = host_line(r, r->kernel->autotune);
  bool joint = all->count * count <= 48;
  for (size_t from = 0; from < count; from = joint ? count : from + 1) {
    expr any = expr_int(r->t, 0);
    for (size_t i = 0; i < all->count; i++) {
      expr each = expr_int(r->t, 1);
      for (size_t k = from; k < (joint ? count : from + 1); k++) {
        int64_t n = 0;
        config_int(r, &all->at[i], tuned[k], &n);
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
static bool same_statics(host_run *r, const host_value *a, const host_value *b,
                         const value_vec *all) {
  for (uint32_t i = 0; i < r->guesses.count; i++) {
    bool pow2, one;
    if (r->arguments[i].given || r->guesses.at[i].kind != PARAM_CONST ||
        !is_tuned(r, all, i) || all_ints(r, all, i, &pow2, &one))
      continue;
    host_value x = config_value(r, a, i), y = config_value(r, b, i);
    if (host_same(&x, &x) && host_same(&y, &y) && !host_same(&x, &y))
      return false;
  }
  return true;
}

/* Configurations that differ in a flag are programs of their own: their
 * numbers go with it. */
static value_vec choose_group(host_run *r, const value_vec *all) {
  value_vec groups = {0}, chosen = {0};
  for (size_t i = 0; i < all->count; i++) {
    bool seen = false;
    for (size_t k = 0; k < groups.count && !seen; k++)
      seen = same_statics(r, &groups.at[k], &all->at[i], all);
    if (!seen)
      VEC_PUSH(r->arena, &groups, all->at[i]);
  }
  const host_value *first = &groups.at[host_choose(r, (uint32_t)groups.count)];
  for (size_t i = 0; i < all->count; i++)
    if (same_statics(r, first, &all->at[i], all))
      VEC_PUSH(r->arena, &chosen, all->at[i]);
  return chosen;
}

void host_read_autotune(host_run *r) {
  value_vec all = {0};
  VEC(uint32_t) tuned = {0};
  if (!node_is(r->kernel->autotune) || !read_configs(r, &all))
    return;
  all = choose_group(r, &all);
  for (uint32_t i = 0; i < r->guesses.count; i++)
    if (!r->arguments[i].given && r->guesses.at[i].kind == PARAM_CONST &&
        is_tuned(r, &all, i) && bind_tuned(r, i, &all))
      VEC_PUSH(r->arena, &tuned, i);
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
  for (int i = 0; i < 4 && host_kind_of(r, values) == SYN_identifier; i++)
    values = names_constant(r->names, host_text(r, values));
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
  r->tuning_open =
      r->tuning_open || (node_is(r->kernel->heuristics) && !node_is(values));
  if (!node_is(values))
    return;
  host_frame *frame = r->frame;
  for (node n = node_child(values, 0); node_is(n) && !r->dead;
       n = node_next(n)) {
    const char *name = host_string_text(r, node_field(n, "key"));
    host_argument *a = name ? host_argument_named(r, name) : NULL;
    r->tuning_open = r->tuning_open || !name;
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
