/* parser/carry.h: names whose values go from one turn of a loop to the next. */
#ifndef PARSER_CARRY_H
#define PARSER_CARRY_H

#include "parser/lowering.h"

typedef struct carry {
  const char *name;
  thing before; /* what the name is bound to before the loop */
  thing init;   /* the same as values only */
  thing inner;  /* the region's arguments in the turn at hand */
  bool dropped; /* no turn changes it: not carried after all */
  bool opaque;  /* changes its type, or has no known shape */
  bool told;    /* opaque, and the cause is worth a notice */
  bool pointer; /* opaque, and may hold pointers */
  VEC(type) types;
} carry;
typedef VEC(carry) carry_vec;

/* The names that `body` assigns and that have a value before. */
void carry_find(lower *l, node at, node body, carry_vec *out);
/* The values before the first turn, as operands of the loop. */
void carry_inits(lower *l, node at, carry_vec *self, value_vec *operands);
/* Arguments of a region; the names are bound to them. */
void carry_enter(lower *l, carry_vec *self, region *into);
/* After a turn: true when the loop has to be lowered again because types or
 * the set of names turned out different. */
bool carry_review(lower *l, carry_vec *self);
/* Carries everything as opaque: for when there were too many reviews. */
void carry_give_up(carry_vec *self);
/* The values at the end of a turn, as yields of the region. */
void carry_yields(lower *l, node at, carry_vec *self, region *from);
/* Binds the names to the loop's results, in the scope of before the loop. */
void carry_leave(lower *l, node at, carry_vec *self, const inst *loop,
                 scope before);
/* The types of the arguments, in order. */
void carry_types(lower *l, const carry_vec *self, const type **types,
                 uint32_t *count);

#endif
