/* parser/host_own.c: allocations that nothing else can be a view of.
 *
 * Code that is not understood may keep a tensor it was given, or make a view of
 * it. What can surely not have happened to an allocation is read from the text:
 * its name stands only where nobody can get hold of the tensor. */
#include "parser/host_state.h"

#include <string.h>

static bool is_one_of(const char *text, const char *const *list, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (strcmp(text, list[i]) == 0)
      return true;
  return false;
}

#define AMONG(text, ...)                                                       \
  is_one_of(text, (const char *const[]){__VA_ARGS__},                          \
            sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

static bool is_field(node n, node parent, const char *field) {
  return node_same(node_field(parent, field), n);
}

/* x.shape, x.stride(0): numbers and flags. */
static bool asks_number(host_run *r, node n, node parent) {
  return is_field(n, parent, "object") &&
         AMONG(host_text(r, node_field(parent, "attribute")), "shape", "stride",
               "size", "numel", "dtype", "device", "ndim", "dim", "nbytes",
               "element_size", "itemsize", "is_contiguous", "is_cuda");
}

/* An argument of a launch, or of an allocation in its likeness. */
static bool is_harmless_call(host_run *r, node call) {
  node f = node_field(call, "function");
  if (host_kind_of(r, f) == SYN_subscript)
    return host_kind_of(r, node_parent(call)) == SYN_expression_statement;
  const char *text = host_text(r, f);
  for (node n = node_child(node_field(call, "arguments"), 0); node_is(n);
       n = node_next(n))
    if (host_kind_of(r, n) == SYN_keyword_argument &&
        strcmp(host_text(r, node_field(n, "name")), "out") == 0)
      return false;
  return AMONG(text, "torch.empty_like", "torch.zeros_like", "torch.ones_like",
               "torch.rand_like", "torch.randn_like");
}

static bool is_harmless(host_run *r, node n) {
  node p = node_parent(n);
  switch ((int)host_kind_of(r, p)) {
  case SYN_assignment:
    return is_field(n, p, "left") &&
           host_kind_of(r, node_parent(p)) != SYN_assignment &&
           host_kind_of(r, node_field(p, "right")) != SYN_assignment;
  case SYN_attribute:
    return asks_number(r, n, p);
  case SYN_keyword_argument:
    return is_field(n, p, "name") ||
           is_harmless_call(r, node_parent(node_parent(p)));
  case SYN_argument_list:
    return is_harmless_call(r, node_parent(p));
  case SYN_expression_list:
  case SYN_tuple:
    return host_kind_of(r, node_parent(p)) == SYN_return_statement;
  case SYN_parameters:
  case SYN_default_parameter:
  case SYN_typed_parameter:
  case SYN_typed_default_parameter:
  case SYN_pattern_list:
  case SYN_return_statement:
  case SYN_comparison_operator:
    return true;
  default:
    return false;
  }
}

static bool is_loop(syn kind) {
  return kind == SYN_for_statement || kind == SYN_while_statement ||
         kind == SYN_list_comprehension || kind == SYN_generator_expression;
}

/* Sound: what stands behind a launch that no loop repeats happens after it. A
 * name in any other place may hand the tensor on; code that reads
 * variables by their text may too. */
bool host_is_apart(host_run *r, const host_tensor *t) {
  node root = r->launch;
  bool repeats = false;
  for (node n = root; node_is(n); n = node_parent(n)) {
    repeats = repeats || is_loop(host_kind_of(r, n));
    if (host_kind_of(r, n) == SYN_function_definition)
      root = n;
  }
  if (!node_is(r->launch) || node_same(root, r->launch))
    return false;
  for (node n = root; node_is(n); n = node_walk(root, n, true)) {
    bool later = !repeats && node_start(n) > node_end(r->launch);
    if (host_kind_of(r, n) != SYN_identifier || later)
      continue;
    const char *text = host_text(r, n);
    if (AMONG(text, "locals", "globals", "vars", "eval", "exec") ||
        (strcmp(text, t->name) == 0 && !is_harmless(r, n)))
      return false;
  }
  return true;
}
