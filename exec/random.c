/* exec/random.c: the random numbers of tl.rand, tl.randn and tl.randint.
 *
 * They are those of Triton: the generator Philox 4x32 with ten rounds (Salmon
 * and others, "Parallel random numbers: as easy as 1, 2, 3", 2011). The seed is
 * its key, the offset its counter. */
#include "exec/rules.h"

#include <math.h>

enum { ROUNDS = 10 };

static uint32_t high_half(uint64_t product) {
  return (uint32_t)(product >> 32);
}

static void philox(uint32_t counter[4], uint64_t seed) {
  uint32_t key[2] = {(uint32_t)seed, high_half(seed)};
  for (int round = 0; round < ROUNDS; round++) {
    uint64_t a = (uint64_t)0xd2511f53u * counter[0];
    uint64_t b = (uint64_t)0xcd9e8d57u * counter[2];
    counter[0] = high_half(b) ^ counter[1] ^ key[0];
    counter[1] = (uint32_t)b;
    counter[2] = high_half(a) ^ counter[3] ^ key[1];
    counter[3] = (uint32_t)a;
    key[0] += 0x9e3779b9u;
    key[1] += 0xbb67ae85u;
  }
}

/* In [0, 1): negative numbers are mirrored first. */
static float uniform(uint32_t word) {
  uint32_t mirrored = word >> 31 ? ~word : word;
  return (float)mirrored * 4.6566127342e-10f;
}

/* Box and Muller's transformation. */
static float normal(uint32_t first, uint32_t second) {
  float u = fmaxf(uniform(first), 1.0e-7f);
  float angle = 6.283185307179586f * uniform(second);
  return sqrtf(-2.0f * logf(u)) * cosf(angle);
}

void exec_random(exec_machine *m, const inst *in) {
  const tile *seed = tile_operand(m, in, 0), *offsets = tile_operand(m, in, 1);
  tile *out = tile_result(m, in, 0);
  scalar s = out->type.elem;
  bool wide = scalar_bits(offsets->type.elem) > 32;
  bool is_normal = in->text && strcmp(in->text, "randn") == 0;
  tile_inherit(m, out, offsets);
  if (lane_trouble(seed, 0))
    tile_blame_all(m, out, lane_trouble(seed, 0));
  if (!scalar_is_int(seed->type.elem) || !scalar_is_int(offsets->type.elem))
    tile_blame_all(m, out, LANE_UNKNOWN);
  for (size_t i = 0; i < out->type.lanes; i++) {
    uint64_t offset = offsets->bits[i];
    uint32_t word[4] = {(uint32_t)offset, wide ? high_half(offset) : 0};
    philox(word, seed->bits[0]);
    if (number_is_float(s))
      out->bits[i] = number_encode(s, is_normal ? normal(word[0], word[1])
                                                : uniform(word[0]));
    else
      out->bits[i] = int_fit(int_form_of(s), (uint64_t)(int32_t)word[0]);
  }
}
