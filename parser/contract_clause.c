/* parser/contract_clause.c: one clause of a contract comment. */
#include "parser/contract_parse.h"

#include "base/panic.h"

#include <string.h>

static const term *const *terms_copy(term_vec v) {
  return v.at;
}

/* ----------------------------------------------------------------- tensor */

static void read_dtype(clause_parser *p, clause *c) {
  static const char list[] =
      "a dtype (f64, f32, f16, bf16, f8e4m3, f8e5m2, i64, i32, i16, i8, u64, "
      "u32, u16, u8, bool, any)";
  if (p->error)
    return;
  if (p->now.kind == TOKEN_NAME)
    c->dtype = scalar_from_name(p->text + p->now.start, p->now.length);
  if (c->dtype == SC_NONE)
    parser_fail_expected(p, list);
  else
    parser_next(p);
}

static void read_extents(clause_parser *p, clause *c) {
  term_vec extents = {0};
  parser_expect(p, "[");
  if (parser_take(p, "...")) {
    c->any_rank = true;
  } else {
    span at = parser_span(p, p->now);
    parser_terms(p, &extents);
    if (extents.count > TYPE_MAX_RANK)
      parser_fail(p, at, "a tensor has at most 6 axes");
  }
  parser_expect(p, "]");
  c->extents = terms_copy(extents);
  c->rank = extents.count;
}

static void read_strides(clause_parser *p, clause *c) {
  if (!parser_take(p, "stride"))
    return;
  if (parser_take(p, "any")) {
    c->strides_any = true;
    return;
  }
  span at = parser_span(p, p->now);
  term_vec strides = {0};
  if (!parser_at(p, "("))
    parser_fail_expected(p, "`any` or `(` after `stride`");
  parser_expect(p, "(");
  parser_terms(p, &strides);
  parser_expect(p, ")");
  if (c->any_rank)
    parser_fail(p, at, "a tensor of any rank cannot list its strides");
  else if (strides.count != c->rank)
    parser_fail(p, at,
                arena_printf(p->arena, "%u strides for %u extents",
                             (unsigned)strides.count, (unsigned)c->rank));
  c->strides = terms_copy(strides);
}

static void read_align(clause_parser *p, clause *c) {
  if (!parser_take(p, "align"))
    return;
  bool number = p->now.kind == TOKEN_INT;
  int64_t n = p->now.number;
  if (!number)
    parser_fail_expected(p, "a number of bytes");
  else if (n < 1 || (n & (n - 1)) != 0)
    parser_fail(p, parser_span(p, p->now), "an alignment is a power of two");
  else
    parser_next(p);
  c->align = n;
}

/* NAME ":" and so on; the role is taken already. */
static void read_tensor(clause_parser *p, clause *c) {
  c->kind = CLAUSE_TENSOR;
  c->name = parser_name(p, "the name of a tensor", &c->name_at);
  parser_expect(p, ":");
  read_dtype(p, c);
  read_extents(p, c);
  read_strides(p, c);
  if (parser_take(p, "offset"))
    c->offset = parser_term(p);
  read_align(p, c);
}

/* ----------------------------------------------------------------- values */

typedef struct set_reader {
  term_vec least, greatest;
} set_reader;

static void read_range(clause_parser *p, set_reader *sets) {
  const term *least = parser_term(p);
  parser_expect(p, ",");
  const term *greatest = parser_term(p);
  if (parser_at(p, ")"))
    greatest = term_binary(p->arena, TERM_SUB, greatest,
                           term_int(p->arena, 1, greatest->at), greatest->at);
  else if (!parser_at(p, "]"))
    parser_fail_expected(p, "`]` or `)` at the end of a range");
  if (!p->error)
    parser_next(p);
  VEC_PUSH(p->arena, &sets->least, least);
  VEC_PUSH(p->arena, &sets->greatest, greatest);
}

static void read_members(clause_parser *p, term_vec *out) {
  parser_expect(p, "{");
  parser_terms(p, out);
  parser_expect(p, "}");
}

static void read_set(clause_parser *p, set_reader *sets) {
  if (parser_take(p, "[")) {
    read_range(p, sets);
  } else if (parser_at(p, "{")) {
    term_vec members = {0};
    read_members(p, &members);
    for (size_t i = 0; i < members.count; i++) {
      VEC_PUSH(p->arena, &sets->least, members.at[i]);
      VEC_PUSH(p->arena, &sets->greatest, members.at[i]);
    }
  } else {
    parser_fail_expected(p, "a range `[` or a set `{`");
  }
}

