/* exec/exec.h: the concrete meaning of a tile program.
 *
 * Runs single programs of a launch with wrapping integers, floats in their own
 * precision, masked lanes poisoned and every address checked against the
 * tensor's elements. Memory is sparse, so a tensor may span 2^40 elements.
 * This folder is the definition that proofs are tested against and the judge
 * of every counterexample: it includes nothing of analysis/. */
#ifndef EXEC_EXEC_H
#define EXEC_EXEC_H

#include "ir/tile.h"

/* A fault that a run showed. */
typedef enum event_kind {
  EVENT_NONE,
  EVENT_OUTSIDE,    /* a live lane addressed no element of its tensor */
  EVENT_WRAP,       /* an integer of 32 bits or fewer left its type and the
                       value was used (see exec_options.wrap_inst) */
  EVENT_DIV_ZERO,   /* integer division or remainder by 0 */
  EVENT_CLAIM,      /* what a block pointer or descriptor claims is false */
  EVENT_UNWRITTEN,  /* an element that holds nothing was read; only where
                       only_kind asks for it */
  EVENT_RACE_STORE, /* two programs write one element, not both atomically */
  EVENT_RACE_LOAD,  /* a program reads what another one writes */
  EVENT_LANE,       /* two lanes of one program touch one element, one of them
                       writes, and nothing orders them; see exec/race.c */
  EVENT_LAUNCH,     /* the launch itself is refused: a fact is false, an extent
                       is negative, a tile has no lanes or over 2^20 of them or
                       a length that is no power of two */
  EVENT_GRID,       /* ... only because a grid axis is over its limit */
  EVENT_CONTRACT,   /* the launch is none that the kernel allows: a `required`
                       condition is false, or there is a misfit; only where
                       only_kind asks for it */
  EVENT_LIMIT,      /* the step limit ran out, or a loop's step is 0; ends
                       everything, says nothing */
  EVENT_OPAQUE,     /* the run depends on something that it cannot tell: an
                       opaque instruction that may access memory, an address or
                       branch that depends on an opaque value, a branch on an
                       undefined value; ends everything, says nothing */
} event_kind;

typedef struct exec_event {
  event_kind kind;
  uint32_t inst; /* inst->index; 0 for the launch */
  span at;
  int64_t program[3];
  uint32_t turn_count; /* turns of the enclosing loops, outermost first */
  int64_t turns[8];
  uint32_t lane_count; /* lane indices, leftmost axis first */
  int64_t lane[TYPE_MAX_RANK];
  uint32_t tensor; /* OUTSIDE: index into tensors */
  int64_t offset;  /* OUTSIDE: in elements from the tensor's first element */
  int64_t value;   /* WRAP: the value that was used, after wrapping */
  uint32_t other;  /* RACE, LANE: instruction of the other access */
  int64_t other_program[3]; /* RACE, LANE: its program */
  const char *detail;       /* a sentence for LAUNCH, LIMIT, OPAQUE and WRAP
                               ("4294967296 is not an i32: wraps to 0, used by the
                               comparison in line 7"); for OUTSIDE only when the
                               address or mask has no value ("the address is
                               undefined") */
} exec_event;

/* Numbers for the symbols of the program, by symbol index. */
typedef struct assignment {
  int64_t *value;
  bool *known; /* all must be known for a run */
  size_t count;
} assignment;

/* One access of one live lane, told to a recorder as it happens. */
typedef struct exec_access {
  uint32_t inst; /* inst->index */
  span at;
  uint64_t instance; /* equal for the lanes of one execution of `inst` */
  bool reads, writes, atomic;
  bool undefined; /* what is read or written has no defined value: an element
                     that holds nothing, a masked-off lane's content */
  bool unknown;   /* it has a value that the run cannot tell */
  uint64_t bits;  /* what is read, or what is there afterwards */
  uint32_t tensor;
  int64_t offset; /* elements from the tensor's first element */
  int64_t program[3];
  uint32_t turn_count;
  const int64_t *turns;
  uint32_t lane_count;
  const int64_t *lane;
} exec_access;
typedef void (*exec_recorder)(void *context, const exec_access *access);

typedef enum exec_fill {
  FILL_ZERO,   /* contents of tensors that hold values at the start */
  FILL_RANDOM, /* by `seed`, within the tensor's `values` range */
} exec_fill;

