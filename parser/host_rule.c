/* parser/host_rule.c: what operators on whole arrays read and write: the rules
 * of operators.def.
 *
 * Sound: a rule counts each element of each tensor operand once, a broadcast
 * one at its own size, and each element of each result that is used once; what
 * it cannot size it refuses. Where shapes have to agree and nobody says that
 * they do, the agreement is listed as an assumption. */
#include "parser/host_record.h"

#include "base/panic.h"

#include <string.h>

/* ------------------------------------------------------------ element types */

static int float_rank(scalar s) {
  return s == SC_F64                   ? 3
         : s == SC_F32                 ? 2
         : s == SC_F16 || s == SC_BF16 ? 1
                                       : 0;
}

static scalar promoted_floats(scalar a, scalar b) {
  if (float_rank(a) == float_rank(b))
    return SC_F32; /* float16 and bfloat16 */
  return float_rank(a) > float_rank(b) ? a : b;
}

/* SC_ANY: nobody knows. */
static scalar promoted(scalar a, scalar b) {
  if (a == b)
    return a;
  if (a == SC_ANY || b == SC_ANY || a == SC_F8E4M3 || b == SC_F8E4M3 ||
      a == SC_F8E5M2 || b == SC_F8E5M2)
    return SC_ANY;
  if (scalar_is_float(a) && scalar_is_float(b))
    return promoted_floats(a, b);
  if (scalar_is_float(a) || scalar_is_float(b))
    return scalar_is_float(a) ? a : b;
  if (a == SC_BOOL || b == SC_BOOL)
    return a == SC_BOOL ? b : a;
  if (scalar_is_signed(a) == scalar_is_signed(b))
    return scalar_bits(a) > scalar_bits(b) ? a : b;
  return SC_ANY;
}

typedef struct element {
  scalar dtype;
  const char *type_of; /* where dtype is SC_ANY */
} element;

static element element_of(const operation *o, uint32_t tensor) {
  const host_tensor *t = &o->r->tensors.at[tensor];
  return (element){t->dtype, t->dtype == SC_ANY ? t->type_of : NULL};
}

static bool same_element(element a, element b) {
  return a.dtype == b.dtype &&
         (a.dtype != SC_ANY ||
          (a.type_of && b.type_of && strcmp(a.type_of, b.type_of) == 0));
}

/* A Python number that is a float makes integers floats. */
static bool float_operand(const operation *o) {
  for (uint32_t i = 0; i < o->call.count; i++)
    if (o->call.args[i].kind == HOST_FLOAT)
      return true;
  return false;
}

static scalar default_float(const operation *o) {
  return o->numpy ? SC_F64 : SC_F32;
}

/* The operands' common type. */
static element common(const operation *o) {
  element e = {SC_ANY, NULL};
  for (uint32_t i = 0; i < o->read_count; i++) {
    element next = element_of(o, o->reads[i]);
    if (i == 0 || same_element(e, next))
      e = next;
    else
      e = (element){promoted(e.dtype, next.dtype), NULL};
  }
  return e;
}

static element result_element(operation *o, unsigned result) {
  element e = common(o);
  bool whole = scalar_is_int(e.dtype);
  if (result == RESULT_TRUTH)
    return (element){SC_BOOL, NULL};
  if (result == RESULT_INDEX)
    return (element){SC_I64, NULL};
  if (result == RESULT_SUM && whole)
    return (element){SC_I64, NULL};
  if (whole && (result == RESULT_FLOATING || float_operand(o)))
    return (element){default_float(o), NULL};
  bool may_differ =
      result == RESULT_FLOATING || result == RESULT_SUM || float_operand(o);
  if (e.dtype == SC_ANY && e.type_of && may_differ)
    record_assumption(o->r, arena_printf(o->r->arena,
                                         "`%s` holds floating-point numbers",
                                         e.type_of));
  return e;
}

/* ------------------------------------------------------------------ results */