static void read_sets(clause_parser *p, clause *c) {
  set_reader sets = {0};
  do
    read_set(p, &sets);
  while (parser_take(p, "or"));
  assert(sets.least.count == sets.greatest.count);
  c->set_least = terms_copy(sets.least);
  c->set_greatest = terms_copy(sets.greatest);
  c->set_count = sets.least.count;
  c->finite = parser_take(p, "finite");
}

static void read_values(clause_parser *p, clause *c) {
  c->kind = CLAUSE_VALUES;
  c->name = parser_name(p, "the name of a tensor", &c->name_at);
  if (parser_take(p, "any"))
    c->any_values = true;
  else if (parser_take(p, "finite"))
    c->finite = true;
  else if (parser_take(p, "in"))
    read_sets(p, c);
  else
    parser_fail_expected(p, "`any`, `finite` or `in`");
  c->distinct = parser_take(p, "distinct");
  if (c->distinct && parser_take(p, "except")) {
    term_vec except = {0};
    read_members(p, &except);
    c->except = terms_copy(except);
    c->except_count = except.count;
  }
  c->sorted = parser_take(p, "sorted");
}

/* ------------------------------------------------------------- the others */

static void read_const(clause_parser *p, clause *c) {
  c->kind = CLAUSE_CONST;
  c->name = parser_name(p, "the name of a constexpr", &c->name_at);
  if (parser_take(p, "in")) {
    term_vec members = {0};
    read_members(p, &members);
    c->members = terms_copy(members);
    c->member_count = members.count;
    return;
  }
  c->const_pow2 = parser_take(p, "pow2");
  if (!c->const_pow2)
    parser_fail_expected(p, "`in` or `pow2`");
  if (!parser_take(p, "["))
    return;
  c->least = parser_term(p);
  parser_expect(p, ",");
  c->greatest = parser_term(p);
  parser_expect(p, "]");
}

static void read_grid(clause_parser *p, clause *c) {
  term_vec axes = {0};
  c->kind = CLAUSE_GRID;
  span at = parser_span(p, p->now);
  parser_expect(p, "(");
  do {
    if (axes.count && parser_at(p, ")"))
      break;
    VEC_PUSH(p->arena, &axes, parser_term(p));
  } while (parser_take(p, ","));
  parser_expect(p, ")");
  if (axes.count > 3)
    parser_fail(p, at, "a grid has at most 3 axes");
  c->extents = terms_copy(axes);
  c->rank = axes.count;
}

static const term *read_slice_end(clause_parser *p) {
  bool open = parser_at(p, ":") || parser_at(p, ",") || parser_at(p, "]");
  return open ? NULL : parser_term(p);
}

static void read_written(clause_parser *p, clause *c) {
  term_vec low = {0}, high = {0};
  c->kind = CLAUSE_WRITTEN;
  c->name = parser_name(p, "the name of a tensor", &c->name_at);
  if (!parser_take(p, "["))
    return;
  span at = parser_span(p, p->now);
  do {
    VEC_PUSH(p->arena, &low, read_slice_end(p));
    parser_expect(p, ":");
    VEC_PUSH(p->arena, &high, read_slice_end(p));
  } while (parser_take(p, ","));
  parser_expect(p, "]");
  if (low.count > TYPE_MAX_RANK)
    parser_fail(p, at, "a tensor has at most 6 axes");
  c->slice_low = terms_copy(low);
  c->slice_high = terms_copy(high);
  c->slice_count = low.count;
}

static void read_disjoint(clause_parser *p, clause *c) {
  VEC(const char *) names = {0};
  c->kind = CLAUSE_DISJOINT;
  do {
    span at = {0};
    const char *name = parser_name(p, "the name of a tensor", &at);
    VEC_PUSH(p->arena, &names, name);
    if (names.count == 1)
      c->name_at = at;
  } while (parser_take(p, ","));
  c->names = (const char *const *)names.at;
  c->name_count = names.count;
  c->name = c->names[0];
}

static void read_assume(clause_parser *p, clause *c) {
  c->kind = CLAUSE_ASSUME;
  c->condition = parser_conditions(p);
}

static void read_max_numel(clause_parser *p, clause *c) {
  c->kind = CLAUSE_MAX_NUMEL;
  c->condition = parser_term(p);
}

/* ----------------------------------------------------------------- choice */

typedef struct clause_form {
  const char *word;
  void (*read)(clause_parser *p, clause *c);
} clause_form;

