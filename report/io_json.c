/* report/io_json.c: what moves, as JSON (docs/io.schema.json). Keys stand in a
 * fixed order; numbers are exact however large. */
#include "report/io.h"
#include "report/json_tree.h"

typedef json_value value;
typedef json_tree writer;

static void add(const writer *w, value *object, const char *key, value *item) {
  json_add(w, object, key, item);
}

static value *text(const writer *w, const char *s) {
  return json_text(w, s);
}

static void add_line(const writer *w, value *object, uint32_t line) {
  add(w, object, "line",
      line ? yyjson_mut_uint(w->doc, line) : yyjson_mut_null(w->doc));
}

static value *number(const writer *w, const io_number *n) {
  value *out = yyjson_mut_obj(w->doc);
  add(w, out, "formula", text(w, n->formula));
  if (n->at)
    add(w, out, "at", yyjson_mut_raw(w->doc, n->at));
  if (n->case_count) {
    value *cases = yyjson_mut_arr(w->doc);
    for (size_t i = 0; i < n->case_count; i++) {
      value *one = yyjson_mut_obj(w->doc);
      add(w, one, "when", text(w, n->cases[i].when));
      add(w, one, "formula", text(w, n->cases[i].formula));
      yyjson_mut_arr_append(cases, one);
    }
    add(w, out, "cases", cases);
  }
  if (!n->formula) {
    add(w, out, "reason", text(w, n->reason));
    add_line(w, out, n->line);
  }
  return out;
}

static value *share(const writer *w, const io_share *s) {
  if (!s->formula)
    return yyjson_mut_null(w->doc);
  value *out = yyjson_mut_obj(w->doc);
  add(w, out, "formula", text(w, s->formula));
  if (s->number)
    add(w, out, "at", yyjson_mut_raw(w->doc, s->number));
  return out;
}

static value *amount(const writer *w, const io_amount *a) {
  value *out = yyjson_mut_obj(w->doc);
  add(w, out, "elements", number(w, &a->elements));
  add(w, out, "bytes", number(w, &a->bytes));
  return out;
}

static value *accesses(const writer *w, const io_function_row *f) {
  value *all = yyjson_mut_arr(w->doc);
  for (size_t i = 0; i < f->access_count; i++) {
    const io_access_row *a = &f->accesses[i];
    value *out = yyjson_mut_obj(w->doc);
    add_line(w, out, a->at.line);
    add(w, out, "column", yyjson_mut_uint(w->doc, a->at.column));
    add(w, out, "op", text(w, a->op));
    add(w, out, "tensor", text(w, a->tensor));
    add(w, out, "reads", yyjson_mut_bool(w->doc, a->reads));
    add(w, out, "writes", yyjson_mut_bool(w->doc, a->writes));
    add(w, out, "elements", number(w, &a->moved.elements));
    add(w, out, "bytes", number(w, &a->moved.bytes));
    add(w, out, "idle_lanes", share(w, &a->idle));
    yyjson_mut_arr_append(all, out);
  }
  return all;
}

static value *steps(const writer *w, const io_function_row *f) {
  value *all = yyjson_mut_arr(w->doc);
  for (size_t i = 0; i < f->step_count; i++) {
    const io_step_row *s = &f->steps[i];
    value *out = yyjson_mut_obj(w->doc);
    add_line(w, out, s->at.line);
    add(w, out, "column", yyjson_mut_uint(w->doc, s->at.column));
    add(w, out, "op", text(w, s->name));
    add(w, out, "launch", yyjson_mut_bool(w->doc, s->launch));
    add(w, out, "reads", amount(w, &s->reads));
    add(w, out, "writes", amount(w, &s->writes));
    yyjson_mut_arr_append(all, out);
  }
  return all;
}

static value *tensors(const writer *w, const io_function_row *f) {
  value *all = yyjson_mut_arr(w->doc);
  for (size_t i = 0; i < f->tensor_count; i++) {
    const io_tensor_row *t = &f->tensors[i];
    value *out = yyjson_mut_obj(w->doc);
    add(w, out, "name", text(w, t->name));
    add(w, out, "role", text(w, t->role));
    add(w, out, "requested", number(w, &t->requested));
    add(w, out, "distinct", number(w, &t->distinct));
    yyjson_mut_arr_append(all, out);
  }
  return all;
}

static value *function(const writer *w, const io_function_row *f) {
  value *out = yyjson_mut_obj(w->doc), *assumptions = yyjson_mut_arr(w->doc);
  const io_number *total = &f->total.elements;
  for (size_t i = 0; i < f->assumption_count; i++)
    yyjson_mut_arr_append(assumptions, text(w, f->assumptions[i]));
  add(w, out, "name", text(w, f->name));
  add_line(w, out, f->line);
  add(w, out, "kind", text(w, f->kernel ? "kernel" : "host"));
  add(w, out, "launch",
      f->launch_line ? yyjson_mut_uint(w->doc, f->launch_line)
                     : yyjson_mut_null(w->doc));
  add(w, out, "choice", text(w, f->choice));
  add(w, out, "only", text(w, f->only));
  add(w, out, "reads", amount(w, &f->reads));
  add(w, out, "writes", amount(w, &f->writes));
  add(w, out, "total", amount(w, &f->total));
  add(w, out, "atomic",
      f->has_atomic ? amount(w, &f->atomic) : yyjson_mut_null(w->doc));
  add(w, out, "idle_lanes", share(w, &f->idle));
  add(w, out, "on_chip_bytes",
      f->has_on_chip ? number(w, &f->on_chip) : json_null(w));
  add(w, out, "tensors", tensors(w, f));
  add(w, out, f->kernel ? "accesses" : "steps",
      f->kernel ? accesses(w, f) : steps(w, f));
  add(w, out, "assumptions", assumptions);
  add(w, out, "reason", text(w, total->formula ? f->no_value : total->reason));
  return out;
}

static value *file_value(const writer *w, const io_file_row *f) {
  value *out = yyjson_mut_obj(w->doc), *all = yyjson_mut_arr(w->doc);
  for (size_t i = 0; i < f->function_count; i++)
    yyjson_mut_arr_append(all, function(w, &f->functions[i]));
  add(w, out, "path", text(w, f->path));
  add(w, out, "error", text(w, f->unreadable));
  add(w, out, "functions", all);
  return out;
}

static value *comparison(const writer *w, const io_comparison *c) {
  value *out = yyjson_mut_obj(w->doc);
  add(w, out, "first", text(w, c->first));
  add(w, out, "second", text(w, c->second));
  add(w, out, "elements", share(w, &c->elements));
  add(w, out, "bytes", share(w, &c->bytes));
  add(w, out, "limit", share(w, &c->limit));
  add(w, out, "reason", text(w, c->reason));
  return out;
}

void io_json(const io_report *r, strbuf *out) {
  writer w = json_tree_make(out->arena);
  value *root = json_object(&w), *files = json_array(&w);
  value *comparisons = json_array(&w);
  for (size_t i = 0; i < r->file_count; i++)
    json_append(&w, files, file_value(&w, &r->files[i]));
  for (size_t i = 0; i < r->comparison_count; i++)
    json_append(&w, comparisons, comparison(&w, &r->comparisons[i]));
  add(&w, root, "version", json_number(&w, 1));
  add(&w, root, "files", files);
  add(&w, root, "comparisons", comparisons);
  json_tree_write(&w, root, out);
}
