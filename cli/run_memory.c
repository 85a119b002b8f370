/* cli/run_memory.c: the host's memory.
 *
 * A storage outlives the launches: what one wrote the next one reads. Tensors
 * of one root are views of it. Elements are kept as exec/ has them (integers
 * extended to 64 bits, floats as their pattern), each with its state. */
#include "base/checked.h"
#include "base/map.h"
#include "base/panic.h"
#include "cli/run.h"
#include "exec/number.h"

#include <inttypes.h>
#include <string.h>

/* ---------------------------------------------------------- element types */

scalar run_dtype(const run_file *f) {
  static const struct {
    char kind;
    unsigned bytes;
    scalar s;
  } rows[] = {{'b', 1, SC_BOOL}, {'i', 1, SC_I8},  {'i', 2, SC_I16},
              {'i', 4, SC_I32},  {'i', 8, SC_I64}, {'u', 1, SC_U8},
              {'u', 2, SC_U16},  {'u', 4, SC_U32}, {'u', 8, SC_U64},
              {'f', 2, SC_F16},  {'f', 4, SC_F32}, {'f', 8, SC_F64},
              {'V', 2, SC_BF16}};
  if (f->dtype != SC_NONE)
    return f->dtype;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].kind == f->array.kind && rows[i].bytes == f->array.bytes)
      return rows[i].s;
  return SC_NONE;
}

/* Whether the array's bits are elements of the type: the type itself, or raw
 * bits of a float that NumPy does not have. */
static bool holds_type(const run_file *f, scalar s) {
  bool raw = f->array.kind == 'u' || f->array.kind == 'V';
  bool foreign = s == SC_BF16 || s == SC_F8E4M3 || s == SC_F8E5M2;
  return run_dtype(f) == s || (f->dtype == SC_NONE && raw && foreign &&
                               f->array.bytes == scalar_bytes(s));
}

/* Bits of an element of type `from` as one of type `to`: equal, or anything. */
static uint64_t as_element(scalar from, scalar to, uint64_t bits) {
  if (from == SC_BOOL)
    bits = bits != 0;
  bits = scalar_is_int(from) ? number_fit(from, bits) : bits;
  if (to != SC_ANY || from == SC_ANY)
    return bits;
  if (number_is_float(from))
    return number_encode(SC_ANY, number_decode(from, bits));
  return number_encode(SC_ANY, scalar_is_signed(from) ? (double)(int64_t)bits
                                                      : (double)bits);
}

/* --------------------------------------------------------------- elements */

int64_t run_place(const run_storage *s, int64_t offset) {
  return offset >= s->low && offset < s->high ? offset - s->low : -1;
}

bool run_walk(const run_tensor *t, run_visitor visit, void *context) {
  uint32_t rank = t->about->rank;
  int64_t at[TYPE_MAX_RANK] = {0}, offset = 0, place = 0;
  for (uint32_t d = 0; d < rank; d++)
    if (t->extent[d] == 0)
      return true;
  for (;;) {
    if (!visit(context, t, place++, offset))
      return false;
    uint32_t d = rank;
    while (d > 0 && at[d - 1] + 1 == t->extent[d - 1]) {
      offset -= at[d - 1] * t->stride[d - 1];
      at[--d] = 0;
    }
    if (d == 0)
      return true;
    at[d - 1]++;
    offset += t->stride[d - 1];
  }
}

/* ---------------------------------------------------------------- storages */

run_storage *run_find_storage(run *r, const tensor *t) {
  for (size_t i = 0; i < r->storages.count; i++) {
    run_storage *s = &r->storages.at[i];
    if (s->root_line == t->root_line && strcmp(s->root, t->root) == 0)
      return s;
  }
  return NULL;
}

/* The elements from the first to the last of a tensor, in its storage. */
static bool span_of(const run_tensor *t, int64_t *low, int64_t *high) {
  *low = *high = t->start;
  for (uint32_t d = 0; d < t->about->rank; d++) {
    int64_t reach;
    if (t->extent[d] == 0)
      return *high = *low, true;
    if (!mul_ok(t->extent[d] - 1, t->stride[d], &reach) ||
        !add_ok(reach < 0 ? *low : *high, reach, reach < 0 ? low : high))
      return false;
  }
  return add_ok(*high, 1, high);
}

static void *grown(arena *arena, const void *old, size_t item, int64_t before,
                   int64_t count, int64_t total) {
  unsigned char *fresh = arena_alloc(arena, (size_t)total * item);
  if (count > 0)
    memcpy(fresh + (size_t)before * item, old, (size_t)count * item);
  return fresh;
}

