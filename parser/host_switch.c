/* parser/host_switch.c: joined switches: symbols for what the launch leaves
 * open. */
#include "parser/host_state.h"

#include <string.h>

expr host_switch(host_run *r, const char *name, const char *const *labels,
                 uint32_t n, uint32_t line) {
  const char *fresh = host_fresh_name(r, name);
  for (size_t i = 0; i < r->host->split.count; i++)
    if (strcmp(r->host->split.at[i], fresh) == 0)
      return expr_int(r->t, host_choose(r, n));
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
  items[count] = (host_value){.kind = HOST_STRING, .another = true};
  labels[count] = "another text";
  host_value v = {.kind = HOST_CHOICE, .items = items, .count = count + 1};
  v.number = host_switch(r, name, labels, count + 1, line);
  return v;
}

expr host_chosen(host_run *r, host_value choice, uint32_t i) {
  expr c = expr_compare(r->t, EXPR_EQ, choice.number, expr_int(r->t, i));
  return host_known(r, c);
}

expr host_choice_truth(host_run *r, host_value v) {
  expr any = expr_int(r->t, 0);
  for (uint32_t i = 0; i < v.count; i++)
    any = expr_or(
        r->t, any,
        expr_and(r->t, host_chosen(r, v, i), host_truth(r, v.items[i])));
  return any;
}

expr host_choice_number(host_run *r, host_value v) {
  expr e = EXPR_NONE;
  for (uint32_t i = v.count; i-- > 0;) {
    expr item = v.items[i].kind == HOST_INT ? v.items[i].number : EXPR_NONE;
    if (item == EXPR_NONE)
      return EXPR_NONE;
    e = i + 1 == v.count ? item
                         : expr_select(r->t, host_chosen(r, v, i), item, e);
  }
  return e;
}

/* ------------------------------------------------------------------ texts */

/* Notes that a parameter is compared with a text. */
static void note_text(host_run *r, uint32_t slot, const char *text) {
  host_slot *s = host_slot_at(r, slot);
  for (size_t i = 0; i < s->texts.count; i++)
    if (strcmp(s->texts.at[i], text) == 0)
      return;
  VEC_PUSH(r->host->work, &s->texts, arena_strdup(r->host->work, text));
  r->changed = true;
}

static bool may_be_text(const host_slot *s) {
  return s->parameter && !s->tensor && !s->tensor_used && s->name &&
         s->symbol == EXPR_NONE && !s->truth_known;
}

/* What an open parameter is: one of its texts, or another. */
static host_value make_choice(host_run *r, uint32_t slot) {
  host_slot s = *host_slot_at(r, slot);
  names_vec texts = {0};
  for (size_t i = 0; i < s.texts.count; i++)
    VEC_PUSH(r->arena, &texts, arena_strdup(r->arena, s.texts.at[i]));
  s.decided =
      host_choice_of_texts(r, s.name, texts.at, (uint32_t)texts.count, s.line);
  s.decided.slot = slot;
  s.is_decided = true;
  *host_slot_at(r, slot) = s;
  return s.decided;
}

host_value host_text_choice(host_run *r, host_value v, const char *text) {
  bool open = v.kind == HOST_UNKNOWN && v.slot;
  if (!r->host->joined || !v.slot || (!open && v.kind != HOST_CHOICE) ||
      (open && !may_be_text(host_slot_at(r, v.slot))))
    return v;
  note_text(r, v.slot, text);
  return open ? make_choice(r, v.slot) : v;
}

bool host_choice_has(host_value choice, const char *text) {
  for (uint32_t i = 0; i < choice.count; i++)
    if (choice.items[i].kind == HOST_STRING && choice.items[i].text &&
        strcmp(choice.items[i].text, text) == 0)
      return true;
  return false;
}

/* ----------------------------------------------------------- dictionaries */

static const host_value *item_under(const host_value *dictionary,
                                    const char *key) {
  for (uint32_t i = dictionary->count; i-- > 0;)
    if (strcmp(dictionary->keys[i], key) == 0)
      return &dictionary->items[i];
  return NULL;
}

/* One of the texts is the key. Sound: another key raises an exception. */
static host_value look_up_choice(host_run *r, host_value dictionary,
                                 host_value key) {
  host_value *items = ARENA_ARRAY(r->arena, host_value, key.count + 1);
  for (uint32_t i = 0; i < key.count; i++) {
    const char *text = key.items[i].text;
    const host_value *item = text ? item_under(&dictionary, text) : NULL;
    items[i] = item ? *item : dictionary.items[0];
    if (!item)
      host_fact(r, expr_not(r->t, host_chosen(r, key, i)), FACT_HOST,
                r->p->launch_line);
  }
  key.items = items;
  key.slot = 0;
  return key;
}

/* A parameter that nobody has decided yet is one of the keys. */
static bool choose_key(host_run *r, host_value dictionary, host_value key,
                       host_value *out) {
  host_slot *s = key.slot ? host_slot_at(r, key.slot) : NULL;
  if (key.kind != HOST_UNKNOWN || !s || !may_be_text(s) || r->lazy ||
      r->reached || r->record)
    return false;
  uint32_t choice = host_choose(r, dictionary.count);
  s = host_slot_at(r, key.slot);
  s->is_decided = true;
  s->decided =
      (host_value){.kind = HOST_STRING, .text = dictionary.keys[choice]};
  *out = dictionary.items[choice];
  return true;
}

bool host_look_up(host_run *r, host_value dictionary, host_value key,
                  host_value *out) {
  key = host_settle(r, key);
  if (dictionary.kind != HOST_DICT || dictionary.count == 0)
    return false;
  if (!r->host->joined)
    return choose_key(r, dictionary, key, out);
  for (uint32_t i = 0; i < dictionary.count; i++)
    key = host_text_choice(r, key, dictionary.keys[i]);
  if (key.kind != HOST_CHOICE)
    return false;
  *out = look_up_choice(r, dictionary, key);
  return true;
}
