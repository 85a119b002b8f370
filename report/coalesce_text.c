/* report/coalesce_text.c: the results of `tilecheck coalesce`. */
#include "report/table.h"
#include "report/traffic.h"

#include <inttypes.h>

static void put_shape(const tile_shape *s, strbuf *out) {
  for (unsigned d = 0; d < s->rank; d++)
    strbuf_printf(out, "%s%" PRId64, d ? "x" : "", s->extent[d]);
}

static const char *layout_text(arena *arena, const layout *l) {
  strbuf out = strbuf_make(arena);
  layout_put(l, &out);
  return out.text;
}

static void put_row(const char *name, const layout *l, const coalesce_result *r,
                    table *t) {
  table_text(t, name);
  table_text(t, layout_text(t->arena, l));
  table_cell(t, "%" PRId64 " bytes", r->vector_bytes);
  table_number(t, r->instructions);
  table_number(t, r->sectors);
  table_number(t, r->segments);
  table_cell(t, "%.1f %%", 100 * r->used);
}

const char *coalesce_reason(arena *arena, const coalesce_row *row) {
  const coalesce_result *r = &row->best_result;
  unsigned axis = row->best.order[0];
  strbuf out = strbuf_make(arena);
  int64_t stride = 0, bytes = row->tile->element_bytes;
  bool even = coalesce_stride(row->tile, axis, &stride);
  strbuf_printf(&out, "axis %u first: ", axis);
  if (!even)
    strbuf_put(&out, "its neighbours are not equally far apart in memory");
  else if (stride == 0)
    strbuf_put(&out, "its lanes share one element");
  else if (stride == 1 || stride == -1)
    strbuf_put(&out, "its neighbours are neighbours in memory");
  else
    strbuf_printf(&out, "its neighbours are %s bytes apart",
                  number_text(arena, stride * bytes));
  if (r->vector_bytes > bytes)
    strbuf_printf(&out, ", %" PRId64 " of them are one %" PRId64 "-byte access",
                  r->vector_bytes / bytes, r->vector_bytes);
  return out.text;
}

static const char *hint_of(arena *arena, const coalesce_row *row, size_t i) {
  return arena_printf(arena, "%s moves %s sectors, %s only %s",
                      layout_text(arena, &row->given[i]),
                      number_text(arena, row->given_results[i].sectors),
                      layout_text(arena, &row->best),
                      number_text(arena, row->best_result.sectors));
}

text_list coalesce_hints(arena *arena, const coalesce_row *row) {
  text_list out = {ARENA_ARRAY(arena, const char *, row->given_count + 1), 0};
  const coalesce_result *best = &row->best_result;
  if (row->tile->live == 0)
    return out;
  for (size_t i = 0; i < row->given_count; i++)
    if (row->given_results[i].sectors > best->sectors)
      out.at[out.count++] = hint_of(arena, row, i);
  if (best->wanted_bytes > SECTOR_BYTES && best->used <= 0.5)
    out.at[out.count++] = arena_printf(
        arena, "no layout uses more than %.1f %% of the sectors it moves",
        100 * best->used);
  return out;
}

static void put_hints(const coalesce_row *row, strbuf *out) {
  text_list hints = coalesce_hints(out->arena, row);
  for (size_t i = 0; i < hints.count; i++)
    strbuf_printf(out, "    hint[TC701]: %s\n", hints.at[i]);
}

void report_coalesce(const coalesce_row *row, strbuf *out) {
  static const char *const heads[] = {
      "", "layout", "vector", "warp accesses", "sectors", "segments", "used"};
  table t = table_make(out->arena, "llrrrrr");
  strbuf_printf(out, "  line %u: %s `%s`, a tile of ", row->line, row->what,
                row->tensor);
  put_shape(&row->tile->shape, out);
  strbuf_printf(out, " elements of %" PRId64 " bytes",
                row->tile->element_bytes);
  if (row->tile->live < (int64_t)row->tile->lanes)
    strbuf_printf(out, ", %s live", number_text(out->arena, row->tile->live));
  strbuf_putc(out, '\n');
  if (row->tile->live == 0) {
    strbuf_put(out, "    never made at these sizes\n");
    return;
  }
  for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++)
    table_text(&t, heads[i]);
  for (size_t i = 0; i < row->given_count; i++)
    put_row("given", &row->given[i], &row->given_results[i], &t);
  put_row("chosen", &row->best, &row->best_result, &t);
  table_put(&t, 4, out);
  strbuf_printf(out, "    %s\n", coalesce_reason(out->arena, row));
  put_hints(row, out);
}
