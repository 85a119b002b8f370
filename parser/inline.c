/* parser/inline.c: calls of the project's own functions.
 *
 * The body is written out at the call. A function of another file is lowered
 * with that file's names; its instructions stand at the call in the file that
 * is checked and know their own place (inst.inner). */
#include "parser/calls.h"

#include "parser/project.h"

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

/* Binds the arguments to the parameters of a function of the project, whose
 * file is being lowered. */
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
      scope_bind(
          out, p.name,
          evaluate_constant(l, l->names, p.default_value, p.default_value));
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

static void enter_file(lower *l, const file_names *names) {
  l->names = names;
  l->syntax = names->syntax;
}

static uint32_t add_call(lower *l, span at, const frame *inner) {
  bool other = inner->names != l->file;
  call_site site = {.callee = inner->function->name,
                    .path = other ? syntax_source(inner->names->syntax)->path
                                  : NULL,
                    .at = at,
                    .parent = inner->caller->call};
  VEC_PUSH(l->arena, &l->p->calls, site);
  return (uint32_t)l->p->calls.count - 1;
}

static thing inline_function(lower *l, node at, const file_names *names,
                             const file_function *f, const arguments *a) {
  bool inside = false;
  if (frames_around(l, f->definition, &inside) > LOWER_CALLS)
    return refused_call(l, at, UNSUPPORTED_NESTING, NULL, a);
  if (inside)
    return refused_call(l, at, UNSUPPORTED_RECURSION, f->name, a);
  if (a->odd)
    return refused_call(l, at, UNSUPPORTED_STAR, NULL, a);
  span here = lower_span(l, at);
  frame *outer = l->frame;
  frame inner = {.caller = outer,
                 .function = f,
                 .names = names,
                 .definition = f->definition,
                 .scope = {.arena = l->arena}};
  if (names != l->file)
    inner.outside = here;
  l->frame = &inner;
  enter_file(l, names);
  bool fits = bind_arguments(l, node_field(f->definition, "parameters"), a,
                             &inner.scope);
  thing returned = thing_none();
  if (fits) {
    inner.call = add_call(l, here, &inner);
    lower_block(l, node_field(f->definition, "body"), 0, NULL, &returned);
  }
  l->frame = outer;
  enter_file(l, outer->names);
  return fits ? returned
              : refused_call(l, at, UNSUPPORTED_ARGUMENTS, f->name, a);
}

/* ---------------------------------------------------- module constants */

static bool all_fixed(const thing *t) {
  if (t->kind == THING_FIXED)
    return true;
  if (t->kind != THING_TUPLE)
    return false;
  for (uint32_t i = 0; i < t->count; i++)
    if (!all_fixed(&t->items[i]))
      return false;
  return true;
}

thing evaluate_constant(lower *l, const file_names *names, node at,
                        node value) {
  uint64_t key = (uint64_t)names->index_in_project << 32 | node_start(value);
  uint64_t known = 0;
  if (map_get(l->constants, key, &known))
    return l->constant_values.at[known - 1];
  if (l->constant_depth >= 16)
    return thing_unknown();
  frame module = {
      .names = names, .scope = {.arena = l->arena}, .call = l->frame->call};
  if (names != l->file)
    module.outside = lower_span(l, at);
  frame *around = l->frame;
  trial before = trial_begin(l);
  uint32_t undecided = l->undecided;
  l->frame = &module;
  enter_file(l, names);
  l->constant_depth++;
  thing result = lower_expr(l, value);
  l->constant_depth--;
  l->frame = around;
  enter_file(l, around->names);
  l->undecided = undecided;
  trial_undo(l, before);
  if (!all_fixed(&result))
    result = thing_unknown();
  VEC_PUSH(l->arena, &l->constant_values, result);
  map_put(l->constants, key, l->constant_values.count);
  return result;
}

/* ------------------------------------------- names bound several times */

enum { CHOICES = 4 };

/* The clauses of an if statement: itself, then elif and else. */
static node clause_at(node statement, uint32_t k) {
  return k == 0 ? statement : node_field_at(statement, "alternative", k - 1);
}

static truth condition_holds(lower *l, const file_names *names, node at,
                             node clause) {
  thing t = evaluate_constant(l, names, at, node_field(clause, "condition"));
  expr e = fixed_truth(l, &t);
  int64_t known;
  if (!e || !expr_is_int(l->p->exprs, e, &known))
    return UNSURE;
  return known ? YES : NO;
}

