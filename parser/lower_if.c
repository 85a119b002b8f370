/* parser/lower_if.c: branches.
 *
 * A condition known before the run picks one arm. A run-time branch becomes
 * one NODE_IF whose results are the names that its arms bind differently. When
 * one arm returns, what follows the branch moves into the other arm. */
#include "parser/lowering.h"

#include <assert.h>

/* One arm while it is lowered and afterwards. */
typedef struct arm {
  region *region;
  scope scope;
  flow flow;
  thing value; /* of a return, or of a ternary's side */
} arm;

static void enter(lower *l, arm *a) {
  l->region = a->region;
  l->frame->scope = a->scope;
}

static void leave(lower *l, arm *a) {
  a->scope = l->frame->scope;
}

/* Appends the branch itself; its results are the yields' types. */
static inst *append_if(lower *l, node at, region *into, value_id condition,
                       arm *arms, const type *types, uint32_t count) {
  assert(arms[0].region->yields.count == count &&
         arms[1].region->yields.count == count);
  inst shape = {
      .kind = NODE_IF,
      .at = lower_span(l, at),
      .inner = lower_inner(l, at),
      .call = l->frame->call,
      .operand_count = 1,
      .operands = &condition,
      .regions = {arms[0].region, arms[1].region},
  };
  l->region = into;
  return program_append(l->p, into, shape, types, count);
}

void note_torn(lower *l, expr condition) {
  if (l->p->torn == EXPR_NONE)
    l->p->torn = condition;
}

/* The condition of a branch that the launch decides; else EXPR_NONE. */
static expr launch_condition(const lower *l, value_id condition) {
  const inst *def = l->p->values.at[condition].def;
  bool constant = def && def->kind == NODE_OP && def->op == OP_CONST &&
                  def->attr_count == 1;
  return constant ? def->attrs[0] : EXPR_NONE;
}

/* ---------------------------------------------------------------- merge */

typedef VEC(type) type_vec;

/* Leaf i of both arms as one type; false if they have none. */
static bool join_leaf(lower *l, node at, arm *arms, value_id *a, value_id *b,
                      type *out) {
  bool a_opaque = is_shapeless(l, *a), b_opaque = is_shapeless(l, *b);
  const type *x = value_type(l, *a), *y = value_type(l, *b);
  *out = common_type(l, x, y);
  if (a_opaque || b_opaque)
    return false;
  if (out->elem == SC_NONE && l->undecided && !x->pointer && !y->pointer &&
      type_same_shape(x, y))
    *out = type_with_shape(type_scalar(SC_ANY), x);
  if (out->elem == SC_NONE)
    return false;
  l->region = arms[0].region;
  type elem = type_scalar(out->elem);
  elem.wide = out->wide;
  *a = x->pointer ? *a : emit_cast(l, at, *a, elem);
  l->region = arms[1].region;
  *b = y->pointer ? *b : emit_cast(l, at, *b, elem);
  *b = emit_reshape(l, at, *b, out);
  return true;
}

/* Two opaque leaves, or one: the result may be anything. */
static void join_opaque(lower *l, node at, arm *arms, value_id *a,
                        value_id *b) {
  thing x = thing_value(*a), y = thing_value(*b);
  l->region = arms[0].region;
  *a = shapeless(l, at, "one of two values", &x, 1).id;
  l->region = arms[1].region;
  *b = shapeless(l, at, "one of two values", &y, 1).id;
}

/* Joins two things leaf by leaf into the yields of the arms. False if they are
 * of different makes. Types go to `types`, marks to `marks`. */
typedef struct join {
  arm *arms;
  type_vec types;
  VEC(uint8_t) marks;
} join;

