/* report/text.c: messages for people.
 *
 * Each file's findings and verdict groups are put in text order; each becomes
 * a head line, a code frame and a list of `= ` lines. Everything that came
 * from outside passes through utf8_put_all_shown. */
#include "checks/check.h"
#include "report/frame.h"
#include "report/group.h"
#include "report/phrase.h"
#include "report/report.h"
#include "report/utf8.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* One thing to print. */
typedef struct item {
  span at;
  check_id code;
  size_t order;
  const finding *finding;     /* or */
  const verdict_group *group; /* of verdicts */
} item;

typedef VEC(item) items;

typedef struct writer {
  strbuf *out;
  text_style style;
  const file_report *file;
  size_t messages; /* written so far, in all files */
} writer;

static void put(const writer *w, const char *text) {
  utf8_put_all_shown(w->out, text);
}

static void put_ink(const writer *w, ink which) {
  strbuf_put(w->out, ink_text(w->style, which));
}

/* `error[TC102]: `, and everything up to the code frame's own lines. */
static void put_head(writer *w, ink color, const char *severity, check_id code,
                     const char *message) {
  if (w->messages++)
    strbuf_putc(w->out, '\n');
  put_ink(w, color);
  strbuf_printf(w->out, "%s[TC%d]", severity, (int)code);
  put_ink(w, INK_OFF);
  put_ink(w, INK_BOLD);
  strbuf_put(w->out, ": ");
  put(w, message);
  put_ink(w, INK_OFF);
  strbuf_putc(w->out, '\n');
}

static void put_place(const writer *w, span at, const char *label, ink color) {
  unsigned gutter = at.line ? frame_gutter(at) : 1;
  strbuf_printf(w->out, "%*s%s-->%s ", (int)gutter, "",
                ink_text(w->style, INK_GUTTER), ink_text(w->style, INK_OFF));
  put(w, w->file->path);
  if (at.line)
    strbuf_printf(w->out, ":%u:%u", at.line, at.column);
  strbuf_putc(w->out, '\n');
  if (at.line && w->file->source)
    frame_put(w->out, w->file->source, at, label, w->style, color);
}

/* Starts a `= ` line under a frame at this place. */
static void open_note(const writer *w, span at) {
  unsigned gutter = at.line ? frame_gutter(at) : 1;
  strbuf_printf(w->out, "%*s %s=%s ", (int)gutter, "",
                ink_text(w->style, INK_GUTTER), ink_text(w->style, INK_OFF));
}

static void put_note(const writer *w, span at, const char *lead,
                     const char *text) {
  open_note(w, at);
  strbuf_put(w->out, lead);
  put(w, text);
  strbuf_putc(w->out, '\n');
}

static void put_notes(const writer *w, span at, const char *lead,
                      const text_list *list) {
  for (size_t i = 0; i < list->count; i++)
    put_note(w, at, lead, list->at[i]);
}

/* --- counterexamples --- */

static void put_numbers(const writer *w, const named_number *at, size_t count) {
  for (size_t i = 0; i < count; i++) {
    put(w, at[i].name);
    strbuf_put(w->out, " = ");
    if (at[i].label)
      put(w, at[i].label);
    else
      strbuf_printf(w->out, "%" PRId64, at[i].value);
    strbuf_put(w->out, ", ");
  }
}

static void put_tuple(const writer *w, const int64_t *at, size_t count) {
  strbuf_putc(w->out, '(');
  for (size_t i = 0; i < count; i++)
    strbuf_printf(w->out, "%s%" PRId64, i ? ", " : "", at[i]);
  strbuf_putc(w->out, ')');
}

/* `, lane 1`, `, lane (0, 1)`; nothing for none. */
static void put_indices(const writer *w, const char *what, const int64_t *at,
                        size_t count) {
  if (count == 0)
    return;
  strbuf_printf(w->out, ", %s ", what);
  if (count == 1)
    strbuf_printf(w->out, "%" PRId64, at[0]);
  else
    put_tuple(w, at, count);
}

