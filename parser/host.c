/* parser/host.c: finds the launches of a file and prepares their programs; see
 * host_state.h for how a launch is read. */
#include "parser/host.h"
#include "parser/host_state.h"

#include "base/panic.h"
#include "parser/integers.h"
#include "parser/lower.h"

#include <string.h>

enum { KERNEL_PROGRAMS = 64 }; /* of all launches of one kernel */

typedef host_task launch;
typedef VEC(launch) launch_vec;
typedef VEC(const char *) text_vec;

/* --------------------------------------------------------------- launches */

/* The outermost function around a node; no node: none. */
static node outermost_function(const host *h, node at) {
  node found = {.id = NULL};
  for (node n = at; node_is(n); n = node_parent(n))
    if (syntax_kind(h->syntax, n) == SYN_function_definition)
      found = n;
  return found;
}

/* Whether some other jit function calls this one. */
static bool is_helper(const host *h, const file_function *f) {
  for (size_t i = 0; i < h->names->functions.count; i++) {
    const file_function *caller = &h->names->functions.at[i];
    node root = caller->definition;
    if (!caller->jit || caller == f)
      continue;
    for (node n = root; node_is(n); n = node_walk(root, n, true))
      if (syntax_kind(h->syntax, n) == SYN_identifier &&
          node_text_is(h->syntax, n, f->name))
        return true;
  }
  return false;
}

static bool wanted(const host *h, const file_function *f) {
  return f->jit &&
         (!h->options.kernel || strcmp(h->options.kernel, f->name) == 0);
}

static launch_vec find_launches(const host *h) {
  launch_vec all = {0};
  node root = syntax_root(h->syntax);
  bool *launched = ARENA_ARRAY(h->work, bool, h->names->functions.count + 1);
  for (node n = root; node_is(n); n = node_walk(root, n, true)) {
    kernel_vec kernels = host_launched_kernels(h, n);
    for (size_t i = 0; i < kernels.count; i++) {
      launch one = {.kernel = kernels.at[i], .call = n};
      launched[one.kernel - h->names->functions.at] = true;
      if (wanted(h, one.kernel))
        VEC_PUSH(h->work, &all, one);
    }
  }
  for (size_t i = 0; i < h->names->functions.count; i++) {
    const file_function *f = &h->names->functions.at[i];
    launch one = {.kernel = f};
    if (wanted(h, f) && !launched[i] && !is_helper(h, f))
      VEC_PUSH(h->work, &all, one);
  }
  return all;
}

/* ------------------------------------------------------------ preparation */

static node innermost_function(const host *h, node at) {
  for (node n = at; node_is(n); n = node_parent(n))
    if (syntax_kind(h->syntax, n) == SYN_function_definition)
      return n;
  return (node){.id = NULL};
}

span host_lines_of(const host *h, node definition) {
  node around = node_parent(definition);
  if (!node_is(definition))
    return (span){0};
  bool decorated = syntax_kind(h->syntax, around) == SYN_decorated_definition;
  return node_span(h->syntax, decorated ? around : definition);
}

/* The function whose clauses a launch follows: plain functions inside another
 * one leave theirs to it. */
static span owner_of(const host *h, node call) {
  node f = innermost_function(h, call);
  for (node n = f; node_is(n); n = node_parent(n)) {
    if (syntax_kind(h->syntax, n) != SYN_function_definition)
      continue;
    f = n;
    if (syntax_kind(h->syntax, node_parent(n)) == SYN_decorated_definition)
      break;
  }
  return host_lines_of(h, f);
}

/* ----------------------------------------------------------------- locals */

static host_local *local_named(host_run *r, const char *name) {
  for (size_t i = 0; i < r->locals.count; i++)
    if (strcmp(r->locals.at[i].name, name) == 0)
      return &r->locals.at[i];
  host_local fresh = {.name = name};
  VEC_PUSH(r->arena, &r->locals, fresh);
  return &r->locals.at[r->locals.count - 1];
}

static void count_target(host_run *r, node target) {
  bool down = true;
  for (node n = target; node_is(n); n = node_walk(target, n, down)) {
    syn kind = host_kind_of(r, n);
    down = kind != SYN_attribute && kind != SYN_subscript && kind != SYN_call;
    if (kind == SYN_identifier)
      local_named(r, host_text(r, n))->bound++;
  }
}

