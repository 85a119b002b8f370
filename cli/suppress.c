/* cli/suppress.c: `# tilecheck: ignore CODE -- reason`. */
#include "checks/check.h"
#include "cli/checker.h"

static bool within(uint32_t line, const suppression *s) {
  return s->from == 0 || (s->from <= line && line <= s->to);
}

/* A clause at a code line covers what touches the line; one of a function
 * covers its lines and, for a kernel, what is inlined into it. */
static bool covers(const suppression *s, const kernel_unit *unit, check_id code,
                   span at) {
  const check_info *check = check_by_name(s->code);
  if (!check || check->id != code)
    return false;
  if (s->line)
    return at.line <= s->line &&
           s->line <= (at.end_line ? at.end_line : at.line);
  return within(at.line, s) || within(unit->at.line, s);
}

void suppress_verdicts(const parsed_file *file, const kernel_unit *unit,
                       verdict_vec *verdicts, bool *used) {
  for (size_t i = 0; i < file->suppressions.count; i++) {
    const suppression *s = &file->suppressions.at[i];
    for (size_t j = 0; j < verdicts->count; j++) {
      verdict *v = &verdicts->at[j];
      if (!covers(s, unit, v->code, v->at))
        continue;
      used[i] = used[i] || v->kind != VERDICT_PROVED;
      v->suppressed = v->kind != VERDICT_PROVED;
    }
  }
}

void suppress_hints(const parsed_file *file, const kernel_unit *unit,
                    hint_vec *hints, bool *used) {
  size_t kept = 0;
  for (size_t j = 0; j < hints->count; j++) {
    bool covered = false;
    for (size_t i = 0; i < file->suppressions.count; i++)
      if (covers(&file->suppressions.at[i], unit, hints->at[j].code,
                 hints->at[j].at))
        covered = used[i] = true;
    if (!covered)
      hints->at[kept++] = hints->at[j];
  }
  hints->count = kept;
}

void suppress_unused(arena *arena, const parsed_file *file, const settings *s,
                     const bool *used, finding_vec *out) {
  for (size_t i = 0; i < file->suppressions.count; i++) {
    const suppression *clause = &file->suppressions.at[i];
    const check_info *check = check_by_name(clause->code);
    /* With a part of the checks or kernels nobody can tell. */
    if (check && (used[i] || s->kernel || !settings_selects(s, check->id)))
      continue;
    finding f = {
        .code = CHECK_903,
        .at = clause->at,
        .message = arena_printf(arena,
                                check ? "there is nothing to ignore for %s here"
                                      : "there is no check %s",
                                clause->code)};
    VEC_PUSH(arena, out, f);
  }
}
