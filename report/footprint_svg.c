/* report/footprint_svg.c: the tiles of each tensor as a drawing.
 *
 * Grids stand beside each other, outputs first. In an output, the tiles that
 * the first programs write carry their numbers, and a line goes from program
 * to program; in an input, the tiles that they read are filled. Colours follow
 * the reader's light or dark scheme. */
#include "report/traffic.h"

#include <inttypes.h>

enum {
  MARGIN = 24,
  GAP = 40,
  TITLE = 34,   /* above the grids, from the top margin */
  CAPTION = 44, /* of a grid: two lines */
  PANEL = 300,  /* the longer side of a grid */
  LEAST_CELL = 2,
  MOST_CELL = 28,
};

/* A class gives its colours for the light scheme, then for the dark one. */
static const char *const STYLE =
    "<style>\n"
    "text { font-family: system-ui, sans-serif; }\n"
    ".title { font-size: 15px; font-weight: 600; fill: #1b1f24; }\n"
    ".name { font-size: 14px; font-weight: 600; fill: #1b1f24; }\n"
    ".note { font-size: 12px; fill: #59636e; }\n"
    ".number { text-anchor: middle; fill: #7c2d12; }\n"
    "rect { shape-rendering: crispEdges; }\n"
    ".ground { fill: #ffffff; }\n"
    ".empty { fill: #e9ecef; }\n"
    ".read { fill: #1f6feb; }\n"
    ".write { fill: #fbbf77; }\n"
    ".lines { fill: none; stroke: #ffffff; stroke-width: 1; }\n"
    ".order { fill: none; stroke: #9a3412; stroke-opacity: 0.4;\n"
    "  stroke-linejoin: round; }\n"
    "@media (prefers-color-scheme: dark) {\n"
    "  .title, .name { fill: #e6edf3; }\n"
    "  .note { fill: #9198a1; }\n"
    "  .number { fill: #2a1505; }\n"
    "  .ground { fill: #0d1117; }\n"
    "  .empty { fill: #262c36; }\n"
    "  .read { fill: #58a6ff; }\n"
    "  .write { fill: #f0a35e; }\n"
    "  .lines { stroke: #0d1117; }\n"
    "  .order { stroke: #ffe0bd; }\n"
    "}\n"
    "</style>\n";

typedef struct frame {
  const footprint_grid *grid;
  int64_t first;
  double x, y, cell;
} frame;

static double cell_size(const footprint_grid *g) {
  uint32_t longer = g->rows > g->columns ? g->rows : g->columns;
  double size = longer ? (double)PANEL / longer : MOST_CELL;
  size = size > MOST_CELL ? MOST_CELL : size;
  return size < LEAST_CELL ? LEAST_CELL : size;
}

static double least_width(const footprint_grid *g, double cell) {
  double wide = g->columns * cell;
  return wide < 150 ? 150 : wide;
}

static void put_escaped(const char *text, strbuf *out) {
  for (; *text; text++) {
    if (*text == '<')
      strbuf_put(out, "&lt;");
    else if (*text == '&')
      strbuf_put(out, "&amp;");
    else
      strbuf_putc(out, *text);
  }
}

static void put_text(const char *class, double x, double y, const char *text,
                     strbuf *out) {
  strbuf_printf(out, "<text class=\"%s\" x=\"%g\" y=\"%g\">", class, x, y);
  put_escaped(text, out);
  strbuf_put(out, "</text>\n");
}

static double corner(const frame *f, uint32_t index, double origin) {
  return origin + index * f->cell;
}

static void put_rect(const char *class, double x, double y, double width,
                     double height, strbuf *out) {
  strbuf_printf(out,
                "<rect class=\"%s\" x=\"%g\" y=\"%g\" width=\"%g\" "
                "height=\"%g\"/>\n",
                class, x, y, width, height);
}

static void put_cell(const frame *f, const footprint_cell *c, const char *class,
                     strbuf *out) {
  put_rect(class, corner(f, c->column, f->x), corner(f, c->row, f->y), f->cell,
           f->cell, out);
}

/* Lines between the cells, over them. */
static void put_lines(const frame *f, strbuf *out) {
  double right = corner(f, f->grid->columns, f->x);
  double bottom = corner(f, f->grid->rows, f->y);
  if (f->cell < 4)
    return;
  strbuf_put(out, "<path class=\"lines\" d=\"");
  for (uint32_t c = 1; c < f->grid->columns; c++)
    strbuf_printf(out, "M%g %gV%g", corner(f, c, f->x), f->y, bottom);
  for (uint32_t r = 1; r < f->grid->rows; r++)
    strbuf_printf(out, "M%g %gH%g", f->x, corner(f, r, f->y), right);
  strbuf_put(out, "\"/>\n");
}