static host_value make_result(operation *o, unsigned result, host_tensor t) {
  host_run *r = o->r;
  element e = result_element(o, result);
  host_storage storage = {.fresh = true};
  t.name = "tensor";
  t.base = NULL;
  t.unnamed = true;
  t.spelled = t.parameter = t.assumed = t.strided = t.identical = false;
  t.origin = o->name;
  t.line = host_line(r, o->at);
  t.storage = host_storage_add(r, storage);
  t.contiguous = t.disjoint = t.sized = true;
  t.stride_slot = 0;
  t.clause = NULL;
  t.dtype = e.dtype;
  t.type_of = e.type_of;
  host_value v = host_tensor_value(host_tensor_add(r, t));
  assert(o->write_count < OPERATOR_RESULTS);
  o->writes[o->write_count++] = v.tensor;
  return v;
}

host_value operation_result(operation *o, unsigned result, const expr *extent,
                            uint8_t rank) {
  host_tensor t = {.ranked = true, .rank = rank};
  for (uint8_t d = 0; d < rank; d++)
    t.extent[d] = extent[d];
  return make_result(o, result, t);
}

host_value operation_result_like(operation *o, unsigned result,
                                 uint32_t tensor) {
  host_tensor t = o->r->tensors.at[tensor];
  if (host_rank_certain(o->r, tensor))
    t.slot = 0; /* nothing is left to learn */
  return make_result(o, result, t);
}

/* The number of axes; where only guesses tell, the highest axis asked for is
 * taken for the last one, as an assumption. */
bool operation_rank(operation *o, uint32_t tensor) {
  host_run *r = o->r;
  const host_tensor *t = &r->tensors.at[tensor];
  if (t->ranked && !t->folded && (!t->slot || host_rank_certain(r, tensor)))
    return true;
  if (!t->slot || t->clause)
    return false;
  host_slot *s = host_slot_at(r, t->slot);
  int least = s->axes_front > s->axes_back ? s->axes_front : s->axes_back;
  if (least == 0 || r->speculating)
    return false;
  if (s->rank_exact)
    return false;
  s->rank_assumed = true;
  host_ask_rank(r, tensor, least);
  return false; /* the next run knows */
}

/* ----------------------------------------------------------------- operands */

/* Arrays among the arguments become operands, in order. False: one of them may
 * be an array. */
static bool read_operands(operation *o) {
  host_run *r = o->r;
  const host_call *c = &o->call;
  if (c->open_args || c->open_names)
    return false;
  for (uint32_t i = 0; i < c->count + c->named; i++) {
    bool open;
    uint32_t tensor;
    host_value v = i < c->count ? c->args[i] : c->values[i - c->count];
    const char *name = i < c->count ? "" : c->names[i - c->count];
    host_value settled = host_settle(r, v);
    bool first = i == 0 && settled.kind == HOST_UNKNOWN && settled.slot &&
                 !record_is_number(r, settled);
    if (strcmp(name, "out") == 0 || strcmp(name, "where") == 0) {
      o->why = "`out=` and `where=` are not understood";
      return false;
    }
    if (strcmp(name, "dtype") == 0 || strcmp(name, "device") == 0)
      continue;
    /* The first operand of a function on arrays is one. */
    bool array = first ? host_as_tensor(r, settled, &tensor)
                       : record_tensor(r, v, &tensor, &open);
    if (!first && open) {
      const char *what =
          settled.slot ? host_slot_at(r, settled.slot)->name : NULL;
      o->why = what ? arena_printf(r->arena,
                                   "whether `%s` is a number or a tensor is "
                                   "not known; an annotation would tell",
                                   what)
                    : "an operand is not known";
      return false;
    }
    if (array && o->read_count == OPERATOR_OPERANDS)
      return false;
    if (array)
      operation_read(o, tensor);
  }
  return o->read_count > 0;
}

/* A stated `dtype=`. */
void operation_dtype(operation *o) {
  const host_value *stated = host_keyword(&o->call, "dtype");
  if (!stated || stated->kind == HOST_NONE || o->write_count == 0)
    return;
  host_tensor *t = &o->r->tensors.at[o->writes[0]];
  t->dtype = stated->kind == HOST_DTYPE ? stated->dtype : SC_ANY;
  t->type_of = stated->kind == HOST_DTYPE ? stated->text : NULL;
}

