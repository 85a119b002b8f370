/* cli/merge.c: several launches of one kernel, one list of verdicts. */
#include "base/panic.h"
#include "cli/checker.h"

#include <stdlib.h>
#include <string.h>

static int compare_texts(const char *a, const char *b) {
  return strcmp(a ? a : "", b ? b : "");
}

static bool same_subject(const verdict *a, const verdict *b) {
  return a->code == b->code && a->at.line == b->at.line &&
         a->at.column == b->at.column &&
         compare_texts(a->buffer, b->buffer) == 0;
}

/* The items of a, then those of b that a does not hold. */
static text_list join_lists(arena *arena, const text_list *a,
                            const text_list *b) {
  text_list out = {.at = ARENA_ARRAY(arena, const char *, a->count + b->count)};
  for (size_t i = 0; i < a->count; i++)
    out.at[out.count++] = a->at[i];
  for (size_t i = 0; i < b->count; i++) {
    bool held = false;
    for (size_t j = 0; j < out.count; j++)
      held = held || strcmp(out.at[j], b->at[i]) == 0;
    if (!held)
      out.at[out.count++] = b->at[i];
  }
  return out;
}

static bool is_proof(const verdict *v) {
  return v->kind == VERDICT_PROVED || v->kind == VERDICT_PROVED_IF;
}

/* What both say of one subject: the worse, with the limits of either. */
static verdict combine(arena *arena, const verdict *a, const verdict *b) {
  bool swap = verdict_rank(b->kind) > verdict_rank(a->kind);
  verdict out = swap ? *b : *a;
  const verdict *other = swap ? a : b;
  if (out.suppressed != other->suppressed)
    panic("verdicts are merged before they are suppressed");
  if (is_proof(&out) && is_proof(other)) {
    out.configurations =
        join_lists(arena, &a->configurations, &b->configurations);
    out.all_blocks = a->all_blocks && b->all_blocks;
    out.limits = join_lists(arena, &a->limits, &b->limits);
    out.notes = join_lists(arena, &out.notes, &other->notes);
    out.requires = join_lists(arena, &out.requires, &other->requires);
    out.asserts = join_lists(arena, &out.asserts, &other->asserts);
  }
  return out;
}

void merge_verdicts(arena *arena, verdict_vec *into, const verdict_vec *more) {
  for (size_t i = 0; i < more->count; i++) {
    const verdict *v = &more->at[i];
    size_t j = 0;
    while (j < into->count && !same_subject(&into->at[j], v))
      j++;
    if (j < into->count)
      into->at[j] = combine(arena, &into->at[j], v);
    else
      VEC_PUSH(arena, into, *v);
  }
}

static int compare_places(span a, span b) {
  if (a.line != b.line)
    return a.line < b.line ? -1 : 1;
  if (a.column != b.column)
    return a.column < b.column ? -1 : 1;
  return 0;
}

static int compare_verdicts(const void *left, const void *right) {
  const verdict *a = left, *b = right;
  int place = compare_places(a->at, b->at);
  if (place)
    return place;
  if (a->code != b->code)
    return a->code < b->code ? -1 : 1;
  return compare_texts(a->buffer, b->buffer);
}

void merge_finish(const settings *s, verdict_vec *verdicts) {
  size_t kept = 0;
  for (size_t i = 0; i < verdicts->count; i++)
    if (settings_selects(s, verdicts->at[i].code))
      verdicts->at[kept++] = verdicts->at[i];
  verdicts->count = kept;
  if (kept)
    qsort(verdicts->at, kept, sizeof *verdicts->at, compare_verdicts);
}

static int compare_findings(const void *left, const void *right) {
  const finding *a = left, *b = right;
  int place = compare_places(a->at, b->at);
  if (place)
    return place;
  if (a->code != b->code)
    return a->code < b->code ? -1 : 1;
  int message = compare_texts(a->message, b->message);
  return message ? message : compare_texts(a->kernel, b->kernel);
}

static bool same_finding(const finding *a, const finding *b) {
  return compare_places(a->at, b->at) == 0 && a->code == b->code &&
         compare_texts(a->message, b->message) == 0;
}

void merge_findings(const settings *s, finding_vec *findings) {
  size_t kept = 0;
  if (findings->count)
    qsort(findings->at, findings->count, sizeof *findings->at,
          compare_findings);
  for (size_t i = 0; i < findings->count; i++) {
    const finding *f = &findings->at[i];
    if (settings_selects(s, f->code) &&
        (kept == 0 || !same_finding(&findings->at[kept - 1], f)))
      findings->at[kept++] = *f;
  }
  findings->count = kept;
}
