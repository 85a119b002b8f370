/* traffic/gpu.c: the table of GPUs. */
#include "traffic/gpu.h"

#include <stdlib.h>
#include <string.h>

static const gpu gpus[] = {
#define GPU(name, title, bandwidth, flops, l2, processors, registers)          \
  {name, title, bandwidth, flops, l2, processors, registers},
#include "traffic/gpu.def"
#undef GPU
};

static const gpu *own_gpu(arena *arena, const char *text, const char *equals) {
  char *end;
  double terabytes = strtod(equals + 1, &end);
  if (equals == text || end == equals + 1 || *end || !(terabytes > 0) ||
      terabytes > 1e6)
    return NULL;
  gpu *own = ARENA_NEW(arena, gpu);
  own->name = arena_strndup(arena, text, (size_t)(equals - text));
  own->title = own->name;
  own->bandwidth = terabytes * 1e12;
  return own;
}

const gpu *gpu_find(arena *arena, const char *text, const char **error) {
  const char *equals = strchr(text, '=');
  const gpu *own = equals ? own_gpu(arena, text, equals) : NULL;
  if (own)
    return own;
  for (size_t i = 0; i < sizeof gpus / sizeof gpus[0]; i++)
    if (strcmp(gpus[i].name, text) == 0)
      return &gpus[i];
  *error = "it is a100, h100, h200, or NAME=TB/s such as mine=2.0";
  return NULL;
}