/* Names of parameters count as bound once. */
void host_count_parameters(host_run *r, node definition) {
  for (node n = node_child(node_field(definition, "parameters"), 0); node_is(n);
       n = node_next(n)) {
    node name = node_field(n, "name");
    if (!node_is(name))
      name = host_kind_of(r, n) == SYN_identifier ? n : node_child(n, 0);
    if (host_kind_of(r, name) == SYN_identifier)
      local_named(r, host_text(r, name))->bound++;
  }
}

void host_count_locals(host_run *r, node root) {
  bool down = true;
  for (node n = root; node_is(n); n = node_walk(root, n, down)) {
    syn kind = host_kind_of(r, n);
    bool function =
        kind == SYN_function_definition || kind == SYN_class_definition;
    bool inside = host_holds_launch(r, n);
    down = kind != SYN_lambda && (!function || inside);
    if (kind == SYN_function_definition && inside)
      host_count_parameters(r, n);
    node target = host_bound_target(r, n);
    if (node_is(target) && !(function && inside))
      count_target(r, target);
  }
}

/* `num_warps=n`: no address depends on it. */
static bool is_tuning_option(host_run *r, node n) {
  return host_kind_of(r, n) == SYN_keyword_argument &&
         host_is_tuning(host_text(r, node_field(n, "name")));
}

/* Marks the names below; true if one is new. */
static bool mark_names(host_run *r, node root) {
  bool fresh = false, down = true;
  for (node n = root; node_is(n); n = node_walk(root, n, down)) {
    down = !is_tuning_option(r, n);
    if (host_kind_of(r, n) != SYN_identifier)
      continue;
    const char *name = host_text(r, n);
    for (size_t i = 0; i < r->locals.count; i++) {
      host_local *l = &r->locals.at[i];
      if (!l->relevant && strcmp(l->name, name) == 0)
        l->relevant = fresh = true;
    }
  }
  return fresh;
}

static bool names_relevant(host_run *r, node target) {
  for (node n = target; node_is(n); n = node_walk(target, n, true))
    if (host_kind_of(r, n) == SYN_identifier &&
        host_is_relevant(r, host_text(r, n)))
      return true;
  return false;
}

typedef struct dependence {
  node target, value;
} dependence;

static node computed_from(host_run *r, node n) {
  syn kind = host_kind_of(r, n);
  if (kind == SYN_function_definition && !host_holds_launch(r, n))
    return node_field(n, "body");
  if (kind == SYN_named_expression)
    return node_field(n, "value");
  if (kind == SYN_assignment || kind == SYN_augmented_assignment ||
      kind == SYN_for_statement)
    return node_field(n, "right");
  return (node){.id = NULL};
}

/* What the launch is computed from, through assignments. */
static void mark_relevant(host_run *r, node root) {
  VEC(dependence) all = {0};
  for (node n = root; node_is(n); n = node_walk(root, n, true)) {
    dependence d = {.value = computed_from(r, n)};
    if (!node_is(d.value))
      continue;
    d.target = host_bound_target(r, n);
    VEC_PUSH(r->arena, &all, d);
  }
  bool fresh = mark_names(r, r->launch);
  for (int pass = 0; fresh && pass < 20; pass++) {
    fresh = false;
    for (size_t i = 0; i < all.count; i++)
      if (node_is(all.at[i].value) && names_relevant(r, all.at[i].target)) {
        fresh |= mark_names(r, all.at[i].value);
        all.at[i].value.id = NULL;
      }
  }
}

/* ------------------------------------------------------------------- runs */

static void reset_slots(host_slots *slots) {
  node none = {.id = NULL};
  for (size_t i = 1; i < slots->count; i++) {
    host_slot *s = &slots->at[i];
    s->parameter = s->is_decided = s->not_none = s->size_asked = false;
    s->truth_known = false;
    s->default_value = none;
    s->annotation = NULL;
    s->symbol = s->absent = EXPR_NONE;
    s->tensor = 0;
  }
}

