/* report/footprint_text.c: the results of `tilecheck footprint`. */
#include "report/table.h"
#include "report/traffic.h"

#include <inttypes.h>
#include <stdio.h>

static const char *bytes_text(arena *arena, int64_t elements,
                              int64_t element_bytes) {
  int64_t bytes;
  if (elements < 0)
    return "too many to count";
  if (element_bytes == 0)
    return arena_printf(arena, "%s elements", number_text(arena, elements));
  if (!mul_ok(elements, element_bytes, &bytes))
    return "more than 2**63";
  return number_text(arena, bytes);
}

static void put_use(table *t, const footprint_use *use, const char *what) {
  table_cell(t, "%s", what);
  table_cell(t, "%s", use->tensor);
  table_number(t, (int64_t)use->tiles);
  table_text(t, footprint_bands(t->arena, use));
  table_cell(t, "%s", bytes_text(t->arena, use->elements, use->element_bytes));
  table_cell(t, "%s", bytes_text(t->arena, use->lanes, use->element_bytes));
  if (use->elements > 0)
    table_cell(t, "%.2f", (double)use->lanes / (double)use->elements);
  else
    table_text(t, "");
}

/* "(3 + 3) x 9" when all bands that are read have equally many tiles. */
static const char *sum_of_bands(const footprint *f, arena *arena) {
  strbuf out = strbuf_make(arena);
  uint64_t tiles = 0;
  for (size_t i = 0; i < f->uses.count; i++) {
    const footprint_use *use = &f->uses.at[i];
    if (use->direction == WRITES)
      continue;
    if (!use->bands || !use->band_tiles || (tiles && use->band_tiles != tiles))
      return "";
    tiles = use->band_tiles;
    strbuf_printf(&out, "%s%" PRIu64, out.length ? " + " : "(", use->bands);
  }
  strbuf_printf(&out, ") x %" PRIu64, tiles);
  return out.text;
}

static void put_total(table *t, const footprint *f) {
  table_text(t, "");
  table_text(t, "in all");
  table_number(t, (int64_t)footprint_tiles_read(f));
  table_text(t, sum_of_bands(f, t->arena));
  for (int i = 0; i < 3; i++)
    table_text(t, "");
}

static void put_uses(const footprint *f, strbuf *out) {
  static const char *const heads[] = {"",         "tensor",    "tiles", "bands",
                                      "distinct", "requested", "times"};
  static const char *const words[] = {"reads", "writes"};
  table t = table_make(out->arena, "llrrrrr");
  size_t count[DIRECTIONS] = {0};
  for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++)
    table_cell(&t, "%s", heads[i]);
  for (int d = 0; d < DIRECTIONS; d++) {
    for (size_t i = 0; i < f->uses.count; i++)
      if (f->uses.at[i].direction == (direction)d)
        put_use(&t, &f->uses.at[i], count[d]++ ? "" : words[d]);
    if (d == READS && count[d] > 1)
      put_total(&t, f);
  }
  table_put(&t, 2, out);
}

/* "9", or "7, 6, 6, 6" when programs differ. */
static void put_per_program(const footprint_use *use, int64_t programs,
                            strbuf *out) {
  enum { MOST = 64 };
  bool equal = true;
  for (int64_t p = 1; p < programs; p++)
    equal = equal && use->per_program[p] == use->per_program[0];
  for (int64_t p = 0; p < (equal ? 1 : programs); p++) {
    if (p == MOST) {
      strbuf_put(out, ", ...");
      return;
    }
    strbuf_printf(out, "%s%" PRIu32, p ? ", " : "", use->per_program[p]);
  }
}

static void put_programs(const footprint *f, strbuf *out) {
  if (f->first == 0)
    return;
  strbuf_put(out, "  tiles of each program:\n");
  table t = table_make(out->arena, "lll");
  for (size_t i = 0; i < f->uses.count; i++) {
    const footprint_use *use = &f->uses.at[i];
    strbuf list = strbuf_make(out->arena);
    put_per_program(use, f->first, &list);
    table_cell(&t, "%s", use->direction == READS ? "reads" : "writes");
    table_cell(&t, "%s", use->tensor);
    table_text(&t, list.text);
  }
  table_put(&t, 4, out);
}

void report_band_formulas(const band_formulas *b, strbuf *out) {
  table t = table_make(out->arena, "lll");
  if (b->all.count == 0)
    return;
  strbuf_put(out, "  bands of the first P programs");
  if (b->limit)
    strbuf_printf(out, ", for P up to %s", b->limit);
  strbuf_put(out, ":\n");
  for (size_t i = 0; i < b->all.count; i++) {
    const band_formula *f = &b->all.at[i];
    table_cell(&t, "%s", f->direction == READS ? "reads" : "writes");
    table_cell(&t, "%s", f->tensor);
    table_cell(&t, "%s", f->formula);
  }
  table_put(&t, 4, out);
}

void report_notes(const launch_head *h, strbuf *out) {
  for (size_t i = 0; i < h->contiguous_count; i++)
    strbuf_printf(out, "%s%s",
                  i ? ", " : "  taken as contiguous: ", h->contiguous[i]);
  strbuf_put(out, h->contiguous_count ? " (no strides are given)\n" : "");
  for (size_t i = 0; i < h->left_out_count; i++)
    strbuf_printf(out, "  not counted: line %" PRIu32 ": %s\n",
                  h->left_out[i].line, h->left_out[i].reason);
}

