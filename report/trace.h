/* report/trace.h: the operations on blocks that a tile compiler receives. */
#ifndef REPORT_TRACE_H
#define REPORT_TRACE_H

#include "ir/tile.h"

/* The two words of the list that are no names of operations. */
typedef struct trace_words {
  const char *masked, *scalar;
} trace_words;

/* Appends one numbered line for each call of a function of tl, in the order of
 * the program; loops and branches enclose theirs in braces. Arithmetic by
 * operators, comparisons and pointers leave no line. Shapes are those of the
 * blocks, in numbers where the launch fixes them. */
void trace_print(const tile_program *p, trace_words words, strbuf *out);

#endif