/* ------------------------------------------------------------- broadcasting */

static bool is_one(host_run *r, expr e) {
  int64_t n;
  return expr_is_int(r->t, e, &n) && n == 1;
}

/* Two extents of one axis: equal, or one of them is 1. */
expr operation_broadcast(operation *o, expr a, expr b) {
  host_run *r = o->r;
  if (a == b || is_one(r, b))
    return a;
  if (is_one(r, a))
    return b;
  /* Equal by facts, or an assumption: an extent of 1 would be stretched. */
  expr equal = expr_compare(r->t, EXPR_EQ, a, b);
  for (size_t i = 0; i < r->p->facts.count; i++)
    if (r->p->facts.at[i].condition == equal)
      return a;
  record_assumption(r, arena_printf(r->arena,
                                    "%s == %s (`%s` stretches no "
                                    "axis of 1)",
                                    expr_text(r->t, a, r->arena),
                                    expr_text(r->t, b, r->arena), o->name));
  host_fact(r, equal, FACT_HOST, host_line(r, o->at));
  return a;
}

static bool same_shape(const host_tensor *a, const host_tensor *b) {
  bool same =
      a->ranked && b->ranked && a->rank == b->rank && a->folded == b->folded;
  for (uint8_t d = 0; same && d < a->rank; d++)
    same = a->extent[d] == b->extent[d];
  return same;
}

/* Shapes of which only the number of elements is known: taken for equal. */
static bool assume_same_numel(operation *o, uint32_t a, uint32_t b) {
  host_run *r = o->r;
  expr x = record_elements(r, a), y = record_elements(r, b);
  if (x == EXPR_NONE || y == EXPR_NONE)
    return false;
  record_assumption(r,
                    arena_printf(r->arena, "`%s` and `%s` have one shape",
                                 r->tensors.at[a].name, r->tensors.at[b].name));
  host_fact(r, expr_compare(r->t, EXPR_EQ, x, y), FACT_HOST,
            host_line(r, o->at));
  return true;
}

static bool folded(const operation *o, uint32_t tensor) {
  const host_tensor *t = &o->r->tensors.at[tensor];
  return t->folded || (t->slot && !host_rank_certain(o->r, tensor));
}

/* The shape of all operands broadcast together. */
static bool broadcast(operation *o, unsigned result) {
  host_run *r = o->r;
  host_tensor all = r->tensors.at[o->reads[0]];
  bool equal = true, vague = false;
  for (uint32_t i = 0; i < o->read_count; i++) {
    equal = equal && same_shape(&all, &r->tensors.at[o->reads[i]]);
    vague = vague || folded(o, o->reads[i]);
  }
  if (equal) {
    o->value = operation_result_like(o, result, o->reads[0]);
    return true;
  }
  for (uint32_t i = 1; vague && i < o->read_count; i++)
    if (!folded(o, o->reads[0]) || !folded(o, o->reads[i]) ||
        !assume_same_numel(o, o->reads[0], o->reads[i])) {
      for (uint32_t k = 0; k < o->read_count; k++)
        operation_rank(o, o->reads[k]);
      o->why = "the number of axes of an operand is not known";
      return false;
    }
  if (vague) {
    o->value = operation_result_like(o, result, o->reads[0]);
    return true;
  }
  for (uint32_t i = 1; i < o->read_count; i++) {
    host_tensor t = r->tensors.at[o->reads[i]];
    if (!t.ranked || !all.ranked)
      return false;
    uint8_t rank = t.rank > all.rank ? t.rank : all.rank;
    expr extent[TYPE_MAX_RANK];
    for (int d = 1; d <= rank; d++) {
      expr a = d <= all.rank ? all.extent[all.rank - d] : EXPR_NONE;
      expr b = d <= t.rank ? t.extent[t.rank - d] : EXPR_NONE;
      extent[rank - d] = a == EXPR_NONE   ? b
                         : b == EXPR_NONE ? a
                                          : operation_broadcast(o, a, b);
    }
    all.rank = rank;
    memcpy(all.extent, extent, sizeof extent);
  }
  o->value = operation_result(o, result, all.extent, all.rank);
  return true;
}

