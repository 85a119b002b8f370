/* cli/run_output.c: tensors as .npy files, in C order whatever their strides.
 */
#include "cli/run.h"

#include <inttypes.h>

typedef struct writing {
  const run_storage *storage;
  npy_array array;
  unsigned char *data;
  uint64_t missing;
} writing;

static bool write_element(void *context, const run_tensor *t, int64_t place,
                          int64_t offset) {
  writing *w = context;
  int64_t from = run_place(w->storage, t->start + offset);
  exec_cell state = (exec_cell)w->storage->state[from];
  bool known = state == CELL_FILLED || state == CELL_WRITTEN;
  w->missing += !known;
  npy_put(w->data, w->array.bytes, place, known ? w->storage->bits[from] : 0);
  return true;
}

static char letter_of(scalar s) {
  if (s == SC_BOOL)
    return 'b';
  if (s == SC_F16 || s == SC_F32 || s == SC_F64 || s == SC_ANY)
    return 'f';
  return scalar_is_int(s) && scalar_is_signed(s) ? 'i' : 'u';
}

static bool write_tensor(run *r, const run_tensor *t, const char *path) {
  scalar s = t->about->dtype;
  writing w = {.storage = &r->storages.at[t->storage],
               .array = {.kind = letter_of(s),
                         .bytes = s == SC_ANY ? 8 : scalar_bytes(s),
                         .rank = t->about->rank,
                         .count = 1}};
  for (uint32_t d = 0; d < t->about->rank; d++) {
    w.array.extent[d] = t->extent[d];
    w.array.count *= t->extent[d];
  }
  w.data = arena_alloc(r->arena, (size_t)w.array.count * w.array.bytes);
  run_walk(t, write_element, &w);
  w.array.data = w.data;
  const char *why;
  if (!npy_write(r->arena, path, &w.array, &why))
    return run_fail(r, "%s: %s", path, why);
  if (w.missing)
    run_note(r, arena_printf(r->arena,
                             "%" PRIu64 " of %" PRId64 " elements of `%s` hold "
                             "nothing; they are 0 in %s",
                             w.missing, w.array.count, t->about->name, path));
  return true;
}

bool run_write_outputs(run *r) {
  for (size_t i = 0; i < r->out.count; i++) {
    run_file *f = &r->out.at[i];
    for (size_t k = r->seen.count; k-- > 0 && !f->used;) {
      if (!run_is_named(r->seen.at[k].program, r->seen.at[k].index, f->name))
        continue;
      f->used = true;
      if (!write_tensor(r, &r->seen.at[k], f->path))
        return false;
    }
  }
  return true;
}
