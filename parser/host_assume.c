/* parser/host_assume.c: what follows when a condition of the host code holds or
 * does not: facts, ranks of tensors, flags, None. */
#include "parser/host_state.h"

#include "base/panic.h"

#include <string.h>

/* --------------------------------------------------------------- refining */

static bool is_certain(const host_run *r) {
  return r->guards.count == 0 && !r->speculating && !r->reached;
}

/* ... or only the presence of an optional parameter is asked around here.
 * Sound for what is said of its tensor: no one looks at it where it is None. */
static bool is_certain_of(const host_run *r, const host_slot *s) {
  if (r->reached || r->speculating != r->sides)
    return false;
  for (size_t i = 0; i < r->guards.count; i++)
    if (s->absent == EXPR_NONE || r->guards.at[i] != expr_not(r->t, s->absent))
      return false;
  return true;
}

/* An open optional parameter is None, or is not. */
static void refine_none(host_run *r, host_value v, bool none) {
  if (v.kind != HOST_UNKNOWN || !v.slot || !is_certain(r))
    return;
  host_slot *s = host_slot_at(r, v.slot);
  if (!s->parameter)
    return;
  s->not_none = !none;
  s->is_decided = none;
  s->decided = host_none();
}

static void refine_flag(host_run *r, host_value v, bool truth) {
  if (v.kind != HOST_UNKNOWN || !v.slot || !is_certain(r))
    return;
  host_slot *s = host_slot_at(r, v.slot);
  s->truth_known = true;
  s->truth = truth;
  if (host_is_flag(r, v.slot)) {
    s->is_decided = true;
    s->decided = host_bool(expr_int(r->t, truth));
  } else if (truth && host_is_optional(r, v.slot)) {
    s->not_none = true;
  }
}

/* `x.is_contiguous()` holds. */
static void refine_call(host_run *r, node call) {
  node callee = node_field(call, "function");
  uint32_t tensor;
  if (host_kind_of(r, callee) != SYN_attribute || r->reached ||
      !node_text_is(r->syntax, node_field(callee, "attribute"),
                    "is_contiguous"))
    return;
  if (!host_as_tensor(r, host_eval(r, node_field(callee, "object")), &tensor))
    return;
  const host_tensor *t = &r->tensors.at[tensor];
  if (!t->stride_slot || t->clause)
    return;
  host_slot *s = host_slot_at(r, t->stride_slot);
  if (s->tensor != tensor + 1 || !is_certain_of(r, s))
    return; /* a view of it */
  r->changed = r->changed || !s->contiguous_stated;
  s->contiguous_stated = true;
}

/* The tensor whose rank an expression asks for: x.dim(), x.ndim,
 * len(x.shape). */
static bool asks_rank(host_run *r, node at, uint32_t *tensor) {
  node object = {.id = NULL};
  if (host_kind_of(r, at) == SYN_attribute &&
      node_text_is(r->syntax, node_field(at, "attribute"), "ndim"))
    object = node_field(at, "object");
  if (host_kind_of(r, at) == SYN_call) {
    node callee = node_field(at, "function");
    node first = node_child(node_field(at, "arguments"), 0);
    if (host_kind_of(r, callee) == SYN_attribute &&
        (node_text_is(r->syntax, node_field(callee, "attribute"), "dim") ||
         node_text_is(r->syntax, node_field(callee, "attribute"),
                      "ndimension")))
      object = node_field(callee, "object");
    else if (node_text_is(r->syntax, callee, "len") &&
             host_kind_of(r, first) == SYN_attribute &&
             node_text_is(r->syntax, node_field(first, "attribute"), "shape"))
      object = node_field(first, "object");
  }
  return node_is(object) && host_as_tensor(r, host_eval(r, object), tensor);
}

static int exact_rank(host_run *r, uint32_t tensor) {
  const host_tensor *t = &r->tensors.at[tensor];
  if (t->slot && !t->clause)
    return host_slot_at(r, t->slot)->rank_exact;
  return t->ranked && !t->folded ? t->rank : 0;
}

/* x.shape == y.shape: one rank, equal extents. */
static bool refine_shapes(host_run *r, uint32_t a, uint32_t b, uint32_t line) {
  int x = exact_rank(r, a), y = exact_rank(r, b);
  if (x && !y)
    host_ask_rank(r, b, x);
  if (y && !x)
    host_ask_rank(r, a, y);
  const host_tensor *s = &r->tensors.at[a], *t = &r->tensors.at[b];
  if (!s->ranked || !t->ranked)
    return false;
  bool alike = s->rank == t->rank && s->folded == t->folded;
  if (!alike || s->folded) {
    expr n = host_ask_numel(r, a), m = host_ask_numel(r, b);
    host_fact(r, expr_compare(r->t, EXPR_EQ, n, m), FACT_HOST, line);
  }
  for (uint8_t d = 0; alike && d < s->rank; d++)
    host_fact(r, expr_compare(r->t, EXPR_EQ, s->extent[d], t->extent[d]),
              FACT_HOST, line);
  return true;
}

