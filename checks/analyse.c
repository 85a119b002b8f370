/* checks/analyse.c: runs all checks on one tile program. */
#include "checks/analyse.h"
#include "checks/checks_run.h"

/* What the solver may spend on the free reading: it only adds to what is
 * proved, and where a block size is tied to the grid it must fail. */
enum { FREE_RLIMIT = 250000, FREE_BUDGET = 500000 };

static bool selected(const analysis_options *options, check_id id) {
  static const check_id row[] = {
#define CHECK(number, slug, severity, title) CHECK_##number,
#include "checks/checks.def"
#undef CHECK
  };
  if (!options->selected)
    return true;
  for (size_t i = 0; i < sizeof row / sizeof *row; i++)
    if (row[i] == id)
      return options->selected >> i & 1;
  return false;
}

static void dump(const judge *j, const analysis_dump *d) {
  const interp_result *r = judge_result(j);
  symtab *t = judge_launch(j)->syms;
  if (d->facts)
    for (size_t i = 0; i < judge_launch(j)->facts.count; i++) {
      sym_print(t, judge_launch(j)->facts.at[i], d->facts);
      strbuf_putc(d->facts, '\n');
    }
  for (size_t k = 0; d->access && k < r->accesses.count; k++) {
    const access *a = &r->accesses.at[k];
    strbuf_printf(d->access, "%u:%u %s", a->inst->at.line, a->inst->at.column,
                  op_name(a->inst->op));
    if (a->pointer.form == VALUE_POINTER && a->pointer.of != SYM_NONE) {
      strbuf_printf(
          d->access, " %s + ",
          judge_launch(j)->program->tensors.at[a->pointer.tensor].name);
      sym_print(t, a->pointer.of, d->access);
    }
    strbuf_put(d->access, "\n  mask ");
    sym_print(t, a->mask, d->access);
    for (size_t i = 0; i < a->facts.count; i++) {
      strbuf_put(d->access, "\n  path ");
      sym_print(t, a->facts.at[i], d->access);
    }
    strbuf_putc(d->access, '\n');
  }
}

bool analyse(tile_program *p, analysis_options options, const analysis_dump *d,
             verdict_vec *out, hint_vec *hints, prover_stats *stats) {
  verdict_vec all = {0};
  check_input in = {
      .program = p, .arena = p->arena, .out = &all, .hints = hints};
  in.pinned = judge_create(p->arena, p, true, options);
  if (judge_is_void(in.pinned))
    return false;
  options.prover.budget = FREE_BUDGET;
  options.prover.rlimit = FREE_RLIMIT;
  in.pinned_only = options.pinned_only;
  if (launch_has_pins(p) && p->decided.count == 0 && !options.pinned_only)
    in.free = judge_create(p->arena, p, false, options);
  if (d) {
    judge_log(in.pinned, d);
    dump(in.pinned, d);
  }
  check_bounds(&in);
  check_descriptor(&in);
  check_division(&in);
  check_overflow(&in);
  check_contract(&in);
  check_uninit(&in);
  check_races(&in);
  if (hints) {
    check_coalescing(&in);
    check_registers(&in);
  }
  for (size_t i = 0; i < all.count; i++)
    if (selected(&options, all.at[i].code))
      VEC_PUSH(p->arena, out, all.at[i]);
  if (!stats)
    return true;
  prover_stats_add(stats, judge_statistics(in.pinned));
  if (in.free)
    prover_stats_add(stats, judge_statistics(in.free));
  return true;
}
