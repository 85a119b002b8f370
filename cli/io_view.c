/* cli/io_view.c: formulas as text, and their values. */
#include "cli/io_view.h"

#include "traffic/latex.h"
#include "traffic/ratio.h"

#include <string.h>

enum { LONG_FORMULA = 120 };

typedef struct viewing {
  const io_view *view;
  arena *arena;
  const io_function *f;
  io_place *place; /* null: no values */
} viewing;

static const char *formula_text(arena *arena, const io_function *f, sym e) {
  strbuf out = strbuf_make(arena);
  count_print(f->syms, count_rename(f->judge, e), &out);
  return out.text;
}

static const char *latex_text(arena *arena, const io_function *f, sym e) {
  strbuf out = strbuf_make(arena);
  latex_print(f->syms, count_rename(f->judge, e), &out);
  return out.text;
}

static const char *digits(arena *arena, int128 v) {
  char text[48], *p = text + sizeof text;
  bool negative = v < 0;
  *--p = '\0';
  do {
    int digit = (int)(v % 10);
    *--p = (char)('0' + (digit < 0 ? -digit : digit));
    v /= 10;
  } while (v != 0);
  if (negative)
    *--p = '-';
  return arena_strdup(arena, p);
}

/* ------------------------------------------------------------------ numbers */

static void add_cases(const viewing *v, sym e, io_number *out) {
  count_cases cases = count_split(v->f->judge, e);
  if (cases.count < 2)
    return;
  io_case_text *rows = ARENA_ARRAY(v->arena, io_case_text, cases.count);
  symtab *t = v->f->syms;
  for (size_t i = 0; i < cases.count; i++) {
    const count_case *c = &cases.at[i];
    bool always = sym_kind_of(t, c->when) == SYM_TRUE;
    rows[i].when = always ? NULL : formula_text(v->arena, v->f, c->when);
    rows[i].formula = formula_text(v->arena, v->f, c->formula);
    rows[i].latex = latex_text(v->arena, v->f, c->formula);
  }
  out->cases = rows;
  out->case_count = cases.count;
}

/* The quantity, with its value if `value` says so. */
static io_number number(const viewing *v, io_quantity q, bool known,
                        int128 value) {
  io_number out = {.reason = q.reason, .line = q.at.line};
  if (q.formula == SYM_NONE)
    return out;
  out.formula = formula_text(v->arena, v->f, q.formula);
  out.latex = latex_text(v->arena, v->f, q.formula);
  if (known)
    out.at = digits(v->arena, value);
  add_cases(v, q.formula, &out);
  return out;
}

static io_number number_when(const viewing *v, sym when, io_quantity q) {
  int128 value = 0;
  bool known = v->place && io_value_when(v->place, when, q.formula, &value);
  return number(v, q, known, value);
}

static io_amount amount_when(const viewing *v, sym when, io_flow f) {
  return (io_amount){number_when(v, when, f.elements),
                     number_when(v, when, f.bytes)};
}

/* ------------------------------------------- sums of a host function's steps
 */

enum { READS = 1, WRITES = 2 };

/* Step by step: a launch on an empty grid moves nothing. */
static bool sum_value(const viewing *v, int ways, bool bytes, int128 *out) {
  const io_function *f = v->f;
  int128 part;
  *out = 0;
  for (size_t i = 0; i < f->steps.count; i++)
    for (int way = READS; way <= WRITES; way++) {
      const io_step *s = &f->steps.at[i];
      io_flow flow = way == READS ? s->reads : s->writes;
      sym e = bytes ? flow.bytes.formula : flow.elements.formula;
      if (!(ways & way))
        continue;
      if (!io_value_when(v->place, s->when, e, &part))
        return false;
      *out += part;
    }
  return true;
}

static io_number sum_number(const viewing *v, int ways, bool bytes,
                            io_quantity q) {
  int128 value = 0;
  if (v->f->kernel)
    return number_when(v, v->f->when, q);
  bool known = v->place && q.formula && sum_value(v, ways, bytes, &value);
  return number(v, q, known, value);
}

