/* traffic/scope.h: the program and the loop turns at which a walk stands.
 *
 * Expressions over program ids and turns are hoisted: evaluated again only
 * when the program or a turn that they depend on has changed. */
#ifndef TRAFFIC_SCOPE_H
#define TRAFFIC_SCOPE_H

#include "traffic/formula.h"
#include "traffic/sizes.h"

enum { SCOPE_LOOPS = 16, SCOPE_LEVELS = SCOPE_LOOPS + 1 };

typedef struct scope {
  arena *arena;
  const sizes *sizes;
  symtab *t;
  sym turns[SCOPE_LOOPS];        /* of the loops around, outermost first */
  unsigned depth;                /* number of loops around, while building */
  int64_t now[3 + SCOPE_LOOPS];  /* pid 0 to 2, then the turns */
  uint64_t stamps[SCOPE_LEVELS]; /* of level 0 (program), 1 (first loop), ... */
  uint64_t last_stamp;
} scope;

typedef struct hoisted {
  const formula *formula;
  unsigned level;
  uint64_t stamp; /* at which value and ok were found */
  int64_t value;
  bool ok;
} hoisted;

scope *scope_create(arena *arena, const sizes *sizes);
/* The number of loops around up to the innermost whose turn e mentions. */
unsigned scope_level(const scope *self, sym e);
/* e over what is in scope now. False, with *missing, when it is not. */
bool scope_hoist(scope *self, sym e, hoisted *out, sym *missing);
/* The program or the turn of loop number level - 1 has changed. */
void scope_move(scope *self, unsigned level, int64_t to);
void scope_program(scope *self, int64_t program);
/* Its value is in self->value, where self->ok. */
void scope_evaluate(const scope *scope, hoisted *self);

#endif
