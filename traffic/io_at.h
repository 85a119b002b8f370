/* traffic/io_at.h: formulas at given sizes. */
#ifndef TRAFFIC_IO_AT_H
#define TRAFFIC_IO_AT_H

#include "traffic/io.h"

/* NAME=INT, as given with --at. */
typedef struct io_values {
  const char *const *names;
  const int64_t *values;
  size_t count;
} io_values;

/* Where a function's formulas are evaluated. */
typedef struct io_place {
  arena *arena;
  const io_function *f;
  const io_values *values;
  sym_vec variables;    /* bound by a name of the program, */
  VEC(int64_t) numbers; /* to this number */
} io_place;

/* Whether a name is one of the function's: of a size, or in its formulas. */
bool io_knows(const io_function *f, const char *name);
/* All names that a value may be given for; appended. */
typedef VEC(const char *) io_names;
void io_list_names(arena *arena, const io_function *f, io_names *out);

/* Null, or why the function's formulas do not hold at these values: a sentence
 * without a full stop. */
const char *io_place_make(arena *arena, const io_function *f,
                          const io_values *values, io_place *out);
/* False when a variable has no value, or the number leaves 126 bits. */
bool io_value(io_place *place, sym formula, int128 *out);
/* The same where `when` holds, else 0. */
bool io_value_when(io_place *place, sym when, sym formula, int128 *out);
/* Names in a formula that have no value. */
void io_missing(io_place *place, sym formula, io_names *out);

#endif
