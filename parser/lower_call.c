/* parser/lower_call.c: what a call calls, and with which arguments. */
#include <assert.h>

#include "parser/calls.h"

typedef struct named_argument {
  const char *name;
  thing value;
} named_argument;

typedef struct arguments {
  VEC(thing) positional;
  VEC(named_argument) named;
  VEC(thing) all;
  bool odd; /* a starred argument that is no tuple, or `**` */
} arguments;

/* ------------------------------------------------------------ arguments */

static void add_positional(lower *l, arguments *a, thing value) {
  VEC_PUSH(l->arena, &a->positional, value);
  VEC_PUSH(l->arena, &a->all, value);
}

static void read_splat(lower *l, arguments *a, node n) {
  thing inner = lower_expr(l, node_child(n, 0));
  if (inner.kind != THING_TUPLE) {
    a->odd = true;
    VEC_PUSH(l->arena, &a->all, inner);
    return;
  }
  for (uint32_t i = 0; i < inner.count; i++)
    add_positional(l, a, inner.items[i]);
}

static void read_arguments(lower *l, arguments *a, node list) {
  if (lower_kind(l, list) != SYN_argument_list) {
    a->odd = true; /* f(x for x in y) */
    return;
  }
  for (node n = node_child(list, 0); node_is(n); n = node_next(n)) {
    syn kind = lower_kind(l, n);
    if (kind == SYN_list_splat) {
      read_splat(l, a, n);
    } else if (kind == SYN_keyword_argument) {
      named_argument one = {lower_text(l, node_field(n, "name")),
                            lower_expr(l, node_field(n, "value"))};
      VEC_PUSH(l->arena, &a->named, one);
      VEC_PUSH(l->arena, &a->all, one.value);
    } else if (kind == SYN_dictionary_splat) {
      a->odd = true;
    } else {
      add_positional(l, a, lower_expr(l, n));
    }
  }
}

static thing refused_call(lower *l, node at, unsupported why,
                          const char *detail, const arguments *a) {
  return refused(l, at, why, detail, a->all.at, (uint32_t)a->all.count);
}

/* ------------------------------------------------------------- spellings */

typedef enum spelling_where {
  FUNCTION,
  MEMBER,
  METHOD,
  HOST,
  BUILTIN,
  OTHER
} spelling_where;

typedef struct spelling {
  spelling_where where;
  const char *name;
  call_binder bind;
  op_id op;
  const char *parameters;
} spelling;

static const spelling spellings[] = {
#define SPELLING(where, name, bind, op, parameters)                            \
  {where, name, call_##bind, OP_##op, parameters},
#include "ops/spellings.def"
#undef SPELLING
};

static bool is_function(spelling_where w) {
  return w == FUNCTION || w == MEMBER;
}

static bool is_method(spelling_where w) {
  return w == METHOD || w == MEMBER;
}

static const spelling *find_spelling(const char *name,
                                     bool (*where)(spelling_where)) {
  for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++)
    if (where(spellings[i].where) && strcmp(spellings[i].name, name) == 0)
      return &spellings[i];
  return NULL;
}

static bool is_host(spelling_where w) {
  return w == HOST;
}

static bool is_python(spelling_where w) {
  return w == BUILTIN;
}

static bool is_other(spelling_where w) {
  return w == OTHER;
}

static const char *after_prefix(const char *text, const char *prefix) {
  size_t n = strlen(prefix);
  return strncmp(text, prefix, n) == 0 ? text + n : NULL;
}

/* Whether a dotted part stands in a full name. */
static bool has_part(const char *full, const char *part) {
  size_t n = strlen(part);
  for (const char *p = strstr(full, part); p; p = strstr(p + 1, part))
    if ((p == full || p[-1] == '.') && p[n] == '.')
      return true;
  return false;
}

static bool is_libdevice(const char *full) {
  return has_part(full, "libdevice") || has_part(full, "tl_extra_shim");
}

/* `triton.language.[math|standard|core|random.]NAME` -> NAME. */
static const char *language_name(const char *full) {
  static const char *const modules[] = {"math.", "standard.", "core.",
                                        "random.", "semantic."};
  const char *rest = after_prefix(full, "triton.language.");
  for (size_t i = 0; rest && i < sizeof modules / sizeof modules[0]; i++) {
    const char *inner = after_prefix(rest, modules[i]);
    if (inner)
      return inner;
  }
  return rest;
}

