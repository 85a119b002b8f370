/* Contract comments from any bytes: as the clauses of one comment, as a whole
 * file, and as a condition of the command line. */
#include "parser/contract.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_file(arena *a, const char *text, size_t length) {
  const source *s = source_from_text(a, "fuzz.py", text, length);
  syntax *tree = syntax_parse(a, s);
  file_names *names = names_collect(a, tree);
  notice_vec notices = {0};
  contract_read(a, names, &notices);
  syntax_destroy(tree);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  arena *a = arena_create();
  const char *text = arena_strndup(a, (const char *)data, size);
  char *comment = arena_printf(a, "# tilecheck: %s\ndef f(x):\n  pass\n", text);
  read_file(a, comment, strlen(comment));
  read_file(a, (const char *)data, size);
  uint32_t column = 0;
  const char *error = NULL;
  contract_condition(a, text, &column, &error);
  arena_destroy(a);
  return 0;
}