static host_run start_run(host *h, arena *arena, const launch *l,
                          host_slots *slots, const host_script *script,
                          bool quiet) {
  host_run r = {.host = h,
                .syntax = h->syntax,
                .names = h->names,
                .arena = arena,
                .kernel = l->kernel,
                .launch = l->call,
                .quiet = quiet,
                .slots = slots,
                .script = script,
                .product = 1};
  const source *file = syntax_source(h->syntax);
  r.p = program_create(arena, file->path, l->kernel->name);
  r.t = r.p->exprs;
  r.p->at = node_span(h->syntax, l->kernel->definition);
  r.guesses = l->guesses;
  r.locals = l->locals;
  reset_slots(slots);
  return r;
}

/* Line of the innermost loop of the host code around a node, 0: none. */
static uint32_t loop_around(host_run *r, node at) {
  for (node n = at; node_is(n); n = node_parent(n)) {
    syn kind = host_kind_of(r, n);
    if (kind == SYN_for_statement || kind == SYN_while_statement ||
        kind == SYN_list_comprehension || kind == SYN_generator_expression)
      return host_line(r, n);
  }
  return 0;
}

/* Where the launch stands, for those who run it. */
static void place_launch(host_run *r, node outer) {
  r->p->launch_line = host_line(r, r->launch);
  r->p->launch_at = node_span(r->syntax, r->launch);
  r->p->loop_line = loop_around(r, r->launch);
  if (!node_is(outer))
    return;
  r->p->function = host_text(r, node_field(outer, "name"));
  r->p->function_line = host_line(r, outer);
}

static void run_launch(host_run *r) {
  host *h = r->host;
  node outer = outermost_function(h, r->launch);
  node root = node_is(outer) ? outer : syntax_root(h->syntax);
  place_launch(r, outer);
  r->owner = owner_of(h, r->launch);
  r->host_function = innermost_function(h, r->launch);
  host_find_limit(r);
  r->p->max_numel = r->max_numel;
  if (node_is(outer)) {
    host_enter_function(r, outer);
  } else {
    r->frame = host_frame_of(r, (node){.id = NULL}, NULL);
    host_block(r, root);
  }
}

static void run_unlaunched(host_run *r) {
  host *h = r->host;
  r->owner = host_lines_of(h, r->kernel->definition);
  r->kernel_names = true;
  r->frame = host_frame_of(r, (node){.id = NULL}, NULL);
  host_find_limit(r);
  r->p->max_numel = r->max_numel;
  host_unlaunched(r);
  r->reached = true;
}

static host_run run_once(host *h, arena *arena, const launch *l,
                         host_slots *slots, const host_script *script,
                         bool quiet) {
  host_run r = start_run(h, arena, l, slots, script, quiet);
  if (node_is(l->function))
    host_run_function(&r, l->function);
  else if (node_is(l->call))
    run_launch(&r);
  else
    run_unlaunched(&r);
  return r;
}

/* What does not change from run to run. */
static void study(host *h, launch *l) {
  host_run r = {.host = h,
                .syntax = h->syntax,
                .names = h->names,
                .arena = h->work,
                .launch = l->call};
  l->guesses = params_guess(h->names->arena, h->names, l->kernel);
  if (!node_is(l->call))
    return;
  node outer = outermost_function(h, l->call);
  node root = node_is(outer) ? outer : syntax_root(h->syntax);
  host_count_locals(&r, root);
  mark_relevant(&r, root);
  l->locals = r.locals;
}

host_run host_run_task(host *h, const launch *l, const host_script *script,
                       host_script *taken, host_script *arity) {
  host_slots *slots = ARENA_NEW(h->work, host_slots);
  host_slot blank = {0};
  VEC_PUSH(h->work, slots, blank);
  for (int pass = 1;; pass++) {
    arena *scratch = arena_create();
    host_run r = run_once(h, scratch, l, slots, script, true);
    bool last = !r.changed || pass == HOST_PASSES;
    if (pass == 1 || r.taken.count > taken->count) {
      *taken = r.taken;
      *arity = r.arity;
    }
    arena_destroy(scratch);
    if (last)
      return run_once(h, h->arena, l, slots, script, node_is(l->function));
  }
}