/* x.stride() == y.stride(): one rank, equal strides. */
static bool refine_strides(host_run *r, uint32_t a, uint32_t b, uint32_t line) {
  int x = exact_rank(r, a), y = exact_rank(r, b);
  if (x && !y)
    host_ask_rank(r, b, x);
  if (y && !x)
    host_ask_rank(r, a, y);
  host_ask_strides(r, a);
  host_ask_strides(r, b);
  const host_tensor *s = &r->tensors.at[a], *t = &r->tensors.at[b];
  bool alike = host_rank_certain(r, a) && host_rank_certain(r, b) &&
               s->strided && t->strided && s->rank == t->rank;
  for (uint8_t d = 0; alike && d < s->rank; d++)
    host_fact(r, expr_compare(r->t, EXPR_EQ, s->stride[d], t->stride[d]),
              FACT_HOST, line);
  return alike;
}

static void refine_dtype(host_run *r, node left, host_value dtype) {
  uint32_t tensor;
  if (dtype.kind != HOST_DTYPE || dtype.dtype == SC_ANY || !is_certain(r) ||
      host_kind_of(r, left) != SYN_attribute ||
      !node_text_is(r->syntax, node_field(left, "attribute"), "dtype") ||
      !host_as_tensor(r, host_eval(r, node_field(left, "object")), &tensor))
    return;
  const host_tensor *t = &r->tensors.at[tensor];
  if (!t->slot || t->slot != t->stride_slot)
    return;
  host_slot *s = host_slot_at(r, t->slot);
  r->changed = r->changed || s->dtype_stated != dtype.dtype;
  s->dtype_stated = dtype.dtype;
}

static bool refine_equal(host_run *r, node left, node right) {
  host_value a = host_eval(r, left), b = host_eval(r, right);
  uint32_t tensor;
  int64_t rank;
  if (asks_rank(r, left, &tensor) &&
      expr_is_int(r->t, host_as_int(r, b), &rank) && rank > 0 &&
      rank <= TYPE_MAX_RANK) {
    host_ask_rank(r, tensor, (int)rank);
    return true;
  }
  if (a.kind == HOST_SHAPE && b.kind == HOST_SHAPE)
    return refine_shapes(r, a.tensor, b.tensor, host_line(r, left));
  if (a.kind == HOST_STRIDES && b.kind == HOST_STRIDES)
    return refine_strides(r, a.tensor, b.tensor, host_line(r, left));
  if (a.kind == HOST_SHAPE && b.kind == HOST_TUPLE && !b.folded)
    host_ask_rank(r, a.tensor, (int)b.count);
  else if (b.kind == HOST_SHAPE && a.kind == HOST_TUPLE && !a.folded)
    host_ask_rank(r, b.tensor, (int)a.count);
  refine_dtype(r, left, b);
  return false;
}

static bool refine_comparison(host_run *r, node at, bool truth) {
  bool all = true;
  uint32_t pairs = node_count(at) - 1;
  for (uint32_t i = 0; i < pairs; i++) {
    const char *op = node_compare_operator(r->syntax, at, i, r->arena);
    bool equal = strcmp(op, "==") == 0 || strcmp(op, "is") == 0;
    bool unequal = strcmp(op, "!=") == 0 || strcmp(op, "is not") == 0;
    bool holds = equal == truth, told = false;
    node left = node_child(at, i), right = node_child(at, i + 1);
    uint32_t tensor;
    if ((equal || unequal) && (truth || pairs == 1)) {
      if (host_kind_of(r, right) == SYN_none)
        refine_none(r, host_eval(r, left), holds);
      told =
          host_kind_of(r, right) == SYN_none ||
          (holds ? refine_equal(r, left, right) : asks_rank(r, left, &tensor));
    }
    all = all && told;
  }
  return all;
}

bool host_refine(host_run *r, node condition, bool truth) {
  bool lazy = r->lazy, all = false;
  syn kind = host_kind_of(r, condition);
  r->lazy = true;
  if (kind == SYN_comparison_operator)
    all = refine_comparison(r, condition, truth);
  else if (kind == SYN_call && truth)
    refine_call(r, condition);
  else if (kind == SYN_identifier)
    refine_flag(r, host_eval(r, condition), truth);
  r->lazy = lazy;
  return all;
}

/* --------------------------------------------------------------- assuming */

expr host_condition(host_run *r, node condition) {
  bool lazy = r->lazy;
  r->lazy = true;
  expr c = host_truth(r, host_eval(r, condition));
  r->lazy = lazy;
  return c;
}