static void put_number(const frame *f, const footprint_cell *c, strbuf *out) {
  double size = f->cell * 0.45;
  if (f->cell < 15)
    return;
  strbuf_printf(out,
                "<text class=\"number\" x=\"%g\" y=\"%g\" "
                "font-size=\"%g\">%" PRId64 "</text>\n",
                corner(f, c->column, f->x) + f->cell / 2,
                corner(f, c->row, f->y) + f->cell / 2 + size * 0.36, size,
                c->program);
}

static bool is_touched(const frame *f, const footprint_cell *c) {
  return c->program < f->first;
}

/* No program writes two of the cells. */
static bool is_one_each(const frame *f) {
  const footprint_grid *g = f->grid;
  for (size_t i = 1; i < g->cells.count; i++)
    if (is_touched(f, &g->cells.at[i]) &&
        g->cells.at[i].program == g->cells.at[i - 1].program)
      return false;
  return true;
}

/* From program to program; cells are in the order of their programs. */
static void put_order(const frame *f, strbuf *out) {
  double middle = f->cell / 2;
  strbuf_printf(out, "<polyline class=\"order\" stroke-width=\"%g\" points=\"",
                f->cell > 12 ? 1.5 : 1.0);
  for (size_t i = 0; i < f->grid->cells.count; i++) {
    const footprint_cell *c = &f->grid->cells.at[i];
    if (is_touched(f, c))
      strbuf_printf(out, "%g,%g ", corner(f, c->column, f->x) + middle,
                    corner(f, c->row, f->y) + middle);
  }
  strbuf_put(out, "\"/>\n");
}

static void put_grid(const frame *f, strbuf *out) {
  const footprint_grid *g = f->grid;
  bool writes = g->direction == WRITES;
  size_t touched = 0;
  put_rect("empty", f->x, f->y, g->columns * f->cell, g->rows * f->cell, out);
  for (size_t i = 0; i < g->cells.count; i++) {
    if (!is_touched(f, &g->cells.at[i]))
      continue;
    put_cell(f, &g->cells.at[i], writes ? "write" : "read", out);
    touched++;
  }
  put_lines(f, out);
  if (writes && is_one_each(f))
    put_order(f, out);
  for (size_t i = 0; writes && i < g->cells.count; i++)
    if (is_touched(f, &g->cells.at[i]))
      put_number(f, &g->cells.at[i], out);
  put_text("name", f->x, f->y - 24, g->tensor, out);
  put_text("note", f->x, f->y - 8,
           arena_printf(out->arena, "%s %zu of %zu tiles",
                        writes ? "written:" : "read:", touched, g->cells.count),
           out);
}

/* Outputs first. */
static void put_grids(const footprint_grid_vec *grids, int64_t first,
                      strbuf *out, double *width, double *height) {
  double x = MARGIN, y = MARGIN + TITLE + CAPTION;
  for (int d = DIRECTIONS; d-- > 0;)
    for (size_t i = 0; i < grids->count; i++) {
      const footprint_grid *g = &grids->at[i];
      if (g->direction != (direction)d)
        continue;
      frame f = {g, first, x, y, cell_size(g)};
      put_grid(&f, out);
      double bottom = y + g->rows * f.cell;
      *height = bottom > *height ? bottom : *height;
      x += least_width(g, f.cell) + GAP;
    }
  *width = x - GAP;
}

void report_footprint_svg(const char *title, const footprint_grid_vec *grids,
                          int64_t first, strbuf *out) {
  strbuf body = strbuf_make(out->arena);
  double width = 0, height = 0;
  put_grids(grids, first, &body, &width, &height);
  double title_width = 9.0 * (double)strlen(title);
  width = (width > title_width ? width : title_width) + MARGIN;
  height += MARGIN;
  strbuf_printf(out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%g\" "
                "height=\"%g\" viewBox=\"0 0 %g %g\" role=\"img\">\n",
                width, height, width, height);
  strbuf_put(out, "<title>");
  put_escaped(title, out);
  strbuf_put(out, "</title>\n");
  strbuf_put(out, STYLE);
  strbuf_printf(out, "<rect class=\"ground\" width=\"%g\" height=\"%g\"/>\n",
                width, height);
  put_text("title", MARGIN, MARGIN + 12, title, out);
  strbuf_put(out, body.text);
  strbuf_put(out, "</svg>\n");
}