static const clause_form clause_forms[] = {
    {"assume", read_assume},      {"grid", read_grid},
    {"values", read_values},      {"const", read_const},
    {"disjoint", read_disjoint},  {"written", read_written},
    {"max-numel", read_max_numel}};
enum { FORM_COUNT = sizeof clause_forms / sizeof *clause_forms };

static size_t least_of(size_t a, size_t b) {
  return a < b ? a : b;
}

/* Edits (insert, drop, change one character) from a to b; both are short. */
static size_t edit_distance(const char *a, const char *b) {
  enum { LONGEST = 32 };
  size_t row[LONGEST + 1], n = strlen(a), m = strlen(b);
  if (n > LONGEST || m > LONGEST)
    return LONGEST;
  for (size_t j = 0; j <= m; j++)
    row[j] = j;
  for (size_t i = 1; i <= n; i++) {
    size_t corner = row[0];
    row[0] = i;
    for (size_t j = 1; j <= m; j++) {
      size_t above = row[j];
      size_t change = corner + (a[i - 1] != b[j - 1]);
      row[j] = least_of(least_of(above, row[j - 1]) + 1, change);
      corner = above;
    }
  }
  return row[m];
}

static const char *nearest_word(const char *word) {
  static const char *const others[] = {"ignore", "in", "out", "inout"};
  const char *best = NULL;
  size_t least = strlen(word) > 4 ? 3 : 2;
  for (size_t i = 0; i < FORM_COUNT + sizeof others / sizeof *others; i++) {
    const char *w =
        i < FORM_COUNT ? clause_forms[i].word : others[i - FORM_COUNT];
    size_t distance = edit_distance(word, w);
    if (distance < least) {
      least = distance;
      best = w;
    }
  }
  return best;
}

/* The word at the start of a clause; `max-numel` counts as one. */
static token first_word(const clause_parser *p) {
  token t = p->now;
  const char *s = p->text + t.start;
  while (s[t.length] == '-' && s[t.length + 1] >= 'a' && s[t.length + 1] <= 'z')
    for (t.length++; s[t.length] >= 'a' && s[t.length] <= 'z';)
      t.length++;
  return t;
}

/* Whether a tensor clause starts here: a name and a colon. */
static bool at_tensor(const clause_parser *p) {
  clause_parser ahead = *p;
  if (ahead.now.kind != TOKEN_NAME)
    return false;
  parser_next(&ahead);
  return parser_at(&ahead, ":");
}

/* in, out, inout before another name. */
static bool take_role(clause_parser *p, clause *c) {
  static const struct {
    const char *word;
    tensor_role role;
  } roles[] = {{"in", TENSOR_IN}, {"out", TENSOR_OUT}, {"inout", TENSOR_INOUT}};
  clause_parser ahead = *p;
  if (ahead.now.kind != TOKEN_NAME)
    return false;
  parser_next(&ahead);
  if (ahead.now.kind != TOKEN_NAME)
    return false;
  for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
    if (parser_take(p, roles[i].word)) {
      c->role = roles[i].role;
      c->role_given = true;
      return true;
    }
  return false;
}

static void fail_unknown_clause(clause_parser *p, token word) {
  const char *text = parser_text(p, word), *near = nearest_word(text);
  const char *message =
      near ? arena_printf(p->arena, "unknown clause `%s`; did you mean `%s`?",
                          text, near)
           : arena_printf(p->arena,
                          "unknown clause `%s`; a tensor is declared as "
                          "`%s: f32[n]`",
                          text, text);
  parser_fail(p, parser_span(p, word), message);
}

void parser_clause(clause_parser *p, clause *c) {
  span start = parser_span(p, p->now);
  if (p->now.kind != TOKEN_NAME) {
    parser_fail_expected(p, "a clause");
    return;
  }
  token word = first_word(p);
  if (at_tensor(p) || take_role(p, c)) {
    read_tensor(p, c);
  } else {
    const clause_form *form = NULL;
    for (size_t i = 0; i < FORM_COUNT; i++)
      if (strlen(clause_forms[i].word) == word.length &&
          memcmp(clause_forms[i].word, p->text + word.start, word.length) == 0)
        form = &clause_forms[i];
    if (!form) {
      fail_unknown_clause(p, word);
      return;
    }
    p->now = word;
    parser_next(p);
    form->read(p, c);
  }
  if (p->now.kind != TOKEN_END && !parser_at(p, ";"))
    parser_fail_expected(p, "`;` or the end of the clause");
  c->at =
      (span){start.line, start.column, start.line, p->column + p->now.start};
}
