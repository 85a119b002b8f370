/* base/npy.c: reads and writes .npy files.
 *
 * A file is a magic string, a version, the length of a header, the header and
 * the elements. The header is a Python dictionary with the keys descr,
 * fortran_order and shape. */
#include "base/npy.h"
#include "base/checked.h"
#include "base/panic.h"
#include "base/strbuf.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const char magic[] = "\x93NUMPY";
enum { MAGIC_BYTES = 6, ALIGNMENT = 64 };

/* ---------------------------------------------------------------- header */

typedef struct header {
  arena *arena;
  const char *text;
  size_t length, at;
  const char *why; /* null: all is well */
  bool has_descr, has_order, has_shape;
  char order; /* of the bytes of an element */
  npy_array *out;
} header;

static bool fail(header *h, const char *expected) {
  if (!h->why)
    h->why = arena_printf(h->arena, "malformed header: %s expected at byte %zu",
                          expected, h->at);
  return false;
}

static void skip_spaces(header *h) {
  while (h->at < h->length && (h->text[h->at] == ' ' || h->text[h->at] == '\n'))
    h->at++;
}

static bool sees(header *h, char c) {
  skip_spaces(h);
  return h->at < h->length && h->text[h->at] == c;
}

static bool take(header *h, char c) {
  bool there = sees(h, c);
  h->at += there;
  return there;
}

static bool take_word(header *h, const char *word) {
  size_t n = strlen(word);
  skip_spaces(h);
  if (h->length - h->at < n || memcmp(h->text + h->at, word, n) != 0)
    return false;
  h->at += n;
  return true;
}

static const char *read_string(header *h) {
  skip_spaces(h);
  char quote = h->at < h->length ? h->text[h->at] : 0;
  if (quote != '\'' && quote != '"')
    return NULL;
  const char *start = h->text + ++h->at;
  while (h->at < h->length && h->text[h->at] != quote)
    h->at++;
  if (h->at == h->length)
    return NULL;
  return arena_strndup(h->arena, start, (size_t)(h->text + h->at++ - start));
}

static bool read_number(header *h, int64_t *out) {
  skip_spaces(h);
  size_t start = h->at;
  *out = 0;
  while (h->at < h->length && h->text[h->at] >= '0' && h->text[h->at] <= '9') {
    if (!mul_ok(*out, 10, out) || !add_ok(*out, h->text[h->at] - '0', out))
      return fail(h, "an extent of 64 bits");
    h->at++;
  }
  return h->at > start || fail(h, "an extent");
}

static bool supported(const npy_array *a) {
  bool power = a->bytes == 1 || a->bytes == 2 || a->bytes == 4 || a->bytes == 8;
  if (a->kind == 'b')
    return a->bytes == 1;
  if (a->kind == 'f')
    return power && a->bytes > 1;
  return power && (a->kind == 'i' || a->kind == 'u' || a->kind == 'V');
}

/* A byte order, a letter and a number of bytes, such as "<f4". */
static bool read_descr(header *h) {
  if (take(h, '['))
    h->why = "arrays of structures are not supported";
  const char *text = h->why ? NULL : read_string(h);
  if (!text)
    return fail(h, "the type of the elements");
  size_t digits = strspn(text, "<>|=") == 1 ? 2 : 1;
  h->order = digits == 2 ? text[0] : '<';
  h->out->kind = text[0] ? text[digits - 1] : 0;
  if (strlen(text) == digits + 1)
    h->out->bytes = (unsigned)(text[digits] - '0');
  if (!supported(h->out))
    h->why = arena_printf(h->arena,
                          "elements of type '%s' are not supported (bool, "
                          "integers and floats of up to 8 bytes are)",
                          text);
  h->has_descr = true;
  return !h->why;
}

static bool read_order(header *h) {
  h->has_order = true;
  if (take_word(h, "True"))
    return h->out->fortran = true;
  return take_word(h, "False") || fail(h, "True or False");
}

static bool read_shape(header *h) {
  npy_array *a = h->out;
  a->rank = 0;
  h->has_shape = true;
  if (!take(h, '('))
    return fail(h, "a tuple");
  while (!take(h, ')')) {
    if (a->rank == NPY_MAX_RANK) {
      h->why = "more than 32 axes";
      return false;
    }
    if (!read_number(h, &a->extent[a->rank++]))
      return false;
    (void)take(h, 'L'); /* as Python 2 wrote long integers */
    if (!take(h, ',') && !sees(h, ')'))
      return fail(h, "a comma");
  }
  return true;
}

static bool read_entry(header *h) {
  const char *key = read_string(h);
  if (!key || !take(h, ':'))
    return fail(h, "a key");
  if (strcmp(key, "descr") == 0)
    return read_descr(h);
  if (strcmp(key, "fortran_order") == 0)
    return read_order(h);
  if (strcmp(key, "shape") == 0)
    return read_shape(h);
  return fail(h, "descr, fortran_order or shape");
}

static bool read_header(header *h) {
  if (!take(h, '{'))
    return fail(h, "a dictionary");
  while (!take(h, '}')) {
    if (!read_entry(h))
      return false;
    if (!take(h, ',') && !sees(h, '}'))
      return fail(h, "a comma");
  }
  skip_spaces(h);
  if (h->at != h->length)
    return fail(h, "the end");
  return (h->has_descr && h->has_order && h->has_shape) ||
         fail(h, "descr, fortran_order and shape");
}

/* -------------------------------------------------------------- elements */

