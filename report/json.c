/* report/json.c: the report as JSON, as docs/report.schema.json describes it.
 *
 * Keys stand in a fixed order and none is left out: what does not apply is
 * null. Tile programs are long and shared, so each kernel has a table of them
 * and a counterexample names its row. */
#include "base/map.h"
#include "base/panic.h"
#include "checks/check.h"
#include "report/phrase.h"
#include "report/report.h"
#include "report/utf8.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <yyjson.h>

typedef yyjson_mut_val value;

typedef struct writer {
  yyjson_mut_doc *doc;
  arena *arena; /* cleaned strings, until the text is written */
} writer;

static const char *clean(const writer *w, const char *text) {
  strbuf valid = strbuf_make(w->arena);
  utf8_put_valid(&valid, text, strlen(text));
  return valid.text;
}

static void add(const writer *w, value *object, const char *key, value *item) {
  if (!item || !yyjson_mut_obj_add_val(w->doc, object, key, item))
    panic("out of memory while writing JSON");
}

static void add_text(const writer *w, value *object, const char *key,
                     const char *text) {
  add(w, object, key,
      text ? yyjson_mut_str(w->doc, clean(w, text)) : yyjson_mut_null(w->doc));
}

static void add_number(const writer *w, value *object, const char *key,
                       int64_t number) {
  add(w, object, key, yyjson_mut_sint(w->doc, number));
}

static void add_bool(const writer *w, value *object, const char *key,
                     bool truth) {
  add(w, object, key, yyjson_mut_bool(w->doc, truth));
}

static void add_span(const writer *w, value *object, span at) {
  add_number(w, object, "line", at.line);
  add_number(w, object, "column", at.column);
  add_number(w, object, "end_line", at.end_line);
  add_number(w, object, "end_column", at.end_column);
}

static value *texts(const writer *w, const text_list *list) {
  value *array = yyjson_mut_arr(w->doc);
  for (size_t i = 0; i < list->count; i++)
    yyjson_mut_arr_add_str(w->doc, array, clean(w, list->at[i]));
  return array;
}

static value *integers(const writer *w, const int64_t *at, size_t count) {
  value *array = yyjson_mut_arr(w->doc);
  for (size_t i = 0; i < count; i++)
    yyjson_mut_arr_add_sint(w->doc, array, at[i]);
  return array;
}

static value *named(const writer *w, const named_number *at, size_t count) {
  value *object = yyjson_mut_obj(w->doc);
  for (size_t i = 0; i < count; i++)
    add_number(w, object, clean(w, at[i].name), at[i].value);
  return object;
}

/* --- counterexamples --- */

/* The second access of a race; null for other faults. */
static value *other_value(const writer *w, const witness *x) {
  if (!x->other)
    return yyjson_mut_null(w->doc);
  value *other = yyjson_mut_obj(w->doc);
  add_number(w, other, "inst", x->other);
  add(w, other, "program", integers(w, x->other_program, x->program_rank));
  return other;
}

static value *event_value(const writer *w, const witness *x) {
  value *event = yyjson_mut_obj(w->doc);
  add_text(w, event, "kind", x->event);
  add_number(w, event, "inst", x->inst);
  add_number(w, event, "offset", x->offset);
  add_number(w, event, "value", x->value);
  add(w, event, "other", other_value(w, x));
  add_text(w, event, "detail", x->detail);
  return event;
}

/* Row of the tile text in the kernel's table; it is appended when new. */
static size_t tile_row(const writer *w, value *tiles, const char *tile) {
  size_t row, count;
  value *item;
  const char *text = clean(w, tile ? tile : "");
  yyjson_mut_arr_foreach(tiles, row, count, item) {
    if (strcmp(yyjson_mut_get_str(item), text) == 0)
      return row;
  }
  yyjson_mut_arr_add_str(w->doc, tiles, text);
  return yyjson_mut_arr_size(tiles) - 1;
}

static value *witness_value(const writer *w, const char *kernel,
                            const verdict *v, value *tiles) {
  const witness *x = v->witness;
  value *object = yyjson_mut_obj(w->doc);
  add(w, object, "sizes", named(w, x->sizes, x->size_count));
  add(w, object, "constexprs", named(w, x->constexprs, x->constexpr_count));
  add(w, object, "program", integers(w, x->program, x->program_rank));
  add(w, object, "loops", integers(w, x->turns, x->turn_count));
  add(w, object, "lane", integers(w, x->lane, x->lane_count));
  add(w, object, "event", event_value(w, x));
  add_bool(w, object, "replayed", x->replayed);
  add_number(w, object, "tile", (int64_t)tile_row(w, tiles, x->tile));
  add_text(w, object, "digest", witness_digest(w->arena, kernel, v));
  return object;
}

/* --- verdicts and findings --- */