static bool join_things(lower *l, node at, join *j, thing *x, thing *y) {
  region *into = l->region;
  l->region = j->arms[0].region;
  *x = all_values(l, at, x);
  l->region = j->arms[1].region;
  *y = all_values(l, at, y);
  l->region = into;
  value_vec a = {0}, b = {0};
  if (!same_make(x, y))
    return false;
  flatten(l, x, &a);
  flatten(l, y, &b);
  assert(a.count == b.count);
  size_t had = j->types.count;
  for (size_t i = 0; i < a.count; i++) {
    type t = type_scalar(SC_ANY);
    uint8_t marks = 0;
    if (!join_leaf(l, at, j->arms, &a.at[i], &b.at[i], &t)) {
      if (!is_shapeless(l, a.at[i]) && !is_shapeless(l, b.at[i])) {
        j->types.count = j->marks.count = had;
        j->arms[0].region->yields.count = had;
        j->arms[1].region->yields.count = had;
        l->region = into;
        return false;
      }
      bool pointer =
          may_hold_pointer(l, a.at[i]) || may_hold_pointer(l, b.at[i]);
      join_opaque(l, at, j->arms, &a.at[i], &b.at[i]);
      marks = MARK_SHAPELESS | (pointer ? MARK_POINTER : 0);
      t = type_scalar(SC_ANY);
    }
    VEC_PUSH(l->arena, &j->types, t);
    VEC_PUSH(l->arena, &j->marks, marks);
    VEC_PUSH(l->arena, &j->arms[0].region->yields, a.at[i]);
    VEC_PUSH(l->arena, &j->arms[1].region->yields, b.at[i]);
  }
  l->region = into;
  return true;
}

static inst *finish_join(lower *l, node at, region *into, value_id condition,
                         join *j) {
  inst *made = append_if(l, at, into, condition, j->arms, j->types.at,
                         (uint32_t)j->types.count);
  for (uint32_t i = 0; i < made->result_count; i++)
    if (j->marks.at[i])
      mark_value(l, made->results[i], j->marks.at[i]);
  return made;
}

/* What stands in an arm for the values of a name that only the other binds. */
static thing unbound_like(lower *l, node at, const char *name, const thing *x,
                          region *into) {
  value_vec leaves = {0}, made = {0};
  region *around = l->region;
  uint32_t next = 0;
  l->region = into;
  flatten(l, x, &leaves);
  for (size_t i = 0; i < leaves.count; i++) {
    type t = *value_type(l, leaves.at[i]);
    expr zero = expr_int(l->p->exprs, 0);
    value_id v = emit(l, at, OP_UNBOUND, NULL, 0, &zero, 1, &t, name);
    if (is_shapeless(l, leaves.at[i]))
      mark_value(l, v, MARK_SHAPELESS);
    VEC_PUSH(l->arena, &made, v);
  }
  l->region = around;
  return rebuild(l, x, made.at, &next);
}

typedef struct joined_name {
  const char *name;
  thing like;
} joined_name;

/* The module has something of that name, which stands where the function binds
 * nothing. */
static bool is_of_module(const lower *l, const char *name) {
  return names_bound(l->names, name) || names_function(l->names, name) ||
         names_import(l->names, name);
}

/* A name that one arm binds, where the launch decides between the arms: no
 * program that compiles uses it after the other one. */
static void bind_in_both(lower *l, node at, arm *arms) {
  for (int k = 0; k < 2; k++) {
    scope *other = &arms[1 - k].scope;
    for (size_t i = 0; i < arms[k].scope.names.count; i++) {
      const char *name = arms[k].scope.names.at[i].name;
      thing x = arms[k].scope.names.at[i].value;
      if (scope_find(other, name) || x.kind == THING_GONE ||
          is_of_module(l, name))
        continue;
      scope_bind(other, name,
                 x.kind == THING_FIXED
                     ? x
                     : unbound_like(l, at, name, &x, arms[1 - k].region));
    }
  }
}

/* A name that the arms bind to what is not one thing. */
static thing torn_name(const lower *l, value_id condition, const thing *x,
                       const thing *y) {
  thing t = thing_gone("bound differently on two paths");
  t.torn = launch_condition(l, condition);
  if (x->kind == THING_GONE && x->torn != EXPR_NONE)
    t.torn = x->torn;
  else if (y->kind == THING_GONE && y->torn != EXPR_NONE)
    t.torn = y->torn;
  return t;
}

