/* parser/syntax.c: tree-sitter's tree, copied once into flat arrays.
 *
 * The copy makes parents, the i-th child and heights cost O(1), which
 * tree-sitter's own nodes do not, and lets its tree be freed at once. A
 * node's id points to its row; children of a row are neighbours. Everything
 * here is iterative: nesting is limited by memory only. */
#include "parser/syntax.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <tree_sitter/api.h>

#include "base/panic.h"

const TSLanguage *tree_sitter_python(void);

enum { DUMP_INDENT_LIMIT = 60, TEXT_LIMIT_IN_DUMP = 60 };

typedef struct row {
  uint32_t start, end;  /* byte offsets */
  uint32_t parent;      /* index; its own index at the root */
  uint32_t first;       /* index of the first child */
  uint32_t count;       /* children, tokens and comments included */
  uint32_t named_first; /* into named[] */
  uint32_t named_count;
  uint32_t height;
  TSSymbol symbol;
  TSFieldId field; /* in the parent; 0: none */
  uint8_t kind;    /* enum syn */
  bool named, missing, has_error;
} row;

struct syntax {
  const source *source;
  row *rows; /* malloc */
  uint32_t row_count, row_room;
  uint32_t *named; /* malloc; indices of named children */
  comment *comments;
  size_t comment_count;
};

static void *grow(void *at, size_t count, size_t size) {
  void *fresh = realloc(at, count * size);
  if (!fresh)
    panic("out of memory");
  return fresh;
}

/* ------------------------------------------------------------- building */

static syn kind_from_name(const char *name) {
  static const char *const names[SYN_COUNT] = {
#define KIND(kind) [SYN_##kind] = #kind,
#include "parser/syntax.def"
#undef KIND
  };
  for (int i = SYN_OTHER + 1; i < SYN_COUNT; i++)
    if (strcmp(names[i], name) == 0)
      return (syn)i;
  return SYN_OTHER;
}

/* enum syn of each symbol of the grammar. */
static uint8_t *kinds_create(const TSLanguage *language, uint32_t *count) {
  *count = ts_language_symbol_count(language);
  uint8_t *kinds = grow(NULL, *count + 1, 1);
  for (uint32_t i = 0; i < *count; i++) {
    bool regular =
        ts_language_symbol_type(language, (TSSymbol)i) == TSSymbolTypeRegular;
    const char *name = ts_language_symbol_name(language, (TSSymbol)i);
    kinds[i] = (uint8_t)(regular && name ? kind_from_name(name) : SYN_OTHER);
  }
  return kinds;
}

typedef struct builder {
  syntax *self;
  TSNode *nodes; /* parallel to the rows */
  uint8_t *kinds;
  uint32_t kind_count;
} builder;

static void add_row(builder *b, TSNode n, uint32_t parent, TSFieldId field) {
  syntax *self = b->self;
  if (self->row_count == self->row_room) {
    self->row_room = self->row_room ? self->row_room * 2 : 256;
    self->rows = grow(self->rows, self->row_room, sizeof *self->rows);
    b->nodes = grow(b->nodes, self->row_room, sizeof *b->nodes);
  }
  TSSymbol symbol = ts_node_symbol(n);
  bool error = ts_node_is_error(n);
  uint32_t length = (uint32_t)self->source->length;
  uint32_t start = ts_node_start_byte(n), end = ts_node_end_byte(n);
  if (end > length)
    end = length;
  if (start > end)
    start = end;
  self->rows[self->row_count] = (row){
      .start = start,
      .end = end,
      .parent = parent,
      .symbol = symbol,
      .field = field,
      .kind = error ? SYN_ERROR
                    : (symbol < b->kind_count ? b->kinds[symbol] : SYN_OTHER),
      .named = ts_node_is_named(n),
      .missing = ts_node_is_missing(n),
      .has_error = ts_node_has_error(n),
  };
  b->nodes[self->row_count++] = n;
}

