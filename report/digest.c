/* report/digest.c: the seal of a counterexample.
 *
 * The text that is hashed holds one `name=value` line for each number, in a
 * fixed order, then the tile program. Names are cleaned as in JSON, so that a
 * reader of the JSON computes the same. */
#include "base/map.h"
#include "report/report.h"
#include "report/utf8.h"

#include <inttypes.h>
#include <string.h>

static void put_name(strbuf *out, const char *key, const char *name) {
  strbuf_printf(out, "%s=", key);
  if (name)
    utf8_put_valid(out, name, strlen(name));
  strbuf_putc(out, '\n');
}

static void put_row(strbuf *out, const char *key, const int64_t *at,
                    size_t count) {
  strbuf_printf(out, "%s=", key);
  for (size_t i = 0; i < count; i++)
    strbuf_printf(out, "%" PRId64 ",", at[i]);
  strbuf_putc(out, '\n');
}

static void put_named(strbuf *out, const char *key, const named_number *at,
                      size_t count) {
  for (size_t i = 0; i < count; i++) {
    put_name(out, key, at[i].name);
    strbuf_printf(out, "%" PRId64 "\n", at[i].value);
  }
}

const char *witness_digest(arena *arena, const char *kernel, const verdict *v) {
  const witness *w = v->witness;
  strbuf text = strbuf_make(arena);
  put_name(&text, "kernel", kernel);
  put_name(&text, "buffer", v->buffer);
  strbuf_printf(&text, "code=%d\nat=%u:%u-%u:%u\n", (int)v->code, v->at.line,
                v->at.column, v->at.end_line, v->at.end_column);
  put_named(&text, "size", w->sizes, w->size_count);
  put_named(&text, "constexpr", w->constexprs, w->constexpr_count);
  put_row(&text, "program", w->program, w->program_rank);
  put_row(&text, "turns", w->turns, w->turn_count);
  put_row(&text, "lane", w->lane, w->lane_count);
  put_name(&text, "event", w->event);
  strbuf_printf(&text, "inst=%u\noffset=%" PRId64 "\nvalue=%" PRId64 "\n",
                w->inst, w->offset, w->value);
  strbuf_printf(&text, "other=%u\n", w->other);
  if (w->other)
    put_row(&text, "other program", w->other_program, w->program_rank);
  put_name(&text, "detail", w->detail);
  put_name(&text, "tile", w->tile);
  return arena_printf(arena, "%016" PRIx64, hash_bytes(text.text, text.length));
}
