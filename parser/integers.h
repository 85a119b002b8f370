/* parser/integers.h: tensors of unknown element type that hold integers. */
#ifndef PARSER_INTEGERS_H
#define PARSER_INTEGERS_H

#include "ir/tile.h"

/* Marks (by tensor index) the tensors of unknown element type whose loaded
 * values reach an address or a loop bound: only integer types compile there.
 * Returns how many there are. */
size_t integers_find(const tile_program *p, bool *marked);
/* A copy of a program whose body is still empty, in which the marked tensors
 * have the element type given. The symbols are shared. */
tile_program *integers_retype(const tile_program *p, const bool *marked,
                              scalar dtype);

#endif
