/* report/io_text.c: what moves, for a terminal. */
#include "report/io.h"

#include <string.h>

/* 7122461 as 7,122,461. */
static void put_digits(strbuf *out, const char *digits) {
  size_t n = strlen(digits), sign = digits[0] == '-';
  for (size_t i = 0; i < n; i++) {
    if (i > sign && (n - i) % 3 == 0)
      strbuf_putc(out, ',');
    strbuf_putc(out, digits[i]);
  }
}

static void put_value(strbuf *out, const char *at) {
  if (!at)
    return;
  strbuf_put(out, " = ");
  put_digits(out, at);
}

enum { LONG_FORMULA = 240, LONG_SHARE = 72 };

static void put_number(strbuf *out, const io_number *n, const char *unit) {
  if (!n->formula) {
    strbuf_printf(out, "unknown: %s", n->reason);
    if (n->line)
      strbuf_printf(out, " (line %u)", n->line);
    return;
  }
  bool plain = n->at && strcmp(n->at, n->formula) == 0;
  bool hidden = n->case_count || strlen(n->formula) > LONG_FORMULA;
  if (hidden && !n->at)
    strbuf_put(out, n->case_count ? "(in cases)" : "(long formula)");
  else if (hidden)
    put_digits(out, n->at);
  else
    strbuf_put(out, n->formula);
  if (!plain && !hidden)
    put_value(out, n->at);
  strbuf_printf(out, "%s%s", *unit ? " " : "", unit);
}

/* A long formula tells a reader less than its value. */
static bool is_shown(const io_share *s) {
  return s->formula && strcmp(s->formula, "0") != 0 &&
         (s->at || strlen(s->formula) <= LONG_SHARE);
}

static void put_share(strbuf *out, const io_share *s) {
  bool both = strlen(s->formula) <= LONG_SHARE && s->at &&
              strcmp(s->at, s->formula) != 0;
  if (!s->at || both)
    strbuf_put(out, s->formula);
  strbuf_printf(out, "%s%s", both ? " = " : "", s->at ? s->at : "");
}

static void put_cases(strbuf *out, const io_number *n) {
  for (size_t i = 0; i < n->case_count; i++) {
    const io_case_text *c = &n->cases[i];
    if (c->when)
      strbuf_printf(out, "             if %s: %s\n", c->when, c->formula);
    else
      strbuf_printf(out, "             else: %s\n", c->formula);
  }
  if (!n->case_count && n->formula && strlen(n->formula) > LONG_FORMULA)
    strbuf_printf(out, "             %s\n", n->formula);
}

/* Lines of a function: label, elements, bytes. */
static void put_amount(strbuf *out, const char *label, const io_amount *a) {
  strbuf_printf(out, "  %-8s ", label);
  put_number(out, &a->elements, "elements");
  strbuf_putc(out, '\n');
  put_cases(out, &a->elements);
  if (!a->elements.formula)
    return;
  strbuf_printf(out, "  %-8s ", "");
  put_number(out, &a->bytes, "bytes");
  strbuf_putc(out, '\n');
  put_cases(out, &a->bytes);
}

static void put_access(strbuf *out, const io_access_row *a) {
  const char *way = a->reads && a->writes ? "reads and writes"
                    : a->reads            ? "reads"
                                          : "writes";
  strbuf_printf(out, "    %u:%u %s %s %s ", a->at.line, a->at.column, a->op,
                a->tensor ? a->tensor : "?", way);
  put_number(out, &a->moved.elements, "");
  if (is_shown(&a->idle)) {
    strbuf_put(out, "; idle lanes ");
    put_share(out, &a->idle);
  }
  strbuf_putc(out, '\n');
}

static void put_tensor(strbuf *out, const io_tensor_row *t) {
  strbuf_printf(out, "    %s: %s ", t->name, t->read ? "reads" : "writes");
  put_number(out, &t->requested, "");
  if (t->distinct.formula) {
    strbuf_put(out, ", distinct ");
    put_number(out, &t->distinct, "");
  } else {
    strbuf_printf(out, ", distinct unknown: %s", t->distinct.reason);
  }
  if (t->times.formula && strcmp(t->times.formula, "1") == 0) {
    strbuf_put(out, t->read ? ", each read once" : ", each written once");
  } else if (is_shown(&t->times)) {
    strbuf_put(out, t->read ? ", each read " : ", each written ");
    put_share(out, &t->times);
    strbuf_put(out, " times");
  }
  strbuf_putc(out, '\n');
}

