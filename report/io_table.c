/* report/io_table.c: what moves, as tables in Markdown and LaTeX. */
#include "report/io.h"

#include <string.h>

typedef struct table {
  strbuf *out;
  bool latex;
} table;

/* Text in a cell of LaTeX, outside of mathematics. */
static void put_text(const table *t, const char *text) {
  for (const char *p = text; *p; p++) {
    if (t->latex && strchr("_#$%&{}", *p))
      strbuf_putc(t->out, '\\');
    if (!t->latex && *p == '|')
      strbuf_putc(t->out, '\\');
    strbuf_putc(t->out, *p);
  }
}

static void put_formula(const table *t, const char *formula, const char *latex,
                        const char *at) {
  if (!formula)
    strbuf_put(t->out, "unknown");
  else if (t->latex)
    strbuf_printf(t->out, "$%s$", latex);
  else
    strbuf_printf(t->out, "`%s`", formula);
  if (formula && at && strcmp(at, formula) != 0)
    strbuf_printf(t->out, t->latex ? " $= %s$" : " = %s", at);
}

static void put_number(const table *t, const io_number *n) {
  put_formula(t, n->formula, n->latex, n->at);
}

static void cell(const table *t, bool first) {
  strbuf_put(t->out, t->latex ? (first ? "" : " & ") : (first ? "| " : " | "));
}

static void end_row(const table *t) {
  strbuf_put(t->out, t->latex ? " \\\\\n" : " |\n");
}

static void put_row(const table *t, const char *label, const io_amount *reads,
                    const io_amount *writes) {
  cell(t, true);
  put_text(t, label);
  cell(t, false);
  if (reads)
    put_number(t, &reads->elements);
  cell(t, false);
  if (writes)
    put_number(t, &writes->elements);
  end_row(t);
}

static void put_head(const table *t, const io_function_row *f) {
  strbuf_put(t->out, t->latex ? "\\paragraph{" : "### ");
  put_text(t, f->name);
  if (*f->choice) {
    strbuf_put(t->out, ", with ");
    put_text(t, f->choice);
  }
  strbuf_put(t->out, t->latex ? "}\n\\begin{tabular}{lll}\n" : "\n\n");
  if (t->latex)
    strbuf_put(t->out, " & reads & writes \\\\\n\\hline\n");
  else
    strbuf_put(t->out, "| | reads | writes |\n| --- | --- | --- |\n");
}

static const char *label_of(arena *arena, uint32_t line, const char *op,
                            const char *tensor) {
  return arena_printf(arena, "line %u: %s%s%s", line, op, tensor ? " " : "",
                      tensor ? tensor : "");
}

static void put_function(const table *t, const io_function_row *f) {
  put_head(t, f);
  for (size_t i = 0; i < f->access_count; i++) {
    const io_access_row *a = &f->accesses[i];
    put_row(t, label_of(t->out->arena, a->at.line, a->op, a->tensor),
            a->reads ? &a->moved : NULL, a->writes ? &a->moved : NULL);
  }
  for (size_t i = 0; i < f->step_count; i++) {
    const io_step_row *s = &f->steps[i];
    put_row(t, label_of(t->out->arena, s->at.line, s->name, NULL), &s->reads,
            &s->writes);
  }
  if (t->latex)
    strbuf_put(t->out, "\\hline\n");
  put_row(t, "elements", &f->reads, &f->writes);
  cell(t, true);
  strbuf_put(t->out, "bytes");
  cell(t, false);
  put_number(t, &f->reads.bytes);
  cell(t, false);
  put_number(t, &f->writes.bytes);
  end_row(t);
  strbuf_put(t->out, t->latex ? "\\end{tabular}\n\nIn all " : "\nIn all ");
  put_number(t, &f->total.elements);
  strbuf_put(t->out, " elements, ");
  put_number(t, &f->total.bytes);
  strbuf_put(t->out, " bytes.\n");
}

static void put_comparison(const table *t, const io_comparison *c) {
  put_text(t, c->first);
  strbuf_put(t->out, " against ");
  put_text(t, c->second);
  strbuf_put(t->out, ": ");
  put_formula(t, c->elements.formula, c->elements.latex, c->elements.at);
  if (c->limit.formula) {
    strbuf_put(t->out, ", tends to ");
    put_formula(t, c->limit.formula, c->limit.latex, NULL);
  }
  strbuf_put(t->out, ".\n");
}

static void put_all(const table *t, const io_report *r) {
  bool first = true;
  for (size_t i = 0; i < r->file_count; i++)
    for (size_t k = 0; k < r->files[i].function_count; k++) {
      strbuf_put(t->out, first ? "" : "\n");
      put_function(t, &r->files[i].functions[k]);
      first = false;
    }
  for (size_t i = 0; i < r->comparison_count; i++) {
    strbuf_put(t->out, first ? "" : "\n");
    put_comparison(t, &r->comparisons[i]);
    first = false;
  }
}

void io_markdown(const io_report *r, strbuf *out) {
  table t = {out, false};
  put_all(&t, r);
}

void io_latex(const io_report *r, strbuf *out) {
  table t = {out, true};
  put_all(&t, r);
}
