/* report/io.h: what kernels and host functions move, as text, LaTeX, Markdown
 * and JSON (docs/io.schema.json).
 *
 * Formulas come as text in Python's notation and for LaTeX; numbers as decimal
 * digits, exact however large. */
#ifndef REPORT_IO_H
#define REPORT_IO_H

#include "base/source.h"
#include "base/strbuf.h"
#include <stdbool.h>

/* One of several cases of a formula: where `when` holds and those before do
 * not. */
typedef struct io_case_text {
  const char *when; /* null: always */
  const char *formula, *latex;
} io_case_text;

/* A number of elements, bytes or lanes. */
typedef struct io_number {
  const char *formula, *latex; /* null: not known */
  const io_case_text *cases;   /* two or more, else none */
  size_t case_count;
  const char *at;     /* its value at the sizes given; null: none */
  const char *reason; /* why it is not known */
  uint32_t line;      /* what the reason speaks of */
} io_number;

/* A share or ratio: a formula, and its value as text. */
typedef struct io_share {
  const char *formula, *latex; /* null: not known */
  const char *at;              /* rounded, for people; null: none */
  const char *number;          /* ... for programs */
} io_share;

typedef struct io_amount {
  io_number elements, bytes;
} io_amount;

/* An access of a kernel. */
typedef struct io_access_row {
  span at;
  const char *op;
  const char *tensor; /* null: nobody knows */
  bool reads, writes;
  io_amount moved;
  io_share idle;
} io_access_row;

/* A tensor of a kernel: what is asked for in all, and how many elements that
 * are. */
typedef struct io_tensor_row {
  const char *name, *role;
  bool read;
  io_number requested, distinct;
  io_share times; /* requested/distinct */
} io_tensor_row;

/* An operator or launch of a host function. */
typedef struct io_step_row {
  span at;
  const char *name;
  bool launch;
  io_amount reads, writes;
} io_step_row;

typedef struct io_function_row {
  const char *name;
  uint32_t line;
  bool kernel;
  uint32_t launch_line; /* 0: none */
  const char *choice, *only;
  const io_access_row *accesses;
  size_t access_count;
  const io_tensor_row *tensors;
  size_t tensor_count;
  const io_step_row *steps;
  size_t step_count;
  io_amount reads, writes, total, atomic;
  bool has_atomic;
  io_share idle;
  bool has_on_chip; /* a kernel with dots */
  io_number on_chip;
  /* The total for the numbers of the launch, where that of all is long or has
   * cases; "" else. */
  const char *fixed_names;
  io_amount fixed;
  const char *time; /* roofline, "3.40 us on h100 (3.35 TB/s)"; null: none */
  const char *no_value; /* why there are no values; null: there are, or nobody
                           asked */
  const char *const *assumptions;
  size_t assumption_count;
} io_function_row;

typedef struct io_file_row {
  const char *path;
  const char *unreadable; /* null: it was read */
  const io_function_row *functions;
  size_t function_count;
} io_file_row;

/* The first function against another one. */
typedef struct io_comparison {
  const char *first, *second;
  io_share elements, bytes;
  io_share limit;     /* of elements, as all sizes grow */
  const char *reason; /* why there is none */
} io_comparison;

typedef struct io_report {
  const io_file_row *files;
  size_t file_count;
  const io_comparison *comparisons;
  size_t comparison_count;
} io_report;

void io_text(const io_report *r, strbuf *out);
void io_markdown(const io_report *r, strbuf *out);
void io_latex(const io_report *r, strbuf *out);
void io_json(const io_report *r, strbuf *out);

#endif
