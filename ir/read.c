/* ir/read.c: reads the text form of a tile program (docs/tile-ir.md): the
 * statements of the launch. Any bytes may come in. */
#include "base/panic.h"
#include "ir/notation.h"
#include "ir/reader.h"

#include <string.h>

/* A word of a list, which `what` names in the error. */
static bool read_word(reader *r, notation_list list, const char *what,
                      unsigned *out) {
  const char *word;
  size_t n = reader_peek_word(r, &word);
  if (n == 0 || !notation_find(list, word, n, out))
    return reader_fail(r, what);
  r->at += n;
  return true;
}

static bool read_line_number(reader *r, uint32_t *line) {
  return !reader_take_word(r, "line") || reader_u32(r, line);
}

static bool read_program(reader *r) {
  tile_program *p = r->p;
  return reader_string(r, &p->path) && reader_name(r, &p->kernel) &&
         (!reader_take_word(r, "at") || reader_span(r, &p->at)) &&
         (!reader_take_word(r, "launch") || reader_u32(r, &p->launch_line)) &&
         (!reader_take_word(r, "unread") || reader_u32(r, &p->unread_line));
}

static bool read_max_numel(reader *r) {
  return reader_i64(r, &r->p->max_numel);
}

/* `("False", "True")`: what the values of a switch stand for. */
static bool read_labels(reader *r, symbol *s) {
  VEC(const char *) labels = {0};
  if (!reader_need(r, "("))
    return false;
  do {
    const char *label;
    if (!reader_string(r, &label))
      return false;
    VEC_PUSH(r->arena, &labels, label);
  } while (reader_take(r, ","));
  s->labels = labels.at;
  s->label_count = (uint32_t)labels.count;
  return reader_need(r, ")");
}

static bool read_symbol(reader *r) {
  symbol s = {0};
  unsigned role;
  reader_skip(r);
  size_t start = r->at;
  if (!reader_name(r, &s.name) ||
      !read_word(r, NOTATION_SYMBOL_ROLE,
                 "expected size, stride, int, const or grid", &role))
    return false;
  s.role = (symbol_role)role;
  s.pow2 = reader_take_word(r, "pow2");
  s.pinned = reader_take_word(r, "pinned");
  if ((s.pinned || reader_take_word(r, "pin")) && !reader_i64(r, &s.pin))
    return false;
  s.unbounded = reader_take_word(r, "unbounded");
  if ((s.role == SYMBOL_SWITCH && !read_labels(r, &s)) ||
      !read_line_number(r, &s.line))
    return false;
  if (exprs_find(r->p->exprs, s.name))
    return reader_fail_at(r, start, "there is a symbol of this name already");
  exprs_symbol(r->p->exprs, s);
  return true;
}

/* Expressions between `open` and `close`; at most TYPE_MAX_RANK. */
static bool read_axes(reader *r, const char *open, const char *close, expr *out,
                      uint8_t *rank) {
  *rank = 0;
  if (!reader_need(r, open))
    return false;
  if (reader_take(r, close))
    return true;
  do {
    if (*rank == TYPE_MAX_RANK)
      return reader_fail(r, "a tensor has at most 6 axes");
    if (!reader_expr(r, &out[(*rank)++]))
      return false;
  } while (reader_take(r, ","));
  return reader_need(r, close);
}

static bool read_extents(reader *r, tensor *t) {
  uint8_t strides;
  if (reader_take_word(r, "unknown"))
    return true;
  t->known = true;
  if (!read_axes(r, "[", "]", t->extent, &t->rank) ||
      !reader_need_word(r, "stride") ||
      !read_axes(r, "(", ")", t->stride, &strides))
    return false;
  if (strides != t->rank)
    return reader_fail(r, "there must be one stride for each extent");
  return true;
}

/* The part that holds values: as many bounds as axes. */
static bool read_part(reader *r, tensor *t) {
  uint8_t low, high;
  t->part_written = reader_take_word(r, "part");
  if (!t->part_written)
    return true;
  if (!read_axes(r, "[", "]", t->part_low, &low) ||
      !reader_need_word(r, "to") ||
      !read_axes(r, "[", "]", t->part_high, &high))
    return false;
  if (low != t->rank || high != t->rank)
    return reader_fail(r, "there must be one bound for each extent");
  return true;
}

