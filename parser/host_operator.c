/* parser/host_operator.c: which expressions of a recorded run are operators on
 * whole arrays, what their operands are, and which ones nobody can tell. */
#include "parser/host_record.h"

#include "base/map.h"
#include "base/panic.h"

#include <string.h>

static const struct {
  const char *op, *name;
  unsigned result;
} symbols[] = {
    {"+", "add", RESULT_SAME},
    {"-", "subtract", RESULT_SAME},
    {"*", "multiply", RESULT_SAME},
    {"/", "divide", RESULT_FLOATING},
    {"//", "floor_divide", RESULT_SAME},
    {"%", "remainder", RESULT_SAME},
    {"**", "power", RESULT_SAME},
    {"&", "and", RESULT_SAME},
    {"|", "or", RESULT_SAME},
    {"^", "xor", RESULT_SAME},
    {"<<", "left_shift", RESULT_SAME},
    {">>", "right_shift", RESULT_SAME},
};

/* ---------------------------------------------------------------- recording */

void operation_read(operation *o, uint32_t tensor) {
  assert(o->read_count < OPERATOR_OPERANDS);
  o->reads[o->read_count] = tensor;
  o->read_elements[o->read_count++] = record_elements(o->r, tensor);
}

static const char *not_known(operation *o) {
  if (o->why)
    return o->why;
  return arena_printf(o->r->arena, "`%s` is not understood", o->name);
}

static void finish(operation *o, bool understood) {
  host_run *r = o->r;
  recorded step = {.step = {.kind = STEP_OPERATOR, .name = o->name}};
  bool sized = true;
  for (uint32_t i = 0; i < o->read_count; i++) {
    moved m = {.elements = o->read_elements[i]};
    step.reads[i] = o->reads[i];
    sized = sized && m.elements != EXPR_NONE;
    VEC_PUSH(r->arena, &step.step.reads, m);
  }
  for (uint32_t i = 0, n = 0; i < o->write_count; i++) {
    if (!o->results_used[i])
      continue;
    moved m = {.elements = record_elements(r, o->writes[i])};
    step.writes[n++] = o->writes[i];
    sized = sized && m.elements != EXPR_NONE;
    VEC_PUSH(r->arena, &step.step.writes, m);
  }
  if (!understood)
    record_open(r, o->at, o->name, not_known(o));
  else if (!sized)
    record_open(r, o->at, o->name,
                arena_printf(r->arena,
                             "`%s` has an operand whose shape is not known",
                             o->name));
  else if (o->read_count || o->write_count)
    record_step(r, o->at, step);
}

host_value operation_run(operation *o, operator_rule *rule) {
  for (int i = 0; i < OPERATOR_RESULTS; i++)
    o->results_used[i] = true;
  bool understood = rule(o);
  finish(o, understood);
  return understood ? o->value : host_open(o->r, o->at, 0, NULL);
}

/* -------------------------------------------------------- Python's operators
 */

static uint32_t open_slot(host_run *r, host_value v) {
  bool open;
  uint32_t tensor;
  if (record_tensor(r, v, &tensor, &open) || !open)
    return 0;
  return host_settle(r, v).slot;
}

/* Operands that are numbers or tensors, nobody knows which. */
static void doubt(host_run *r, node at, const char *name, host_value a,
                  host_value b) {
  const host_value both[] = {a, b};
  for (int i = 0; i < 2; i++) {
    host_value other = host_settle(r, both[1 - i]);
    bool open, numeric = other.kind == HOST_INT || other.kind == HOST_FLOAT ||
                         other.kind == HOST_BOOL || other.kind == HOST_UNKNOWN;
    uint32_t tensor;
    if (!numeric || record_tensor(r, both[i], &tensor, &open) || !open)
      continue;
    uint32_t slot = open_slot(r, both[i]);
    const char *what = slot ? host_slot_at(r, slot)->name : NULL;
    recorded step = {
        .doubt = slot,
        .step = {.kind = STEP_OPEN,
                 .name = name,
                 .vague = true,
                 .why = what ? arena_printf(r->arena,
                                            "whether `%s` is a number or a "
                                            "tensor is not known; an "
                                            "annotation would tell",
                                            what)
                             : "whether an operand is a number or a tensor "
                               "is not known"}};
    record_step(r, at, step);
    return;
  }
}

