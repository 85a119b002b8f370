/* analysis/count.h: how often an access runs, as a formula.
 *
 * A point of an access is one (program, turn of each loop, lane). The count is
 * exact: the number of points for every launch that the facts of the program
 * allow, in mathematical integers (where no 32-bit value wraps, TC301).
 *
 * Formulas are launch-level integers of the judge's table: launch variables
 * with + * // % min max select and next_pow2; no program id, turn, lane,
 * application or unknown is left in them. They hold when every axis of the
 * grid has a program; on an empty grid the count is 0, whatever the formula
 * says (its divisors can be 0 there). Divisions by a constant that stand for
 * exact ones (c*(c - 1)//2) are exact whatever the values.
 *
 * Where a count depends on what a buffer holds, a variable of its formula is a
 * sum over the buffer's elements, and named by the sum's text. */
#ifndef ANALYSIS_COUNT_H
#define ANALYSIS_COUNT_H

#include "analysis/judge.h"

typedef struct count_result {
  bool exact;
  sym formula;        /* SYM_NONE when not exact */
  const char *reason; /* why not: a sentence without a full stop */
  span at;            /* what the reason speaks of */
} count_result;

/* sum(body for keys[0] in range(upper) for keys[1] in ...), the last key
 * inside; the body holds the keys, launch variables and `value` for each
 * content: the element of the tensor at an offset that the keys give. */
typedef struct count_key {
  sym var, upper;
} count_key;
typedef struct count_content {
  sym value;
  uint32_t tensor;
  sym offset; /* in elements from the tensor's first */
} count_content;
typedef struct count_sum {
  sym var; /* of the formula */
  sym body;
  VEC(count_key) keys;
  VEC(count_content) contents;
} count_sum;
typedef VEC(count_sum) count_sum_vec;
/* Null when the variable is none. */
const count_sum *count_sum_of(const judge *j, sym var);

/* Points of an access: those with a live lane, or with `masked` false all
 * lanes that the loops and branches reach. */
count_result count_access(judge *j, const access *a, bool masked);
/* Distinct elements of one tensor that the accesses, all of that tensor,
 * touch on live lanes: addresses, or index tuples where the strides of a tensor
 * are not known. */
count_result count_distinct(judge *j, const access *const *accesses, size_t n);

/* A formula in two or more cases: `formula` where `when` holds and those
 * before do not. `when` of the last is true. */
typedef struct count_case {
  sym when, formula;
} count_case;
typedef VEC(count_case) count_cases;
/* Splits at the selects whose conditions are about divisibility, as in causal
 * attention with free blocks; one case when there are none. */
count_cases count_split(judge *j, sym formula);

/* The formula in the form for readers: exact divisions multiplied out, nested
 * quotients in one, min and max that the facts decide resolved. Equal to it on
 * every launch with a program. */
sym count_simplify(judge *j, sym formula);
/* The formula with the file's own names (`M`) for sizes that the launch knows
 * by another (`x.shape[0]`), for printing: the names are symbols of the
 * program, but no variables that the judge's facts speak of. */
sym count_rename(judge *j, sym formula);
/* Text for people, in Python's notation, factored: `5*M*N + 2*M`,
 * `K*M*cdiv(N, BLOCK_N) + K*N*cdiv(M, BLOCK_M)`. */
void count_print(const symtab *t, sym formula, strbuf *out);

#endif
