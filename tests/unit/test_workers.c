/* tests/unit/test_workers.c: files spread over processes, some of which die. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/checker.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES = 7 };

typedef struct scene {
  arena *arena;
  char folder[32];
  input_vec inputs;
  settings settings;
} scene;

/* Names say what happens: "once" dies when it analyses, "always" dies, and
 * "killed" is killed when it analyses. */
static const char *const NAMES[FILES] = {
    "a", "once-b", "c", "always-d", "plain", "f", "killed-g"};

static int set_up(void **state) {
  arena *arena = arena_create();
  scene *s = ARENA_NEW(arena, scene);
  s->arena = arena;
  strcpy(s->folder, "/tmp/tilecheck-XXXXXX");
  assert_non_null(mkdtemp(s->folder));
  for (size_t i = 0; i < FILES; i++) {
    input in = {.path = arena_printf(arena, "%s/%s", s->folder, NAMES[i])};
    FILE *file = fopen(in.path, "w");
    assert_non_null(file);
    fputs(strcmp(NAMES[i], "plain") == 0 ? "no kernel\n" : "jit\n", file);
    fclose(file);
    VEC_PUSH(arena, &s->inputs, in);
  }
  *state = s;
  return 0;
}

static int tear_down(void **state) {
  scene *s = *state;
  for (size_t i = 0; i < FILES; i++)
    unlink(s->inputs.at[i].path);
  rmdir(s->folder);
  arena_destroy(s->arena);
  return 0;
}

/* One kernel with the file's name and one verdict. */
static file_report check_or_die(arena *arena, const source *source,
                                const settings *s, const loss *after) {
  const char *name = strrchr(source->path, '/') + 1;
  (void)s;
  if (strncmp(name, "always", 6) == 0 || (*name == 'o' && !after)) {
    signal(SIGABRT, SIG_DFL);
    abort();
  }
  if (*name == 'k' && !after)
    raise(SIGKILL);
  verdict *v = ARENA_NEW(arena, verdict);
  kernel_report *k = ARENA_NEW(arena, kernel_report);
  *v = (verdict){.code = CHECK_101,
                 .kind = after ? VERDICT_UNKNOWN : VERDICT_PROVED,
                 .at = {1, 1, 1, 4},
                 .why = after ? after->why : REASON_NONE,
                 .why_detail = after ? after->how : NULL};
  *k = (kernel_report){.name = name, .verdicts = v, .verdict_count = 1};
  return (file_report){
      .path = source->path, .source = source, .kernels = k, .kernel_count = 1};
}

static const char *outcome(scene *s, size_t jobs) {
  file_report *files = ARENA_ARRAY(s->arena, file_report, FILES);
  report r = {
      .version = "1", .z3_version = "1", .files = files, .file_count = FILES};
  strbuf json = strbuf_make(s->arena);
  workers_run(s->arena, &s->settings, &s->inputs, jobs, check_or_die, files);
  for (size_t i = 0; i < FILES; i++) {
    bool plain = strcmp(NAMES[i], "plain") == 0;
    assert_string_equal(files[i].path, s->inputs.at[i].path);
    assert_int_equal(files[i].kernel_count, plain ? 0 : 1);
    if (!plain && strchr(NAMES[i], '-')) {
      const char *how = *NAMES[i] == 'k' ? "signal 9" : "signal 6";
      const verdict *v = &files[i].kernels[0].verdicts[0];
      assert_int_equal(v->kind, VERDICT_UNKNOWN);
      assert_int_equal(v->why, REASON_RESOURCE);
      assert_int_equal(files[i].finding_count, 1);
      assert_non_null(strstr(files[i].findings[0].message, how));
    }
  }
  assert_int_equal(report_exit_status(&r, false), 0);
  assert_int_equal(report_exit_status(&r, true), 3);
  report_json(&r, &json);
  return json.text;
}

static void deaths_cost_their_file_only(void **state) {
  scene *s = *state;
  const char *alone = outcome(s, 1);
  for (size_t jobs = 2; jobs <= FILES + 1; jobs++)
    assert_string_equal(alone, outcome(s, jobs));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(deaths_cost_their_file_only, set_up,
                                      tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
