/* traffic/walk_build.h: making a walk, shared by walk_build.c and
 * walk_access.c. */
#ifndef TRAFFIC_WALK_BUILD_H
#define TRAFFIC_WALK_BUILD_H

#include "traffic/walk_state.h"

typedef struct builder {
  walk *walk;
  judge *judge;
  trouble why; /* of the first refusal */
  bool failed;
} builder;

/* No walk is possible; false. */
bool walk_refuse(builder *b, const inst *i, const char *message);
/* What an expression has in it that no number replaces, in words that go on
 * from `what`. */
const char *walk_explain(const builder *b, const char *what, sym missing);
/* The access as a node, or as one that has no model. False when no walk is
 * possible. */
bool walk_add_access(builder *b, const access *a, walk_node_vec *out);

#endif