/* Breadth first, so that the children of a row are neighbours. */
static void copy_tree(builder *b, const TSTree *tree) {
  syntax *self = b->self;
  TSNode root = ts_tree_root_node(tree);
  add_row(b, root, 0, 0);
  TSTreeCursor cursor = ts_tree_cursor_new(root);
  for (uint32_t i = 0; i < self->row_count; i++) {
    self->rows[i].first = self->row_count;
    if (ts_node_child_count(b->nodes[i]) == 0)
      continue;
    ts_tree_cursor_reset(&cursor, b->nodes[i]);
    bool more = ts_tree_cursor_goto_first_child(&cursor);
    while (more) {
      add_row(b, ts_tree_cursor_current_node(&cursor), i,
              ts_tree_cursor_current_field_id(&cursor));
      more = ts_tree_cursor_goto_next_sibling(&cursor);
    }
    self->rows[i].count = self->row_count - self->rows[i].first;
  }
  ts_tree_cursor_delete(&cursor);
}

static bool is_trivia(const row *r) {
  return r->kind == SYN_comment ||
         (r->named && r->kind == SYN_OTHER &&
          strcmp(ts_language_symbol_name(tree_sitter_python(), r->symbol),
                 "line_continuation") == 0);
}

static void index_children(syntax *self) {
  self->named = grow(NULL, self->row_count, sizeof *self->named);
  uint32_t used = 0;
  for (uint32_t i = 0; i < self->row_count; i++) {
    row *r = &self->rows[i];
    r->named_first = used;
    for (uint32_t c = r->first; c < r->first + r->count; c++)
      if (self->rows[c].named && !is_trivia(&self->rows[c]))
        self->named[used++] = c;
    r->named_count = used - r->named_first;
  }
  assert(used <= self->row_count);
  for (uint32_t i = self->row_count; i-- > 1;) {
    row *parent = &self->rows[self->rows[i].parent];
    if (parent->height < self->rows[i].height + 1)
      parent->height = self->rows[i].height + 1;
  }
}

static node node_at(const syntax *self, uint32_t index) {
  assert(index < self->row_count);
  return (node){.id = &self->rows[index], .tree = self};
}

static bool alone_on_line(const source *s, uint32_t at) {
  while (at > 0 && s->text[at - 1] != '\n') {
    char c = s->text[--at];
    if (c != ' ' && c != '\t' && c != '\f')
      return false;
  }
  return true;
}

static int by_place(const void *a, const void *b) {
  const comment *x = a, *y = b;
  if (x->at.line != y->at.line)
    return x->at.line < y->at.line ? -1 : 1;
  return x->at.column < y->at.column ? -1 : x->at.column > y->at.column;
}

static void collect_comments(syntax *self, arena *arena) {
  size_t count = 0;
  for (uint32_t i = 0; i < self->row_count; i++)
    count += self->rows[i].kind == SYN_comment;
  self->comments = ARENA_ARRAY(arena, comment, count + 1);
  for (uint32_t i = 0; i < self->row_count; i++) {
    const row *r = &self->rows[i];
    if (r->kind != SYN_comment)
      continue;
    uint32_t end = r->end;
    while (end > r->start && (self->source->text[end - 1] == '\r' ||
                              self->source->text[end - 1] == '\n'))
      end--;
    self->comments[self->comment_count++] = (comment){
        .at = node_span(self, node_at(self, i)),
        .text =
            arena_strndup(arena, self->source->text + r->start, end - r->start),
        .alone = alone_on_line(self->source, r->start),
    };
  }
  qsort(self->comments, self->comment_count, sizeof *self->comments, by_place);
}

syntax *syntax_parse(arena *arena, const source *source) {
  assert(source->length < UINT32_MAX / 2);
  syntax *self = ARENA_NEW(arena, syntax);
  self->source = source;
  TSParser *parser = ts_parser_new();
  if (!parser || !ts_parser_set_language(parser, tree_sitter_python()))
    panic("the Python grammar does not fit tree-sitter");
  TSTree *tree = ts_parser_parse_string(parser, NULL, source->text,
                                        (uint32_t)source->length);
  if (!tree)
    panic("tree-sitter gave no tree");
  builder b = {.self = self};
  b.kinds = kinds_create(tree_sitter_python(), &b.kind_count);
  copy_tree(&b, tree);
  free(b.kinds);
  free(b.nodes);
  ts_tree_delete(tree);
  ts_parser_delete(parser);
  index_children(self);
  collect_comments(self, arena);
  return self;
}

void syntax_destroy(syntax *self) {
  if (!self)
    return;
  free(self->rows);
  free(self->named);
  self->rows = NULL;
  self->named = NULL;
  self->row_count = 0;
}

/* -------------------------------------------------------------- reading */