static const char *severity_of(verdict_kind kind) {
  switch (kind) {
  case VERDICT_PROVED:
    return "none";
  case VERDICT_PROVED_IF:
    return "note";
  case VERDICT_UNKNOWN:
    return "warning";
  case VERDICT_REFUTED:
    return "error";
  }
  panic("no verdict has the number %d", (int)kind);
}

static void add_code(const writer *w, value *object, check_id code) {
  const check_info *check = check_by_id(code);
  assert(check);
  add_text(w, object, "code", check->code);
  add_text(w, object, "slug", check->slug);
}

/* "all blocks", a list of configurations, or null where nothing is proved. */
static value *validity(const writer *w, const verdict *v) {
  if (v->kind != VERDICT_PROVED && v->kind != VERDICT_PROVED_IF)
    return yyjson_mut_null(w->doc);
  if (v->all_blocks)
    return yyjson_mut_str(w->doc, "all blocks");
  return texts(w, &v->configurations);
}

static value *reason_place(const writer *w, const verdict *v) {
  if (v->kind != VERDICT_UNKNOWN || v->why_at.line == 0)
    return yyjson_mut_null(w->doc);
  value *object = yyjson_mut_obj(w->doc);
  add_span(w, object, v->why_at);
  return object;
}

static value *launch_value(const writer *w, const verdict *v) {
  return v->launch_line ? yyjson_mut_sint(w->doc, v->launch_line)
                        : yyjson_mut_null(w->doc);
}

static value *verdict_value(const writer *w, const char *kernel,
                            const verdict *v, value *tiles) {
  value *object = yyjson_mut_obj(w->doc);
  bool unknown = v->kind == VERDICT_UNKNOWN;
  add_code(w, object, v->code);
  add_text(w, object, "severity", severity_of(v->kind));
  add_text(w, object, "verdict", verdict_kind_name(v->kind));
  add_span(w, object, v->at);
  add_text(w, object, "buffer", v->buffer);
  add_text(w, object, "message", verdict_sentence(w->arena, v));
  add(w, object, "requires", texts(w, &v->requires));
  add(w, object, "asserts", texts(w, &v->asserts));
  add(w, object, "notes", texts(w, &v->notes));
  add(w, object, "for", validity(w, v));
  if (v->all_blocks && v->limits.count)
    add(w, object, "limits", texts(w, &v->limits));
  add_text(w, object, "method", v->method);
  add(w, object, "counterexample",
      v->kind == VERDICT_REFUTED && v->witness
          ? witness_value(w, kernel, v, tiles)
          : yyjson_mut_null(w->doc));
  add_text(w, object, "reason", unknown ? reason_name(v->why) : NULL);
  add_text(w, object, "reason_detail", unknown ? v->why_detail : NULL);
  add(w, object, "reason_at", reason_place(w, v));
  add_text(w, object, "fix", v->fix);
  add(w, object, "launch", launch_value(w, v));
  add_bool(w, object, "suppressed", v->suppressed);
  return object;
}

static const char *finding_severity(check_id code) {
  const check_info *check = check_by_id(code);
  assert(check);
  switch (check->severity) {
  case SEVERITY_ERROR:
  case SEVERITY_INPUT:
    return "error";
  case SEVERITY_WARNING:
    return "warning";
  case SEVERITY_NOTE:
    return "note";
  case SEVERITY_HINT:
    return "hint";
  }
  panic("no severity has the number %d", (int)check->severity);
}

static value *finding_value(const writer *w, const finding *f) {
  value *object = yyjson_mut_obj(w->doc);
  add_code(w, object, f->code);
  add_text(w, object, "severity", finding_severity(f->code));
  add_span(w, object, f->at);
  add_text(w, object, "message", f->message);
  add_text(w, object, "effect", f->effect);
  add_text(w, object, "kernel", f->kernel);
  return object;
}

/* --- kernels, files --- */

static bool is_hint(const finding *f) {
  return check_by_id(f->code)->severity == SEVERITY_HINT;
}

static value *hints_value(const writer *w, const file_report *f,
                          const kernel_report *k) {
  value *hints = yyjson_mut_arr(w->doc);
  for (size_t i = 0; i < f->finding_count; i++)
    if (is_hint(&f->findings[i]) && f->findings[i].kernel &&
        strcmp(f->findings[i].kernel, k->name) == 0)
      yyjson_mut_arr_append(hints, finding_value(w, &f->findings[i]));
  return hints;
}