/* Whether the arm of an if statement that `inner` (a child) is runs. */
static truth arm_runs(lower *l, const file_names *names, node at,
                      node statement, node inner) {
  truth open = YES;
  for (uint32_t k = 0;; k++) {
    node clause = clause_at(statement, k);
    if (!node_is(clause))
      return UNSURE;
    bool here = k == 0 ? node_same(node_field(clause, "consequence"), inner)
                       : node_same(clause, inner);
    if (syntax_kind(names->syntax, clause) == SYN_else_clause)
      return here ? open : UNSURE;
    truth t = condition_holds(l, names, at, clause);
    if (here)
      return t == NO || open == NO     ? NO
             : t == YES && open == YES ? YES
                                       : UNSURE;
    if (t == YES)
      open = NO;
    else if (t == UNSURE && open == YES)
      open = UNSURE;
  }
}

/* Whether a statement of the module scope runs. */
static truth statement_runs(lower *l, const file_names *names, node at,
                            node statement) {
  truth out = YES;
  node n = statement;
  for (node up = node_parent(n); node_is(up) && out != NO;
       n = up, up = node_parent(n)) {
    syn kind = syntax_kind(names->syntax, up);
    truth one = YES;
    if (kind == SYN_if_statement)
      one = arm_runs(l, names, at, up, n);
    else if (kind == SYN_try_statement || kind == SYN_for_statement ||
             kind == SYN_while_statement)
      one = UNSURE;
    out = one == YES ? out : one;
  }
  return out;
}

static thing bound_thing(lower *l, const file_names *names, node at,
                         const name_binding *b) {
  if (b->function)
    return thing_function(names, b->function);
  if (b->import)
    return lower_full_name(l, at, names, b->import);
  return evaluate_constant(l, names, at, b->value);
}

static bool callable(const thing *t) {
  return thing_is(t, STATIC_FUNCTION) || thing_is(t, STATIC_MODULE);
}

thing lower_choice(lower *l, node at, const file_names *names,
                   const char *name) {
  name_binding_vec all = {0};
  static_value *items = ARENA_ARRAY(l->arena, static_value, CHOICES);
  thing only = thing_unknown();
  uint32_t count = 0;
  if (!names_all_bindings(names, name, l->arena, &all))
    return only;
  for (size_t i = 0; i < all.count; i++) {
    truth runs = statement_runs(l, names, at, all.at[i].statement);
    if (runs == NO)
      continue;
    if (runs == YES)
      count = 0;
    only = bound_thing(l, names, at, &all.at[i]);
    if (count == CHOICES || (count > 0 && !callable(&only)))
      return thing_unknown();
    items[count++] = only.fixed;
    if (count > 1 && items[0].kind != STATIC_FUNCTION &&
        items[0].kind != STATIC_MODULE)
      return thing_unknown();
  }
  if (count == 1)
    return only;
  return count == 0 ? thing_unknown()
                    : thing_fixed((static_value){.kind = STATIC_FUNCTION,
                                                 .text = name,
                                                 .file = names,
                                                 .items = items,
                                                 .count = count});
}

typedef struct choice_call {
  const thing *f;
  const arguments *a;
  node at;
  uint32_t from;
} choice_call;

/* One of the functions from number `from` on. */
static thing call_choice(lower *l, bool first, void *context) {
  choice_call *c = context;
  const static_value *one = &c->f->fixed.items[c->from];
  if (first) {
    thing f = thing_fixed(*one);
    return one->kind == STATIC_FUNCTION
               ? call_function(l, c->at, &f, c->a)
               : call_named(l, c->at, file_of(l, &f), one->text, c->a);
  }
  choice_call rest = *c;
  rest.from++;
  if (rest.from + 1 == c->f->fixed.count)
    return call_choice(l, true, &rest);
  return lower_either(l, c->at, call_choice, &rest);
}

thing call_function(lower *l, node at, const thing *f, const arguments *a) {
  const file_names *names = file_of(l, f);
  if (f->fixed.count > 1) {
    choice_call c = {.f = f, .a = a, .at = at};
    return lower_either(l, at, call_choice, &c);
  }
  const file_function *function = names_function_at(names, f->fixed.where);
  if (!function)
    return refused_call(l, at, UNSUPPORTED_PARAMETER_CALL, f->fixed.text, a);
  return inline_function(l, at, names, function, a);
}