static const row *row_of(node n) {
  assert(n.id);
  return n.id;
}

static const syntax *tree_of(node n) {
  assert(n.tree);
  return n.tree;
}

node syntax_root(const syntax *self) {
  return node_at(self, 0);
}

const source *syntax_source(const syntax *self) {
  return self->source;
}

bool node_is(node n) {
  return n.id != NULL;
}

bool node_same(node a, node b) {
  return a.id == b.id;
}

syn syntax_kind(const syntax *self, node n) {
  (void)self;
  return n.id ? (syn)row_of(n)->kind : SYN_OTHER;
}

const char *syntax_kind_text(node n) {
  if (!n.id)
    return "";
  const char *name =
      ts_language_symbol_name(tree_sitter_python(), row_of(n)->symbol);
  return name ? name : "ERROR";
}

/* The line (from 0) that holds a byte offset. */
static uint32_t line_at(const source *s, uint32_t offset) {
  uint32_t low = 0, high = s->line_count;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (s->line_start[middle] <= offset)
      low = middle;
    else
      high = middle;
  }
  return low;
}

span node_span(const syntax *self, node n) {
  const source *s = self->source;
  if (!n.id || s->line_count == 0)
    return (span){1, 1, 1, 1};
  const row *r = row_of(n);
  uint32_t first = line_at(s, r->start), last = line_at(s, r->end);
  return (span){
      .line = first + 1,
      .column = r->start - s->line_start[first] + 1,
      .end_line = last + 1,
      .end_column = r->end - s->line_start[last] + 1,
  };
}

char *node_text(const syntax *self, node n, arena *arena) {
  if (!n.id)
    return arena_strdup(arena, "");
  const row *r = row_of(n);
  return arena_strndup(arena, self->source->text + r->start, r->end - r->start);
}

bool node_text_is(const syntax *self, node n, const char *text) {
  if (!n.id)
    return false;
  const row *r = row_of(n);
  size_t length = strlen(text);
  return r->end - r->start == length &&
         memcmp(self->source->text + r->start, text, length) == 0;
}

uint32_t node_count(node n) {
  return n.id ? row_of(n)->named_count : 0;
}

node node_child(node n, uint32_t index) {
  if (index >= node_count(n))
    return (node){.id = NULL};
  const syntax *self = tree_of(n);
  return node_at(self, self->named[row_of(n)->named_first + index]);
}

uint32_t node_any_count(node n) {
  return n.id ? row_of(n)->count : 0;
}

node node_any_child(node n, uint32_t index) {
  if (index >= node_any_count(n))
    return (node){.id = NULL};
  return node_at(tree_of(n), row_of(n)->first + index);
}

/* The i-th child in a field. */
static node child_in_field(node n, const char *field, uint32_t i) {
  if (!n.id)
    return n;
  const syntax *self = tree_of(n);
  TSFieldId id = ts_language_field_id_for_name(tree_sitter_python(), field,
                                               (uint32_t)strlen(field));
  const row *r = row_of(n);
  for (uint32_t c = r->first; id && c < r->first + r->count; c++)
    if (self->rows[c].field == id && self->rows[c].kind != SYN_comment &&
        i-- == 0)
      return node_at(self, c);
  return (node){.id = NULL};
}

node node_field(node n, const char *field) {
  return child_in_field(n, field, 0);
}

node node_field_at(node n, const char *field, uint32_t index) {
  return child_in_field(n, field, index);
}

node node_parent(node n) {
  if (!n.id)
    return n;
  const syntax *self = tree_of(n);
  const row *r = row_of(n);
  if (r == self->rows)
    return (node){.id = NULL};
  return node_at(self, r->parent);
}

node node_next(node n) {
  if (!n.id)
    return n;
  const syntax *self = tree_of(n);
  const row *r = row_of(n), *parent = &self->rows[r->parent];
  uint32_t end = r == self->rows ? 0 : parent->first + parent->count;
  for (uint32_t i = (uint32_t)(r - self->rows) + 1; i < end; i++)
    if (self->rows[i].named && !is_trivia(&self->rows[i]))
      return node_at(self, i);
  return (node){.id = NULL};
}

node node_walk(node root, node n, bool down) {
  if (down && node_count(n))
    return node_child(n, 0);
  while (node_is(n) && !node_same(n, root)) {
    node next = node_next(n);
    if (node_is(next))
      return next;
    n = node_parent(n);
  }
  return (node){.id = NULL};
}

