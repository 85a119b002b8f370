/* traffic/walk_loops.c: numbers of turns as formulas. */
#include "analysis/count.h"
#include "traffic/walk_state.h"

/* The loop of the same place and inlined call. */
static const control *control_of(judge *j, const inst *i) {
  const interp_result *r = judge_result(j);
  for (size_t k = 0; k < r->controls.count; k++) {
    const inst *it = r->controls.at[k].inst;
    if (it->kind == i->kind && it->call == i->call &&
        it->at.line == i->at.line && it->at.column == i->at.column)
      return &r->controls.at[k];
  }
  return NULL;
}

static bool describe(const walk *w, judge *free, const walk_node *node,
                     loop_turns *out) {
  const control *c = control_of(free, node->inst);
  strbuf text = strbuf_make(w->arena);
  if (!c || !judge_is_launch_level(free, c->value) || node->control.level > 0 ||
      node->control.stamp == 0)
    return false;
  sym formula = count_rename(free, count_simplify(free, c->value));
  count_print(judge_launch(free)->syms, formula, &text);
  *out = (loop_turns){node->inst->at.line, text.text, node->control.value};
  return true;
}

static void gather(const walk *w, judge *free, const walk_node_vec *body,
                   loop_turns_vec *out) {
  for (size_t i = 0; i < body->count; i++) {
    const walk_node *node = &body->at[i];
    loop_turns found;
    if (node->kind == WALK_FOR && describe(w, free, node, &found))
      VEC_PUSH(w->arena, out, found);
    for (int k = 0; k < 2; k++)
      gather(w, free, &node->bodies[k], out);
  }
}

loop_turns_vec walk_loops(const walk *self, judge *free) {
  loop_turns_vec out = {0};
  gather(self, free, &self->body, &out);
  return out;
}
