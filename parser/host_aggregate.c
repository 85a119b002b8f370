/* parser/host_aggregate.c: tuples, lists and dictionaries: literals,
 * comprehensions, and changes to a list that one name alone holds. */
#include "parser/host_state.h"

#include "base/panic.h"

#include <string.h>

enum { MOST_ITEMS = 1024 }; /* of a comprehension */

typedef VEC(host_value) value_vec;
typedef VEC(const char *) name_vec;

/* --------------------------------------------------------------- literals */

host_value host_sequence(host_run *r, node at) {
  value_vec items = {0};
  uint8_t folded = 0;
  uint32_t tensor = 0;
  for (node n = node_child(at, 0); node_is(n); n = node_next(n)) {
    if (host_kind_of(r, n) != SYN_list_splat) {
      host_value v = host_eval(r, n);
      VEC_PUSH(r->arena, &items, v);
      continue;
    }
    const host_value *more;
    uint32_t count;
    host_value part = host_eval(r, node_child(n, 0));
    if (!host_items(r, part, &more, &count) || (folded && host_folded(r, part)))
      return host_open(r, at, 0, NULL);
    if (host_folded(r, part)) {
      folded = (uint8_t)(items.count + host_folded(r, part));
      tensor = part.tensor;
    }
    for (uint32_t i = 0; i < count; i++)
      VEC_PUSH(r->arena, &items, more[i]);
  }
  host_value v = host_tuple(r, items.at, (uint32_t)items.count);
  v.folded = folded;
  v.tensor = tensor;
  v.changing = host_kind_of(r, at) == SYN_list;
  return v;
}

typedef struct pairs {
  name_vec keys;
  value_vec items;
} pairs;

/* A later value replaces an earlier one of the same key, in its place. */
static void put(host_run *r, pairs *all, const char *key, host_value v) {
  for (size_t i = 0; i < all->keys.count; i++)
    if (strcmp(all->keys.at[i], key) == 0) {
      all->items.at[i] = v;
      return;
    }
  VEC_PUSH(r->arena, &all->keys, key);
  VEC_PUSH(r->arena, &all->items, v);
}

static void put_all(host_run *r, pairs *all, host_value dictionary) {
  for (uint32_t i = 0; i < dictionary.count; i++)
    put(r, all, dictionary.keys[i], dictionary.items[i]);
}

static host_value make_dictionary(host_run *r, const pairs *all) {
  host_value v = host_tuple(r, all->items.at, (uint32_t)all->items.count);
  v.kind = HOST_DICT;
  v.keys = all->keys.at;
  v.changing = true;
  return v;
}

host_value host_dictionary(host_run *r, node at) {
  pairs all = {0};
  bool known = true;
  for (node n = node_child(at, 0); node_is(n); n = node_next(n)) {
    if (host_kind_of(r, n) == SYN_dictionary_splat) {
      host_value part = host_eval(r, node_child(n, 0));
      known = known && part.kind == HOST_DICT;
      if (known)
        put_all(r, &all, part);
      continue;
    }
    const char *key = NULL;
    if (host_kind_of(r, n) == SYN_pair)
      key = host_string_text(r, node_field(n, "key"));
    host_value v = host_eval(r, node_field(n, "value"));
    known = known && key;
    if (known)
      put(r, &all, key, v);
  }
  return known ? make_dictionary(r, &all) : host_open(r, at, 0, NULL);
}

host_value host_join_dictionaries(host_run *r, host_value a, host_value b) {
  pairs all = {0};
  put_all(r, &all, a);
  put_all(r, &all, b);
  return make_dictionary(r, &all);
}

/* --------------------------------------------------------- comprehensions */

typedef struct comprehension {
  host_run *r;
  node body;
  value_vec items;
  bool filtered; /* some of the items may be left out */
  bool lost;
} comprehension;

static void turn(comprehension *c, node clause);

