/* cli/run_bind.c: numbers for the symbols of a launch.
 *
 * They come from pins, options and arrays, then from facts that say that a
 * symbol equals something, from row-major order where an allocation leaves its
 * strides open, and from earlier launches, where a name has the same meaning.
 * What is known more than once must agree; facts are checked by exec_create. */
#include "base/panic.h"
#include "cli/run.h"

#include <inttypes.h>
#include <string.h>

typedef struct binder {
  run *r;
  run_launch *l;
  tile_program *p;
  exprs *t;
  bool changed;
} binder;

static symbol *symbol_at(const binder *b, size_t i) {
  return exprs_symbol_at(b->t, i);
}

static bool evaluate(const binder *b, expr e, int64_t *out) {
  const assignment *n = &b->l->numbers;
  return e != EXPR_NONE && expr_eval(b->t, e, n->value, n->known, out);
}

static const char *text_of(const binder *b, expr e) {
  return expr_text(b->t, e, b->r->arena);
}

static void put(binder *b, size_t i, int64_t value) {
  assignment *n = &b->l->numbers;
  if (n->known[i])
    return;
  n->value[i] = value;
  n->known[i] = true;
  b->changed = true;
}

/* Makes an expression that is a symbol without a number that number. */
static void bind_expr(binder *b, expr e, int64_t value) {
  size_t index;
  if (e == EXPR_NONE || expr_kind_of(b->t, e) != EXPR_SYMBOL)
    return;
  expr_symbol(b->t, e, &index);
  put(b, index, value);
}

/* ------------------------------------------------------ pins and options */

static run_set *set_named(const run *r, const char *name) {
  for (size_t i = r->sets.count; i-- > 0;)
    if (strcmp(r->sets.at[i].name, name) == 0)
      return &r->sets.at[i];
  return NULL;
}

static void bind_pins(binder *b) {
  for (size_t i = 0; i < b->l->numbers.count; i++) {
    const symbol *s = symbol_at(b, i);
    const run_set *set = set_named(b->r, s->name);
    if (set && set->is_int)
      put(b, i, set->whole);
    else if (s->pinned)
      put(b, i, s->pin);
  }
}

static bool fix_float(binder *b, param *p, const run_set *set) {
  if (set && set->is_number) {
    p->has_number = true;
    p->number = set->number;
  }
  return p->has_number || run_fail(b->r,
                                   "argument `%s` of `%s` is a float that the "
                                   "host code does not tell: --set %s=NUMBER",
                                   p->name, b->p->kernel, p->name);
}

static bool fix_bool(binder *b, param *p, const run_set *set) {
  int64_t value;
  if (set && set->is_int)
    p->value = expr_int(b->t, set->whole != 0);
  else if (set)
    p->value = expr_int(b->t, strcmp(set->text, "True") == 0);
  return evaluate(b, p->value, &value) ||
         run_fail(b->r,
                  "argument `%s` of `%s` is a flag: --set %s=True or False",
                  p->name, b->p->kernel, p->name);
}

/* Arguments that no symbol stands for. */
static bool fix_params(binder *b) {
  for (size_t i = 0; i < b->p->params.count; i++) {
    param *p = &b->p->params.at[i];
    const run_set *set = set_named(b->r, p->name);
    if (p->kind == PARAM_FLOAT && !fix_float(b, p, set))
      return false;
    if (p->kind == PARAM_BOOL && !fix_bool(b, p, set))
      return false;
  }
  return true;
}

/* ------------------------------------------------------------------ arrays */

static int64_t array_stride(const npy_array *a, uint32_t axis) {
  int64_t stride = 1;
  uint32_t from = a->fortran ? 0 : axis + 1, to = a->fortran ? axis : a->rank;
  for (uint32_t d = from; d < to; d++)
    stride *= a->extent[d] > 1 ? a->extent[d] : 1;
  return stride;
}

/* A tensor that nothing is said about is as its array is. */
static void adopt_shape(binder *b, tensor *t, const npy_array *a) {
  t->known = true;
  t->rank = (uint8_t)a->rank;
  for (uint32_t d = 0; d < a->rank; d++) {
    t->extent[d] = expr_int(b->t, a->extent[d]);
    t->stride[d] = expr_int(b->t, array_stride(a, d));
  }
}

static const char *extents_text(const binder *b, const tensor *t) {
  strbuf out = strbuf_make(b->r->arena);
  for (uint32_t d = 0; d < t->rank; d++)
    strbuf_printf(&out, "%s%s", d ? ", " : "", text_of(b, t->extent[d]));
  return out.text;
}

