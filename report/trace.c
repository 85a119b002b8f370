/* report/trace.c: the list of operations on blocks.
 *
 * An operation that only a function of tl makes has a line always; one that an
 * operator or a conversion may make, too (`+`, a broadcast), only when a call
 * was made into it. */
#include "report/trace.h"
#include "base/panic.h"

#include <string.h>

typedef enum trace_form {
  TRACE_SILENT,
  TRACE_AXIS,   /* NAME axis=0 */
  TRACE_RANGE,  /* NAME {start=0, end=1024} : tensor<1024xi32> */
  TRACE_MEMORY, /* NAME x (masked) : tensor<1024xfloat32> */
  TRACE_ATOMIC, /* the same */
  TRACE_ALONG,  /* NAME axis=0 : 1024 -> scalar */
  TRACE_SCAN,   /* NAME axis=0 : 1024 */
  TRACE_SHAPE,  /* NAME : 1024 */
  TRACE_CHANGE, /* NAME : 64x32 -> 32x64 */
  TRACE_DOT,    /* NAME : 64x32, 32x64 -> 64x64 */
  TRACE_FILL,   /* NAME 0 : tensor<1024xfloat32> */
  TRACE_BARE,   /* NAME */
  TRACE_OTHER,  /* text of the instruction : 1024 */
} trace_form;

typedef struct trace_row {
  trace_form form;
  const char *name;
  bool called; /* only what answers a call of a function of tl */
} trace_row;