static const spelling *spelling_of(const char *full) {
  const char *dot = strrchr(full, '.');
  const char *rest = language_name(full);
  const spelling *found = NULL;
  if (rest)
    found = find_spelling(rest, is_function);
  if (!found && (rest = after_prefix(full, "triton.")))
    found = find_spelling(rest, is_host);
  if (!found && (rest = after_prefix(full, "builtins.")))
    found = find_spelling(rest, is_python);
  if (!found && dot && is_libdevice(full))
    found = find_spelling(dot + 1, is_function);
  const char *two = dot;
  while (two && two > full && two[-1] != '.')
    two--;
  if (!found && two)
    found = find_spelling(two, is_other);
  return found;
}

/* Index of a parameter in a list of names; -1 if it is none. *starred: from
 * which index on the names are keywords only. */
static int parameter_index(const char *list, const char *name) {
  int index = 0;
  while (*list) {
    bool star = *list == '*';
    list += star;
    size_t n = strcspn(list, " ");
    if (strlen(name) == n && strncmp(list, name, n) == 0)
      return index;
    list += n;
    list += *list == ' ';
    index++;
  }
  return -1;
}

static int star_index(const char *list) {
  const char *star = strchr(list, '*');
  int index = 0;
  for (const char *p = list; star && p < star; p++)
    index += *p == ' ';
  return star ? index : -1;
}

static int parameter_count(const char *list) {
  int count = *list ? 1 : 0;
  for (; *list; list++)
    count += *list == ' ';
  return count;
}

static bool fill_slots(const spelling *s, const arguments *a, call *c) {
  int star = star_index(s->parameters), count = parameter_count(s->parameters);
  assert(count <= CALL_SLOTS);
  for (size_t i = 0; i < a->positional.count; i++) {
    if (star >= 0 && (int)i >= star) {
      c->slot[star] = thing_tuple(a->positional.at + star,
                                  (uint32_t)(a->positional.count - i));
      c->given[star] = true;
      break;
    }
    if ((int)i >= count)
      return false;
    c->slot[i] = a->positional.at[i];
    c->given[i] = true;
  }
  for (size_t i = 0; i < a->named.count; i++) {
    int at = parameter_index(s->parameters, a->named.at[i].name);
    if (at < 0 || c->given[at])
      return false;
    c->slot[at] = a->named.at[i].value;
    c->given[at] = true;
  }
  return true;
}

/* Takes note in the instruction that a call was made into. */
static thing answered(lower *l, node at, const spelling *s, thing value) {
  inst *def = value.kind == THING_VALUE ? l->p->values.at[value.id].def : NULL;
  span here = lower_span(l, at);
  bool ours = is_function(s->where) || is_other(s->where);
  if (def && ours && memcmp(&def->at, &here, sizeof here) == 0)
    def->spelling = s->name;
  return value;
}

static thing call_spelling(lower *l, node at, const spelling *s,
                           const arguments *a) {
  call c = {.at = at,
            .name = s->name,
            .op = s->op,
            .all = a->all.at,
            .count = (uint32_t)a->all.count};
  if (a->odd)
    return refused_call(l, at, UNSUPPORTED_STAR, NULL, a);
  if (!fill_slots(s, a, &c))
    return refused_call(l, at, UNSUPPORTED_ARGUMENTS, s->name, a);
  return answered(l, at, s, s->bind(l, &c));
}

/* -------------------------------------------------------------- inlining */

typedef struct parameter {
  const char *name;
  node default_value;
  bool variadic;
} parameter;

static bool read_parameter(lower *l, node n, parameter *out) {
  syn kind = lower_kind(l, n);
  node name = n;
  *out = (parameter){.default_value = node_field(n, "value")};
  if (kind == SYN_default_parameter || kind == SYN_typed_default_parameter)
    name = node_field(n, "name");
  else if (kind == SYN_typed_parameter)
    name = node_child(n, 0);
  if (lower_kind(l, name) == SYN_list_splat_pattern ||
      lower_kind(l, name) == SYN_dictionary_splat_pattern) {
    out->variadic = true;
    name = node_child(name, 0);
  }
  out->name = lower_text(l, name);
  return lower_kind(l, name) == SYN_identifier;
}

static const thing *find_named(const arguments *a, const char *name) {
  for (size_t i = 0; i < a->named.count; i++)
    if (strcmp(a->named.at[i].name, name) == 0)
      return &a->named.at[i].value;
  return NULL;
}