static void each_item(comprehension *c, node clause) {
  host_run *r = c->r;
  const host_value *items;
  uint32_t count = 0;
  host_value over = host_eval(r, node_field(clause, "right"));
  c->lost = c->lost || !host_items(r, over, &items, &count) ||
            host_folded(r, over) != 0;
  for (uint32_t i = 0; i < count && !c->lost; i++) {
    host_assign(r, node_field(clause, "left"), items[i]);
    turn(c, node_next(clause));
  }
}

static void turn(comprehension *c, node clause) {
  host_run *r = c->r;
  const char *kind = node_is(clause) ? syntax_kind_text(clause) : "";
  if (c->items.count >= MOST_ITEMS || r->steps >= HOST_STEPS / 2) {
    c->lost = true;
  } else if (strcmp(kind, "for_in_clause") == 0) {
    each_item(c, clause);
  } else if (strcmp(kind, "if_clause") == 0) {
    expr holds = host_condition(r, node_child(clause, 0));
    int64_t known;
    bool certain = expr_is_int(r->t, holds, &known);
    if (certain && known) {
      turn(c, node_next(clause));
    } else if (!certain) {
      c->filtered = true;
      VEC_PUSH(r->arena, &r->guards, EXPR_NONE);
      r->speculating++;
      turn(c, node_next(clause));
      r->speculating--;
      r->guards.count--;
    }
  } else if (*kind) {
    turn(c, node_next(clause));
  } else {
    host_value v = host_eval(r, c->body);
    VEC_PUSH(r->arena, &c->items, v);
  }
}

/* Functions that take everything from an iterator, at once. */
static bool consumed_at_once(host_run *r, node generator) {
  static const char *const names[] = {"tuple", "list", "min",      "max",
                                      "sum",   "any",  "all",      "sorted",
                                      "set",   "dict", "math.prod"};
  node call = node_parent(generator);
  if (host_kind_of(r, call) != SYN_call)
    return false;
  const char *full = host_qualified(r, node_field(call, "function"));
  for (size_t i = 0; full && i < sizeof names / sizeof *names; i++)
    if (strcmp(full, names[i]) == 0)
      return !names_function(r->names, full);
  return false;
}

/* Sound: each turn is executed by itself, in the order of Python; what has a
 * place in the text only (a slot) is not used, since one place has several
 * values. A comprehension has names of its own. */
host_value host_comprehension(host_run *r, node at) {
  bool list = host_kind_of(r, at) == SYN_list_comprehension;
  if (r->calls >= HOST_CALLS || (!list && !consumed_at_once(r, at))) {
    host_forget(r, at);
    return host_open(r, at, 0, NULL);
  }
  comprehension c = {.r = r, .body = node_field(at, "body")};
  host_frame *outer = r->frame;
  r->frame = host_frame_of(r, at, outer);
  r->frame->inlined = true;
  r->calls++;
  turn(&c, node_next(c.body));
  r->calls--;
  r->frame = outer;
  host_forget_names(r, at);
  if (c.lost) {
    host_forget(r, at);
    return host_open(r, at, 0, NULL);
  }
  host_value v = host_tuple(r, c.items.at, (uint32_t)c.items.count);
  v.changing = true;
  if (!c.filtered)
    return v;
  v = host_some_configs(r, v);
  v.murky = true;
  return v;
}

/* -------------------------------------------------- functions of sequences */

static host_value as_list(host_value v, bool list) {
  v.changing = list;
  return v;
}

host_value host_as_sequence(host_run *r, const host_call *c) {
  const host_value *items;
  uint32_t count;
  bool list = node_text_is(r->syntax, node_field(c->at, "function"), "list");
  if (c->open_args || c->named || c->count > 1)
    return host_open(r, c->at, 0, NULL);
  if (c->count == 0)
    return as_list(host_tuple(r, NULL, 0), list);
  host_value from = c->args[0];
  if (from.kind == HOST_SHAPE || from.kind == HOST_STRIDES) {
    from.items = list ? ARENA_NEW(r->arena, host_value) : NULL; /* identity */
    return as_list(from, list);
  }
  if (from.kind == HOST_CONFIGS)
    return from;
  if (!host_items(r, from, &items, &count))
    return host_open(r, c->at, 0, NULL);
  host_value v = host_tuple(r, items, count);
  v.folded = from.folded;
  v.tensor = from.tensor;
  return as_list(v, list);
}