static const trace_row rows[OP_COUNT] = {
    [OP_PROGRAM_ID] = {TRACE_AXIS, "tt.get_program_id", false},
    [OP_NUM_PROGRAMS] = {TRACE_AXIS, "tt.get_num_programs", false},
    [OP_ARANGE] = {TRACE_RANGE, "tt.make_range", false},
    [OP_SPLAT] = {TRACE_FILL, "tt.splat", true},
    [OP_ADD] = {TRACE_SHAPE, "arith.add", true},
    [OP_SUB] = {TRACE_SHAPE, "arith.sub", true},
    [OP_MUL] = {TRACE_SHAPE, "arith.mul", true},
    [OP_DIV] = {TRACE_SHAPE, "arith.div", true},
    [OP_MIN] = {TRACE_SHAPE, "arith.minimum", true},
    [OP_MAX] = {TRACE_SHAPE, "arith.maximum", true},
    [OP_ABS] = {TRACE_SHAPE, "math.abs", true},
    [OP_WHERE] = {TRACE_SHAPE, "arith.select", true},
    [OP_CAST] = {TRACE_SHAPE, "arith.cast", true},
    [OP_EXP] = {TRACE_SHAPE, "math.exp", false},
    [OP_EXP2] = {TRACE_SHAPE, "math.exp2", false},
    [OP_LOG] = {TRACE_SHAPE, "math.log", false},
    [OP_LOG2] = {TRACE_SHAPE, "math.log2", false},
    [OP_SIN] = {TRACE_SHAPE, "math.sin", false},
    [OP_COS] = {TRACE_SHAPE, "math.cos", false},
    [OP_TANH] = {TRACE_SHAPE, "math.tanh", false},
    [OP_ERF] = {TRACE_SHAPE, "math.erf", false},
    [OP_SQRT] = {TRACE_SHAPE, "math.sqrt", false},
    [OP_RSQRT] = {TRACE_SHAPE, "math.rsqrt", false},
    [OP_SIGMOID] = {TRACE_SHAPE, "math.sigmoid", false},
    [OP_FLOOR] = {TRACE_SHAPE, "math.floor", false},
    [OP_CEIL] = {TRACE_SHAPE, "math.ceil", false},
    [OP_ROUND] = {TRACE_SHAPE, "math.round", false},
    [OP_TRUNC] = {TRACE_SHAPE, "math.trunc", false},
    [OP_LOG1P] = {TRACE_SHAPE, "math.log1p", false},
    [OP_EXPM1] = {TRACE_SHAPE, "math.expm1", false},
    [OP_POW] = {TRACE_SHAPE, "math.pow", true},
    [OP_FMA] = {TRACE_SHAPE, "math.fma", false},
    [OP_ISNAN] = {TRACE_SHAPE, "math.isnan", false},
    [OP_EXPAND_DIMS] = {TRACE_CHANGE, "tt.expand_dims", true},
    [OP_BROADCAST] = {TRACE_CHANGE, "tt.broadcast", true},
    [OP_TRANS] = {TRACE_CHANGE, "tt.trans", false},
    [OP_RESHAPE] = {TRACE_CHANGE, "tt.reshape", true},
    [OP_FLIP] = {TRACE_CHANGE, "tt.flip", false},
    [OP_SPLIT] = {TRACE_CHANGE, "tt.split", false},
    [OP_JOIN] = {TRACE_CHANGE, "tt.join", false},
    [OP_GATHER] = {TRACE_CHANGE, "tt.gather", false},
    [OP_SORT] = {TRACE_SCAN, "tt.sort", false},
    [OP_HISTOGRAM] = {TRACE_CHANGE, "tt.histogram", false},
    [OP_REDUCE_SUM] = {TRACE_ALONG, "tt.reduce(add)", false},
    [OP_REDUCE_MAX] = {TRACE_ALONG, "tt.reduce(max)", false},
    [OP_REDUCE_MIN] = {TRACE_ALONG, "tt.reduce(min)", false},
    [OP_REDUCE_PROD] = {TRACE_ALONG, "tt.reduce(mul)", false},
    [OP_REDUCE_XOR] = {TRACE_ALONG, "tt.reduce(xor)", false},
    [OP_REDUCE_AND] = {TRACE_ALONG, "tt.reduce(and)", false},
    [OP_REDUCE_OR] = {TRACE_ALONG, "tt.reduce(or)", false},
    [OP_ARGMAX] = {TRACE_ALONG, "tt.reduce(argmax)", false},
    [OP_ARGMIN] = {TRACE_ALONG, "tt.reduce(argmin)", false},
    [OP_CUMSUM] = {TRACE_SCAN, "tt.scan(add)", false},
    [OP_CUMPROD] = {TRACE_SCAN, "tt.scan(mul)", false},
    [OP_DOT] = {TRACE_DOT, "tt.dot", false},
    [OP_RANDOM] = {TRACE_SHAPE, "tt.random", false},
    [OP_LOAD] = {TRACE_MEMORY, "tt.load", false},
    [OP_STORE] = {TRACE_MEMORY, "tt.store", false},
    [OP_ATOMIC_ADD] = {TRACE_ATOMIC, "tt.atomic_rmw(add)", false},
    [OP_ATOMIC_MAX] = {TRACE_ATOMIC, "tt.atomic_rmw(max)", false},
    [OP_ATOMIC_MIN] = {TRACE_ATOMIC, "tt.atomic_rmw(min)", false},
    [OP_ATOMIC_AND] = {TRACE_ATOMIC, "tt.atomic_rmw(and)", false},
    [OP_ATOMIC_OR] = {TRACE_ATOMIC, "tt.atomic_rmw(or)", false},
    [OP_ATOMIC_XOR] = {TRACE_ATOMIC, "tt.atomic_rmw(xor)", false},
    [OP_ATOMIC_XCHG] = {TRACE_ATOMIC, "tt.atomic_rmw(exchange)", false},
    [OP_ATOMIC_CAS] = {TRACE_ATOMIC, "tt.atomic_cas", false},
    [OP_ASSERT] = {TRACE_BARE, "tt.assert", false},
    [OP_BARRIER] = {TRACE_BARE, "tt.barrier", false},
    [OP_OPAQUE] = {TRACE_OTHER, NULL, false},
};

typedef struct tracer {
  const tile_program *p;
  trace_words words;
  strbuf *out;
  uint32_t lines;
  uint32_t *line_of; /* by value: 1 + number of its line; 0: it has none */
  unsigned depth;
} tracer;

static const type *type_of(const tracer *w, value_id v) {
  return &w->p->values.at[v].type;
}

static const inst *def_of(const tracer *w, value_id v) {
  return w->p->values.at[v].def;
}

/* ------------------------------------------------------------ shapes, types */