/* Makes room for the elements low ... high - 1. */
static void cover(run *r, run_storage *s, int64_t low, int64_t high) {
  bool blank = s->high == s->low;
  low = !blank && s->low < low ? s->low : low;
  high = !blank && s->high > high ? s->high : high;
  int64_t total = high - low, count = s->high - s->low;
  int64_t before = blank ? 0 : s->low - low;
  if (total == count)
    return;
  s->bits = grown(r->arena, s->bits, sizeof *s->bits, before, count, total);
  s->state = grown(r->arena, s->state, 1, before, count, total);
  s->writer = ARENA_ARRAY(r->arena, uint32_t, total);
  s->reader = ARENA_ARRAY(r->arena, uint32_t, total);
  s->written_at = ARENA_ARRAY(r->arena, uint64_t, total);
  s->atomic = ARENA_ARRAY(r->arena, bool, total);
  s->low = low;
  s->high = high;
}

/* ------------------------------------------------------- contents at first */

typedef struct filling {
  run *r;
  run_storage *storage;
  const run_file *file;
  uint64_t bits; /* of every element, without a file */
} filling;

static void set_element(run_storage *s, int64_t offset, uint64_t bits) {
  int64_t place = run_place(s, offset);
  assert(place >= 0);
  s->bits[place] = bits;
  s->state[place] = CELL_FILLED;
}

/* Where the element of a row-major place stands in a Fortran file. */
static int64_t file_place(const npy_array *a, int64_t place) {
  int64_t out = 0, step = a->count;
  if (!a->fortran)
    return place;
  for (uint32_t d = a->rank; d-- > 0;) {
    step /= a->extent[d];
    out += place % a->extent[d] * step;
    place /= a->extent[d];
  }
  return out;
}

static bool from_file(void *context, const run_tensor *t, int64_t place,
                      int64_t offset) {
  const filling *f = context;
  scalar from = run_dtype(f->file), to = t->about->dtype;
  if (from != to && to != SC_ANY) /* raw bits */
    from = to;
  uint64_t bits = npy_get(&f->file->array, file_place(&f->file->array, place));
  set_element(f->storage, t->start + offset, as_element(from, to, bits));
  return true;
}

static bool from_number(void *context, const run_tensor *t, int64_t place,
                        int64_t offset) {
  const filling *f = context;
  (void)place;
  set_element(f->storage, t->start + offset, f->bits);
  return true;
}

/* In [-1, 1), in steps of 2^-23: every platform has the same. */
static bool from_seed(void *context, const run_tensor *t, int64_t place,
                      int64_t offset) {
  const filling *f = context;
  const char *name = t->about->name;
  uint64_t seed = hash_mix(f->r->seed, hash_bytes(name, strlen(name)));
  double x = (double)(hash_mix(seed, (uint64_t)place) >> 40) / 8388608.0 - 1;
  set_element(f->storage, t->start + offset, number_encode(t->about->dtype, x));
  return true;
}

/* What exec/ makes of the seed and the `values` clause. */
static bool left_to_exec(void *context, const run_tensor *t, int64_t place,
                         int64_t offset) {
  const filling *f = context;
  (void)place;
  f->storage->state[run_place(f->storage, t->start + offset)] = RUN_BY_EXEC;
  return true;
}

static bool fill_from_seed(const run_tensor *t, filling *f) {
  bool plain = number_is_float(t->about->dtype) && !t->about->has_range;
  return run_walk(t, plain ? from_seed : left_to_exec, f);
}

static bool fill_from_file(run *r, const run_tensor *t, filling *f,
                           run_file *file) {
  scalar own = run_dtype(file), wanted = t->about->dtype;
  if (wanted != SC_ANY && !holds_type(file, wanted))
    return run_fail(r, "%s: the elements are %s, those of `%s` are %s",
                    file->path, scalar_name(own), t->about->name,
                    scalar_name(wanted));
  if (t->about->content == CONTENT_HOST)
    run_note(r, arena_printf(r->arena,
                             "`%s` gets its array, though host code computes "
                             "it or may change it before the launch",
                             t->about->name));
  file->used = true;
  f->file = file;
  return run_walk(t, from_file, f);
}

/* Why a tensor that the caller does not pass needs an array. */
static const char *origin_of(const tensor *t) {
  if (t->content == CONTENT_HOST)
    return ", which the host code computes";
  if (t->content != CONTENT_CALLER)
    return ", which a launch that is not run writes";
  return "";
}

bool run_fail_missing(run *r, const tensor *t) {
  return run_fail(r,
                  "no array for `%s`%s: --in %s=FILE, or --seed=N for random "
                  "numbers",
                  t->name, origin_of(t), t->name);
}