static bool bind_array(binder *b, tensor *t, const run_file *f) {
  const npy_array *a = &f->array;
  if (!t->known && a->rank <= TYPE_MAX_RANK)
    adopt_shape(b, t, a);
  if (a->rank != t->rank)
    return run_fail(b->r, "%s: the array has %u %s, `%s` has %u: [%s]", f->path,
                    a->rank, a->rank == 1 ? "axis" : "axes", t->name, t->rank,
                    extents_text(b, t));
  for (uint32_t d = 0; d < t->rank; d++) {
    bind_expr(b, t->extent[d], a->extent[d]);
    bind_expr(b, t->stride[d], array_stride(a, d));
  }
  return true;
}

static bool bind_arrays(binder *b) {
  for (uint32_t i = 0; i < b->p->tensors.count; i++) {
    tensor *t = &b->p->tensors.at[i];
    const run_file *f = run_input_of(b->r, b->p, i);
    if (f && !bind_array(b, t, f))
      return false;
    if (!t->known)
      return run_fail(b->r,
                      "nothing tells how large `%s` is: give an array (--in "
                      "%s=FILE) or state its shape in a contract",
                      t->name, t->name);
  }
  return true;
}

/* The array agrees with the numbers that the launch has by then. */
static bool check_array(binder *b, const tensor *t, const run_file *f) {
  const npy_array *a = &f->array;
  int64_t value;
  for (uint32_t d = 0; d < t->rank; d++)
    if (evaluate(b, t->extent[d], &value) && value != a->extent[d])
      return run_fail(b->r,
                      "%s: axis %u of the array has %" PRId64
                      " elements, that of `%s` has %s%s%" PRId64,
                      f->path, d, a->extent[d], t->name,
                      text_of(b, t->extent[d]), " = ", value);
  for (uint32_t d = 0; a->fortran && t->parameter && d < t->rank; d++)
    if (a->extent[d] > 1 && evaluate(b, t->stride[d], &value) &&
        value != array_stride(a, d))
      return run_fail(b->r,
                      "%s: the array is in Fortran order, the launch takes "
                      "`%s` with stride %" PRId64 " along axis %u",
                      f->path, t->name, value, d);
  return true;
}

static bool check_arrays(binder *b) {
  for (uint32_t i = 0; i < b->p->tensors.count; i++) {
    const run_file *f = run_input_of(b->r, b->p, i);
    if (f && !check_array(b, &b->p->tensors.at[i], f))
      return false;
  }
  return true;
}

/* --------------------------------------------------------- what follows */

/* A fact `symbol == number`, either way round. */
static void bind_equality(binder *b, expr fact_) {
  expr side[3];
  int64_t value;
  if (expr_kind_of(b->t, fact_) != EXPR_EQ)
    return;
  expr_operands(b->t, fact_, side);
  for (int k = 0; k < 2; k++)
    if (evaluate(b, side[1 - k], &value))
      bind_expr(b, side[k], value);
}

static void bind_facts(binder *b) {
  for (size_t i = 0; i < b->p->facts.count; i++)
    if (b->p->facts.at[i].condition != EXPR_NONE)
      bind_equality(b, b->p->facts.at[i].condition);
}

/* Extents and strides that an earlier launch has seen of the same tensor. */
static void bind_seen(binder *b, const tensor *t) {
  for (size_t i = 0; i < b->r->seen.count; i++) {
    const run_tensor *x = &b->r->seen.at[i];
    if (strcmp(x->about->name, t->name) != 0 || x->about->rank != t->rank ||
        x->about->line != t->line)
      continue;
    for (uint32_t d = 0; d < t->rank; d++) {
      bind_expr(b, t->extent[d], x->extent[d]);
      bind_expr(b, t->stride[d], x->stride[d]);
    }
  }
}

/* Names of sizes and arguments mean the same in all launches of a function. */
static void bind_names(binder *b) {
  for (size_t i = 0; i < b->l->numbers.count; i++) {
    const symbol *s = symbol_at(b, i);
    for (size_t k = 0; k < b->r->known.count; k++) {
      const run_number *n = &b->r->known.at[k];
      if (n->role == s->role && strcmp(n->name, s->name) == 0)
        put(b, i, n->value);
    }
  }
}

/* What an allocator makes: row-major strides, where extents are known. */
static void bind_dense(binder *b, const tensor *t) {
  int64_t stride = 1, extent;
  for (uint32_t d = t->rank; d-- > 0;) {
    bind_expr(b, t->stride[d], stride);
    if (!evaluate(b, t->extent[d], &extent) ||
        !mul_ok(stride, extent > 1 ? extent : 1, &stride))
      return;
  }
}

static void settle(binder *b) {
  do {
    b->changed = false;
    bind_facts(b);
  } while (b->changed);
}

static bool mentions(const binder *b, expr e, expr symbol_) {
  return e != EXPR_NONE && expr_mentions(b->t, e, symbol_);
}

/* Whether nothing that the launch gets depends on a symbol. (Constexprs, grid
 * and tiles are computed from arguments.) */
