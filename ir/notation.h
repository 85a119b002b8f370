/* ir/notation.h: the words that the printer and the reader share. */
#ifndef IR_NOTATION_H
#define IR_NOTATION_H

#include "ir/tile.h"

typedef enum notation_list {
  NOTATION_SYMBOL_ROLE,
  NOTATION_TENSOR_ROLE,
  NOTATION_FACT_ORIGIN,
  NOTATION_PARAM_KIND,
} notation_list;

/* The word of an enumerator, and back: false if there is no such word. */
const char *notation_of(notation_list list, unsigned enumerator);
bool notation_find(notation_list list, const char *word, size_t length,
                   unsigned *enumerator);
/* Constants of a float type have a number instead of an attribute. */
bool notation_has_number(const tile_program *p, const inst *i);

#endif
