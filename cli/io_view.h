/* cli/io_view.h: from formulas to the rows of a report. */
#ifndef CLI_IO_VIEW_H
#define CLI_IO_VIEW_H

#include "report/io.h"
#include "traffic/io_at.h"

/* A row; `fixed` holds for the launch's numbers alone and may be null. With
 * values, every number gets its value there. bandwidth: of a GPU called
 * `gpu_name`, in bytes a second; 0: nobody asks. */
typedef struct io_view {
  arena *arena;
  const io_values *values; /* null: none */
  const char *gpu_name;
  double bandwidth;
} io_view;

io_function_row io_view_function(const io_view *view, const io_function *f,
                                 const io_function *fixed);
io_comparison io_view_comparison(const io_view *view, const io_function *first,
                                 const io_function *second,
                                 const char *first_name,
                                 const char *second_name);
/* Whether the total is long enough, or has cases, so that the numbers of the
 * launch are worth a line. */
bool io_view_is_long(const io_view *view, const io_function *f);

#endif