static void put_step(strbuf *out, const io_step_row *s) {
  strbuf_printf(out, "    %u:%u %s%s reads ", s->at.line, s->at.column,
                s->launch ? "launch " : "", s->name);
  put_number(out, &s->reads.elements, "");
  if (s->reads.elements.formula) {
    strbuf_put(out, ", writes ");
    put_number(out, &s->writes.elements, "");
  }
  strbuf_putc(out, '\n');
}

static void put_title(strbuf *out, const char *path, const io_function_row *f) {
  strbuf_printf(out, "%s:%u: %s %s", path, f->line,
                f->kernel ? "kernel" : "function", f->name);
  if (f->launch_line)
    strbuf_printf(out, ", launched on line %u", f->launch_line);
  else if (f->kernel)
    strbuf_put(out, ", never launched here");
  if (*f->choice)
    strbuf_printf(out, ", with %s", f->choice);
  strbuf_putc(out, '\n');
  if (*f->only)
    strbuf_printf(out, "  for %s only\n", f->only);
  for (size_t i = 0; i < f->assumption_count; i++)
    strbuf_printf(out, "  assuming %s\n", f->assumptions[i]);
}

static void put_function(strbuf *out, const char *path,
                         const io_function_row *f) {
  put_title(out, path, f);
  for (size_t i = 0; i < f->access_count; i++)
    put_access(out, &f->accesses[i]);
  for (size_t i = 0; i < f->tensor_count; i++)
    put_tensor(out, &f->tensors[i]);
  for (size_t i = 0; i < f->step_count; i++)
    put_step(out, &f->steps[i]);
  put_amount(out, "reads", &f->reads);
  put_amount(out, "writes", &f->writes);
  if (f->has_atomic)
    put_amount(out, "atomic", &f->atomic);
  put_amount(out, "total", &f->total);
  if (*f->fixed_names) {
    strbuf_printf(out, "  with %s\n", f->fixed_names);
    put_amount(out, "total", &f->fixed);
  }
  if (is_shown(&f->idle)) {
    strbuf_printf(out, "  %-8s ", "idle");
    put_share(out, &f->idle);
    strbuf_put(out, " of all lanes\n");
  }
  if (f->has_on_chip) {
    strbuf_printf(out, "  %-8s ", "on chip");
    put_number(out, &f->on_chip, "bytes of a program");
    strbuf_putc(out, '\n');
  }
  if (f->time)
    strbuf_printf(out, "  %-8s %s\n", "time", f->time);
  if (f->no_value)
    strbuf_printf(out, "  %-8s none: %s\n", "value", f->no_value);
}

static void put_comparison(strbuf *out, const io_comparison *c) {
  strbuf_printf(out, "%s against %s\n", c->first, c->second);
  if (!c->elements.formula) {
    strbuf_printf(out, "  unknown: %s\n", c->reason);
    return;
  }
  strbuf_printf(out, "  %-8s ", "elements");
  put_share(out, &c->elements);
  if (c->limit.formula)
    strbuf_printf(out, ", tends to %s as all sizes grow", c->limit.formula);
  strbuf_putc(out, '\n');
  if (c->bytes.formula) {
    strbuf_printf(out, "  %-8s ", "bytes");
    put_share(out, &c->bytes);
    strbuf_putc(out, '\n');
  }
}

void io_text(const io_report *r, strbuf *out) {
  bool first = true;
  for (size_t i = 0; i < r->file_count; i++) {
    const io_file_row *file = &r->files[i];
    for (size_t k = 0; k < file->function_count; k++) {
      strbuf_put(out, first ? "" : "\n");
      put_function(out, file->path, &file->functions[k]);
      first = false;
    }
  }
  for (size_t i = 0; i < r->comparison_count; i++) {
    strbuf_put(out, first ? "" : "\n");
    put_comparison(out, &r->comparisons[i]);
    first = false;
  }
}
