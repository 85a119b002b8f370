/* tests/fuzz/fuzz_npy.c: the reader of .npy files takes any bytes; of what it
 * accepts every element can be read. */
#include "base/npy.h"
#include "base/panic.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  arena *a = arena_create();
  npy_array array;
  const char *why = NULL;
  volatile uint64_t last = 0;
  if (npy_parse(a, data, size, &array, &why)) {
    for (int64_t i = 0; i < array.count; i++)
      last = npy_get(&array, i);
    if ((uint64_t)array.count > size)
      panic("%lld elements in %zu bytes", (long long)array.count, size);
  } else if (!why || !*why) {
    panic("refused without a reason");
  }
  (void)last;
  arena_destroy(a);
  return 0;
}
