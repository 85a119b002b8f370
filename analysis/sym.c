/* analysis/sym.c: the table of hash-consed expressions.
 *
 * Every integer node carries its terms, so a constant, an atom and a sum are
 * read the same way. Handles are dense and grow; operands of a node have
 * smaller handles than the node itself. */
#include "analysis/sym_node.h"
#include "base/map.h"
#include <stdio.h>
#include <string.h>

symtab *symtab_create(arena *kernel) {
  symtab *t = ARENA_NEW(kernel, symtab);
  t->arena = kernel;
  t->room = 256;
  t->nodes = ARENA_ARRAY(kernel, sym_node, t->room);
  t->slot_count = 1024;
  t->slots = ARENA_ARRAY(kernel, uint32_t, t->slot_count);
  t->marks = ARENA_NEW(kernel, sym_marks);
  sym_true(t);
  sym_false(t);
  sym_int(t, 0);
  sym_int(t, 1);
  return t;
}

size_t symtab_count(const symtab *self) {
  return self->count;
}

bool sym_is_bool_kind(sym_kind kind) {
  return kind >= SYM_TRUE;
}

static uint64_t node_hash(const symtab *t, const sym_node *n) {
  uint64_t h = hash_mix(0x5eed, (uint64_t)n->kind);
  if (n->kind == SYM_INT)
    return hash_mix(h, (uint64_t)n->value);
  if (n->kind == SYM_VAR) {
    h = hash_mix(h, (uint64_t)n->role);
    return hash_mix(h, hash_bytes(n->name, strlen(n->name)));
  }
  if (n->kind == SYM_POLY) {
    /* A commutative sum, so that the order of handles has no say. */
    uint64_t sum = 0;
    for (uint32_t i = 0; i < n->term_count; i++) {
      uint64_t product = 0;
      for (uint32_t k = 0; k < n->terms[i].atom_count; k++)
        product += hash_mix(7, sym_at(t, n->terms[i].atoms[k])->hash);
      sum += hash_mix(product, (uint64_t)n->terms[i].coef);
    }
    return hash_mix(h, sum);
  }
  bool commutes = n->kind == SYM_MIN || n->kind == SYM_MAX ||
                  n->kind == SYM_AND || n->kind == SYM_OR;
  uint64_t sum = hash_mix(h, n->fn);
  for (uint32_t i = 0; i < n->operand_count; i++) {
    uint64_t child = sym_at(t, n->operands[i])->hash;
    sum = commutes ? sum + hash_mix(11, child) : hash_mix(sum, child);
  }
  return hash_mix(h, sum);
}

static bool same_terms(const sym_node *a, const sym_node *b) {
  if (a->term_count != b->term_count)
    return false;
  for (uint32_t i = 0; i < a->term_count; i++) {
    const sym_term *x = &a->terms[i], *y = &b->terms[i];
    if (x->coef != y->coef || x->atom_count != y->atom_count)
      return false;
    if (x->atom_count &&
        memcmp(x->atoms, y->atoms, x->atom_count * sizeof(sym)) != 0)
      return false;
  }
  return true;
}

static bool same_node(const sym_node *a, const sym_node *b) {
  if (a->kind != b->kind || a->hash != b->hash || a->fn != b->fn)
    return false;
  if (a->kind == SYM_INT)
    return a->value == b->value;
  if (a->kind == SYM_VAR)
    return a->role == b->role && strcmp(a->name, b->name) == 0;
  if (a->kind == SYM_POLY)
    return same_terms(a, b);
  return a->operand_count == b->operand_count &&
         (a->operand_count == 0 || memcmp(a->operands, b->operands,
                                          a->operand_count * sizeof(sym)) == 0);
}

static uint64_t below_bit(sym e) {
  return UINT64_C(1) << ((e * 0x9E3779B1u) >> 26);
}

