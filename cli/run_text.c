/* cli/run_text.c: launches, counts, accesses and faults as text.
 *
 * Elements are written as Python would: `a[3, 4]`; those of an access as
 * ranges, `a[0:64, 32:64]`, where they are all combinations of the indices of
 * each axis. */
#include "base/panic.h"
#include "cli/run.h"
#include "ops/ops.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const inst *run_inst(const region *body, uint32_t index) {
  for (size_t i = 0; i < body->insts.count; i++) {
    const inst *in = body->insts.at[i];
    if (in->index == index)
      return in;
    for (int k = 0; k < 2; k++) {
      const inst *found =
          in->regions[k] ? run_inst(in->regions[k], index) : NULL;
      if (found)
        return found;
    }
  }
  return NULL;
}

static void put_row(strbuf *out, const int64_t *at, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    strbuf_printf(out, "%s%" PRId64, i ? ", " : "", at[i]);
}

const char *run_program_text(arena *arena, const tile_program *p,
                             const int64_t at[3]) {
  strbuf out = strbuf_make(arena);
  strbuf_putc(&out, '(');
  put_row(&out, at, p->grid_rank ? p->grid_rank : 3);
  strbuf_putc(&out, ')');
  return out.text;
}

/* ---------------------------------------------------------------- elements */

/* The indices of an element; false when the strides leave them open. */
static bool index_of(const run_tensor *t, int64_t offset,
                     int64_t index[TYPE_MAX_RANK]) {
  bool done[TYPE_MAX_RANK] = {false};
  for (uint32_t n = 0; n < t->about->rank; n++) {
    uint32_t best = TYPE_MAX_RANK;
    for (uint32_t d = 0; d < t->about->rank; d++)
      if (!done[d] && (best == TYPE_MAX_RANK || t->stride[d] > t->stride[best]))
        best = d;
    done[best] = true;
    index[best] = t->stride[best] > 0 && t->extent[best] > 1
                      ? offset / t->stride[best]
                      : 0;
    if (index[best] >= t->extent[best])
      return false;
    offset -= index[best] * t->stride[best];
  }
  return offset == 0;
}

const char *run_index_text(arena *arena, const run_tensor *t, int64_t offset) {
  int64_t index[TYPE_MAX_RANK];
  strbuf out = strbuf_make(arena);
  strbuf_put(&out, t->about->name);
  if (!index_of(t, offset, index)) {
    strbuf_printf(&out, " at offset %" PRId64, offset);
    return out.text;
  }
  strbuf_putc(&out, '[');
  put_row(&out, index, t->about->rank);
  strbuf_putc(&out, ']');
  return out.text;
}

static int by_number(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return x < y ? -1 : x > y;
}

/* Sorts, and drops what is there twice. */
static size_t sort_unique(int64_t *at, size_t count) {
  size_t kept = 0;
  if (count)
    qsort(at, count, sizeof *at, by_number);
  for (size_t i = 0; i < count; i++)
    if (kept == 0 || at[kept - 1] != at[i])
      at[kept++] = at[i];
  return kept;
}

/* 3, 0:64, {0:8, 192:200}. */
static void put_ranges(strbuf *out, const int64_t *at, size_t count) {
  strbuf ranges = strbuf_make(out->arena);
  size_t n = 0;
  for (size_t i = 0, k; i < count; i = k) {
    for (k = i + 1; k < count && at[k] == at[k - 1] + 1;)
      k++;
    strbuf_put(&ranges, n++ ? ", " : "");
    strbuf_printf(&ranges, "%" PRId64, at[i]);
    if (k > i + 1)
      strbuf_printf(&ranges, ":%" PRId64, at[k - 1] + 1);
  }
  strbuf_printf(out, n > 1 ? "{%s}" : "%s", ranges.text);
}

/* The indices along each axis. False: the elements are not all combinations of
 * these. */
