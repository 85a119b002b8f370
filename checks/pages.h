/* checks/pages.h: the pages of docs/checks/, embedded in the program.
 *
 * The build generates the definitions (cmake/embed_pages.cmake), sorted by
 * code. Only the first check_page_count entries are pages. */
#ifndef CHECKS_PAGES_H
#define CHECKS_PAGES_H

#include <stddef.h>

extern const struct check_page {
  const char *code; /* "TC101" */
  const char *text; /* Markdown */
} check_pages[];
extern const size_t check_page_count;

#endif
