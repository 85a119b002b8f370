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

/* Why the best layout is as good as it is, or no better. */
static void put_reason(const lane_tile *tile, const layout *l,
                       const coalesce_result *r, strbuf *out) {
  unsigned axis = l->order[0];
  int64_t stride = 0;
  bool even = coalesce_stride(tile, axis, &stride);
  strbuf_printf(out, "    axis %u first: ", axis);
  if (!even)
    strbuf_put(out, "its neighbours are not equally far apart in memory");
  else if (stride == 0)
    strbuf_put(out, "its lanes share one element");
  else if (stride == 1 || stride == -1)
    strbuf_put(out, "its neighbours are neighbours in memory");
  else
    strbuf_printf(out, "its neighbours are %s bytes apart",
                  number_text(out->arena, stride * tile->element_bytes));
  if (r->vector_bytes > tile->element_bytes)
    strbuf_printf(out, ", %" PRId64 " of them are one %" PRId64 "-byte access",
                  r->vector_bytes / tile->element_bytes, r->vector_bytes);
  strbuf_putc(out, '\n');
}

/* TC701: a layout that was given, and a tile that has no good one. */
static void put_hints(const coalesce_row *row, strbuf *out) {
  const coalesce_result *best = &row->best_result;
  const char *chosen = layout_text(out->arena, &row->best);
  for (size_t i = 0; i < row->given_count; i++)
    if (row->given_results[i].sectors > best->sectors)
      strbuf_printf(out, "    hint[TC701]: %s moves %s sectors, %s only %s\n",
                    layout_text(out->arena, &row->given[i]),
                    number_text(out->arena, row->given_results[i].sectors),
                    chosen, number_text(out->arena, best->sectors));
  if (best->wanted_bytes > SECTOR_BYTES && best->used <= 0.5)
    strbuf_printf(out,
                  "    hint[TC701]: no layout uses more than %.1f %% of the "
                  "sectors it moves\n",
                  100 * best->used);
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
  put_reason(row->tile, &row->best, &row->best_result, out);
  put_hints(row, out);
}
