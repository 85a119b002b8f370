/* tests/unit/test_base.c: arenas, text buffers, sources, maps, arithmetic. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/checked.h"
#include "base/map.h"
#include "base/panic.h"
#include "base/source.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "checks/pages.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int set_up(void **state) {
  *state = arena_create();
  return 0;
}

static int tear_down(void **state) {
  arena_destroy(*state);
  return 0;
}

/* --- arena --- */

static void arena_gives_zeroed_aligned_memory(void **state) {
  for (size_t size = 0; size < 300; size++) {
    unsigned char *item = arena_alloc(*state, size);
    assert_int_equal((uintptr_t)item % _Alignof(max_align_t), 0);
    for (size_t i = 0; i < size; i++)
      assert_int_equal(item[i], 0);
    memset(item, 0xff, size);
  }
}

static void arena_items_are_apart(void **state) {
  enum { COUNT = 2000 };
  unsigned char *items[COUNT];
  for (size_t i = 0; i < COUNT; i++) {
    items[i] = arena_alloc(*state, i % 97 + 1);
    memset(items[i], (int)(i & 0xff), i % 97 + 1);
  }
  for (size_t i = 0; i < COUNT; i++)
    for (size_t k = 0; k < i % 97 + 1; k++)
      assert_int_equal(items[i][k], i & 0xff);
}

static void arena_gives_large_items(void **state) {
  size_t size = (size_t)5 << 20;
  char *large = arena_alloc(*state, size);
  large[0] = large[size - 1] = 'x';
  char *small = arena_alloc(*state, 1);
  *small = 'y';
  assert_int_equal(large[size - 1], 'x');
}

static void arena_rewind_zeroes_again(void **state) {
  int *kept = ARENA_NEW(*state, int);
  *kept = 7;
  arena_mark mark = arena_save(*state);
  char *first = arena_alloc(*state, 64);
  memset(first, 0xff, 64);
  for (int i = 0; i < 100; i++) /* over several blocks */
    memset(arena_alloc(*state, 10000), 0xff, 10000);
  arena_rewind(*state, mark);
  char *again = arena_alloc(*state, 64);
  assert_ptr_equal(first, again);
  for (int i = 0; i < 64; i++)
    assert_int_equal(again[i], 0);
  assert_int_equal(*kept, 7);
}

static void arena_rewinds_to_empty_and_nested(void **state) {
  arena_mark empty = arena_save(*state);
  arena_alloc(*state, 10);
  arena_mark inner = arena_save(*state);
  arena_alloc(*state, 1 << 20);
  arena_rewind(*state, inner);
  arena_rewind(*state, inner);
  arena_rewind(*state, empty);
  arena_rewind(*state, empty);
  assert_string_equal(arena_strdup(*state, "usable"), "usable");
}

static void arena_copies_text(void **state) {
  char text[] = "tile";
  char *copy = arena_strdup(*state, text);
  text[0] = 'p';
  assert_string_equal(copy, "tile");
  assert_string_equal(arena_strndup(*state, "tilecheck", 4), "tile");
  assert_string_equal(arena_strndup(*state, "", 0), "");
  assert_string_equal(arena_printf(*state, "%s-%d", "a", 12), "a-12");
  int numbers[] = {1, 2, 3};
  int *same = arena_copy(*state, numbers, sizeof numbers);
  assert_memory_equal(same, numbers, sizeof numbers);
  arena_copy(*state, NULL, 0);
}

static void arena_prints_long_text(void **state) {
  char *line = arena_printf(*state, "%0*d", 100000, 5);
  assert_int_equal(strlen(line), 100000);
  assert_int_equal(line[99999], '5');
}

static void arena_destroy_allows_null(void **state) {
  (void)state;
  arena_destroy(NULL);
}

/* --- vec, checked --- */

static void vec_grows_and_pops(void **state) {
  VEC(int) v = {0};
  for (int i = 0; i < 1000; i++)
    VEC_PUSH(*state, &v, i);
  assert_int_equal(v.count, 1000);
  for (int i = 0; i < 1000; i++)
    assert_int_equal(v.at[i], i);
  assert_int_equal(VEC_POP(&v), 999);
  assert_int_equal(v.count, 999);
}