/* Binds the arguments to the parameters of a function of the file. */
static bool bind_arguments(lower *l, node parameters, const arguments *a,
                           scope *out) {
  size_t position = 0, used = 0;
  for (node n = node_child(parameters, 0); node_is(n); n = node_next(n)) {
    parameter p;
    if (lower_kind(l, n) == SYN_keyword_separator ||
        lower_kind(l, n) == SYN_positional_separator)
      continue;
    if (!read_parameter(l, n, &p))
      return false;
    const thing *named = find_named(a, p.name);
    if (p.variadic) {
      size_t left = a->positional.count - position;
      scope_bind(out, p.name,
                 thing_tuple(a->positional.at + position, (uint32_t)left));
      position = a->positional.count;
    } else if (position < a->positional.count) {
      scope_bind(out, p.name, a->positional.at[position++]);
      if (named)
        return false;
    } else if (named) {
      scope_bind(out, p.name, *named);
      used++;
    } else if (node_is(p.default_value)) {
      scope_bind(out, p.name, lower_expr(l, p.default_value));
    } else {
      return false;
    }
  }
  return position == a->positional.count && used == a->named.count;
}

/* The kernel and the helpers around here, and whether one of them is f. */
static uint32_t frames_around(const lower *l, node definition, bool *inside) {
  uint32_t depth = 0;
  for (const frame *f = l->frame; f; f = f->caller, depth++)
    if (node_same(f->definition, definition))
      *inside = true;
  return depth;
}

static thing inline_function(lower *l, node at, const file_function *f,
                             const arguments *a) {
  bool inside = false;
  if (frames_around(l, f->definition, &inside) > LOWER_CALLS)
    return refused_call(l, at, UNSUPPORTED_NESTING, NULL, a);
  if (inside)
    return refused_call(l, at, UNSUPPORTED_RECURSION, f->name, a);
  if (a->odd)
    return refused_call(l, at, UNSUPPORTED_STAR, NULL, a);
  frame inner = {.caller = l->frame,
                 .function = f,
                 .definition = f->definition,
                 .scope = {.arena = l->arena}};
  if (!bind_arguments(l, node_field(f->definition, "parameters"), a,
                      &inner.scope))
    return refused_call(l, at, UNSUPPORTED_ARGUMENTS, f->name, a);
  call_site site = {
      .callee = f->name, .at = lower_span(l, at), .parent = l->frame->call};
  VEC_PUSH(l->arena, &l->p->calls, site);
  inner.call = (uint32_t)l->p->calls.count - 1;
  thing returned = thing_none();
  l->frame = &inner;
  lower_block(l, node_field(f->definition, "body"), 0, NULL, &returned);
  l->frame = inner.caller;
  return returned;
}

const file_function *callee_function(const lower *l, node callee) {
  syn kind = lower_kind(l, callee);
  if (kind != SYN_identifier && kind != SYN_attribute)
    return NULL;
  const char *text = lower_text(l, callee);
  const thing *local = scope_find(&l->frame->scope, text);
  if (local && thing_is(local, STATIC_FUNCTION))
    return names_function_at(l->names, local->fixed.where);
  return local ? NULL : names_function(l->names, text);
}

/* --------------------------------------------------------------- callees */

static const char *last_part(const char *full) {
  const char *dot = strrchr(full, '.');
  return dot ? dot + 1 : full;
}

/* A function of a module that no row lists. */
static thing call_unlisted(lower *l, node at, const char *full,
                           const arguments *a) {
  if (is_libdevice(full) && !a->odd) {
    call c = {.at = at,
              .name = last_part(full),
              .all = a->all.at,
              .count = (uint32_t)a->all.count};
    return call_elementwise_any(l, &c);
  }
  if (after_prefix(full, "triton.language.extra."))
    return refused_call(l, at, UNSUPPORTED_TARGET, last_part(full), a);
  if (after_prefix(full, "triton.language."))
    return refused_call(l, at, UNSUPPORTED_OPERATION, last_part(full), a);
  if (after_prefix(full, "builtins."))
    return refused_call(l, at, UNSUPPORTED_UNKNOWN_CALL, last_part(full), a);
  return refused_call(l, at, UNSUPPORTED_IMPORTED_CALL, last_part(full), a);
}

/* `tl.int32(x)`. */
static thing cast_by_call(lower *l, node at, const thing *dtype,
                          const arguments *a) {
  call c = {.at = at,
            .name = "cast",
            .op = OP_CAST,
            .all = a->all.at,
            .count = (uint32_t)a->all.count};
  if (a->positional.count != 1)
    return refused_call(l, at, UNSUPPORTED_ARGUMENTS, "a type", a);
  c.slot[0] = a->positional.at[0];
  c.slot[1] = *dtype;
  c.given[0] = c.given[1] = true;
  return call_to(l, &c);
}

