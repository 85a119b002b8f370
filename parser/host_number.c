/* parser/host_number.c: numbers: functions of Python, math and triton, and
 * numbers of the machine that only their range is known of. */
#include "parser/host_state.h"

#include "base/panic.h"

#include <math.h>
#include <string.h>

/* ------------------------------------------------- numbers of the machine */

enum { MULTIPROCESSORS = 65535 }; /* at most, of one device */

host_value host_natural(host_run *r, node at, const char *name, int64_t most) {
  for (size_t i = 0; i < r->naturals.count; i++)
    if (strcmp(r->naturals.at[i].name, name) == 0)
      return host_int(r->naturals.at[i].number);
  symbol s = {.role = SYMBOL_INT, .unbounded = true, .line = host_line(r, at)};
  host_natural_number n = {name, host_symbol(r, name, s), most};
  VEC_PUSH(r->arena, &r->naturals, n);
  return host_int(n.number);
}

bool host_device_property(host_run *r, node at, const char *name,
                          host_value *out) {
  static const struct {
    const char *name;
    int64_t most; /* 0: nobody knows */
  } rows[] = {{"multi_processor_count", MULTIPROCESSORS},
              {"multiprocessor_count", MULTIPROCESSORS},
              {"gpu_subslice_count", MULTIPROCESSORS},
              {"max_num_regs", 0},
              {"max_shared_mem", 0},
              {"shared_memory_per_block_optin", 0},
              {"max_threads_per_sm", 0},
              {"max_threads_per_multi_processor", 0},
              {"regs_per_multiprocessor", 0},
              {"warpSize", 0},
              {"warp_size", 0}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (strcmp(rows[i].name, name) == 0) {
      *out = host_natural(r, at, name, rows[i].most);
      return true;
    }
  return false;
}

/* -------------------------------------------------------------- functions */

/* Some operand is unknown: the result is bounded by the others. */
static host_value open_extremum(host_run *r, const host_call *c,
                                const host_value *items, uint32_t count,
                                bool least) {
  host_value v = host_open(r, c->at, 0, NULL);
  expr e = host_as_int(r, v);
  for (uint32_t i = 0; i < count && e != EXPR_NONE; i++) {
    expr one = host_as_int(r, items[i]);
    expr low = least ? e : one, high = least ? one : e;
    host_fact(r, expr_compare(r->t, EXPR_LE, low, high), FACT_HOST,
              host_line(r, c->at));
  }
  return v;
}

static host_value extremum(host_run *r, const host_call *c, bool least) {
  const host_value *items = c->args;
  uint32_t count = c->count;
  if (c->named || c->open_args ||
      (count == 1 && !host_items(r, c->args[0], &items, &count)) || count == 0)
    return host_open(r, c->at, 0, NULL);
  expr e = host_as_int(r, items[0]);
  for (uint32_t i = 1; i < count; i++) {
    expr next = host_as_int(r, items[i]);
    e = least ? expr_min(r->t, e, next) : expr_max(r->t, e, next);
  }
  return e == EXPR_NONE ? open_extremum(r, c, items, count, least)
                        : host_int(e);
}

static host_value result_int(host_run *r, const host_call *c, expr e) {
  return e == EXPR_NONE ? host_open(r, c->at, 0, NULL) : host_int(e);
}

static host_value absolute(host_run *r, const host_call *c) {
  expr e = c->count == 1 ? host_as_int(r, c->args[0]) : EXPR_NONE;
  if (host_nonnegative(r, e))
    return host_int(e);
  expr negative = expr_sub(r->t, expr_int(r->t, 0), e);
  return result_int(r, c, expr_max(r->t, e, negative));
}

/* Bits of |e|, 64 for 2^63 and above or unknown. Sound: each case bounds its
 * operation from those of the operands. */
static unsigned bits_of(host_run *r, expr e, int depth);

static unsigned stated_bits(host_run *r, expr e) {
  unsigned least = 64;
  for (size_t i = 0; i < r->p->facts.count; i++) {
    expr part[3], c = r->p->facts.at[i].condition;
    int64_t n;
    if (expr_kind_of(r->t, c) == EXPR_LE && expr_operands(r->t, c, part) == 2 &&
        part[0] == e && expr_is_int(r->t, part[1], &n) && n > 0 &&
        host_nonnegative(r, e)) {
      unsigned bits = bits_of(r, part[1], 1);
      least = bits < least ? bits : least;
    }
  }
  return least;
}

static unsigned symbol_bits(host_run *r, expr e) {
  const symbol *s = expr_symbol(r->t, e, NULL);
  bool limited = s->role == SYMBOL_SIZE;
  for (size_t i = 0; i < r->limited.count; i++)
    limited = limited || r->limited.at[i] == e;
  return limited ? bits_of(r, expr_int(r->t, r->max_numel), 1)
                 : stated_bits(r, e);
}

static unsigned bits_of(host_run *r, expr e, int depth) {
  int64_t n;
  expr part[3];
  unsigned b[3] = {64, 64, 64};
  if (e == EXPR_NONE || depth > 20)
    return 64;
  if (expr_is_int(r->t, e, &n)) {
    unsigned bits = 1;
    for (uint64_t m = n < 0 ? -(uint64_t)n : (uint64_t)n; m > 1; m /= 2)
      bits++;
    return bits;
  }
  expr_kind kind = expr_kind_of(r->t, e);
  if (kind == EXPR_SYMBOL)
    return symbol_bits(r, e);
  for (size_t i = expr_operands(r->t, e, part); i-- > 0;)
    b[i] = bits_of(r, part[i], depth + 1);
  unsigned most = b[0] > b[1] ? b[0] : b[1];
  unsigned sum = 64;
  if (kind == EXPR_ADD || kind == EXPR_SUB || kind == EXPR_MIN ||
      kind == EXPR_MAX)
    sum = most + 1;
  else if (kind == EXPR_MUL)
    sum = b[0] + b[1];
  else if (kind == EXPR_FDIV || kind == EXPR_CDIV || kind == EXPR_POW2CEIL)
    sum = b[0] + 1;
  else if (kind == EXPR_FMOD)
    sum = b[1];
  else if (kind == EXPR_SELECT)
    sum = b[1] > b[2] ? b[1] : b[2];
  unsigned stated = sum > 53 ? stated_bits(r, e) : 64;
  return sum < stated ? sum : stated;
}

/* Whether ceil(a / b) and floor(a / b) are what the integers say. Sound: Python
 * rounds the quotient to the nearest double. With |a| < 2^53 and b >= 1 one
 * that is no integer differs from the next integer k by 1 / b at least, which
 * is more than half the distance between doubles around k, since k * b < 2^53
 * or k is 1.
 */
static bool exact_quotient(host_run *r, host_value v) {
  return v.dividend != EXPR_NONE && host_nonnegative(r, v.divisor) &&
         bits_of(r, v.dividend, 0) < 53;
}

/* int(x): toward zero; of a quotient of numbers >= 0 that is //. */
static host_value to_int(host_run *r, const host_call *c) {
  if (c->count != 1)
    return host_open(r, c->at, 0, NULL);
  host_value v = c->args[0];
  if (v.kind == HOST_FLOAT && v.has_real && fabs(v.real) < 1e15)
    return host_int(expr_int(r->t, (int64_t)v.real));
  if (v.kind == HOST_FLOAT && host_nonnegative(r, v.dividend) &&
      exact_quotient(r, v))
    return result_int(r, c, expr_fdiv(r->t, v.dividend, v.divisor));
  if (v.kind == HOST_FLOAT)
    return host_open(r, c->at, 0, NULL);
  return result_int(r, c, host_as_int(r, v));
}

static host_value rounded(host_run *r, const host_call *c, bool up) {
  if (c->count != 1)
    return host_open(r, c->at, 0, NULL);
  host_value v = c->args[0];
  if (v.kind != HOST_FLOAT)
    return result_int(r, c, host_as_int(r, v));
  if (v.has_real && fabs(v.real) < 1e15)
    return host_int(
        expr_int(r->t, (int64_t)(up ? ceil(v.real) : floor(v.real))));
  if (!exact_quotient(r, v))
    return host_open(r, c->at, 0, NULL);
  return result_int(r, c,
                    up ? expr_cdiv(r->t, v.dividend, v.divisor)
                       : expr_fdiv(r->t, v.dividend, v.divisor));
}

static host_value length(host_run *r, const host_call *c) {
  const host_value *items;
  uint32_t count, tensor;
  if (c->count != 1)
    return host_open(r, c->at, 0, NULL);
  host_value v = c->args[0];
  if (v.kind == HOST_SHAPE || v.kind == HOST_STRIDES) {
    return host_rank_certain(r, v.tensor)
               ? host_int(expr_int(r->t, r->tensors.at[v.tensor].rank))
               : host_open(r, c->at, 0, NULL);
  }
  if (host_folded(r, v))
    return host_open(r, c->at, 0, NULL);
  if (host_items(r, v, &items, &count))
    return host_int(expr_int(r->t, count));
  if (v.kind == HOST_DICT)
    return host_int(expr_int(r->t, v.count));
  if (v.kind == HOST_TENSOR && host_as_tensor(r, v, &tensor)) {
    host_ask_axis(r, tensor, 0);
    const host_tensor *t = &r->tensors.at[tensor];
    if (t->ranked && t->rank > 0 && t->folded != 1)
      return host_int(t->extent[0]);
  }
  return host_open(r, c->at, 0, NULL);
}

static host_value product(host_run *r, const host_call *c) {
  const host_value *items;
  uint32_t count;
  if (c->count != 1)
    return host_open(r, c->at, 0, NULL);
  if (c->args[0].kind == HOST_SHAPE)
    return result_int(r, c, host_ask_numel(r, c->args[0].tensor));
  if (!host_items(r, c->args[0], &items, &count))
    return host_open(r, c->at, 0, NULL);
  expr e = expr_int(r->t, 1);
  for (uint32_t i = 0; i < count; i++)
    e = expr_mul(r->t, e, host_as_int(r, items[i]));
  return result_int(r, c, e);
}

static host_value as_bool(host_run *r, const host_call *c) {
  host_value v =
      host_bool(c->count == 1 ? host_truth(r, c->args[0]) : EXPR_NONE);
  v.murky =
      v.number == EXPR_NONE && (c->count != 1 || host_is_murky(r, c->args[0]));
  return v;
}

static host_value as_float(host_run *r, const host_call *c) {
  host_value v = {.kind = HOST_FLOAT};
  int64_t n;
  if (c->count == 1 && c->args[0].kind == HOST_FLOAT)
    return c->args[0];
  if (c->count == 1 && expr_is_int(r->t, host_as_int(r, c->args[0]), &n)) {
    v.has_real = true;
    v.real = (double)n;
  }
  return v;
}

static host_value cdiv(host_run *r, const host_call *c) {
  const host_value *a = host_argument_at(c, 0, "x");
  const host_value *b = host_argument_at(c, 1, "y");
  if (!a || !b)
    return host_open(r, c->at, 0, NULL);
  return result_int(r, c,
                    expr_cdiv(r->t, host_as_int(r, *a), host_as_int(r, *b)));
}

static host_value next_power_of_2(host_run *r, const host_call *c) {
  const host_value *a = host_argument_at(c, 0, "n");
  if (!a)
    return host_open(r, c->at, 0, NULL);
  return result_int(r, c, expr_pow2ceil(r->t, host_as_int(r, *a)));
}

/* filter(f, configurations): some of them. */
static host_value filtered(host_run *r, const host_call *c) {
  if (c->count > 0 && c->args[0].kind == HOST_FUNCTION)
    host_forget_function(r, c->args[0]);
  if (c->count != 2 || c->open_args)
    return host_open(r, c->at, 0, NULL);
  host_value v = host_some_configs(r, c->args[1]);
  v.murky = true;
  return v.kind == HOST_CONFIGS ? v : host_open(r, c->at, 0, NULL);
}

/* A function by its full name; false if it is none of these. */
bool host_builtin(host_run *r, const char *full, const host_call *c,
                  host_value *out) {
  if (strcmp(full, "min") == 0 || strcmp(full, "max") == 0)
    *out = extremum(r, c, full[1] == 'i');
  else if (strcmp(full, "abs") == 0)
    *out = absolute(r, c);
  else if (strcmp(full, "int") == 0)
    *out = to_int(r, c);
  else if (strcmp(full, "bool") == 0)
    *out = as_bool(r, c);
  else if (strcmp(full, "float") == 0)
    *out = as_float(r, c);
  else if (strcmp(full, "len") == 0)
    *out = length(r, c);
  else if (strcmp(full, "tuple") == 0 || strcmp(full, "list") == 0 ||
           strcmp(full, "torch.Size") == 0)
    *out = host_as_sequence(r, c);
  else if (strcmp(full, "dict") == 0)
    *out = host_as_dictionary(r, c);
  else if (strcmp(full, "math.ceil") == 0 || strcmp(full, "math.floor") == 0)
    *out = rounded(r, c, full[5] == 'c');
  else if (strcmp(full, "math.prod") == 0 || strcmp(full, "numpy.prod") == 0)
    *out = product(r, c);
  else if (strcmp(full, "triton.cdiv") == 0 ||
           strcmp(full, "triton.language.cdiv") == 0)
    *out = cdiv(r, c);
  else if (strcmp(full, "triton.next_power_of_2") == 0)
    *out = next_power_of_2(r, c);
  else if (strcmp(full, "triton.language.constexpr") == 0 && c->count == 1)
    *out = c->args[0];
  else if (strcmp(full, "range") == 0)
    *out = host_constant_range(r, c);
  else if (strcmp(full, "zip") == 0 || strcmp(full, "enumerate") == 0)
    *out = host_zip(r, c, full[0] == 'e');
  else if (strcmp(full, "itertools.product") == 0)
    *out = host_product(r, c);
  else if (strcmp(full, "filter") == 0)
    *out = filtered(r, c);
  else if (strcmp(full, "triton.Config") == 0 ||
           strcmp(full, "triton.runtime.Config") == 0 ||
           strcmp(full, "triton.runtime.autotuner.Config") == 0)
    *out = host_config(r, c);
  else
    return false;
  return true;
}
