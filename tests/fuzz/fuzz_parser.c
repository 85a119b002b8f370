/* tests/fuzz/fuzz_parser.c: any bytes as a Python file. The first byte picks
 * the options. */
#include "parser/parser.h"

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const names[] = {"n", "BLOCK"};
  static const int64_t values[] = {7, 64};
  static const char *const assumptions[] = {"n >= 1"};
  parse_options options = {.max_numel = 0};
  if (size > 0 && (data[0] & 1)) {
    options.set_names = names;
    options.set_values = values;
    options.set_count = 2;
  }
  if (size > 0 && (data[0] & 2)) {
    options.assumptions = assumptions;
    options.assumption_count = 1;
  }
  arena *a = arena_create();
  const char *text = (const char *)data;
  source *s = source_from_text(a, "fuzz.py", text, size);
  parse_file(a, s, options);
  strbuf out = strbuf_make(a);
  parse_dump_syntax(s, a, &out);
  arena_destroy(a);
  return 0;
}