/* After a branch whose arms both go on: names of both arms. */
static void merge_scopes(lower *l, node at, region *into, value_id condition,
                         arm *arms) {
  join j = {.arms = arms};
  VEC(joined_name) joined = {0};
  scope after = {.arena = l->arena};
  if (l->undecided)
    bind_in_both(l, at, arms);
  for (size_t i = 0; i < arms[0].scope.names.count; i++) {
    const char *name = arms[0].scope.names.at[i].name;
    thing x = arms[0].scope.names.at[i].value;
    const thing *other = scope_find(&arms[1].scope, name);
    thing y = other ? *other : thing_gone("bound on one path only");
    if (thing_same(&x, &y))
      scope_bind(&after, name, x);
    else if (thing_is(&x, STATIC_DTYPE) && thing_is(&y, STATIC_DTYPE))
      scope_bind(&after, name, thing_dtype(SC_ANY));
    else if (other && join_things(l, at, &j, &x, &y))
      VEC_PUSH(l->arena, &joined, ((joined_name){name, x}));
    else
      scope_bind(&after, name, torn_name(l, condition, &x, &y));
  }
  for (size_t i = 0; i < arms[1].scope.names.count; i++) {
    const char *name = arms[1].scope.names.at[i].name;
    if (!scope_find(&arms[0].scope, name))
      scope_bind(&after, name, thing_gone("bound on one path only"));
  }
  inst *made = finish_join(l, at, into, condition, &j);
  uint32_t next = 0;
  for (size_t i = 0; i < joined.count; i++) {
    thing t = rebuild(l, &joined.at[i].like, made->results, &next);
    scope_bind(&after, joined.at[i].name, t);
    if (t.kind == THING_VALUE)
      l->p->values.at[t.id].name = joined.at[i].name;
  }
  assert(next == made->result_count);
  l->frame->scope = after;
}

/* After a branch whose arms both return. */
static void merge_returns(lower *l, node at, region *into, value_id condition,
                          arm *arms, thing *returned) {
  join j = {.arms = arms};
  thing x = arms[0].value, y = arms[1].value;
  if (thing_same(&x, &y)) {
    finish_join(l, at, into, condition, &j);
    *returned = x;
    return;
  }
  bool joins = join_things(l, at, &j, &x, &y);
  inst *made = finish_join(l, at, into, condition, &j);
  uint32_t next = 0;
  if (joins) {
    *returned = rebuild(l, &x, made->results, &next);
    return;
  }
  refuse(l, at, UNSUPPORTED_RETURNS, NULL, true);
  note_torn(l, launch_condition(l, condition));
  *returned = thing_value(
      emit_opaque(l, at, "different kinds of returned values", NULL, 0, false,
                  type_scalar(SC_ANY), MARK_SHAPELESS | MARK_POINTER));
}

/* ------------------------------------------------------------------ arms */

/* What follows the branch, up to the end of the function. */
static void run_rest(lower *l, const rest *after, thing *returned) {
  for (; after; after = after->outer)
    if (lower_block(l, after->block, after->index, after->outer, returned) ==
        FLOW_RETURNED)
      return;
  *returned = thing_none();
}

void lower_skip(lower *l, node n) {
  if (node_is(n) && !l->frame->outside.line)
    VEC_PUSH(l->p->arena, &l->p->dead, node_span(l->syntax, n));
}

void lower_skip_rest(lower *l, const rest *after) {
  for (; after; after = after->outer)
    for (uint32_t i = after->index; i < node_count(after->block); i++)
      lower_skip(l, node_child(after->block, i));
}

static node clause_of(node statement, uint32_t clause) {
  return clause == 0 ? statement
                     : node_field_at(statement, "alternative", clause - 1);
}

static flow lower_clause(lower *l, node statement, uint32_t clause,
                         const rest *after, thing *returned) {
  node n = clause_of(statement, clause);
  if (!node_is(n))
    return FLOW_ON;
  if (lower_kind(l, n) == SYN_else_clause)
    return lower_block(l, node_field(n, "body"), 0, after, returned);
  return lower_if(l, statement, clause, after, returned);
}

/* The condition as a scalar bool. */
static value_id branch_condition(lower *l, node at, const thing *t) {
  value_id v = lower_value(l, at, t);
  bool tile = value_type(l, v)->rank > 0 || value_type(l, v)->pointer;
  if (tile)
    v = refused(l, at, UNSUPPORTED_CONDITION, NULL, t, 1).id;
  const type *from = value_type(l, v);
  if (from->elem == SC_BOOL)
    return v;
  return emit_unary(l, at, OP_CAST, v, type_scalar(SC_BOOL));
}