static io_amount sum_amount(const viewing *v, int ways, io_flow f) {
  return (io_amount){sum_number(v, ways, false, f.elements),
                     sum_number(v, ways, true, f.bytes)};
}

/* ------------------------------------------------------------------- shares */

static const char *ratio_text(arena *arena, const io_function *f, ratio r) {
  const symtab *t = f->syms;
  int64_t one;
  const char *above = formula_text(arena, f, r.above);
  if (sym_is_int(t, r.below, &one) && one == 1)
    return above;
  const sym_term *terms;
  bool sum_above = sym_terms(t, r.above, &terms) > 1;
  const char *below = formula_text(arena, f, r.below);
  bool sum_below = strpbrk(below, " */") != NULL;
  return arena_printf(arena, "%s%s%s/%s%s%s", sum_above ? "(" : "", above,
                      sum_above ? ")" : "", sum_below ? "(" : "", below,
                      sum_below ? ")" : "");
}

static const char *ratio_latex(arena *arena, const io_function *f, ratio r) {
  int64_t one;
  if (sym_is_int(f->syms, r.below, &one) && one == 1)
    return latex_text(arena, f, r.above);
  return arena_printf(arena, "\\frac{%s}{%s}", latex_text(arena, f, r.above),
                      latex_text(arena, f, r.below));
}

static io_share share(const viewing *v, sym above, sym below, sym when,
                      bool percent) {
  io_share out = {0};
  int64_t zero;
  symtab *t = v->f->syms;
  if (!above || !below || (sym_is_int(t, below, &zero) && zero == 0))
    return out;
  ratio r = ratio_of(t, above, below);
  int128 a, b;
  out.formula = ratio_text(v->arena, v->f, r);
  out.latex = ratio_latex(v->arena, v->f, r);
  if (!v->place || !io_value_when(v->place, when, above, &a) ||
      !io_value_when(v->place, when, below, &b) || b == 0)
    return out;
  double value = (double)a / (double)b;
  out.at = percent ? arena_printf(v->arena, "%.2f %%", 100 * value)
                   : arena_printf(v->arena, "%.2f", value);
  out.number = arena_printf(v->arena, "%.6f", value);
  return out;
}

static io_share idle_share(const viewing *v, io_quantity live,
                           io_quantity lanes, sym when) {
  if (!live.formula || !lanes.formula)
    return (io_share){0};
  sym idle = sym_sub(v->f->syms, lanes.formula, live.formula);
  return share(v, idle, lanes.formula, when, true);
}

/* --------------------------------------------------------------------- rows */

static void add_accesses(const viewing *v, io_function_row *out) {
  const io_function *f = v->f;
  io_access_row *rows =
      ARENA_ARRAY(v->arena, io_access_row, f->accesses.count + 1);
  for (size_t i = 0; i < f->accesses.count; i++) {
    const io_access *a = &f->accesses.at[i];
    rows[i] = (io_access_row){
        .at = a->at,
        .op = a->op ? a->op : "call",
        .tensor = a->tensor,
        .reads = a->reads,
        .writes = a->writes,
        .moved = amount_when(v, f->when, a->moved),
        .idle = idle_share(v, a->moved.elements, a->lanes, f->when)};
  }
  out->accesses = rows;
  out->access_count = f->accesses.count;
}

static const char *role_name(tensor_role role) {
  return role == TENSOR_IN ? "in" : role == TENSOR_OUT ? "out" : "inout";
}

static void add_tensors(const viewing *v, io_function_row *out) {
  const io_function *f = v->f;
  io_tensor_row *rows =
      ARENA_ARRAY(v->arena, io_tensor_row, f->tensors.count + 1);
  for (size_t i = 0; i < f->tensors.count; i++) {
    const io_tensor *t = &f->tensors.at[i];
    int64_t zero;
    rows[i] = (io_tensor_row){
        .name = t->name,
        .role = role_name(t->role),
        .read = !(t->reads.elements.formula &&
                  sym_is_int(f->syms, t->reads.elements.formula, &zero)),
        .requested = number_when(v, f->when, t->requested),
        .distinct = number_when(v, f->when, t->distinct),
        .times = share(v, t->requested.formula, t->distinct.formula, f->when,
                       false)};
  }
  out->tensors = rows;
  out->tensor_count = f->tensors.count;
}

