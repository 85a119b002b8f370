/* cli/model.h: what the commands about memory traffic share: one file, numbers
 * from --set, and a walk of each launch that is wanted.
 *
 * Functions that can fail say why on standard error. */
#ifndef CLI_MODEL_H
#define CLI_MODEL_H

#include "cli/checker.h"
#include "cli/options.h"
#include "report/traffic.h"
#include "traffic/gpu.h"
#include "traffic/walk.h"

typedef struct model_set {
  const char *name;
  int64_t value;
} model_set;
typedef VEC(model_set) model_sets;

/* NAME=LO..HI; name is null when there is none. */
typedef struct model_sweep {
  const char *name;
  int64_t low, high;
} model_sweep;

typedef struct model_input {
  arena *run;
  const options *options;
  tc_checker *checker;
  const source *source;
  dtype_vec dtypes;
  const char *said;   /* the last complaint: not made again */
  traffic_json *json; /* null: results are text */
} model_input;

typedef VEC(tile_program *) program_vec;

typedef struct launch_model {
  const tile_program *program;
  judge *judge;
  sizes sizes;
  walk *walk;
} launch_model;

/* Reads the options that all of these commands have, and the one file. The
 * exit status, TC_STATUS_CLEAN when it went well. */
int model_open(const options *o, const char *command, model_input *out);
/* Prints the JSON, if that is wanted; returns the status. */
int model_finish(model_input *self, int status);
void model_close(model_input *self);
/* The programs of the kernels that are wanted, with more names set. */
bool model_programs(model_input *self, arena *arena, const model_sets *more,
                    program_vec *out);
/* Says nothing; false with *why. Messages begin with the kernel's name. */
bool model_make(const model_input *self, tile_program *p, launch_model *out,
                trouble *why);
/* "tilecheck: FILE:12: MESSAGE". */
void model_complain(model_input *self, const trouble *why);
/* The launch, without and with what was taken for granted. */
launch_head model_head(arena *arena, const tile_program *p);
launch_head model_notes(arena *arena, const launch_model *m);
/* `matmul_kernel, launched on line 47, CAUSAL = True`. */
const char *model_title(arena *arena, const tile_program *p);

/* The number of an option, from `least` on; `otherwise` when it is not given.
 * False after a usage message. */
bool model_number(const options *o, const char *name, int64_t least,
                  int64_t otherwise, int64_t *out);
bool model_read_sweep(model_input *self, model_sweep *out);
size_t model_sweep_count(const model_sweep *self);
/* --jobs, as many as there are cores when not given. */
bool model_read_jobs(const model_input *self, size_t *out);
/* The sets of point i. */
model_sets model_sweep_sets(const model_sweep *self, arena *arena, size_t i);
/* The program of launch number `index` with more names set, in an arena of its
 * own. Null when there is none. */
tile_program *model_program_with(model_input *self, arena *arena,
                                 const model_sets *more, size_t index);
/* The same launch without any name set. */
tile_program *model_free_program(model_input *self, arena *arena, size_t index);
/* NAME=INT,NAME=INT. */
bool model_read_sets(const model_input *self, const char *option,
                     const char *text, model_sets *out);
/* --gpu, h100 when not given, and --l2 and --wave, those of the GPU when not
 * given. */
bool model_read_machine(const model_input *self, const gpu **gpu, int64_t *l2,
                        int64_t *wave);

#endif
