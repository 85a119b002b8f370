/* tests/unit/test_report.c: text, JSON, counts and digests of hand-made
 * reports. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "checks/check.h"
#include "cli/checker.h"
#include "report/phrase.h"
#include "report/report.h"
#include "report/utf8.h"

#include <stdlib.h>
#include <string.h>
#include <yyjson.h>

#define TEXT                                                                   \
  "import triton\n"                                                            \
  "\n"                                                                         \
  "def add(x):\n"                                                              \
  "    tl.store(out_ptr + offsets, x + y)\n"                                   \
  "\ty = tl.load(x_ptr + offsets,\n"                                           \
  "              mask=m)  # \xC3\xA9\n"                                        \
  "    z = a \x1b[31m// b\n"

/* --- a report to play with */

typedef struct scene {
  arena *arena;
  report report;
  file_report file;
  kernel_report kernel;
  verdict verdicts[4];
  finding findings[2];
  witness witness;
} scene;

static const named_number SIZES[] = {{"n_elements", 1, NULL}};
static const named_number CONSTEXPRS[] = {{"BLOCK_SIZE", 2, NULL}};
static const char *NOTES[] = {
    "`out` has n_elements elements: torch.empty_like(x), line 20"};
static const char *REQUIRES[] = {"y has at least n_elements elements"};
static const char *ASSERTS[] = {"assert y.numel() >= n_elements"};
static const uint32_t LAUNCHES[] = {20};

static void refute(scene *s, verdict *v) {
  s->witness = (witness){.sizes = SIZES,
                         .size_count = 1,
                         .constexprs = CONSTEXPRS,
                         .constexpr_count = 1,
                         .program_rank = 1,
                         .lane_count = 1,
                         .lane = {1},
                         .event = "outside",
                         .inst = 7,
                         .offset = 1,
                         .detail = "element 1 of 1",
                         .replayed = true,
                         .tile = "kernel add\n"};
  *v = (verdict){.code = CHECK_102,
                 .kind = VERDICT_REFUTED,
                 .at = {4, 5, 4, 39},
                 .buffer = "out",
                 .message = "store writes outside `out`",
                 .notes = {NOTES, 1},
                 .witness = &s->witness,
                 .fix = "mask=offsets < n_elements"};
}

static void condition(verdict *v, check_id code, uint32_t line) {
  *v = (verdict){.code = code,
                 .kind = VERDICT_PROVED_IF,
                 .at = {line, 6, line + 1, 21},
                 .buffer = "y",
                 .message = "load reads outside `y`",
                 .requires = {REQUIRES, 1},
                 .asserts = {ASSERTS, 1},
                 .all_blocks = true,
                 .method = "bounds"};
}

static void doubt(verdict *v) {
  *v = (verdict){.code = CHECK_302,
                 .kind = VERDICT_UNKNOWN,
                 .at = {7, 9, 7, 20},
                 .message = "the divisor can be 0",
                 .why = REASON_DATA,
                 .why_detail = "it depends on `b`",
                 .why_at = {3, 1, 3, 4}};
}

static void prove(verdict *v) {
  *v = (verdict){.code = CHECK_101,
                 .kind = VERDICT_PROVED,
                 .at = {4, 22, 4, 29},
                 .buffer = "x",
                 .message = "load reads outside `x`",
                 .all_blocks = true,
                 .method = "bounds"};
}

/* All four kinds, in text order. */
static int set_up(void **state) {
  arena *arena = arena_create();
  scene *s = ARENA_NEW(arena, scene);
  s->arena = arena;
  refute(s, &s->verdicts[0]);
  prove(&s->verdicts[1]);
  condition(&s->verdicts[2], CHECK_101, 5);
  doubt(&s->verdicts[3]);
  s->kernel = (kernel_report){.name = "add",
                              .line = 3,
                              .launches = LAUNCHES,
                              .launch_count = 1,
                              .verdicts = s->verdicts,
                              .verdict_count = 4};
  s->file = (file_report){
      .path = "add.py",
      .source = source_from_text(arena, "add.py", TEXT, strlen(TEXT)),
      .findings = s->findings,
      .kernels = &s->kernel,
      .kernel_count = 1};
  s->report = (report){.version = "1.2.3",
                       .z3_version = "4.5",
                       .files = &s->file,
                       .file_count = 1};
  *state = s;
  return 0;
}

