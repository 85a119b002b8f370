/* traffic/io.h: how many elements and bytes a kernel or a host function reads
 * and writes, as formulas.
 *
 * One element is one live lane of a load or store in one program and turn, or
 * one element of an operand or result of a whole-array operator; an atomic
 * update reads one and writes one (docs/io-model.md). Formulas are integers
 * over launch variables in the table of the function's judge; they hold for
 * all sizes that its facts allow and where each axis of the grid has a program.
 * Where an element type is not stated, bytes are in terms of a variable
 * `x.itemsize`. */
#ifndef TRAFFIC_IO_H
#define TRAFFIC_IO_H

#include "analysis/count.h"
#include "parser/functions.h"

/* A number as a formula, or why there is none. */
typedef struct io_quantity {
  sym formula;        /* SYM_NONE: not known */
  const char *reason; /* then: a sentence without a full stop */
  span at;            /* what it speaks of */
} io_quantity;

typedef struct io_flow {
  io_quantity elements, bytes;
} io_flow;

typedef struct io_access {
  span at;
  const char *op;     /* "load", "store", "atomic_add" */
  const char *tensor; /* null: nobody knows which */
  bool reads, writes; /* an atomic does both */
  io_flow moved;      /* in each of these directions */
  io_quantity lanes;  /* live and switched off */
} io_access;
typedef VEC(io_access) io_access_vec;

typedef struct io_tensor {
  const char *name;
  tensor_role role;
  io_flow reads, writes;
  /* Of the loads, or of the stores where there are none: */
  io_quantity requested, distinct;
} io_tensor;
typedef VEC(io_tensor) io_tensor_vec;

/* A step of a host function. */
typedef struct io_step {
  span at;
  const char *name;
  bool launch;
  io_flow reads, writes;
  /* Not SYM_NONE: the amounts count only where this holds (every axis of the
   * grid has a program). */
  sym when;
} io_step;
typedef VEC(io_step) io_step_vec;

/* A constexpr that the launch fixes: its value unless another is given. */
typedef struct io_pin {
  const char *name;
  int64_t value;
} io_pin;
typedef VEC(io_pin) io_pin_vec;

typedef struct io_function {
  const char *name;
  span at; /* of the name in the def line */
  bool kernel;
  uint32_t launch_line; /* of a kernel; 0: nobody launches it */
  const char *choice;   /* how open flags were decided; "" */
  /* Constexprs that the formulas hold for alone; "": for all. */
  const char *only;
  judge *judge;
  symtab *syms;
  io_access_vec accesses; /* of a kernel, in program order */
  io_tensor_vec tensors;  /* see io_kernel_details */
  io_step_vec steps;      /* of a host function */
  io_flow reads, writes, total;
  io_flow atomic;          /* part of both reads and writes */
  io_quantity live, lanes; /* of all accesses of a kernel */
  io_quantity on_chip;     /* bytes of a program, see analysis/on_chip.h */
  sym when;                /* as in io_step; of a kernel */
  io_pin_vec pins;
  sym_vec conditions; /* what the formulas rest on, in launch variables */
  const tile_program *program;
  const host_unit *unit; /* of a host function, else null */
  VEC(const char *) assumptions;
} io_function;
typedef VEC(io_function *) io_function_vec;

/* One program of a kernel: with all constexprs free, or as the launch fixes
 * them where that tells more. */
io_function *io_kernel(arena *arena, tile_program *p, analysis_options options);
/* The same with the numbers of the launch. */
io_function *io_kernel_pinned(arena *arena, tile_program *p,
                              analysis_options options);
/* Fills in the lanes and tensors of a kernel, which take the most time. */
void io_kernel_details(arena *arena, io_function *f);
/* A host function; `kernels` are all kernels of its file, from which the
 * launches take their formulas: the one that goes with `choice`. */
io_function *io_host(arena *arena, const host_unit *unit,
                     const io_function_vec *kernels, const char *choice,
                     analysis_options options);
/* The choices that launches of the function come in, beside its own: at least
 * one, "" where there are none to make. */
typedef VEC(const char *) io_choices;
void io_host_choices(arena *arena, const host_unit *unit,
                     const io_function_vec *kernels, io_choices *out);

/* Adds the pin of a symbol of a kernel under the name given. */
void io_add_pin(arena *arena, io_function *f, const tile_program *p,
                const char *symbol, const char *name);

/* Whether every quantity of the totals has a formula. */
bool io_is_exact(const io_function *f);

/* ------------------------------------------------------------- quantities */

io_quantity io_known(sym formula);
io_quantity io_unknown(const char *reason, span at);
/* Unknown as soon as one of them is. */
io_quantity io_sum(symtab *t, io_quantity a, io_quantity b);
io_flow io_flow_sum(symtab *t, io_flow a, io_flow b);
io_flow io_nothing(symtab *t);
/* Elements of a type; `type_of` names a tensor that has it. */
io_flow io_elements(arena *arena, symtab *t, io_quantity elements, scalar dtype,
                    const char *type_of);
/* The formula in the form for readers. */
void io_simplify(judge *j, io_flow *f);

/* A formula in another table, variable for variable; SYM_NONE when it holds
 * what has no meaning there, or `variable` gives SYM_NONE. */
typedef sym (*io_variable)(void *context, const symtab *from, sym variable);
sym io_import(symtab *to, const symtab *from, sym formula, io_variable variable,
              void *context);

#endif
