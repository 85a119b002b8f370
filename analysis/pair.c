/* analysis/pair.c: see pair.h. */
#include "analysis/pair.h"
#include "analysis/interp.h"
#include "analysis/judge_state.h"
#include <assert.h>

struct pair {
  judge *judge;
  symtab *t;
  bool programs;
  bool ordered;             /* some loads come from a sorted tensor */
  sym_vec unknowns, primed; /* lost values and their second instances */
  sym_vec facts;
};

static void keep(pair *self, sym fact) {
  for (size_t i = 0; i < self->facts.count; i++)
    if (self->facts.at[i] == fact)
      return;
  VEC_PUSH(self->judge->arena, &self->facts, fact);
}

/* ---------------------------------------------------------------- renaming */

static sym second_unknown(pair *self, sym var) {
  for (size_t i = 0; i < self->unknowns.count; i++)
    if (self->unknowns.at[i] == var)
      return self->primed.at[i];
  sym other = sym_unknown(self->t);
  VEC_PUSH(self->judge->arena, &self->unknowns, var);
  VEC_PUSH(self->judge->arena, &self->primed, other);
  return other;
}

static sym second_variable(pair *self, sym var) {
  sym_role role = sym_var_role(self->t, var);
  if (role == ROLE_UNKNOWN)
    return second_unknown(self, var);
  bool own = role == ROLE_TURN || role == ROLE_LANE ||
             (role == ROLE_PROGRAM && self->programs);
  if (!own)
    return var;
  const char *name =
      arena_printf(self->judge->arena, "%s'", sym_var_name(self->t, var));
  return sym_var(self->t, role, name);
}

/* The function of another program. */
static uint32_t second_function(pair *self, uint32_t fn) {
  judge *j = self->judge;
  while (j->primed_functions.count <= fn)
    VEC_PUSH(j->arena, &j->primed_functions, 0);
  if (!j->primed_functions.at[fn]) {
    fn_range range = j->result->functions.at[fn];
    VEC_PUSH(j->arena, &j->result->functions, range);
    j->primed_functions.at[fn] = (uint32_t)j->result->functions.count - 1;
  }
  return j->primed_functions.at[fn];
}

static sym second_application(pair *self, sym atom) {
  const sym *args;
  sym renamed[TYPE_MAX_RANK + INTERP_MAX_LOOPS];
  size_t n = sym_operands(self->t, atom, &args);
  uint32_t fn = sym_apply_fn(self->t, atom);
  assert(n <= sizeof renamed / sizeof *renamed);
  for (size_t i = 0; i < n; i++) {
    renamed[i] = pair_second(self, args[i]);
    sym_operands(self->t, atom, &args); /* the table may have moved */
  }
  if (self->programs)
    fn = second_function(self, fn);
  return sym_kind_of(self->t, atom) == SYM_APPLYB
             ? sym_apply_bool(self->t, fn, renamed, n)
             : sym_apply(self->t, fn, renamed, n);
}

sym pair_second(pair *self, sym e) {
  arena *arena = self->judge->arena;
  size_t n = sym_atoms(self->t, e, NULL, 0), count = 0;
  sym *from = ARENA_ARRAY(arena, sym, n + 1);
  sym *to = ARENA_ARRAY(arena, sym, n + 1);
  sym *atoms = ARENA_ARRAY(arena, sym, n + 1);
  sym_atoms(self->t, e, atoms, n);
  for (size_t i = 0; i < n; i++) {
    sym_kind kind = sym_kind_of(self->t, atoms[i]);
    sym image = kind == SYM_VAR ? second_variable(self, atoms[i])
                : kind == SYM_APPLY || kind == SYM_APPLYB
                    ? second_application(self, atoms[i])
                    : atoms[i];
    if (image == atoms[i])
      continue;
    from[count] = atoms[i];
    to[count++] = image;
  }
  return count ? sym_substitute(self->t, e, from, to, count) : e;
}

/* --------------------------------------------------------------- creation */

