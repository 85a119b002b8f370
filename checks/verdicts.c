/* checks/verdicts.c: phrases that all checks share. */
#include "checks/checks_run.h"
#include <ctype.h>

void text_add(arena *a, text_list *list, const char *text) {
  for (size_t i = 0; i < list->count; i++)
    if (strcmp(list->at[i], text) == 0)
      return;
  const char **more = ARENA_ARRAY(a, const char *, list->count + 1);
  if (list->count)
    memcpy(more, list->at, list->count * sizeof *more);
  more[list->count++] = text;
  list->at = more;
}

/* Where an instruction stands that came from another file. */
static void note_other_file(const check_input *in, const inst *at, verdict *v) {
  const call_site *c = &in->program->calls.at[at->call];
  if (at->call == 0 || !c->path)
    return;
  text_add(in->arena, &v->notes,
           arena_printf(in->arena, "in `%s`, %s line %u", c->callee, c->path,
                        at->inner.line));
}

verdict verdict_at(const check_input *in, check_id code, span at) {
  return (verdict){.code = code,
                   .kind = VERDICT_UNKNOWN,
                   .at = at,
                   .kernel = in->program->kernel,
                   .launch_line = in->program->launch_line};
}

verdict verdict_start(const check_input *in, check_id code, const inst *at,
                      const char *buffer) {
  verdict v = verdict_at(in, code, at->at);
  v.buffer = buffer;
  note_other_file(in, at, &v);
  return v;
}

bool verdict_same_requirements(const verdict *a, const verdict *b) {
  if (a->kind != b->kind || a->requires.count != b->requires.count)
    return false;
  for (size_t i = 0; i < a->requires.count; i++)
    if (strcmp(a->requires.at[i], b->requires.at[i]) != 0)
      return false;
  return true;
}

/* The name stands alone at `at`: not as a part of another, nor of a module. */
static bool is_call_of(const char *text, const char *at, const char *name) {
  bool free = at == text || !(strchr("._", at[-1]) || isalnum((uint8_t)at[-1]));
  return free && strncmp(at, name, strlen(name)) == 0;
}

const char *assert_line(arena *arena, const char *condition) {
  strbuf line = strbuf_make(arena);
  strbuf_put(&line, "assert ");
  for (const char *at = condition; *at; at++) {
    if (is_call_of(condition, at, "cdiv(") ||
        is_call_of(condition, at, "next_power_of_2("))
      strbuf_put(&line, "triton.");
    strbuf_putc(&line, *at);
  }
  return line.text;
}

static bool sizes_a_tensor(const tile_program *p, expr e) {
  for (size_t k = 0; k < p->tensors.count; k++)
    for (unsigned d = 0; d < p->tensors.at[k].rank; d++)
      if (p->tensors.at[k].extent[d] == e || p->tensors.at[k].stride[d] == e)
        return true;
  return false;
}

bool is_plain_argument(const tile_program *p, size_t symbol_) {
  const symbol *s = exprs_symbol_at(p->exprs, symbol_);
  expr e = exprs_symbol_expr(p->exprs, symbol_);
  if (s->role != SYMBOL_INT || sizes_a_tensor(p, e))
    return false;
  for (size_t i = 0; i < p->facts.count; i++) {
    fact_origin origin = p->facts.at[i].origin;
    if ((origin == FACT_CONTRACT || origin == FACT_OPTION) &&
        expr_mentions(p->exprs, p->facts.at[i].condition, e))
      return false;
  }
  return true;
}

void verdict_all_blocks(const check_input *in, verdict *v) {
  exprs *t = in->program->exprs;
  if (in->pinned_only) {
    verdict_pinned(in, v);
    return;
  }
  v->all_blocks = true;
  for (size_t i = 0; in->free && i < exprs_symbol_count(t); i++) {
    int64_t most = launch_free_limit(in->program, i);
    if (most)
      text_add(in->arena, &v->limits,
               arena_printf(in->arena, "%s <= %lld",
                            exprs_symbol_at(t, i)->name, (long long)most));
  }
}

void verdict_pinned(const check_input *in, verdict *v) {
  exprs *t = in->program->exprs;
  strbuf text = strbuf_make(in->arena);
  for (size_t i = 0; i < exprs_symbol_count(t); i++) {
    const symbol *s = exprs_symbol_at(t, i);
    if (s->pinned)
      strbuf_printf(&text, "%s%s = %lld", text.length ? ", " : "", s->name,
                    (long long)s->pin);
  }
  v->all_blocks = text.length == 0;
  if (text.length)
    text_add(in->arena, &v->configurations, text.text);
}

static void print_extents(const check_input *in, const tensor *x, strbuf *out) {
  for (unsigned d = 0; d < x->rank; d++) {
    strbuf_put(out, d ? " x " : "");
    expr_print(in->program->exprs, x->extent[d], out);
  }
  if (x->rank == 0)
    strbuf_put(out, "1");
}

void note_tensor(const check_input *in, verdict *v, uint32_t index) {
  const tensor *x = &in->program->tensors.at[index];
  strbuf text = strbuf_make(in->arena);
  if (!x->known)
    return;
  strbuf_printf(&text, "`%s` has ", x->name);
  print_extents(in, x, &text);
  strbuf_put(&text, " elements");
  if (x->origin)
    strbuf_printf(&text, ": %s", x->origin);
  if (x->line)
    strbuf_printf(&text, "%s line %u", x->origin ? "," : ":", x->line);
  text_add(in->arena, &v->notes, text.text);
}

void verdict_unknown(verdict *v, const judge *j, proof p, sym about) {
  const inst *loop = judge_result(j)->imprecise_loop;
  v->kind = VERDICT_UNKNOWN;
  if (p.trouble == TROUBLE_RESOURCE) {
    v->why = REASON_RESOURCE;
    v->why_detail = "the solver's resource limit ran out";
  } else if (p.trouble == TROUBLE_DEADLINE) {
    v->why = REASON_DEADLINE;
    v->why_detail = "the solver ran out of time on this machine";
  } else if (about != SYM_NONE && judge_depends_on_content(j, about)) {
    v->why = REASON_DATA;
    v->why_detail = "it depends on values that the kernel loads";
  } else if (about != SYM_NONE && judge_lost(j, about) && loop) {
    v->why = REASON_LOOP;
    v->why_detail = "a value that the loop changes has no closed form";
    v->why_at = loop->at;
  } else if (about != SYM_NONE && judge_lost(j, about)) {
    v->why = REASON_UNSUPPORTED;
    v->why_detail = "the address holds a value that is not followed";
  } else {
    v->why = REASON_NONLINEAR;
    v->why_detail = "no proof and no counterexample was found";
  }
}
