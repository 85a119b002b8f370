/* checks/uncoalesced.c: hints without a verdict, from the shape of tiles alone:
 * TC701, no layout of threads uses what it moves; TC702, the results of dots do
 * not fit the registers.
 *
 * TC701: neighbours on an axis of a tile are so many elements apart. Axes are
 * taken from the nearest neighbours on; as long as they join without gaps they
 * make a run of neighbouring elements. A run that fills at most half a sector,
 * with whole sectors between the runs or gaps inside it, is moved half in vain
 * by every layout. What is not told gives no hint. */
#include "analysis/on_chip.h"
#include "checks/checks_run.h"

#include <stdlib.h>
#include <string.h>

enum {
  SECTOR_BYTES = 32,
  WARP_LANES = 32,
  REGISTER_BYTES = 1 << 18, /* of a multiprocessor, on all GPUs of Triton */
};

/* ------------------------------------------------------------------ TC701 */

/* An axis of a tile. */
typedef struct axis {
  int64_t extent; /* 0: not known */
  sym apart;      /* elements between neighbours, in launch variables */
  bool far;       /* ... which is no number */
  int64_t step;   /* else: that, without its sign */
} axis;

/* Strides that nobody gives are those of row-major tensors: neighbours on the
 * last axis are neighbours in memory. */
static sym row_major(const launch *l, sym offset) {
  sym extent[TYPE_MAX_RANK], stride[TYPE_MAX_RANK], one = sym_int(l->syms, 1);
  for (uint32_t i = 0; i < l->program->tensors.count; i++) {
    const struct tensor *x = &l->program->tensors.at[i];
    if (!x->known || x->rank == 0)
      continue;
    launch_tensor(l, i, extent, stride);
    sym last = stride[x->rank - 1];
    if (sym_kind_of(l->syms, last) == SYM_VAR)
      offset = sym_substitute(l->syms, offset, &last, &one, 1);
  }
  return offset;
}

/* Extents and strides of tensors tell that something is far apart; a plain
 * argument may be 1. */
static bool is_size(const check_input *in, sym e) {
  const launch *l = judge_launch(in->pinned);
  for (size_t i = 0; i < exprs_symbol_count(in->program->exprs); i++)
    if (sym_mentions(l->syms, e, l->symbol[i]) &&
        is_plain_argument(in->program, i))
      return false;
  return judge_is_launch_level(in->pinned, e) && !judge_lost(in->pinned, e);
}

/* False when neighbours on the axis are not equally far apart, or nobody knows
 * how far. */
static bool read_axis(const check_input *in, sym offset, const type *t,
                      unsigned d, axis *out) {
  const launch *l = judge_launch(in->pinned);
  sym lane = launch_lane(l, t->rank - 1 - d);
  sym next = sym_add(l->syms, lane, sym_int(l->syms, 1));
  *out = (axis){0};
  if (!sym_is_int(l->syms, launch_sym(l, t->dim[d]), &out->extent))
    out->extent = 0;
  sym moved = sym_substitute(l->syms, offset, &lane, &next, 1);
  out->apart = sym_sub(l->syms, moved, offset);
  out->far = !sym_is_int(l->syms, out->apart, &out->step);
  if (!out->far && out->step < 0)
    out->step = -out->step;
  return !out->far || is_size(in, out->apart);
}

static int by_step(const void *left, const void *right) {
  const axis *a = left, *b = right;
  if (a->far != b->far)
    return a->far ? 1 : -1;
  return (a->step > b->step) - (a->step < b->step);
}

/* What the axes of a tile address. */
typedef struct spread {
  axis axes[TYPE_MAX_RANK]; /* with more than one lane, the nearest first */
  unsigned count;
  int64_t lanes; /* at least */
} spread;