/* As NumPy calls the element types. */
static const char *element_name(scalar s) {
  static const char *const names[] = {[SC_NONE] = "none",
                                      [SC_BOOL] = "bool",
                                      [SC_I8] = "int8",
                                      [SC_I16] = "int16",
                                      [SC_I32] = "int32",
                                      [SC_I64] = "int64",
                                      [SC_U8] = "uint8",
                                      [SC_U16] = "uint16",
                                      [SC_U32] = "uint32",
                                      [SC_U64] = "uint64",
                                      [SC_F8E4M3] = "float8e4m3",
                                      [SC_F8E5M2] = "float8e5m2",
                                      [SC_F16] = "float16",
                                      [SC_BF16] = "bfloat16",
                                      [SC_F32] = "float32",
                                      [SC_F64] = "float64",
                                      [SC_ANY] = "any"};
  assert((size_t)s < sizeof names / sizeof *names);
  return names[s];
}

static const char *number_text(const tracer *w, expr e) {
  return expr_text(w->p->exprs, expr_pin(w->p->exprs, e), w->out->arena);
}

static void put_shape(const tracer *w, const type *t) {
  if (t->rank == 0)
    strbuf_put(w->out, w->words.scalar);
  for (uint8_t d = 0; d < t->rank; d++)
    strbuf_printf(w->out, "%s%s", d ? "x" : "", number_text(w, t->dim[d]));
}

/* tensor<64x32xfloat32> */
static void put_block(const tracer *w, const type *t, const char *element) {
  strbuf_put(w->out, t->rank ? "tensor<" : w->words.scalar);
  if (t->rank)
    put_shape(w, t);
  strbuf_printf(w->out, t->rank ? "x%s>" : "<%s>", element);
}

/* ------------------------------------------------------------------ values */

/* The value that a loop's argument starts from, where v is one. */
static value_id init_of(const tracer *w, const region *r, value_id v) {
  for (size_t i = 0; i < r->insts.count; i++) {
    const inst *in = r->insts.at[i];
    uint32_t skipped = in->kind == NODE_FOR ? 3 : 0;
    for (int k = 0; k < 2; k++) {
      const region *inner = in->regions[k];
      for (size_t a = 0; inner && a < inner->args.count; a++)
        if (inner->args.at[a] == v)
          return in->kind == NODE_FOR && a == 0
                     ? VALUE_NONE
                     : in->operands[skipped + a - (in->kind == NODE_FOR)];
      value_id found = inner ? init_of(w, inner, v) : VALUE_NONE;
      if (found)
        return found;
    }
  }
  return VALUE_NONE;
}

/* What a result of a loop or branch is on one way through it. */
static value_id before(const inst *in, value_id v) {
  for (uint32_t k = 0; k < in->result_count; k++) {
    if (in->results[k] != v)
      continue;
    if (in->kind == NODE_IF)
      return in->regions[0]->yields.at[k];
    return in->operands[(in->kind == NODE_FOR ? 3 : 0) + k];
  }
  return VALUE_NONE;
}

/* The tensor that a pointer points into, as far as its origin tells. */
static const char *tensor_name(const tracer *w, value_id v) {
  for (int steps = 0; v && steps < 1000; steps++) {
    const inst *def = def_of(w, v);
    for (size_t i = 0; !def && i < w->p->params.count; i++) {
      const param *q = &w->p->params.at[i];
      if (q->value_id == v && q->kind == PARAM_POINTER)
        return w->p->tensors.at[q->tensor].name;
    }
    if (!def)
      v = init_of(w, w->p->body, v);
    else if (def->kind != NODE_OP)
      v = before(def, v);
    else
      v = def->operand_count ? def->operands[def->op == OP_WHERE] : VALUE_NONE;
  }
  return "?";
}

static const char *constant_text(const tracer *w, value_id v) {
  const inst *def = def_of(w, v);
  while (def && def->kind == NODE_OP && def->op == OP_CAST)
    def = def_of(w, def->operands[0]);
  if (!def || def->kind != NODE_OP || def->op != OP_CONST)
    return NULL;
  if (def->attr_count)
    return number_text(w, def->attrs[0]);
  return arena_printf(w->out->arena, "%g", def->number);
}

