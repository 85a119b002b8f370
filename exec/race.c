/* exec/race.c: who touched which element, and whether that was in order.
 *
 * Two programs are ordered by nothing. Inside one program two lanes are
 * ordered by a barrier only; an instruction that the hardware runs with one
 * inside (a reduction, a scan, a dot) counts as one here, as a fault must be
 * certain. A lane of a tile is the same lane of any tile of equal shape.
 *
 * For each element and instruction two touches are kept: the first, and the
 * latest by another program. That is enough, as the first conflict between
 * two touches is reported when the second of them happens. */
#include "exec/machine.h"

typedef struct touch {
  uint32_t inst;
  bool reads, writes, atomic;
  int64_t program[3];
  uint32_t turn_count;
  int64_t turns[MAX_TURNS];
  tile_type shape;
  size_t lane;
  uint32_t epoch;
  bool told; /* the value written is known */
  uint64_t bits;
} touch;

typedef struct record {
  touch first, latest;
  bool has_latest;
  struct record *next; /* of the same element, another instruction */
} record;

typedef struct element {
  uint32_t storage;
  int64_t place;
  record *records;
  struct element *next; /* of the same hash */
} element;

static element *element_at(exec_machine *m, uint32_t storage, int64_t place) {
  uint64_t key = hash_mix(hash_mix(0, storage), (uint64_t)place), found = 0;
  if (!m->touched)
    m->touched = map_create(m->arena);
  element *head =
      map_get(m->touched, key, &found) ? (element *)(uintptr_t)found : NULL;
  for (element *e = head; e; e = e->next)
    if (e->storage == storage && e->place == place)
      return e;
  element *e = ARENA_NEW(m->arena, element);
  *e = (element){.storage = storage, .place = place, .next = head};
  map_put(m->touched, key, (uint64_t)(uintptr_t)e);
  return e;
}

static bool same_program(const touch *a, const touch *b) {
  return memcmp(a->program, b->program, sizeof a->program) == 0;
}

static bool same_lane(const touch *a, const touch *b) {
  if (a->shape.lanes == 1 && b->shape.lanes == 1)
    return true;
  return a->shape.rank == b->shape.rank &&
         memcmp(a->shape.dim, b->shape.dim,
                sizeof *a->shape.dim * a->shape.rank) == 0 &&
         a->lane == b->lane;
}

static bool same_moment(const touch *a, const touch *b) {
  return a->inst == b->inst && a->turn_count == b->turn_count &&
         memcmp(a->turns, b->turns, sizeof *a->turns * a->turn_count) == 0;
}

static bool equal_values(const touch *a, const touch *b) {
  return a->told && b->told && a->bits == b->bits;
}

/* Lanes of one store that write one value, or one that nobody can tell, are no
 * fault. */
static bool lanes_conflict(const touch *a, const touch *b) {
  if (same_lane(a, b) || a->epoch != b->epoch)
    return false;
  if (same_moment(a, b))
    return a->told && b->told && a->bits != b->bits;
  return true;
}

static event_kind conflict(const touch *a, const touch *b) {
  if ((!a->writes && !b->writes) || (a->atomic && b->atomic))
    return EVENT_NONE;
  if (same_program(a, b))
    return lanes_conflict(a, b) ? EVENT_LANE : EVENT_NONE;
  return a->writes && b->writes ? EVENT_RACE_STORE : EVENT_RACE_LOAD;
}

static const char *lane_text(exec_machine *m, const touch *t) {
  int64_t at[TYPE_MAX_RANK];
  size_t rest = t->lane;
  const char *text = "";
  for (uint32_t d = t->shape.rank; d-- > 0;) {
    at[d] = (int64_t)(rest % (size_t)t->shape.dim[d]);
    rest /= (size_t)t->shape.dim[d];
  }
  for (uint32_t d = 0; d < t->shape.rank; d++)
    text = arena_printf(m->arena, "%s%s%lld", text, d ? ", " : "",
                        (long long)at[d]);
  return t->shape.rank == 0   ? ""
         : t->shape.rank == 1 ? arena_printf(m->arena, " in lane %s", text)
                              : arena_printf(m->arena, " in lane (%s)", text);
}