pair *pair_create(judge *j, const access *a, const access *b, bool programs,
                  const sym_vec *more) {
  pair *self = ARENA_NEW(j->arena, pair);
  *self = (pair){.judge = j, .t = j->syms, .programs = programs};
  sym_vec first = judge_access_facts(j, a, more);
  sym_vec second = judge_access_facts(j, b, more);
  for (size_t i = 0; i < first.count; i++)
    keep(self, first.at[i]);
  for (size_t i = 0; i < second.count; i++)
    keep(self, pair_second(self, second.at[i]));
  return self;
}

void pair_assume(pair *self, sym fact) {
  keep(self, fact);
}

sym_vec pair_facts(const pair *self) {
  sym_vec out = {0};
  for (size_t i = 0; i < self->facts.count; i++)
    VEC_PUSH(self->judge->arena, &out, self->facts.at[i]);
  return out;
}

/* Sound: two numbers that are neither below nor above each other are equal. */
static proof prove_by_order(pair *self, sym a, sym b) {
  proof how = {0};
  for (int k = 0; k < 2; k++) {
    pair one = *self;
    one.facts = pair_facts(self);
    keep(&one, k ? sym_gt(self->t, a, b) : sym_lt(self->t, a, b));
    pair_relate_loads(&one);
    how = judge_prove_pair(self->judge, &one.facts, sym_false(self->t));
    if (!how.proved)
      return how;
  }
  return how;
}

proof pair_prove(pair *self, sym goal) {
  return judge_prove_pair(self->judge, &self->facts, goal);
}

proof pair_prove_equal(pair *self, sym a, sym b) {
  proof how = pair_prove(self, sym_eq(self->t, a, b));
  return how.proved || !self->ordered ? how : prove_by_order(self, a, b);
}

/* ------------------------------------------------------------------ loads */

/* What one application of a load's function stands for. */
typedef struct found {
  sym value, address, live; /* at the application's own lanes and turns */
  const access *load;
} found;

/* The lanes and turns that interp_apply gives to a load's function. */
static size_t parameters_of(const judge *j, const inst *load, sym *out) {
  const type *t = &j->program->values.at[load->results[0]].type;
  size_t n = 0, turns = 0;
  int64_t one;
  for (unsigned d = 0; d < t->rank; d++)
    if (!(sym_is_int(j->syms, launch_sym(j->launch, t->dim[d]), &one) &&
          one == 1))
      out[n++] = launch_lane(j->launch, t->rank - 1 - d);
  if (!judge_turns(j, load, out + n, &turns))
    return 0;
  return n + turns;
}

static bool is_written(const judge *j, const access *load) {
  const tensor *x = &j->program->tensors.at[load->pointer.tensor];
  for (size_t i = 0; i < j->result->accesses.count; i++) {
    const access *w = &j->result->accesses.at[i];
    if (w->effect == EFFECT_READ)
      continue;
    if (w->pointer.form != VALUE_POINTER || w->pointer.tensor == TENSOR_LOST)
      return true;
    const tensor *y = &j->program->tensors.at[w->pointer.tensor];
    if (tensors_may_share(x, y))
      return true;
  }
  return false;
}

static bool is_primed(const judge *j, uint32_t fn) {
  for (size_t i = 0; i < j->primed_functions.count; i++)
    if (j->primed_functions.at[i] == fn)
      return true;
  return false;
}

/* Sound: the function's value is what the element at the load's address holds
 * where the load's mask is on; the address of another program has its id. */
static bool look_up(pair *self, sym atom, found *out) {
  judge *j = self->judge;
  sym own[TYPE_MAX_RANK + INTERP_MAX_LOOPS];
  const sym *args;
  const access *load = judge_load_behind(j, atom);
  if (!load || load->any_mask || is_written(j, load))
    return false;
  size_t n = sym_operands(self->t, atom, &args);
  if (parameters_of(j, load->inst, own) != n)
    return false;
  sym to[TYPE_MAX_RANK + INTERP_MAX_LOOPS];
  memcpy(to, args, n * sizeof *to);
  sym address = load->pointer.of, live = load->mask;
  if (is_primed(j, sym_apply_fn(self->t, atom))) {
    address = pair_second(self, address);
    live = pair_second(self, live);
    for (size_t i = 0; i < n; i++)
      own[i] = second_variable(self, own[i]);
  }
  *out = (found){.value = atom,
                 .address = sym_substitute(self->t, address, own, to, n),
                 .live = sym_substitute(self->t, live, own, to, n),
                 .load = load};
  return true;
}

