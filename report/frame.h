/* report/frame.h: a line of source with carets under a span. */
#ifndef REPORT_FRAME_H
#define REPORT_FRAME_H

#include "base/source.h"
#include "base/strbuf.h"
#include "report/report.h"

typedef enum ink {
  INK_OFF,
  INK_ERROR,
  INK_WARNING,
  INK_NOTE,
  INK_GOOD,
  INK_GUTTER,
  INK_BOLD,
} ink;

/* The escape sequence, "" without colour. */
const char *ink_text(text_style style, ink which);

/* Columns of the line numbers of a frame at this line. */
unsigned frame_gutter(span at);
/* Appends, for a span of line 12,
 *
 *    |
 * 12 |     tl.store(out_ptr + offsets, x + y)
 *    |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ label
 *    |
 *
 * A span of several lines is marked on its first. Long lines are cut. Nothing
 * is appended when the line does not exist. `label` may be null. */
void frame_put(strbuf *out, const source *source, span at, const char *label,
               text_style style, ink caret);

#endif