static bool is_array(host_run *r, host_value v) {
  uint32_t tensor;
  bool open;
  return record_tensor(r, v, &tensor, &open);
}

/* True: an operator on arrays. */
static bool binary_on_arrays(host_run *r, node at, const char *op, host_value a,
                             host_value b, bool in_place, host_value *out) {
  if (!is_array(r, a) && !is_array(r, b))
    return false;
  host_value *both = ARENA_ARRAY(r->arena, host_value, 2);
  both[0] = a;
  both[1] = b;
  operation o = {.r = r,
                 .at = at,
                 .name = op,
                 .result = RESULT_TRUTH,
                 .in_place = in_place,
                 .call = {.at = at, .args = both, .count = 2}};
  operator_rule *rule = operator_elementwise;
  if (strcmp(op, "@") == 0) {
    o.name = "matmul";
    o.result = RESULT_SAME;
    rule = operator_product;
  }
  for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
    if (strcmp(symbols[i].op, op) == 0) {
      o.name = symbols[i].name;
      o.result = symbols[i].result;
    }
  *out = operation_run(&o, rule);
  return true;
}

static host_value binary(host_run *r, node at) {
  const char *op = node_operator(r->syntax, at, r->arena);
  host_value a = host_eval(r, node_field(at, "left"));
  host_value b = host_eval(r, node_field(at, "right")), v;
  if (strcmp(op, "//") == 0 || strcmp(op, "%") == 0) {
    if (!is_array(r, a))
      record_number(r, b);
    if (!is_array(r, b))
      record_number(r, a);
  }
  if (binary_on_arrays(r, at, op, a, b, false, &v))
    return v;
  doubt(r, at, op, a, b);
  return host_binary(r, op, a, b, at);
}

static host_value unary(host_run *r, node at) {
  const char *op = node_operator(r->syntax, at, r->arena);
  host_value a = host_eval(r, node_field(at, "argument"));
  if (!is_array(r, a)) {
    doubt(r, at, op, a, host_int(expr_int(r->t, 0)));
    return host_unary(r, op, a, at);
  }
  host_value *one = ARENA_NEW(r->arena, host_value);
  *one = a;
  operation o = {.r = r,
                 .at = at,
                 .name = strcmp(op, "-") == 0 ? "negative" : op,
                 .call = {.at = at, .args = one, .count = 1}};
  return strcmp(op, "+") == 0 ? a : operation_run(&o, operator_elementwise);
}

/* `x < y` on arrays; other comparisons are the reader's. */
static bool comparison(host_run *r, node at, host_value *out) {
  const char *op = node_compare_operator(r->syntax, at, 0, r->arena);
  if (node_count(at) != 2 || strstr(op, "is") || strstr(op, "in"))
    return false;
  size_t mark = record_mark(r);
  host_value a = host_eval(r, node_child(at, 0));
  host_value b = host_eval(r, node_child(at, 1));
  if (binary_on_arrays(r, at, op, a, b, false, out))
    return true;
  record_rewind(r, mark);
  if (a.kind == HOST_INT)
    record_number(r, b);
  if (b.kind == HOST_INT)
    record_number(r, a);
  return false;
}

/* `a if c else b`: each side is executed only where it is taken. */
static host_value conditional(host_run *r, node at) {
  node condition = node_child(at, 1);
  expr c = host_truth(r, host_eval(r, condition));
  int64_t known;
  if (expr_is_int(r->t, c, &known))
    return host_eval(r, node_child(at, known ? 0 : 2));
  size_t mark = record_mark(r), guards = r->guards.count;
  host_value side[2], merged;
  for (int i = 0; i < 2; i++) {
    expr guard = i == 0 ? c : expr_not(r->t, c);
    VEC_PUSH(r->arena, &r->guards, guard);
    side[i] = host_eval(r, node_child(at, i == 0 ? 0 : 2));
    r->guards.count = guards;
  }
  if (host_merge(r, c, side[0], side[1], &merged) || r->speculating || r->lazy)
    return merged;
  record_rewind(r, mark);
  bool first = host_choose(r, 2) == 0;
  host_note_choice(r, condition, first);
  host_assume(r, condition, first);
  return host_eval(r, node_child(at, first ? 0 : 2));
}

/* --------------------------------------------------------------- subscripts */

