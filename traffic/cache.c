/* traffic/cache.c: waves in lock step through an LRU of tiles. */
#include "traffic/cache.h"
#include "traffic/lru.h"

enum { MOST_WAVE = 1 << 20 };

/* What one program loads: steps[i] is the end of step i in `tiles`. */
typedef struct trace {
  VEC(uint32_t) tiles, steps;
} trace;

typedef struct simulation {
  arena *arena;
  walk *walk;
  cache_result *out;
  lru cache;
  VEC(int64_t) bytes; /* by tile; 0: not asked for yet */
  trace *traces;      /* of the programs of the wave */
  trace *now;
  trouble *why;
  bool failed;
} simulation;

static bool add_to(simulation *s, int64_t *sum, int64_t more) {
  if (add_ok(*sum, more, sum))
    return true;
  *s->why =
      (trouble){.message = "the traffic has more bytes than 64 bits count"};
  s->failed = true;
  return false;
}

/* Bytes of n elements of the tensor of an access; false when not known. */
static bool bytes_of(simulation *s, uint32_t tensor, int64_t n, int64_t *out) {
  int64_t element;
  if (sizes_element_bytes(walk_sizes(s->walk), tensor, &element, s->why) &&
      mul_ok(element, n, out))
    return true;
  s->failed = true;
  return false;
}

/* Remembers the size of a tile that is loaded for the first time. */
static bool know_tile(simulation *s, uint32_t number) {
  while (s->bytes.count <= number)
    VEC_PUSH(s->arena, &s->bytes, 0);
  if (s->bytes.at[number])
    return true;
  int64_t bytes, elements = walk_tile_offsets(s->walk, number)->count;
  if (!bytes_of(s, walk_tile(s->walk, number)->tensor, elements, &bytes) ||
      !add_to(s, &s->out->distinct_bytes, bytes))
    return false;
  if (s->out->tiles++ == 0)
    s->out->tile_bytes = bytes;
  else if (s->out->tile_bytes != bytes)
    s->out->tile_bytes = 0;
  s->bytes.at[number] = bytes;
  return true;
}

static void touched(void *context, touch t) {
  simulation *s = context;
  const access *a = walk_access(s->walk, t.access);
  int64_t bytes;
  if (s->failed || !bytes_of(s, a->pointer.tensor, t.lanes, &bytes))
    return;
  if (a->effect != EFFECT_READ && !add_to(s, &s->out->stored_bytes, bytes))
    return;
  if (a->effect == EFFECT_WRITE || !know_tile(s, t.tile) ||
      !add_to(s, &s->out->loaded_bytes, bytes))
    return;
  VEC_PUSH(s->arena, &s->now->tiles, t.tile);
}

static void stepped(void *context) {
  simulation *s = context;
  trace *now = s->now;
  size_t ends = now->steps.count;
  uint32_t end = (uint32_t)now->tiles.count;
  if (end > (ends ? now->steps.at[ends - 1] : 0))
    VEC_PUSH(s->arena, &now->steps, end);
}

static void multiplied(void *context, int64_t flops) {
  simulation *s = context;
  if (!s->failed)
    add_to(s, &s->out->flops, flops);
}

static void load(simulation *s, uint32_t tile) {
  int64_t bytes = s->bytes.at[tile];
  s->out->loads++;
  if (lru_touch(&s->cache, tile, bytes))
    return;
  s->out->misses++;
  add_to(s, &s->out->missed_bytes, bytes);
}

/* Runs step number `step` of each program; false when none has one. */
static bool run_step(simulation *s, size_t programs, size_t step) {
  bool any = false;
  for (size_t i = 0; i < programs; i++) {
    const trace *t = &s->traces[i];
    if (step >= t->steps.count)
      continue;
    any = true;
    for (uint32_t k = step ? t->steps.at[step - 1] : 0; k < t->steps.at[step];
         k++)
      load(s, t->tiles.at[k]);
  }
  return any;
}

static bool run_wave(simulation *s, int64_t first, size_t programs) {
  walk_visitor v = {s, touched, stepped, multiplied};
  for (size_t i = 0; i < programs; i++) {
    s->now = &s->traces[i];
    s->now->tiles.count = s->now->steps.count = 0;
    if (!walk_program(s->walk, first + (int64_t)i, &v, s->why) || s->failed)
      return false;
  }
  for (size_t step = 0; run_step(s, programs, step); step++)
    continue;
  s->out->waves++;
  return !s->failed;
}

static bool all_loads_modelled(walk *w, trouble *why) {
  for (size_t i = 0; i < walk_refused_count(w); i++)
    if (walk_refused(w, i, why)->effect != EFFECT_WRITE)
      return false;
  return true;
}

bool cache_simulate(walk *w, int64_t capacity_bytes, int64_t wave,
                    cache_result *out, trouble *why) {
  const sizes *sizes = walk_sizes(w);
  int64_t programs = sizes_programs(sizes);
  *out = (cache_result){.programs = programs};
  if (!all_loads_modelled(w, why))
    return false;
  wave = wave < programs ? wave : programs;
  if (programs > WALK_MOST_PROGRAMS || wave > MOST_WAVE) {
    *why = (trouble){.message = "more than 2**24 programs, or 2**20 in a wave, "
                                "are too many to look at"};
    return false;
  }
  simulation s = {.arena = sizes->arena,
                  .walk = w,
                  .out = out,
                  .cache = lru_make(sizes->arena, capacity_bytes),
                  .traces = ARENA_ARRAY(sizes->arena, trace, wave),
                  .why = why};
  for (int64_t first = 0; first < programs; first += wave) {
    int64_t n = programs - first < wave ? programs - first : wave;
    if (!run_wave(&s, first, (size_t)n))
      return false;
  }
  return true;
}