static bool count_elements(npy_array *a) {
  int64_t bytes;
  a->count = 1;
  for (uint32_t d = 0; d < a->rank; d++)
    if (a->extent[d] == 0)
      return a->count = 0, true;
  for (uint32_t d = 0; d < a->rank; d++)
    if (!mul_ok(a->count, a->extent[d], &a->count))
      return false;
  return mul_ok(a->count, a->bytes, &bytes);
}

static const unsigned char *swapped(arena *arena, const npy_array *a,
                                    const unsigned char *data) {
  size_t n = (size_t)a->count * a->bytes;
  unsigned char *out = arena_alloc(arena, n);
  for (size_t i = 0; i < n; i++)
    out[i] = data[i / a->bytes * a->bytes + (a->bytes - 1 - i % a->bytes)];
  return out;
}

static bool attach_data(header *h, const unsigned char *data, size_t length) {
  npy_array *a = h->out;
  if (!count_elements(a)) {
    h->why = "its shape has more elements than any file holds";
    return false;
  }
  size_t need = (size_t)a->count * a->bytes;
  if (length != need) {
    h->why = arena_printf(h->arena,
                          "%zu bytes of elements, where its shape needs %zu",
                          length, need);
    return false;
  }
  a->data = h->order == '>' && a->bytes > 1 ? swapped(h->arena, a, data) : data;
  return true;
}

bool npy_parse(arena *arena, const unsigned char *bytes, size_t length,
               npy_array *out, const char **why) {
  *out = (npy_array){0};
  *why = "not a .npy file";
  if (length < MAGIC_BYTES + 4 || memcmp(bytes, magic, MAGIC_BYTES) != 0)
    return false;
  unsigned version = bytes[MAGIC_BYTES];
  size_t prefix = MAGIC_BYTES + (version == 1 ? 4 : 6), size = 0;
  if (version < 1 || version > 3) {
    *why = arena_printf(arena, "version %u.0 of the format is not supported",
                        version);
    return false;
  }
  for (size_t i = prefix; length >= prefix && i-- > MAGIC_BYTES + 2;)
    size = size << 8 | bytes[i];
  *why = "the header is cut off";
  if (length < prefix || length - prefix < size)
    return false;
  header h = {.arena = arena,
              .text = (const char *)bytes + prefix,
              .length = size,
              .out = out};
  bool good = read_header(&h) &&
              attach_data(&h, bytes + prefix + size, length - prefix - size);
  *why = h.why;
  return good;
}

/* Null, or why not. */
static const char *read_bytes(arena *arena, FILE *file, unsigned char **bytes,
                              size_t *length) {
  struct stat info;
  if (fstat(fileno(file), &info) != 0)
    return arena_strdup(arena, strerror(errno));
  if (!S_ISREG(info.st_mode))
    return "not a regular file";
  *length = (size_t)info.st_size;
  *bytes = arena_alloc(arena, *length + 1);
  errno = 0;
  if (fread(*bytes, 1, *length, file) == *length)
    return NULL;
  return arena_strdup(arena, errno ? strerror(errno) : "cannot be read");
}

bool npy_read(arena *arena, const char *path, npy_array *out,
              const char **why) {
  unsigned char *bytes = NULL;
  size_t length = 0;
  FILE *file = fopen(path, "rb");
  if (!file) {
    *why = arena_strdup(arena, strerror(errno));
    return false;
  }
  *why = read_bytes(arena, file, &bytes, &length);
  fclose(file);
  return !*why && npy_parse(arena, bytes, length, out, why);
}

/* --------------------------------------------------------------- writing */

static const char *header_text(arena *arena, const npy_array *a) {
  strbuf out = strbuf_make(arena);
  strbuf_printf(&out, "{'descr': '%c%c%u', 'fortran_order': %s, 'shape': (",
                a->bytes > 1 ? '<' : '|', a->kind, a->bytes,
                a->fortran ? "True" : "False");
  for (uint32_t d = 0; d < a->rank; d++)
    strbuf_printf(&out, "%s%" PRId64 "%s", d ? " " : "", a->extent[d],
                  d + 1 < a->rank || a->rank == 1 ? "," : "");
  strbuf_put(&out, "), }");
  while ((MAGIC_BYTES + 4 + out.length + 1) % ALIGNMENT != 0)
    strbuf_putc(&out, ' ');
  strbuf_putc(&out, '\n');
  return out.text;
}

bool npy_write(arena *arena, const char *path, const npy_array *array,
               const char **why) {
  const char *text = header_text(arena, array);
  size_t size = strlen(text), bytes = (size_t)array->count * array->bytes;
  assert(size <= UINT16_MAX);
  const unsigned char start[] = {1, 0, size & 0xff, size >> 8};
  errno = 0;
  FILE *file = fopen(path, "wb");
  bool good = file && fwrite(magic, 1, MAGIC_BYTES, file) == MAGIC_BYTES &&
              fwrite(start, 1, sizeof start, file) == sizeof start &&
              fwrite(text, 1, size, file) == size &&
              fwrite(array->data, 1, bytes, file) == bytes;
  if (file && fclose(file) != 0)
    good = false;
  *why = good    ? NULL
         : errno ? arena_strdup(arena, strerror(errno))
                 : "cannot be written";
  return good;
}

uint64_t npy_get(const npy_array *array, int64_t place) {
  const unsigned char *at = array->data + place * array->bytes;
  uint64_t bits = 0;
  for (unsigned i = array->bytes; i-- > 0;)
    bits = bits << 8 | at[i];
  return bits;
}

void npy_put(unsigned char *data, unsigned bytes, int64_t place,
             uint64_t bits) {
  unsigned char *at = data + place * bytes;
  for (unsigned i = 0; i < bytes; i++)
    at[i] = (unsigned char)(bits >> (8 * i));
}