void report_loops(const loop_turns_vec *loops, strbuf *out) {
  for (size_t i = 0; i < loops->count; i++)
    strbuf_printf(out, "  loop on line %" PRIu32 ": %s = %s turns\n",
                  loops->at[i].line, loops->at[i].formula,
                  number_text(out->arena, loops->at[i].turns));
}

void report_footprint(const char *title, const footprint *f, strbuf *out) {
  strbuf_printf(out, "%s\n", title);
  if (f->first == f->programs)
    strbuf_printf(out, "  all %s programs\n",
                  number_text(out->arena, f->programs));
  else
    strbuf_printf(out, "  the first %s of %s programs\n",
                  number_text(out->arena, f->first),
                  number_text(out->arena, f->programs));
  put_uses(f, out);
  put_programs(f, out);
}

/* ------------------------------------------------------------------ sweep */

void report_footprint_sweep(const char *title, const char *name,
                            const footprint_point *points, size_t n,
                            strbuf *out) {
  table t = table_make(out->arena, "rrl");
  const footprint_point *best = NULL;
  strbuf_printf(out, "%s\n", title);
  table_cell(&t, "%s", name);
  table_cell(&t, "tiles read");
  table_cell(&t, "bands");
  for (size_t i = 0; i < n; i++) {
    const footprint_point *p = &points[i];
    table_number(&t, p->value);
    if (!p->found) {
      table_cell(&t, "%s", "-");
      table_cell(&t, "no such launch");
      continue;
    }
    if (!best || p->tiles < best->tiles)
      best = p;
    table_number(&t, (int64_t)p->tiles);
    table_text(&t, p->bands);
  }
  table_put(&t, 2, out);
  if (best)
    strbuf_printf(out, "  fewest: %s = %" PRId64 ", %s tiles\n", name,
                  best->value, number_text(out->arena, (int64_t)best->tiles));
}

const char *report_bands(arena *arena, const footprint *f) {
  strbuf out = strbuf_make(arena);
  for (size_t i = 0; i < f->uses.count; i++) {
    const footprint_use *use = &f->uses.at[i];
    if (use->direction == WRITES)
      continue;
    strbuf_printf(&out, "%s%s %s", out.length ? ", " : "", use->tensor,
                  footprint_bands(arena, use));
  }
  return out.text;
}

/* ---------------------------------------------------------------- picture */

typedef struct panel {
  const char **lines;
  size_t count, width;
} panel;

enum { MOST_CELLS = 32 };

static int digits_of(int64_t value) {
  char text[32];
  return snprintf(text, sizeof text, "%" PRId64, value);
}

/* Cells of the grid as text: `.` for none, else its program (order) or `#`. */
static panel panel_of(arena *arena, const footprint_grid *g, int64_t first) {
  int cell = g->direction == WRITES ? digits_of(first - 1) + 1 : 2;
  panel p = {.count = g->rows + 1, .width = g->columns * (size_t)cell};
  size_t touched = 0;
  p.lines = ARENA_ARRAY(arena, const char *, p.count);
  for (uint32_t r = 0; r < g->rows; r++) {
    char *line = ARENA_ARRAY(arena, char, p.width + 1);
    for (uint32_t c = 0; c < g->columns; c++)
      snprintf(line + c * (size_t)cell, (size_t)cell + 1, "%-*s", cell, ".");
    p.lines[r + 1] = line;
  }
  for (size_t i = 0; i < g->cells.count; i++) {
    const footprint_cell *x = &g->cells.at[i];
    char text[32] = "#";
    if (x->program >= first)
      continue;
    touched++;
    if (g->direction == WRITES)
      snprintf(text, sizeof text, "%" PRId64, x->program);
    char *at = (char *)p.lines[x->row + 1] + x->column * (size_t)cell;
    memset(at, ' ', (size_t)cell);
    memcpy(at, text, strlen(text));
  }
  p.lines[0] = g->direction == WRITES
                   ? arena_printf(arena, "%s: who writes", g->tensor)
                   : arena_printf(arena, "%s: %zu of %zu", g->tensor, touched,
                                  g->cells.count);
  size_t title = strlen(p.lines[0]);
  p.width = title > p.width ? title : p.width;
  return p;
}

static bool fits(const footprint_grid_vec *grids) {
  for (size_t i = 0; i < grids->count; i++)
    if (grids->at[i].rows > MOST_CELLS || grids->at[i].columns > MOST_CELLS)
      return false;
  return grids->count > 0;
}

bool report_footprint_picture(const footprint_grid_vec *grids, int64_t first,
                              strbuf *out) {
  if (!fits(grids))
    return false;
  panel *panels = ARENA_ARRAY(out->arena, panel, grids->count);
  size_t lines = 0;
  table t = table_make(out->arena, "");
  char *align = ARENA_ARRAY(out->arena, char, grids->count + 1);
  for (size_t i = 0; i < grids->count; i++) {
    panels[i] = panel_of(out->arena, &grids->at[i], first);
    lines = panels[i].count > lines ? panels[i].count : lines;
    align[i] = 'l';
  }
  t.align = align;
  for (size_t line = 0; line < lines; line++)
    for (size_t i = 0; i < grids->count; i++)
      table_text(&t, line < panels[i].count ? panels[i].lines[line] : "");
  strbuf_putc(out, '\n');
  table_put(&t, 2, out);
  return true;
}