/* Whether a condition that is not understood may bound what the launch gets:
 * it is none of the usual questions about kinds of things. */
static bool speaks_of_sizes(host_run *r, node condition) {
  static const char *const others[] = {"dtype",         "device",
                                       "is_cuda",       "requires_grad",
                                       "layout",        "isinstance",
                                       "type",          "hasattr",
                                       "callable",      "is_tensor",
                                       "training",      "getattr",
                                       "is_contiguous", "is_floating_point",
                                       "element_size",  "is_available"};
  bool relevant = false;
  if (host_kind_of(r, condition) == SYN_identifier)
    return false; /* a flag */
  for (node n = condition; node_is(n); n = node_walk(condition, n, true)) {
    if (host_kind_of(r, n) == SYN_none)
      return false;
    if (host_kind_of(r, n) != SYN_identifier)
      continue;
    const char *name = host_text(r, n);
    relevant = relevant || host_is_relevant(r, name);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
      if (strcmp(name, others[i]) == 0)
        return false;
  }
  return relevant;
}

static bool is_text(host_value v) {
  bool texts = v.kind == HOST_TUPLE && v.count > 0;
  for (uint32_t i = 0; texts && i < v.count; i++)
    texts = v.items[i].kind == HOST_STRING;
  return texts || v.kind == HOST_STRING || v.kind == HOST_DICT ||
         v.kind == HOST_DTYPE || v.kind == HOST_FLOAT;
}

/* A comparison with a text, a list of texts, a type or a fraction: what is
 * compared is no size. */
static bool compares_texts(host_run *r, node condition) {
  bool lazy = r->lazy, found = false;
  if (host_kind_of(r, condition) != SYN_comparison_operator)
    return false;
  r->lazy = true;
  for (uint32_t i = 0; i < node_count(condition); i++)
    found = found || is_text(host_eval(r, node_child(condition, i)));
  r->lazy = lazy;
  return found;
}

static void assume_parts(host_run *r, node condition, bool truth, int depth) {
  syn kind = host_kind_of(r, condition);
  if (depth > HOST_ITEMS)
    return;
  if (kind == SYN_parenthesized_expression) {
    assume_parts(r, node_child(condition, 0), truth, depth + 1);
    return;
  }
  if (kind == SYN_not_operator) {
    assume_parts(r, node_child(condition, 0), !truth, depth + 1);
    return;
  }
  if (kind == SYN_boolean_operator) {
    bool both =
        strcmp(node_operator(r->syntax, condition, r->arena), "and") == 0;
    if (both == truth) {
      assume_parts(r, node_field(condition, "left"), truth, depth + 1);
      assume_parts(r, node_field(condition, "right"), truth, depth + 1);
      return;
    }
  }
  expr c = host_condition(r, condition);
  host_fact(r, truth ? c : expr_not(r->t, c), FACT_HOST,
            host_line(r, condition));
  bool told = host_refine(r, condition, truth);
  if (c == EXPR_NONE && !told && is_certain(r) && !r->p->unread_line &&
      speaks_of_sizes(r, condition) && !compares_texts(r, condition)) {
    r->p->unread_line = host_line(r, condition);
    host_notice_effect(r, host_span(r, condition),
                       "this condition is not understood",
                       "a counterexample may be one that it excludes");
  }
}

void host_assume(host_run *r, node condition, bool truth) {
  if (!r->reached && node_is(condition))
    assume_parts(r, condition, truth, 0);
}

/* `f() if c else g()` around the launch. */
void host_conditional_facts(host_run *r, node statement) {
  node below = r->launch;
  for (node n = node_parent(below); node_is(n) && !node_same(n, statement);
       below = n, n = node_parent(n)) {
    if (host_kind_of(r, n) == SYN_conditional_expression) {
      if (node_same(below, node_child(n, 0)))
        host_assume(r, node_child(n, 1), true);
      else if (node_same(below, node_child(n, 2)))
        host_assume(r, node_child(n, 1), false);
    }
    /* Names of a comprehension or lambda around it. */
    if (host_kind_of(r, n) == SYN_lambda)
      for (node x = node_field(n, "parameters"); node_is(x);
           x = node_walk(node_field(n, "parameters"), x, true))
        if (host_kind_of(r, x) == SYN_identifier)
          host_bind(r, host_text(r, x), host_unknown());
    if (host_kind_of(r, n) == SYN_list_comprehension ||
        host_kind_of(r, n) == SYN_generator_expression)
      for (node x = n; node_is(x); x = node_walk(n, x, true))
        if (strcmp(syntax_kind_text(x), "for_in_clause") == 0 &&
            host_kind_of(r, node_field(x, "left")) == SYN_identifier)
          host_bind(r, host_text(r, node_field(x, "left")), host_unknown());
  }
}
