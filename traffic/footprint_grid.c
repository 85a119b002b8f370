/* traffic/footprint_grid.c: tiles as grids, for pictures. */
#include "base/map.h"
#include "traffic/footprint.h"

#include <stdlib.h>

typedef struct seen {
  int64_t row, column; /* where the tile begins, in elements */
  int64_t program;
} seen;
typedef VEC(seen) seen_vec;

typedef struct gatherer {
  arena *arena;
  walk *walk;
  footprint_grid_vec *out;
  uint32_t *grid_of[DIRECTIONS]; /* by tensor: 1 + number */
  seen_vec *seen;                /* by grid */
  map *known[DIRECTIONS];        /* tiles */
  int64_t program;
} gatherer;

/* Extents and strides of a tensor, as numbers. */
typedef struct shape {
  unsigned rank; /* 0: not known */
  int64_t extent[TYPE_MAX_RANK], stride[TYPE_MAX_RANK];
} shape;

static shape shape_of(const walk *w, uint32_t tensor) {
  const sizes *s = walk_sizes(w);
  const struct tensor *x = &s->launch->program->tensors.at[tensor];
  sym extent[TYPE_MAX_RANK], stride[TYPE_MAX_RANK];
  shape out = {.rank = x->known ? x->rank : 0};
  if (x->known)
    launch_tensor(s->launch, tensor, extent, stride);
  for (unsigned d = 0; d < out.rank; d++)
    if (!sizes_number(s, extent[d], &out.extent[d]) ||
        !sizes_number(s, stride[d], &out.stride[d]))
      return (shape){0};
  return out;
}

/* The axis with the largest stride among those that are not done. */
static unsigned widest(const shape *s, unsigned done) {
  unsigned best = s->rank;
  for (unsigned d = 0; d < s->rank; d++)
    if (!(done >> d & 1) && (best == s->rank || s->stride[d] > s->stride[best]))
      best = d;
  return best;
}

/* Where in its tensor an address lies: the last axis is the column, the others
 * are one row number. */
static seen place(const shape *s, int64_t address) {
  int64_t index[TYPE_MAX_RANK] = {0};
  seen out = {.column = address};
  if (s->rank == 0)
    return out;
  for (unsigned done = 0, d; (d = widest(s, done)) < s->rank; done |= 1u << d) {
    if (s->stride[d] <= 0)
      continue;
    index[d] = floor_div(address, s->stride[d]);
    address -= index[d] * s->stride[d];
  }
  for (unsigned d = 0; d + 1 < s->rank; d++)
    out.row = out.row * s->extent[d] + index[d];
  out.column = index[s->rank - 1];
  return out;
}

static void touch_in(gatherer *g, uint32_t number, direction d) {
  const tile *t = walk_tile(g->walk, number);
  uint64_t before;
  if (map_get(g->known[d], number, &before))
    return;
  map_put(g->known[d], number, 1);
  uint32_t *grid = &g->grid_of[d][t->tensor];
  shape s = shape_of(g->walk, t->tensor);
  seen cell = place(&s, t->first);
  cell.program = g->program;
  VEC_PUSH(g->arena, &g->seen[*grid - 1], cell);
}

static void touched(void *context, touch t) {
  gatherer *g = context;
  op_effect effect = walk_access(g->walk, t.access)->effect;
  if (effect != EFFECT_WRITE)
    touch_in(g, t.tile, READS);
  if (effect != EFFECT_READ)
    touch_in(g, t.tile, WRITES);
}

static void add_grid(gatherer *g, uint32_t tensor, direction d) {
  const sizes *s = walk_sizes(g->walk);
  footprint_grid grid = {.tensor = s->launch->program->tensors.at[tensor].name,
                         .direction = d};
  if (g->grid_of[d][tensor])
    return;
  VEC_PUSH(g->arena, g->out, grid);
  g->grid_of[d][tensor] = (uint32_t)g->out->count;
}

static void add_grids(gatherer *g) {
  size_t n = walk_access_count(g->walk);
  size_t tensors = walk_sizes(g->walk)->launch->program->tensors.count;
  for (int d = 0; d < DIRECTIONS; d++) {
    g->grid_of[d] = ARENA_ARRAY(g->arena, uint32_t, tensors + 1);
    g->known[d] = map_create(g->arena);
    for (size_t i = 0; i < n; i++) {
      const access *a = walk_access(g->walk, i);
      if (a->effect != (d == READS ? EFFECT_WRITE : EFFECT_READ))
        add_grid(g, a->pointer.tensor, (direction)d);
    }
  }
  g->seen = ARENA_ARRAY(g->arena, seen_vec, g->out->count + 1);
}

static int ascending(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

static size_t sort_distinct(int64_t *at, size_t n) {
  size_t kept = 0;
  qsort(at, n, sizeof *at, ascending);
  for (size_t i = 0; i < n; i++)
    if (kept == 0 || at[kept - 1] != at[i])
      at[kept++] = at[i];
  return kept;
}

static uint32_t rank_of(const int64_t *at, size_t n, int64_t value) {
  const int64_t *found = bsearch(&value, at, n, sizeof *at, ascending);
  return (uint32_t)(found - at);
}

/* Coordinates become numbers of tile rows and columns. */
static void number_cells(gatherer *g, const seen_vec *from,
                         footprint_grid *out) {
  size_t n = from->count;
  int64_t *rows = ARENA_ARRAY(g->arena, int64_t, n + 1);
  int64_t *columns = ARENA_ARRAY(g->arena, int64_t, n + 1);
  for (size_t i = 0; i < n; i++) {
    rows[i] = from->at[i].row;
    columns[i] = from->at[i].column;
  }
  out->rows = (uint32_t)sort_distinct(rows, n);
  out->columns = (uint32_t)sort_distinct(columns, n);
  for (size_t i = 0; i < n; i++) {
    footprint_cell cell = {rank_of(rows, out->rows, from->at[i].row),
                           rank_of(columns, out->columns, from->at[i].column),
                           from->at[i].program};
    VEC_PUSH(g->arena, &out->cells, cell);
  }
}

bool footprint_grids(walk *w, footprint_grid_vec *out, trouble *why) {
  const sizes *s = walk_sizes(w);
  gatherer g = {.arena = s->arena, .walk = w, .out = out};
  walk_visitor v = {.context = &g, .touched = touched};
  *out = (footprint_grid_vec){0};
  add_grids(&g);
  for (; g.program < sizes_programs(s); g.program++)
    if (!walk_program(w, g.program, &v, why))
      return false;
  for (size_t i = 0; i < out->count; i++)
    number_cells(&g, &g.seen[i], &out->at[i]);
  return true;
}
