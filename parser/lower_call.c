/* parser/lower_call.c: what a call calls, and with which arguments. */
#include <assert.h>

#include "parser/calls.h"
#include "parser/project.h"

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

thing refused_call(lower *l, node at, unsupported why, const char *detail,
                   const arguments *a) {
  return refused(l, at, why, detail, a->all.at, (uint32_t)a->all.count);
}

/* ------------------------------------------------------------- spellings */

typedef enum spelling_where {
  FUNCTION,
  MEMBER,
  METHOD,
  BLOCK,
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

static bool is_block_method(spelling_where w) {
  return w == BLOCK;
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

bool call_is_listed(const char *full) {
  return spelling_of(full) != NULL;
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

thing call_named(lower *l, node at, const file_names *names, const char *full,
                 const arguments *a) {
  thing dtype, own = lower_full_name(l, at, names, full);
  if (thing_is(&own, STATIC_FUNCTION))
    return call_function(l, at, &own, a);
  if (thing_is(&own, STATIC_MODULE))
    full = own.fixed.text;
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
  if (call_is_block(object)) {
    const spelling *own = find_spelling(name, is_block_method);
    return own ? call_spelling(l, at, own, &a)
               : refused_call(l, at, UNSUPPORTED_UNKNOWN_CALL, name, &a);
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
  if (thing_is(f, STATIC_FUNCTION))
    return call_function(l, at, f, a);
  if (thing_is(f, STATIC_MODULE))
    return call_named(l, at, file_of(l, f), f->fixed.text, a);
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

bool names_own_function(lower *l, node callee) {
  syn kind = lower_kind(l, callee);
  if (kind != SYN_identifier && kind != SYN_attribute)
    return false;
  const char *text = lower_text(l, callee);
  const thing *local = scope_find(&l->frame->scope, text);
  if (local)
    return thing_is(local, STATIC_FUNCTION);
  if (names_function(l->names, text))
    return true;
  const char *full = names_qualified(l->names, callee);
  return full && project_find(l->names, full).kind == FOUND_FUNCTION;
}

/* `Class.method(...)`, `module.name(...)`, `object.name(...)`. */
static thing call_attribute(lower *l, node n, node callee, node list) {
  node object = node_field(callee, "object");
  const char *name = lower_text(l, node_field(callee, "attribute"));
  const file_function *method = names_function(l->names, lower_text(l, callee));
  const char *module = module_of(l, object);
  arguments a = {0};
  if (method) {
    thing f = thing_function(l->names, method);
    read_arguments(l, &a, list);
    return call_function(l, n, &f, &a);
  }
  if (module) {
    read_arguments(l, &a, list);
    return call_named(l, n, l->names,
                      arena_printf(l->arena, "%s.%s", module, name), &a);
  }
  thing base = lower_expr(l, object);
  if (!thing_is(&base, STATIC_MODULE))
    return call_method(l, n, &base, name, list);
  read_arguments(l, &a, list);
  return call_named(l, n, file_of(l, &base),
                    arena_printf(l->arena, "%s.%s", base.fixed.text, name), &a);
}

thing lower_call(lower *l, node n) {
  node callee = node_field(n, "function"), list = node_field(n, "arguments");
  arguments a = {0};
  if (lower_kind(l, callee) == SYN_attribute)
    return call_attribute(l, n, callee, list);
  /* A name that nothing binds is refused once, as a call. */
  bool unbound = lower_kind(l, callee) == SYN_identifier &&
                 !name_is_bound(l, lower_text(l, callee));
  thing f = unbound ? thing_unknown() : lower_expr(l, callee);
  read_arguments(l, &a, list);
  return call_thing(l, n, callee, &f, &a);
}
