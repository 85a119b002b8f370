/* ir/type.c: scalars and types. */
#include "ir/type.h"
#include "base/panic.h"

#include <string.h>

typedef enum scalar_class {
  CLASS_OTHER,
  CLASS_SIGNED,
  CLASS_UNSIGNED,
  CLASS_FLOAT,
} scalar_class;

static const struct scalar_row {
  const char *name;
  unsigned bits;
  scalar_class class;
} scalars[] = {
    [SC_NONE] = {"none", 0, CLASS_OTHER},
    [SC_BOOL] = {"bool", 1, CLASS_UNSIGNED},
    [SC_I8] = {"i8", 8, CLASS_SIGNED},
    [SC_I16] = {"i16", 16, CLASS_SIGNED},
    [SC_I32] = {"i32", 32, CLASS_SIGNED},
    [SC_I64] = {"i64", 64, CLASS_SIGNED},
    [SC_U8] = {"u8", 8, CLASS_UNSIGNED},
    [SC_U16] = {"u16", 16, CLASS_UNSIGNED},
    [SC_U32] = {"u32", 32, CLASS_UNSIGNED},
    [SC_U64] = {"u64", 64, CLASS_UNSIGNED},
    [SC_F8E4M3] = {"f8e4m3", 8, CLASS_FLOAT},
    [SC_F8E5M2] = {"f8e5m2", 8, CLASS_FLOAT},
    [SC_F16] = {"f16", 16, CLASS_FLOAT},
    [SC_BF16] = {"bf16", 16, CLASS_FLOAT},
    [SC_F32] = {"f32", 32, CLASS_FLOAT},
    [SC_F64] = {"f64", 64, CLASS_FLOAT},
    [SC_ANY] = {"any", 0, CLASS_OTHER},
};

enum { SCALAR_COUNT = sizeof scalars / sizeof scalars[0] };

static const struct scalar_row *row(scalar s) {
  assert((unsigned)s < SCALAR_COUNT);
  return &scalars[s];
}

type type_scalar(scalar elem) {
  return (type){.elem = elem};
}

type type_with_shape(type elem, const type *shape) {
  elem.rank = shape->rank;
  memcpy(elem.dim, shape->dim, sizeof elem.dim);
  return elem;
}

bool type_same_shape(const type *a, const type *b) {
  if (a->rank != b->rank)
    return false;
  for (uint8_t i = 0; i < a->rank; i++)
    if (a->dim[i] != b->dim[i])
      return false;
  return true;
}

bool type_equal(const type *a, const type *b) {
  return a->elem == b->elem && a->pointer == b->pointer && a->wide == b->wide &&
         type_same_shape(a, b);
}

bool scalar_is_int(scalar s) {
  return row(s)->class == CLASS_SIGNED || row(s)->class == CLASS_UNSIGNED;
}

bool scalar_is_signed(scalar s) {
  return row(s)->class == CLASS_SIGNED;
}

bool scalar_is_float(scalar s) {
  return row(s)->class == CLASS_FLOAT;
}

unsigned scalar_bits(scalar s) {
  return row(s)->bits;
}

unsigned scalar_bytes(scalar s) {
  return (row(s)->bits + 7) / 8;
}

const char *scalar_name(scalar s) {
  return row(s)->name;
}

scalar scalar_from_name(const char *name, size_t length) {
  for (unsigned s = SC_NONE + 1; s < SCALAR_COUNT; s++)
    if (strlen(scalars[s].name) == length &&
        memcmp(scalars[s].name, name, length) == 0)
      return (scalar)s;
  return SC_NONE;
}
