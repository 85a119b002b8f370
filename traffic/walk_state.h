/* traffic/walk_state.h: a walk's own state, shared by walk*.c. */
#ifndef TRAFFIC_WALK_STATE_H
#define TRAFFIC_WALK_STATE_H

#include "traffic/lanes.h"
#include "traffic/walk.h"

typedef enum walk_kind {
  WALK_ACCESS,
  WALK_DOT,
  WALK_FOR,
  WALK_WHILE,
  WALK_IF,
} walk_kind;

typedef struct walk_node walk_node;
typedef VEC(walk_node) walk_node_vec;

/* Parts of the program that neither access nor multiply are left out. */
struct walk_node {
  walk_kind kind;
  const inst *inst;
  uint32_t access; /* ACCESS */
  int64_t flops;   /* DOT: operations */
  unsigned level;  /* loops: of their turn in the scope */
  hoisted control; /* FOR: turns; WHILE: goes on; IF: condition */
  walk_node_vec bodies[2];
};

typedef struct walk_access_state {
  const access *access;
  hoisted base[SCOPE_LEVELS]; /* summands of the address, by level */
  size_t base_count;
  VEC(hoisted) conditions; /* of the mask, without lanes */
  lane_group *groups[TYPE_MAX_RANK];
  size_t group_count;
  tile_shape shape;
  lane_group *whole; /* all axes together, with the base and all conditions */
} walk_access_state;

typedef struct walk_refusal {
  const access *access;
  trouble why;
} walk_refusal;

struct walk {
  arena *arena;
  const sizes *sizes;
  scope *scope;
  offsets *offsets;
  walk_node_vec body;
  VEC(walk_access_state) accesses;
  VEC(walk_refusal) refused;
  tiles tiles;
  int64_t spent; /* programs, turns and accesses that were looked at */
};

#endif
