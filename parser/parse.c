/* parser/parse.c: one file, from text to tile programs. */
#include "parser/parser.h"

#include "parser/contract.h"
#include "parser/host.h"
#include "parser/integers.h"
#include "parser/lower.h"
#include "parser/names.h"
#include "parser/project.h"
#include <stdlib.h>

enum { SYNTAX_ERRORS = 32 }; /* that are looked at */

typedef struct parser {
  arena *arena;
  const syntax *syntax;
  file_names *names;
  parsed_file *file;
  notice_vec notices;
  VEC(span) broken; /* statements of the module with syntax errors */
} parser;

static bool holds(span around, span s) {
  return around.line <= s.line && s.line <= around.end_line;
}

/* The statement of the module that a place is in; line 0: none. */
static span outer_statement(const syntax *tree, span at) {
  node root = syntax_root(tree);
  for (uint32_t i = 0; i < node_any_count(root); i++) {
    span s = node_span(tree, node_any_child(root, i));
    if (holds(s, at))
      return s;
  }
  return (span){0};
}

/* One for each statement of the module: a slip there makes the parser stumble
 * several times. */
static void report_syntax(parser *p) {
  span errors[SYNTAX_ERRORS];
  size_t count = syntax_errors(p->syntax, errors, SYNTAX_ERRORS);
  for (size_t i = 0; i < count; i++) {
    bool again = false;
    for (size_t k = 0; k < p->broken.count; k++)
      again = again || holds(p->broken.at[k], errors[i]);
    if (again)
      continue;
    notice n = {.kind = NOTICE_SYNTAX,
                .at = errors[i],
                .message = "the text is no Python here"};
    VEC_PUSH(p->arena, &p->notices, n);
    VEC_PUSH(p->arena, &p->broken, outer_statement(p->syntax, errors[i]));
  }
}

/* What is not understood in a statement that is no Python has been told. */
static bool is_told(const parser *p, const notice *n) {
  for (size_t k = 0; k < p->broken.count; k++)
    if (n->kind == NOTICE_UNSUPPORTED && holds(p->broken.at[k], n->at))
      return true;
  return false;
}

/* -------------------------------------------------------------- accesses */

/* True when a call of this name may access memory in its own right. */
static bool is_access_name(const char *name) {
  static const char *const names[] = {"load", "store"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strcmp(name, names[i]) == 0)
      return true;
  return strncmp(name, "atomic_", 7) == 0;
}

/* Loads, stores and atomics in the text of a function. */
static void find_accesses(const parser *p, node definition, kernel_unit *u) {
  for (node n = definition; node_is(n); n = node_walk(definition, n, true)) {
    if (syntax_kind(p->syntax, n) != SYN_call)
      continue;
    node callee = node_field(n, "function");
    const char *name;
    if (syntax_kind(p->syntax, callee) == SYN_attribute) {
      name = node_text(p->syntax, node_field(callee, "attribute"), p->arena);
    } else {
      const char *full = names_qualified(p->names, callee);
      const char *dot = full ? strrchr(full, '.') : NULL;
      name = dot ? dot + 1 : "";
    }
    if (!is_access_name(name))
      continue;
    source_access a = {node_span(p->syntax, n), strcmp(name, "load") == 0};
    VEC_PUSH(p->arena, &u->accesses, a);
  }
  u->access_count = (uint32_t)u->accesses.count;
}

/* ----------------------------------------------------------------- units */

static kernel_unit *unit_of(parser *p, const file_function *f) {
  span at = node_span(p->syntax, node_field(f->definition, "name"));
  for (size_t i = 0; i < p->file->kernels.count; i++) {
    kernel_unit *u = &p->file->kernels.at[i];
    if (u->at.line == at.line && u->at.column == at.column)
      return u;
  }
  return NULL;
}

/* One unit for each jit function, in text order. */
static void add_units(parser *p, const char *only) {
  for (size_t i = 0; i < p->names->functions.count; i++) {
    const file_function *f = &p->names->functions.at[i];
    if (!f->jit || (only && strcmp(only, f->name) != 0))
      continue;
    kernel_unit u = {
        .name = f->name,
        .at = node_span(p->syntax, node_field(f->definition, "name")),
        .end_line = node_span(p->syntax, f->definition).end_line,
    };
    find_accesses(p, f->definition, &u);
    VEC_PUSH(p->arena, &p->file->kernels, u);
  }
}