static void put_witness(const writer *w, span at, const witness *x) {
  open_note(w, at);
  strbuf_put(w->out, "smallest counterexample: ");
  put_numbers(w, x->sizes, x->size_count);
  put_numbers(w, x->constexprs, x->constexpr_count);
  if (x->inst) {
    strbuf_put(w->out, "program ");
    put_tuple(w, x->program, x->program_rank);
  } else {
    strbuf_put(w->out, "the launch");
  }
  put_indices(w, x->turn_count == 1 ? "turn" : "turns", x->turns,
              x->turn_count);
  put_indices(w, "lane", x->lane, x->lane_count);
  strbuf_put(w->out, x->replayed ? " (replayed)\n" : " (not replayed)\n");
}

static const char *witness_label(const writer *w, const witness *x) {
  if (!x)
    return NULL;
  if (x->detail)
    return x->detail;
  if (x->event && strcmp(x->event, "outside") == 0)
    return arena_printf(w->out->arena, "element %" PRId64, x->offset);
  return NULL;
}

/* --- verdicts --- */

/* `= also on lines 14, 15 (TC102)`. */
static void put_others(const writer *w, const verdict_group *g) {
  uint32_t last = g->first->at.line;
  bool open = false;
  for (size_t i = 0; i < g->others.count; i++) {
    const verdict *v = g->others.at[i];
    if (v->at.line == last && v->code == g->first->code)
      continue;
    if (!open)
      open_note(w, g->first->at);
    strbuf_put(w->out, open ? ", " : "the same on line ");
    strbuf_printf(w->out, "%u", v->at.line);
    if (v->code != g->first->code)
      strbuf_printf(w->out, " (TC%d)", (int)v->code);
    open = true;
    last = v->at.line;
  }
  if (open)
    strbuf_putc(w->out, '\n');
}

static const char *sentence(const writer *w, const verdict *v) {
  return verdict_sentence(w->out->arena, v);
}

static void put_refuted(writer *w, const verdict *v) {
  put_head(w, INK_ERROR, "error", v->code, sentence(w, v));
  put_place(w, v->at, witness_label(w, v->witness), INK_ERROR);
  if (v->witness)
    put_witness(w, v->at, v->witness);
  put_notes(w, v->at, "", &v->notes);
  if (v->fix)
    put_note(w, v->at, "fix: ", v->fix);
}

static void put_proved_if(writer *w, const verdict_group *g) {
  const verdict *v = g->first;
  put_head(w, INK_NOTE, "note", v->code, sentence(w, v));
  put_place(w, v->at, NULL, INK_NOTE);
  put_others(w, g);
  put_notes(w, v->at, "to make sure: ", &v->asserts);
  if (w->style.verbose)
    put_notes(w, v->at, "", &v->notes);
  if (v->fix)
    put_note(w, v->at, "fix: ", v->fix);
}

static void put_reason(const writer *w, const verdict *v) {
  open_note(w, v->at);
  strbuf_printf(w->out, "reason: %s", reason_name(v->why));
  if (v->why_detail) {
    strbuf_put(w->out, ": ");
    put(w, v->why_detail);
  }
  if (v->why_at.line)
    strbuf_printf(w->out, ", at %u:%u", v->why_at.line, v->why_at.column);
  strbuf_putc(w->out, '\n');
}

static void put_unknown(writer *w, const verdict_group *g) {
  const verdict *v = g->first;
  put_head(w, INK_WARNING, "warning", v->code, sentence(w, v));
  put_place(w, v->at, NULL, INK_WARNING);
  put_reason(w, v);
  put_others(w, g);
  if (w->style.verbose)
    put_notes(w, v->at, "", &v->notes);
  if (v->fix)
    put_note(w, v->at, "fix: ", v->fix);
}

static void put_finding(writer *w, const finding *f) {
  const check_info *check = check_by_id(f->code);
  severity severity = check ? check->severity : SEVERITY_NOTE;
  bool error = severity == SEVERITY_INPUT || severity == SEVERITY_ERROR;
  bool warning = severity == SEVERITY_WARNING;
  ink color = error ? INK_ERROR : warning ? INK_WARNING : INK_NOTE;
  put_head(w, color,
           error                       ? "error"
           : warning                   ? "warning"
           : severity == SEVERITY_HINT ? "hint"
                                       : "note",
           f->code, f->message);
  put_place(w, f->at, NULL, color);
  if (f->effect)
    put_note(w, f->at, "", f->effect);
}

