/* parser/calls.h: calls of operations that ops/spellings.def lists. */
#ifndef PARSER_CALLS_H
#define PARSER_CALLS_H

#include "parser/lowering.h"

enum { CALL_SLOTS = 12 };

typedef struct call {
  node at;
  const char *name; /* as the list spells it */
  op_id op;
  thing slot[CALL_SLOTS]; /* by parameter, in the list's order */
  bool given[CALL_SLOTS];
  const thing *all; /* everything given, for opaque results */
  uint32_t count;
} call;

typedef thing (*call_binder)(lower *l, const call *c);

typedef struct named_argument {
  const char *name;
  thing value;
} named_argument;

/* What stands between the parentheses of a call. */
typedef struct arguments {
  VEC(thing) positional;
  VEC(named_argument) named;
  VEC(thing) all;
  bool odd; /* a starred argument that is no tuple, or `**` */
} arguments;

/* ------------------------------------------- lower_call.c, inline.c */

/* A refusal with all arguments as operands. */
thing refused_call(lower *l, node at, unsupported why, const char *detail,
                   const arguments *a);
/* Whether ops/spellings.def lists a full name. */
bool call_is_listed(const char *full);
/* Calls what a full name stands for, as an import in `names` gives it. */
thing call_named(lower *l, node at, const file_names *names, const char *full,
                 const arguments *a);
/* Calls a thing that is a FUNCTION: its body is written out here. */
thing call_function(lower *l, node at, const thing *f, const arguments *a);

/* ---------------------------------------------- for the call_*.c files */

/* Given and not None. */
bool call_has(const call *c, int slot);
/* True when the parameter is given and known to be true. */
bool call_flag(lower *l, const call *c, int slot);
/* A refusal with all arguments as operands. */
thing call_refused(lower *l, const call *c, unsupported why);
/* Any argument has no known shape: the result has none either. */
bool call_shapeless(const lower *l, const call *c);
/* The value of a slot; VALUE_NONE if the slot holds no number or tile. */
value_id call_value(lower *l, const call *c, int slot);
/* Opaque, without access, of a known type. */
thing call_opaque(lower *l, const call *c, type result);
/* The axis that a slot names, counted from the front; false if it is not
 * known. */
bool call_axis(lower *l, const call *c, int slot, unsigned rank, unsigned *out);
/* Extents from a tuple, a list or one number; false if one is not known. */
bool call_shape(lower *l, const thing *t, type *out);

/* A block pointer or descriptor (parser/call_block.c). */
static inline bool call_is_block(const thing *t) {
  return t->kind == THING_TUPLE && t->block;
}
/* load and store of one. */
thing call_block_load(lower *l, const call *c);
thing call_block_store(lower *l, const call *c);
/* A tile of zeros or nans. */
value_id call_filler(lower *l, node at, const type *shape, bool nan);

#define SPELLING(where, name, bind, op, parameters)                            \
  thing call_##bind(lower *l, const call *c);
#include "ops/spellings.def"
#undef SPELLING

#endif
