/* checks/checks.c: the rows of checks.def as data. */
#include "base/panic.h"
#include "checks/check.h"

#include <stdbool.h>
#include <stddef.h>

static const check_info table[] = {
#define CHECK(number, slug, severity, title)                                   \
  {CHECK_##number, "TC" #number, slug, SEVERITY_##severity, title},
#include "checks/checks.def"
#undef CHECK
};

enum { ROWS = sizeof table / sizeof table[0] };

const check_info *check_table(size_t *count) {
  *count = ROWS;
  return table;
}

const check_info *check_by_id(check_id id) {
  for (size_t i = 0; i < ROWS; i++)
    if (table[i].id == id)
      return &table[i];
  return NULL;
}

static char lower(char c) {
  return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool same_name(const char *a, const char *b) {
  while (*a && lower(*a) == lower(*b)) {
    a++;
    b++;
  }
  return lower(*a) == lower(*b);
}

const check_info *check_by_name(const char *name) {
  assert(name);
  for (size_t i = 0; i < ROWS; i++)
    if (same_name(name, table[i].code) || same_name(name, table[i].slug))
      return &table[i];
  return NULL;
}
