/* parser/syntax.h: a read-only view of the Python syntax tree.
 *
 * parser/syntax.c is the only file that includes tree_sitter/api.h. Nodes are
 * plain values; node.id == null is "no node". Node kinds are those of the
 * tree-sitter Python grammar, as interned constants of enum syn. */
#ifndef PARSER_SYNTAX_H
#define PARSER_SYNTAX_H

#include "base/source.h"
#include "base/strbuf.h"
#include <stdbool.h>

typedef struct syntax syntax; /* a parsed file; run arena plus a tree that
                                 syntax_destroy releases */

typedef struct node {
  uint32_t context[4];
  const void *id;
  const void *tree;
} node;

/* Kinds that the parser looks at, from parser/syntax.def; every other kind is
 * SYN_OTHER. */
typedef enum syn {
  SYN_OTHER,
#define KIND(kind) SYN_##kind,
#include "parser/syntax.def"
#undef KIND
  SYN_COUNT
} syn;

/* Parses Python. Never null. Call syntax_destroy when done. */
syntax *syntax_parse(arena *arena, const source *source);
void syntax_destroy(syntax *self);

node syntax_root(const syntax *self);
const source *syntax_source(const syntax *self);
bool node_is(node n); /* not "no node" */
bool node_same(node a, node b);
syn syntax_kind(const syntax *self, node n);
const char *syntax_kind_text(node n); /* the grammar's own name */
span node_span(const syntax *self, node n);
/* The node's text, copied to the arena given. */
char *node_text(const syntax *self, node n, arena *arena);
bool node_text_is(const syntax *self, node n, const char *text);
/* Named children; comments are left out (use node_any_child to see them). */
uint32_t node_count(node n);
node node_child(node n, uint32_t index); /* no node past the end */
/* All children, tokens and comments included. */
uint32_t node_any_count(node n);
node node_any_child(node n, uint32_t index);
node node_field(node n, const char *field); /* no node if absent */
/* The index-th child in a field that repeats ("operators", "alternative"). */
node node_field_at(node n, const char *field, uint32_t index);
node node_parent(node n);
node node_next(node n); /* the next named sibling; no node after the last */
/* The node after n in text order among the named ones below root (what is
 * below n left out unless `down`); no node at the end. Walks whole files
 * without recursion: for (n = root; node_is(n); n = node_walk(root, n, true))
 */
node node_walk(node root, node n, bool down);
/* Levels below n: 0 for a leaf. Recursive readers refuse what is higher than
 * SYNTAX_HEIGHT_LIMIT, so that their own depth is bounded. */
uint32_t node_height(node n);
enum { SYNTAX_HEIGHT_LIMIT = 400 };
/* Byte offsets in the source: [start, end). */
uint32_t node_start(node n);
uint32_t node_end(node n);
/* Operator token of unary, binary, boolean, augmented operators ("+", "//",
 * "and", "+=", ...), interned or copied. For comparisons use
 * node_compare_operator(n, i): the operator between operand i and i + 1
 * ("<", "is", "is not", "not in", ...). */
const char *node_operator(const syntax *self, node n, arena *arena);
const char *node_compare_operator(const syntax *self, node n, uint32_t i,
                                  arena *arena);
bool node_has_error(node n);
/* Spans of the error and missing nodes, at most cap. */
size_t syntax_errors(const syntax *self, span *out, size_t cap);
/* Comments in text order with their spans; text without the newline. */
typedef struct comment {
  span at;
  const char *text; /* from the '#' on */
  bool alone;       /* nothing but blanks before it on its line */
} comment;
size_t syntax_comments(const syntax *self, const comment **out);

void syntax_dump(const syntax *self, strbuf *out);

#endif