/* Select atoms whose condition is known become the arm that counts. */
static sym resolve(pair *self, sym e) {
  const sym *args;
  size_t n = sym_atoms(self->t, e, NULL, 0);
  sym *atoms = ARENA_ARRAY(self->judge->arena, sym, n + 1);
  sym_atoms(self->t, e, atoms, n);
  for (size_t i = 0; i < n; i++) {
    if (sym_kind_of(self->t, atoms[i]) != SYM_SELECT)
      continue;
    sym_operands(self->t, atoms[i], &args);
    sym condition = args[0], yes = args[1], no = args[2], arm = SYM_NONE;
    if (judge_implies(self->judge, &self->facts, condition))
      arm = yes;
    else if (judge_implies(self->judge, &self->facts,
                           sym_not(self->t, condition)))
      arm = no;
    if (arm != SYM_NONE)
      return resolve(self, sym_substitute(self->t, e, &atoms[i], &arm, 1));
  }
  return e;
}

static void resolve_facts(pair *self) {
  for (size_t i = 0; i < self->facts.count; i++) {
    sym fact = self->facts.at[i];
    if (sym_kind_of(self->t, fact) == SYM_EQ0)
      self->facts.at[i] = resolve(self, fact);
  }
}

static bool same_tensor(const found *a, const found *b) {
  return a->load->pointer.tensor == b->load->pointer.tensor;
}

/* Neither value is one of those that may repeat. */
static bool is_unique(pair *self, const tensor *x, const found *a,
                      const found *b) {
  judge *j = self->judge;
  const found *both[] = {a, b};
  if (!x->distinct && x->except_count == 0)
    return false;
  for (int k = 0; k < 2; k++)
    for (uint8_t i = 0; i < x->except_count; i++) {
      sym exception = launch_sym(j->launch, x->except[i]);
      if (!judge_implies(j, &self->facts,
                         sym_ne(self->t, both[k]->value, exception)))
        return false;
    }
  return true;
}

static bool relate(pair *self, const found *a, const found *b) {
  judge *j = self->judge;
  symtab *t = self->t;
  const tensor *x = &j->program->tensors.at[a->load->pointer.tensor];
  size_t before = self->facts.count;
  if (!judge_implies(j, &self->facts, a->live) ||
      !judge_implies(j, &self->facts, b->live))
    return false;
  sym values = sym_eq(t, a->value, b->value);
  sym places = sym_eq(t, a->address, b->address);
  self->ordered = self->ordered || x->sorted;
  if (judge_implies(j, &self->facts, places))
    keep(self, values);
  else if (is_unique(self, x, a, b) && judge_implies(j, &self->facts, values))
    keep(self, places);
  else if (x->sorted &&
           judge_implies(j, &self->facts, sym_le(t, a->address, b->address)))
    keep(self, sym_le(t, a->value, b->value));
  return self->facts.count > before;
}

static size_t collect(pair *self, found *out, size_t room) {
  sym all = sym_and_all(self->t, self->facts.at, self->facts.count);
  size_t n = sym_atoms(self->t, all, NULL, 0), count = 0;
  sym *atoms = ARENA_ARRAY(self->judge->arena, sym, n + 1);
  sym_atoms(self->t, all, atoms, n);
  for (size_t i = 0; i < n && count < room; i++)
    if (sym_kind_of(self->t, atoms[i]) == SYM_APPLY &&
        look_up(self, atoms[i], &out[count]))
      count++;
  return count;
}

void pair_relate_loads(pair *self) {
  enum { MOST = 12, ROUNDS = 3 };
  found loads[MOST];
  size_t n = collect(self, loads, MOST);
  if (n < 2)
    return;
  resolve_facts(self);
  bool more = true;
  for (int round = 0; round < ROUNDS && more; round++) {
    more = false;
    for (size_t i = 0; i < n; i++)
      for (size_t k = 0; k < n; k++)
        if (i != k && same_tensor(&loads[i], &loads[k]) &&
            relate(self, &loads[i], &loads[k]))
          more = true;
  }
}
