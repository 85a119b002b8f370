/* exec/cast.c: conversions between element types.
 *
 * Integers keep their value modulo 2^width, extended by the sign of the
 * source; a cast to bool asks whether the value is not 0; floats truncate and
 * are undefined out of range; pointers become numbers that keep their order
 * within a tensor and can be cast back. */
#include "exec/rules.h"

static void cast_from_int(exec_machine *m, const inst *in, tile *out,
                          const tile *a) {
  scalar to = out->type.elem;
  int_form from_form = int_form_of(a->type.elem);
  bool left = false;
  if (to == SC_BOOL)
    wrap_use(m, in, a, "the comparison with 0");
  for (size_t i = 0; i < out->type.lanes; i++) {
    uint64_t bits = a->bits[i];
    if (to == SC_BOOL) {
      out->bits[i] = bits != 0;
    } else if (scalar_is_int(to)) {
      out->bits[i] = int_fit(int_form_of(to), bits);
      left |= int_value(int_form_of(to), out->bits[i]) !=
              int_value(from_form, bits);
    } else if (to == SC_F32) {
      out->bits[i] = bits_of_float(from_form.is_signed ? (float)(int64_t)bits
                                                       : (float)bits);
    } else {
      out->bits[i] = number_encode(
          to, from_form.is_signed ? (double)(int64_t)bits : (double)bits);
    }
  }
  if (scalar_is_int(to) && to != SC_BOOL)
    wrap_keep(m, in, out, a, left);
}

static void cast_from_float(exec_machine *m, tile *out, const tile *a) {
  scalar from = a->type.elem, to = out->type.elem;
  for (size_t i = 0; i < out->type.lanes; i++) {
    double x = number_decode(from, a->bits[i]);
    if (to == SC_BOOL) {
      out->bits[i] = x != 0;
    } else if (!scalar_is_int(to)) {
      out->bits[i] = number_encode(to, x);
    } else if (!number_truncate(to, x, &out->bits[i])) {
      out->bits[i] = 0;
      tile_blame(m, out, i, LANE_UNDEFINED);
    }
  }
}

static void cast_to_pointer(exec_machine *m, tile *out, const tile *a) {
  if (a->type.pointer) {
    tile_share(out, a);
    return;
  }
  bool whole = scalar_is_int(a->type.elem);
  uint32_t *tensors = tile_tensors(m, out);
  for (size_t i = 0; i < out->type.lanes; i++) {
    uint64_t bits = a->bits[i];
    int64_t offset = 0;
    if (!whole &&
        !number_truncate(SC_U64, number_decode(a->type.elem, bits), &bits))
      tile_blame(m, out, i, LANE_UNDEFINED);
    address_split(m, bits, out->type.elem, &tensors[i], &offset);
    out->bits[i] = (uint64_t)offset;
  }
}

void exec_cast(exec_machine *m, const inst *in) {
  const tile *a = tile_operand(m, in, 0);
  tile *out = tile_result(m, in, 0);
  tile_inherit(m, out, a);
  if (out->type.pointer)
    cast_to_pointer(m, out, a);
  else if (a->type.pointer)
    for (size_t i = 0; i < out->type.lanes; i++)
      out->bits[i] = out->type.elem == SC_BOOL
                         ? 1
                         : number_fit(out->type.elem, address_of(a, i));
  else if (number_is_float(a->type.elem))
    cast_from_float(m, out, a);
  else
    cast_from_int(m, in, out, a);
}

/* The pattern of an element in its own width, and back. */
void exec_bitcast(exec_machine *m, const inst *in) {
  const tile *a = tile_operand(m, in, 0);
  const tile *to = &m->values[in->results[0]];
  if (to->type.pointer || a->type.pointer ||
      (a->type.elem == SC_ANY) != (to->type.elem == SC_ANY)) {
    exec_cast(m, in);
    return;
  }
  tile *out = tile_result(m, in, 0);
  tile_inherit(m, out, a);
  for (size_t i = 0; i < out->type.lanes; i++)
    out->bits[i] = number_fit(out->type.elem, a->bits[i]);
}
