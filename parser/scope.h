/* parser/scope.h: what the names of a kernel are bound to while it is lowered.
 *
 * A thing is Python's view of a value: known before the kernel runs, computed
 * while it runs, or a tuple of things. Kernel arena. */
#ifndef PARSER_SCOPE_H
#define PARSER_SCOPE_H

#include "parser/static.h"

typedef enum thing_kind {
  THING_GONE,  /* bound on some paths only, or not understood: see `why` */
  THING_FIXED, /* known before the kernel runs: `fixed` */
  THING_VALUE, /* an SSA value: `id` */
  THING_TUPLE, /* `items`, `count` */
} thing_kind;

/* A block pointer or a tensor descriptor. The tuple's items are all values: the
 * base pointer, then for each axis the extents of what it ranges over, the
 * strides (elements) and, for block pointers only, the offsets; int64. */
typedef struct block {
  type shape; /* of a tile that it loads; the element is the base's */
  bool descriptor;
  bool nan; /* DESCRIPTOR: what is outside loads as nan, not 0 */
} block;

typedef struct thing {
  thing_kind kind;
  static_value fixed;
  bool pointer_type; /* FIXED DTYPE: the type of pointers to `dtype` */
  bool block_type;   /* FIXED DTYPE: the type of a tile, as `x.type` gives */
  value_id id;
  const struct thing *items;
  uint32_t count;
  uint32_t depth;     /* TUPLE: levels of tuples in it, at most TUPLE_DEPTH */
  const block *block; /* TUPLE: null for plain ones */
  const char *why;    /* GONE: a sentence */
  expr torn; /* GONE: the condition of the launch that decides what it is */
} thing;

thing thing_value(value_id id);
thing thing_fixed(static_value fixed);
thing thing_int(expr number);
thing thing_bool(expr condition);
thing thing_float(double real);
thing thing_string(const char *text);
thing thing_none(void);
thing thing_dtype(scalar dtype);
/* The items are not copied. Deeper than TUPLE_DEPTH: GONE. */
thing thing_tuple(const thing *items, uint32_t count);
enum { TUPLE_DEPTH = 12 };
/* Whether two tuples are blocks of one make, or neither is one. */
bool block_same(const thing *a, const thing *b);
thing thing_gone(const char *why);
thing thing_unknown(void); /* FIXED, STATIC_UNKNOWN */

bool thing_is(const thing *t, static_kind kind); /* FIXED of that kind */
/* The same object: equal handles, equal constants; tuples item by item. Two
 * unknown things count as one: either stands for anything. */
bool thing_same(const thing *a, const thing *b);

typedef struct bound_name {
  const char *name;
  thing value;
} bound_name;

/* The local names of one function. */
typedef struct scope {
  arena *arena;
  VEC(bound_name) names;
} scope;

/* Null when the name is not bound. */
const thing *scope_find(const scope *self, const char *name);
void scope_bind(scope *self, const char *name, thing value);
void scope_forget(scope *self, const char *name);
/* An independent copy. */
scope scope_copy(const scope *self);

#endif
