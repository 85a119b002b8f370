/* parser/lower.h: kernel body -> instructions of a tile program. */
#ifndef PARSER_LOWER_H
#define PARSER_LOWER_H

#include "parser/names.h"
#include "parser/parser.h"
#include "parser/static.h"

/* What a parameter is bound to before the body is lowered; one for each
 * parameter of the kernel, in order. The tile program's own params array
 * (kinds, tensors, values) is already filled in by the launch. */
typedef struct binding {
  const char *name;
  static_value value; /* of PARAM_CONST and PARAM_STATIC; UNKNOWN otherwise */
} binding;

/* Lowers the body of `function` (a function_definition node) into p->body.
 * Everything that is not understood becomes an opaque instruction and a
 * notice. Never fails. Returns false when Triton is sure to refuse this
 * specialisation (a static_assert that does not hold, a `raise`, arithmetic on
 * None), so that no launch of it runs. */
bool lower_kernel(tile_program *p, const file_names *names, node function,
                  const binding *bindings, size_t binding_count, arena *run,
                  notice_vec *notices);

#endif
