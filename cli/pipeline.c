/* cli/pipeline.c: from one source to its report.
 *
 * pipeline_check is the architecture in one function: source -> syntax and
 * tile programs (parse_file) -> verdicts (analyse) -> one list for all
 * launches (merge) -> ignore clauses -> order. */
#include "base/map.h"
#include "base/panic.h"
#include "checks/analyse.h"
#include "cli/checker.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

typedef VEC(kernel_report) kernel_vec;

const source *pipeline_read(arena *arena, const input *in, file_report *out) {
  *out = (file_report){.path = in->path, .unreadable = in->trouble};
  if (in->trouble)
    return NULL;
  const source *text = source_read(arena, in->path, &out->unreadable);
  if (!text)
    return NULL;
  if (memchr(text->text, 0, text->length)) {
    out->unreadable = "not a text file (it holds a zero byte)";
    return NULL;
  }
  return text;
}

bool pipeline_concerns(const source *source) {
  return strstr(source->text, "jit") != NULL;
}

/* Whether some other kernel's programs hold the function's body. */
static bool is_inlined(const parsed_file *file, const kernel_unit *helper) {
  for (size_t i = 0; i < file->kernels.count; i++) {
    const kernel_unit *unit = &file->kernels.at[i];
    for (size_t j = 0; unit != helper && j < unit->programs.count; j++) {
      const tile_program *p = unit->programs.at[j];
      for (size_t k = 1; k < p->calls.count; k++)
        if (!p->calls.at[k].path &&
            strcmp(p->calls.at[k].callee, helper->name) == 0)
          return true;
    }
  }
  return false;
}

static bool is_checked(const parsed_file *file, const kernel_unit *unit,
                       const settings *s) {
  if (s->kernel)
    return strcmp(s->kernel, unit->name) == 0;
  return !unit->helper || !is_inlined(file, unit);
}

/* The program's text without the line of its launch. */
static const char *launch_free_text(arena *arena, tile_program *p) {
  strbuf text = strbuf_make(arena);
  uint32_t launch_line = p->launch_line;
  p->launch_line = 0;
  program_print(p, &text);
  p->launch_line = launch_line;
  return text.text;
}

/* The programs of one kernel share a budget for the solver, so that a kernel
 * with many switches takes no longer than others; of those with very many only
 * the launch's blocks are looked at. */
static analysis_options share_of(const settings *s, size_t programs,
                                 proof_memo *memo) {
  enum {
    KERNEL_BUDGET = 4000000,
    LEAST_BUDGET = 200000,
    QUERIES = 8,
    FREE_PROGRAMS = 12,
  };
  analysis_options out = settings_analysis(s);
  uint64_t whole = KERNEL_BUDGET;
  if (out.prover.rlimit > whole / QUERIES)
    whole = out.prover.rlimit * QUERIES;
  uint64_t share = whole / (programs ? programs : 1);
  out.prover.budget = share < LEAST_BUDGET ? LEAST_BUDGET : share;
  out.prover.memo = memo;
  out.pinned_only = programs > FREE_PROGRAMS;
  return out;
}

/* False when no launch meets the program's facts. */
static bool analyse_program(tile_program *p, const analysis_options *options,
                            const loss *after, verdict_vec *out,
                            hint_vec *hints, prover_stats *spent) {
  const char *broken = program_verify(p, p->arena);
  if (broken)
    undecided_accesses(p, REASON_UNSUPPORTED,
                       arena_printf(p->arena, "internal: %s", broken), out);
  else if (after)
    undecided_accesses(p, after->why, after->how, out);
  else
    return analyse(p, *options, NULL, out, hints, spent);
  return true;
}

/* A kernel without any program still has a verdict. */
static void add_not_lowered(arena *arena, const kernel_unit *unit,
                            verdict_vec *out) {
  verdict v = {.code = CHECK_101,
               .kind = VERDICT_UNKNOWN,
               .at = unit->at,
               .kernel = unit->name,
               .message = arena_printf(
                   arena, "one of %u accesses of `%s` is outside its tensor",
                   unit->access_count, unit->name),
               .why = REASON_UNSUPPORTED,
               .why_detail = "the kernel could not be read"};
  VEC_PUSH(arena, out, v);
}