host_value host_as_dictionary(host_run *r, const host_call *c) {
  if (c->open_args || c->open_names || c->count > 1 ||
      (c->count == 1 && c->args[0].kind != HOST_DICT))
    return host_open(r, c->at, 0, NULL);
  pairs all = {0};
  if (c->count == 1)
    put_all(r, &all, c->args[0]);
  for (uint32_t i = 0; i < c->named; i++)
    put(r, &all, c->names[i], c->values[i]);
  return make_dictionary(r, &all);
}

/* range(...) of constants. */
host_value host_constant_range(host_run *r, const host_call *c) {
  int64_t part[3] = {0, 0, 1}, n;
  if (c->open_args || c->named || c->count < 1 || c->count > 3)
    return host_open(r, c->at, 0, NULL);
  for (uint32_t i = 0; i < c->count; i++)
    if (!expr_is_int(r->t, host_as_int(r, c->args[i]),
                     &part[c->count == 1 ? 1 : i]))
      return host_open(r, c->at, 0, NULL);
  int64_t low = part[0], high = part[1], step = part[2];
  int64_t far = INT32_MAX;
  if (low < -far || low > far || high < -far || high > far || step < 1 ||
      step > far || (high - low) / step >= HOST_ITEMS)
    return host_open(r, c->at, 0, NULL);
  value_vec items = {0};
  for (n = low; n < high; n += step)
    VEC_PUSH(r->arena, &items, host_int(expr_int(r->t, n)));
  return host_tuple(r, items.at, (uint32_t)items.count);
}

/* enumerate(xs), zip(xs, ys, ...): pairs. */
host_value host_zip(host_run *r, const host_call *c, bool numbered) {
  const host_value *items[HOST_ITEMS];
  uint32_t count, least = UINT32_MAX;
  if (c->open_args || c->named || c->count == 0 || c->count > HOST_ITEMS ||
      (numbered && c->count != 1))
    return host_open(r, c->at, 0, NULL);
  for (uint32_t i = 0; i < c->count; i++) {
    if (!host_items(r, c->args[i], &items[i], &count) ||
        host_folded(r, c->args[i]))
      return host_open(r, c->at, 0, NULL);
    least = count < least ? count : least;
  }
  value_vec all = {0};
  for (uint32_t k = 0; k < least; k++) {
    value_vec one = {0};
    if (numbered)
      VEC_PUSH(r->arena, &one, host_int(expr_int(r->t, k)));
    for (uint32_t i = 0; i < c->count; i++)
      VEC_PUSH(r->arena, &one, items[i][k]);
    host_value v = host_tuple(r, one.at, (uint32_t)one.count);
    VEC_PUSH(r->arena, &all, v);
  }
  return host_tuple(r, all.at, (uint32_t)all.count);
}

/* itertools.product(xs, ys, ...): tuples, the last one changes first. */
host_value host_product(host_run *r, const host_call *c) {
  const host_value *items[HOST_ITEMS];
  uint32_t count[HOST_ITEMS], total = 1;
  if (c->open_args || c->named || c->count == 0 || c->count > HOST_ITEMS)
    return host_open(r, c->at, 0, NULL);
  for (uint32_t i = 0; i < c->count; i++) {
    if (!host_items(r, c->args[i], &items[i], &count[i]) ||
        host_folded(r, c->args[i]) || count[i] > MOST_ITEMS ||
        total * count[i] > MOST_ITEMS)
      return host_open(r, c->at, 0, NULL);
    total *= count[i];
  }
  value_vec all = {0};
  for (uint32_t k = 0; k < total; k++) {
    host_value one[HOST_ITEMS];
    uint32_t rest = k;
    for (uint32_t i = c->count; i-- > 0; rest /= count[i])
      one[i] = items[i][rest % count[i]];
    host_value v = host_tuple(r, one, c->count);
    VEC_PUSH(r->arena, &all, v);
  }
  return host_tuple(r, all.at, (uint32_t)all.count);
}

