/* traffic/coalesce.c: sectors of warp accesses. */
#include "traffic/coalesce.h"

#include <assert.h>
#include <stdlib.h>

/* An index on each axis. */
typedef struct place {
  int64_t at[TYPE_MAX_RANK];
} place;

/* Number `i` of a box, counted along the order. */
static place place_in(const layout *l, const int64_t *box, int64_t i) {
  place p = {{0}};
  for (unsigned k = 0; k < l->rank; k++) {
    p.at[l->order[k]] = i % box[l->order[k]];
    i /= box[l->order[k]];
  }
  return p;
}

static int64_t count_in(const layout *l, const int64_t *box) {
  int64_t n = 1;
  for (unsigned d = 0; d < l->rank; d++)
    n *= box[d];
  return n;
}

/* Lane of the tile; SIZE_MAX beyond it. */
static size_t lane_at(const lane_tile *t, const place *p) {
  size_t lane = 0;
  for (unsigned d = 0; d < t->shape.rank; d++) {
    if (p->at[d] >= t->shape.extent[d])
      return SIZE_MAX;
    lane = lane * (size_t)t->shape.extent[d] + (size_t)p->at[d];
  }
  return lane;
}

/* --------------------------------------------------------------- vectors */

/* Lanes first, first + step, ...: n of them form a vector in memory, or none
 * of them is live. */
static bool is_vector(const lane_tile *t, size_t first, size_t step,
                      int64_t n) {
  bool live = t->is_live[first];
  for (int64_t k = 0; k < n; k++) {
    size_t lane = first + (size_t)k * step;
    if (t->is_live[lane] != live)
      return false;
    if (live && t->address[lane] != t->address[first] + k)
      return false;
  }
  return !live || floor_mod(t->address[first], n) == 0;
}

/* Lanes between neighbours on an axis. */
static size_t step_of(const tile_shape *s, unsigned axis) {
  size_t step = 1;
  for (unsigned d = axis + 1; d < s->rank; d++)
    step *= (size_t)s->extent[d];
  return step;
}

static bool all_vectors(const lane_tile *t, unsigned axis, int64_t n) {
  size_t step = step_of(&t->shape, axis);
  if (t->shape.extent[axis] % n != 0)
    return false;
  for (size_t lane = 0; lane < t->lanes; lane++) {
    size_t index = lane / step % (size_t)t->shape.extent[axis];
    if (index % (size_t)n == 0 && !is_vector(t, lane, step, n))
      return false;
  }
  return true;
}

static int64_t vector_elements(const lane_tile *t, const layout *l) {
  unsigned axis = l->order[0];
  int64_t n = VECTOR_BYTES / t->element_bytes;
  n = n < l->size[axis] ? n : l->size[axis];
  while (n > 1 && !all_vectors(t, axis, n))
    n /= 2;
  return n > 1 ? n : 1;
}

/* ----------------------------------------------------------- instructions */

typedef struct counter {
  const lane_tile *tile;
  const layout *layout;
  int64_t vector; /* elements */
  coalesce_result out;
} counter;

