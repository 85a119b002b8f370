/* report/phrase.c: see phrase.h. */
#include "report/phrase.h"
#include "base/panic.h"
#include "checks/check.h"

static const char *fault(const verdict *v) {
  if (v->message)
    return v->message;
  const check_info *check = check_by_id(v->code);
  return check ? check->title : "fault";
}

static const char *inside(arena *arena, const char *what, const verdict *v) {
  return v->buffer
             ? arena_printf(arena, "%s stays inside `%s`", what, v->buffer)
             : arena_printf(arena, "%s stays inside its tensor", what);
}

/* That the fault cannot happen. */
static const char *claim(arena *arena, const verdict *v) {
  switch (v->code) {
  case CHECK_101:
    return inside(arena, "load", v);
  case CHECK_102:
    return inside(arena, "store", v);
  case CHECK_103:
    return "the block stays in its shape and the descriptor is well formed";
  case CHECK_104:
    return v->buffer ? arena_printf(arena, "loaded index stays inside `%s`",
                                    v->buffer)
                     : "loaded index stays inside its tensor";
  case CHECK_301:
    return "integer arithmetic stays in its type";
  case CHECK_302:
    return "the divisor is not 0";
  case CHECK_401:
    return v->buffer ? arena_printf(arena,
                                    "no two programs store to one element of "
                                    "`%s`",
                                    v->buffer)
                     : "no two programs store to one element";
  case CHECK_402:
    return v->buffer ? arena_printf(arena,
                                    "no other program writes what is read of "
                                    "`%s`",
                                    v->buffer)
                     : "no other program writes what is read";
  case CHECK_502:
    return v->buffer ? arena_printf(arena, "what is read of `%s` holds a value",
                                    v->buffer)
                     : "what is read holds a value";
  case CHECK_403:
    return "no two lanes of a program meet in one element";
  case CHECK_601:
    return "the kernel allows this launch";
  case CHECK_701:
  case CHECK_702:
  case CHECK_901:
  case CHECK_902:
  case CHECK_903:
  case CHECK_904:
    break;
  }
  panic("TC%d has no verdicts", (int)v->code);
}

static const char *conditional(arena *arena, const verdict *v) {
  strbuf text = strbuf_make(arena);
  strbuf_put(&text, claim(arena, v));
  for (size_t i = 0; i < v->requires.count; i++)
    strbuf_printf(&text, "%s%s", i ? " and " : " if ", v->requires.at[i]);
  return text.text;
}

const char *verdict_sentence(arena *arena, const verdict *v) {
  switch (v->kind) {
  case VERDICT_PROVED:
    return claim(arena, v);
  case VERDICT_PROVED_IF:
    return conditional(arena, v);
  case VERDICT_UNKNOWN:
    return arena_printf(arena, "undecided whether %s",
                        verdict_is_bounds(v) ? claim(arena, v) : fault(v));
  case VERDICT_REFUTED:
    return fault(v);
  }
  panic("no verdict has the number %d", (int)v->kind);
}