static flow lower_branch(lower *l, node statement, uint32_t clause,
                         value_id condition, const rest *after,
                         thing *returned) {
  node n = clause_of(statement, clause);
  region *into = l->region;
  arm arms[2] = {
      {.region = region_create(l->p), .scope = scope_copy(&l->frame->scope)},
      {.region = region_create(l->p), .scope = scope_copy(&l->frame->scope)},
  };
  l->frame->branches++;
  enter(l, &arms[0]);
  arms[0].flow =
      lower_block(l, node_field(n, "consequence"), 0, after, &arms[0].value);
  leave(l, &arms[0]);
  enter(l, &arms[1]);
  arms[1].flow = lower_clause(l, statement, clause + 1, after, &arms[1].value);
  leave(l, &arms[1]);
  bool returns = arms[0].flow == FLOW_RETURNED || arms[1].flow == FLOW_RETURNED;
  for (int i = 0; i < 2 && returns; i++)
    if (arms[i].flow == FLOW_ON) {
      enter(l, &arms[i]);
      run_rest(l, after, &arms[i].value);
      leave(l, &arms[i]);
    }
  l->frame->branches--;
  if (returns)
    merge_returns(l, statement, into, condition, arms, returned);
  else
    merge_scopes(l, statement, into, condition, arms);
  return returns ? FLOW_RETURNED : FLOW_ON;
}

/* A value that is a constant decides like a number known before the run: both
 * arms are compiled either way. */
static thing as_fixed(lower *l, const thing *t) {
  expr number = t->kind == THING_VALUE ? fixed_number(l, t) : EXPR_NONE;
  int64_t constant;
  return number && expr_is_int(l->p->exprs, number, &constant)
             ? thing_int(number)
             : *t;
}

flow lower_if(lower *l, node statement, uint32_t clause, const rest *after,
              thing *returned) {
  for (;; clause++) {
    node n = clause_of(statement, clause);
    if (!node_is(n) || lower_kind(l, n) == SYN_else_clause) {
      flow f = lower_clause(l, statement, clause, after, returned);
      if (f == FLOW_RETURNED)
        lower_skip_rest(l, after);
      return f;
    }
    node test = node_field(n, "condition");
    thing condition = lower_expr(l, test);
    condition = as_fixed(l, &condition);
    truth decided = condition.kind == THING_VALUE
                        ? UNSURE
                        : decide(l, fixed_truth(l, &condition));
    if (decided == YES) {
      for (uint32_t k = clause + 1; node_is(clause_of(statement, k)); k++)
        lower_skip(l, clause_of(statement, k));
      flow f = lower_block(l, node_field(n, "consequence"), 0, after, returned);
      if (f == FLOW_RETURNED)
        lower_skip_rest(l, after);
      return f;
    }
    if (decided == NO) {
      lower_skip(l, node_field(n, "consequence"));
      continue;
    }
    bool undecided = condition.kind != THING_VALUE;
    if (undecided) {
      expr e = fixed_truth(l, &condition);
      condition = e ? thing_bool(e) : thing_unknown();
    }
    if (l->depth >= LOWER_DEPTH) {
      refuse(l, n, UNSUPPORTED_NESTING, NULL, true);
      return FLOW_ON;
    }
    value_id v = branch_condition(l, test, &condition);
    l->depth++;
    l->undecided += undecided;
    flow f = lower_branch(l, statement, clause, v, after, returned);
    l->undecided -= undecided;
    l->depth--;
    return f;
  }
}

/* -------------------------------------------------------------- ternary */

/* Both sides of a ternary whose condition the launch fixes but nobody knows:
 * a number known before the run stays one. */
static bool select_fixed(lower *l, expr condition, const thing *a,
                         const thing *b, thing *out) {
  if (thing_is(a, STATIC_DTYPE) && thing_is(b, STATIC_DTYPE)) {
    *out = thing_dtype(SC_ANY);
    return true;
  }
  if (a->kind == THING_FIXED && b->kind == THING_FIXED &&
      (literal_type(l, a).elem == SC_NONE ||
       literal_type(l, b).elem == SC_NONE)) {
    *out = thing_unknown();
    return true;
  }
  if (!condition || !thing_is(a, STATIC_INT) || !thing_is(b, STATIC_INT))
    return false;
  *out = thing_int(
      expr_select(l->p->exprs, condition, a->fixed.number, b->fixed.number));
  return true;
}

