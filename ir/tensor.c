/* ir/tensor.c: what tensors have to do with each other. */
#include "ir/tile.h"

static bool perhaps_one(const tensor *a, const tensor *b) {
  return a->perhaps &&
         (a->perhaps == b->storage + 1 || a->perhaps == b->perhaps);
}

/* What an object holds was there before, or was put there by name. */
static bool holds(const tensor *a, const tensor *b) {
  return a->held && !b->parameter && !b->own;
}

bool tensors_may_share(const tensor *a, const tensor *b) {
  return a == b || a->storage == b->storage || (a->anywhere && !b->own) ||
         (b->anywhere && !a->own) || perhaps_one(a, b) || perhaps_one(b, a) ||
         holds(a, b) || holds(b, a);
}

bool tensors_are_placed(const tensor *a, const tensor *b) {
  return a == b || (a->storage == b->storage && a->start != EXPR_NONE &&
                    b->start != EXPR_NONE);
}