static bool read_except(reader *r, tensor *t) {
  if (!reader_take_word(r, "except"))
    return true;
  if (!reader_need(r, "{"))
    return false;
  do {
    if (t->except_count == TENSOR_MAX_EXCEPT)
      return reader_fail(r, "at most 4 values are excepted");
    if (!reader_expr(r, &t->except[t->except_count++]))
      return false;
  } while (reader_take(r, ","));
  return reader_need(r, "}");
}

static bool read_contents(reader *r, tensor *t) {
  t->has_range = reader_take_word(r, "range");
  if (t->has_range && (!reader_need(r, "(") || !reader_expr(r, &t->least) ||
                       !reader_need(r, ",") || !reader_expr(r, &t->greatest) ||
                       !reader_need(r, ")")))
    return false;
  t->any_content = reader_take_word(r, "any_content");
  t->distinct = reader_take_word(r, "distinct");
  if (!read_except(r, t))
    return false;
  t->sorted = reader_take_word(r, "sorted");
  t->tied = reader_take_word(r, "tied");
  return true;
}

static bool read_start(reader *r, tensor *t) {
  bool adrift = reader_take_word(r, "adrift");
  t->start = adrift ? EXPR_NONE : expr_int(r->p->exprs, 0);
  if (!adrift && reader_take_word(r, "start") && !reader_expr(r, &t->start))
    return false;
  if (reader_take_word(r, "perhaps")) {
    if (!reader_u32(r, &t->perhaps))
      return false;
    t->perhaps++;
  }
  t->held = reader_take_word(r, "held");
  t->anywhere = reader_take_word(r, "anywhere");
  t->own = reader_take_word(r, "own");
  return true;
}

static bool read_tensor(reader *r) {
  tensor t = {0};
  unsigned role;
  if (!reader_name(r, &t.name) || !reader_scalar(r, &t.dtype) ||
      !read_extents(r, &t) ||
      !read_word(r, NOTATION_TENSOR_ROLE, "expected in, out or inout", &role))
    return false;
  t.role = (tensor_role)role;
  t.parameter = reader_take_word(r, "parameter");
  t.assumed_contiguous = reader_take_word(r, "contiguous");
  t.free_strides = reader_take_word(r, "free");
  t.more_axes = reader_take_word(r, "open");
  t.disjoint = reader_take_word(r, "disjoint");
  t.written = reader_take_word(r, "written");
  if (!read_part(r, &t) || !reader_need_word(r, "storage") ||
      !reader_u32(r, &t.storage) || !read_start(r, &t) ||
      (reader_take_word(r, "align") && !reader_i64(r, &t.align)) ||
      !read_contents(r, &t) || !read_line_number(r, &t.line))
    return false;
  if (reader_take_word(r, "origin") && !reader_string(r, &t.origin))
    return false;
  VEC_PUSH(r->arena, &r->p->tensors, t);
  return true;
}

static bool read_condition(reader *r, fact *f) {
  unsigned origin;
  if (!reader_expr(r, &f->condition) || !reader_need(r, ":") ||
      !read_word(r, NOTATION_FACT_ORIGIN,
                 "expected shape, default, contract, host, grid or option",
                 &origin) ||
      !read_line_number(r, &f->line))
    return false;
  f->origin = (fact_origin)origin;
  return true;
}

static bool read_fact(reader *r) {
  fact f = {0};
  if (!read_condition(r, &f))
    return false;
  VEC_PUSH(r->arena, &r->p->facts, f);
  return true;
}

static bool read_required(reader *r) {
  fact f = {0};
  if (!read_condition(r, &f))
    return false;
  VEC_PUSH(r->arena, &r->p->required, f);
  return true;
}

static bool read_misfit(reader *r) {
  launch_fault m = {0};
  if (!reader_string(r, &m.text) || !read_line_number(r, &m.line))
    return false;
  VEC_PUSH(r->arena, &r->p->misfits, m);
  return true;
}

static bool read_grid(reader *r) {
  tile_program *p = r->p;
  uint32_t rank;
  if (!reader_need(r, "(") || !reader_expr(r, &p->grid[0]) ||
      !reader_need(r, ",") || !reader_expr(r, &p->grid[1]) ||
      !reader_need(r, ",") || !reader_expr(r, &p->grid[2]) ||
      !reader_need(r, ")") || !reader_need_word(r, "rank") ||
      !reader_u32(r, &rank))
    return false;
  if (rank > 3)
    return reader_fail(r, "a grid has at most 3 axes");
  p->grid_rank = (uint8_t)rank;
  return read_line_number(r, &p->grid_line);
}