static int tear_down(void **state) {
  scene *s = *state;
  arena_destroy(s->arena);
  return 0;
}

static const char *text_of(scene *s, text_style style) {
  strbuf out = strbuf_make(s->arena);
  report_text(&s->report, style, &out);
  return out.text;
}

static const char *text_of_one(scene *s, size_t verdict) {
  s->kernel.verdicts = &s->verdicts[verdict];
  s->kernel.verdict_count = 1;
  return text_of(s, (text_style){0});
}

static yyjson_doc *json_of(scene *s) {
  strbuf out = strbuf_make(s->arena);
  report_json(&s->report, &out);
  yyjson_doc *doc = yyjson_read(out.text, out.length, 0);
  assert_non_null(doc);
  return doc;
}

static yyjson_val *at(yyjson_doc *doc, const char *pointer) {
  yyjson_val *value = yyjson_doc_ptr_get(doc, pointer);
  assert_non_null(value);
  return value;
}

/* --- text */

static void refutation_as_documented(void **state) {
  assert_string_equal(
      text_of_one(*state, 0),
      "error[TC102]: store writes outside `out`\n"
      " --> add.py:4:5\n"
      "  |\n"
      "4 |     tl.store(out_ptr + offsets, x + y)\n"
      "  |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ element 1 of 1\n"
      "  |\n"
      "  = smallest counterexample: n_elements = 1, BLOCK_SIZE = 2, program "
      "(0), lane 1 (replayed)\n"
      "  = `out` has n_elements elements: torch.empty_like(x), line 20\n"
      "  = fix: mask=offsets < n_elements\n");
}

static void several_lines_mark_the_first_and_tabs_are_spaces(void **state) {
  assert_string_equal(
      text_of_one(*state, 2),
      "note[TC101]: load stays inside `y` if y has at least n_elements "
      "elements\n"
      " --> add.py:5:6\n"
      "  |\n"
      "5 |     y = tl.load(x_ptr + offsets,\n"
      "  |         ^^^^^^^^^^^^^^^^^^^^^^^^\n"
      "  |\n"
      "  = to make sure: assert y.numel() >= n_elements\n");
}

static void control_bytes_are_escaped(void **state) {
  assert_string_equal(text_of_one(*state, 3),
                      "warning[TC302]: undecided whether the divisor can be 0\n"
                      " --> add.py:7:9\n"
                      "  |\n"
                      "7 |     z = a \\x1b[31m// b\n"
                      "  |         ^^^^^^^^^^^^^^\n"
                      "  |\n"
                      "  = reason: data-dependent: it depends on `b`, at "
                      "3:1\n");
}

static void equal_requirements_are_told_once(void **state) {
  scene *s = *state;
  condition(&s->verdicts[0], CHECK_101, 4);
  condition(&s->verdicts[1], CHECK_102, 5);
  condition(&s->verdicts[2], CHECK_101, 6);
  s->kernel.verdict_count = 3;
  const char *text = text_of(s, (text_style){0});
  assert_non_null(strstr(text, "the same on line 5 (TC102), 6\n"));
  assert_null(strstr(text + 1, "\nnote["));
}

static void proofs_are_told_when_asked(void **state) {
  scene *s = *state;
  assert_null(strstr(text_of(s, (text_style){0}), "proved"));
  const char *text = text_of(s, (text_style){.verbose = true});
  assert_non_null(strstr(text, "add.py:3: kernel add, launched on line 20\n"));
  assert_non_null(strstr(text, "  proved[TC101] 4:22: load stays inside `x` "
                               "(bounds, for all blocks)\n"));
  assert_non_null(strstr(text, "  given: `out` has n_elements elements"));
}

static void quiet_leaves_errors(void **state) {
  const char *text = text_of(*state, (text_style){.quiet = true});
  assert_non_null(strstr(text, "error[TC102]"));
  assert_null(strstr(text, "warning["));
  assert_null(strstr(text, "note["));
}

static void color_only_when_wanted(void **state) {
  assert_null(strchr(text_of(*state, (text_style){0}), '\x1b'));
  assert_non_null(strstr(text_of(*state, (text_style){.color = true}),
                         "\x1b[1;31merror[TC102]\x1b[0m"));
}

