/* analysis/launch.h: the launch part of a tile program, in symbols.
 *
 * A launch can be read in two modes. Pinned: constexprs that the launch fixes
 * are numbers. Free: they are symbols, any power of two when a tile spans
 * them; what is proved then holds for all of them. */
#ifndef ANALYSIS_LAUNCH_H
#define ANALYSIS_LAUNCH_H

#include "analysis/sym.h"
#include "ir/tile.h"

typedef VEC(sym) sym_vec;

typedef struct launch {
  const tile_program *program;
  symtab *syms;
  bool pinned;
  sym_vec facts;         /* hold whenever a program of this launch runs */
  sym_vec before_limits; /* ... without the limits of its grid */
  size_t compile_from;   /* from here on: those that hold because it compiles */
  sym *symbol;           /* by symbol index of program->exprs */
  sym grid[3];
  sym pid[3];
} launch;

launch *launch_create(arena *kernel, const tile_program *p, symtab *t,
                      bool pinned);
/* A launch expression as a sym; an unknown for EXPR_NONE. */
sym launch_sym(const launch *self, expr e);
/* ... as an integer: a condition is 0 or 1. */
sym launch_number(const launch *self, expr e);
/* At most this many programs on an axis. */
int64_t launch_grid_limit(int axis);
/* Lane index of an axis, counted from the right (0 is the last axis). */
sym launch_lane(const launch *self, unsigned axis_from_right);
/* True when some symbol has a pin, so that the two modes differ. */
bool launch_has_pins(const tile_program *p);
/* True for an instruction that contracts two tiles; null is none. */
bool launch_is_dot(const inst *i);
/* True when the extent of some tile mentions the symbol: a block size. */
bool launch_spans_tile(const tile_program *p, size_t symbol);
/* In the free mode a pinned constexpr that no tile spans (a group size, a
 * number of stages) is at most this: its pin, but 16 at least; 0: no limit.
 * Beyond it products such as GROUP_M * tiles need not fit, which is nobody's
 * fault. */
int64_t launch_free_limit(const tile_program *p, size_t symbol);
/* A number that the host computes in a way that nobody could tell, and that no
 * clause describes (a constexpr: no host code either): a counterexample may
 * not choose it freely. */
bool launch_host_keeps(const tile_program *p, size_t symbol);
/* ... or a switch: no requirement is stated in it. */
bool launch_hides(const tile_program *p, size_t symbol);
/* An allocation in the likeness of a strided tensor: its strides are unknown,
 * but its elements are exactly the addresses from 0 to their number. */
bool launch_is_dense(const tile_program *p, uint32_t tensor);
/* Extents and strides of a known tensor. */
void launch_tensor(const launch *self, uint32_t tensor, sym *extent,
                   sym *stride);
/* 1 + sum (extent - 1)*stride: what a non-empty tensor spans. */
sym launch_span(const launch *self, uint32_t tensor);

#endif
