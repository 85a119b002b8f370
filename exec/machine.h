/* exec/machine.h: what the rules of exec/ share: the values of one run.
 *
 * Each SSA value owns one tile whose storage is allocated when it is first
 * computed and reused whenever the instruction runs again, so loops of any
 * length run in bounded memory. A value is only recomputed when its region is
 * entered again, and by then nothing refers to the old one: results of shape
 * operations and of regions may therefore share storage with their source.
 *
 * Lanes are 64 bits (exec/number.h). A pointer lane is a tensor and an offset
 * in elements from the tensor's first element. */
#ifndef EXEC_MACHINE_H
#define EXEC_MACHINE_H

#include "base/map.h"
#include "base/panic.h"
#include "exec/exec.h"
#include "exec/number.h"
#include "ops/ops.h"

/* What is wrong with a lane; or-ed together along dataflow. */
enum {
  LANE_UNDEFINED = 1, /* poison: no value is promised */
  LANE_UNKNOWN = 2,   /* has a value that this run cannot tell */
};

enum {
  NO_TENSOR = 0x7fffffff, /* a pointer that belongs to no tensor */
  MAX_LANES = 1 << 20,
  MAX_TURNS = 8, /* loops whose turn an event names */
};

/* A type with its launch-time numbers. For pointers `elem` is what they point
 * to. */
typedef struct tile_type {
  scalar elem;
  bool pointer;
  uint8_t rank;
  int64_t dim[TYPE_MAX_RANK];
  size_t lanes;
} tile_type;

typedef struct lane_store {
  uint64_t *bits;
  uint8_t *trouble;
  int128 *exact;
  uint32_t *tensors;
} lane_store;

typedef struct tile {
  tile_type type;
  uint64_t *bits;
  uint8_t *trouble; /* LANE_ bits; null: all lanes are sound */
  /* The mathematical value of each lane where integer arithmetic would not
   * wrap; null: equal to the lanes. Kept only while wraps are watched. */
  int128 *exact;
  uint32_t wrap_inst; /* where exact and bits parted; with `exact` only */
  uint32_t tensor;    /* of pointers, when `tensors` is null */
  uint32_t *tensors;
  lane_store own;
} tile;

/* The elements of a tensor, as one problem: is there an index tuple with
 * offset == low + sum index[d]*stride[d], 0 <= index[d] < extent[d]? Strides
 * are positive and descending, axes of extent 1 or stride 0 are gone. */
typedef struct element_set {
  bool known, empty;
  uint32_t rank;
  int64_t low;
  int64_t extent[TYPE_MAX_RANK], stride[TYPE_MAX_RANK];
  int64_t reach[TYPE_MAX_RANK + 1]; /* greatest sum over axes d and later */
  int64_t divisor[TYPE_MAX_RANK];   /* of the strides of d and later */
} element_set;

/* What the elements hold before anything is written. */
typedef struct contents {
  bool holds; /* all elements; else those of the tensors' parts */
  scalar dtype;
  bool ranged, distinct, sorted;
  int128 least, greatest;           /* when ranged or of integer type */
  int128 except[TENSOR_MAX_EXCEPT]; /* may repeat though distinct */
  uint32_t except_count;
  int64_t start;         /* of the tensor that is described */
  int64_t count, stride; /* 1-D tensors, for distinct and sorted; else 0 */
} contents;

typedef struct storage {
  map *pages; /* page number -> page; null until written */
  struct page *last;
  uint64_t last_number;
  contents contents;
} storage;

typedef struct bound_tensor {
  element_set elements;
  element_set part; /* known: only these hold a value at the start */
  uint32_t storage; /* index of the first tensor on the same storage */
  int64_t start;    /* of its first element in that storage */
} bound_tensor;

struct exec_machine {
  arena *arena; /* the caller's */
  const tile_program *program;
  const int64_t *number; /* by symbol */
  const bool *known;

  exec_options options;
  bool watch_wraps;
  uint64_t wide; /* integer parameters that do not fit int32 */
  int64_t grid[3];

  const inst **insts; /* by inst->index */
  int64_t **attrs;    /* by inst->index: values of the attributes */
  tile *values;       /* by value id */
  tile *next;         /* by value id: what loop arguments get at turn's end */
  uint32_t **picks;   /* by inst->index: see tile_pick */
  size_t value_count;

  bound_tensor *tensors;
  storage *storages; /* by tensor index; used at bound_tensor.storage */
  size_t tensor_count;

  /* Loops around options.only_inst, outermost first. */
  uint32_t chain[MAX_TURNS];
  uint32_t chain_count;

  int64_t pid[3];
  uint32_t depth; /* loops entered */
  int64_t turns[MAX_TURNS];
  bool stopped;   /* this run ends */
  bool ended;     /* no further run: a limit or an opaque instruction */
  bool muted;     /* no events: values are computed ahead of their turn */
  map *touched;   /* by element, see exec/race.c; null until needed */
  uint32_t epoch; /* barriers passed */
  uint32_t touching_tensor;
  int64_t touching_offset;
  bool stale; /* turns that write were skipped: loads are unknown */
  uint64_t steps;
  uint64_t instance; /* accesses executed so far */
  size_t event_count;
  exec_event first;
};

/* ------------------------------------------------------------ exec/tile.c */

/* An operand; null when it is absent. */
const tile *tile_operand(const exec_machine *m, const inst *in, uint32_t i);
/* A result with lanes to fill, no trouble, and exact values dropped. Charges
 * its lanes as steps. */