/* In place: the first operand takes the result. */
static void store_in_place(operation *o) {
  if (!o->in_place)
    return;
  o->writes[0] = o->reads[0];
  o->value = host_tensor_value(o->reads[0]);
}

bool operator_elementwise(operation *o) {
  if (!read_operands(o) || !broadcast(o, o->result))
    return false;
  operation_dtype(o);
  store_in_place(o);
  return true;
}

/* where(condition, a, b): the type is that of the choices. */
bool operator_choice(operation *o) {
  if (o->call.count != 3 || !read_operands(o) || !broadcast(o, o->result))
    return false;
  host_tensor *t = &o->r->tensors.at[o->writes[0]];
  uint32_t tensor;
  bool open;
  if (!record_tensor(o->r, o->call.args[0], &tensor, &open))
    return false;
  element e = {default_float(o), NULL};
  for (uint32_t i = 1; i < o->read_count; i++)
    e = i == 1 || same_element(e, element_of(o, o->reads[i]))
            ? element_of(o, o->reads[i])
            : (element){promoted(e.dtype, element_of(o, o->reads[i]).dtype),
                        NULL};
  t->dtype = e.dtype;
  t->type_of = e.type_of;
  return true;
}

bool operator_masked_fill(operation *o) {
  if (!read_operands(o) || o->read_count > 2 || !broadcast(o, o->result))
    return false;
  host_tensor *t = &o->r->tensors.at[o->writes[0]];
  element e = element_of(o, o->reads[0]);
  t->dtype = e.dtype;
  t->type_of = e.type_of;
  store_in_place(o);
  return true;
}

/* ------------------------------------------------------------- two results */

/* Whether the function around reads a name anywhere but where it binds it. */
static bool is_read(host_run *r, node target) {
  node root = target;
  const char *name = host_text(r, target);
  for (node n = target; node_is(n); n = node_parent(n)) {
    root = n;
    if (host_kind_of(r, n) == SYN_function_definition)
      break;
  }
  for (node n = root; node_is(n); n = node_walk(root, n, true)) {
    if (host_kind_of(r, n) != SYN_identifier ||
        !node_text_is(r->syntax, n, name))
      continue;
    node parent = node_parent(n), above = node_parent(parent);
    bool bound = node_same(node_field(parent, "left"), n) ||
                 node_same(node_field(above, "left"), parent);
    if (!bound)
      return true;
  }
  return false;
}

/* `[0]`, `.indices`: one of them. */
static bool picked(host_run *r, node at, int64_t *which) {
  node parent = node_parent(at);
  syn kind = host_kind_of(r, parent);
  if (kind == SYN_attribute) {
    const char *name = host_text(r, node_field(parent, "attribute"));
    *which = strcmp(name, "indices") == 0;
    return *which || strcmp(name, "values") == 0;
  }
  if (kind != SYN_subscript || !node_same(node_field(parent, "value"), at) ||
      !expr_is_int(
          r->t, host_as_int(r, host_eval(r, node_field(parent, "subscript"))),
          which))
    return false;
  *which = *which < 0 ? *which + 2 : *which;
  return *which == 0 || *which == 1;
}

host_value operation_pair(operation *o, host_value second) {
  host_run *r = o->r;
  node parent = node_parent(o->at), left = node_field(parent, "left");
  host_value items[] = {host_tensor_value(o->writes[0]), second};
  host_value v = host_tuple(r, items, 2);
  int64_t which;
  v.text = "values indices";
  bool unpacked = host_kind_of(r, parent) == SYN_assignment &&
                  host_kind_of(r, left) == SYN_pattern_list &&
                  node_count(left) == 2;
  if (picked(r, o->at, &which))
    o->results_used[1 - which] = false;
  for (uint32_t i = 0; unpacked && i < 2; i++)
    o->results_used[i] =
        host_kind_of(r, node_child(left, i)) != SYN_identifier ||
        is_read(r, node_child(left, i));
  return v;
}
