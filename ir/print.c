/* ir/print.c: the text form of a tile program (docs/tile-ir.md), one statement
 * a line. ir/read.c reads it back; what one of them prints or reads, the
 * other must know. */
#include "base/panic.h"
#include "ir/notation.h"
#include "ir/text.h"
#include "ops/ops.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct printer {
  const tile_program *p;
  strbuf *out;
} printer;

static void put(printer *w, const char *text) {
  strbuf_put(w->out, text);
}

static void put_expr(printer *w, expr e) {
  expr_print(w->p->exprs, e, w->out);
}

static void put_name(printer *w, const char *name) {
  text_put_name(w->out, name ? name : "");
}

static void put_exprs(printer *w, const char *open, const expr *list,
                      size_t count, const char *close) {
  put(w, open);
  for (size_t i = 0; i < count; i++) {
    put(w, i ? ", " : "");
    put_expr(w, list[i]);
  }
  put(w, close);
}

static bool is_nowhere(const span *s) {
  return !s->line && !s->column && !s->end_line && !s->end_column;
}

static void put_span(printer *w, const char *before, span s) {
  if (!is_nowhere(&s))
    strbuf_printf(w->out, "%s%u:%u-%u:%u", before, s.line, s.column, s.end_line,
                  s.end_column);
}

static void put_line(printer *w, uint32_t line) {
  if (line)
    strbuf_printf(w->out, " line %u", line);
}

static void put_string(printer *w, const char *before, const char *text) {
  if (!text)
    return;
  put(w, before);
  text_put_string(w->out, text);
}

/* The shortest decimal that reads back as the same double. */
static void put_number(printer *w, double x) {
  char text[40];
  if (isnan(x) || isinf(x)) {
    put(w, isnan(x) ? "nan" : x > 0 ? "inf" : "-inf");
    return;
  }
  for (int digits = 1; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, x);
    if (strtod(text, NULL) == x)
      break;
  }
  put(w, text);
  if (!strpbrk(text, ".e"))
    put(w, ".0");
}

static void put_type(printer *w, const type *t) {
  const tile_program *p = w->p;
  if (t->rank)
    put(w, "tile<");
  for (uint8_t d = 0; d < t->rank; d++) {
    put_expr(w, t->dim[d]);
    put(w, " x ");
  }
  put(w, t->pointer ? "ptr<" : "");
  put(w, scalar_name(t->elem));
  for (uint32_t i = 0; i < 64; i++)
    if (t->wide >> i & 1) {
      put(w, "^");
      if (i < p->params.count)
        put_name(w, p->params.at[i].name);
    }
  put(w, t->pointer ? ">" : "");
  put(w, t->rank ? ">" : "");
}

/* ------------------------------------------------------------ the launch */

static void put_flag(printer *w, bool flag, const char *word) {
  if (flag)
    put(w, word);
}

static void put_symbol(printer *w, const symbol *s) {
  put(w, "symbol ");
  put_name(w, s->name);
  strbuf_printf(w->out, " %s", notation_of(NOTATION_SYMBOL_ROLE, s->role));
  put_flag(w, s->pow2, " pow2");
  if (s->pinned || s->pin)
    strbuf_printf(w->out, " %s %lld", s->pinned ? "pinned" : "pin",
                  (long long)s->pin);
  put_flag(w, s->unbounded, " unbounded");
  for (uint32_t i = 0; i < s->label_count; i++) {
    put_string(w, i ? ", " : " (", s->labels[i]);
  }
  put_flag(w, s->label_count > 0, ")");
  put_line(w, s->line);
  put(w, "\n");
}

static bool starts_its_storage(const printer *w, const tensor *t) {
  int64_t start;
  return expr_is_int(w->p->exprs, t->start, &start) && start == 0;
}

