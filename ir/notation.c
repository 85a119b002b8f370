/* ir/notation.c: words for enumerators. */
#include "ir/notation.h"
#include "base/panic.h"

#include <string.h>

enum { MOST_WORDS = 7 };

static const char *const words[][MOST_WORDS] = {
    [NOTATION_SYMBOL_ROLE] =
        {
            [SYMBOL_SIZE] = "size",
            [SYMBOL_STRIDE] = "stride",
            [SYMBOL_INT] = "int",
            [SYMBOL_CONST] = "const",
            [SYMBOL_GRID] = "grid",
            [SYMBOL_SWITCH] = "switch",
        },
    [NOTATION_TENSOR_ROLE] =
        {
            [TENSOR_IN] = "in",
            [TENSOR_OUT] = "out",
            [TENSOR_INOUT] = "inout",
        },
    [NOTATION_FACT_ORIGIN] =
        {
            [FACT_SHAPE] = "shape",
            [FACT_DEFAULT] = "default",
            [FACT_CONTRACT] = "contract",
            [FACT_HOST] = "host",
            [FACT_GRID] = "grid",
            [FACT_OPTION] = "option",
        },
    [NOTATION_PARAM_KIND] =
        {
            [PARAM_POINTER] = "pointer",
            [PARAM_INT] = "int",
            [PARAM_FLOAT] = "float",
            [PARAM_BOOL] = "bool",
            [PARAM_CONST] = "const",
            [PARAM_STATIC] = "static",
            [PARAM_OPAQUE] = "opaque",
        },
};

const char *notation_of(notation_list list, unsigned enumerator) {
  assert(enumerator < MOST_WORDS && words[list][enumerator]);
  return words[list][enumerator];
}

bool notation_find(notation_list list, const char *word, size_t length,
                   unsigned *enumerator) {
  for (unsigned i = 0; i < MOST_WORDS && words[list][i]; i++)
    if (strlen(words[list][i]) == length &&
        memcmp(words[list][i], word, length) == 0) {
      *enumerator = i;
      return true;
    }
  return false;
}

bool notation_has_number(const tile_program *p, const inst *i) {
  if (i->kind != NODE_OP || i->op != OP_CONST || i->result_count != 1)
    return false;
  return scalar_is_float(p->values.at[i->results[0]].type.elem);
}
