/* analysis/verdict.h: what is finally said of one property of one access, and
 * the witness that a refutation carries.
 *
 * A verdict is plain data: the report writers and the replayer read it, nobody
 * changes it. Kernel arena. */
#ifndef ANALYSIS_VERDICT_H
#define ANALYSIS_VERDICT_H

#include "base/source.h"
#include "base/vec.h"
#include <stdint.h>

/* CHECK_101, ... as in checks/checks.def. */
typedef enum check_id {
#define CHECK(number, slug, severity, title) CHECK_##number = number,
#include "checks/checks.def"
#undef CHECK
} check_id;

typedef enum verdict_kind {
  VERDICT_PROVED,
  VERDICT_PROVED_IF,
  VERDICT_REFUTED,
  VERDICT_UNKNOWN,
} verdict_kind;

/* Why a verdict is unknown: the closed list of docs/semantics.md. */
#define REASONS(X)                                                             \
  X(NONE, "")                                                                  \
  X(UNSUPPORTED, "unsupported-construct")                                      \
  X(DATA, "data-dependent")                                                    \
  X(NONLINEAR, "nonlinear")                                                    \
  X(LOOP, "imprecise-loop")                                                    \
  X(SYNCHRONISATION, "synchronisation")                                        \
  X(EXTENT, "unknown-extent")                                                  \
  X(CALLEE, "unknown-callee")                                                  \
  X(RESOURCE, "resource-limit")                                                \
  X(DEADLINE, "deadline")                                                      \
  X(REPLAY, "replay-mismatch")

typedef enum reason {
#define REASON_ENUM(id, text) REASON_##id,
  REASONS(REASON_ENUM)
#undef REASON_ENUM
} reason;

typedef struct named_number {
  const char *name;
  int64_t value;
  const char *label; /* what the value of a switch stands for, or null */
} named_number;

typedef struct text_list {
  const char **at;
  size_t count;
} text_list;

/* One launch and one place in it where a fault shows. All numbers are those
 * of the event that the concrete interpreter reported. */
typedef struct witness {
  const named_number *sizes; /* sizes, strides, integers, grid symbols */
  size_t size_count;
  const named_number *constexprs;
  size_t constexpr_count;
  uint32_t program_rank;
  int64_t program[3];
  uint32_t turn_count;
  int64_t turns[8];
  uint32_t lane_count;
  int64_t lane[6];
  const char *event; /* event_kind_name */
  uint32_t inst;     /* instruction of the tile program */
  int64_t offset;    /* of an outside address */
  int64_t value;     /* of a wrap */
  uint32_t other;    /* of a race: instruction of the other access, else 0 */
  int64_t other_program[3]; /* and its program */
  const char *detail;       /* may be null */
  bool replayed;
  const char *tile; /* text of the tile program: replays need nothing else */
} witness;

typedef struct verdict {
  check_id code;
  verdict_kind kind;
  span at;
  const char *kernel;
  const char *buffer;       /* tensor concerned; null if none */
  const char *message;      /* one sentence: "store writes outside `out`" */
  text_list requires;       /* PROVED_IF: conditions in the caller's names */
  text_list asserts;        /* the lines that would discharge them */
  text_list notes;          /* facts behind it, with their lines */
  bool all_blocks;          /* holds for all values of the free constexprs */
  text_list limits;         /* of those that no tile spans: "GROUP_M <= 16" */
  text_list configurations; /* else: what it holds for, "BLOCK = 1024" */
  const char *method;     /* of the proof: "bounds", "certificate", "z3", ... */
  const witness *witness; /* REFUTED */
  reason why;             /* UNKNOWN */
  const char *why_detail; /* a sentence; may be null */
  span why_at;            /* the construct to blame; line 0: `at` itself */
  const char *fix;        /* may be null */
  uint32_t launch_line;   /* 0: no launch here */
  bool suppressed;        /* by an ignore clause */
} verdict;

typedef VEC(verdict) verdict_vec;

/* A remark without a verdict: TC701, TC702. */
typedef struct hint {
  check_id code;
  span at;
  const char *kernel;
  const char *message; /* one sentence */
} hint;
typedef VEC(hint) hint_vec;

const char *verdict_kind_name(verdict_kind kind); /* "proved-if" */
/* One about whether an access is inside its tensor: TC101, TC102, TC104. */
bool verdict_is_bounds(const verdict *v);
const char *reason_name(reason why);

#endif
