/* traffic/latex.h: formulas for LaTeX's mathematics mode. */
#ifndef TRAFFIC_LATEX_H
#define TRAFFIC_LATEX_H

#include "analysis/sym.h"

/* `5 M N + 2 M`, `K M \left\lceil N / \mathit{BLOCK\_N} \right\rceil`. */
void latex_print(symtab *t, sym formula, strbuf *out);

#endif