static int ascending(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

static int64_t distinct(int64_t *at, size_t n, int64_t unit) {
  int64_t count = 0;
  for (size_t i = 0; i < n; i++)
    count += i == 0 || floor_div(at[i], unit) != floor_div(at[i - 1], unit);
  return count;
}

/* One vector of each thread of a warp, which begins at `first`. */
static void run_instruction(counter *c, const place *first) {
  enum { MOST = WARP_THREADS * 2 };
  int64_t bytes[MOST];
  size_t n = 0;
  const layout *l = c->layout;
  for (int64_t i = 0; i < WARP_THREADS; i++) {
    place p = place_in(l, l->threads, i);
    for (unsigned d = 0; d < l->rank; d++)
      p.at[d] = p.at[d] * l->size[d] + first->at[d];
    size_t lane = lane_at(c->tile, &p);
    if (lane == SIZE_MAX || !c->tile->is_live[lane])
      continue;
    int64_t start = c->tile->address[lane] * c->tile->element_bytes;
    bytes[n++] = start;
    bytes[n++] = start + c->vector * c->tile->element_bytes - 1;
  }
  if (n == 0)
    return;
  qsort(bytes, n, sizeof *bytes, ascending);
  c->out.instructions++;
  c->out.sectors += distinct(bytes, n, SECTOR_BYTES);
  c->out.segments += distinct(bytes, n, SEGMENT_BYTES);
}

static int64_t distinct_elements(const lane_tile *t) {
  arena *scratch = arena_create();
  int64_t *at = ARENA_ARRAY(scratch, int64_t, t->lanes);
  size_t n = 0;
  for (size_t i = 0; i < t->lanes; i++)
    if (t->is_live[i])
      at[n++] = t->address[i];
  qsort(at, n, sizeof *at, ascending);
  int64_t count = distinct(at, n, 1);
  arena_destroy(scratch);
  return count;
}

/* Each box of the program, each warp in it, each vector of a thread. */
static void run_all(counter *c) {
  const layout *l = c->layout;
  int64_t boxes[TYPE_MAX_RANK], vectors[TYPE_MAX_RANK], box[TYPE_MAX_RANK];
  for (unsigned d = 0; d < l->rank; d++) {
    box[d] = l->size[d] * l->threads[d] * l->warps[d];
    boxes[d] = (c->tile->shape.extent[d] + box[d] - 1) / box[d];
    vectors[d] = l->size[d] / (d == l->order[0] ? c->vector : 1);
  }
  for (int64_t b = 0; b < count_in(l, boxes); b++)
    for (int64_t v = 0; v < count_in(l, vectors); v++)
      for (int64_t w = 0; w < layout_warps(l); w++) {
        place at = place_in(l, boxes, b), reg = place_in(l, vectors, v);
        place warp = place_in(l, l->warps, w);
        for (unsigned d = 0; d < l->rank; d++)
          at.at[d] = at.at[d] * box[d] +
                     warp.at[d] * l->threads[d] * l->size[d] +
                     reg.at[d] * (d == l->order[0] ? c->vector : 1);
        run_instruction(c, &at);
      }
}

coalesce_result coalesce_count(const lane_tile *tile, const layout *layout) {
  counter c = {.tile = tile, .layout = layout};
  assert(layout->rank == tile->shape.rank);
  c.vector = vector_elements(tile, layout);
  c.out.vector_bytes = c.vector * tile->element_bytes;
  run_all(&c);
  c.out.wanted_bytes = distinct_elements(tile) * tile->element_bytes;
  if (c.out.sectors)
    c.out.used =
        (double)c.out.wanted_bytes / ((double)c.out.sectors * SECTOR_BYTES);
  return c.out;
}

/* ------------------------------------------------------------ best layout */

static bool is_better(const coalesce_result *a, const coalesce_result *b) {
  if (a->sectors != b->sectors)
    return a->sectors < b->sectors;
  return a->instructions < b->instructions;
}

/* `axis` fastest, then the others from the right; `along` threads of a warp on
 * the fastest axis, the others on the next one. */
static layout_request request_for(const lane_tile *t, unsigned axis,
                                  int64_t size, int64_t along) {
  layout_request r = {
      .rank = t->shape.rank, .has_order = true, .has_threads = true};
  unsigned k = 0;
  r.order[k++] = axis;
  for (unsigned d = r.rank; d-- > 0;)
    if (d != axis)
      r.order[k++] = d;
  for (unsigned d = 0; d < r.rank; d++) {
    r.size[d] = d == axis ? size : 1;
    r.threads[d] = d == axis ? along : 1;
  }
  if (r.rank > 1)
    r.threads[r.order[1]] = WARP_THREADS / along;
  return r;
}

typedef struct search {
  const lane_tile *tile;
  int64_t warps;
  layout best;
  coalesce_result *result;
} search;

static void consider(search *s, const layout_request *r) {
  layout l;
  bool made = layout_make(r, &s->tile->shape, s->warps, &l);
  assert(made);
  (void)made;
  coalesce_result found = coalesce_count(s->tile, &l);
  if (s->best.rank && !is_better(&found, s->result))
    return;
  s->best = l;
  *s->result = found;
}

/* Longest rows of threads first: they win where others are as good. */
static void consider_size(search *s, unsigned axis, int64_t size) {
  int64_t least = s->tile->shape.rank > 1 ? 1 : WARP_THREADS;
  int64_t fit = s->tile->shape.extent[axis] / size;
  for (int64_t along = WARP_THREADS; along >= least; along /= 2) {
    if (along > fit && along > least)
      continue;
    layout_request r = request_for(s->tile, axis, size, along);
    consider(s, &r);
  }
}

layout coalesce_best(const lane_tile *tile, int64_t warps,
                     coalesce_result *result) {
  search s = {.tile = tile, .warps = warps, .result = result};
  int64_t most = (int64_t)tile->lanes / (warps * WARP_THREADS);
  for (unsigned d = tile->shape.rank; d-- > 0;)
    for (int64_t size = 1;
         size * tile->element_bytes <= VECTOR_BYTES &&
         size <= tile->shape.extent[d] && (size == 1 || size <= most);
         size *= 2)
      consider_size(&s, d, size);
  return s.best;
}

bool coalesce_stride(const lane_tile *tile, unsigned axis, int64_t *out) {
  size_t step = step_of(&tile->shape, axis);
  bool any = false;
  for (size_t lane = 0; lane + step < tile->lanes; lane++) {
    size_t index = lane / step % (size_t)tile->shape.extent[axis];
    if (index + 1 == (size_t)tile->shape.extent[axis] || !tile->is_live[lane] ||
        !tile->is_live[lane + step])
      continue;
    int64_t stride = tile->address[lane + step] - tile->address[lane];
    if (any && stride != *out)
      return false;
    *out = stride;
    any = true;
  }
  return any;
}

/* ------------------------------------------------------------ from a walk */

typedef struct gatherer {
  walk *walk;
  arena *arena;
  lane_tile_vec *out;
  bool failed;
} gatherer;

static void take_lane(void *context, size_t lane, bool live, int64_t address) {
  lane_tile *t = context;
  t->is_live[lane] = live;
  t->address[lane] = address;
}

static void touched(void *context, touch now) {
  gatherer *g = context;
  lane_tile *t = &g->out->at[now.access];
  if (now.lanes <= t->live)
    return;
  t->live = now.lanes;
  if (!walk_lanes(g->walk, now.access, take_lane, t))
    g->failed = true;
}

static bool make_tile(gatherer *g, size_t number, trouble *why) {
  lane_tile t = {0};
  uint32_t tensor = walk_access(g->walk, number)->pointer.tensor;
  if (!sizes_element_bytes(walk_sizes(g->walk), tensor, &t.element_bytes, why))
    return false;
  t.shape = *walk_shape(g->walk, number);
  t.lanes = 1;
  for (unsigned d = 0; d < t.shape.rank; d++)
    t.lanes *= (size_t)t.shape.extent[d];
  t.address = ARENA_ARRAY(g->arena, int64_t, t.lanes);
  t.is_live = ARENA_ARRAY(g->arena, bool, t.lanes);
  VEC_PUSH(g->arena, g->out, t);
  return true;
}

static bool is_complete(const lane_tile_vec *tiles) {
  for (size_t i = 0; i < tiles->count; i++)
    if (tiles->at[i].live < (int64_t)tiles->at[i].lanes)
      return false;
  return true;
}

bool coalesce_tiles(walk *w, lane_tile_vec *out, trouble *why) {
  enum { PROGRAMS = 256 };
  const sizes *s = walk_sizes(w);
  gatherer g = {.walk = w, .arena = s->arena, .out = out};
  walk_visitor v = {.context = &g, .touched = touched};
  *out = (lane_tile_vec){0};
  for (size_t i = 0; i < walk_access_count(w); i++)
    if (!make_tile(&g, i, why))
      return false;
  for (int64_t p = 0; p < sizes_programs(s) && p < PROGRAMS; p++) {
    if (is_complete(out))
      return true;
    if (!walk_program(w, p, &v, why))
      return false;
    assert(!g.failed);
  }
  return true;
}
