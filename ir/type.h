/* ir/type.h: types of values in a tile program. */
#ifndef IR_TYPE_H
#define IR_TYPE_H

#include "ir/expr.h"

typedef enum scalar {
  SC_NONE, /* no value */
  SC_BOOL, /* int1 */
  SC_I8,
  SC_I16,
  SC_I32,
  SC_I64,
  SC_U8,
  SC_U16,
  SC_U32,
  SC_U64,
  SC_F8E4M3,
  SC_F8E5M2,
  SC_F16,
  SC_BF16,
  SC_F32,
  SC_F64,
  SC_ANY, /* element type of a tensor whose dtype nobody states */
} scalar;

enum { TYPE_MAX_RANK = 6 };

/* A scalar (rank 0) or a tile of scalars or of pointers to scalars.
 *
 * `wide` is a set of integer parameters (bit i: parameter i of the program):
 * an SC_I32 type with wide != 0 is int64 instead when the argument of any of
 * these parameters does not fit int32. That is Triton's typing of arguments by
 * value, followed through promotion. */
typedef struct type {
  scalar elem; /* of the tile, or of what the pointers point to */
  bool pointer;
  uint8_t rank;
  uint64_t wide;
  expr dim[TYPE_MAX_RANK]; /* dim[0] is the leftmost axis */
} type;

type type_scalar(scalar elem);
type type_with_shape(type elem, const type *shape); /* elem with shape's dims */
bool type_equal(const type *a, const type *b);
bool type_same_shape(const type *a, const type *b);
bool scalar_is_int(scalar s); /* bool included */
bool scalar_is_signed(scalar s);
bool scalar_is_float(scalar s);
unsigned scalar_bits(scalar s);    /* 1 for bool; 0 for NONE and ANY */
unsigned scalar_bytes(scalar s);   /* in memory: 1 for bool; 0 for ANY */
const char *scalar_name(scalar s); /* "i32", "bool", "any", ... */
/* The scalar of that name, SC_NONE if there is none. */
scalar scalar_from_name(const char *name, size_t length);

#endif
