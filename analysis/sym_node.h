/* analysis/sym_node.h: inside of the symbol table, for sym*.c only.
 *
 * Nodes are immutable once interned. `hash` is structural: it depends on names
 * and shape, never on handles, so that orders built on it repeat whatever was
 * created before. */
#ifndef ANALYSIS_SYM_NODE_H
#define ANALYSIS_SYM_NODE_H

#include "analysis/sym.h"
#include "base/panic.h"

/* Products and sums beyond these sizes become unknowns. */
enum { SYM_MAX_TERMS = 512, SYM_MAX_DEGREE = 16, SYM_MAX_PRODUCT = 8192 };

typedef struct sym_node {
  sym_kind kind;
  sym_role role; /* of a variable */
  uint8_t roles; /* bit per sym_role that occurs anywhere below */
  bool applied;  /* an uninterpreted application occurs below */
  uint32_t fn;   /* of an application */
  uint32_t operand_count, term_count;
  const sym *operands;
  const sym_term *terms; /* integers only */
  int64_t value;         /* of a constant */
  const char *name;      /* of a variable */
  uint64_t hash;         /* structural */
  uint64_t below;        /* Bloom signature of all atoms that occur */
} sym_node;

/* Marks of walks over expressions; a walk owns one stamp. */
typedef struct sym_marks {
  uint32_t *stamp; /* per handle */
  sym *image;      /* of substitutions */
  int128 *value;   /* of evaluations */
  size_t room;
  uint32_t last;
} sym_marks;

struct symtab {
  arena *arena;
  sym_node *nodes; /* by handle; entry 0 is unused */
  size_t count, room;
  uint32_t *slots; /* open addressing, a power of two of them */
  size_t slot_count;
  uint64_t unknowns;
  sym_term *work_terms; /* scratch of one polynomial operation */
  size_t work_term_room;
  sym *work_atoms;
  size_t work_atom_room;
  sym_marks *marks;
  const char **fn_names;
  size_t fn_name_count;
};

static inline const sym_node *sym_at(const symtab *t, sym e) {
  assert(e != SYM_NONE && e <= t->count);
  return &t->nodes[e];
}

/* The handle of the node equal to *probe (hash, roles, applied and below are
 * filled in here; operands, terms and the name are copied when it is new). */
sym sym_intern(symtab *t, const sym_node *probe);
/* A node with kind and operands. */
sym sym_intern_op(symtab *t, sym_kind kind, const sym *operands, size_t n);
/* The integer whose sorted, combined terms are given; drops zeros. */
sym sym_from_terms(symtab *t, sym_term *terms, size_t n);
/* e * factor, and e + constant; unknown on overflow. */
sym sym_scale(symtab *t, sym e, int64_t factor);
/* Negative, zero, positive as a comes before, with, after b: degree
 * descending, then atoms; compatible with multiplication. */
int sym_term_order(const sym_term *a, const sym_term *b);
sym_term *sym_work_terms(symtab *t, size_t n);
sym *sym_work_atoms(symtab *t, size_t n);
/* Starts a walk: room for all handles, a stamp of its own. */
uint32_t sym_walk(const symtab *t);
bool sym_is_bool_kind(sym_kind kind);
/* Greatest common divisor of the non-constant coefficients (0 without any),
 * and the constant. */
uint64_t sym_content(const symtab *t, sym e, int64_t *constant);

#endif