static bool read_param_kind(reader *r, param *p) {
  unsigned kind;
  if (!reader_need(r, "=") ||
      !read_word(r, NOTATION_PARAM_KIND,
                 "expected pointer, int, float, bool, const, static or opaque",
                 &kind))
    return false;
  p->kind = (param_kind)kind;
  if (p->kind == PARAM_POINTER)
    return reader_need_word(r, "tensor") && reader_u32(r, &p->tensor) &&
           reader_need_word(r, "offset") && reader_expr(r, &p->offset);
  if (p->kind == PARAM_INT || p->kind == PARAM_CONST)
    return reader_expr(r, &p->value);
  return true;
}

/* The parameter is known by its name before its own type is read, which may
 * mention it. */
static bool read_param(reader *r) {
  size_t index = r->p->params.count;
  param p = {0};
  declared d;
  if (!reader_name(r, &p.name))
    return false;
  VEC_PUSH(r->arena, &r->p->params, p);
  reader_skip(r);
  if (r->text[r->at] == '%') {
    if (!reader_declared(r, &d) || !reader_define(r, &d))
      return false;
    p.value_id = d.id;
    p.type = d.type;
  }
  if (!read_param_kind(r, &p))
    return false;
  if (reader_take_word(r, "text") && !reader_string(r, &p.text))
    return false;
  r->p->params.at[index] = p;
  return true;
}

static bool read_decided(reader *r) {
  expr e;
  if (!reader_expr(r, &e))
    return false;
  VEC_PUSH(r->arena, &r->p->decided, e);
  return true;
}

static bool read_call(reader *r) {
  call_site c = {0};
  uint32_t number;
  reader_skip(r);
  size_t start = r->at;
  if (!reader_u32(r, &number) || !reader_name(r, &c.callee) ||
      (reader_take_word(r, "file") && !reader_string(r, &c.path)) ||
      (reader_take_word(r, "at") && !reader_span(r, &c.at)) ||
      (reader_take_word(r, "in") && !reader_u32(r, &c.parent)))
    return false;
  if (number != r->p->calls.count)
    return reader_fail_at(r, start, "calls are numbered from 1 in order");
  VEC_PUSH(r->arena, &r->p->calls, c);
  return true;
}

static const struct statement {
  const char *word;
  bool (*read)(reader *r);
} statements[] = {
    {"max_numel", read_max_numel}, {"symbol", read_symbol},
    {"tensor", read_tensor},       {"fact", read_fact},
    {"grid", read_grid},           {"param", read_param},
    {"decided", read_decided},     {"call", read_call},
    {"required", read_required},   {"misfit", read_misfit},
};

static bool read_statement(reader *r) {
  for (size_t i = 0; i < sizeof statements / sizeof statements[0]; i++)
    if (reader_take_word(r, statements[i].word))
      return statements[i].read(r) && reader_end_line(r);
  return reader_fail(
      r, "expected symbol, tensor, fact, required, misfit, grid, param, "
         "decided, call, max_numel or body");
}

static bool read_all(reader *r) {
  reader_skip_lines(r);
  if (!reader_need_word(r, "program") || !read_program(r) ||
      !reader_end_line(r))
    return false;
  reader_skip_lines(r);
  while (!reader_take_word(r, "body")) {
    if (!read_statement(r))
      return false;
    reader_skip_lines(r);
  }
  if (!reader_need(r, "{") || !reader_region(r, r->p->body))
    return false;
  reader_skip_lines(r);
  if (r->at < r->length)
    return reader_fail(r, "nothing may follow the body");
  return true;
}

static void locate(const reader *r, read_error *error) {
  error->line = 1;
  error->column = 1;
  for (size_t i = 0; i < r->error_at && i < r->length; i++) {
    bool newline = r->text[i] == '\n';
    error->line += newline;
    error->column = newline ? 1 : error->column + 1;
  }
  error->message = r->error;
}

tile_program *program_read(arena *kernel, const char *text, size_t length,
                           read_error *error) {
  reader r = {.arena = kernel, .length = length};
  r.text = arena_strndup(kernel, text, length);
  r.p = program_create(kernel, "", "");
  if (!read_all(&r)) {
    assert(r.error);
    locate(&r, error);
    return NULL;
  }
  program_number(r.p);
  return r.p;
}
