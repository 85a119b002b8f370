/* traffic/gpu.h: the machine behind a time. */
#ifndef TRAFFIC_GPU_H
#define TRAFFIC_GPU_H

#include "base/arena.h"

#include <stdint.h>

typedef struct gpu {
  const char *name;   /* as typed */
  const char *title;  /* as printed */
  double bandwidth;   /* bytes a second */
  double flops;       /* dense fp16 operations a second; 0: not known */
  int64_t l2;         /* bytes; 0: not known */
  int64_t processors; /* 0: not known */
  int64_t registers;  /* bytes on one processor; 0: not known */
} gpu;

/* "h100", or "NAME=TB/s" for another one: "b200=8". Null, and a sentence in
 * *error, when it is neither. */
const gpu *gpu_find(arena *arena, const char *text, const char **error);

#endif