static void inherit(const symtab *t, sym_node *n, sym child) {
  const sym_node *c = sym_at(t, child);
  n->roles |= c->roles;
  n->applied = n->applied || c->applied;
  n->below |= c->below;
}

static const sym_term *copy_terms(symtab *t, const sym_term *terms, size_t n) {
  sym_term *copy = arena_copy(t->arena, terms, n * sizeof *terms);
  for (size_t i = 0; i < n; i++)
    if (copy[i].atom_count)
      copy[i].atoms =
          arena_copy(t->arena, copy[i].atoms, copy[i].atom_count * sizeof(sym));
    else
      copy[i].atoms = NULL;
  return copy;
}

static void own_terms(symtab *t, sym_node *n, sym self) {
  if (n->kind == SYM_POLY) {
    n->terms = copy_terms(t, n->terms, n->term_count);
    return;
  }
  sym_term one = {.coef = 1, .atoms = &self, .atom_count = 1};
  if (n->kind == SYM_INT)
    one = (sym_term){.coef = n->value};
  n->term_count = n->kind == SYM_INT && n->value == 0 ? 0 : 1;
  n->terms = n->term_count ? copy_terms(t, &one, 1) : NULL;
}

static void grow_nodes(symtab *t) {
  if (t->count + 1 < t->room)
    return;
  sym_node *fresh = ARENA_ARRAY(t->arena, sym_node, t->room * 2);
  memcpy(fresh, t->nodes, (t->count + 1) * sizeof *fresh);
  t->nodes = fresh;
  t->room *= 2;
}

static size_t find_slot(const symtab *t, const sym_node *probe) {
  size_t mask = t->slot_count - 1, at = (size_t)probe->hash & mask;
  while (t->slots[at] && !same_node(&t->nodes[t->slots[at]], probe))
    at = (at + 1) & mask;
  return at;
}

static void grow_slots(symtab *t) {
  if (t->count * 2 < t->slot_count)
    return;
  size_t count = t->slot_count * 2;
  uint32_t *fresh = ARENA_ARRAY(t->arena, uint32_t, count);
  for (sym e = 1; e <= t->count; e++) {
    size_t at = (size_t)t->nodes[e].hash & (count - 1);
    while (fresh[at])
      at = (at + 1) & (count - 1);
    fresh[at] = e;
  }
  t->slots = fresh;
  t->slot_count = count;
}

static sym add_node(symtab *t, const sym_node *probe) {
  grow_nodes(t);
  grow_slots(t);
  assert(t->count < UINT32_MAX - 1);
  size_t slot = find_slot(t, probe);
  sym self = (sym)++t->count;
  sym_node n = *probe;
  if (n.kind == SYM_VAR) {
    n.name = arena_strdup(t->arena, n.name);
    n.roles = (uint8_t)(1u << n.role);
  }
  n.applied = n.kind == SYM_APPLY || n.kind == SYM_APPLYB;
  if (n.kind != SYM_INT && n.kind != SYM_POLY)
    n.below = below_bit(self);
  if (n.operand_count)
    n.operands =
        arena_copy(t->arena, n.operands, n.operand_count * sizeof(sym));
  for (uint32_t i = 0; i < n.operand_count; i++)
    inherit(t, &n, n.operands[i]);
  for (uint32_t i = 0; n.kind == SYM_POLY && i < n.term_count; i++)
    for (uint32_t k = 0; k < n.terms[i].atom_count; k++)
      inherit(t, &n, n.terms[i].atoms[k]);
  if (!sym_is_bool_kind(n.kind))
    own_terms(t, &n, self);
  t->nodes[self] = n;
  t->slots[slot] = self;
  return self;
}

sym sym_intern(symtab *t, const sym_node *probe) {
  sym_node n = *probe;
  n.hash = node_hash(t, &n);
  n.roles = 0;
  n.below = 0;
  size_t slot = find_slot(t, &n);
  return t->slots[slot] ? t->slots[slot] : add_node(t, &n);
}