static void put_item(writer *w, const item *x) {
  if (x->finding) {
    put_finding(w, x->finding);
    return;
  }
  switch (x->group->first->kind) {
  case VERDICT_REFUTED:
    put_refuted(w, x->group->first);
    break;
  case VERDICT_PROVED_IF:
    put_proved_if(w, x->group);
    break;
  case VERDICT_UNKNOWN:
    put_unknown(w, x->group);
    break;
  case VERDICT_PROVED:
    break;
  }
}

/* --- what is shown --- */

static bool shows_group(const writer *w, const verdict_group *g) {
  if (g->first->kind == VERDICT_PROVED)
    return false;
  return g->first->kind == VERDICT_REFUTED || !w->style.quiet;
}

static bool blames(const verdict *v, const finding *f) {
  const span at = v->why_at.line ? v->why_at : v->at;
  return at.line == f->at.line && at.column == f->at.column;
}

/* A construct that is not understood is told when it made something unknown
 * that no warning blames on it already. */
static bool shows_unsupported(const writer *w, const finding *f) {
  if (w->style.verbose || f->at.line == 0)
    return true;
  bool unknown = false;
  for (size_t i = 0; i < w->file->kernel_count; i++) {
    const kernel_report *k = &w->file->kernels[i];
    if (f->kernel && strcmp(f->kernel, k->name) != 0)
      continue;
    for (size_t j = 0; j < k->verdict_count; j++) {
      const verdict *v = &k->verdicts[j];
      if (v->kind != VERDICT_UNKNOWN || v->suppressed)
        continue;
      if (blames(v, f))
        return false;
      unknown = true;
    }
  }
  return unknown;
}

static bool shows_finding(const writer *w, const finding *f) {
  const check_info *check = check_by_id(f->code);
  severity severity = check ? check->severity : SEVERITY_NOTE;
  if (severity == SEVERITY_INPUT || severity == SEVERITY_ERROR)
    return true;
  if (w->style.quiet)
    return false;
  if (severity == SEVERITY_HINT)
    return w->style.verbose;
  return severity == SEVERITY_WARNING || shows_unsupported(w, f);
}

static int compare_items(const void *left, const void *right) {
  const item *a = left, *b = right;
  if (a->at.line != b->at.line)
    return a->at.line < b->at.line ? -1 : 1;
  if (a->at.column != b->at.column)
    return a->at.column < b->at.column ? -1 : 1;
  if (a->code != b->code)
    return a->code < b->code ? -1 : 1;
  return a->order < b->order ? -1 : a->order > b->order;
}

static void add_kernel(const writer *w, const kernel_report *k, items *out) {
  arena *arena = w->out->arena;
  verdict_groups groups = {0};
  group_verdicts(arena, k, &groups);
  for (size_t i = 0; i < groups.count; i++) {
    const verdict *v = groups.at[i].first;
    item x = {.at = v->at,
              .code = v->code,
              .order = out->count,
              .group = &groups.at[i]};
    if (shows_group(w, x.group))
      VEC_PUSH(arena, out, x);
  }
}

static void collect(const writer *w, items *out) {
  arena *arena = w->out->arena;
  for (size_t i = 0; i < w->file->finding_count; i++) {
    const finding *f = &w->file->findings[i];
    item x = {.at = f->at, .code = f->code, .order = out->count, .finding = f};
    if (shows_finding(w, f))
      VEC_PUSH(arena, out, x);
  }
  for (size_t i = 0; i < w->file->kernel_count; i++)
    add_kernel(w, &w->file->kernels[i], out);
  if (out->count)
    qsort(out->at, out->count, sizeof *out->at, compare_items);
}

/* --- verbose: what was proved, and on what --- */

