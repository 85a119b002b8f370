/* report/group.c: see group.h. */
#include "report/group.h"
#include "base/panic.h"

#include <string.h>

static bool same_text(const char *a, const char *b) {
  return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_list(const text_list *a, const text_list *b) {
  if (a->count != b->count)
    return false;
  for (size_t i = 0; i < a->count; i++)
    if (!same_text(a->at[i], b->at[i]))
      return false;
  return true;
}

static bool same_story(const verdict *a, const verdict *b) {
  if (a->kind != b->kind)
    return false;
  switch (a->kind) {
  case VERDICT_PROVED:
  case VERDICT_REFUTED:
    return false;
  case VERDICT_PROVED_IF:
    return same_list(&a->requires, &b->requires) &&
           same_list(&a->asserts, &b->asserts);
  case VERDICT_UNKNOWN:
    return a->why == b->why && same_text(a->why_detail, b->why_detail) &&
           a->why_at.line == b->why_at.line &&
           a->why_at.column == b->why_at.column;
  }
  panic("no verdict has the number %d", (int)a->kind);
}

static verdict_group *find_group(verdict_groups *groups, const verdict *v) {
  for (size_t i = 0; i < groups->count; i++)
    if (same_story(groups->at[i].first, v))
      return &groups->at[i];
  return NULL;
}

void group_verdicts(arena *arena, const kernel_report *kernel,
                    verdict_groups *out) {
  assert(out->count == 0);
  for (size_t i = 0; i < kernel->verdict_count; i++) {
    const verdict *v = &kernel->verdicts[i];
    if (v->suppressed)
      continue;
    verdict_group *group = find_group(out, v);
    verdict_group fresh = {.first = v};
    if (group)
      VEC_PUSH(arena, &group->others, v);
    else
      VEC_PUSH(arena, out, fresh);
  }
}
