/* cli/wire.c: results as bytes, between a worker and its parent.
 *
 * One function for each struct both writes and reads it, so the two directions
 * cannot disagree: a `wire` knows which way it goes. Reading checks lengths
 * and stops at the first thing that does not fit, as when a worker died. */
#include "base/panic.h"
#include "cli/checker.h"

#include <string.h>

#define END_MARK 0x7E57ED0Fu

typedef struct wire {
  strbuf *out; /* writing, or */
  arena *arena;
  const char *at, *end; /* reading */
  bool reading, failed;
} wire;

static void wire_bytes(wire *w, void *bytes, size_t size) {
  if (!w->reading) {
    strbuf_put_n(w->out, bytes, size);
  } else if (w->failed || (size_t)(w->end - w->at) < size) {
    w->failed = true;
    memset(bytes, 0, size);
  } else {
    memcpy(bytes, w->at, size);
    w->at += size;
  }
}

#define WIRE(w, lvalue) wire_bytes((w), &(lvalue), sizeof(lvalue))

/* A number of items that take at least a byte each. */
static void wire_count(wire *w, size_t *count) {
  WIRE(w, *count);
  if (w->reading && *count > (size_t)(w->end - w->at)) {
    w->failed = true;
    *count = 0;
  }
}

static void wire_text(wire *w, const char **text) {
  size_t length = !w->reading && *text ? strlen(*text) + 1 : 0;
  wire_count(w, &length);
  if (!w->reading) {
    if (length)
      strbuf_put_n(w->out, *text, length - 1);
    /* The terminating zero is not sent; its byte keeps the count honest. */
    if (length)
      strbuf_putc(w->out, '.');
    return;
  }
  *text = NULL;
  if (length == 0)
    return;
  *text = arena_strndup(w->arena, w->at, length - 1);
  w->at += length;
}

static void wire_numbers(wire *w, const named_number **at, size_t *count) {
  wire_count(w, count);
  named_number *fresh =
      w->reading ? ARENA_ARRAY(w->arena, named_number, *count) : NULL;
  for (size_t i = 0; i < *count; i++) {
    named_number item = w->reading ? (named_number){0} : (*at)[i];
    wire_text(w, &item.name);
    WIRE(w, item.value);
    wire_text(w, &item.label);
    if (w->reading)
      fresh[i] = item;
  }
  if (w->reading)
    *at = fresh;
}

static void wire_list(wire *w, text_list *list) {
  wire_count(w, &list->count);
  if (w->reading)
    list->at = ARENA_ARRAY(w->arena, const char *, list->count);
  for (size_t i = 0; i < list->count; i++)
    wire_text(w, &list->at[i]);
}

static void wire_witness_fields(wire *w, witness *x) {
  wire_numbers(w, &x->sizes, &x->size_count);
  wire_numbers(w, &x->constexprs, &x->constexpr_count);
  WIRE(w, x->program_rank);
  WIRE(w, x->program);
  WIRE(w, x->turn_count);
  WIRE(w, x->turns);
  WIRE(w, x->lane_count);
  WIRE(w, x->lane);
  wire_text(w, &x->event);
  WIRE(w, x->inst);
  WIRE(w, x->offset);
  WIRE(w, x->value);
  WIRE(w, x->other);
  WIRE(w, x->other_program);
  wire_text(w, &x->detail);
  WIRE(w, x->replayed);
  wire_text(w, &x->tile);
}

static void wire_witness(wire *w, const witness **x) {
  bool present = !w->reading && *x;
  WIRE(w, present);
  if (w->reading)
    *x = NULL;
  if (!present)
    return;
  witness copy = w->reading ? (witness){0} : **x;
  wire_witness_fields(w, &copy);
  if (w->reading)
    *x = arena_copy(w->arena, &copy, sizeof copy);
}

static void wire_verdict(wire *w, verdict *v) {
  WIRE(w, v->code);
  WIRE(w, v->kind);
  WIRE(w, v->at);
  wire_text(w, &v->kernel);
  wire_text(w, &v->buffer);
  wire_text(w, &v->message);
  wire_list(w, &v->requires);
  wire_list(w, &v->asserts);
  wire_list(w, &v->notes);
  WIRE(w, v->all_blocks);
  wire_list(w, &v->limits);
  wire_list(w, &v->configurations);
  wire_text(w, &v->method);
  wire_witness(w, &v->witness);
  WIRE(w, v->why);
  wire_text(w, &v->why_detail);
  WIRE(w, v->why_at);
  wire_text(w, &v->fix);
  WIRE(w, v->launch_line);
  WIRE(w, v->suppressed);
}

static void wire_kernel(wire *w, kernel_report *k) {
  wire_text(w, &k->name);
  WIRE(w, k->line);
  WIRE(w, k->helper);
  wire_count(w, &k->launch_count);
  uint32_t *launches =
      w->reading ? ARENA_ARRAY(w->arena, uint32_t, k->launch_count) : NULL;
  for (size_t i = 0; i < k->launch_count; i++) {
    uint32_t line = w->reading ? 0 : k->launches[i];
    WIRE(w, line);
    if (w->reading)
      launches[i] = line;
  }
  wire_count(w, &k->verdict_count);
  verdict *verdicts =
      w->reading ? ARENA_ARRAY(w->arena, verdict, k->verdict_count) : NULL;
  for (size_t i = 0; i < k->verdict_count; i++) {
    verdict item = w->reading ? (verdict){0} : k->verdicts[i];
    wire_verdict(w, &item);
    if (w->reading)
      verdicts[i] = item;
  }
  if (w->reading) {
    k->launches = launches;
    k->verdicts = verdicts;
  }
}

static void wire_finding(wire *w, finding *f) {
  WIRE(w, f->code);
  WIRE(w, f->at);
  wire_text(w, &f->message);
  wire_text(w, &f->effect);
  wire_text(w, &f->kernel);
}

static void wire_file(wire *w, file_report *file) {
  wire_count(w, &file->finding_count);
  finding *findings =
      w->reading ? ARENA_ARRAY(w->arena, finding, file->finding_count) : NULL;
  for (size_t i = 0; i < file->finding_count; i++) {
    finding item = w->reading ? (finding){0} : file->findings[i];
    wire_finding(w, &item);
    if (w->reading)
      findings[i] = item;
  }
  wire_count(w, &file->kernel_count);
  kernel_report *kernels =
      w->reading ? ARENA_ARRAY(w->arena, kernel_report, file->kernel_count)
                 : NULL;
  for (size_t i = 0; i < file->kernel_count; i++) {
    kernel_report item = w->reading ? (kernel_report){0} : file->kernels[i];
    wire_kernel(w, &item);
    if (w->reading)
      kernels[i] = item;
  }
  if (w->reading) {
    file->findings = findings;
    file->kernels = kernels;
  }
  uint32_t mark = END_MARK;
  WIRE(w, mark);
  w->failed = w->failed || mark != END_MARK;
}

void wire_write(const file_report *file, strbuf *out) {
  wire w = {.out = out, .arena = out->arena};
  file_report copy = *file;
  assert(!file->unreadable);
  wire_file(&w, &copy);
}

const file_report *wire_read(arena *arena, const char *bytes, size_t length) {
  wire w = {
      .arena = arena, .at = bytes, .end = bytes + length, .reading = true};
  file_report *file = ARENA_NEW(arena, file_report);
  wire_file(&w, file);
  return w.failed || w.at != w.end ? NULL : file;
}