/* ---------------------------------------------------------------- changes */

static bool holds_inside(const host_value *v, const host_value *items,
                         int depth) {
  if (v->items == items)
    return true;
  bool whole = v->kind == HOST_TUPLE || v->kind == HOST_DICT;
  for (uint32_t i = 0; whole && i < v->count && depth < 8; i++)
    if (holds_inside(&v->items[i], items, depth + 1))
      return true;
  return false;
}

/* Sound: only the names of the function that is executed hold the object, so
 * whoever undoes or merges its names undoes or merges the change, too. */
static bool replace(host_run *r, host_value old, host_value by) {
  if (!r->frame || !old.changing)
    return false;
  for (size_t k = 0; k < r->frames.count; k++) {
    const host_frame *f = r->frames.at[k];
    for (size_t i = 0; i < f->env.count; i++) {
      const host_value *v = &f->env.at[i].value;
      bool own = f == r->frame && v->items == old.items;
      if (!own && holds_inside(v, old.items, 0))
        return false;
    }
  }
  by.changing = true;
  for (size_t i = 0; i < r->frame->env.count; i++)
    if (r->frame->env.at[i].value.items == old.items)
      r->frame->env.at[i].value = by;
  return true;
}

bool host_change_list(host_run *r, host_value list, const char *method,
                      const host_call *c) {
  const host_value *more = c->args;
  uint32_t count = c->count;
  bool extend = strcmp(method, "extend") == 0;
  if (list.kind != HOST_TUPLE || list.folded || c->open_args || c->named ||
      c->count != 1 || (!extend && strcmp(method, "append") != 0))
    return false;
  if (extend &&
      (!host_items(r, c->args[0], &more, &count) || host_folded(r, c->args[0])))
    return false;
  if (list.count + count > MOST_ITEMS)
    return false;
  value_vec all = {0};
  for (uint32_t i = 0; i < list.count; i++)
    VEC_PUSH(r->arena, &all, list.items[i]);
  for (uint32_t i = 0; i < count; i++)
    VEC_PUSH(r->arena, &all, more[i]);
  return replace(r, list, host_tuple(r, all.at, (uint32_t)all.count));
}

bool host_change_dictionary(host_run *r, host_value dictionary, host_value key,
                            host_value v) {
  if (dictionary.kind != HOST_DICT || key.kind != HOST_STRING || !key.text)
    return false;
  pairs all = {0};
  put_all(r, &all, dictionary);
  put(r, &all, key.text, v);
  return replace(r, dictionary, make_dictionary(r, &all));
}

/* Sound: the results are copies; what is changed in a view later is not seen,
 * so a list in it is forgotten by whoever changes it. */
bool host_dictionary_method(host_run *r, host_value dictionary,
                            const char *method, const host_call *c,
                            host_value *out) {
  value_vec all = {0};
  bool keys = strcmp(method, "keys") == 0, pair = strcmp(method, "items") == 0;
  if (dictionary.kind != HOST_DICT || c->open_args || c->named)
    return false;
  if (strcmp(method, "copy") == 0 && c->count == 0) {
    *out = host_join_dictionaries(r, dictionary, (host_value){0});
    return true;
  }
  if (strcmp(method, "get") == 0 && c->count > 0 &&
      c->args[0].kind == HOST_STRING && c->args[0].text) {
    *out = c->count > 1 ? c->args[1] : host_none();
    for (uint32_t i = 0; i < dictionary.count; i++)
      if (strcmp(dictionary.keys[i], c->args[0].text) == 0)
        *out = dictionary.items[i];
    return true;
  }
  if ((!keys && !pair && strcmp(method, "values") != 0) || c->count)
    return false;
  for (uint32_t i = 0; i < dictionary.count; i++) {
    host_value both[2] = {{.kind = HOST_STRING, .text = dictionary.keys[i]},
                          dictionary.items[i]};
    host_value v = pair ? host_tuple(r, both, 2) : both[!keys];
    VEC_PUSH(r->arena, &all, v);
  }
  *out = host_tuple(r, all.at, (uint32_t)all.count);
  return true;
}
