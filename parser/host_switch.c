/* parser/host_switch.c: joined switches: symbols for what the launch leaves
 * open. */
#include "parser/host_state.h"

expr host_switch(host_run *r, const char *name, const char *const *labels,
                 uint32_t n, uint32_t line) {
  symbol s = {
      .role = SYMBOL_SWITCH, .line = line, .labels = labels, .label_count = n};
  return host_symbol(r, name, s);
}

expr host_switch_truth(host_run *r, const char *name, uint32_t line) {
  static const char *const truths[] = {"False", "True"};
  expr e = host_switch(r, name, truths, 2, line);
  return expr_compare(r->t, EXPR_NE, e, expr_int(r->t, 0));
}

host_value host_choice_of_texts(host_run *r, const char *name,
                                const char *const *texts, uint32_t count,
                                uint32_t line) {
  host_value *items = ARENA_ARRAY(r->arena, host_value, count + 1);
  const char **labels = ARENA_ARRAY(r->arena, const char *, count + 1);
  for (uint32_t i = 0; i < count; i++) {
    items[i] = (host_value){.kind = HOST_STRING, .text = texts[i]};
    labels[i] = arena_printf(r->arena, "'%s'", texts[i]);
  }
  host_value v = {.kind = HOST_CHOICE, .items = items, .count = count};
  v.number = host_switch(r, name, labels, count, line);
  return v;
}

expr host_chosen(host_run *r, host_value choice, uint32_t i) {
  return expr_compare(r->t, EXPR_EQ, choice.number, expr_int(r->t, i));
}

expr host_choice_truth(host_run *r, host_value v) {
  expr any = expr_int(r->t, 0);
  for (uint32_t i = 0; i < v.count; i++)
    any = expr_or(
        r->t, any,
        expr_and(r->t, host_chosen(r, v, i), host_truth(r, v.items[i])));
  return any;
}
