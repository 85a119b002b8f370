/* parser/parser.h: from Python text to tile programs.
 *
 * source -> syntax tree -> kernels, contract comments and launches -> one tile
 * program for each kernel under each launch (a kernel that nobody launches
 * here gets one with symbols for its grid and unknown tensors). Booleans and
 * other switches that the launch does not fix are split: one program for each
 * value. */
#ifndef PARSER_PARSER_H
#define PARSER_PARSER_H

#include "ir/tile.h"
#include "parser/functions.h"

/* A trouble with the input, or a construct that is not understood. */
typedef enum notice_kind {
  NOTICE_SYNTAX,      /* TC901 */
  NOTICE_CONTRACT,    /* TC902 */
  NOTICE_UNUSED,      /* TC903: a clause or suppression that matches nothing */
  NOTICE_UNSUPPORTED, /* TC904 */
} notice_kind;

typedef struct notice {
  notice_kind kind;
  span at;
  const char *message; /* one sentence, no final full stop */
  const char *effect;  /* UNSUPPORTED: what it takes with it; may be null */
  const char *kernel;  /* name of the function it concerns; may be null */
  bool incomplete;     /* launches of that kernel are left out: nothing of it is
                          proved */
} notice;

/* `ignore TC101, TC102 -- reason`. */
typedef struct suppression {
  const char *code; /* "TC101" */
  const char *reason;
  uint32_t line;     /* line it covers; 0: the whole function */
  uint32_t from, to; /* lines of the function (0, 0: the whole file) */
  span at;
} suppression;

typedef struct parse_options {
  int64_t max_numel; /* 0: the default 2^31 - 2^20 */
  /* --set NAME=INT: pins a symbol or a constexpr of that name. */
  const char *const *set_names;
  const int64_t *set_values;
  size_t set_count;
  /* --assume EXPR, in the grammar of contract conditions. */
  const char *const *assumptions;
  size_t assumption_count;
  const char *kernel; /* only this kernel; null: all */
  bool functions;     /* read all host functions, not only launches */
  /* One program for all values of the switches of a launch that has many. */
  bool join_switches;
  /* Element types of tensors whose type nothing in the file states; the name
   * "" stands for all of them. */
  const char *const *dtype_names;
  const scalar *dtypes;
  size_t dtype_count;
} parse_options;

/* A load, store or atomic in a kernel's own text. */
typedef struct source_access {
  span at;
  bool load;
} source_access;

typedef struct kernel_unit {
  const char *name;
  span at; /* of the def line */
  uint32_t end_line;
  bool helper; /* called by another kernel and never launched here */
  VEC(uint32_t) launch_lines;
  VEC(tile_program *)
  programs;               /* at least one unless it could not be lowered */
  const char *incomplete; /* why launches are left out; null when none are */
  VEC(source_access) accesses; /* in text order */
  uint32_t access_count;       /* memory operations in the source text */
} kernel_unit;

typedef struct parsed_file {
  const source *source;
  VEC(kernel_unit) kernels;
  host_unit_vec functions; /* of options.functions, in text order */
  VEC(notice) notices;
  VEC(suppression) suppressions;
} parsed_file;

/* Never null; never fails: what cannot be read becomes notices. */
parsed_file *parse_file(arena *arena, const source *source,
                        parse_options options);
/* S-expressions of the syntax tree, for `dump --stage=syntax`. */
void parse_dump_syntax(const source *source, arena *arena, strbuf *out);

#endif
