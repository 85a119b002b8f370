/* checks/check.h: look-up in the table of checks. */
#ifndef CHECKS_CHECK_H
#define CHECKS_CHECK_H

#include "analysis/verdict.h"

typedef enum severity {
  SEVERITY_ERROR,
  SEVERITY_INPUT,
  SEVERITY_WARNING,
  SEVERITY_NOTE,
  SEVERITY_HINT, /* a remark without a verdict */
} severity;

typedef struct check_info {
  check_id id;
  const char *code; /* "TC101" */
  const char *slug;
  severity severity;
  const char *title;
} check_info;

const check_info *check_table(size_t *count);
/* Null when there is none. */
const check_info *check_by_id(check_id id);
/* By code or slug, any case. */
const check_info *check_by_name(const char *name);

#endif
