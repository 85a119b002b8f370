/* cli/run.h: what the files of `tilecheck run` share.
 *
 * cmd_run.c     the command: options, order of work
 * run_plan.c    which launches of the file are run
 * run_choose.c  which program a launch is, and whether names mean something
 * run_bind.c    numbers for the symbols of a launch
 * run_memory.c  the host's memory: one run_storage for each storage
 * run_output.c  tensors to files
 * run_launch.c  runs a launch on the host's memory
 * run_record.c  what happens on the way: counts, conflicts, the listing
 * run_text.c    arrays, counts and faults as text
 *
 * Trouble with the input ends the run by run_fail, with a sentence and exit
 * status 2; everything lives in one arena. */
#ifndef CLI_RUN_H
#define CLI_RUN_H

#include "base/npy.h"
#include "cli/checker.h"
#include "exec/exec.h"

/* `--in NAME[:DTYPE]=FILE` and `--out NAME=FILE`. */
typedef struct run_file {
  const char *name, *path;
  scalar dtype; /* SC_NONE: as the file says */
  npy_array array;
  bool used;
} run_file;
typedef VEC(run_file) run_file_vec;

/* `--set NAME=VALUE`: a number, True, False, None or other text. */
typedef struct run_set {
  const char *name, *text;
  bool is_int, is_number;
  int64_t whole;
  double number;
} run_set;
typedef VEC(run_set) run_set_vec;

/* `--dtype NAME=TYPE`. */
typedef struct run_type {
  const char *name;
  scalar dtype;
} run_type;

/* Memory of the host: the elements low ... high - 1 of one storage. */
typedef struct run_storage {
  const char *root; /* with root_line: which storage it is */
  uint32_t root_line;
  uint32_t edits; /* of the host code, when the last launch began */
  scalar dtype;
  int64_t low, high;
  uint64_t *bits;
  uint8_t *state; /* exec_cell */
  /* Of the launch that runs: 1 + number of the program that last wrote; that
   * read it, MANY_READERS; the instance that wrote last. */
  uint32_t *writer, *reader;
  uint64_t *written_at;
  bool *atomic; /* the write was atomic */
} run_storage;

#define MANY_READERS      UINT32_MAX
#define RUN_MOST_ELEMENTS ((int64_t)1 << 31)
/* A state besides those of exec_cell: exec/ tells what the element holds. */
enum { RUN_BY_EXEC = 0xff };

/* A tensor of the launch that runs, with numbers. */
typedef struct run_tensor {
  const tensor *about;
  const tile_program *program; /* its tensor of number `index` */
  uint32_t index;
  uint32_t storage; /* index into run.storages */
  int64_t start, extent[TYPE_MAX_RANK], stride[TYPE_MAX_RANK];
  uint64_t read, written; /* elements, by lane */
} run_tensor;

/* What earlier launches of the function have told. */
typedef struct run_number {
  const char *name;
  symbol_role role;
  int64_t value;
} run_number;
typedef VEC(run_number) run_number_vec;

/* Lanes of one execution of an access. */
typedef struct run_instance {
  uint64_t number;
  uint32_t inst, tensor;
  span at;
  bool reads, writes;
  int64_t program[3];
  uint32_t turn_count;
  int64_t turns[8];
  VEC(int64_t) offsets; /* from the tensor's first element, by lane */
} run_instance;

typedef struct run_fault {
  bool found;
  bool decided; /* else the run cannot go on, which says nothing */
  span at;
  const char *text;
} run_fault;

/* One launch, and what it is run with. */
typedef struct run_launch {
  tile_program *program;
  assignment numbers;
  run_tensor *tensors; /* one for each of the program */
  run_number_vec own;  /* sizes and numbers of this launch */
  int64_t grid[3];
  bool judges_races; /* no atomic may synchronise */
} run_launch;