tile *tile_result(exec_machine *m, const inst *in, uint32_t i);
/* A result that shares its lanes with t. */
tile *tile_result_sharing(exec_machine *m, const inst *in, const tile *t);
void tile_share(tile *out, const tile *t); /* keeps the type */
void tile_begin(exec_machine *m, tile *t);
/* Arrays of a tile under construction, created when first asked for: trouble
 * is all clear, exact and tensors have the values of the lanes so far. */
uint8_t *tile_trouble(exec_machine *m, tile *t);
int128 *tile_exact(exec_machine *m, tile *t);
uint32_t *tile_tensors(exec_machine *m, tile *t);
void tile_blame(exec_machine *m, tile *t, size_t lane, uint8_t trouble);
void tile_blame_all(exec_machine *m, tile *t, uint8_t trouble);
/* Adds the trouble of a (null allowed), lane by lane. */
void tile_inherit(exec_machine *m, tile *out, const tile *a);
static inline uint8_t lane_trouble(const tile *t, size_t lane) {
  return t->trouble ? t->trouble[lane] : 0;
}
static inline uint32_t lane_tensor(const tile *t, size_t lane) {
  return t->tensors ? t->tensors[lane] : t->tensor;
}
/* The number that a lane stands for, as wrapped, and as it should be. Integer
 * and pointer tiles. */
int128 lane_value(const tile *t, size_t lane);
int128 lane_exact(const tile *t, size_t lane);
/* Lane i of out becomes lane from[i] of t, with all that belongs to it. A null
 * `from` is lane 0 for all. */
void tile_pick(exec_machine *m, tile *out, const tile *t, const uint32_t *from);
/* A pointer as a number of 64 bits, and back. */
uint64_t address_of(const tile *t, size_t lane);
void address_split(const exec_machine *m, uint64_t address, scalar elem,
                   uint32_t *tensor, int64_t *offset);

/* ----------------------------------------------------------- exec/event.c */

/* Whether the options ask for such an event. */
bool event_wanted(const exec_machine *m, event_kind kind, uint32_t inst);
/* Tells of an event at a lane of a tile of type `shape` (null: no lane).
 * Returns false when it is not one that the options ask for. The event's
 * tensor, offset and value are those of `what`. */
bool event_report(exec_machine *m, event_kind kind, const inst *in,
                  const tile_type *shape, size_t lane, exec_event what);
/* Ends everything with EVENT_LIMIT or EVENT_OPAQUE. */
void event_give_up(exec_machine *m, event_kind kind, const inst *in,
                   const char *detail);
/* Counts lane-operations against the limit. */
void event_charge(exec_machine *m, const inst *in, uint64_t steps);
/* A scalar that decides something (a branch, a bound): false, and the run
 * ends, when it has no value that this run can tell. */
bool event_decide(exec_machine *m, const inst *in, const tile *t,
                  const char *what);

/* ------------------------------------------------------------ exec/race.c */

/* A live lane touched its element; what it wrote is in memory already. */
void race_touch(exec_machine *m, const inst *in, const tile *p, size_t lane,
                bool reads, bool writes);

/* ------------------------------------------------------------ exec/wrap.c */

typedef enum ring_op { RING_ADD, RING_SUB, RING_MUL, RING_NEG } ring_op;
/* Exact values of out = a op b (b null for negation), after its lanes are
 * computed. `left` says that some lane left its type. */
void wrap_ring(exec_machine *m, const inst *in, tile *out, const tile *a,
               const tile *b, ring_op op, bool left);
/* Exact values of a cast between integers. */
void wrap_keep(exec_machine *m, const inst *in, tile *out, const tile *a,
               bool left);
/* Keeps the exact values of out when some differs from its lane. */
void wrap_settle(tile *out);
bool wrap_watched(const exec_machine *m, const inst *in);
/* A value is used: an event at each lane whose exact value was lost. */
void wrap_use(exec_machine *m, const inst *in, const tile *t, const char *use);
bool wrap_use_lane(exec_machine *m, const inst *in, const tile *t, size_t lane,
                   const char *use);

/* -------------------------------------------- exec/memory_map.c, elements.c */

/* The set of a tensor with these axes; false when it spans over 2^62. */
bool elements_build(element_set *set, const int64_t *extent,
                    const int64_t *stride, uint32_t rank);
bool elements_have(const element_set *set, int64_t offset);

typedef struct cell {
  uint64_t bits;
  uint8_t trouble;
  exec_cell state;
} cell;
cell memory_read(exec_machine *m, uint32_t tensor, int64_t offset);
void memory_write(exec_machine *m, uint32_t tensor, int64_t offset,
                  uint64_t bits, uint8_t trouble);
void contents_bind(exec_machine *m, uint32_t tensor);
uint64_t contents_at(const contents *c, exec_fill fill, uint64_t seed,
                     int64_t offset);

/* --------------------------------------------------------- exec/machine.c */

void machine_step(exec_machine *m, const inst *in);
void machine_region(exec_machine *m, const region *r);
/* exec/turn.c: gives the carried arguments of a loop their values at a turn;
 * false, with nothing changed, when the earlier turns have to be run. */
bool turn_enter(exec_machine *m, const inst *loop, int64_t turn);
/* Makes m->next of a loop argument its value. */
void machine_commit(exec_machine *m, value_id arg);
typedef void (*exec_rule)(exec_machine *m, const inst *in);
exec_rule machine_rule(op_id op);
/* exec/launch.c: gives everything in m its numbers, or says why the launch
 * does not exist. m->program, number, known and options are set. */
bool launch_bind(exec_machine *m, exec_event *refused);

#endif