static const char *program_text(exec_machine *m, const touch *t) {
  uint32_t rank = m->program->grid_rank ? m->program->grid_rank : 3;
  const char *text = "";
  for (uint32_t axis = 0; axis < rank; axis++)
    text = arena_printf(m->arena, "%s%s%lld", text, axis ? ", " : "",
                        (long long)t->program[axis]);
  return arena_printf(m->arena, "program (%s)", text);
}

/* "program (1) stores to it in line 12 in lane 3; both store one value" */
static const char *other_text(exec_machine *m, event_kind kind,
                              const touch *late, const touch *other) {
  const char *verb = other->atomic   ? "updates"
                     : other->writes ? "stores to"
                                     : "reads";
  const char *who = kind == EVENT_LANE ? "the program" : program_text(m, other);
  const char *remark = kind == EVENT_RACE_STORE && equal_values(late, other)
                           ? "; both store one value"
                           : "";
  return arena_printf(m->arena, "%s %s it in line %u%s too%s", who, verb,
                      m->insts[other->inst]->at.line, lane_text(m, other),
                      remark);
}

/* The finding is that of the load, else of the access that comes last in the
 * text. */
static bool is_blamed(event_kind kind, const touch *a, const touch *b) {
  if (kind == EVENT_RACE_LOAD)
    return a->reads && !a->writes;
  return a->inst >= b->inst;
}

static void report(exec_machine *m, event_kind kind, const touch *a,
                   const touch *b) {
  const touch *late = is_blamed(kind, a, b) ? a : b;
  const touch *other = late == a ? b : a;
  const inst *in = m->insts[late->inst];
  if (!event_wanted(m, kind, in->index))
    return;
  tile_type shape = late->shape;
  uint32_t tensor = m->touching_tensor;
  exec_event what = {.tensor = tensor,
                     .offset = m->touching_offset,
                     .other = other->inst,
                     .detail = other_text(m, kind, late, other)};
  memcpy(what.other_program, other->program, sizeof what.other_program);
  if (!event_report(m, kind, in, &shape, late->lane, what))
    return;
  if (m->event_count == 1) {
    memcpy(m->first.program, late->program, sizeof m->first.program);
    m->first.turn_count = late->turn_count;
    memcpy(m->first.turns, late->turns, sizeof late->turns);
  }
}

static bool compare(exec_machine *m, const touch *old, const touch *now) {
  event_kind kind = conflict(now, old);
  if (kind == EVENT_NONE)
    return false;
  report(m, kind, now, old);
  return m->stopped;
}

static void keep(exec_machine *m, element *e, const touch *now) {
  for (record *r = e->records; r; r = r->next) {
    if (r->first.inst != now->inst)
      continue;
    if (same_program(&r->first, now)) {
      r->first = *now;
    } else {
      r->latest = *now;
      r->has_latest = true;
    }
    return;
  }
  record *r = ARENA_NEW(m->arena, record);
  *r = (record){.first = *now, .next = e->records};
  e->records = r;
}

void race_touch(exec_machine *m, const inst *in, const tile *p, size_t lane,
                bool reads, bool writes) {
  if (!m->options.watch_races || m->muted)
    return;
  uint32_t tensor = lane_tensor(p, lane);
  const bound_tensor *b = &m->tensors[tensor];
  int64_t offset = (int64_t)p->bits[lane];
  touch now = {.inst = in->index,
               .reads = reads,
               .writes = writes,
               .atomic = reads && writes,
               .turn_count = m->depth < MAX_TURNS ? m->depth : MAX_TURNS,
               .shape = p->type,
               .lane = lane,
               .epoch = m->epoch};
  memcpy(now.program, m->pid, sizeof now.program);
  memcpy(now.turns, m->turns, sizeof *m->turns * now.turn_count);
  if (writes) {
    cell c = memory_read(m, tensor, offset);
    now.told = !c.trouble;
    now.bits = c.bits;
  }
  m->touching_tensor = tensor;
  m->touching_offset = offset;
  element *e = element_at(m, b->storage, offset + b->start);
  for (const record *r = e->records; r; r = r->next)
    if (compare(m, &r->first, &now) ||
        (r->has_latest && compare(m, &r->latest, &now)))
      return;
  keep(m, e, &now);
}
