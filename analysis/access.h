/* analysis/access.h: what the checks look at: memory accesses, premises and
 * divisions of one tile program under one launch mode. */
#ifndef ANALYSIS_ACCESS_H
#define ANALYSIS_ACCESS_H

#include "analysis/value.h"
#include "ops/ops.h"

typedef struct access {
  const inst *inst;
  op_effect effect;
  value pointer; /* VALUE_POINTER, or VALUE_OTHER when lost */
  sym mask;      /* truth; SYM_TRUE without one */
  needs mask_needs;
  needs path_needs; /* of branches and loop bounds around it */
  sym_vec facts;    /* path: lanes and turns in range, branch conditions */
  bool opaque;      /* an OPAQUE instruction that may touch memory */
  bool any_mask;    /* the mask is not known: no live lane can be excused */
} access;

typedef struct division {
  const inst *inst;
  sym divisor;
  sym_vec facts;
  needs needs; /* of the divisor and the path */
} division;

/* A condition that an instruction claims to hold where it stands. */
typedef struct claim_site {
  const inst *inst; /* its text says what is wrong when it does not hold */
  sym holds;        /* a truth; SYM_NONE: it cannot be told */
  sym excess;       /* it holds where this is at most 0; SYM_NONE: no such */
  bool weak;        /* more than what is claimed, as something is not known */
  sym_vec facts;
  needs needs, path_needs;
} claim_site;

/* A range that an uninterpreted application has, by its function number. */
typedef struct fn_range {
  sym least, greatest; /* SYM_NONE: no bound */
  const inst *inst;    /* that it is a result of; null for parameters */
  bool content;        /* values are elements of the tensor that inst loads */
} fn_range;

/* What decides how often a loop or an arm runs. */
typedef struct control {
  const inst *inst;
  sym turn;  /* of a loop: its turn variable */
  sym value; /* FOR: number of turns; WHILE: whether turn `turn` runs; IF: the
                condition. Inexact when it is not followed */
} control;

typedef struct interp_result {
  VEC(access) accesses; /* in program order, loop bodies once */
  VEC(premise) premises;
  VEC(division) divisions;
  VEC(claim_site) claims;
  VEC(control) controls;   /* in program order, inner ones before their loop */
  VEC(fn_range) functions; /* by function number; [0] unused */
  const inst *imprecise_loop; /* a loop whose carried value was lost, or null */
} interp_result;

/* Interprets the body over symbols. */
interp_result *interpret(arena *kernel, const launch *launch);

/* Facts about the uninterpreted applications that occur in e: their ranges. */
void access_function_facts(const launch *launch, const interp_result *r, sym e,
                           sym_vec *out);

#endif