static void add_prepared(host *h, host_run *r) {
  size_t n = r->guesses.count;
  binding *bindings = ARENA_ARRAY(h->arena, binding, n + 1);
  for (size_t i = 0; i < n; i++)
    bindings[i] =
        (binding){.name = r->guesses.at[i].name, .value = r->statics[i]};
  r->p->choice = host_choice_text(r, h->arena);
  prepared one = {.program = r->p,
                  .kernel = r->kernel,
                  .bindings = bindings,
                  .binding_count = n};
  VEC_PUSH(h->arena, h->out, one);
}

/* Choices of an early run may turn out to make no difference. */
static bool is_new(host *h, const host_run *r, text_vec *seen) {
  strbuf out = strbuf_make(h->work);
  program_print(r->p, &out);
  for (size_t i = 0; i < seen->count; i++)
    if (strcmp(seen->at[i], out.text) == 0)
      return false;
  VEC_PUSH(h->work, seen, out.text);
  return true;
}

bool host_next_script(host *h, host_script taken, host_script arity,
                      host_script *out) {
  size_t n = taken.count;
  while (n > 0 && taken.at[n - 1] + 1 >= arity.at[n - 1])
    n--;
  if (n == 0)
    return false;
  host_script next = {0};
  for (size_t i = 0; i < n; i++)
    VEC_PUSH(h->work, &next, taken.at[i] + (i == n - 1));
  *out = next;
  return true;
}

static void refuse_launch(host *h, const launch *l, const char *message) {
  node at = node_is(l->call) ? l->call : l->kernel->definition;
  notice n = {.kind = NOTICE_UNSUPPORTED,
              .at = node_span(h->syntax, at),
              .message = message,
              .kernel = l->kernel->name,
              .incomplete = true};
  VEC_PUSH(h->names->arena, h->notices, n);
}

/* Two parameters of one name: Python refuses that. */
static bool is_malformed(const launch *l) {
  for (size_t i = 0; i < l->guesses.count; i++)
    for (size_t k = 0; k < i; k++)
      if (strcmp(l->guesses.at[i].name, l->guesses.at[k].name) == 0)
        return true;
  return false;
}

/* The programs of one launch, one for each script. False: there are more than
 * `most`, or they are too many. */
static bool prepare_all(host *h, const launch *l, size_t most,
                        size_t *programs) {
  host_script script = {0};
  text_vec seen = {0};
  bool more = true, too_many = false;
  for (size_t i = 0; more && i < 2 * HOST_PROGRAMS && seen.count <= most; i++) {
    host_script taken = {0}, arity = {0};
    host_run r = host_run_task(h, l, &script, &taken, &arity);
    if (r.reached && !r.dead) {
      host_finish(&r);
      if (!r.dead && is_new(h, &r, &seen) && (*programs)++ < KERNEL_PROGRAMS)
        add_prepared(h, &r);
    }
    too_many = too_many || r.too_many || *programs > KERNEL_PROGRAMS;
    more = host_next_script(h, taken, arity, &script);
  }
  return !too_many && !more && seen.count <= most;
}

/* The name of a symbol that has to be enumerated, as one of the programs from
 * `first` on is none for all of its values; null: there is none such. */
static const char *torn_switch(host *h, size_t first) {
  for (size_t i = first; i < h->out->count; i++) {
    const prepared *one = &h->out->at[i];
    tile_program *trial = integers_retype(one->program, NULL, SC_ANY);
    exprs *t = trial->exprs;
    notice_vec ignored = {0};
    lower_kernel(trial, h->names, one->kernel->definition, one->bindings,
                 one->binding_count, h->work, &ignored);
    for (size_t k = 0; trial->torn && k < exprs_symbol_count(t); k++)
      if (exprs_symbol_at(t, k)->role == SYMBOL_SWITCH &&
          expr_mentions(t, trial->torn, exprs_symbol_expr(t, k)))
        return arena_strdup(h->work, exprs_symbol_at(t, k)->name);
  }
  return NULL;
}