static bool subscript(host_run *r, node at, host_value *out) {
  size_t mark = record_mark(r);
  uint32_t tensor;
  bool open;
  host_value base = host_eval(r, node_field(at, "value"));
  bool array = record_tensor(r, base, &tensor, &open);
  record_rewind(r, mark);
  if (!array)
    return false;
  *out = host_subscript(r, at);
  if (out->kind != HOST_TENSOR)
    record_open(r, at, "[]", "an index that is no slice is not understood");
  return true;
}

/* `.values` and `.indices` of a call with two results. */
static bool result_attribute(host_run *r, node at, host_value *out) {
  const char *name = host_text(r, node_field(at, "attribute"));
  bool values = strcmp(name, "values") == 0;
  if (!values && strcmp(name, "indices") != 0)
    return false;
  size_t mark = record_mark(r);
  host_value v = host_eval(r, node_field(at, "object"));
  if (v.kind == HOST_TUPLE && v.count == 2 && v.text) {
    *out = v.items[values ? 0 : 1];
    return true;
  }
  record_rewind(r, mark);
  return false;
}

/* What the reader does not look into: open if it calls or computes anything. */
void host_record_unread(host_run *r, node at) {
  for (node n = at; node_is(n); n = node_walk(at, n, true)) {
    syn kind = host_kind_of(r, n);
    if (kind == SYN_call || kind == SYN_binary_operator) {
      const char *what = syntax_kind_text(at);
      recorded step = {
          .step = {
              .kind = STEP_OPEN,
              .name = what,
              .vague = true,
              .why = arena_printf(r->arena, "a %s is not looked into", what)}};
      record_step(r, at, step);
      return;
    }
  }
}

static void interpolations(host_run *r, node at) {
  for (node n = node_child(at, 0); node_is(n); n = node_next(n))
    if (host_kind_of(r, n) == SYN_interpolation)
      host_eval(r, node_child(n, 0));
}

bool host_record_expression(host_run *r, node at, host_value *out) {
  switch ((int)host_kind_of(r, at)) {
  case SYN_binary_operator:
    *out = binary(r, at);
    return true;
  case SYN_unary_operator:
    *out = unary(r, at);
    return true;
  case SYN_conditional_expression:
    *out = conditional(r, at);
    return true;
  case SYN_comparison_operator:
    return comparison(r, at, out);
  case SYN_call:
    return operation_call(r, at, out);
  case SYN_subscript:
    return subscript(r, at, out);
  case SYN_attribute:
    return result_attribute(r, at, out);
  case SYN_string:
    interpolations(r, at);
    return false;
  case SYN_list_comprehension:
  case SYN_generator_expression:
  case SYN_await:
  case SYN_yield:
  case SYN_OTHER:
    host_record_unread(r, at);
    return false;
  default:
    return false;
  }
}

/* --------------------------------------------------------------- statements */

bool host_record_augmented(host_run *r, node at) {
  char *op = arena_strdup(r->arena, node_operator(r->syntax, at, r->arena));
  size_t n = strlen(op), mark = record_mark(r);
  if (n && op[n - 1] == '=')
    op[n - 1] = '\0';
  host_value b = host_eval(r, node_field(at, "right")), v;
  host_value a = host_eval(r, node_field(at, "left"));
  if (is_array(r, a) && binary_on_arrays(r, at, op, a, b, true, &v))
    return true;
  record_rewind(r, mark);
  if (!is_array(r, b))
    doubt(r, at, op, a, b);
  else
    record_open(r, at, op, "what the left side holds is not known");
  return false;
}

void host_record_store(host_run *r, node target, host_value stored) {
  uint32_t base, view, source;
  bool open;
  size_t mark = record_mark(r);
  host_value v = host_eval(r, node_field(target, "value"));
  bool array = record_tensor(r, v, &base, &open);
  if (!array && !open)
    return;
  record_rewind(r, mark);
  host_value part = array ? host_subscript(r, target) : host_unknown();
  operation o = {.r = r, .at = target, .name = "setitem"};
  o.results_used[0] = true;
  bool known = record_tensor(r, part, &view, &open) && !open;
  o.why = "what is assigned to is no slice of a known tensor";
  if (record_tensor(r, stored, &source, &open))
    operation_read(&o, source);
  known = known && !open;
  if (known)
    o.writes[o.write_count++] = view;
  finish(&o, known);
}