static void put_tensor(printer *w, const tensor *t) {
  put(w, "tensor ");
  put_name(w, t->name);
  strbuf_printf(w->out, " %s ", scalar_name(t->dtype));
  if (t->known) {
    put_exprs(w, "[", t->extent, t->rank, "]");
    put_exprs(w, " stride (", t->stride, t->rank, ")");
  } else {
    put(w, "unknown");
  }
  strbuf_printf(w->out, " %s", notation_of(NOTATION_TENSOR_ROLE, t->role));
  put_flag(w, t->parameter, " parameter");
  put_flag(w, t->assumed_contiguous, " contiguous");
  put_flag(w, t->free_strides, " free");
  put_flag(w, t->more_axes, " open");
  put_flag(w, t->disjoint, " disjoint");
  put_flag(w, t->written, " written");
  if (t->part_written) {
    put_exprs(w, " part [", t->part_low, t->rank, "]");
    put_exprs(w, " to [", t->part_high, t->rank, "]");
  }
  strbuf_printf(w->out, " storage %u", t->storage);
  if (t->start == EXPR_NONE)
    put(w, " adrift");
  else if (!starts_its_storage(w, t))
    put_exprs(w, " start ", &t->start, 1, "");
  if (t->perhaps)
    strbuf_printf(w->out, " perhaps %u", t->perhaps - 1);
  put_flag(w, t->held, " held");
  put_flag(w, t->anywhere, " anywhere");
  put_flag(w, t->own, " own");
  if (t->align)
    strbuf_printf(w->out, " align %lld", (long long)t->align);
  if (t->has_range) {
    put_exprs(w, " range (", &t->least, 1, ", ");
    put_exprs(w, "", &t->greatest, 1, ")");
  }
  put_flag(w, t->any_content, " any_content");
  put_flag(w, t->distinct, " distinct");
  if (t->except_count)
    put_exprs(w, " except {", t->except, t->except_count, "}");
  put_flag(w, t->sorted, " sorted");
  put_flag(w, t->tied, " tied");
  put_line(w, t->line);
  put_string(w, " origin ", t->origin);
  put(w, "\n");
}

static void put_fact(printer *w, const char *word, const fact *f) {
  put(w, word);
  put_exprs(w, " ", &f->condition, 1, " : ");
  put(w, notation_of(NOTATION_FACT_ORIGIN, f->origin));
  put_line(w, f->line);
  put(w, "\n");
}

static void put_value_type(printer *w, value_id v) {
  strbuf_printf(w->out, "%%%u", v);
  if (w->p->values.at[v].name) {
    put(w, " ");
    put_name(w, w->p->values.at[v].name);
  }
  put(w, " : ");
  put_type(w, &w->p->values.at[v].type);
}

static void put_param(printer *w, const param *p) {
  put(w, "param ");
  put_name(w, p->name);
  if (p->value_id) {
    put(w, " ");
    put_value_type(w, p->value_id);
  }
  strbuf_printf(w->out, " = %s", notation_of(NOTATION_PARAM_KIND, p->kind));
  if (p->kind == PARAM_POINTER) {
    strbuf_printf(w->out, " tensor %u offset ", p->tensor);
    put_expr(w, p->offset);
  } else if (p->kind == PARAM_INT || p->kind == PARAM_CONST) {
    put(w, " ");
    put_expr(w, p->value);
  }
  put_string(w, " text ", p->text);
  put(w, "\n");
}

static void put_call(printer *w, size_t number, const call_site *c) {
  strbuf_printf(w->out, "call %zu ", number);
  put_name(w, c->callee);
  put_string(w, " file ", c->path);
  put_span(w, " at ", c->at);
  if (c->parent)
    strbuf_printf(w->out, " in %u", c->parent);
  put(w, "\n");
}

static void put_header(printer *w) {
  const tile_program *p = w->p;
  put_string(w, "program ", p->path);
  put(w, " ");
  put_name(w, p->kernel);
  put_span(w, " at ", p->at);
  if (p->launch_line)
    strbuf_printf(w->out, " launch %u", p->launch_line);
  if (p->unread_line)
    strbuf_printf(w->out, " unread %u", p->unread_line);
  strbuf_printf(w->out, "\nmax_numel %lld\n", (long long)p->max_numel);
}

static void put_launch(printer *w) {
  const tile_program *p = w->p;
  put_header(w);
  for (size_t i = 0; i < exprs_symbol_count(p->exprs); i++)
    put_symbol(w, exprs_symbol_at(p->exprs, i));
  for (size_t i = 0; i < p->tensors.count; i++)
    put_tensor(w, &p->tensors.at[i]);
  for (size_t i = 0; i < p->facts.count; i++)
    put_fact(w, "fact", &p->facts.at[i]);
  for (size_t i = 0; i < p->required.count; i++)
    put_fact(w, "required", &p->required.at[i]);
  for (size_t i = 0; i < p->misfits.count; i++) {
    put_string(w, "misfit ", p->misfits.at[i].text);
    put_line(w, p->misfits.at[i].line);
    put(w, "\n");
  }
  put_exprs(w, "grid (", p->grid, 3, ")");
  strbuf_printf(w->out, " rank %u", p->grid_rank);
  put_line(w, p->grid_line);
  put(w, "\n");
  for (size_t i = 0; i < p->params.count; i++)
    put_param(w, &p->params.at[i]);
  for (size_t i = 0; i < p->decided.count; i++)
    put_exprs(w, "decided ", &p->decided.at[i], 1, "\n");
  for (size_t i = 1; i < p->calls.count; i++)
    put_call(w, i, &p->calls.at[i]);
}

/* -------------------------------------------------------------- the body */