/* The results of two sides as one; `fixed`: the launch decides. */
static thing join_sides(lower *l, node n, value_id condition, region *into,
                        arm *arms, bool fixed) {
  join j = {.arms = arms};
  thing x = arms[0].value, y = arms[1].value;
  l->undecided += fixed;
  bool same = thing_same(&x, &y);
  bool joins = same || join_things(l, n, &j, &x, &y);
  l->undecided -= fixed;
  inst *made = finish_join(l, n, into, condition, &j);
  uint32_t next = 0;
  if (same)
    return x;
  if (joins)
    return rebuild(l, &x, made->results, &next);
  thing both[2] = {arms[0].value, arms[1].value};
  bool pointer =
      thing_has_pointer(l, &both[0]) || thing_has_pointer(l, &both[1]);
  refuse(l, n, UNSUPPORTED_TYPES, "if-else", pointer);
  note_torn(l, launch_condition(l, condition));
  return thing_value(emit_opaque(
      l, n, "if-else of different types", NULL, 0, false, type_scalar(SC_ANY),
      MARK_SHAPELESS | (pointer ? MARK_POINTER : 0)));
}

/* Lowers each side in a region of its own; names keep what they were. */
static void lower_sides(lower *l, arm *arms, either_side side, void *context) {
  region *into = l->region;
  scope before = scope_copy(&l->frame->scope);
  for (int i = 0; i < 2; i++) {
    arms[i] =
        (arm){.region = region_create(l->p), .scope = scope_copy(&before)};
    enter(l, &arms[i]);
    arms[i].value = side(l, i == 0, context);
  }
  l->frame->scope = before;
  l->region = into;
}

static thing ternary_side(lower *l, bool first, void *context) {
  const node *n = context;
  return lower_expr(l, node_child(*n, first ? 0 : 2));
}

static thing ternary_branch(lower *l, node n, const thing *condition) {
  value_id v = branch_condition(l, node_child(n, 1), condition);
  arm arms[2];
  thing out;
  lower_sides(l, arms, ternary_side, &n);
  bool fixed = condition->kind == THING_FIXED;
  if (fixed && select_fixed(l, condition->fixed.number, &arms[0].value,
                            &arms[1].value, &out))
    return out;
  return join_sides(l, n, v, l->region, arms, fixed);
}

thing lower_either(lower *l, node at, either_side side, void *context) {
  thing unknown = thing_unknown();
  value_id v = branch_condition(l, at, &unknown);
  arm arms[2];
  l->undecided++;
  lower_sides(l, arms, side, context);
  l->undecided--;
  return join_sides(l, at, v, l->region, arms, true);
}

thing lower_ternary(lower *l, node n) {
  node test = node_child(n, 1);
  thing condition = lower_expr(l, test);
  condition = as_fixed(l, &condition);
  if (condition.kind == THING_VALUE)
    return ternary_branch(l, n, &condition);
  expr e = fixed_truth(l, &condition);
  int64_t constant;
  if (e && !expr_is_int(l->p->exprs, e, &constant) &&
      l->retries++ < LOWER_RETRIES) {
    /* Two numbers keep both cases open, without asking the launch's pins. */
    trial before = trial_begin(l);
    thing a = lower_expr(l, node_child(n, 0));
    thing b = lower_expr(l, node_child(n, 2));
    thing out;
    if (thing_is(&a, STATIC_INT) && thing_is(&b, STATIC_INT) &&
        select_fixed(l, e, &a, &b, &out))
      return out;
    trial_undo(l, before);
  }
  truth decided = decide(l, e);
  if (decided != UNSURE) {
    lower_skip(l, node_child(n, decided == YES ? 2 : 0));
    return lower_expr(l, node_child(n, decided == YES ? 0 : 2));
  }
  condition = e ? thing_bool(e) : thing_unknown();
  return ternary_branch(l, n, &condition);
}
