/* analysis/interp.h: the interpreter's own state, shared by interp.c and
 * loops.c. Value rules see analysis/value.h only. */
#ifndef ANALYSIS_INTERP_H
#define ANALYSIS_INTERP_H

#include "analysis/access.h"

enum { INTERP_MAX_LOOPS = 16 };

struct interp {
  arena *arena;
  const launch *launch;
  const tile_program *program;
  symtab *syms;
  value *values; /* by value_id */
  interp_result *result;
  sym_vec path; /* facts of the enclosing branches and loops */
  needs path_needs;
  sym turns[INTERP_MAX_LOOPS]; /* of the enclosing loops */
  uint32_t turn_count;
  bool recording;       /* accesses and divisions are kept */
  uint32_t *carried_fn; /* by inst index: first function number of a loop's
                           lost values, 0 if none yet */
};

/* The turn variable of a loop. */
sym interp_turn(symtab *t, const inst *loop);
void interp_region(interp *in, const region *r);
void interp_for(interp *in, const inst *i);
/* Records that i, with all that it holds, may access anything. */
void interp_give_up(interp *in, const inst *i);
void interp_while(interp *in, const inst *i);
/* Records what decides how often i runs. */
void interp_control(interp *in, const inst *i, sym turn, sym value);
/* A new function number whose values have the range given. */
uint32_t interp_new_function(interp *in, const inst *i, sym least,
                             sym greatest);
/* fn applied to the lanes of the shape of t and the turns in scope, as a value
 * of type t. */
value interp_apply(interp *in, uint32_t fn, type t);
/* Appends a premise with the path facts in force here. */
uint32_t interp_premise(interp *in, const inst *i, type t, sym of);
/* The truth that a condition adds to the path. */
sym interp_condition(interp *in, value cond);
/* 0 <= lane < extent for each axis of t. */
void interp_lane_facts(const launch *l, type t, sym_vec *out);

#endif
