/* parser/host_record.h: writing down what a host function does to memory.
 *
 * host_record.c    steps, conditions and loops around them, what is not
 *                  understood
 * host_operator.c  which expressions are operators; their operands
 * host_operator_call.c  ... calls
 * host_rule.c      rules of operators.def: types and shapes of results
 * host_reduce.c    rules that leave axes out or combine them, copies
 * host_record_loop.c  for loops
 * host_record_call.c  functions of the file that are called
 * host_function.c  gives out what a function does
 *
 * A run that records executes one host function as any other run does, but
 * gives whole-array operators results of known shape. Every expression that may
 * touch memory becomes a step; where nobody can tell, the step is open. */
#ifndef PARSER_HOST_RECORD_H
#define PARSER_HOST_RECORD_H

#include "parser/functions.h"
#include "parser/host_state.h"

enum { OPERATOR_RESULTS = 2, OPERATOR_OPERANDS = 16 };

typedef struct recorded {
  const void *node; /* the expression, and the calls on the way to it: */
  uint64_t path;
  uint32_t start; /* of the node, in bytes */
  uint32_t doubt; /* slot: only open if that is no number; 0 */
  host_step step; /* names are filled in at the end: */
  uint32_t reads[OPERATOR_OPERANDS], writes[OPERATOR_RESULTS];
} recorded;

typedef struct host_record {
  VEC(recorded) steps;
  VEC(const char *) assumptions;
  uint64_t path;   /* of calls that the run is in */
  VEC(expr) turns; /* counters of all loops so far */
  expr times;      /* turns of the loops around here */
  const char *why; /* not null: they are not known */
} host_record;

/* An operator while it is read. */
typedef struct operation {
  host_run *r;
  node at;
  const char *name;
  unsigned result; /* RESULT_* */
  host_call call;  /* the operands; a method's object first */
  bool numpy;
  bool in_place;
  uint32_t reads[OPERATOR_OPERANDS], writes[OPERATOR_RESULTS];
  expr read_elements[OPERATOR_OPERANDS];
  uint32_t read_count, write_count;
  bool results_used[OPERATOR_RESULTS];
  host_value value;
  const char *why; /* null: understood */
} operation;

enum {
  RESULT_SAME,
  RESULT_FLOATING,
  RESULT_SUM,
  RESULT_TRUTH,
  RESULT_INDEX,
};

/* Rules fill in operands, results and value; false: not understood (`why` may
 * say more). */
typedef bool operator_rule(operation *o);
#define OPERATOR(name, where, rule, result) operator_rule operator_##rule;
#include "parser/operators.def"
#undef OPERATOR

/* ---------------------------------------------------------- host_record.c */

/* Notes a step unless it is there already (an expression may be evaluated
 * twice). */
void record_step(host_run *r, node at, recorded step);
void record_open(host_run *r, node at, const char *name, const char *why);
void record_assumption(host_run *r, const char *text);
/* The tensor that a value is; false for numbers. *open: nobody can tell. */
bool record_tensor(host_run *r, host_value v, uint32_t *tensor, bool *open);
/* Whether a value that is not known must be a number. */
bool record_is_number(host_run *r, host_value v);
/* Takes note that a value must be a number. */
void record_number(host_run *r, host_value v);
/* Number of elements; EXPR_NONE: unknown. */
expr record_elements(host_run *r, uint32_t tensor);
void record_finish(host_run *r, host_unit *out);

/* -------------------------------------------------------- host_operator.c */

/* Runs the rule; what it does not understand has an open value. */
host_value operation_run(operation *o, operator_rule *rule);
/* Adds an operand. */
void operation_read(operation *o, uint32_t tensor);
/* Makes a result of that shape. */
host_value operation_result(operation *o, unsigned result, const expr *extent,
                            uint8_t rank);
host_value operation_result_like(operation *o, unsigned result,
                                 uint32_t tensor);

/* --------------------------------------------------- host_operator_call.c */

/* False: the call is the reader's. */
bool operation_call(host_run *r, node call, host_value *out);

/* --------------------------------------------------- host_record_call.c */

/* What the names of the called function around a launch mean. */
void record_meanings(host_run *r, node launch, host_step *step);

/* ------------------------------------------------------------ host_rule.c */

/* Whether the number of axes is known (or, for the next run, assumed). */
bool operation_rank(operation *o, uint32_t tensor);
/* Two extents of one axis, of which one may be 1. */
expr operation_broadcast(operation *o, expr a, expr b);
/* Gives the first result the type that `dtype=` states. */
void operation_dtype(operation *o);
/* Values and indices; which ones the code around takes. */
host_value operation_pair(operation *o, host_value second);

#endif