static void add_steps(const viewing *v, io_function_row *out) {
  const io_function *f = v->f;
  io_step_row *rows = ARENA_ARRAY(v->arena, io_step_row, f->steps.count + 1);
  for (size_t i = 0; i < f->steps.count; i++) {
    const io_step *s = &f->steps.at[i];
    rows[i] = (io_step_row){.at = s->at,
                            .name = s->name,
                            .launch = s->launch,
                            .reads = amount_when(v, s->when, s->reads),
                            .writes = amount_when(v, s->when, s->writes)};
  }
  out->steps = rows;
  out->step_count = f->steps.count;
}

/* --------------------------------------------------------------------- time */

static void add_time(const viewing *v, io_function_row *out) {
  int128 bytes = 0;
  const io_view *view = v->view;
  if (!view->bandwidth || !v->place || !out->total.bytes.at)
    return;
  bool known = v->f->kernel ? io_value_when(v->place, v->f->when,
                                            v->f->total.bytes.formula, &bytes)
                            : sum_value(v, READS | WRITES, true, &bytes);
  double us = (double)bytes / view->bandwidth * 1e6;
  if (known)
    out->time =
        us < 1000
            ? arena_printf(v->arena, "%.2f us on %s (%.2f TB/s)", us,
                           view->gpu_name, view->bandwidth / 1e12)
            : arena_printf(v->arena, "%.3f ms on %s (%.2f TB/s)", us / 1000,
                           view->gpu_name, view->bandwidth / 1e12);
}

/* Why a total has no value, null if both have one. That element sizes are
 * missing, its formula shows. */
static const char *why_no_value(const viewing *v, const io_function_row *row) {
  io_names missing = {0};
  const io_flow *total = &v->f->total;
  bool elements = row->total.elements.at || !row->total.elements.formula;
  bool bytes = row->total.bytes.at || !row->total.bytes.formula;
  if (elements && bytes)
    return NULL;
  io_missing(v->place,
             elements ? total->bytes.formula : total->elements.formula,
             &missing);
  if (missing.count == 0)
    return arena_printf(v->arena, "the number of %s does not fit 126 bits",
                        elements ? "bytes" : "elements");
  if (elements)
    return NULL;
  strbuf out = strbuf_make(v->arena);
  for (size_t i = 0; i < missing.count; i++)
    strbuf_printf(&out, "%s%s", i ? ", " : "", missing.at[i]);
  return arena_printf(v->arena, "--at gives no value for %s", out.text);
}

bool io_view_is_long(const io_view *view, const io_function *f) {
  sym e = f->total.elements.formula;
  return e && (count_split(f->judge, e).count > 1 ||
               strlen(formula_text(view->arena, f, e)) > LONG_FORMULA);
}

static void add_fixed(const io_view *view, const io_function *f,
                      const io_function *fixed, io_function_row *out) {
  viewing v = {view, view->arena, fixed, NULL};
  strbuf names = strbuf_make(view->arena);
  for (size_t i = 0; i < f->pins.count; i++)
    strbuf_printf(&names, "%s%s=%lld", names.length ? ", " : "",
                  f->pins.at[i].name, (long long)f->pins.at[i].value);
  out->fixed_names = names.text;
  out->fixed = sum_amount(&v, READS | WRITES, fixed->total);
}

static bool is_zero(const io_function *f, io_quantity q) {
  int64_t number;
  return q.formula && sym_is_int(f->syms, q.formula, &number) && number == 0;
}