static void long_lines_are_cut(void **state) {
  scene *s = *state;
  char line[1000];
  memset(line, 'a', sizeof line);
  s->file.source = source_from_text(s->arena, "add.py", line, sizeof line);
  s->verdicts[0].at = (span){1, 500, 1, 510};
  const char *text = text_of_one(s, 0);
  assert_non_null(strstr(text, "1 | ...aaa"));
  assert_non_null(strstr(text, "aaa...\n"));
  assert_non_null(strstr(text, " ^^^^^^^^^^ element 1 of 1\n"));
}

static void places_off_the_text_do_no_harm(void **state) {
  scene *s = *state;
  const span places[] = {
      {0}, {4, 500, 4, 600}, {99, 1, 99, 2}, {4, 9, 4, 2}, {4, 0, 0, 0}};
  for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
    s->verdicts[0].at = places[i];
    assert_non_null(strstr(text_of_one(s, 0), "smallest counterexample"));
  }
}

static void unreadable_files_are_errors(void **state) {
  scene *s = *state;
  s->file = (file_report){.path = "bad\n.py", .unreadable = "is a directory"};
  assert_string_equal(text_of(s, (text_style){0}),
                      "error[TC901]: cannot be read: is a directory\n"
                      " --> bad\\x0a.py\n");
  assert_int_equal(report_exit_status(&s->report, false), 2);
}

static void unsupported_is_told_when_it_matters(void **state) {
  scene *s = *state;
  s->findings[0] = (finding){.code = CHECK_904,
                             .at = {1, 1, 1, 7},
                             .message = "a construct",
                             .kernel = "add"};
  s->file.finding_count = 1;
  assert_non_null(strstr(text_of(s, (text_style){0}), "note[TC904]"));
  s->findings[0].at = s->verdicts[3].why_at; /* blamed already */
  assert_null(strstr(text_of(s, (text_style){0}), "note[TC904]"));
  s->kernel.verdict_count = 2; /* nothing unknown */
  assert_null(strstr(text_of(s, (text_style){0}), "note[TC904]"));
  assert_non_null(
      strstr(text_of(s, (text_style){.verbose = true}), "note[TC904]"));
}

/* --- counts */

static void accesses_count_once_by_the_worst(void **state) {
  scene *s = *state;
  s->verdicts[1].at = s->verdicts[0].at;
  report_summary sum = report_summarise(&s->report);
  assert_int_equal(sum.accesses, 2);
  assert_int_equal(sum.refuted, 1);
  assert_int_equal(sum.proved_if, 1);
  assert_int_equal(sum.proved, 0);
  assert_int_equal(sum.other_unknown, 1);
  strbuf out = strbuf_make(s->arena);
  report_summary_line(&s->report, &out);
  assert_string_equal(out.text,
                      "1 kernel, 1 launch, 2 accesses: 0 proved, 1 proved-if, "
                      "1 refuted, 0 unknown; other properties: 0 refuted, 1 "
                      "unknown");
}

static void suppressed_verdicts_are_out(void **state) {
  scene *s = *state;
  s->verdicts[0].suppressed = true;
  s->verdicts[3].suppressed = true;
  assert_int_equal(report_summarise(&s->report).refuted, 0);
  assert_int_equal(report_exit_status(&s->report, true), 0);
  assert_null(strstr(text_of(s, (text_style){0}), "error["));
  yyjson_doc *doc = json_of(s);
  assert_true(
      yyjson_get_bool(at(doc, "/files/0/kernels/0/verdicts/0/suppressed")));
  yyjson_doc_free(doc);
}

static void statuses_follow_the_table(void **state) {
  scene *s = *state;
  assert_int_equal(report_exit_status(&s->report, true), 1);
  s->verdicts[0].kind = VERDICT_PROVED;
  assert_int_equal(report_exit_status(&s->report, true), 3);
  assert_int_equal(report_exit_status(&s->report, false), 0);
  const check_id quiet[] = {CHECK_903, CHECK_904};
  const check_id loud[] = {CHECK_901, CHECK_902};
  s->file.finding_count = 1;
  for (size_t i = 0; i < 2; i++) {
    s->findings[0] = (finding){.code = quiet[i], .message = ""};
    assert_int_equal(report_exit_status(&s->report, false), 0);
    s->findings[0].code = loud[i];
    assert_int_equal(report_exit_status(&s->report, false), 2);
  }
}