static const char *operator_of(const inst *def) {
  static const struct {
    op_id op;
    const char *text;
  } list[] = {{OP_ADD, "+"},  {OP_SUB, "-"}, {OP_MUL, "*"}, {OP_IDIV, "//"},
              {OP_IREM, "%"}, {OP_LT, "<"},  {OP_LE, "<="}, {OP_GT, ">"},
              {OP_GE, ">="},  {OP_EQ, "=="}, {OP_NE, "!="}, {OP_AND, "&"},
              {OP_OR, "|"}};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++)
    if (def->op == list[i].op)
      return list[i].text;
  return NULL;
}

static const char *param_text(const tracer *w, value_id v) {
  for (size_t i = 0; i < w->p->params.count; i++) {
    const param *q = &w->p->params.at[i];
    int64_t number;
    if (q->value_id != v)
      continue;
    return q->kind == PARAM_INT &&
                   expr_is_int(w->p->exprs, expr_pin(w->p->exprs, q->value),
                               &number)
               ? number_text(w, q->value)
               : q->name;
  }
  return NULL;
}

/* A scalar as Python would write it; `...` where that is long. */
static const char *scalar_text(const tracer *w, value_id v, int depth) {
  const value_info *info = &w->p->values.at[v];
  const char *known = constant_text(w, v);
  if (!known)
    known = param_text(w, v);
  if (!known)
    known = info->name;
  if (known)
    return known;
  if (w->line_of[v])
    return arena_printf(w->out->arena, "%%%u", w->line_of[v] - 1);
  const inst *def = info->def;
  if (!def || def->kind != NODE_OP || depth > 6)
    return "...";
  if (def->op == OP_CAST)
    return scalar_text(w, def->operands[0], depth);
  const char *op = operator_of(def);
  if (!op)
    return "...";
  return arena_printf(w->out->arena, depth ? "(%s %s %s)" : "%s %s %s",
                      scalar_text(w, def->operands[0], depth + 1), op,
                      scalar_text(w, def->operands[1], depth + 1));
}

/* ------------------------------------------------------------------- lines */

static void indent(const tracer *w) {
  for (unsigned i = 0; i < w->depth; i++)
    strbuf_put(w->out, "  ");
}

static void put_memory(const tracer *w, const inst *in, bool stores) {
  const type *pointer = type_of(w, in->operands[0]);
  uint32_t mask = stores ? 2 : 1;
  bool masked = in->operand_count > mask && in->operands[mask] != VALUE_NONE;
  strbuf_printf(w->out, " %s", tensor_name(w, in->operands[0]));
  if (masked)
    strbuf_printf(w->out, " (%s)", w->words.masked);
  strbuf_put(w->out, " : ");
  put_block(w, pointer, element_name(pointer->elem));
}

static void put_from_to(const tracer *w, const inst *in) {
  strbuf_put(w->out, " : ");
  put_shape(w, type_of(w, in->operands[0]));
  if (in->op == OP_DOT) {
    strbuf_put(w->out, ", ");
    put_shape(w, type_of(w, in->operands[1]));
  }
  strbuf_put(w->out, " -> ");
  put_shape(w, type_of(w, in->results[0]));
}

static void put_of_shape(const tracer *w, const inst *in) {
  if (!in->result_count)
    return;
  strbuf_put(w->out, " : ");
  put_shape(w, type_of(w, in->results[0]));
}

static void put_details(const tracer *w, const inst *in, trace_form form) {
  const type *result = in->result_count ? type_of(w, in->results[0]) : NULL;
  bool along = form == TRACE_AXIS || form == TRACE_ALONG || form == TRACE_SCAN;
  if (along)
    strbuf_printf(w->out, " axis=%s", number_text(w, in->attrs[0]));
  switch (form) {
  case TRACE_RANGE:
    strbuf_printf(w->out,
                  " {start=%s, end=%s} : ", number_text(w, in->attrs[0]),
                  number_text(w, in->attrs[1]));
    put_block(w, result, "i32");
    return;
  case TRACE_MEMORY:
  case TRACE_ATOMIC:
    put_memory(w, in, in->op != OP_LOAD);
    return;
  case TRACE_ALONG:
  case TRACE_CHANGE:
  case TRACE_DOT:
    put_from_to(w, in);
    return;
  case TRACE_FILL: {
    const char *value = constant_text(w, in->operands[0]);
    strbuf_printf(w->out,
                  " %s : ", value ? value : scalar_text(w, in->operands[0], 0));
    put_block(w, result, element_name(result->elem));
    return;
  }
  case TRACE_SCAN:
  case TRACE_SHAPE:
  case TRACE_OTHER:
    put_of_shape(w, in);
    return;
  case TRACE_AXIS:
  case TRACE_BARE:
  case TRACE_SILENT:
    return;
  }
}

