/* analysis/value.h: what is known of one SSA value, and the interpreter's
 * services for the value rules in ops/.
 *
 * A tile is one expression over its lane indices. Lanes are numbered from the
 * right (lane0 is the last axis), so broadcasting to more axes changes
 * nothing; an axis of extent 1 has no lane.
 *
 * Integers are kept as mathematical integers. The machine value is the same
 * number modulo 2^width as long as only + - * << and casts lead to it (ring
 * operations commute with wrapping); a use that is no ring operation (a
 * comparison, a division, an address) needs the two to be equal. Such a use
 * is a *sink*: it turns the value's pending ring operation into a need, and
 * whoever relies on the result must discharge its needs (TC301). */
#ifndef ANALYSIS_VALUE_H
#define ANALYSIS_VALUE_H

#include "analysis/launch.h"

/* "The value of this ring operation fits its type", claimed at some lanes. */
typedef struct premise {
  const inst *inst;
  type type;
  sym value;     /* over the lanes of the instruction itself */
  sym_vec facts; /* path facts at the instruction, launch facts excluded */
  uint32_t use;  /* index of the first instruction that needs it, 0: none */
  span use_at;
} premise;

typedef struct need {
  uint32_t premise; /* index into interp's premises */
  sym value;        /* over the lanes of the value that carries the need;
                       SYM_NONE: only provable where the premise stands */
  sym when;         /* it is needed only where this holds; SYM_NONE: always */
  bool address;     /* for an address: a 64-bit reading of the type may wrap */
} need;

typedef struct needs {
  const need *at;
  uint32_t count;
} needs;

typedef enum value_form {
  VALUE_OTHER,   /* floats, anything not followed; `of` is SYM_NONE but for
                    loads of unknown type, see value_stated */
  VALUE_INT,     /* integer types but bool */
  VALUE_TRUTH,   /* bool: a truth sym */
  VALUE_POINTER, /* `of`: elements from the tensor's first element */
} value_form;

#define TENSOR_LOST UINT32_MAX /* a pointer to no one knows what */

typedef struct value {
  value_form form;
  sym of;
  uint32_t tensor;  /* POINTER */
  uint32_t pending; /* INT: premise of the ring operation behind it; UINT32_MAX
                       when the machine value is known to be `of` */
  needs needs;
  bool unbound; /* no program that compiles uses it */
} value;

typedef struct interp interp;

/* The rule of one operation: the value of result number 0. `operand[i]` is
 * VALUE_OTHER with SYM_NONE for absent operands. */
typedef value (*value_rule)(interp *in, const inst *i, const value *operand);

symtab *interp_syms(interp *in);
const launch *interp_launch(const interp *in);
type interp_type(const interp *in, value_id v);
arena *interp_arena(interp *in);

/* Any value of the type of result 0 of i: an uninterpreted function of the
 * lanes and loop turns, with the range of the type. */
value value_any(interp *in, const inst *i);
/* The same with a narrower range (both ends included, SYM_NONE: the type's),
 * which holds where the instruction stands. */
value value_within(interp *in, const inst *i, sym least, sym greatest);
/* The same for what a load finds where a values clause gives the range. A
 * tensor of unknown element type gives VALUE_OTHER with `of` set: a number of
 * that range, which a cast to an integer type takes over. */
value value_stated(interp *in, const inst *i, sym least, sym greatest);
/* Says that v, fresh from one of these, is what live lanes of a load find. */
void interp_note_content(interp *in, value v);
/* A value whose machine value is `of` by construction. */
value value_exact(value_form form, sym of, needs needs);
/* Result of a ring operation on integers: `of` modulo the width of result 0.
 * Gives it a premise of its own. */
value value_ring(interp *in, const inst *i, sym of, needs needs);
/* The operand as an exact number: its pending premise becomes a need. */
value value_sink(interp *in, const inst *i, value v);
/* The same for the offset of a pointer: where it has 64 bits it may wrap, as
 * addition to an address is a ring operation. */
value value_sink_address(interp *in, const inst *i, value v);
needs needs_join(interp *in, needs a, needs b);
/* v with its lanes renamed: from[i] -> to[i] in the value and its needs. */
value value_relabel(interp *in, value v, const sym *from, const sym *to,
                    size_t n);
/* The needs of a value that counts only where cond holds. */
needs needs_when(interp *in, needs n, sym cond);
/* v after its lanes lost their meaning (reductions): needs stay, provable
 * only where they arose. */
needs needs_detach(interp *in, needs n);
/* States a division so that TC302 can ask about its divisor. */
void interp_note_division(interp *in, const inst *i, value divisor);

/* Whether the goal, over the lanes of result 0 of i, follows where i stands
 * from the launch, the path, the lanes and the ranges of what is loaded. No
 * solver is asked: a no says nothing. */
bool interp_implies(interp *in, const inst *i, sym goal);

/* States what a block pointer or descriptor claims, so that TC103 can ask:
 * `holds` (SYM_NONE: not told), which is so where `excess` (SYM_NONE: none) is
 * at most 0; `weak`: it says more than what is claimed. */
void interp_note_claim(interp *in, const inst *i, sym holds, sym excess,
                       bool weak, needs needs);

/* Ends of a type's range as syms; false for types without (floats, any). The
 * upper end of u64 does not fit and is SYM_NONE. */
bool interp_range(interp *in, type t, sym *least, sym *greatest);
/* The condition under which an SC_I32 type with a wide set is int32: no
 * argument in the set exceeds 2^31 - 1. True for all other types. */
sym interp_narrow(interp *in, type t);

#endif
