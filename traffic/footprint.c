/* traffic/footprint.c: distinct tiles of the first programs. */
#include "traffic/footprint.h"
#include "base/map.h"
#include "traffic/elements.h"

#include <assert.h>
#include <inttypes.h>

/* What is known of one tile in one direction. */
typedef struct mark {
  int64_t last; /* 1 + the last program that touched it; 0: none */
} mark;

typedef struct finder {
  arena *arena;
  walk *walk;
  footprint *out;
  VEC(mark) marks[DIRECTIONS];  /* by tile */
  uint32_t *use_of[DIRECTIONS]; /* by tensor: 1 + number of the use */
  uint64_t *band;               /* by use: hash of this program's tiles */
  map **bands;                  /* by use: bands seen */
  uint64_t *tiles_of_bands;     /* by use: of the distinct ones */
  int64_t program;
} finder;

static bool goes(const access *a, direction d) {
  return a->effect == EFFECT_ATOMIC ||
         a->effect == (d == READS ? EFFECT_READ : EFFECT_WRITE);
}

static void add_use(finder *f, uint32_t tensor, direction d, int64_t first) {
  const sizes *s = walk_sizes(f->walk);
  if (f->use_of[d][tensor])
    return;
  footprint_use use = {.tensor = s->launch->program->tensors.at[tensor].name,
                       .number = tensor,
                       .direction = d,
                       .element_bytes = s->element_bytes[tensor],
                       .per_program =
                           ARENA_ARRAY(f->arena, uint32_t, first + 1)};
  VEC_PUSH(f->arena, &f->out->uses, use);
  f->use_of[d][tensor] = (uint32_t)f->out->uses.count;
}

static void add_uses(finder *f, int64_t first) {
  size_t tensors = walk_sizes(f->walk)->launch->program->tensors.count;
  for (int d = 0; d < DIRECTIONS; d++) {
    f->use_of[d] = ARENA_ARRAY(f->arena, uint32_t, tensors + 1);
    for (size_t i = 0; i < walk_access_count(f->walk); i++) {
      const access *a = walk_access(f->walk, i);
      if (goes(a, (direction)d))
        add_use(f, a->pointer.tensor, (direction)d, first);
    }
  }
  size_t uses = f->out->uses.count;
  f->band = ARENA_ARRAY(f->arena, uint64_t, uses + 1);
  f->bands = ARENA_ARRAY(f->arena, map *, uses + 1);
  f->tiles_of_bands = ARENA_ARRAY(f->arena, uint64_t, uses + 1);
  for (size_t i = 0; i < uses; i++)
    f->bands[i] = map_create(f->arena);
}

static void touch_in(finder *f, touch t, direction d) {
  uint32_t tensor = walk_tile(f->walk, t.tile)->tensor;
  uint32_t number = f->use_of[d][tensor] - 1;
  footprint_use *use = &f->out->uses.at[number];
  use->lanes += t.lanes;
  while (f->marks[d].count <= t.tile) {
    mark none = {0};
    VEC_PUSH(f->arena, &f->marks[d], none);
  }
  mark *m = &f->marks[d].at[t.tile];
  if (m->last == f->program + 1)
    return;
  use->tiles += m->last == 0;
  use->per_program[f->program]++;
  f->band[number] += hash_mix(7, t.tile);
  m->last = f->program + 1;
}

static void touched(void *context, touch t) {
  finder *f = context;
  const access *a = walk_access(f->walk, t.access);
  for (int d = 0; d < DIRECTIONS; d++)
    if (goes(a, (direction)d))
      touch_in(f, t, (direction)d);
}

static void end_program(finder *f) {
  for (size_t i = 0; i < f->out->uses.count; i++) {
    footprint_use *use = &f->out->uses.at[i];
    uint64_t tiles = use->per_program[f->program], known;
    if (tiles > 0 && !map_get(f->bands[i], f->band[i], &known)) {
      map_put(f->bands[i], f->band[i], tiles);
      use->band_tiles = use->bands++ && use->band_tiles != tiles ? 0 : tiles;
      f->tiles_of_bands[i] += tiles;
    }
    f->band[i] = 0;
  }
}

/* Bands that share no tile add up to all tiles. */
static void judge_bands(finder *f) {
  for (size_t i = 0; i < f->out->uses.count; i++)
    if (f->tiles_of_bands[i] != f->out->uses.at[i].tiles)
      f->out->uses.at[i].bands = f->out->uses.at[i].band_tiles = 0;
}

static void count_elements(finder *f) {
  for (size_t i = 0; i < f->out->uses.count; i++) {
    footprint_use *use = &f->out->uses.at[i];
    elements all = elements_make(f->arena);
    for (size_t k = 0; k < f->marks[use->direction].count; k++)
      if (f->marks[use->direction].at[k].last &&
          walk_tile(f->walk, k)->tensor == use->number)
        elements_add(&all, walk_tile(f->walk, k)->first,
                     walk_tile_offsets(f->walk, k));
    use->elements = elements_count(&all);
  }
}

bool footprint_find(walk *w, int64_t first, footprint *out, trouble *why) {
  const sizes *s = walk_sizes(w);
  finder f = {.arena = s->arena, .walk = w, .out = out};
  walk_visitor v = {.context = &f, .touched = touched};
  *out = (footprint){.programs = sizes_programs(s), .first = first};
  assert(first >= 0 && first <= out->programs);
  if (first > WALK_MOST_PROGRAMS) {
    *why = (trouble){.message = "more than 2**24 programs are too many to look "
                                "at: give --first, or smaller sizes"};
    return false;
  }
  add_uses(&f, first);
  for (f.program = 0; f.program < first; f.program++) {
    if (!walk_program(w, f.program, &v, why))
      return false;
    end_program(&f);
  }
  judge_bands(&f);
  count_elements(&f);
  return true;
}

uint64_t footprint_tiles_read(const footprint *self) {
  uint64_t all = 0;
  for (size_t i = 0; i < self->uses.count; i++)
    if (self->uses.at[i].direction == READS)
      all += self->uses.at[i].tiles;
  return all;
}

const char *footprint_bands(arena *arena, const footprint_use *use) {
  if (use->tiles == 0)
    return "";
  if (use->bands == 0)
    return "overlap";
  if (use->band_tiles == 0)
    return arena_printf(arena, "%" PRIu64, use->bands);
  return arena_printf(arena, "%" PRIu64 " x %" PRIu64, use->bands,
                      use->band_tiles);
}
