/* tests/count_corpus.c: compares formulas with the interpreter's counts.
 *
 *   count_corpus [-v] [--kernel NAME] LAUNCHES FILE...
 *
 * For each access of each tile program of the files, with the launch's values
 * and with free blocks, the printed text of an exact formula is read back and
 * evaluated at random launches (sizes around 0, 1 and multiples of blocks) and
 * compared with the number of lanes that the interpreter runs, with the mask
 * and without, and of elements that they touch. Sums over buffers take
 * what the loads of the run found. Prints a line for each file;
 * exit status 1 on a difference. */
#include "analysis/count.h"
#include "base/map.h"
#include "exec/exec.h"
#include "ir/text.h"
#include "parser/parser.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { LONGEST_RUN = 1 << 22 };

typedef struct totals {
  uint64_t accesses, exact, compared, failures;
  double milliseconds, longest;
} totals;

typedef enum what { LANES, LIVE, DISTINCT } what;

/* One access under one reading: what the formula says. */
typedef struct claim {
  const access *access;
  what what;
  bool exact;
  const char *text, *reason;
  expr formula;
  const judge *judge;
  sym in_sums; /* not SYM_NONE: the formula, which holds named sums */
} claim;
typedef VEC(claim) claim_vec;

static const char *const NAMES[] = {" lanes", "", " distinct"};