/* Marks the functions that a jit function's text calls. */
static void mark_callees(parser *p, const file_function *f) {
  node body = node_field(f->definition, "body");
  for (node n = body; node_is(n); n = node_walk(body, n, true)) {
    if (syntax_kind(p->syntax, n) != SYN_call)
      continue;
    node callee = node_field(n, "function");
    syn kind = syntax_kind(p->syntax, callee);
    if (kind != SYN_identifier && kind != SYN_attribute)
      continue;
    const file_function *g =
        names_function(p->names, node_text(p->syntax, callee, p->arena));
    kernel_unit *u = g && g->jit && g != f ? unit_of(p, g) : NULL;
    if (u)
      u->helper = true;
  }
}

/* -------------------------------------------------------------- programs */

/* A body that lowering got wrong is worth nothing: one instruction that may do
 * anything stands for it. */
static void replace_body(parser *p, tile_program *program, const char *why) {
  notice n = {.kind = NOTICE_UNSUPPORTED,
              .at = program->at,
              .message = arena_printf(p->arena,
                                      "internal error: the tile program is "
                                      "malformed (%s)",
                                      why),
              .effect = "nothing of this kernel is checked",
              .kernel = program->kernel};
  VEC_PUSH(p->arena, &p->notices, n);
  expr yes = expr_int(program->exprs, 1);
  type any = type_scalar(SC_ANY);
  inst opaque = {.kind = NODE_OP,
                 .op = OP_OPAQUE,
                 .at = program->at,
                 .attr_count = 1,
                 .attrs = &yes,
                 .text = "kernel"};
  program->body = region_create(program);
  program->inst_count = 0;
  program_append(program, program->body, opaque, &any, 1);
  program_number(program);
}

/* Equal troubles of several programs of a kernel are told once. */
static void keep_new(parser *p, const notice_vec *fresh) {
  for (size_t i = 0; i < fresh->count; i++) {
    const notice *n = &fresh->at[i];
    bool known = false;
    for (size_t k = 0; k < p->notices.count && !known; k++) {
      const notice *old = &p->notices.at[k];
      known = old->kind == n->kind &&
              memcmp(&old->at, &n->at, sizeof n->at) == 0 &&
              strcmp(old->message, n->message) == 0;
    }
    if (!known)
      VEC_PUSH(p->arena, &p->notices, *n);
  }
}

/* One program after lowering, before it is known whether it counts. */
typedef struct lowered_program {
  kernel_unit *unit;
  tile_program *program;
  notice_vec notices;
  bool compiles;
} lowered_program;
typedef VEC(lowered_program) lowered_vec;

static lowered_program lower_program(parser *p, const prepared *one,
                                     kernel_unit *u, tile_program *program) {
  lowered_program out = {.unit = u, .program = program};
  out.compiles =
      lower_kernel(program, p->names, one->kernel->definition, one->bindings,
                   one->binding_count, p->arena, &out.notices);
  return out;
}

/* Lowers the program once, or once for each element type that its tensors of
 * integers may have. */
static void lower_for_types(parser *p, const prepared *one, kernel_unit *u,
                            lowered_vec *out) {
  tile_program *empty = integers_retype(one->program, NULL, SC_ANY);
  bool *marked = ARENA_ARRAY(p->arena, bool, one->program->tensors.count + 1);
  lowered_program plain = lower_program(p, one, u, one->program);
  if (integers_find(one->program, marked) == 0) {
    VEC_PUSH(p->arena, out, plain);
    return;
  }
  static const scalar types[] = {SC_I32, SC_I64};
  for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
    tile_program *typed = integers_retype(empty, marked, types[i]);
    lowered_program one_typed = lower_program(p, one, u, typed);
    VEC_PUSH(p->arena, out, one_typed);
  }
}

/* A specialisation that Triton refuses runs nowhere; it is left out if another
 * one of the same launch is there. */