typedef struct run {
  arena *arena;
  const char *path;
  run_file_vec in, out;
  run_set_vec sets;
  VEC(run_type) types;
  const char *kernel, *function;
  bool seeded;
  uint64_t seed;
  bool record;
  VEC(run_storage) storages;
  VEC(run_tensor) seen; /* of earlier launches */
  run_number_vec known;
  VEC(const char *) notes; /* told once each */
  const char *error;       /* null: all is well */
  /* of the launch that runs */
  run_launch *launch;
  run_instance instance;
  int64_t listed[3]; /* the program that the listing is at; -1: none */
  run_fault fault;
  strbuf text;                        /* of the listing and the tables */
  uint64_t total_read, total_written; /* bytes of all launches */
} run;

/* Sets the error, unless there is one. Returns false. */
bool run_fail(run *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void run_note(run *r, const char *text);

/* --- run_plan.c */
typedef VEC(tile_program *) program_vec;
/* The launches to run, in order: for each the programs that it may be. */
typedef struct run_step {
  uint32_t line; /* 0: nobody launches the kernel */
  program_vec variants;
} run_step;
typedef VEC(run_step) run_plan;
/* Empty, with an error, when there is none or too many. */
run_plan run_make_plan(run *r, const parsed_file *file);
/* Whether a tensor is the one that an option names: by its name, its
 * storage's, or that of the kernel's parameter. */
bool run_is_named(const tile_program *p, uint32_t tensor, const char *name);
run_file *run_input_of(run *r, const tile_program *p, uint32_t tensor);

/* --- run_choose.c */
/* Names in options are those of something. */
bool run_check_names(run *r, const run_plan *plan);
/* Element types of the plan's tensors, for what the file leaves open. */
void run_type_tensors(run *r, const run_plan *plan, parse_options *out);
typedef enum run_outcome {
  RUN_FAILED,  /* with an error */
  RUN_SKIPPED, /* the host code does not make the launch, with a note */
  RUN_CHOSEN,
} run_outcome;
/* The program that a launch is, with its numbers. */
run_outcome run_choose(run *r, const run_step *step, run_launch *out);

/* --- run_bind.c */
/* Numbers for the program's symbols from arrays, options and the facts. False,
 * with the error, when one is missing or they contradict each other. */
bool run_bind(run *r, run_launch *l);
/* The fact of the host code that keeps the launch from being made, null if
 * none does. */
const fact *run_refusal(const run_launch *l);

/* --- run_memory.c */
/* Element type of an array's elements; SC_NONE: not one of ours. */
scalar run_dtype(const run_file *f);
run_storage *run_find_storage(run *r, const tensor *t);
bool run_fail_missing(run *r, const tensor *t);
/* Gives each tensor of the launch its memory, filled as it is then. */
bool run_attach(run *r, run_launch *l);
/* Place of an element in a storage's arrays; -1 when it is outside. */
int64_t run_place(const run_storage *s, int64_t offset);
/* The elements of a tensor, row-major: false ends the walk. */
typedef bool (*run_visitor)(void *context, const run_tensor *t, int64_t place,
                            int64_t offset);
bool run_walk(const run_tensor *t, run_visitor visit, void *context);

/* --- run_output.c */
/* Writes the arrays that --out asks for. */
bool run_write_outputs(run *r);

/* --- run_launch.c: false with an error or r->fault */
bool run_execute(run *r, run_launch *l);

/* --- run_record.c */
void run_begin(run *r); /* of a launch */
void run_recorder(void *context, const exec_access *access);
/* Lists what has been gathered of an access. */
void run_flush(run *r);

/* --- run_text.c */
const char *run_program_text(arena *arena, const tile_program *p,
                             const int64_t at[3]);
const char *run_index_text(arena *arena, const run_tensor *t, int64_t offset);
void run_print_instance(run *r, const run_instance *i);
void run_print_launch(run *r, const run_launch *l);
void run_print_counts(run *r, const run_launch *l);
void run_print_total(run *r); /* of all launches */
const char *run_event_text(run *r, const run_launch *l, const exec_event *e);
const char *run_callee_text(run *r, const run_launch *l, uint32_t index);
const inst *run_inst(const region *body, uint32_t index);

#endif