static uint64_t next_random(uint64_t *state) {
  *state += 0x9e3779b97f4a7c15u;
  uint64_t z = *state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* --------------------------------------------------------------- claims */

/* The text with the names that expressions must quote between backquotes. */
static const char *quoted(const tile_program *p, const char *text) {
  strbuf out = strbuf_make(p->arena);
  while (*text) {
    size_t longest = 0;
    for (size_t i = 0; i < exprs_symbol_count(p->exprs); i++) {
      const char *name = exprs_symbol_at(p->exprs, i)->name;
      size_t n = strlen(name);
      if (n > longest && strncmp(text, name, n) == 0 &&
          !text_in_name(text[n]) && text[n] != '[')
        longest = n;
    }
    if (longest) {
      char *name = arena_strndup(p->arena, text, longest);
      text_put_name(&out, name);
      text += longest;
      continue;
    }
    do
      strbuf_putc(&out, *text++);
    while (*text && text_in_name(text[-1]) && text_in_name(*text));
  }
  return out.text;
}

static bool holds_sum(const judge *j, sym e) {
  sym all[64];
  size_t n = sym_variables(judge_launch(j)->syms, e, all, 64);
  for (size_t i = 0; i < n && i < 64; i++)
    if (count_sum_of(j, all[i]))
      return true;
  return false;
}

static claim claim_of(judge *j, const access *a, what what, totals *sum) {
  claim out = {.access = a, .what = what, .judge = j};
  strbuf text = strbuf_make(judge_arena(j));
  double start = now();
  count_result r = what == DISTINCT ? count_distinct(j, &a, 1)
                                    : count_access(j, a, what == LIVE);
  double took = now() - start;
  sum->milliseconds += took;
  sum->longest = took > sum->longest ? took : sum->longest;
  out.exact = r.exact;
  out.reason = r.reason;
  if (!r.exact)
    return out;
  sym formula = count_rename(j, count_simplify(j, r.formula));
  count_print(judge_launch(j)->syms, formula, &text);
  size_t end;
  const char *error = NULL;
  const tile_program *p = judge_launch(j)->program;
  const char *read = quoted(p, text.text);
  out.text = text.text;
  if (holds_sum(j, r.formula)) {
    out.in_sums = r.formula;
    return out;
  }
  out.formula = expr_parse(p->exprs, read, &end, &error);
  if (!out.formula || read[end]) {
    printf("  line %u: `%s` is not read back: %s\n", a->inst->at.line,
           text.text, error ? error : "it goes on");
    sum->failures++;
    out.exact = false;
  }
  return out;
}

static claim_vec claims_of(judge *j, totals *sum) {
  claim_vec out = {0};
  const interp_result *r = judge_result(j);
  for (size_t i = 0; i < r->accesses.count; i++)
    for (what what = LANES; what <= DISTINCT; what++)
      if (!r->accesses.at[i].opaque)
        VEC_PUSH(judge_arena(j), &out,
                 claim_of(j, &r->accesses.at[i], what, sum));
  return out;
}

/* ------------------------------------------------------- random launches */

static bool is_decided(const tile_program *p, size_t symbol) {
  expr e = exprs_symbol_expr(p->exprs, symbol);
  for (size_t i = 0; i < p->decided.count; i++)
    if (p->decided.at[i] == e)
      return true;
  return false;
}

/* A block of the launch, or 1. */
static int64_t some_block(const tile_program *p, const int64_t *numbers,
                          uint64_t r) {
  size_t n = exprs_symbol_count(p->exprs);
  for (size_t i = 0; i < n; i++) {
    size_t k = (i + r) % n;
    if (exprs_symbol_at(p->exprs, k)->role == SYMBOL_CONST && numbers[k] > 0)
      return numbers[k];
  }
  return 1;
}

static int64_t random_number(const tile_program *p, size_t index, bool pinned,
                             const int64_t *numbers, uint64_t *seed) {
  static const int64_t blocks[] = {1, 2, 4, 8, 16, 16, 32, 64};
  const symbol *s = exprs_symbol_at(p->exprs, index);
  uint64_t r = next_random(seed);
  if (s->pinned && (pinned || is_decided(p, index)))
    return s->pin;
  if (s->role == SYMBOL_CONST)
    return blocks[r % 8];
  if (s->role == SYMBOL_GRID)
    return 1 + (int64_t)(r % 4);
  switch (r % 5) {
  case 0:
    return (int64_t)(r >> 8) % 3;
  case 1:
    return blocks[(r >> 8) % 8] + (int64_t)((r >> 16) % 3) - 1;
  case 2:
    return some_block(p, numbers, r >> 32) * (1 + (int64_t)((r >> 8) % 3)) +
           (int64_t)((r >> 16) % 3) - 1;
  default:
    return (int64_t)(r >> 8) % 40;
  }
}

/* What an allocator makes: row-major strides, where the program leaves those
 * of an allocation open. */
static void set_dense_strides(const tile_program *p, int64_t *numbers,
                              const bool *known) {
  for (uint32_t k = 0; k < p->tensors.count; k++) {
    const tensor *x = &p->tensors.at[k];
    int64_t step = 1, extent;
    for (unsigned d = x->known ? x->rank : 0; d-- > 0;) {
      size_t index;
      if (expr_kind_of(p->exprs, x->stride[d]) == EXPR_SYMBOL &&
          expr_symbol(p->exprs, x->stride[d], &index)->role == SYMBOL_STRIDE)
        numbers[index] = step;
      if (!expr_eval(p->exprs, x->extent[d], numbers, known, &extent))
        return;
      step *= extent > 1 ? extent : 1;
    }
  }
}

/* The first fact that does not hold; their number when all do. */
static size_t broken_fact(const tile_program *p, const int64_t *numbers,
                          const bool *known) {
  size_t i = 0;
  int64_t holds;
  while (
      i < p->facts.count &&
      expr_eval(p->exprs, p->facts.at[i].condition, numbers, known, &holds) &&
      holds)
    i++;
  return i;
}

/* Makes an equation with a lone symbol true. */
static bool equate(const tile_program *p, expr fact, int64_t *numbers,
                   const bool *known) {
  expr side[3];
  size_t index;
  if (expr_kind_of(p->exprs, fact) != EXPR_EQ)
    return false;
  expr_operands(p->exprs, fact, side);
  for (int k = 1; k >= 0; k--)
    if (expr_kind_of(p->exprs, side[k]) == EXPR_SYMBOL &&
        !expr_symbol(p->exprs, side[k], &index)->pinned)
      return expr_eval(p->exprs, side[1 - k], numbers, known, &numbers[index]);
  return false;
}

/* Numbers are drawn anew for the facts that they break. */
static bool random_launch(const tile_program *p, bool pinned, int64_t *numbers,
                          bool *known, uint64_t *seed, bool *dense) {
  enum { TRIES = 400 };
  size_t n = exprs_symbol_count(p->exprs), broken;
  *dense = next_random(seed) % 4;
  for (int pass = 0; pass < 2; pass++)
    for (size_t i = 0; i < n; i++)
      if (pass ==
          (exprs_symbol_at(p->exprs, i)->role == SYMBOL_CONST ? 0 : 1)) {
        numbers[i] = random_number(p, i, pinned, numbers, seed);
        known[i] = true;
      }
  for (int i = 0; i < TRIES; i++) {
    if (*dense)
      set_dense_strides(p, numbers, known);
    broken = broken_fact(p, numbers, known);
    if (broken == p->facts.count)
      return true;
    if (equate(p, p->facts.at[broken].condition, numbers, known))
      continue;
    for (size_t k = 0; k < n; k++)
      if (expr_mentions(p->exprs, p->facts.at[broken].condition,
                        exprs_symbol_expr(p->exprs, k)))
        numbers[k] = random_number(p, k, pinned, numbers, seed);
  }
  return false;
}

/* ------------------------------------------------------------ running */

typedef struct tally {
  uint64_t *lanes; /* by index of the instruction */
  map **elements;  /* that it touched; null: nobody asks */
  map *contents;   /* what loads found, by place_key */
  arena *scratch;
} tally;

static uint64_t place_key(uint32_t tensor, int64_t offset) {
  return hash_mix(hash_mix(1, tensor), (uint64_t)offset);
}

static void record(void *context, const exec_access *a) {
  tally *t = context;
  t->lanes[a->inst]++;
  if (t->contents && a->reads)
    map_put(t->contents, place_key(a->tensor, a->offset), a->bits);
  if (!t->elements)
    return;
  if (!t->elements[a->inst])
    t->elements[a->inst] = map_create(t->scratch);
  map_put(t->elements[a->inst], (uint64_t)a->offset, 1);
}

/* Runs everything. True when it shows no event of that kind (EVENT_NONE: of
 * any), and none that ends a run. */
static bool run_all(const tile_program *p, const assignment *numbers,
                    uint64_t seed, event_kind kind, tally *t) {
  exec_options options = {.fill = FILL_RANDOM,
                          .seed = seed,
                          .step_limit = LONGEST_RUN,
                          .only_kind = kind,
                          .recorder = record,
                          .recorder_context = t};
  arena *scratch = arena_create();
  exec_event event = {0};
  exec_machine *m = exec_create(scratch, p, numbers, options, &event);
  bool fine = m && exec_run_all(m, &event) == 0;
  arena_destroy(scratch);
  return fine;
}

/* ---------------------------------------------------- sums over buffers */

typedef struct evaluation {
  const claim *claim;
  const tile_program *program;
  const assignment *numbers;
  const map *contents;
  const count_sum *sum; /* being added up; null: none */
  int64_t keys[8];
} evaluation;

static bool add_up(evaluation *e, size_t key, int64_t *total);

/* What is found at a content's place; 0 where no program looks: there the sum
 * must not depend on it. */
static bool content_of(evaluation *e, const count_content *c, int64_t *value);

static bool value_of(void *context, const symtab *t, sym atom, int64_t *value) {
  evaluation *e = context;
  const count_sum *sum = count_sum_of(e->claim->judge, atom);
  size_t index;
  if (sum) {
    evaluation inner = *e;
    inner.sum = sum;
    *value = 0;
    return add_up(&inner, 0, value);
  }
  for (size_t i = 0; e->sum && i < e->sum->keys.count; i++)
    if (e->sum->keys.at[i].var == atom) {
      *value = e->keys[i];
      return true;
    }
  for (size_t i = 0; e->sum && i < e->sum->contents.count; i++)
    if (e->sum->contents.at[i].value == atom)
      return content_of(e, &e->sum->contents.at[i], value);
  expr named = exprs_find(e->program->exprs, sym_var_name(t, atom));
  if (named == EXPR_NONE)
    return false;
  expr_symbol(e->program->exprs, named, &index);
  *value = e->numbers->value[index];
  return true;
}

static bool evaluate(evaluation *e, sym formula, int64_t *value) {
  const symtab *t = judge_launch(e->claim->judge)->syms;
  return sym_eval(t, formula, value_of, e, value);
}

static bool content_of(evaluation *e, const count_content *c, int64_t *value) {
  int64_t offset;
  uint64_t bits = 0;
  if (!evaluate(e, c->offset, &offset))
    return false;
  map_get(e->contents, place_key(c->tensor, offset), &bits);
  *value = (int64_t)bits;
  return true;
}

static bool add_up(evaluation *e, size_t key, int64_t *total) {
  int64_t upper, part;
  if (key == e->sum->keys.count) {
    if (!evaluate(e, e->sum->body, &part))
      return false;
    *total += part;
    return true;
  }
  if (key == 8 || !evaluate(e, e->sum->keys.at[key].upper, &upper))
    return false;
  for (e->keys[key] = 0; e->keys[key] < upper; e->keys[key]++)
    if (!add_up(e, key + 1, total))
      return false;
  return true;
}

/* Extents of a shape; false when they have no value. */
static bool extents(const tile_program *p, value_id v,
                    const assignment *numbers, int64_t *out, int64_t *lanes) {
  const type *t = &p->values.at[v].type;
  *lanes = 1;
  for (unsigned d = 0; d < t->rank; d++) {
    if (!expr_eval(p->exprs, t->dim[d], numbers->value, numbers->known,
                   &out[d]))
      return false;
    *lanes *= out[d];
  }
  return true;
}

static bool shape_fits(const tile_program *p, const inst *i,
                       const assignment *numbers) {
  int64_t from[TYPE_MAX_RANK], to[TYPE_MAX_RANK], before, after;
  if (i->op != OP_BROADCAST && i->op != OP_RESHAPE)
    return true;
  if (!extents(p, i->operands[0], numbers, from, &before) ||
      !extents(p, i->results[0], numbers, to, &after))
    return false;
  if (i->op == OP_RESHAPE)
    return before == after;
  for (unsigned d = 0; d < p->values.at[i->results[0]].type.rank; d++)
    if (from[d] != to[d] && from[d] != 1)
      return false;
  return true;
}

/* All shapes fit: block sizes with which they do not are no launch. */
static bool fits(const tile_program *p, const region *r,
                 const assignment *numbers) {
  for (size_t k = 0; k < r->insts.count; k++) {
    const inst *i = r->insts.at[k];
    for (int a = 0; a < 2; a++)
      if (i->regions[a] && !fits(p, i->regions[a], numbers))
        return false;
    if (i->kind == NODE_OP && !shape_fits(p, i, numbers))
      return false;
  }
  return true;
}

/* Runs every program to its end, whatever happens in it; *outside: lanes that
 * addressed no element. False when the run says nothing. */
static bool run_programs(exec_machine *m, uint64_t *outside) {
  int64_t grid[3], at[3];
  exec_grid(m, grid);
  *outside = 0;
  for (at[0] = 0; at[0] < grid[0]; at[0]++)
    for (at[1] = 0; at[1] < grid[1]; at[1]++)
      for (at[2] = 0; at[2] < grid[2]; at[2]++) {
        exec_event event = {0};
        *outside += exec_run(m, at, &event);
        if (event.kind != EVENT_NONE && event.kind != EVENT_OUTSIDE)
          return false;
      }
  return true;
}

/* Lanes that run the access; those outside their tensor are events. False when
 * the launch does not exist or the run says nothing. */
static bool lanes_of(const tile_program *p, const claim *c,
                     const assignment *numbers, uint64_t seed,
                     uint64_t *lanes) {
  arena *scratch = arena_create();
  inst *i = (inst *)c->access->inst;
  tally t = {ARENA_ARRAY(scratch, uint64_t, p->inst_count + 2), NULL, NULL,
             NULL};
  exec_options options = {.fill = FILL_RANDOM,
                          .seed = seed,
                          .step_limit = 2 * LONGEST_RUN,
                          .only_inst = i->index,
                          .only_kind = EVENT_OUTSIDE,
                          .recorder = record,
                          .recorder_context = &t};
  exec_event event = {0};
  exec_machine *m = exec_create(scratch, p, numbers, options, &event);
  uint32_t mask_at = c->access->effect == EFFECT_READ ? 1 : 2;
  bool drop = c->what == LANES && mask_at < i->operand_count;
  value_id mask = drop ? i->operands[mask_at] : VALUE_NONE;
  bool done = m != NULL;
  if (drop)
    i->operands[mask_at] = VALUE_NONE;
  if (done) {
    done = run_programs(m, lanes);
    *lanes += t.lanes[i->index];
  }
  if (drop)
    i->operands[mask_at] = mask;
  arena_destroy(scratch);
  return done;
}

static bool is_empty_grid(const tile_program *p, const assignment *numbers) {
  for (int axis = 0; axis < 3; axis++) {
    int64_t programs;
    if (!expr_eval(p->exprs, p->grid[axis], numbers->value, numbers->known,
                   &programs) ||
        programs <= 0)
      return true;
  }
  return false;
}

static void compare(const tile_program *p, const claim *c,
                    const assignment *numbers, uint64_t seed, const tally *all,
                    totals *sum) {
  uint64_t lanes = 0;
  int64_t value = 0;
  if (!c->exact || (c->in_sums && !all))
    return;
  uint32_t index = c->access->inst->index;
  if (c->what == DISTINCT) {
    if (!all || !all->elements)
      return;
    lanes = all->elements[index] ? map_count(all->elements[index]) : 0;
  } else if (all && c->what == LIVE)
    lanes = all->lanes[index];
  else if (!lanes_of(p, c, numbers, seed, &lanes))
    return;
  sum->compared++;
  evaluation e = {.claim = c, .program = p, .numbers = numbers};
  if (c->in_sums)
    e.contents = all->contents;
  bool known = is_empty_grid(p, numbers) ||
               (c->in_sums ? evaluate(&e, c->in_sums, &value)
                           : expr_eval(p->exprs, c->formula, numbers->value,
                                       numbers->known, &value));
  if (known && value == (int64_t)lanes)
    return;
  if (sum->failures++ > 5)
    return;
  printf("  %s line %u: `%s` is %lld, the interpreter counts %llu%s\n",
         p->kernel, c->access->inst->at.line, c->text, (long long)value,
         (unsigned long long)lanes, NAMES[c->what]);
  for (size_t i = 0; i < numbers->count; i++)
    printf("    %s = %lld\n", exprs_symbol_at(p->exprs, i)->name,
           (long long)numbers->value[i]);
}

static void check_program(tile_program *p, bool pinned, uint64_t launches,
                          bool verbose, totals *sum) {
  analysis_options options = {0};
  judge *j = judge_create(p->arena, p, pinned, options);
  size_t n = exprs_symbol_count(p->exprs);
  assignment numbers = {ARENA_ARRAY(p->arena, int64_t, n + 1),
                        ARENA_ARRAY(p->arena, bool, n + 1), n};
  uint64_t seed = 1, ran = 0;
  arena *scratch = arena_create();
  claim_vec claims = claims_of(j, sum);
  for (size_t i = 0; i < claims.count; i++) {
    const claim *c = &claims.at[i];
    sum->accesses++;
    sum->exact += c->exact;
    if (verbose)
      printf("  %s:%u %s%s%s: %s\n", p->kernel, c->access->inst->at.line,
             c->access->effect == EFFECT_READ ? "read" : "write",
             pinned ? " pinned" : "", NAMES[c->what],
             c->exact ? c->text : c->reason);
  }
  for (uint64_t k = 0; ran < launches && k < launches * 4; k++) {
    bool dense;
    tally all = {.lanes = ARENA_ARRAY(scratch, uint64_t, p->inst_count + 2),
                 .contents = map_create(scratch),
                 .scratch = scratch};
    tally unused = {ARENA_ARRAY(scratch, uint64_t, p->inst_count + 2), NULL,
                    NULL, NULL};
    if (!random_launch(p, pinned, numbers.value, numbers.known, &seed,
                       &dense) ||
        !fits(p, p->body, &numbers))
      continue;
    if (dense)
      all.elements = ARENA_ARRAY(scratch, map *, p->inst_count + 2);
    bool fine = run_all(p, &numbers, seed, EVENT_NONE, &all);
    if (!fine && !run_all(p, &numbers, seed, EVENT_DIV_ZERO, &unused))
      continue;
    ran++;
    for (size_t i = 0; i < claims.count; i++)
      if (claims.at[i].what != LANES || ran % 4 == 0)
        compare(p, &claims.at[i], &numbers, seed, fine ? &all : NULL, sum);
  }
  arena_destroy(scratch);
}

/* All kernels of the file, or those of a name. */
static totals check_file(const char *path, const char *kernel,
                         uint64_t launches, bool verbose) {
  totals sum = {0};
  arena *run = arena_create();
  const char *why = NULL;
  const source *text = source_read(run, path, &why);
  if (!text) {
    fprintf(stderr, "count_corpus: %s: %s\n", path, why);
    exit(2);
  }
  parse_options options = {0};
  parsed_file *file = parse_file(run, text, options);
  for (size_t k = 0; k < file->kernels.count; k++)
    for (size_t i = 0; i < file->kernels.at[k].programs.count; i++) {
      tile_program *p = file->kernels.at[k].programs.at[i];
      if (kernel && strcmp(kernel, p->kernel) != 0)
        continue;
      check_program(p, false, launches, verbose, &sum);
      if (launch_has_pins(p))
        check_program(p, true, launches, verbose, &sum);
    }
  arena_destroy(run);
  return sum;
}

int main(int argc, char **argv) {
  bool verbose = argc > 1 && strcmp(argv[1], "-v") == 0;
  int first = verbose ? 2 : 1;
  const char *kernel = NULL;
  if (argc > first + 1 && strcmp(argv[first], "--kernel") == 0) {
    kernel = argv[first + 1];
    first += 2;
  }
  if (argc < first + 2) {
    fprintf(stderr,
            "usage: count_corpus [-v] [--kernel NAME] LAUNCHES FILE...\n");
    return 2;
  }
  uint64_t launches = strtoull(argv[first], NULL, 10), failures = 0;
  for (int i = first + 1; i < argc; i++) {
    totals t = check_file(argv[i], kernel, launches, verbose);
    failures += t.failures;
    printf("%s: %llu of %llu exact, %llu comparisons, %llu failures, %.1f ms, "
           "longest %.1f\n",
           argv[i], (unsigned long long)t.exact, (unsigned long long)t.accesses,
           (unsigned long long)t.compared, (unsigned long long)t.failures,
           t.milliseconds, t.longest);
  }
  return failures ? 1 : 0;
}
