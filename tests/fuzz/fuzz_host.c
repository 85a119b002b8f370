/* Host code from any bytes, after a kernel that it may launch as `k`. */
#include "parser/host.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char kernel[] =
    "import torch, triton, math\nimport triton.language as tl\n"
    "@triton.jit\n"
    "def k(x, y, n, m, B: tl.constexpr, F: tl.constexpr = True):\n"
    "    i = tl.program_id(0) * B + tl.arange(0, B)\n"
    "    if F:\n"
    "        tl.store(y + i * m, tl.load(x + i, mask=i < n))\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  arena *a = arena_create();
  char *text = arena_printf(a, "%s%.*s", kernel, (int)size, (const char *)data);
  const source *s = source_from_text(a, "fuzz.py", text, strlen(text));
  syntax *tree = syntax_parse(a, s);
  file_names *names = names_collect(a, tree);
  notice_vec notices = {0};
  prepared_vec programs = {0};
  contract *c = contract_read(a, names, &notices);
  host_unit_vec functions = {0};
  host_prepare(a, names, c, (parse_options){.functions = true}, &notices,
               &programs, &functions);
  for (size_t i = 0; i < programs.count; i++) {
    const char *wrong = program_verify(programs.at[i].program, a);
    if (wrong) {
      fprintf(stderr, "%s\n", wrong);
      abort();
    }
  }
  syntax_destroy(tree);
  arena_destroy(a);
  return 0;
}