uint32_t node_height(node n) {
  return n.id ? row_of(n)->height : 0;
}

uint32_t node_start(node n) {
  return n.id ? row_of(n)->start : 0;
}

uint32_t node_end(node n) {
  return n.id ? row_of(n)->end : 0;
}

const char *node_operator(const syntax *self, node n, arena *arena) {
  (void)arena;
  if (syntax_kind(self, n) == SYN_not_operator)
    return "not";
  return syntax_kind_text(node_field(n, "operator"));
}

const char *node_compare_operator(const syntax *self, node n, uint32_t i,
                                  arena *arena) {
  (void)self;
  (void)arena;
  return syntax_kind_text(child_in_field(n, "operators", i));
}

bool node_has_error(node n) {
  return n.id && row_of(n)->has_error;
}

/* ------------------------------------------------------ whole-tree walks */

/* The next row after i in text order, leaving out what is below i unless
 * `down`; row_count at the end. *depth follows. */
static uint32_t next_row(const syntax *self, uint32_t i, bool down,
                         uint32_t *depth) {
  const row *rows = self->rows;
  if (down && rows[i].count) {
    ++*depth;
    return rows[i].first;
  }
  while (i != 0) {
    const row *parent = &rows[rows[i].parent];
    if (i + 1 < parent->first + parent->count)
      return i + 1;
    i = rows[i].parent;
    --*depth;
  }
  return self->row_count;
}

size_t syntax_errors(const syntax *self, span *out, size_t cap) {
  size_t count = 0;
  uint32_t depth = 0;
  for (uint32_t i = 0; i < self->row_count && count < cap;) {
    const row *r = &self->rows[i];
    bool fault = r->kind == SYN_ERROR || r->missing;
    if (fault)
      out[count++] = node_span(self, node_at(self, i));
    i = next_row(self, i, r->has_error && !fault, &depth);
  }
  return count;
}

size_t syntax_comments(const syntax *self, const comment **out) {
  *out = self->comments;
  return self->comment_count;
}

static void dump_text(const syntax *self, const row *r, strbuf *out) {
  uint32_t end = r->end;
  if (end - r->start > TEXT_LIMIT_IN_DUMP)
    end = r->start + TEXT_LIMIT_IN_DUMP;
  strbuf_put(out, " \"");
  for (uint32_t i = r->start; i < end; i++) {
    unsigned char c = (unsigned char)self->source->text[i];
    if (c == '"' || c == '\\')
      strbuf_printf(out, "\\%c", c);
    else if (c < 32 || c == 127)
      strbuf_printf(out, "\\x%02x", c);
    else
      strbuf_putc(out, (char)c);
  }
  strbuf_put(out, end < r->end ? "...\"" : "\"");
}

static void dump_row(const syntax *self, uint32_t i, uint32_t depth,
                     strbuf *out) {
  const row *r = &self->rows[i];
  uint32_t indent = depth < DUMP_INDENT_LIMIT ? depth : DUMP_INDENT_LIMIT;
  if (i)
    strbuf_putc(out, '\n');
  for (uint32_t k = 0; k < indent; k++)
    strbuf_put(out, "  ");
  if (r->field)
    strbuf_printf(
        out,
        "%s: ", ts_language_field_name_for_id(tree_sitter_python(), r->field));
  strbuf_printf(out, "(%s%s", r->missing ? "MISSING " : "",
                syntax_kind_text(node_at(self, i)));
  span at = node_span(self, node_at(self, i));
  strbuf_printf(out, " %u:%u-%u:%u", at.line, at.column, at.end_line,
                at.end_column);
  if (r->named_count == 0)
    dump_text(self, r, out);
}

void syntax_dump(const syntax *self, strbuf *out) {
  uint32_t depth = 0, open = 0;
  for (uint32_t i = 0; i < self->row_count;) {
    const row *r = &self->rows[i];
    if (r->named || r->missing) {
      for (; open > depth; open--)
        strbuf_putc(out, ')');
      dump_row(self, i, depth, out);
      open = depth + 1;
    }
    i = next_row(self, i, true, &depth);
  }
  for (; open > 0; open--)
    strbuf_putc(out, ')');
  strbuf_putc(out, '\n');
}
