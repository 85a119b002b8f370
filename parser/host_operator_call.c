/* parser/host_operator_call.c: calls of a recorded run: operators by their
 * names, launches, and what nobody knows. */
#include "parser/host_record.h"

#include "base/map.h"

#include <string.h>

enum { TORCH = 1, NUMPY = 2, METHOD = 4 };

typedef struct operator_row {
  const char *name;
  unsigned where;
  operator_rule *rule;
  unsigned result;
} operator_row;

static const operator_row operator_rows[] = {
#define SAME     RESULT_SAME
#define FLOATING RESULT_FLOATING
#define SUM      RESULT_SUM
#define TRUTH    RESULT_TRUTH
#define INDEX    RESULT_INDEX
#define OPERATOR(name, where, rule, result)                                    \
  {name, where, operator_##rule, result},
#include "parser/operators.def"
#undef OPERATOR
};

static const operator_row *find_row(const char *name, size_t length,
                                    unsigned where) {
  for (size_t i = 0; i < sizeof operator_rows / sizeof *operator_rows; i++)
    if (strlen(operator_rows[i].name) == length &&
        memcmp(operator_rows[i].name, name, length) == 0 &&
        (operator_rows[i].where & where))
      return &operator_rows[i];
  return NULL;
}

/* -------------------------------------------------------------------- calls */

/* Parts of torch that move no arrays. */
static bool is_quiet(const char *full) {
  static const char *const roots[] = {"torch.cuda.", "torch.backends.",
                                      "torch.version.", "torch._dynamo."};
  for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
    if (strncmp(full, roots[i], strlen(roots[i])) == 0)
      return true;
  return false;
}

static const operator_row *function_row(const char *full, unsigned *where) {
  static const struct {
    const char *root;
    unsigned where;
  } roots[] = {{"torch.nn.functional.", TORCH},
               {"torch.special.", TORCH},
               {"torch.", TORCH},
               {"numpy.", NUMPY},
               {"np.", NUMPY}};
  for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) {
    size_t n = strlen(roots[i].root);
    if (strncmp(full, roots[i].root, n) != 0)
      continue;
    *where = roots[i].where;
    const char *name = full + n;
    size_t length = strlen(name);
    if (length > 1 && name[length - 1] == '_' && find_row(name, length, *where))
      length--;
    return find_row(name, length, *where);
  }
  *where = 0;
  return NULL;
}

/* A method's object becomes its first operand. */
static void add_object(host_run *r, host_call *c, host_value self) {
  uint32_t n = c->folded ? c->all_count : c->count;
  host_value *args = ARENA_ARRAY(r->arena, host_value, n + 1);
  args[0] = self;
  for (uint32_t i = 0; i < n; i++)
    args[i + 1] = c->args[i];
  c->args = args;
  c->count++;
  c->all_count++;
}

static bool call_of_row(host_run *r, node at, const operator_row *row,
                        host_call c, bool numpy, bool in_place,
                        host_value *out) {
  operation o = {.r = r,
                 .at = at,
                 .name = row->name,
                 .result = row->result,
                 .call = c,
                 .numpy = numpy,
                 .in_place = in_place};
  *out = operation_run(&o, row->rule);
  return true;
}

static bool function_call(host_run *r, node at, const char *full,
                          host_value *out) {
  unsigned where;
  const operator_row *row = function_row(full, &where);
  if (row && row->rule == operator_nothing)
    return false;
  if (row)
    return call_of_row(r, at, row, host_read_call(r, at), where == NUMPY,
                       full[strlen(full) - 1] == '_', out);
  if (where && !is_quiet(full) && host_dtype_named(full) == SC_NONE)
    record_open(r, at, full,
                arena_printf(r->arena, "`%s` is not understood", full));
  return false;
}

static bool file_is_numpy(host_run *r) {
  const file_names *names = r->host->names;
  bool torch = false, numpy = false;
  for (size_t i = 0; i < names->imports.count; i++) {
    torch = torch || strncmp(names->imports.at[i].full, "torch", 5) == 0;
    numpy = numpy || strncmp(names->imports.at[i].full, "numpy", 5) == 0;
  }
  return numpy && !torch;
}

/* Numbers and lists have none of these methods. */
static bool tells_array(const char *name) {
  return strcmp(name, "copy") != 0 && strcmp(name, "sort") != 0 &&
         strcmp(name, "type") != 0 && strcmp(name, "all") != 0;
}

static bool method_call(host_run *r, node at, host_value *out) {
  node callee = node_field(at, "function");
  const char *name = host_text(r, node_field(callee, "attribute"));
  size_t length = strlen(name);
  const operator_row *row = find_row(name, length, METHOD);
  bool in_place = !row && length > 1 && name[length - 1] == '_';
  if (in_place)
    row = find_row(name, length - 1, METHOD);
  if (row && row->rule == operator_nothing)
    return false;
  size_t mark = record_mark(r);
  host_value self = host_settle(r, host_eval(r, node_field(callee, "object")));
  uint32_t tensor;
  bool open, array = record_tensor(r, self, &tensor, &open);
  if (!array && open && row && self.slot && tells_array(name) &&
      host_slot_at(r, self.slot)->parameter)
    array = host_as_tensor(r, self, &tensor);
  if (!array) {
    record_rewind(r, mark);
    return false;
  }
  if (!row) {
    record_rewind(r, mark);
    record_open(r, at, name,
                arena_printf(r->arena, "`.%s()` is not understood", name));
    return false;
  }
  host_call c = host_read_call(r, at);
  add_object(r, &c, host_tensor_value(tensor));
  return call_of_row(r, at, row, c, file_is_numpy(r), in_place, out);
}