static bool is_idle(const binder *b, expr symbol_) {
  const tile_program *p = b->p;
  for (int axis = 0; axis < 3; axis++)
    if (mentions(b, p->grid[axis], symbol_))
      return false;
  for (size_t i = 0; i < p->params.count; i++)
    if (mentions(b, p->params.at[i].value, symbol_) ||
        mentions(b, p->params.at[i].offset, symbol_))
      return false;
  for (size_t i = 0; i < p->tensors.count; i++) {
    const tensor *t = &p->tensors.at[i];
    if (mentions(b, t->start, symbol_))
      return false;
    for (uint32_t d = 0; d < t->rank; d++)
      if (mentions(b, t->extent[d], symbol_) ||
          mentions(b, t->stride[d], symbol_))
        return false;
  }
  return true;
}

/* Strides of tensors that the launch does not get matter to facts alone. */
static void bind_idle(binder *b) {
  for (size_t i = 0; i < b->l->numbers.count; i++)
    if (symbol_at(b, i)->role == SYMBOL_STRIDE &&
        is_idle(b, exprs_symbol_expr(b->t, i)))
      put(b, i, 1);
}

/* A kernel that nobody launches runs along axis 0. */
static void bind_grid(binder *b) {
  for (int axis = 1; axis < 3 && b->p->launch_line == 0; axis++)
    bind_expr(b, b->p->grid[axis], 1);
}

/* From what is certain to what is only usual. */
static void follow(binder *b) {
  settle(b);
  for (size_t i = 0; i < b->p->tensors.count; i++)
    bind_seen(b, &b->p->tensors.at[i]);
  settle(b);
  bind_names(b);
  settle(b);
  for (size_t i = 0; i < b->p->tensors.count; i++)
    bind_dense(b, &b->p->tensors.at[i]);
  settle(b);
  for (size_t i = 0; i < b->l->numbers.count; i++) {
    const symbol *s = symbol_at(b, i);
    if (s->role == SYMBOL_CONST && s->pin)
      put(b, i, s->pin);
  }
  bind_grid(b);
  bind_idle(b);
  settle(b);
}

/* A tensor that should have come with an array. */
static const tensor *missing(const binder *b) {
  for (uint32_t i = 0; i < b->p->tensors.count; i++) {
    const tensor *t = &b->p->tensors.at[i];
    bool expected = t->content == CONTENT_CALLER || t->shared;
    if (expected && t->role != TENSOR_OUT && !run_input_of(b->r, b->p, i) &&
        !run_find_storage(b->r, t))
      return t;
  }
  return NULL;
}

static bool fail_unknown(binder *b, const symbol *s) {
  if (!b->r->seeded && missing(b))
    return run_fail_missing(b->r, missing(b));
  const char *what = s->role == SYMBOL_SIZE     ? "size"
                     : s->role == SYMBOL_STRIDE ? "stride"
                     : s->role == SYMBOL_GRID   ? "number of programs"
                     : s->role == SYMBOL_CONST || s->role == SYMBOL_SWITCH
                         ? "constexpr"
                         : "number";
  bool of_array = s->role == SYMBOL_SIZE || s->role == SYMBOL_STRIDE;
  return run_fail(b->r, "the %s `%s` is not known: give %s--set '%s=NUMBER'",
                  what, s->name, of_array ? "the array that has it or " : "",
                  s->name);
}

static void remember(binder *b) {
  for (size_t i = 0; i < b->l->numbers.count; i++) {
    const symbol *s = symbol_at(b, i);
    run_number n = {s->name, s->role, b->l->numbers.value[i]};
    if (s->role != SYMBOL_CONST && s->role != SYMBOL_GRID &&
        s->role != SYMBOL_SWITCH)
      VEC_PUSH(b->r->arena, &b->l->own, n);
  }
}

bool run_bind(run *r, run_launch *l) {
  binder b = {.r = r, .l = l, .p = l->program, .t = l->program->exprs};
  size_t n = exprs_symbol_count(b.t);
  l->numbers = (assignment){.value = ARENA_ARRAY(r->arena, int64_t, n),
                            .known = ARENA_ARRAY(r->arena, bool, n),
                            .count = n};
  bind_pins(&b);
  if (!bind_arrays(&b))
    return false;
  follow(&b);
  for (size_t i = 0; i < n; i++)
    if (!l->numbers.known[i])
      return fail_unknown(&b, symbol_at(&b, i));
  remember(&b);
  return fix_params(&b) && check_arrays(&b);
}

const fact *run_refusal(const run_launch *l) {
  const tile_program *p = l->program;
  for (size_t i = 0; i < p->facts.count; i++) {
    const fact *f = &p->facts.at[i];
    int64_t holds = 1;
    if (f->origin == FACT_HOST && f->condition != EXPR_NONE &&
        expr_eval(p->exprs, f->condition, l->numbers.value, l->numbers.known,
                  &holds) &&
        !holds)
      return f;
  }
  return NULL;
}