static bool is_listed(const inst *in) {
  const trace_row *row = &rows[in->op];
  return row->form != TRACE_SILENT && (!row->called || in->spelling);
}

static void put_op(tracer *w, const inst *in) {
  const trace_row *row = &rows[in->op];
  if (!is_listed(in))
    return;
  indent(w);
  for (uint32_t i = 0; i < in->result_count; i++)
    w->line_of[in->results[i]] = w->lines + 1;
  strbuf_printf(w->out, "%%%u = %s", w->lines++,
                row->name  ? row->name
                : in->text ? in->text
                           : "?");
  put_details(w, in, row->form);
  strbuf_putc(w->out, '\n');
}

static void put_region(tracer *w, const region *r);

static bool has_lines(const region *r) {
  for (size_t i = 0; r && i < r->insts.count; i++) {
    const inst *in = r->insts.at[i];
    if (in->kind == NODE_OP
            ? is_listed(in)
            : has_lines(in->regions[0]) || has_lines(in->regions[1]))
      return true;
  }
  return false;
}

static void put_inner(tracer *w, const region *r) {
  strbuf_put(w->out, " {\n");
  w->depth++;
  put_region(w, r);
  w->depth--;
  indent(w);
  strbuf_putc(w->out, '}');
}

static void put_for(tracer *w, const inst *in) {
  const char *counter = w->p->values.at[in->regions[0]->args.at[0]].name;
  const char *step = scalar_text(w, in->operands[2], 0);
  strbuf_printf(w->out, "scf.for %s = %s to %s", counter ? counter : "_",
                scalar_text(w, in->operands[0], 0),
                scalar_text(w, in->operands[1], 0));
  if (strcmp(step, "1") != 0)
    strbuf_printf(w->out, " step %s", step);
  put_inner(w, in->regions[0]);
}

static void put_nest(tracer *w, const inst *in) {
  if (!has_lines(in->regions[0]) && !has_lines(in->regions[1]))
    return;
  indent(w);
  if (in->kind == NODE_FOR) {
    put_for(w, in);
  } else if (in->kind == NODE_IF) {
    strbuf_printf(w->out, "scf.if %s", scalar_text(w, in->operands[0], 0));
    put_inner(w, in->regions[0]);
    if (has_lines(in->regions[1])) {
      strbuf_put(w->out, " else");
      put_inner(w, in->regions[1]);
    }
  } else {
    strbuf_put(w->out, "scf.while");
    if (has_lines(in->regions[0])) {
      put_inner(w, in->regions[0]);
      strbuf_put(w->out, " do");
    }
    put_inner(w, in->regions[1]);
  }
  strbuf_putc(w->out, '\n');
}

static void put_region(tracer *w, const region *r) {
  for (size_t i = 0; i < r->insts.count; i++)
    if (r->insts.at[i]->kind == NODE_OP)
      put_op(w, r->insts.at[i]);
    else
      put_nest(w, r->insts.at[i]);
}

const span *trace_misshapen(const tile_program *p, int64_t *extent) {
  for (size_t v = 1; v < p->values.count; v++) {
    const value_info *value = &p->values.at[v];
    for (uint8_t d = 0; d < value->type.rank; d++)
      if (expr_is_int(p->exprs, expr_pin(p->exprs, value->type.dim[d]),
                      extent) &&
          (*extent < 1 || (*extent & (*extent - 1)) != 0))
        return value->def ? &value->def->at : &p->at;
  }
  return NULL;
}

void trace_print(const tile_program *p, trace_words words, strbuf *out) {
  tracer w = {.p = p,
              .words = words,
              .out = out,
              .line_of = ARENA_ARRAY(out->arena, uint32_t, p->values.count)};
  put_region(&w, p->body);
}