static void put_region(printer *w, const region *r, unsigned depth);

static void put_indent(printer *w, unsigned depth) {
  for (unsigned i = 0; i < depth; i++)
    put(w, "  ");
}

static void put_value(printer *w, value_id v) {
  if (v)
    strbuf_printf(w->out, "%%%u", v);
  else
    put(w, "_");
}

static void put_values(printer *w, const value_id *list, size_t count) {
  for (size_t i = 0; i < count; i++) {
    put(w, i ? ", " : "");
    put_value(w, list[i]);
  }
}

/* `name : type = init, ...` for the values that a loop carries. */
static void put_carried(printer *w, const value_id *args, const value_id *inits,
                        size_t count) {
  for (size_t i = 0; i < count; i++) {
    put(w, i ? ", " : "");
    put_value_type(w, args[i]);
    put(w, " = ");
    put_value(w, inits[i]);
  }
}

static void put_place(printer *w, const inst *i) {
  put_span(w, " @", i->at);
  if (i->call)
    strbuf_printf(w->out, " call %u", i->call);
  put_span(w, " inner ", i->inner);
}

static void put_op(printer *w, const inst *i) {
  put(w, op_name(i->op));
  put(w, i->operand_count ? " " : "");
  put_values(w, i->operands, i->operand_count);
  if (i->attr_count)
    put_exprs(w, " [", i->attrs, i->attr_count, "]");
  if (notation_has_number(w->p, i)) {
    put(w, " ");
    put_number(w, i->number);
  }
  put_string(w, " ", i->text);
  put_place(w, i);
  put(w, "\n");
}

static void put_for(printer *w, const inst *i, unsigned depth) {
  const region *r = i->regions[0];
  assert(i->operand_count >= 3 && r->args.count == i->operand_count - 2);
  put(w, "for ");
  put_value_type(w, r->args.at[0]);
  put(w, " = ");
  put_value(w, i->operands[0]);
  put(w, " to ");
  put_value(w, i->operands[1]);
  put(w, " step ");
  put_value(w, i->operands[2]);
  put(w, " carry (");
  put_carried(w, r->args.at + 1, i->operands + 3, r->args.count - 1);
  put(w, ")");
  put_place(w, i);
  put(w, " {\n");
  put_region(w, r, depth + 1);
  put_indent(w, depth);
  put(w, "}\n");
}

static void put_if(printer *w, const inst *i, unsigned depth) {
  put(w, "if ");
  put_values(w, i->operands, i->operand_count);
  put_place(w, i);
  put(w, " {\n");
  put_region(w, i->regions[0], depth + 1);
  put_indent(w, depth);
  put(w, "} else {\n");
  put_region(w, i->regions[1], depth + 1);
  put_indent(w, depth);
  put(w, "}\n");
}

static void put_while(printer *w, const inst *i, unsigned depth) {
  const region *condition = i->regions[0], *turn = i->regions[1];
  assert(condition->args.count == i->operand_count);
  put(w, "while (");
  put_carried(w, condition->args.at, i->operands, i->operand_count);
  put(w, ")");
  put_place(w, i);
  put(w, " {\n");
  put_region(w, condition, depth + 1);
  put_indent(w, depth);
  put(w, "} do (");
  for (size_t k = 0; k < turn->args.count; k++) {
    put(w, k ? ", " : "");
    put_value_type(w, turn->args.at[k]);
  }
  put(w, ") {\n");
  put_region(w, turn, depth + 1);
  put_indent(w, depth);
  put(w, "}\n");
}

static void put_inst(printer *w, const inst *i, unsigned depth) {
  put_indent(w, depth);
  for (uint32_t k = 0; k < i->result_count; k++) {
    put(w, k ? ", " : "");
    put_value_type(w, i->results[k]);
  }
  put(w, i->result_count ? " = " : "");
  switch (i->kind) {
  case NODE_OP:
    put_op(w, i);
    return;
  case NODE_FOR:
    put_for(w, i, depth);
    return;
  case NODE_IF:
    put_if(w, i, depth);
    return;
  case NODE_WHILE:
    put_while(w, i, depth);
    return;
  }
}

static void put_region(printer *w, const region *r, unsigned depth) {
  for (size_t i = 0; i < r->insts.count; i++)
    put_inst(w, r->insts.at[i], depth);
  if (r->yields.count == 0)
    return;
  put_indent(w, depth);
  put(w, "yield ");
  put_values(w, r->yields.at, r->yields.count);
  put(w, "\n");
}

void program_print(const tile_program *p, strbuf *out) {
  printer w = {.p = p, .out = out};
  put_launch(&w);
  put(&w, "body {\n");
  put_region(&w, p->body, 1);
  put(&w, "}\n");
}