/* --- JSON */

static void json_carries_the_counterexample(void **state) {
  yyjson_doc *doc = json_of(*state);
  const char *v = "/files/0/kernels/0/verdicts/0";
  assert_string_equal(yyjson_get_str(at(doc, "/tool/z3")), "4.5");
  yyjson_val *verdict = at(doc, v);
  yyjson_val *example = yyjson_obj_get(verdict, "counterexample");
  assert_string_equal(yyjson_get_str(yyjson_obj_get(verdict, "verdict")),
                      "refuted");
  assert_int_equal(yyjson_get_int(yyjson_ptr_get(example, "/sizes/n_elements")),
                   1);
  assert_int_equal(
      yyjson_get_int(yyjson_ptr_get(example, "/constexprs/BLOCK_SIZE")), 2);
  assert_int_equal(yyjson_get_int(yyjson_ptr_get(example, "/lane/0")), 1);
  assert_string_equal(yyjson_get_str(yyjson_ptr_get(example, "/event/kind")),
                      "outside");
  assert_string_equal(yyjson_get_str(at(doc, "/files/0/kernels/0/tiles/0")),
                      "kernel add\n");
  assert_string_equal(
      yyjson_get_str(at(doc, "/files/0/kernels/0/verdicts/2/for")),
      "all blocks");
  assert_string_equal(
      yyjson_get_str(at(doc, "/files/0/kernels/0/verdicts/3/reason")),
      "data-dependent");
  yyjson_doc_free(doc);
}

static void json_is_valid_whatever_the_bytes(void **state) {
  scene *s = *state;
  s->file.path = "caf\xE9\x01\"\\.py";
  s->verdicts[0].buffer = "\xFF\xC0\x80";
  s->verdicts[0].message = "\xED\xA0\x80 and \xF4\x90\x80\x80";
  yyjson_doc *doc = json_of(s);
  assert_string_equal(yyjson_get_str(at(doc, "/files/0/path")),
                      "caf\xEF\xBF\xBD\x01\"\\.py");
  yyjson_doc_free(doc);
}

static void digests_see_every_number(void **state) {
  scene *s = *state;
  verdict v = s->verdicts[0];
  witness w = s->witness;
  v.witness = &w;
  const char *before = witness_digest(s->arena, "add", &v);
  int64_t *const numbers[] = {&w.lane[0], &w.program[0], &w.offset, &w.value};
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
    ++*numbers[i];
    assert_string_not_equal(before, witness_digest(s->arena, "add", &v));
    --*numbers[i];
  }
  const named_number other = {"n_elements", 2, NULL};
  w.sizes = &other;
  assert_string_not_equal(before, witness_digest(s->arena, "add", &v));
  w.sizes = SIZES;
  w.tile = "kernel add \n";
  assert_string_not_equal(before, witness_digest(s->arena, "add", &v));
  w.tile = s->witness.tile;
  v.at.line++;
  assert_string_not_equal(before, witness_digest(s->arena, "add", &v));
  v.at.line--;
  assert_string_equal(before, witness_digest(s->arena, "add", &v));
}

/* --- what the program adds */

static void wire_keeps_everything(void **state) {
  scene *s = *state;
  s->findings[0] = (finding){
      .code = CHECK_904, .at = {1, 1, 1, 2}, .message = "m", .kernel = "add"};
  s->file.finding_count = 1;
  strbuf bytes = strbuf_make(s->arena), before = strbuf_make(s->arena);
  strbuf after = strbuf_make(s->arena);
  report_json(&s->report, &before);
  wire_write(&s->file, &bytes);
  for (size_t n = 0; n < bytes.length; n++)
    assert_null(wire_read(s->arena, bytes.text, n));
  const file_report *got = wire_read(s->arena, bytes.text, bytes.length);
  assert_non_null(got);
  const source *source = s->file.source;
  s->file = *got;
  s->file.path = "add.py";
  s->file.source = source;
  report_json(&s->report, &after);
  assert_string_equal(before.text, after.text);
}

