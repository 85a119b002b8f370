/* parser/host_eval.c: expressions of the host code. */
#include "parser/host_state.h"

#include "base/panic.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

uint8_t host_folded(const host_run *r, host_value v) {
  if (v.kind == HOST_TUPLE)
    return v.folded;
  if (v.kind == HOST_SHAPE || v.kind == HOST_STRIDES)
    return r->tensors.at[v.tensor].folded;
  return 0;
}

bool host_items(host_run *r, host_value v, const host_value **items,
                uint32_t *count) {
  v = host_settle(r, v);
  if (v.kind == HOST_TUPLE) {
    *items = v.items;
    *count = v.count;
    return true;
  }
  if (v.kind != HOST_SHAPE && v.kind != HOST_STRIDES)
    return false;
  bool certain = host_rank_certain(r, v.tensor);
  if (v.kind == HOST_STRIDES && !certain) {
    host_ask_strides(r, v.tensor);
    return false;
  }
  /* All axes count: those that nobody asked for are folded into one. */
  if (!certain && host_ask_numel(r, v.tensor) == EXPR_NONE)
    return false;
  return host_extents(r, v, items, count);
}

bool host_extents(host_run *r, host_value v, const host_value **items,
                  uint32_t *count) {
  if (v.kind == HOST_STRIDES)
    host_ask_strides(r, v.tensor);
  const host_tensor *t = &r->tensors.at[v.tensor];
  if (!t->ranked)
    return false;
  host_value *fresh = ARENA_ARRAY(r->arena, host_value, t->rank + 1);
  for (uint8_t d = 0; d < t->rank; d++)
    fresh[d] = host_int(v.kind == HOST_SHAPE ? t->extent[d] : t->stride[d]);
  *items = fresh;
  *count = t->rank;
  return true;
}

/* --------------------------------------------------------------- literals */

/* Digits without `_`. */
static char *plain_digits(host_run *r, node at) {
  char *text = node_text(r->syntax, at, r->arena), *to = text;
  for (const char *from = text; *from; from++)
    if (*from != '_')
      *to++ = *from;
  *to = '\0';
  return text;
}

/* A literal that reaches a constexpr is a symbol pinned to its value: it may
 * be that the proof holds for all values. */
static host_value integer(host_run *r, node at) {
  const char *text = plain_digits(r, at);
  int base = text[0] == '0' && text[1] ? 0 : 10;
  if (base == 0 &&
      (text[1] == 'o' || text[1] == 'O' || text[1] == 'b' || text[1] == 'B')) {
    base = text[1] == 'o' || text[1] == 'O' ? 8 : 2;
    text += 2;
  }
  char *end;
  unsigned long long n = strtoull(text, &end, base);
  if (*end || n > (unsigned long long)INT64_MAX)
    return host_int(EXPR_NONE);
  host_value v = host_int(expr_int(r->t, (int64_t)n));
  v.slot = host_slot_of(r, at.id, 0);
  host_slot *s = host_slot_at(r, v.slot);
  if (!s->const_name || n < 2)
    return v;
  if (s->symbol == EXPR_NONE) {
    symbol fresh = {.role = SYMBOL_CONST,
                    .pinned = true,
                    .pin = (int64_t)n,
                    .line = host_line(r, at)};
    expr e = host_symbol(r, s->const_name, fresh);
    s = host_slot_at(r, v.slot);
    s->symbol = e;
  }
  v.number = s->symbol;
  return v;
}

static host_value float_literal(host_run *r, node at) {
  host_value v = {.kind = HOST_FLOAT};
  char *end;
  v.real = strtod(plain_digits(r, at), &end);
  v.has_real = *end == '\0';
  return v;
}

const char *host_string_text(host_run *r, node at) {
  if (host_kind_of(r, at) != SYN_string)
    return NULL;
  for (uint32_t i = 0; i < node_count(at); i++)
    if (host_kind_of(r, node_child(at, i)) == SYN_interpolation)
      return NULL;
  const char *text = host_text(r, at);
  while (*text && *text != '"' && *text != '\'')
    text++;
  size_t n = strlen(text);
  size_t quotes = n >= 6 && text[1] == text[0] && text[2] == text[0] ? 3 : 1;
  if (n < 2 * quotes || strchr(text, '\\'))
    return NULL;
  return arena_strndup(r->arena, text + quotes, n - 2 * quotes);
}

/* ------------------------------------------------------------------ names */