/* Switches are symbols, but those on which types depend. */
static bool prepare_joined(host *h, const launch *l, size_t *programs) {
  size_t before = *programs, first = h->out->count;
  h->joined = true;
  h->split.count = 0;
  bool all = prepare_all(h, l, HOST_PROGRAMS, programs);
  for (int round = 0; all && round < HOST_SPLITS; round++) {
    const char *name = torn_switch(h, first);
    if (!name)
      return true;
    VEC_PUSH(h->work, &h->split, name);
    h->out->count = first;
    *programs = before;
    if (!prepare_all(h, l, HOST_SPLIT_PROGRAMS, programs)) {
      h->split.count--;
      h->out->count = first;
      *programs = before;
      return prepare_all(h, l, HOST_PROGRAMS, programs);
    }
  }
  return all;
}

static void prepare(host *h, launch *l, size_t *programs) {
  study(h, l);
  if (is_malformed(l)) {
    refuse_launch(h, l, "two parameters have the same name");
    return;
  }
  size_t before = *programs, prepared_before = h->out->count;
  bool join = h->options.join_switches;
  h->joined = false;
  bool all =
      prepare_all(h, l, join ? HOST_ENUMERATED : HOST_PROGRAMS, programs);
  if (!all && join) {
    h->out->count = prepared_before;
    *programs = before;
    all = prepare_joined(h, l, programs);
  }
  if (!all)
    refuse_launch(h, l,
                  "too many switches: only the first values of some of them "
                  "are checked");
  if (*programs == before)
    refuse_launch(h, l,
                  all ? "the host code never gets to this launch"
                      : "not checked: too many switches before this launch");
}

/* ---------------------------------------------------------------- notices */

static void add_notice(host *h, notice_kind kind, span at,
                       const char *message) {
  notice n = {.kind = kind, .at = at, .message = message};
  VEC_PUSH(h->names->arena, h->notices, n);
}

static void report_unused(host *h) {
  for (size_t i = 0; i < h->contract->clauses.count; i++) {
    const clause *c = &h->contract->clauses.at[i];
    if (!*c->used)
      add_notice(h, NOTICE_UNUSED, c->at, "this clause applies to nothing");
  }
}

static void report_options(host *h) {
  arena *a = h->names->arena;
  for (size_t i = 0; i < h->options.set_count; i++)
    if (!h->set_used[i])
      add_notice(h, NOTICE_UNUSED, (span){0},
                 arena_printf(a, "--set: nothing is called `%s`",
                              h->options.set_names[i]));
  for (size_t i = 0; i < h->options.assumption_count; i++)
    if (h->assumptions[i] && !h->assumption_used[i])
      add_notice(h, NOTICE_UNUSED, (span){0},
                 arena_printf(a, "--assume `%s`: no launch has these names",
                              h->options.assumptions[i]));
}

static void read_options(host *h) {
  size_t n = h->options.assumption_count;
  h->assumptions = ARENA_ARRAY(h->work, const term *, n + 1);
  h->assumption_used = ARENA_ARRAY(h->work, bool, n + 1);
  h->set_used = ARENA_ARRAY(h->work, bool, h->options.set_count + 1);
  for (size_t i = 0; i < n; i++) {
    uint32_t column = 0;
    const char *error = NULL;
    h->assumptions[i] =
        contract_condition(h->work, h->options.assumptions[i], &column, &error);
    if (!h->assumptions[i])
      add_notice(h, NOTICE_CONTRACT, (span){0},
                 arena_printf(h->names->arena, "--assume, column %u: %s",
                              column, error));
  }
}

void host_prepare(arena *kernel, const file_names *names,
                  const contract *contract, parse_options options,
                  notice_vec *notices, prepared_vec *out,
                  host_unit_vec *functions) {
  host h = {.arena = kernel,
            .work = arena_create(),
            .names = names,
            .syntax = names->syntax,
            .contract = contract,
            .options = options,
            .notices = notices,
            .out = out};
  read_options(&h);
  launch_vec launches = find_launches(&h);
  size_t *programs = ARENA_ARRAY(h.work, size_t, names->functions.count + 1);
  for (size_t i = 0; i < launches.count; i++) {
    launch *l = &launches.at[i];
    prepare(&h, l, &programs[l->kernel - names->functions.at]);
  }
  if (options.functions)
    host_read_functions(&h, functions);
  if (!options.kernel)
    report_unused(&h);
  report_options(&h);
  arena_destroy(h.work);
}