static verdict_vec list_of(arena *arena, verdict v) {
  verdict_vec list = {0};
  VEC_PUSH(arena, &list, v);
  return list;
}

static void launches_merge_to_the_worst(void **state) {
  scene *s = *state;
  const char *block[] = {"BLOCK = 64"}, *other[] = {"z is positive"};
  verdict proved = s->verdicts[2];
  proved.kind = VERDICT_PROVED;
  proved.all_blocks = false;
  proved.configurations = (text_list){block, 1};
  proved.requires = proved.asserts = (text_list){0};
  verdict_vec all = list_of(s->arena, proved);
  verdict_vec more = list_of(s->arena, s->verdicts[2]);
  merge_verdicts(s->arena, &all, &more);
  assert_int_equal(all.count, 1);
  assert_int_equal(all.at[0].kind, VERDICT_PROVED_IF);
  assert_false(all.at[0].all_blocks);
  assert_int_equal(all.at[0].configurations.count, 1);
  more.at[0].requires = (text_list){other, 1};
  merge_verdicts(s->arena, &all, &more);
  assert_int_equal(all.at[0].requires.count, 2);
  more.at[0].kind = VERDICT_UNKNOWN;
  merge_verdicts(s->arena, &all, &more);
  assert_int_equal(all.at[0].kind, VERDICT_UNKNOWN);
  more.at[0].buffer = "another";
  merge_verdicts(s->arena, &all, &more);
  assert_int_equal(all.count, 2);
}

static void checks_have_names(void **state) {
  (void)state;
  size_t count;
  const check_info *table = check_table(&count);
  for (size_t i = 0; i < count; i++) {
    assert_ptr_equal(check_by_id(table[i].id), &table[i]);
    assert_ptr_equal(check_by_name(table[i].code), &table[i]);
    assert_ptr_equal(check_by_name(table[i].slug), &table[i]);
    assert_true(i == 0 || table[i - 1].id < table[i].id);
  }
  assert_ptr_equal(check_by_name("OOB-Load"), check_by_name("tc101"));
  assert_null(check_by_name("TC1"));
}

static void every_verdict_is_a_sentence(void **state) {
  scene *s = *state;
  size_t count;
  const check_info *table = check_table(&count);
  for (size_t i = 0; i < count; i++) {
    verdict v = {.code = table[i].id};
    if (table[i].severity != SEVERITY_ERROR)
      continue;
    for (int kind = VERDICT_PROVED; kind <= VERDICT_UNKNOWN; kind++) {
      v.kind = (verdict_kind)kind;
      assert_true(*verdict_sentence(s->arena, &v) != 0);
      assert_true(*verdict_kind_name(v.kind) != 0);
    }
  }
}

static void utf8_is_strict(void **state) {
  (void)state;
  size_t length;
  assert_int_equal(utf8_decode("\xE2\x82\xAC", 3, &length), 0x20AC);
  assert_int_equal(length, 3);
  const char *const bad[] = {"\xC0\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80",
                             "\xE2\x82", "\x80",         "\xFE"};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
    assert_int_equal(utf8_decode(bad[i], strlen(bad[i]), &length),
                     UTF8_INVALID);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(refutation_as_documented),
      TEST(several_lines_mark_the_first_and_tabs_are_spaces),
      TEST(control_bytes_are_escaped),
      TEST(equal_requirements_are_told_once),
      TEST(proofs_are_told_when_asked),
      TEST(quiet_leaves_errors),
      TEST(color_only_when_wanted),
      TEST(long_lines_are_cut),
      TEST(places_off_the_text_do_no_harm),
      TEST(unreadable_files_are_errors),
      TEST(unsupported_is_told_when_it_matters),
      TEST(accesses_count_once_by_the_worst),
      TEST(suppressed_verdicts_are_out),
      TEST(statuses_follow_the_table),
      TEST(json_carries_the_counterexample),
      TEST(json_is_valid_whatever_the_bytes),
      TEST(digests_see_every_number),
      TEST(wire_keeps_everything),
      TEST(launches_merge_to_the_worst),
      TEST(checks_have_names),
      TEST(every_verdict_is_a_sentence),
      TEST(utf8_is_strict),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