static bool fill(run *r, const run_launch *l, uint32_t index,
                 run_storage *storage) {
  const run_tensor *t = &l->tensors[index];
  run_file *file = run_input_of(r, l->program, index);
  filling f = {.r = r, .storage = storage};
  const tensor *about = t->about;
  if (file)
    return fill_from_file(r, t, &f, file);
  /* An earlier launch that is not run may have written to it. */
  bool known = about->role == TENSOR_OUT || !about->shared;
  if (known && (about->content == CONTENT_EMPTY || about->role == TENSOR_OUT))
    return true;
  if (known && about->content == CONTENT_FILLED) {
    if (!number_is_float(about->dtype) &&
        !number_truncate(about->dtype, about->fill, &f.bits))
      return run_fail(r, "`%s` is filled with %g, which is no %s", about->name,
                      about->fill, scalar_name(about->dtype));
    if (number_is_float(about->dtype))
      f.bits = number_encode(about->dtype, about->fill);
    return run_walk(t, from_number, &f);
  }
  if (!r->seeded)
    return run_fail_missing(r, about);
  if (about->content != CONTENT_CALLER)
    run_note(r, arena_printf(r->arena, "`%s`%s, is random here", about->name,
                             origin_of(about)));
  return fill_from_seed(t, &f);
}

/* ------------------------------------------------------------------ attach */

static bool evaluate(const run_launch *l, expr e, int64_t *out) {
  return expr_eval(l->program->exprs, e, l->numbers.value, l->numbers.known,
                   out);
}

static bool number_tensor(run *r, const run_launch *l, run_tensor *t) {
  const tensor *about = t->about;
  bool good = true;
  for (uint32_t d = 0; d < about->rank; d++)
    good = good && evaluate(l, about->extent[d], &t->extent[d]) &&
           evaluate(l, about->stride[d], &t->stride[d]) && t->extent[d] >= 0;
  if (about->start != EXPR_NONE && !about->anywhere)
    good = good && evaluate(l, about->start, &t->start);
  return good || run_fail(r,
                          "the extents or strides of `%s` are no numbers "
                          "or negative",
                          about->name);
}

/* Tensors that cannot be told apart, or of which nobody knows whether they
 * overlap. */
static bool is_clear(run *r, const run_launch *l, uint32_t index) {
  const tensor *t = l->tensors[index].about;
  for (uint32_t i = 0; i < l->program->tensors.count; i++) {
    const tensor *other = l->tensors[i].about;
    if (i == index || other->root_line != t->root_line ||
        strcmp(other->root, t->root) != 0)
      continue;
    if (other->storage != t->storage || t->start == EXPR_NONE || t->anywhere)
      return run_fail(r, "`%s` and `%s` may overlap in a way that is not known",
                      t->name, other->name);
  }
  return true;
}

static bool attach(run *r, run_launch *l, uint32_t index) {
  run_tensor *t = &l->tensors[index];
  int64_t low, high;
  if (!number_tensor(r, l, t) || !is_clear(r, l, index))
    return false;
  if (!span_of(t, &low, &high) || high - low > RUN_MOST_ELEMENTS)
    return run_fail(r, "`%s` spans too many elements to run", t->about->name);
  run_storage *s = run_find_storage(r, t->about);
  bool fresh = !s;
  if (fresh) {
    run_storage blank = {.root = t->about->root,
                         .root_line = t->about->root_line,
                         .edits = t->about->edits,
                         .dtype = t->about->dtype};
    VEC_PUSH(r->arena, &r->storages, blank);
    s = &r->storages.at[r->storages.count - 1];
  }
  t->storage = (uint32_t)(s - r->storages.at);
  if (s->dtype != t->about->dtype)
    return run_fail(r, "`%s` is read as %s and as %s: not followed", s->root,
                    scalar_name(s->dtype), scalar_name(t->about->dtype));
  if (s->edits != t->about->edits)
    return run_fail(r,
                    "host code may change `%s` before line %u, after an "
                    "earlier launch: not followed",
                    t->about->name, l->program->launch_line);
  cover(r, s, low, high);
  run_file *file = run_input_of(r, l->program, index);
  return fresh || (file && !file->used) ? fill(r, l, index, s) : true;
}

bool run_attach(run *r, run_launch *l) {
  size_t n = l->program->tensors.count;
  l->tensors = ARENA_ARRAY(r->arena, run_tensor, n);
  for (size_t i = 0; i < n; i++) {
    tensor *t = &l->program->tensors.at[i];
    assert(t->root);
    l->tensors[i] =
        (run_tensor){.about = t, .program = l->program, .index = (uint32_t)i};
  }
  for (uint32_t i = 0; i < n; i++)
    if (!attach(r, l, i))
      return false;
  return true;
}