static void checked_sees_overflow(void **state) {
  (void)state;
  int64_t out = 0;
  assert_true(add_ok(INT64_MAX - 1, 1, &out));
  assert_true(out == INT64_MAX);
  assert_false(add_ok(INT64_MAX, 1, &out));
  assert_false(sub_ok(INT64_MIN, 1, &out));
  assert_false(mul_ok(INT64_MIN, -1, &out));
  assert_true(mul_ok(INT64_C(3037000499), INT64_C(3037000499), &out));
}

static void checked_divides_as_python(void **state) {
  (void)state;
  for (int64_t a = -20; a <= 20; a++)
    for (int64_t b = -7; b <= 7; b++) {
      if (b == 0)
        continue;
      int64_t q = floor_div(a, b), r = floor_mod(a, b);
      assert_int_equal(q * b + r, a);
      assert_true(r == 0 || (r < 0) == (b < 0));
      assert_true((r < 0 ? -r : r) < (b < 0 ? -b : b));
    }
}

static void checked_rounds_to_powers_of_two(void **state) {
  (void)state;
  int64_t cases[][2] = {{0, 0}, {1, 1}, {2, 2}, {3, 4}, {-5, 1}, {1000, 1024}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_int_equal(next_pow2(cases[i][0]), cases[i][1]);
  assert_true(next_pow2(INT64_C(1) << 62) == INT64_C(1) << 62);
}

/* --- strbuf --- */

static void strbuf_builds_text(void **state) {
  strbuf text = strbuf_make(*state);
  assert_string_equal(text.text, "");
  strbuf_put(&text, "load");
  strbuf_putc(&text, '(');
  strbuf_printf(&text, "%d, %s", 128, "mask");
  strbuf_put_n(&text, ")))", 1);
  strbuf_put_n(&text, NULL, 0);
  assert_string_equal(text.text, "load(128, mask)");
  assert_int_equal(text.length, 15);
}

static void strbuf_grows(void **state) {
  strbuf text = strbuf_make(*state);
  for (int i = 0; i < 10000; i++)
    strbuf_printf(&text, "%04d", i);
  assert_int_equal(text.length, 40000);
  assert_int_equal(strlen(text.text), 40000);
  assert_memory_equal(text.text + 4 * 1234, "1234", 4);
  strbuf_put(&text, text.text);
  assert_int_equal(text.length, 80000);
  assert_memory_equal(text.text, text.text + 40000, 40000);
}

/* --- source --- */

static const char *line_text(arena *arena, const source *self, uint32_t n) {
  size_t length = 99;
  const char *line = source_line(self, n, &length);
  return arena_strndup(arena, line, length);
}

static void source_finds_lines(void **state) {
  const char text[] = "a = 1\r\n\n  b\nlast";
  source *s = source_from_text(*state, "k.py", text, strlen(text));
  assert_string_equal(s->path, "k.py");
  assert_int_equal(s->line_count, 4);
  assert_string_equal(line_text(*state, s, 1), "a = 1");
  assert_string_equal(line_text(*state, s, 2), "");
  assert_string_equal(line_text(*state, s, 3), "  b");
  assert_string_equal(line_text(*state, s, 4), "last");
  assert_string_equal(line_text(*state, s, 0), "");
  assert_string_equal(line_text(*state, s, 5), "");
  assert_string_equal(line_text(*state, s, UINT32_MAX), "");
}

static void source_counts_no_line_after_last_newline(void **state) {
  assert_int_equal(source_from_text(*state, "", "", 0)->line_count, 0);
  assert_int_equal(source_from_text(*state, "", "a", 1)->line_count, 1);
  assert_int_equal(source_from_text(*state, "", "a\n", 2)->line_count, 1);
  assert_int_equal(source_from_text(*state, "", "\n\n", 2)->line_count, 2);
}

static void source_slices_spans(void **state) {
  const char text[] = "one two\nthree\n";
  source *s = source_from_text(*state, "", text, strlen(text));
  struct {
    span where;
    const char *text;
  } cases[] = {
      {{1, 5, 1, 8}, "two"},
      {{1, 5, 2, 6}, "two\nthree"},
      {{2, 1, 3, 1}, "three\n"},
      {{0, 0, 0, 0}, ""},
      {{2, 3, 2, 3}, ""},
      {{2, 3, 1, 1}, ""},
      {{9, 1, 9, 9}, ""},
      {{1, 1, 9, 9}, text},
      {{2, 1, 2, 4000000000}, "three\n"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_string_equal(source_slice(s, *state, cases[i].where), cases[i].text);
}

/* Writes a file for one test, in the folder that the caller removes. */
static const char *write_file(arena *arena, const char *folder,
                              const char *text, size_t length) {
  const char *path = arena_printf(arena, "%s/k.py", folder);
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(text, 1, length, file), length);
  fclose(file);
  return path;
}

static const char *make_folder(arena *arena) {
  char *folder = arena_strdup(arena, "/tmp/tilecheck-test-XXXXXX");
  assert_non_null(mkdtemp(folder));
  return folder;
}

static void source_reads_bytes_as_they_are(void **state) {
  const char *folder = make_folder(*state);
  const char *path = write_file(*state, folder, "a\0b\n\xff", 5);
  const char *why = NULL;
  source *s = source_read(*state, path, &why);
  assert_non_null(s);
  assert_string_equal(s->path, path);
  assert_int_equal(s->length, 5);
  assert_memory_equal(s->text, "a\0b\n\xff", 6);
  assert_int_equal(s->line_count, 2);
  unlink(path);
  rmdir(folder);
}

static void source_reads_large_files(void **state) {
  enum { LENGTH = 300000 };
  char *text = arena_alloc(*state, LENGTH);
  memset(text, '\n', LENGTH);
  const char *folder = make_folder(*state);
  const char *path = write_file(*state, folder, text, LENGTH);
  const char *why = NULL;
  source *s = source_read(*state, path, &why);
  assert_non_null(s);
  assert_int_equal(s->length, LENGTH);
  assert_int_equal(s->line_count, LENGTH);

  assert_int_equal(truncate(path, (off_t)64 << 20), 0);
  assert_non_null(source_read(*state, path, &why));
  assert_int_equal(truncate(path, ((off_t)64 << 20) + 1), 0);
  assert_null(source_read(*state, path, &why));
  assert_string_equal(why, "larger than 64 MiB");
  unlink(path);
  rmdir(folder);
}

static void source_says_why_it_cannot_read(void **state) {
  const char *folder = make_folder(*state), *why = NULL;
  assert_null(source_read(*state, folder, &why));
  assert_string_equal(why, "is a directory");
  const char *none = arena_printf(*state, "%s/none", folder);
  assert_null(source_read(*state, none, &why));
  assert_string_equal(why, "No such file or directory");
  assert_null(source_read(*state, "", &why));
  assert_string_equal(why, "No such file or directory");
  if (geteuid() != 0) {
    const char *path = write_file(*state, folder, "x", 1);
    chmod(path, 0);
    assert_null(source_read(*state, path, &why));
    assert_string_equal(why, "Permission denied");
    unlink(path);
  }
  rmdir(folder);
}

/* --- map, intern --- */

static void map_keeps_all_keys(void **state) {
  map *m = map_create(*state);
  uint64_t value = 42;
  assert_false(map_get(m, 0, &value));
  assert_int_equal(value, 42);
  enum { COUNT = 20000 };
  for (uint64_t i = 0; i < COUNT; i++)
    map_put(m, i << 32, i + 1);
  assert_int_equal(map_count(m), COUNT);
  for (uint64_t i = 0; i < COUNT; i++) {
    assert_true(map_get(m, i << 32, &value));
    assert_int_equal(value, i + 1);
    assert_false(map_get(m, (i << 32) + 1, &value));
  }
}

static void map_put_replaces(void **state) {
  map *m = map_create(*state);
  map_put(m, UINT64_MAX, 1);
  map_put(m, UINT64_MAX, 2);
  uint64_t value = 0;
  assert_true(map_get(m, UINT64_MAX, &value));
  assert_int_equal(value, 2);
  assert_int_equal(map_count(m), 1);
}

static void intern_gives_dense_ids(void **state) {
  intern *names = intern_create(*state);
  assert_string_equal(intern_text(names, 0), "");
  char text[] = "BLOCK";
  assert_int_equal(intern_id(names, text), 1);
  assert_int_equal(intern_id(names, "mask"), 2);
  text[0] = 'C';
  assert_int_equal(intern_id(names, "BLOCK"), 1);
  assert_int_equal(intern_id_n(names, "mask_a", 4), 2);
  assert_string_equal(intern_text(names, 1), "BLOCK");
  uint32_t empty = intern_id(names, "");
  assert_int_equal(empty, 3);
  assert_int_equal(intern_id_n(names, NULL, 0), 3);
}

static void intern_keeps_many_names(void **state) {
  intern *names = intern_create(*state);
  for (uint32_t i = 1; i <= 5000; i++)
    assert_int_equal(intern_id(names, arena_printf(*state, "v%u", i)), i);
  for (uint32_t i = 1; i <= 5000; i++)
    assert_string_equal(intern_text(names, i), arena_printf(*state, "v%u", i));
}

static void hash_depends_on_all_bytes(void **state) {
  (void)state;
  assert_true(hash_bytes("a", 1) != hash_bytes("a\0", 2));
  assert_true(hash_bytes("12345678x", 9) != hash_bytes("12345678y", 9));
  assert_true(hash_bytes("abc", 3) == hash_bytes("abcd", 3));
  assert_true(hash_mix(1, 2) != hash_mix(2, 1));
}

/* --- panic, pages --- */

static void panic_speaks_and_aborts(void **state) {
  (void)state;
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  fflush(NULL);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    signal(SIGABRT, SIG_DFL);
    dup2(ends[1], STDERR_FILENO);
    panic("no rule for %s", "dot");
  }
  close(ends[1]);
  char said[200] = {0};
  size_t length = 0;
  ssize_t n = 0;
  while ((n = read(ends[0], said + length, sizeof said - 1 - length)) > 0)
    length += (size_t)n;
  close(ends[0]);
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
  assert_string_equal(said, "tilecheck: internal error: no rule for dot\n");
}

static void pages_are_sorted_text(void **state) {
  (void)state;
  for (size_t i = 0; i < check_page_count; i++) {
    assert_int_equal(strncmp(check_pages[i].code, "TC", 2), 0);
    assert_true(strlen(check_pages[i].text) > 0);
    if (i > 0)
      assert_true(strcmp(check_pages[i - 1].code, check_pages[i].code) < 0);
  }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(arena_gives_zeroed_aligned_memory),
      TEST(arena_items_are_apart),
      TEST(arena_gives_large_items),
      TEST(arena_rewind_zeroes_again),
      TEST(arena_rewinds_to_empty_and_nested),
      TEST(arena_copies_text),
      TEST(arena_prints_long_text),
      TEST(arena_destroy_allows_null),
      TEST(vec_grows_and_pops),
      TEST(checked_sees_overflow),
      TEST(checked_divides_as_python),
      TEST(checked_rounds_to_powers_of_two),
      TEST(strbuf_builds_text),
      TEST(strbuf_grows),
      TEST(source_finds_lines),
      TEST(source_counts_no_line_after_last_newline),
      TEST(source_slices_spans),
      TEST(source_reads_bytes_as_they_are),
      TEST(source_reads_large_files),
      TEST(source_says_why_it_cannot_read),
      TEST(map_keeps_all_keys),
      TEST(map_put_replaces),
      TEST(intern_gives_dense_ids),
      TEST(intern_keeps_many_names),
      TEST(hash_depends_on_all_bytes),
      TEST(panic_speaks_and_aborts),
      TEST(pages_are_sorted_text),
  };
  return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