static void put_proved(const writer *w, const verdict *v) {
  strbuf_printf(
      w->out, "  %sproved[TC%d]%s %u:%u: ", ink_text(w->style, INK_GOOD),
      (int)v->code, ink_text(w->style, INK_OFF), v->at.line, v->at.column);
  put(w, sentence(w, v));
  strbuf_put(w->out, " (");
  if (v->method) {
    put(w, v->method);
    strbuf_put(w->out, ", ");
  }
  if (v->all_blocks || v->configurations.count == 0)
    strbuf_put(w->out, v->all_blocks ? "for all blocks" : "for this launch");
  for (size_t i = 0; v->all_blocks && i < v->limits.count; i++) {
    strbuf_put(w->out, ", ");
    put(w, v->limits.at[i]);
  }
  for (size_t i = 0; !v->all_blocks && i < v->configurations.count; i++) {
    strbuf_put(w->out, i ? "; " : "for ");
    put(w, v->configurations.at[i]);
  }
  strbuf_put(w->out, ")\n");
}

static bool seen_before(const kernel_report *k, size_t verdict, size_t note) {
  const char *text = k->verdicts[verdict].notes.at[note];
  for (size_t i = 0; i <= verdict; i++) {
    const text_list *notes = &k->verdicts[i].notes;
    size_t end = i == verdict ? note : notes->count;
    for (size_t j = 0; j < end; j++)
      if (strcmp(notes->at[j], text) == 0)
        return true;
  }
  return false;
}

/* What docs/semantics.md assumes of every launch. */
static void put_defaults(const writer *w) {
  static const char *const lines[] = {
      "sizes, strides and plain integer arguments are 0 or more, constexprs 1 "
      "or more, where no clause says otherwise",
      "a tensor spans at most 2**31 - 2**20 elements, where neither a clause "
      "nor --max-numel says otherwise"};
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    strbuf_put(w->out, "  given: ");
    put(w, lines[i]);
    strbuf_putc(w->out, '\n');
  }
}

/* Notes that name a launch belong to their verdict. */
static bool names_launch(const char *note) {
  static const char start[] = "for the launch on line ";
  return strncmp(note, start, sizeof start - 1) == 0;
}

static void put_assumptions(const writer *w, const kernel_report *k) {
  put_defaults(w);
  for (size_t i = 0; i < k->verdict_count; i++) {
    const text_list *notes = &k->verdicts[i].notes;
    for (size_t j = 0; j < notes->count; j++) {
      if (seen_before(k, i, j) || names_launch(notes->at[j]))
        continue;
      strbuf_put(w->out, "  given: ");
      put(w, notes->at[j]);
      strbuf_putc(w->out, '\n');
    }
  }
}

static void put_kernel(writer *w, const kernel_report *k) {
  if (w->messages++)
    strbuf_putc(w->out, '\n');
  put_ink(w, INK_BOLD);
  put(w, w->file->path);
  strbuf_printf(w->out, ":%u: kernel ", k->line);
  put(w, k->name);
  put_ink(w, INK_OFF);
  for (size_t i = 0; i < k->launch_count; i++)
    strbuf_printf(w->out, "%s%u", i ? ", " : ", launched on line ",
                  k->launches[i]);
  strbuf_put(w->out, k->launch_count ? "\n" : ", never launched here\n");
  for (size_t i = 0; i < k->verdict_count; i++)
    if (k->verdicts[i].kind == VERDICT_PROVED && !k->verdicts[i].suppressed)
      put_proved(w, &k->verdicts[i]);
  put_assumptions(w, k);
}

static void put_file(writer *w, const file_report *file) {
  w->file = file;
  if (file->unreadable) {
    put_head(
        w, INK_ERROR, "error", CHECK_901,
        arena_printf(w->out->arena, "cannot be read: %s", file->unreadable));
    put_place(w, (span){0}, NULL, INK_ERROR);
    return;
  }
  items found = {0};
  collect(w, &found);
  for (size_t i = 0; i < found.count; i++)
    put_item(w, &found.at[i]);
  for (size_t i = 0; w->style.verbose && i < file->kernel_count; i++)
    put_kernel(w, &file->kernels[i]);
}

void report_text(const report *r, text_style style, strbuf *out) {
  writer w = {.out = out, .style = style};
  for (size_t i = 0; i < r->file_count; i++)
    put_file(&w, &r->files[i]);
}
