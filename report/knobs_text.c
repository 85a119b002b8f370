/* report/knobs_text.c: the results of `tilecheck knobs`. */
#include "report/table.h"
#include "report/traffic.h"

static void put_head(const knob_row *row, table *t) {
  static const char *const heads[] = {"programs", "requested", "MiB",
                                      "distinct", "on chip",   "through L2"};
  for (size_t k = 0; k < row->knobs.count; k++)
    table_text(t, row->knobs.at[k].name);
  for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++)
    table_text(t, heads[i]);
}

static void put_costs(const knob_costs *c, table *t) {
  table_number(t, c->programs);
  table_number(t, c->requested_bytes);
  table_cell(t, "%.2f", (double)c->requested_bytes / (1 << 20));
  if (c->distinct_bytes < 0)
    table_text(t, "?");
  else
    table_number(t, c->distinct_bytes);
  if (c->on_chip_bytes)
    table_cell(t, "%g KB", (double)c->on_chip_bytes / 1024);
  else
    table_text(t, "-");
  table_number(t, c->l2_bytes);
}

const char *knobs_hint(arena *arena, const cache_view *v, const knob_row *row) {
  strbuf out = strbuf_make(arena);
  if (!row->found || v->gpu->registers == 0 ||
      row->costs.on_chip_bytes <= v->gpu->registers)
    return NULL;
  for (size_t k = 0; k < row->knobs.count; k++)
    strbuf_printf(&out, "%s%s = %s", k ? " " : "", row->knobs.at[k].name,
                  number_text(arena, row->knobs.at[k].value));
  strbuf_printf(&out,
                ": %s bytes on chip, the registers of a multiprocessor "
                "have %s",
                number_text(arena, row->costs.on_chip_bytes),
                number_text(arena, v->gpu->registers));
  return out.text;
}

static void put_hint(const cache_view *v, const knob_row *row, strbuf *out) {
  const char *hint = knobs_hint(out->arena, v, row);
  if (hint)
    strbuf_printf(out, "  hint[TC702]: %s\n", hint);
}

void report_knobs(const cache_view *v, const knob_row *rows, size_t n,
                  strbuf *out) {
  enum { COSTS = 6 };
  size_t knobs = rows[0].knobs.count;
  char *align = ARENA_ARRAY(out->arena, char, knobs + COSTS + 1);
  memset(align, 'r', knobs + COSTS);
  table t = table_make(out->arena, align);
  strbuf_printf(out, "%s\n", v->title);
  put_head(&rows[0], &t);
  for (size_t i = 0; i < n; i++) {
    for (size_t k = 0; k < knobs; k++)
      table_number(&t, rows[i].knobs.at[k].value);
    if (rows[i].found)
      put_costs(&rows[i].costs, &t);
    for (size_t k = 0; k < COSTS && !rows[i].found; k++)
      table_text(&t, k ? "" : "-");
  }
  table_put(&t, 2, out);
  for (size_t i = 0; i < n; i++)
    if (!rows[i].found)
      strbuf_printf(out, "  %s\n", rows[i].why);
  for (size_t i = 0; i < n; i++)
    put_hint(v, &rows[i], out);
  strbuf_printf(out, "  bytes; through an L2 of %s bytes in waves of %s (%s)\n",
                number_text(out->arena, v->l2),
                number_text(out->arena, v->wave), v->gpu->title);
}