static void name_launches(arena *arena, const kernel_unit *unit,
                          verdict_vec *verdicts) {
  for (size_t i = 0; i < verdicts->count; i++) {
    verdict *v = &verdicts->at[i];
    if (unit->launch_lines.count < 2 || v->launch_line == 0 ||
        v->kind == VERDICT_PROVED)
      continue;
    text_list notes = {
        .at = ARENA_ARRAY(arena, const char *, v->notes.count + 1)};
    for (; notes.count < v->notes.count; notes.count++)
      notes.at[notes.count] = v->notes.at[notes.count];
    notes.at[notes.count++] =
        arena_printf(arena, "for the launch on line %u", v->launch_line);
    v->notes = notes;
  }
}

static bool covers(span outer, span inner) {
  bool after = outer.line < inner.line ||
               (outer.line == inner.line && outer.column <= inner.column);
  return after && (inner.end_line < outer.end_line ||
                   (inner.end_line == outer.end_line &&
                    inner.end_column <= outer.end_column));
}

static bool has_verdict(const verdict_vec *verdicts, span at) {
  for (size_t i = 0; i < verdicts->count; i++) {
    const verdict *v = &verdicts->at[i];
    bool bounds =
        v->code == CHECK_101 || v->code == CHECK_102 || v->code == CHECK_104;
    if (bounds && covers(at, v->at))
      return true;
  }
  return false;
}

/* No launch of the file compiles that code. */
static bool is_dead(const kernel_unit *unit, span at) {
  for (size_t i = 0; i < unit->programs.count; i++) {
    const tile_program *p = unit->programs.at[i];
    bool dead = false;
    for (size_t k = 0; k < p->dead.count && !dead; k++)
      dead = covers(p->dead.at[k], at);
    if (!dead)
      return false;
  }
  return unit->programs.count > 0;
}

/* Accesses that no launch here compiles touch nothing; they are listed so that
 * every access has a verdict. */
static void add_dead(arena *arena, const kernel_unit *unit,
                     verdict_vec *verdicts) {
  for (size_t i = 0; i < unit->accesses.count; i++) {
    const source_access *a = &unit->accesses.at[i];
    if (has_verdict(verdicts, a->at) || !is_dead(unit, a->at))
      continue;
    verdict v = {.code = a->load ? CHECK_101 : CHECK_102,
                 .kind = VERDICT_PROVED,
                 .at = a->at,
                 .kernel = unit->name,
                 .message = a->load ? "load reads outside its tensor"
                                    : "store writes outside its tensor",
                 .method = "not compiled"};
    text_list only = {.at = ARENA_NEW(arena, const char *), .count = 1};
    only.at[0] = "the launches in this file, which never compile it";
    v.configurations = only;
    VEC_PUSH(arena, verdicts, v);
  }
}

/* What holds for the launches that were read need not hold for the others. */
static void doubt(const kernel_unit *unit, verdict_vec *verdicts) {
  for (size_t i = 0; unit->incomplete && i < verdicts->count; i++) {
    verdict *v = &verdicts->at[i];
    if (v->kind != VERDICT_PROVED && v->kind != VERDICT_PROVED_IF)
      continue;
    v->kind = VERDICT_UNKNOWN;
    v->requires = v->asserts = (text_list){0};
    v->why = REASON_RESOURCE;
    v->why_detail = unit->incomplete;
  }
}

