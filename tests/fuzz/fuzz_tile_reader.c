/* tests/fuzz/fuzz_tile_reader.c: the reader of tile programs takes any bytes;
 * what it accepts prints, and the printed text is a fixed point. */
#include "base/panic.h"
#include "ir/tile.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  arena *a = arena_create();
  read_error error;
  tile_program *p = program_read(a, (const char *)data, size, &error);
  if (p) {
    strbuf once = strbuf_make(a), twice = strbuf_make(a);
    program_verify(p, a);
    program_print(p, &once);
    tile_program *again = program_read(a, once.text, once.length, &error);
    if (!again)
      panic("line %u, column %u: %s in\n%s", error.line, error.column,
            error.message, once.text);
    program_print(again, &twice);
    if (strcmp(once.text, twice.text) != 0)
      panic("printed as\n%s\nthen as\n%s", once.text, twice.text);
  }
  arena_destroy(a);
  return 0;
}
