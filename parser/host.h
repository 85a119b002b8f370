/* parser/host.h: symbolic reading of the host code around a launch.
 *
 * Every launch `kernel[grid](...)` of the file is read: the function around it
 * is executed symbolically up to the launch, shapes and strides become symbols
 * of the launch, assertions and raises become facts. What is not understood is
 * an unknown value, never a wrong one. */
#ifndef PARSER_HOST_H
#define PARSER_HOST_H

#include "parser/contract.h"
#include "parser/lower.h"

/* A tile program whose launch part is complete and whose body is empty, with
 * the bindings for lower_kernel. */
typedef struct prepared {
  tile_program *program;
  const file_function *kernel;
  const binding *bindings;
  size_t binding_count;
} prepared;
typedef VEC(prepared) prepared_vec;

/* Prepares one program for each launch of each jit kernel of the file and for
 * each value of a switch that stays free; a kernel that nobody launches gets
 * one with grid symbols G0, G1, G2. With options.functions: what each host
 * function does to memory. */
void host_prepare(arena *kernel, const file_names *names,
                  const contract *contract, parse_options options,
                  notice_vec *notices, prepared_vec *out,
                  host_unit_vec *functions);

#endif