/* Methods of the context of an autograd function: they keep references. */
static bool keeps_only(host_run *r, node call) {
  static const char *const names[] = {"save_for_backward", "mark_dirty",
                                      "mark_non_differentiable",
                                      "set_materialize_grads"};
  node callee = node_field(call, "function");
  if (host_kind_of(r, callee) != SYN_attribute)
    return false;
  const char *name = host_text(r, node_field(callee, "attribute"));
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0)
      return true;
  return false;
}

void host_record_unknown_call(host_run *r, node call) {
  const char *text = host_text(r, node_field(call, "function"));
  if (host_launched(r->host, call) || keeps_only(r, call))
    return;
  recorded step = {
      .step = {
          .kind = STEP_OPEN,
          .name = text,
          .vague = true,
          .why = arena_printf(r->arena, "nobody knows what `%s` does", text)}};
  record_step(r, call, step);
}

/* What a kernel takes as a pointer is a tensor, and so on. */
static void learn_arguments(host_run *r, const file_function *kernel,
                            const host_call *c) {
  param_guess_vec guesses =
      params_guess(r->host->names->arena, r->host->names, kernel);
  for (uint32_t i = 0; i < guesses.count; i++) {
    const host_value *v = host_argument_at(c, i, guesses.at[i].name);
    uint32_t tensor;
    if (!v)
      continue;
    host_value settled = host_settle(r, *v);
    if (guesses.at[i].kind == PARAM_POINTER && settled.slot &&
        settled.kind == HOST_UNKNOWN &&
        host_slot_at(r, settled.slot)->parameter)
      host_as_tensor(r, settled, &tensor);
    else if (guesses.at[i].kind != PARAM_POINTER &&
             guesses.at[i].kind != PARAM_OPAQUE)
      record_number(r, settled);
  }
}

static bool launch(host_run *r, node at, const file_function *kernel,
                   host_value *out) {
  host_call c = host_read_call(r, at);
  learn_arguments(r, kernel, &c);
  recorded step = {.step = {.kind = STEP_LAUNCH, .name = kernel->name}};
  if (r->calls > 0)
    record_meanings(r, at, &step.step);
  record_step(r, at, step);
  for (uint32_t i = 0; i < c.count; i++) {
    host_value v = host_settle(r, c.args[i]);
    if (v.kind == HOST_TENSOR)
      r->storages.at[r->tensors.at[v.tensor].storage].touched = true;
  }
  *out = host_open(r, at, 0, NULL);
  return true;
}

/* Whether a value holds an array or may hold one; *slot: it is open and only
 * that stands against its being a number. */
static bool holds_array(host_run *r, host_value v, uint32_t *slot) {
  const host_value *items;
  uint32_t count, tensor;
  bool open;
  v = host_settle(r, v);
  *slot = v.kind == HOST_UNKNOWN ? v.slot : 0;
  if (v.kind != HOST_TUPLE)
    return record_tensor(r, v, &tensor, &open) || open;
  if (!host_items(r, v, &items, &count))
    return true;
  for (uint32_t i = 0; i < count; i++)
    if (record_tensor(r, items[i], &tensor, &open) || open)
      return true;
  return false;
}

/* Python's own functions that compute with what they are given. */
static void builtin_call(host_run *r, node at, const char *full) {
  static const char *const names[] = {"abs",   "sum",    "max", "min",
                                      "pow",   "sorted", "any", "all",
                                      "round", "divmod"};
  bool computes = false;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    computes = computes || strcmp(full, names[i]) == 0;
  if (!computes)
    return;
  host_call c = host_read_call(r, at);
  uint32_t arrays = c.open_args, doubt = 0, slot;
  for (uint32_t i = 0; i < c.count; i++)
    if (holds_array(r, c.args[i], &slot)) {
      arrays++;
      doubt = slot;
    }
  if (arrays == 0)
    return;
  recorded step = {.doubt = arrays == 1 ? doubt : 0,
                   .step = {.kind = STEP_OPEN,
                            .name = full,
                            .vague = true,
                            .why = arena_printf(r->arena,
                                                "what `%s` computes with may "
                                                "be arrays",
                                                full)}};
  record_step(r, at, step);
}

bool operation_call(host_run *r, node at, host_value *out) {
  node callee = node_field(at, "function");
  const file_function *kernel = host_launched(r->host, at);
  if (kernel)
    return launch(r, at, kernel, out);
  const char *full = host_qualified(r, callee);
  if (full && (strncmp(full, "torch.", 6) == 0 ||
               strncmp(full, "numpy.", 6) == 0 || strncmp(full, "np.", 3) == 0))
    return function_call(r, at, full, out);
  if (full && !strchr(full, '.') && !names_function(r->host->names, full))
    builtin_call(r, at, full);
  if (full && strncmp(full, "triton.", 7) == 0) {
    host_call c = host_read_call(r, at);
    for (uint32_t i = 0; i < c.count; i++)
      record_number(r, c.args[i]);
    return false;
  }
  if (full && strcmp(full, "range") == 0) {
    host_call c = host_read_call(r, at);
    for (uint32_t i = 0; i < c.count; i++)
      record_number(r, c.args[i]);
    return false;
  }
  if (host_kind_of(r, callee) == SYN_attribute &&
      !(full && strncmp(full, "math.", 5) == 0))
    return method_call(r, at, out);
  return false;
}