static bool put_product(strbuf *out, const run_tensor *t,
                        const int64_t *offsets, size_t count) {
  int64_t *axis[TYPE_MAX_RANK], index[TYPE_MAX_RANK];
  size_t length[TYPE_MAX_RANK], product = 1;
  for (uint32_t d = 0; d < t->about->rank; d++)
    axis[d] = ARENA_ARRAY(out->arena, int64_t, count);
  for (size_t i = 0; i < count; i++) {
    if (!index_of(t, offsets[i], index))
      return false;
    for (uint32_t d = 0; d < t->about->rank; d++)
      axis[d][i] = index[d];
  }
  for (uint32_t d = 0; d < t->about->rank; d++) {
    length[d] = sort_unique(axis[d], count);
    product *= length[d];
  }
  if (product != count)
    return false;
  strbuf_putc(out, '[');
  for (uint32_t d = 0; d < t->about->rank; d++) {
    strbuf_put(out, d ? ", " : "");
    put_ranges(out, axis[d], length[d]);
  }
  strbuf_putc(out, ']');
  return true;
}

void run_print_instance(run *r, const run_instance *i) {
  const run_tensor *t = &r->launch->tensors[i->tensor];
  arena *scratch = arena_create();
  strbuf line = strbuf_make(scratch);
  size_t lanes = i->offsets.count;
  if (memcmp(r->listed, i->program, sizeof r->listed) != 0) {
    strbuf_printf(&r->text, "program %s\n",
                  run_program_text(scratch, r->launch->program, i->program));
    memcpy(r->listed, i->program, sizeof r->listed);
  }
  strbuf_printf(&line, "  %u:%u %s ", i->at.line, i->at.column,
                op_name(run_inst(r->launch->program->body, i->inst)->op));
  if (i->turn_count) {
    strbuf_put(&line, i->turn_count > 1 ? "turns " : "turn ");
    put_row(&line, i->turns, i->turn_count);
    strbuf_put(&line, ": ");
  }
  strbuf_put(&line, t->about->name);
  size_t count = sort_unique(i->offsets.at, lanes);
  if (!put_product(&line, t, i->offsets.at, count)) {
    strbuf_put(&line, " at offsets ");
    put_ranges(&line, i->offsets.at, count);
  }
  strbuf_printf(&line, ": %zu %s", count, count == 1 ? "element" : "elements");
  if (lanes != count)
    strbuf_printf(&line, ", %zu lanes", lanes);
  strbuf_printf(&r->text, "%s\n", line.text);
  arena_destroy(scratch);
}

/* ------------------------------------------------------------------ counts */

/* How many of its elements a tensor's names of axes take. */
static const char *shape_text(arena *arena, const run_tensor *t) {
  strbuf out = strbuf_make(arena);
  strbuf_printf(&out, "%s[", scalar_name(t->about->dtype));
  put_row(&out, t->extent, t->about->rank);
  strbuf_putc(&out, ']');
  return out.text;
}

typedef struct counts {
  uint64_t read, written;
} counts;

static counts bytes_of(const run_tensor *t) {
  uint64_t bytes = scalar_bytes(t->about->dtype);
  return (counts){t->read * bytes, t->written * bytes};
}

static void put_line(strbuf *out, const char *name, const char *shape,
                     counts elements, counts bytes) {
  strbuf_printf(
      out,
      "  %-12s %-20s %12" PRIu64 " %14" PRIu64 " %12" PRIu64 " %14" PRIu64 "\n",
      name, shape, elements.read, bytes.read, elements.written, bytes.written);
}