sym sym_intern_op(symtab *t, sym_kind kind, const sym *operands, size_t n) {
  return sym_intern(t, &(sym_node){.kind = kind,
                                   .operands = operands,
                                   .operand_count = (uint32_t)n});
}

sym sym_int(symtab *t, int64_t value) {
  return sym_intern(t, &(sym_node){.kind = SYM_INT, .value = value});
}

sym sym_var(symtab *t, sym_role role, const char *name) {
  assert(name != NULL);
  return sym_intern(t,
                    &(sym_node){.kind = SYM_VAR, .role = role, .name = name});
}

sym sym_unknown(symtab *t) {
  char name[32];
  snprintf(name, sizeof name, "?%llu", (unsigned long long)++t->unknowns);
  return sym_var(t, ROLE_UNKNOWN, name);
}

sym sym_true(symtab *t) {
  return sym_intern_op(t, SYM_TRUE, NULL, 0);
}

sym sym_false(symtab *t) {
  return sym_intern_op(t, SYM_FALSE, NULL, 0);
}

sym sym_bool(symtab *t, bool value) {
  return value ? sym_true(t) : sym_false(t);
}

static sym apply(symtab *t, sym_kind kind, uint32_t fn, const sym *args,
                 size_t n) {
  assert(n == 0 || args != NULL);
  return sym_intern(t, &(sym_node){.kind = kind,
                                   .fn = fn,
                                   .operands = args,
                                   .operand_count = (uint32_t)n});
}

sym sym_apply(symtab *t, uint32_t fn, const sym *args, size_t n) {
  return apply(t, SYM_APPLY, fn, args, n);
}

sym sym_apply_bool(symtab *t, uint32_t fn, const sym *args, size_t n) {
  return apply(t, SYM_APPLYB, fn, args, n);
}

void sym_name_fn(symtab *t, uint32_t fn, const char *name) {
  if (fn >= t->fn_name_count) {
    size_t count = (size_t)fn + 16;
    const char **fresh = ARENA_ARRAY(t->arena, const char *, count);
    if (t->fn_name_count)
      memcpy(fresh, t->fn_names, t->fn_name_count * sizeof *fresh);
    t->fn_names = fresh;
    t->fn_name_count = count;
  }
  t->fn_names[fn] = arena_strdup(t->arena, name);
}

sym_kind sym_kind_of(const symtab *t, sym e) {
  return sym_at(t, e)->kind;
}

bool sym_is_bool(const symtab *t, sym e) {
  return sym_is_bool_kind(sym_at(t, e)->kind);
}

bool sym_is_int(const symtab *t, sym e, int64_t *value) {
  const sym_node *n = sym_at(t, e);
  if (n->kind != SYM_INT)
    return false;
  if (value)
    *value = n->value;
  return true;
}

sym_role sym_var_role(const symtab *t, sym var) {
  assert(sym_at(t, var)->kind == SYM_VAR);
  return sym_at(t, var)->role;
}

const char *sym_var_name(const symtab *t, sym var) {
  assert(sym_at(t, var)->kind == SYM_VAR);
  return sym_at(t, var)->name;
}

size_t sym_operands(const symtab *t, sym e, const sym **operands) {
  const sym_node *n = sym_at(t, e);
  assert(n->kind != SYM_POLY);
  *operands = n->operands;
  return n->operand_count;
}

uint32_t sym_apply_fn(const symtab *t, sym e) {
  assert(sym_at(t, e)->kind == SYM_APPLY || sym_at(t, e)->kind == SYM_APPLYB);
  return sym_at(t, e)->fn;
}

size_t sym_terms(const symtab *t, sym e, const sym_term **terms) {
  const sym_node *n = sym_at(t, e);
  assert(!sym_is_bool_kind(n->kind));
  *terms = n->terms;
  return n->term_count;
}

uint64_t sym_structural_hash(const symtab *t, sym e) {
  return sym_at(t, e)->hash;
}