static bool left_out(const lowered_vec *all, const lowered_program *r) {
  if (r->compiles)
    return false;
  for (size_t i = 0; i < all->count; i++)
    if (all->at[i].compiles && all->at[i].unit == r->unit &&
        all->at[i].program->launch_line == r->program->launch_line)
      return true;
  return false;
}

static void add_program(parser *p, const lowered_program *r) {
  kernel_unit *u = r->unit;
  keep_new(p, &r->notices);
  const char *why = program_verify(r->program, p->arena);
  if (why)
    replace_body(p, r->program, why);
  VEC_PUSH(p->arena, &u->programs, r->program);
  uint32_t line = r->program->launch_line;
  bool known = line == 0;
  for (size_t i = 0; i < u->launch_lines.count; i++)
    known = known || u->launch_lines.at[i] == line;
  if (!known)
    VEC_PUSH(p->arena, &u->launch_lines, line);
}

static void lower_all(parser *p, const prepared_vec *prepared) {
  lowered_vec all = {0};
  for (size_t i = 0; i < prepared->count; i++) {
    kernel_unit *u = unit_of(p, prepared->at[i].kernel);
    if (u)
      lower_for_types(p, &prepared->at[i], u, &all);
  }
  for (size_t i = 0; i < all.count; i++)
    if (!left_out(&all, &all.at[i]))
      add_program(p, &all.at[i]);
}

/* Helpers are functions that kernels call and that nobody launches here. */
static void settle_helpers(parser *p) {
  for (size_t i = 0; i < p->names->functions.count; i++)
    if (p->names->functions.at[i].jit)
      mark_callees(p, &p->names->functions.at[i]);
  for (size_t i = 0; i < p->file->kernels.count; i++)
    if (p->file->kernels.at[i].launch_lines.count)
      p->file->kernels.at[i].helper = false;
}

/* Kernels some launches of which could not be prepared. */
static void mark_incomplete(parser *p) {
  for (size_t i = 0; i < p->notices.count; i++) {
    const notice *n = &p->notices.at[i];
    for (size_t k = 0; n->incomplete && k < p->file->kernels.count; k++)
      if (strcmp(p->file->kernels.at[k].name, n->kernel) == 0)
        p->file->kernels.at[k].incomplete = n->message;
  }
}

static int by_place(const void *a, const void *b) {
  const notice *x = a, *y = b;
  if (x->at.line != y->at.line)
    return x->at.line < y->at.line ? -1 : 1;
  if (x->at.column != y->at.column)
    return x->at.column < y->at.column ? -1 : 1;
  return strcmp(x->message, y->message);
}

parsed_file *parse_file(arena *arena, const source *source,
                        parse_options options) {
  parser p = {.arena = arena, .file = ARENA_NEW(arena, parsed_file)};
  p.file->source = source;
  syntax *tree = syntax_parse(arena, source);
  p.syntax = tree;
  report_syntax(&p);
  p.names = names_collect(arena, tree);
  project *others = project_create(arena, p.names);
  add_units(&p, options.kernel);
  contract *contract = contract_read(arena, p.names, &p.notices);
  prepared_vec prepared = {0};
  host_prepare(arena, p.names, contract, options, &p.notices, &prepared,
               &p.file->functions);
  mark_incomplete(&p);
  lower_all(&p, &prepared);
  settle_helpers(&p);
  if (p.notices.count)
    qsort(p.notices.at, p.notices.count, sizeof *p.notices.at, by_place);
  for (size_t i = 0; i < p.notices.count; i++)
    if (!is_told(&p, &p.notices.at[i]))
      VEC_PUSH(arena, &p.file->notices, p.notices.at[i]);
  for (size_t i = 0; i < contract->suppressions.count; i++)
    VEC_PUSH(arena, &p.file->suppressions, contract->suppressions.at[i]);
  project_destroy(others);
  syntax_destroy(tree);
  return p.file;
}

void parse_dump_syntax(const source *source, arena *arena, strbuf *out) {
  syntax *tree = syntax_parse(arena, source);
  syntax_dump(tree, out);
  syntax_destroy(tree);
}