const char *host_qualified(host_run *r, node at) {
  node root = at;
  while (host_kind_of(r, root) == SYN_attribute)
    root = node_field(root, "object");
  if (host_kind_of(r, root) != SYN_identifier ||
      host_lookup(r, host_text(r, root)))
    return NULL;
  return names_qualified(r->names, at);
}

/* A module constant, evaluated where it stands. */
host_value host_module_constant(host_run *r, node value, const char *name) {
  host_frame *frame = r->frame;
  uint32_t calls = r->calls;
  size_t mark = record_mark(r);
  r->frame = NULL;
  r->calls = 0;
  host_value v = host_eval(r, value);
  if (v.kind == HOST_UNKNOWN)
    v = host_open(r, value, 0, name);
  r->frame = frame;
  r->calls = calls;
  record_rewind(r, mark); /* the module made it */
  return v;
}

/* Whether plain assignments, and nothing else, bind the name in a function. */
static bool only_assigned(host_run *r, node function, const char *name) {
  bool found = false;
  for (node n = node_field(function, "body"); node_is(n);
       n = node_walk(function, n, true)) {
    syn kind = host_kind_of(r, n);
    const char *text = syntax_kind_text(n);
    bool other =
        kind == SYN_import_statement || kind == SYN_import_from_statement ||
        kind == SYN_match_statement || strcmp(text, "nonlocal_statement") == 0;
    node target = other ? n : host_bound_target(r, n);
    for (node x = target; node_is(x); x = node_walk(target, x, true))
      if (host_kind_of(r, x) == SYN_identifier &&
          node_text_is(r->syntax, x, name)) {
        if (kind != SYN_assignment)
          return false;
        found = true;
      }
  }
  return found;
}

/* A local that no statement on this way has bound: Python raises an exception.
 * Sound: the interpreter binds what statements may bind that it does not
 * execute, and here nothing is evaluated that Python would pass over. */
static bool is_unbound(host_run *r, const char *name) {
  const host_frame *f = r->frame;
  return f && !f->inlined && node_is(f->definition) && r->calls == 0 &&
         r->guards.count == 0 && !r->speculating && !r->unsure && !r->reached &&
         !r->record && only_assigned(r, f->definition, name);
}

static host_value identifier(host_run *r, node at) {
  const char *name = host_text(r, at);
  const host_value *local = host_lookup(r, name);
  if (local)
    return *local;
  if (is_unbound(r, name)) {
    r->dead = true;
    return host_unknown();
  }
  node value = names_constant(r->names, name);
  if (node_is(value))
    return host_module_constant(r, value, name);
  const file_function *f = names_function(r->names, name);
  if (f)
    return (host_value){
        .kind = HOST_FUNCTION, .where = f->definition, .names = r->names};
  const char *import = names_import(r->names, name);
  host_value known;
  return import && host_imported(r, at, import, &known) ? known
                                                        : host_unknown();
}

/* -------------------------------------------------------------- operators */

/* What is evaluated only where the guard holds: what it says of the launch is
 * said of those. */
static host_value eval_under(host_run *r, expr guard, node at) {
  size_t guards = r->guards.count;
  VEC_PUSH(r->arena, &r->guards, guard);
  r->unsure++;
  host_value v = host_eval(r, at);
  r->unsure--;
  assert(r->guards.count >= guards);
  r->guards.count = guards;
  return v;
}

static host_value boolean(host_run *r, node at) {
  bool is_and = strcmp(node_operator(r->syntax, at, r->arena), "and") == 0;
  host_value left = host_eval(r, node_field(at, "left"));
  int64_t known;
  if (left.kind == HOST_UNKNOWN && left.slot &&
      host_is_optional(r, left.slot)) {
    /* `x = x or y` */
    if (!r->lazy && !r->reached && !host_slot_at(r, left.slot)->not_none)
      host_decide_none(r, left.slot);
    left = host_settle(r, left);
  }
  expr a = host_truth(r, left);
  if (expr_is_int(r->t, a, &known)) {
    if ((known != 0) == is_and)
      return host_eval(r, node_field(at, "right"));
    return host_settle(r, left);
  }
  size_t mark = record_mark(r);
  host_value one, right = eval_under(r, is_and ? a : expr_not(r->t, a),
                                     node_field(at, "right"));
  record_doubtful(r, mark, "whether it is executed depends on the left side");
  host_forget_names(r, node_field(at, "right"));
  if (left.kind != HOST_BOOL) {
    expr number = host_as_int(r, left), zero = expr_int(r->t, 0);
    expr is_zero = expr_compare(r->t, EXPR_EQ, number, zero);
    bool merged = number != EXPR_NONE && !r->lazy &&
                  host_merge(r, is_zero, is_and ? left : right,
                             is_and ? right : left, &one);
    if (merged)
      return one;
    if (!r->lazy)
      return host_open(r, at, 0, NULL);
  }
  expr b = host_truth(r, right);
  if (expr_is_int(r->t, b, &known) && (known != 0) != is_and &&
      left.kind == HOST_BOOL)
    return host_bool(b);
  host_value v = host_bool(is_and ? expr_and(r->t, a, b) : expr_or(r->t, a, b));
  v.murky = (a == EXPR_NONE && host_is_murky(r, left)) ||
            (b == EXPR_NONE && host_is_murky(r, right));
  return v;
}