/* What an element of a storage holds. */
typedef enum exec_cell {
  CELL_EMPTY,     /* nothing: never written, nor filled at the start */
  CELL_FILLED,    /* what it held at the start */
  CELL_WRITTEN,   /* a value that was written */
  CELL_UNDEFINED, /* written without a defined value */
  CELL_UNKNOWN,   /* written with a value that the run cannot tell */
} exec_cell;

/* Tells what an element holds when the run begins: its state and its bits (as
 * exec_peek gives them). `tensor` is one of those on its storage, `offset`
 * counts elements from the start of the storage. False: as `fill` has it. */
typedef bool (*exec_content)(void *context, uint32_t tensor, int64_t offset,
                             exec_cell *state, uint64_t *bits);

typedef struct exec_options {
  exec_fill fill;
  uint64_t seed;
  exec_content content; /* null: all as `fill` has it */
  void *content_context;
  uint64_t step_limit; /* lane-operations in all; 0: the default (2^28) */
  bool stop_at_first;  /* stop at the first event (else go on after OUTSIDE,
                          WRAP: the lane is skipped) */
  /* Only events of this instruction count (0: all). Others are ignored: an
   * outside load gives 0, an outside store does nothing, a division by 0
   * gives 0. For WRAP it is the arithmetic that leaves its type (a `for` for
   * its counter), wherever the value is then used; with 0 all are watched.
   * EVENT_LIMIT and EVENT_OPAQUE always count. */
  uint32_t only_inst;
  event_kind only_kind; /* EVENT_NONE: all kinds */
  /* Loops that enclose `only_inst` may be entered at the turn given here
   * (turn[i], from 0, for the i-th loop from outside; < 0: from the start).
   * Carried values that add a loop-invariant each turn are multiplied out;
   * floats that are carried otherwise become unknown, which ends the run with
   * EVENT_OPAQUE if an address, mask or branch depends on them; so do loads
   * when the turns left out write memory. A loop with another carried integer
   * runs its turns. Accesses of turns left out are not recorded. */
  bool enter_at_turn;
  int64_t turn[8];
  /* Masked-off lanes of a load without `other` hold this number instead of
   * being undefined: two runs with different ones show what depends on it. */
  bool fill_masked;
  double masked_value;
  /* EVENT_RACE_STORE, EVENT_RACE_LOAD, EVENT_LANE; dot products are not
   * computed then, their results are unknown. */
  bool watch_races;
  exec_recorder recorder; /* null: none */
  void *recorder_context;
} exec_options;

typedef struct exec_machine exec_machine;

/* The machine lives in the arena and takes more of it as it runs.
 * Binds numbers to a program: evaluates extents, grid and facts. Returns null
 * and an EVENT_LAUNCH event when the launch does not exist (a fact is false,
 * a grid axis is negative, ...; EVENT_GRID, EVENT_CONTRACT). A grid axis of 0
 * is a machine that runs nothing. */
exec_machine *exec_create(arena *arena, const tile_program *p,
                          const assignment *numbers, exec_options options,
                          exec_event *refused);
void exec_grid(const exec_machine *m, int64_t grid[3]);
/* Lane-operations of all runs so far. */
uint64_t exec_steps(const exec_machine *m);
/* Runs one program; memory persists from run to run. Returns the number of
 * events found (0: none); the first is in *event. */
size_t exec_run(exec_machine *m, const int64_t program[3], exec_event *event);
/* Runs all programs in order until an event or the step limit. */
size_t exec_run_all(exec_machine *m, exec_event *event);

/* Memory access for drivers and tests: bits of the element at `offset` from
 * the start of the storage (integers sign- or zero-extended to 64 bits, floats
 * as their pattern, SC_ANY as a double); false for a cell without a value. */
exec_cell exec_cell_at(exec_machine *m, uint32_t tensor, int64_t offset);
bool exec_peek(exec_machine *m, uint32_t tensor, int64_t offset,
               uint64_t *bits);
void exec_poke(exec_machine *m, uint32_t tensor, int64_t offset, uint64_t bits);

/* Runs one elementwise operation on scalars: bits in, bits out (as exec_peek
 * gives them), for tests of the abstract rules. False for poison. The types
 * have rank 0 and wide == 0. */
bool exec_scalar(op_id op, const type *operand_types, const uint64_t *operands,
                 size_t n, const type *result_type, uint64_t *result);

const char *event_kind_name(event_kind kind);

#endif
