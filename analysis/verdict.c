/* analysis/verdict.c: names of verdicts and reasons, as reports spell them. */
#include "analysis/verdict.h"
#include "base/panic.h"

const char *verdict_kind_name(verdict_kind kind) {
  switch (kind) {
  case VERDICT_PROVED:
    return "proved";
  case VERDICT_PROVED_IF:
    return "proved-if";
  case VERDICT_REFUTED:
    return "refuted";
  case VERDICT_UNKNOWN:
    return "unknown";
  }
  panic("no verdict has the number %d", (int)kind);
}

const char *reason_name(reason why) {
  switch (why) {
#define REASON_NAME(id, text)                                                  \
  case REASON_##id:                                                            \
    return text;
    REASONS(REASON_NAME)
#undef REASON_NAME
  }
  panic("no reason has the number %d", (int)why);
}

bool verdict_is_bounds(const verdict *v) {
  return v->code == CHECK_101 || v->code == CHECK_102 || v->code == CHECK_104;
}
