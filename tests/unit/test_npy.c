/* tests/unit/test_npy.c: reading and writing .npy files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/npy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 512 };

static int set_up(void **state) {
  *state = arena_create();
  return 0;
}

static int tear_down(void **state) {
  arena_destroy(*state);
  return 0;
}

/* A file of this version with this header and these bytes of elements. */
static size_t make(unsigned char *out, unsigned version, const char *header,
                   const void *data, size_t bytes) {
  size_t length = strlen(header), at = 8;
  memcpy(out, "\x93NUMPY", 6);
  out[6] = (unsigned char)version;
  out[7] = 0;
  for (size_t i = 0; i < (version == 1 ? 2u : 4u); i++)
    out[at++] = (unsigned char)(length >> (8 * i));
  memcpy(out + at, header, length);
  if (bytes)
    memcpy(out + at + length, data, bytes);
  return at + length + bytes;
}

static const char *trouble_of(arena *a, unsigned version, const char *header,
                              size_t bytes) {
  static const unsigned char zeros[64];
  unsigned char file[MOST];
  npy_array array;
  const char *why = NULL;
  size_t length = make(file, version, header, zeros, bytes);
  return npy_parse(a, file, length, &array, &why) ? "" : why;
}

static void versions_and_orders(void **state) {
  const unsigned char data[] = {1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 1};
  static const char header[] =
      "{'descr': '<i2', 'fortran_order': True, 'shape': (2, 3), }  \n";
  for (unsigned version = 1; version <= 3; version++) {
    unsigned char file[MOST];
    npy_array a;
    const char *why;
    size_t length = make(file, version, header, data, sizeof data);
    assert_true(npy_parse(*state, file, length, &a, &why));
    assert_int_equal(a.kind, 'i');
    assert_int_equal(a.bytes, 2);
    assert_true(a.fortran);
    assert_int_equal(a.rank, 2);
    assert_int_equal(a.extent[0], 2);
    assert_int_equal(a.extent[1], 3);
    assert_int_equal(a.count, 6);
    assert_int_equal(npy_get(&a, 0), 1);
    assert_int_equal(npy_get(&a, 5), 0x106);
  }
}

static void big_endian_is_swapped(void **state) {
  const unsigned char data[] = {0, 0, 0, 7, 1, 2, 3, 4};
  unsigned char file[MOST];
  npy_array a;
  const char *why;
  size_t length = make(file, 1,
                       "{\"shape\": (2,), \"descr\": \">u4\", "
                       "\"fortran_order\": False}",
                       data, sizeof data);
  assert_true(npy_parse(*state, file, length, &a, &why));
  assert_int_equal(npy_get(&a, 0), 7);
  assert_int_equal(npy_get(&a, 1), 0x01020304);
}

static void scalars_and_empty_arrays(void **state) {
  assert_string_equal(
      trouble_of(*state, 1,
                 "{'descr': '<f8', 'fortran_order': False, 'shape': ()}", 8),
      "");
  assert_string_equal(trouble_of(*state, 1,
                                 "{'descr': '|b1', 'fortran_order': False, "
                                 "'shape': (3, 0, 9223372036854775807)}",
                                 0),
                      "");
  assert_string_equal(
      trouble_of(*state, 1,
                 "{'descr': '<V2', 'fortran_order': False, 'shape': (2L,)}", 4),
      "");
}

static void bad_files_are_told(void **state) {
  static const struct {
    unsigned version;
    const char *header;
    size_t bytes;
    const char *why;
  } rows[] = {
      {4, "{}", 0, "version 4.0 of the format is not supported"},
      {1, "", 0, "malformed header: a dictionary expected at byte 0"},
      {1, "{}", 0,
       "malformed header: descr, fortran_order and shape expected at byte 2"},
      {1, "{'descr': '<f4', 'fortran_order': Maybe", 0,
       "malformed header: True or False expected at byte 34"},
      {1, "{'descr': '<f4' 'shape': ()}", 0,
       "malformed header: a comma expected at byte 16"},
      {1, "{'shape': (1 2)}", 0,
       "malformed header: a comma expected at byte 13"},
      {1, "{'shape': (-1,)}", 0,
       "malformed header: an extent expected at byte 11"},
      {1, "{'shape': (9223372036854775808,)}", 0,
       "malformed header: an extent of 64 bits expected at byte 29"},
      {1, "{'other': 1}", 0,
       "malformed header: descr, fortran_order or shape expected at byte 9"},
      {1, "{'descr': [('a', '<f4')]}", 0,
       "arrays of structures are not supported"},
      {1, "{'descr': '<c8', 'fortran_order': False, 'shape': ()}", 8,
       "elements of type '<c8' are not supported (bool, integers and floats of "
       "up to 8 bytes are)"},
      {1, "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}", 7,
       "7 bytes of elements, where its shape needs 8"},
      {1, "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}", 9,
       "9 bytes of elements, where its shape needs 8"},
      {1,
       "{'descr': '<f4', 'fortran_order': False, "
       "'shape': (4294967296, 4294967296)}",
       0, "its shape has more elements than any file holds"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    assert_string_equal(
        trouble_of(*state, rows[i].version, rows[i].header, rows[i].bytes),
        rows[i].why);
}

static void every_cut_is_refused(void **state) {
  unsigned char file[MOST];
  const unsigned char data[8] = {0};
  size_t length =
      make(file, 1, "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}",
           data, sizeof data);
  npy_array a;
  const char *why;
  for (size_t cut = 0; cut < length; cut++)
    assert_false(npy_parse(*state, file, cut, &a, &why));
  assert_true(npy_parse(*state, file, length, &a, &why));
}

static void what_is_written_reads_back(void **state) {
  char path[] = "/tmp/test_npy_XXXXXX";
  unsigned char data[24];
  const char *why;
  npy_array a = {.kind = 'f', .bytes = 4, .rank = 3, .count = 6, .data = data},
            b;
  int file = mkstemp(path);
  assert_true(file >= 0);
  close(file);
  a.extent[0] = 1;
  a.extent[1] = 2;
  a.extent[2] = 3;
  for (int64_t i = 0; i < 6; i++)
    npy_put(data, 4, i, (uint64_t)i * 0x01010101u);
  assert_true(npy_write(*state, path, &a, &why));
  assert_true(npy_read(*state, path, &b, &why));
  assert_int_equal(b.kind, 'f');
  assert_int_equal(b.rank, 3);
  assert_int_equal(b.extent[2], 3);
  assert_memory_equal(b.data, data, sizeof data);
  remove(path);
  assert_false(npy_read(*state, path, &b, &why));
  assert_string_equal(why, "No such file or directory");
  assert_false(npy_read(*state, "/", &b, &why));
  assert_string_equal(why, "not a regular file");
  assert_false(npy_write(*state, "/nowhere/x.npy", &a, &why));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(versions_and_orders, set_up, tear_down),
      cmocka_unit_test_setup_teardown(big_endian_is_swapped, set_up, tear_down),
      cmocka_unit_test_setup_teardown(scalars_and_empty_arrays, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(bad_files_are_told, set_up, tear_down),
      cmocka_unit_test_setup_teardown(every_cut_is_refused, set_up, tear_down),
      cmocka_unit_test_setup_teardown(what_is_written_reads_back, set_up,
                                      tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