static bool read_spread(const check_input *in, const access *a, spread *out) {
  const launch *l = judge_launch(in->pinned);
  const type *t = &in->program->values.at[a->inst->operands[0]].type;
  sym offset = row_major(l, a->pointer.of);
  *out = (spread){.lanes = 1};
  for (unsigned d = 0; d < t->rank; d++) {
    axis x;
    if (!read_axis(in, offset, t, d, &x))
      return false;
    if (x.extent == 1 || (!x.far && x.step == 0))
      continue;
    out->lanes *= x.extent ? x.extent : WARP_LANES;
    out->axes[out->count++] = x;
  }
  qsort(out->axes, out->count, sizeof *out->axes, by_step);
  return out->count > 0 && out->lanes >= WARP_LANES;
}

/* Neighbouring elements that the axes join to, from the nearest on; 0: nobody
 * knows how many. The axes of the run are left out of the spread. */
static int64_t run_of(spread *s) {
  int64_t run = 1;
  unsigned joined = 0;
  while (joined < s->count && !s->axes[joined].far &&
         s->axes[joined].step <= run) {
    const axis *x = &s->axes[joined++];
    if (x->extent == 0 || x->extent > WARP_LANES)
      return 0;
    run += x->step * (x->extent - 1);
  }
  s->count -= joined;
  memmove(s->axes, s->axes + joined, s->count * sizeof *s->axes);
  return run;
}

/* Whether the runs, one each on the axes that are left, have gaps between them
 * at least as long as they are: no axis reaches into the gaps of another. */
static bool has_gaps(const spread *s, int64_t run) {
  int64_t span = run;
  for (unsigned i = 0; i < s->count && !s->axes[i].far; i++) {
    const axis *x = &s->axes[i];
    if (x->step < (i ? span : 2 * run))
      return false;
    if (x->extent == 0)
      return s->count == i + 1;
    span += x->step * (x->extent - 1);
  }
  return s->count > 0;
}

static const char *sentence(const check_input *in, const access *a,
                            const spread *s, int64_t run) {
  const launch *l = judge_launch(in->pinned);
  const char *what = a->effect == EFFECT_READ ? "load" : "store";
  const char *name = in->program->tensors.at[a->pointer.tensor].name;
  const char *apart = sym_text(l->syms, s->axes[0].apart, in->arena);
  if (run > 1)
    return arena_printf(in->arena,
                        "%s moves whole sectors of `%s` for %lld neighbouring "
                        "elements each: the next ones are %s apart",
                        what, name, (long long)run, apart);
  return arena_printf(in->arena,
                      "%s moves most of `%s` in vain: its elements are %s "
                      "apart",
                      what, name, apart);
}

static void hint_at(const check_input *in, check_id code, span at,
                    const char *message) {
  hint h = {.code = code,
            .at = at,
            .kernel = in->program->kernel,
            .message = message};
  VEC_PUSH(in->arena, in->hints, h);
}

static void look(const check_input *in, const access *a) {
  const tile_program *p = in->program;
  spread s;
  if (a->opaque || a->pointer.form != VALUE_POINTER ||
      a->pointer.tensor >= p->tensors.count || a->effect == EFFECT_ATOMIC)
    return;
  const struct tensor *x = &p->tensors.at[a->pointer.tensor];
  if (!x->known || x->rank == 0 || !read_spread(in, a, &s))
    return;
  int64_t bytes = scalar_bytes(x->dtype), run = run_of(&s);
  bool half = run == 1 || (run > 1 && bytes && run * bytes <= SECTOR_BYTES / 2);
  if (half && has_gaps(&s, run))
    hint_at(in, CHECK_701, a->inst->at, sentence(in, a, &s, run));
}

void check_coalescing(check_input *in) {
  const interp_result *r = judge_result(in->pinned);
  for (size_t i = 0; i < r->accesses.count; i++)
    look(in, &r->accesses.at[i]);
}

/* ------------------------------------------------------------------ TC702 */

void check_registers(check_input *in) {
  const launch *l = judge_launch(in->pinned);
  int64_t bytes;
  if (!sym_is_int(l->syms, on_chip_bytes(l), &bytes) || bytes <= REGISTER_BYTES)
    return;
  hint_at(in, CHECK_702, in->program->at,
          arena_printf(in->arena,
                       "the results of tl.dot take %lld bytes, the registers "
                       "of a multiprocessor have %d",
                       (long long)bytes, (int)REGISTER_BYTES));
}