static value *kernel_value(const writer *w, const file_report *f,
                           const kernel_report *k) {
  value *object = yyjson_mut_obj(w->doc);
  value *launches = yyjson_mut_arr(w->doc), *verdicts = yyjson_mut_arr(w->doc);
  value *tiles = yyjson_mut_arr(w->doc);
  for (size_t i = 0; i < k->launch_count; i++)
    yyjson_mut_arr_add_uint(w->doc, launches, k->launches[i]);
  for (size_t i = 0; i < k->verdict_count; i++)
    yyjson_mut_arr_append(verdicts,
                          verdict_value(w, k->name, &k->verdicts[i], tiles));
  add_text(w, object, "name", k->name);
  add_number(w, object, "line", k->line);
  add_bool(w, object, "helper", k->helper);
  add(w, object, "launches", launches);
  add(w, object, "verdicts", verdicts);
  add(w, object, "hints", hints_value(w, f, k));
  add(w, object, "tiles", tiles);
  return object;
}

static value *errors_value(const writer *w, const file_report *f) {
  value *errors = yyjson_mut_arr(w->doc);
  if (f->unreadable) {
    finding trouble = {
        .code = CHECK_901,
        .message = arena_printf(w->arena, "cannot be read: %s", f->unreadable)};
    yyjson_mut_arr_append(errors, finding_value(w, &trouble));
  }
  for (size_t i = 0; i < f->finding_count; i++)
    if (!is_hint(&f->findings[i]))
      yyjson_mut_arr_append(errors, finding_value(w, &f->findings[i]));
  return errors;
}

static value *file_value(const writer *w, const file_report *f) {
  value *object = yyjson_mut_obj(w->doc), *kernels = yyjson_mut_arr(w->doc);
  for (size_t i = 0; i < f->kernel_count; i++)
    yyjson_mut_arr_append(kernels, kernel_value(w, f, &f->kernels[i]));
  add_text(w, object, "path", f->path);
  add(w, object, "errors", errors_value(w, f));
  add(w, object, "verdicts", yyjson_mut_arr(w->doc));
  add(w, object, "kernels", kernels);
  return object;
}

static value *summary_value(const writer *w, const report *r) {
  report_summary s = report_summarise(r);
  value *object = yyjson_mut_obj(w->doc);
  add_number(w, object, "files", (int64_t)s.files);
  add_number(w, object, "kernels", (int64_t)s.kernels);
  add_number(w, object, "launches", (int64_t)s.launches);
  add_number(w, object, "never_launched", (int64_t)s.never_launched);
  add_number(w, object, "accesses", (int64_t)s.accesses);
  add_number(w, object, "proved", (int64_t)s.proved);
  add_number(w, object, "proved_if", (int64_t)s.proved_if);
  add_number(w, object, "refuted", (int64_t)s.refuted);
  add_number(w, object, "unknown", (int64_t)s.unknown);
  add_number(w, object, "other_refuted", (int64_t)s.other_refuted);
  add_number(w, object, "other_unknown", (int64_t)s.other_unknown);
  add_number(w, object, "unreadable", (int64_t)s.unreadable);
  return object;
}

/* A seal over all files and the summary, in compact form. */
static const char *seal(const writer *w, const value *files,
                        const value *summary) {
  uint64_t hash = 0;
  const value *parts[] = {files, summary};
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
    size_t length = 0;
    char *text = yyjson_mut_val_write(parts[i], YYJSON_WRITE_NOFLAG, &length);
    if (!text)
      panic("out of memory while writing JSON");
    hash = hash_mix(hash, hash_bytes(text, length));
    free(text);
  }
  return arena_printf(w->arena, "%016" PRIx64, hash);
}

static void write_document(const writer *w, strbuf *out) {
  size_t length = 0;
  char *text =
      yyjson_mut_write(w->doc, YYJSON_WRITE_PRETTY_TWO_SPACES, &length);
  if (!text)
    panic("out of memory while writing JSON");
  strbuf_put_n(out, text, length);
  strbuf_putc(out, '\n');
  free(text);
}

void report_json(const report *r, strbuf *out) {
  writer w = {.doc = yyjson_mut_doc_new(NULL), .arena = out->arena};
  if (!w.doc)
    panic("out of memory while writing JSON");
  value *root = yyjson_mut_obj(w.doc), *tool = yyjson_mut_obj(w.doc);
  value *files = yyjson_mut_arr(w.doc);
  for (size_t i = 0; i < r->file_count; i++)
    yyjson_mut_arr_append(files, file_value(&w, &r->files[i]));
  add_number(&w, root, "version", 1);
  add_text(&w, tool, "name", "tilecheck");
  add_text(&w, tool, "version", r->version);
  add_text(&w, tool, "z3", r->z3_version);
  add(&w, root, "tool", tool);
  value *summary = summary_value(&w, r);
  add(&w, root, "files", files);
  add(&w, root, "summary", summary);
  add_text(&w, root, "digest", seal(&w, files, summary));
  yyjson_mut_doc_set_root(w.doc, root);
  write_document(&w, out);
  yyjson_mut_doc_free(w.doc);
}
