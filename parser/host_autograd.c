/* parser/host_autograd.c: the backward method of a torch.autograd.Function.
 *
 * It runs after the forward method of its class: `ctx` holds what that stored,
 * what forward asserted holds, and each gradient has the shape of the output
 * that it belongs to. Nothing of this is used where forward may end in several
 * ways. */
#include "parser/host_state.h"

#include <string.h>

/* ------------------------------------------------------------- the class */

static node class_around(const host_run *r, node method) {
  for (node n = node_parent(method); node_is(n); n = node_parent(n))
    if (host_kind_of(r, n) == SYN_class_definition)
      return n;
  return (node){.id = NULL};
}

static bool is_autograd(host_run *r, node class_) {
  node bases = node_field(class_, "superclasses");
  for (node n = node_child(bases, 0); node_is(n); n = node_next(n)) {
    const char *full = names_qualified(r->names, n);
    if (full && strcmp(full, "torch.autograd.Function") == 0)
      return true;
  }
  return false;
}

/* A method of the class; no node: it has none of that name, or several. */
static node method_of(host_run *r, node class_, const char *name) {
  node found = {.id = NULL};
  node body = node_field(class_, "body");
  for (node n = node_child(body, 0); node_is(n); n = node_next(n)) {
    node f = host_kind_of(r, n) == SYN_decorated_definition
                 ? node_field(n, "definition")
                 : n;
    if (host_kind_of(r, f) != SYN_function_definition ||
        !node_text_is(r->syntax, node_field(f, "name"), name))
      continue;
    if (node_is(found))
      return (node){.id = NULL};
    found = f;
  }
  return found;
}

static const char *first_parameter(host_run *r, node function) {
  node n = node_child(node_field(function, "parameters"), 0);
  if (host_kind_of(r, n) == SYN_typed_parameter)
    n = node_child(n, 0);
  return host_kind_of(r, n) == SYN_identifier ? host_text(r, n) : NULL;
}

static bool mentions(host_run *r, node root, const char *name) {
  for (node n = root; node_is(n); n = node_walk(root, n, true))
    if (host_kind_of(r, n) == SYN_identifier &&
        node_text_is(r->syntax, n, name))
      return true;
  return false;
}

/* --------------------------------------------------------------- forward */

/* Executes forward; false: it may end in several ways. */
static bool run_forward(host_run *r, node forward, host_frame **frame,
                        host_value *result) {
  size_t guards = r->guards.count;
  host_frame *f = host_frame_of(r, forward, NULL);
  f->inlined = true;
  r->frame = f;
  host_parameters(r, forward);
  host_flow flow = host_block(r, node_field(forward, "body"));
  r->guards.count = guards;
  r->frame = NULL;
  *frame = f;
  if (flow != HOST_RETURN || f->returns.count != 1 || !f->returns.at[0].always)
    return false;
  *result = f->returns.at[0].value;
  return true;
}

/* Anybody may have written to tensors in between. */
static void touch_everything(host_run *r) {
  for (size_t i = 0; i < r->tensors.count; i++)
    host_touch(r, (uint32_t)i, false);
}

/* -------------------------------------------------------------- backward */

/* `ctx.x` of forward is `ctx.x` of backward. */
static void hand_over(host_run *r, const host_frame *forward, const char *from,
                      const char *to) {
  size_t n = strlen(from);
  for (size_t i = 0; i < forward->env.count; i++) {
    const host_binding *b = &forward->env.at[i];
    if (strncmp(b->name, from, n) == 0 && b->name[n] == '.')
      host_bind(r, arena_printf(r->arena, "%s%s", to, b->name + n), b->value);
  }
}

/* A gradient: shape and element type are those of the output, the strides are
 * the caller's. Sound: autograd refuses a gradient of another shape, and makes
 * one of zeros where there is none. */
static void bind_gradient(host_run *r, node parameter, host_value output) {
  const char *name = host_text(r, parameter);
  host_value v = host_open(r, parameter, 0, name);
  if (output.kind != HOST_TENSOR || !v.slot ||
      !r->tensors.at[output.tensor].ranked)
    return;
  host_slot *s = host_slot_at(r, v.slot);
  bool free_strides = s->strides_asked && !s->contiguous_stated;
  host_tensor t = r->tensors.at[output.tensor];
  t.name = name;
  t.base = NULL;
  t.origin = "parameter";
  t.line = host_line(r, parameter);
  t.storage = host_storage_add(r, (host_storage){.fresh = false});
  t.start = EXPR_NONE;
  t.stride_slot = v.slot;
  t.unnamed = t.spelled = t.adrift = t.anywhere = t.strided = false;
  t.parameter = t.sized = t.identical = true;
  t.contiguous = t.disjoint = !free_strides;
  t.assumed = !free_strides && !s->contiguous_stated;
  t.clause = NULL;
  uint32_t tensor = host_tensor_add(r, t);
  s->tensor = tensor + 1;
  s->tensor_used = s->not_none = true;
  host_bind(r, name, host_tensor_value(tensor));
}

static void bind_gradients(host_run *r, node backward, host_value result) {
  const host_value *outputs = &result;
  uint32_t count = 1, i = 0;
  if (result.kind == HOST_TUPLE) {
    if (result.folded)
      return;
    outputs = result.items;
    count = result.count;
  }
  node n = node_child(node_field(backward, "parameters"), 0);
  for (n = node_next(n); node_is(n) && i < count; n = node_next(n), i++) {
    if (host_kind_of(r, n) != SYN_identifier)
      return;
    bind_gradient(r, n, outputs[i]);
  }
}

bool host_backward(host_run *r, node definition) {
  node class_ = class_around(r, definition);
  if (!node_is(class_) ||
      !node_text_is(r->syntax, node_field(definition, "name"), "backward") ||
      !is_autograd(r, class_) || mentions(r, class_, "setup_context"))
    return false;
  node forward = method_of(r, class_, "forward");
  const char *from = node_is(forward) ? first_parameter(r, forward) : NULL;
  const char *to = first_parameter(r, definition);
  host_frame *frame;
  host_value result;
  size_t facts = r->p->facts.count;
  if (!from || !to)
    return false;
  if (!run_forward(r, forward, &frame, &result)) {
    r->p->facts.count = facts;
    return false;
  }
  touch_everything(r);
  r->frame = host_frame_of(r, definition, NULL);
  host_parameters(r, definition);
  hand_over(r, frame, from, to);
  if (!mentions(r, forward, "set_materialize_grads"))
    bind_gradients(r, definition, result);
  return true;
}

/* Methods of the context that do not change what it holds otherwise. */
bool host_context_method(host_run *r, node object, const char *method,
                         const host_call *c, host_value *out) {
  static const char *const others[] = {"mark_non_differentiable", "mark_dirty",
                                       "set_materialize_grads"};
  bool save = strcmp(method, "save_for_backward") == 0, other = false;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    other = other || strcmp(method, others[i]) == 0;
  if ((!save && !other) || host_kind_of(r, object) != SYN_identifier)
    return false;
  *out = host_none();
  if (save)
    host_bind(r,
              arena_printf(r->arena, "%s.saved_tensors", host_text(r, object)),
              c->open_args ? host_unknown() : host_tuple(r, c->args, c->count));
  return true;
}
