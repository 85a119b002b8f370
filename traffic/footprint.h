/* traffic/footprint.h: which tiles the first programs of a launch touch.
 *
 * Plain data, for the writers in report/. */
#ifndef TRAFFIC_FOOTPRINT_H
#define TRAFFIC_FOOTPRINT_H

#include "traffic/walk.h"

typedef enum direction { READS, WRITES, DIRECTIONS } direction;

/* One tensor in one direction, by the first programs. */
typedef struct footprint_use {
  const char *tensor;
  uint32_t number; /* of the tensor */
  direction direction;
  uint64_t tiles; /* distinct ones */
  /* The tiles of the tensor that one program touches are a band. */
  uint64_t bands;        /* distinct ones; 0: some overlap in part */
  uint64_t band_tiles;   /* of each; 0: they differ */
  int64_t lanes;         /* live lanes of all accesses */
  int64_t elements;      /* distinct ones; -1: too far apart to count */
  int64_t element_bytes; /* 0: not known */
  uint32_t *per_program; /* distinct tiles of each program */
} footprint_use;
typedef VEC(footprint_use) footprint_use_vec;

/* A tile by its place among all tiles of its tensor that the launch touches. */
typedef struct footprint_cell {
  uint32_t row, column;
  int64_t program; /* the first that touches it */
} footprint_cell;

/* One tensor as a grid of tiles, in one direction. */
typedef struct footprint_grid {
  const char *tensor;
  direction direction;
  uint32_t rows, columns;
  VEC(footprint_cell) cells;
} footprint_grid;
typedef VEC(footprint_grid) footprint_grid_vec;

typedef struct footprint {
  int64_t programs;       /* of the launch */
  int64_t first;          /* of those that are looked at */
  footprint_use_vec uses; /* in the order of the first access */
} footprint;

/* `first` is at most the number of programs. False, with *why, when a program
 * cannot be walked, or makes too many accesses to look at. */
bool footprint_find(walk *w, int64_t first, footprint *out, trouble *why);
/* "3 x 9" bands of tiles, "4" of different sizes, "overlap", or "". */
const char *footprint_bands(arena *arena, const footprint_use *use);
/* The tiles that all programs touch, as grids: row and column from the
 * strides of the tensor, the leftmost axes together as rows. */
bool footprint_grids(walk *w, footprint_grid_vec *out, trouble *why);
/* Distinct tiles over all tensors that are read. */
uint64_t footprint_tiles_read(const footprint *self);

#endif
