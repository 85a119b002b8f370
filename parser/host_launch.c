/* parser/host_launch.c: which kernels a call may launch. */
#include "parser/host_state.h"

#include <string.h>

enum { FOLLOW_DEPTH = 8 }; /* from a name to what it holds */

static void add_kernel(const host *h, const file_function *f, kernel_vec *out) {
  for (size_t i = 0; i < out->count; i++)
    if (out->at[i] == f)
      return;
  VEC_PUSH(h->work, out, f);
}

static void find_kernels(const host *h, node at, int depth, kernel_vec *out);

/* What the function around a name assigns to it. */
static void find_assigned(const host *h, node name, int depth,
                          kernel_vec *out) {
  const char *text = node_text(h->syntax, name, h->work);
  node outer = {.id = NULL};
  for (node n = name; node_is(n); n = node_parent(n))
    if (syntax_kind(h->syntax, n) == SYN_function_definition)
      outer = n;
  node root = node_is(outer) ? outer : syntax_root(h->syntax);
  for (node n = root; node_is(n); n = node_walk(root, n, true))
    if (syntax_kind(h->syntax, n) == SYN_assignment &&
        syntax_kind(h->syntax, node_field(n, "left")) == SYN_identifier &&
        node_text_is(h->syntax, node_field(n, "left"), text))
      find_kernels(h, node_field(n, "right"), depth + 1, out);
}

/* The kernels that an expression may stand for: a kernel's name, a local that
 * holds one, `kernel.warmup(...)`, one of two. */
static void find_kernels(const host *h, node at, int depth, kernel_vec *out) {
  syn kind = syntax_kind(h->syntax, at);
  if (depth > FOLLOW_DEPTH)
    return;
  if (kind == SYN_identifier) {
    const file_function *f =
        names_function(h->names, node_text(h->syntax, at, h->work));
    if (f && f->jit)
      add_kernel(h, f, out);
    else
      find_assigned(h, at, depth, out);
  } else if (kind == SYN_parenthesized_expression) {
    find_kernels(h, node_child(at, 0), depth + 1, out);
  } else if (kind == SYN_conditional_expression) {
    find_kernels(h, node_child(at, 0), depth + 1, out);
    find_kernels(h, node_child(at, 2), depth + 1, out);
  } else if (kind == SYN_call) {
    node callee = node_field(at, "function");
    if (syntax_kind(h->syntax, callee) == SYN_attribute &&
        node_text_is(h->syntax, node_field(callee, "attribute"), "warmup"))
      find_kernels(h, node_field(callee, "object"), depth + 1, out);
  }
}

kernel_vec host_launched_kernels(const host *h, node call) {
  kernel_vec all = {0};
  node callee = node_field(call, "function");
  if (syntax_kind(h->syntax, call) == SYN_call &&
      syntax_kind(h->syntax, callee) == SYN_subscript)
    find_kernels(h, node_field(callee, "value"), 0, &all);
  return all;
}

const file_function *host_launched(const host *h, node call) {
  kernel_vec all = host_launched_kernels(h, call);
  return all.count == 1 ? all.at[0] : NULL;
}