static node bare(host_run *r, node at) {
  while (host_kind_of(r, at) == SYN_parenthesized_expression)
    at = node_child(at, 0);
  return at;
}

static bool is_operator(host_run *r, node at, const char *op) {
  return host_kind_of(r, at) == SYN_binary_operator &&
         strcmp(node_operator(r->syntax, at, r->arena), op) == 0;
}

/* `n & (n - 1) == 0`, written either way round: n is 0 or a power of two.
 * EXPR_NONE: it is something else. */
static expr power_of_two_test(host_run *r, node at) {
  node left = bare(r, node_child(at, 0)), right = bare(r, node_child(at, 1));
  int64_t zero = 1;
  if (node_count(at) != 2 || !is_operator(r, left, "&") ||
      host_kind_of(r, right) != SYN_integer ||
      !expr_is_int(r->t, host_eval(r, right).number, &zero) || zero != 0)
    return EXPR_NONE;
  expr a = host_as_int(r, host_eval(r, node_field(left, "left")));
  expr b = host_as_int(r, host_eval(r, node_field(left, "right")));
  expr one = expr_int(r->t, 1), n = EXPR_NONE;
  if (a != EXPR_NONE && expr_sub(r->t, a, one) == b)
    n = a;
  else if (b != EXPR_NONE && expr_sub(r->t, b, one) == a)
    n = b;
  expr is_zero = expr_compare(r->t, EXPR_EQ, n, expr_int(r->t, 0));
  expr test = expr_or(r->t, expr_ispow2(r->t, n), is_zero);
  const char *op = node_compare_operator(r->syntax, at, 0, r->arena);
  if (strcmp(op, "==") == 0)
    return test;
  return strcmp(op, "!=") == 0 ? expr_not(r->t, test) : EXPR_NONE;
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static const char *without_blanks(host_run *r, node at) {
  char *text = node_text(r->syntax, at, r->arena), *to = text;
  for (const char *from = text; *from; from++)
    if (!is_blank(*from))
      *to++ = *from;
  *to = '\0';
  return text;
}

/* `n == 2 ** (n.bit_length() - 1)` and the same with !=. */
static expr bit_length_test(host_run *r, node at) {
  if (node_count(at) != 2 || !is_operator(r, node_child(at, 1), "**"))
    return EXPR_NONE;
  const char *n = without_blanks(r, node_child(at, 0));
  const char *op = node_compare_operator(r->syntax, at, 0, r->arena);
  const char *power = arena_printf(r->arena, "2**(%s.bit_length()-1)", n);
  if (strcmp(power, without_blanks(r, node_child(at, 1))) != 0)
    return EXPR_NONE;
  expr test =
      expr_ispow2(r->t, host_as_int(r, host_eval(r, node_child(at, 0))));
  if (strcmp(op, "==") == 0)
    return test;
  return strcmp(op, "!=") == 0 ? expr_not(r->t, test) : EXPR_NONE;
}

static host_value comparison(host_run *r, node at) {
  expr test = power_of_two_test(r, at);
  if (test == EXPR_NONE)
    test = bit_length_test(r, at);
  if (test != EXPR_NONE)
    return host_bool(test);
  expr all = expr_int(r->t, 1);
  bool murky = false;
  host_value left = host_eval(r, node_child(at, 0));
  for (uint32_t i = 0; i + 1 < node_count(at); i++) {
    host_value right = host_eval(r, node_child(at, i + 1));
    const char *op = node_compare_operator(r->syntax, at, i, r->arena);
    expr one = host_compare(r, op, left, right).number;
    int64_t known;
    if (expr_is_int(r->t, one, &known) && known == 0)
      return host_bool(one);
    murky = murky || (one == EXPR_NONE &&
                      (host_is_murky(r, left) || host_is_murky(r, right)));
    all = expr_and(r->t, all, one);
    left = right;
  }
  host_value v = host_bool(all);
  v.murky = murky;
  return v;
}

/* `a if c else b`: one value where possible, else one program for each. */
static host_value conditional(host_run *r, node at) {
  node condition = node_child(at, 1);
  expr c = host_truth(r, host_eval(r, condition));
  int64_t known;
  c = host_known(r, c);
  if (expr_is_int(r->t, c, &known))
    return host_eval(r, node_child(at, known ? 0 : 2));
  host_value a = eval_under(r, c, node_child(at, 0));
  host_value b = eval_under(r, expr_not(r->t, c), node_child(at, 2));
  host_value merged;
  host_forget_names(r, node_child(at, 0));
  host_forget_names(r, node_child(at, 2));
  if (host_merge(r, c, a, b, &merged))
    return merged;
  if (r->speculating || r->reached || r->lazy)
    return host_open(r, at, 0, NULL);
  bool first = host_choose(r, 2) == 0;
  host_note_choice(r, condition, first);
  host_assume(r, condition, first);
  return first ? host_settle(r, a) : host_settle(r, b);
}

static host_value named(host_run *r, node at) {
  host_value v = host_eval(r, node_field(at, "value"));
  host_assign(r, node_field(at, "name"), v);
  return v;
}

static host_value negation(host_run *r, node at) {
  host_value v = host_eval(r, at);
  host_value out = host_bool(expr_not(r->t, host_truth(r, v)));
  out.murky = out.number == EXPR_NONE && host_is_murky(r, v);
  return out;
}

static host_value evaluate(host_run *r, node at) {
  syn kind = host_kind_of(r, at);
  host_value recorded;
  if (r->record && host_record_expression(r, at, &recorded))
    return recorded;
  if (kind == SYN_identifier)
    return identifier(r, at);
  if (kind == SYN_integer)
    return integer(r, at);
  if (kind == SYN_float)
    return float_literal(r, at);
  if (kind == SYN_string)
    return (host_value){.kind = HOST_STRING, .text = host_string_text(r, at)};
  if (kind == SYN_true || kind == SYN_false)
    return host_bool(expr_int(r->t, kind == SYN_true));
  if (kind == SYN_none)
    return host_none();
  if (kind == SYN_call)
    return host_eval_call(r, at);
  if (kind == SYN_attribute)
    return host_attribute(r, at);
  if (kind == SYN_subscript)
    return host_subscript(r, at);
  if (kind == SYN_parenthesized_expression)
    return host_eval(r, node_child(at, 0));
  if (kind == SYN_tuple || kind == SYN_list || kind == SYN_expression_list)
    return host_sequence(r, at);
  if (kind == SYN_set &&
      host_kind_of(r, node_parent(at)) == SYN_comparison_operator)
    return host_sequence(r, at); /* `n in {1, 2}` */
  if (kind == SYN_dictionary)
    return host_dictionary(r, at);
  if (kind == SYN_list_comprehension || kind == SYN_generator_expression)
    return host_comprehension(r, at);
  if (kind == SYN_lambda)
    return (host_value){.kind = HOST_FUNCTION,
                        .where = at,
                        .frame = r->frame,
                        .names = r->names};
  if (kind == SYN_binary_operator)
    return host_binary(r, node_operator(r->syntax, at, r->arena),
                       host_eval(r, node_field(at, "left")),
                       host_eval(r, node_field(at, "right")), at);
  if (kind == SYN_unary_operator)
    return host_unary(r, node_operator(r->syntax, at, r->arena),
                      host_eval(r, node_field(at, "argument")), at);
  if (kind == SYN_not_operator)
    return negation(r, node_child(at, 0));
  if (kind == SYN_boolean_operator)
    return boolean(r, at);
  if (kind == SYN_comparison_operator)
    return comparison(r, at);
  if (kind == SYN_conditional_expression)
    return conditional(r, at);
  if (kind == SYN_named_expression)
    return named(r, at);
  host_forget(r, at);
  return host_open(r, at, 0, NULL);
}

host_value host_eval(host_run *r, node at) {
  if (!node_is(at) || r->depth >= HOST_DEPTH || r->steps >= HOST_STEPS)
    return host_unknown();
  r->depth++;
  r->steps++;
  host_value v = host_settle(r, evaluate(r, at));
  r->depth--;
  return v;
}