io_function_row io_view_function(const io_view *view, const io_function *f,
                                 const io_function *fixed) {
  io_function_row out = {.name = f->name,
                         .line = f->at.line,
                         .kernel = f->kernel,
                         .launch_line = f->launch_line,
                         .choice = f->choice,
                         .only = f->only,
                         .fixed_names = "",
                         .assumptions = f->assumptions.at,
                         .assumption_count = f->assumptions.count};
  io_place place;
  viewing v = {view, view->arena, f, NULL};
  const char *refused = NULL;
  if (view->values) {
    refused = io_place_make(view->arena, f, view->values, &place);
    v.place = refused ? NULL : &place;
  }
  add_accesses(&v, &out);
  add_tensors(&v, &out);
  add_steps(&v, &out);
  out.reads = sum_amount(&v, READS, f->reads);
  out.writes = sum_amount(&v, WRITES, f->writes);
  out.total = sum_amount(&v, READS | WRITES, f->total);
  out.atomic = amount_when(&v, f->when, f->atomic);
  out.has_atomic = !is_zero(f, f->atomic.elements);
  out.idle =
      f->kernel ? idle_share(&v, f->live, f->lanes, f->when) : (io_share){0};
  out.has_on_chip = f->kernel && !is_zero(f, f->on_chip);
  out.on_chip = number_when(&v, sym_true(f->syms), f->on_chip);
  out.no_value = refused ? refused : v.place ? why_no_value(&v, &out) : NULL;
  if (fixed)
    add_fixed(view, f, fixed, &out);
  add_time(&v, &out);
  return out;
}

/* -------------------------------------------------------------- comparisons */

/* Sizes of the second function in the first one's names: those of equal axes of
 * parameters of one name, else those of one name. */
typedef struct renaming {
  const io_function *first, *second;
} renaming;

static const char *name_in_first(const renaming *n, const char *name) {
  const host_unit *a = n->first->unit, *b = n->second->unit;
  for (size_t i = 0; a && b && i < b->axes.count; i++)
    for (size_t k = 0; k < a->axes.count; k++)
      if (strcmp(b->axes.at[i].symbol, name) == 0 &&
          b->axes.at[i].axis == a->axes.at[k].axis &&
          strcmp(b->axes.at[i].parameter, a->axes.at[k].parameter) == 0)
        return a->axes.at[k].symbol;
  return name;
}

static sym rename_variable(void *context, const symtab *from, sym variable) {
  const renaming *n = context;
  const char *name = name_in_first(n, sym_var_name(from, variable));
  const tile_program *p = n->first->program;
  expr e = exprs_find(p->exprs, name);
  if (e != EXPR_NONE)
    return launch_sym(judge_launch(n->first->judge), e);
  return sym_var(n->first->syms, sym_var_role(from, variable), name);
}

static io_share compare(const viewing *v, const renaming *n, bool bytes) {
  const io_flow *a = &n->first->total, *b = &n->second->total;
  sym above = bytes ? a->bytes.formula : a->elements.formula;
  sym from = bytes ? b->bytes.formula : b->elements.formula;
  if (!above || !from)
    return (io_share){0};
  sym below = io_import(n->first->syms, n->second->syms, from, rename_variable,
                        (void *)n);
  return share(v, above, below, sym_true(n->first->syms), false);
}

io_comparison io_view_comparison(const io_view *view, const io_function *first,
                                 const io_function *second,
                                 const char *first_name,
                                 const char *second_name) {
  io_comparison out = {.first = first_name, .second = second_name};
  renaming n = {first, second};
  io_place place;
  viewing v = {view, view->arena, first, NULL};
  if (view->values && !io_place_make(view->arena, first, view->values, &place))
    v.place = &place;
  out.elements = compare(&v, &n, false);
  out.bytes = compare(&v, &n, true);
  if (!out.elements.formula) {
    out.reason = "a total is not known";
    return out;
  }
  ratio limit;
  sym below = io_import(first->syms, second->syms,
                        second->total.elements.formula, rename_variable, &n);
  if (ratio_limit(first->syms, first->total.elements.formula, below, &limit)) {
    out.limit.formula = ratio_text(view->arena, first, limit);
    out.limit.latex = ratio_latex(view->arena, first, limit);
  }
  return out;
}