static thing call_named(lower *l, node at, const char *full,
                        const arguments *a) {
  thing dtype;
  if (fixed_named(full, &dtype) && thing_is(&dtype, STATIC_DTYPE))
    return cast_by_call(l, at, &dtype, a);
  const spelling *s = spelling_of(full);
  return s ? call_spelling(l, at, s, a) : call_unlisted(l, at, full, a);
}

/* `object.name(...)` where the object is no module. */
static thing call_method(lower *l, node at, const thing *object,
                         const char *name, node list) {
  arguments a = {0};
  thing out;
  add_positional(l, &a, *object);
  read_arguments(l, &a, list);
  if (object->kind != THING_VALUE &&
      fixed_method(l, object, name, a.positional.at + 1,
                   (uint32_t)a.positional.count - 1, &out))
    return out;
  bool block = object->kind == THING_VALUE && is_shapeless(l, object->id);
  if (block && (strcmp(name, "load") == 0 || strcmp(name, "store") == 0 ||
                strcmp(name, "gather") == 0 || strcmp(name, "scatter") == 0 ||
                strncmp(name, "atomic_", 7) == 0)) {
    refuse(l, at, UNSUPPORTED_ACCESS, name, true);
    return emit_unknown(l, at, name, a.all.at, (uint32_t)a.all.count);
  }
  const spelling *s = find_spelling(name, is_method);
  bool number =
      object->kind == THING_VALUE ||
      (object->kind == THING_FIXED && literal_type(l, object).elem != SC_NONE);
  if (s && number)
    return call_spelling(l, at, s, &a);
  if (block)
    return emit_unknown(l, at, name, a.all.at, (uint32_t)a.all.count);
  if (thing_is(object, STATIC_UNKNOWN))
    return thing_unknown();
  return refused_call(l, at, UNSUPPORTED_UNKNOWN_CALL, name, &a);
}

/* A callee that is a plain name or the result of an expression. */
static thing call_thing(lower *l, node at, node callee, const thing *f,
                        const arguments *a) {
  if (thing_is(f, STATIC_MODULE))
    return call_named(l, at, f->fixed.text, a);
  if (thing_is(f, STATIC_DTYPE))
    return cast_by_call(l, at, f, a);
  const char *text = lower_text(l, callee);
  bool local = scope_find(&l->frame->scope, text) != NULL;
  return refused_call(
      l, at, local ? UNSUPPORTED_PARAMETER_CALL : UNSUPPORTED_UNKNOWN_CALL,
      text, a);
}

/* The module's name that `a` of `a.b` stands for; null if it is a value. */
static const char *module_of(lower *l, node object) {
  node root = object;
  for (int i = 0; i < 16 && lower_kind(l, root) == SYN_attribute; i++)
    root = node_field(root, "object");
  if (lower_kind(l, root) != SYN_identifier ||
      scope_find(&l->frame->scope, lower_text(l, root)))
    return NULL;
  const char *name = lower_text(l, root);
  const char *full = names_qualified(l->names, object);
  bool module = names_import(l->names, name) || strcmp(name, "tl") == 0 ||
                strcmp(name, "triton") == 0 ||
                (full && strncmp(full, "triton.", 7) == 0);
  thing out;
  return module && full && !fixed_named(full, &out) ? full : NULL;
}

thing lower_call(lower *l, node n) {
  node callee = node_field(n, "function"), list = node_field(n, "arguments");
  const file_function *function = callee_function(l, callee);
  arguments a = {0};
  if (function) {
    read_arguments(l, &a, list);
    return inline_function(l, n, function, &a);
  }
  if (lower_kind(l, callee) == SYN_attribute) {
    node object = node_field(callee, "object");
    const char *name = lower_text(l, node_field(callee, "attribute"));
    const char *module = module_of(l, object);
    if (module) {
      read_arguments(l, &a, list);
      return call_named(l, n, arena_printf(l->arena, "%s.%s", module, name),
                        &a);
    }
    thing base = lower_expr(l, object);
    if (!thing_is(&base, STATIC_MODULE))
      return call_method(l, n, &base, name, list);
    read_arguments(l, &a, list);
    return call_named(
        l, n, arena_printf(l->arena, "%s.%s", base.fixed.text, name), &a);
  }
  /* A name that nothing binds is refused once, as a call. */
  bool unbound = lower_kind(l, callee) == SYN_identifier &&
                 !name_is_bound(l, lower_text(l, callee));
  thing f = unbound ? thing_unknown() : lower_expr(l, callee);
  read_arguments(l, &a, list);
  return call_thing(l, n, callee, &f, &a);
}