void run_print_launch(run *r, const run_launch *l) {
  const tile_program *p = l->program;
  int64_t programs = l->grid[0] * l->grid[1] * l->grid[2];
  strbuf_printf(&r->text, "%s:%u: %s%s, grid %s, %" PRId64 " %s", r->path,
                p->launch_line ? p->launch_line : p->at.line, "kernel ",
                p->kernel, run_program_text(r->arena, p, l->grid), programs,
                programs == 1 ? "program" : "programs");
  for (size_t i = 0; i < p->params.count; i++) {
    const param *q = &p->params.at[i];
    int64_t value;
    if (q->kind == PARAM_CONST && q->value != EXPR_NONE &&
        expr_eval(p->exprs, q->value, l->numbers.value, l->numbers.known,
                  &value))
      strbuf_printf(&r->text, ", %s = %" PRId64, q->name, value);
  }
  strbuf_putc(&r->text, '\n');
}

void run_print_counts(run *r, const run_launch *l) {
  counts elements = {0}, bytes = {0};
  strbuf_printf(&r->text, "  %-12s %-20s %12s %14s %12s %14s\n", "tensor", "",
                "read", "bytes", "written", "bytes");
  for (size_t i = 0; i < l->program->tensors.count; i++) {
    const run_tensor *t = &l->tensors[i];
    counts n = {t->read, t->written}, b = bytes_of(t);
    put_line(&r->text, t->about->name, shape_text(r->arena, t), n, b);
    elements.read += n.read;
    elements.written += n.written;
    bytes.read += b.read;
    bytes.written += b.written;
  }
  put_line(&r->text, "total", "", elements, bytes);
  r->total_read += bytes.read;
  r->total_written += bytes.written;
}

void run_print_total(run *r) {
  strbuf_printf(&r->text,
                "all launches: %" PRIu64 " bytes read, %" PRIu64
                " bytes written\n",
                r->total_read, r->total_written);
}

/* ------------------------------------------------------------------ faults */

static const char *outside_text(run *r, const run_launch *l,
                                const exec_event *e, const char *verb) {
  const run_tensor *t = &l->tensors[e->tensor];
  if (e->detail)
    return arena_printf(r->arena, "%s of `%s`: %s", verb, t->about->name,
                        e->detail);
  return arena_printf(r->arena,
                      "%s outside `%s`: no element of %s at offset %" PRId64,
                      verb, t->about->name, shape_text(r->arena, t), e->offset);
}

static const char *what_text(run *r, const run_launch *l, const exec_event *e) {
  const inst *in = run_inst(l->program->body, e->inst);
  const char *verb = in && in->kind == NODE_OP ? op_name(in->op) : "access";
  const char *detail = e->detail ? e->detail : event_kind_name(e->kind);
  if (e->kind == EVENT_OUTSIDE)
    return outside_text(r, l, e, verb);
  if (e->kind == EVENT_DIV_ZERO)
    return "an integer is divided by 0";
  if (e->kind == EVENT_CLAIM && in && in->text)
    return arena_printf(r->arena, "%s: %s", in->text, detail);
  if (e->kind == EVENT_OPAQUE || e->kind == EVENT_LIMIT)
    return arena_printf(r->arena, "the run cannot go on: %s", detail);
  return detail;
}

/* ", in `helper`" for what an inlined call brought in. */
const char *run_callee_text(run *r, const run_launch *l, uint32_t index) {
  const inst *in = run_inst(l->program->body, index);
  return in && in->call ? arena_printf(r->arena, ", in `%s`",
                                       l->program->calls.at[in->call].callee)
                        : "";
}

const char *run_event_text(run *r, const run_launch *l, const exec_event *e) {
  strbuf out = strbuf_make(r->arena);
  strbuf_printf(&out, "%s%s; kernel %s, program %s", what_text(r, l, e),
                run_callee_text(r, l, e->inst), l->program->kernel,
                run_program_text(r->arena, l->program, e->program));
  if (e->turn_count) {
    strbuf_put(&out, e->turn_count > 1 ? ", turns " : ", turn ");
    put_row(&out, e->turns, e->turn_count);
  }
  if (e->lane_count) {
    strbuf_put(&out, ", lane (");
    put_row(&out, e->lane, e->lane_count);
    strbuf_putc(&out, ')');
  }
  return out.text;
}