/* All launches of one kernel; equal programs are analysed once. */
static verdict_vec analyse_kernel(arena *arena, const kernel_unit *unit,
                                  const settings *s, const loss *after,
                                  hint_vec *hints, prover_stats *spent) {
  verdict_vec merged = {0};
  intern *seen = intern_create(arena);
  analysis_options options =
      share_of(s, unit->programs.count, memo_create(arena));
  bool any = false;
  uint32_t distinct = 0; /* texts get the numbers 1, 2, ... */
  for (size_t i = 0; i < unit->programs.count; i++) {
    tile_program *p = unit->programs.at[i];
    if (intern_id(seen, launch_free_text(arena, p)) <= distinct)
      continue;
    distinct++;
    verdict_vec found = {0};
    any = analyse_program(p, &options, after, &found, hints, spent) || any;
    merge_verdicts(arena, &merged, &found);
  }
  if (!any && unit->programs.count > 0)
    undecided_accesses(unit->programs.at[0], REASON_UNSUPPORTED,
                       "what is said of the launch contradicts itself",
                       &merged);
  if (unit->programs.count == 0 && unit->access_count > 0)
    add_not_lowered(arena, unit, &merged);
  add_dead(arena, unit, &merged);
  doubt(unit, &merged);
  name_launches(arena, unit, &merged);
  return merged;
}

static kernel_report report_kernel(const kernel_unit *unit,
                                   const verdict_vec *verdicts) {
  return (kernel_report){.name = unit->name,
                         .line = unit->at.line,
                         .helper = unit->helper,
                         .launches = unit->launch_lines.at,
                         .launch_count = unit->launch_lines.count,
                         .verdicts = verdicts->at,
                         .verdict_count = verdicts->count};
}

static check_id notice_code(notice_kind kind) {
  switch (kind) {
  case NOTICE_SYNTAX:
    return CHECK_901;
  case NOTICE_CONTRACT:
    return CHECK_902;
  case NOTICE_UNUSED:
    return CHECK_903;
  case NOTICE_UNSUPPORTED:
    return CHECK_904;
  }
  panic("no notice has the number %d", (int)kind);
}

static void add_hints(arena *arena, const hint_vec *hints, finding_vec *out) {
  for (size_t i = 0; i < hints->count; i++) {
    const hint *h = &hints->at[i];
    finding f = {.code = h->code,
                 .at = h->at,
                 .message = h->message,
                 .kernel = h->kernel};
    VEC_PUSH(arena, out, f);
  }
}

static void add_notices(arena *arena, const parsed_file *file,
                        finding_vec *out) {
  for (size_t i = 0; i < file->notices.count; i++) {
    const notice *n = &file->notices.at[i];
    finding f = {.code = notice_code(n->kind),
                 .at = n->at,
                 .message = n->message,
                 .effect = n->effect,
                 .kernel = n->kernel};
    VEC_PUSH(arena, out, f);
  }
}

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void tell_time(const file_report *file, double ms, prover_stats spent) {
  fprintf(stderr, "%s: %zu kernels, %.1f ms; Z3: %llu questions, %.1f ms\n",
          file->path, file->kernel_count, ms,
          (unsigned long long)spent.z3_calls, spent.z3_ms);
}

file_report pipeline_check(arena *arena, const source *source,
                           const settings *s, const loss *after) {
  file_report out = {.path = source->path, .source = source};
  if (!pipeline_concerns(source))
    return out;
  double start = now_ms();
  parsed_file *file = parse_file(arena, source, settings_parse_check(s));
  bool *used = ARENA_ARRAY(arena, bool, file->suppressions.count);
  kernel_vec kernels = {0};
  finding_vec findings = {0};
  prover_stats spent = {0};
  for (size_t i = 0; i < file->kernels.count; i++) {
    const kernel_unit *unit = &file->kernels.at[i];
    if (!is_checked(file, unit, s))
      continue;
    hint_vec hints = {0};
    verdict_vec verdicts =
        analyse_kernel(arena, unit, s, after, &hints, &spent);
    suppress_verdicts(file, unit, &verdicts, used);
    suppress_hints(file, unit, &hints, used);
    add_hints(arena, &hints, &findings);
    merge_finish(s, &verdicts);
    VEC_PUSH(arena, &kernels, report_kernel(unit, &verdicts));
  }
  add_notices(arena, file, &findings);
  suppress_unused(arena, file, s, used, &findings);
  merge_findings(s, &findings);
  out.kernels = kernels.at;
  out.kernel_count = kernels.count;
  out.findings = findings.at;
  out.finding_count = findings.count;
  if (s->timing)
    tell_time(&out, now_ms() - start, spent);
  return out;
}
