/* report/cache_text.c: the results of `tilecheck cache`. */
#include "report/table.h"
#include "report/traffic.h"

static double milliseconds(double amount, double per_second) {
  return amount / per_second * 1e3;
}

double cache_memory_ms(const cache_view *v, const cache_result *r) {
  return milliseconds((double)r->missed_bytes, v->gpu->bandwidth);
}

double cache_compute_ms(const cache_view *v, const cache_result *r) {
  if (v->gpu->flops <= 0)
    return 0;
  return milliseconds((double)r->flops, v->gpu->flops);
}

static void put_machine(const cache_view *v, const cache_result *r,
                        strbuf *out) {
  strbuf_printf(out, "%s\n", v->title);
  strbuf_printf(out, "  %s programs in %s waves of %s, ",
                number_text(out->arena, r->programs),
                number_text(out->arena, r->waves),
                number_text(out->arena, v->wave));
  strbuf_printf(out, "cache of %s bytes", number_text(out->arena, v->l2));
  if (r->tile_bytes)
    strbuf_printf(out, ": %s tiles of %s bytes",
                  number_text(out->arena, v->l2 / r->tile_bytes),
                  number_text(out->arena, r->tile_bytes));
  strbuf_putc(out, '\n');
}

static void put_row(table *t, const char *name, int64_t tiles, int64_t bytes) {
  table_cell(t, "%s", name);
  table_number(t, tiles);
  table_number(t, bytes);
  table_cell(t, "%.2f GB", (double)bytes / 1e9);
}

static void put_times(const cache_view *v, const cache_result *r, strbuf *out) {
  double memory = cache_memory_ms(v, r), compute = cache_compute_ms(v, r);
  strbuf_printf(out, "  memory time %.3f ms at %.4g TB/s", memory,
                v->gpu->bandwidth / 1e12);
  if (compute > 0)
    strbuf_printf(out, ", compute time %.3f ms at %.4g TFLOP/s: %s", compute,
                  v->gpu->flops / 1e12,
                  memory > compute ? "memory is the limit"
                                   : "the memory time is covered");
  strbuf_printf(out, " (%s)\n", v->gpu->title);
}

void report_cache(const cache_view *v, const cache_result *r, strbuf *out) {
  table t = table_make(out->arena, "lrrr");
  put_machine(v, r, out);
  table_cell(&t, "%s", "");
  table_cell(&t, "tiles");
  table_cell(&t, "bytes");
  table_cell(&t, "%s", "");
  put_row(&t, "loaded", (int64_t)r->loads, r->loaded_bytes);
  put_row(&t, "distinct", (int64_t)r->tiles, r->distinct_bytes);
  put_row(&t, "missed", (int64_t)r->misses, r->missed_bytes);
  table_put(&t, 2, out);
  strbuf_printf(out, "  stores, not through the cache: %s bytes\n",
                number_text(out->arena, r->stored_bytes));
  put_times(v, r, out);
}

/* ------------------------------------------------------------------ sweep */

static void put_point(const cache_view *v, const cache_point *p, table *t) {
  table_number(t, p->value);
  if (!p->found) {
    table_cell(t, "no launch");
    for (int i = 0; i < 3; i++)
      table_cell(t, "%s", "");
    return;
  }
  table_number(t, (int64_t)p->result.misses);
  table_number(t, p->result.missed_bytes);
  table_cell(t, "%.2f", (double)p->result.missed_bytes / 1e9);
  table_cell(t, "%.4f", cache_memory_ms(v, &p->result));
}

static bool is_less(const cache_point *a, const cache_point *b) {
  return a->found && (!b || a->result.missed_bytes < b->result.missed_bytes);
}

void report_cache_sweep(const cache_view *v, const char *name,
                        const cache_point *points, size_t n, strbuf *out) {
  table t = table_make(out->arena, "rrrrr");
  const cache_point *best = NULL;
  table_cell(&t, "%s", name);
  table_cell(&t, "missed tiles");
  table_cell(&t, "bytes");
  table_cell(&t, "GB");
  table_cell(&t, "memory ms");
  for (size_t i = 0; i < n; i++) {
    put_point(v, &points[i], &t);
    if (is_less(&points[i], best))
      best = &points[i];
  }
  if (!best)
    return;
  put_machine(v, &best->result, out);
  table_put(&t, 2, out);
  strbuf_printf(out, "  least: %s = %s, %s bytes\n", name,
                number_text(out->arena, best->value),
                number_text(out->arena, best->result.missed_bytes));
  put_times(v, &best->result, out);
}
