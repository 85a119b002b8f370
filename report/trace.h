/* report/trace.h: the operations on blocks that a tile compiler receives. */
#ifndef REPORT_TRACE_H
#define REPORT_TRACE_H

#include "ir/tile.h"

/* The two words of the list that are no names of operations. */
typedef struct trace_words {
  const char *masked, *scalar;
} trace_words;

/* The first tile with an extent that is no power of two, which Triton does not
 * compile: null when there is none, else its place, with the extent. */
const span *trace_misshapen(const tile_program *p, int64_t *extent);
/* Appends one numbered line for each call of a function of tl, in the order of
 * the program; loops and branches enclose theirs in braces. Arithmetic by
 * operators, comparisons and pointers leave no line. Shapes are those of the
 * blocks, in numbers where the launch fixes them. */
void trace_print(const tile_program *p, trace_words words, strbuf *out);

#endif
