/* exec/event.c: what a run tells its caller: events, and the end of runs that
 * cannot go on. */
#include "exec/machine.h"

const char *event_kind_name(event_kind kind) {
  static const char *const names[] = {
      [EVENT_NONE] = "none",
      [EVENT_OUTSIDE] = "outside",
      [EVENT_WRAP] = "wrap",
      [EVENT_DIV_ZERO] = "division by zero",
      [EVENT_CLAIM] = "claim",
      [EVENT_LAUNCH] = "launch",
      [EVENT_GRID] = "grid limit",
      [EVENT_CONTRACT] = "contract",
      [EVENT_LIMIT] = "step limit",
      [EVENT_OPAQUE] = "unsupported",
      [EVENT_UNWRITTEN] = "nothing there",
      [EVENT_RACE_STORE] = "race of stores",
      [EVENT_RACE_LOAD] = "race of a load",
      [EVENT_LANE] = "lane conflict",
  };
  assert((size_t)kind < sizeof names / sizeof *names);
  return names[kind];
}

bool event_wanted(const exec_machine *m, event_kind kind, uint32_t inst) {
  const exec_options *o = &m->options;
  return (o->only_kind == EVENT_NONE || o->only_kind == kind) &&
         (o->only_inst == 0 || o->only_inst == inst);
}

static void locate(const exec_machine *m, exec_event *e, const tile_type *shape,
                   size_t lane) {
  memcpy(e->program, m->pid, sizeof e->program);
  e->turn_count = m->depth < MAX_TURNS ? m->depth : MAX_TURNS;
  memcpy(e->turns, m->turns, sizeof *m->turns * e->turn_count);
  if (!shape)
    return;
  e->lane_count = shape->rank;
  for (uint32_t d = shape->rank; d-- > 0;) {
    e->lane[d] = (int64_t)(lane % (size_t)shape->dim[d]);
    lane /= (size_t)shape->dim[d];
  }
}

bool event_report(exec_machine *m, event_kind kind, const inst *in,
                  const tile_type *shape, size_t lane, exec_event what) {
  if (kind == EVENT_DIV_ZERO && m->options.watch_races && !m->muted)
    event_give_up(m, EVENT_OPAQUE, in, "an integer is divided by 0");
  if (m->muted || m->stopped || !event_wanted(m, kind, in->index))
    return false;
  if (m->event_count++ == 0) {
    what.kind = kind;
    what.inst = in->index;
    what.at = in->at;
    locate(m, &what, shape, lane);
    m->first = what;
  }
  m->stopped = m->options.stop_at_first;
  return true;
}

void event_give_up(exec_machine *m, event_kind kind, const inst *in,
                   const char *detail) {
  assert(kind == EVENT_LIMIT || kind == EVENT_OPAQUE);
  if (m->stopped)
    return;
  m->stopped = m->ended = true;
  if (m->event_count++ > 0)
    return;
  m->first = (exec_event){
      .kind = kind, .inst = in->index, .at = in->at, .detail = detail};
  locate(m, &m->first, NULL, 0);
}

void event_charge(exec_machine *m, const inst *in, uint64_t steps) {
  m->steps += steps;
  if (m->steps > m->options.step_limit)
    event_give_up(m, EVENT_LIMIT, in, "the step limit ran out");
}

bool event_decide(exec_machine *m, const inst *in, const tile *t,
                  const char *what) {
  assert(t->type.lanes == 1);
  uint8_t trouble = lane_trouble(t, 0);
  if (!trouble)
    return true;
  event_give_up(m, EVENT_OPAQUE, in,
                arena_printf(m->arena, "%s %s", what,
                             trouble & LANE_UNKNOWN
                                 ? "depends on something that is not understood"
                                 : "depends on an undefined value"));
  return false;
}
