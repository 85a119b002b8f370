/* parser/lowering.h: what the files that lower kernels share.
 *
 * emit.c      instructions, conversions, notices
 * inline.c    calls of the project's own functions
 * promote.c   Triton's typing of operators
 * fixed.c     arithmetic on what Python knows before the kernel runs
 * lower_*.c   expressions, calls, statements, loops, branches
 * call_*.c    one function for each family of rows in ops/spellings.def */
#ifndef PARSER_LOWERING_H
#define PARSER_LOWERING_H

#include "base/checked.h"
#include "base/map.h"
#include "parser/lower.h"
#include "parser/scope.h"

enum {
  LOWER_DEPTH = 500,        /* expressions, statements and calls inside each
                               other */
  LOWER_CALLS = 24,         /* helpers inside each other */
  LOWER_STATEMENTS = 20000, /* lowered for one program */
  LOWER_INSTS = 60000,
  LOWER_RETRIES = 120,  /* loops lowered again with better types */
  LOWER_NOTICES = 1000, /* told for one program */
  UNROLL_LIMIT = 64,
};

/* Why a construct is refused; one for each row of parser/unsupported.def. */
typedef enum unsupported {
#define UNSUPPORTED(id, text) UNSUPPORTED_##id,
#include "parser/unsupported.def"
#undef UNSUPPORTED
  UNSUPPORTED_COUNT
} unsupported;

/* One active function: the kernel or a helper that is being inlined. */
typedef struct frame frame;
struct frame {
  frame *caller; /* null for the kernel */
  const file_function *function;
  const file_names *names; /* of the file that the function is in */
  node definition;
  scope scope;
  /* Where this stands in the file that is checked, for functions of other
   * files; line 0 for its own. */
  span outside;
  uint32_t call;     /* index into the program's calls, 0 for the kernel */
  uint32_t loops;    /* loops of this function around here */
  uint32_t branches; /* run-time branches of this function around here */
};

/* A pointer parameter that the launch may give None for. */
typedef struct optional_pointer {
  value_id pointer;
  expr absent; /* the condition that it is None */
} optional_pointer;

typedef struct lower {
  tile_program *p;
  const file_names *file;  /* that is checked */
  const file_names *names; /* of the file that is being lowered */
  const syntax *syntax;    /* of the same */
  arena *arena;            /* the kernel arena */
  arena *run;              /* of the notices */
  notice_vec *notices;
  region *region; /* where instructions go */
  frame *frame;
  VEC(uint8_t) marks; /* of each value: MARK_... */
  VEC(optional_pointer) optional;
  uint32_t depth, statements, retries;
  uint32_t undecided; /* constexpr branches around here that nobody decided */
  bool exhausted;     /* a limit was reached and reported */
  bool impossible;    /* Triton does not compile this specialisation */
  map *constants;     /* module constants: file, expression's start ->
                         index + 1 */
  VEC(thing) constant_values;
  uint32_t constant_depth;
} lower;

enum {
  MARK_SHAPELESS = 1, /* opaque: may be a tile of any shape */
  MARK_POINTER = 2,   /* opaque: may hold pointers */
};

/* Whether control reaches the end of some statements. */
typedef enum flow { FLOW_ON, FLOW_RETURNED } flow;

/* ------------------------------------------------------------- emit.c */

/* In the file that is checked: for code of other files, that of the call that
 * led there. */
span lower_span(const lower *l, node at);
/* Where in its own file code of another file stands; line 0 for the file's
 * own. */
span lower_inner(const lower *l, node at);
const char *lower_text(const lower *l, node at);
syn lower_kind(const lower *l, node at);

/* One notice for each place and sentence. `detail` fills the %s of the row;
 * null where it has none. `accesses`: memory may be touched unseen. */
void refuse(lower *l, node at, unsupported why, const char *detail,
            bool accesses);

const type *value_type(const lower *l, value_id id);
void mark_value(lower *l, value_id id, uint8_t marks);
bool is_shapeless(const lower *l, value_id id);
bool may_hold_pointer(const lower *l, value_id id);
/* A pointer or what may hold one is in it. */
bool thing_has_pointer(const lower *l, const thing *t);
bool thing_is_shapeless(const lower *l, const thing *t);

typedef struct operand_list {
  value_id at[4];
  uint32_t count;
} operand_list;

value_id emit(lower *l, node at, op_id op, const value_id *operands,
              uint32_t count, const expr *attrs, uint32_t attr_count,
              const type *result, const char *text);
value_id emit_unary(lower *l, node at, op_id op, value_id a, type result);
value_id emit_binary(lower *l, node at, op_id op, value_id a, value_id b,
                     type result);
value_id emit_int(lower *l, node at, expr number, type scalar_type);
value_id emit_float(lower *l, node at, double number, scalar elem);
/* An opaque instruction; `accesses`: it may touch memory. */
value_id emit_opaque(lower *l, node at, const char *text,
                     const value_id *operands, uint32_t count, bool accesses,
                     type result, uint8_t marks);
/* The same with every value among the things as operand; touches memory when
 * one of them has a pointer. The result is shapeless. */
thing emit_unknown(lower *l, node at, const char *text, const thing *things,
                   uint32_t count);

/* The result of something refused: notice and opaque value. */
thing refused(lower *l, node at, unsupported why, const char *detail,
              const thing *things, uint32_t count);
/* The result of arithmetic on shapeless things: no notice, no access. */
thing shapeless(lower *l, node at, const char *text, const thing *things,
                uint32_t count);

/* To another element type, shape kept. */
value_id emit_cast(lower *l, node at, value_id v, type elem);
/* To a shape: scalars are splatted, missing axes added on the left, axes of 1
 * stretched. VALUE_NONE if the shapes do not fit. */
value_id emit_shape(lower *l, node at, value_id v, const type *shape);
/* Both to one shape; false if the shapes do not fit. */
bool emit_same_shape(lower *l, node at, value_id *a, value_id *b);
value_id emit_expand(lower *l, node at, value_id v, uint32_t axis);
value_id emit_reshape(lower *l, node at, value_id v, const type *shape);
/* A thing as an SSA value, as Triton's to_tensor: numbers get the type that
 * their value asks for. VALUE_NONE if it is no number (None, text, tuples). */
value_id to_value(lower *l, node at, const thing *t);
/* A Python number as a constant of that type; VALUE_NONE if it is none. */
value_id number_as(lower *l, node at, const thing *t, type elem);
/* The condition of a branch or a mask: to bool by `!= 0`. */
value_id to_bool(lower *l, node at, value_id v);
type literal_type(const lower *l, const thing *t);

/* ----------------------------------------------------------- extent.c */

/* Equal extents: equal handles, equal once the launch's pins are put in, or
 * equal for all block sizes. */
bool extent_same(const lower *l, expr a, expr b);
bool extent_is_one(const lower *l, expr e);

/* Undoing: the state of region, names and program before a trial. */
typedef struct trial {
  region *region;
  scope scope;
  size_t insts, values, calls, notices, decided, facts, marks;
  uint32_t inst_count;
  bool impossible;
} trial;
trial trial_begin(const lower *l);
void trial_undo(lower *l, trial t);

/* Triton is sure to refuse what is lowered here, unless it is an arm that the
 * launch may never take. */
void mark_impossible(lower *l);

/* ---------------------------------------------------------- promote.c */

thing apply_binary(lower *l, node at, const char *operator_, const thing *a,
                   const thing *b);
thing apply_compare(lower *l, node at, const char *operator_, const thing *a,
                    const thing *b);
thing apply_unary(lower *l, node at, const char *operator_, const thing *a);
thing apply_and_or(lower *l, node at, bool is_and, const thing *a,
                   const thing *b);
/* Two operands to one type and shape, as binary_op_type_checking_impl. False
 * after a notice if they cannot be. */
typedef struct pair {
  value_id a, b;
  type type;
} pair;
typedef enum pair_mode { PAIR_PLAIN, PAIR_DIVIDE } pair_mode;
bool promote_pair(lower *l, node at, const thing *a, const thing *b,
                  pair_mode mode, pair *out);
/* The type of a op b; elem SC_NONE when Triton refuses them. */
type promote_types(const type *a, bool a_number, const type *b, bool b_number,
                   pair_mode mode);
thing apply_min_max(lower *l, node at, op_id op, const thing *a,
                    const thing *b);
thing apply_where(lower *l, node at, const thing *condition, const thing *a,
                  const thing *b);

/* ------------------------------------------------------------ fixed.c */

thing fixed_binary(lower *l, const char *operator_, const thing *a,
                   const thing *b);
thing fixed_compare(lower *l, const char *operator_, const thing *a,
                    const thing *b);
thing fixed_unary(lower *l, const char *operator_, const thing *a);
/* Python's truth of a thing known before the kernel runs, as a condition;
 * EXPR_NONE: not known. */
expr fixed_truth(lower *l, const thing *t);
/* YES or NO when a condition is decided, by itself or by the launch's pins
 * (then the symbols are recorded in the program's `decided`). */
truth decide(lower *l, expr condition);
/* The integer that a thing is, for extents, axes and trip counts: fixed
 * numbers and values that are constants. EXPR_NONE if it is none. */
expr fixed_number(const lower *l, const thing *t);
/* 1: never negative, -1: never positive, by the roles of its symbols or by the
 * launch's pins (recorded); 0: not known. */
int fixed_sign(lower *l, expr e);
bool fixed_int(const lower *l, const thing *t, int64_t *out);
/* `x.attribute` of something fixed; false if it has none such. */
bool fixed_attribute(lower *l, const thing *t, const char *name, thing *out);
/* `x.method(...)` of a dtype. */
bool fixed_method(lower *l, const thing *t, const char *name,
                  const thing *arguments, uint32_t count, thing *out);
/* What a full name of a module stands for: dtypes, float constants. */
bool fixed_named(const char *full, thing *out);
thing fixed_literal(lower *l, node n);
/* The element type that a dtype thing names; SC_NONE if it names none. */
scalar dtype_of(const thing *t);
scalar dtype_named(const char *name); /* "float16", "fp16", ...; or NONE */

/* -------------------------------------------------------- lower_expr.c */

typedef struct node_list {
  node at[TYPE_MAX_RANK * 2];
  uint32_t count;
} node_list;

thing lower_expr(lower *l, node n);
/* The value of a name: local, constant of the module, import. */
thing lower_name(lower *l, node at, const char *name);
/* What a full name of a module stands for, as an import in `names` gives it: a
 * function or constant of the project, or a MODULE. */
thing lower_full_name(lower *l, node at, const file_names *names,
                      const char *full);
/* The file that a FUNCTION is in, or whose import a MODULE is. */
const file_names *file_of(const lower *l, const thing *t);
thing thing_function(const file_names *names, const file_function *f);

/* ----------------------------------------------------------- inline.c */

/* A module-level expression of a file; unknown if it is not known before the
 * kernel runs. */
thing evaluate_constant(lower *l, const file_names *names, node at, node value);
/* A name that several statements of a module bind: what the one that runs
 * binds, or a FUNCTION that is one of several (`items`), or unknown. */
thing lower_choice(lower *l, node at, const file_names *names,
                   const char *name);
bool name_is_bound(const lower *l, const char *name);
/* A value; a refusal and an opaque one if the thing is none. */
value_id lower_value(lower *l, node at, const thing *t);
/* Something refused whose operands nobody evaluated: what the local names
 * below it hold counts as its operands. */
thing refused_below(lower *l, node n, unsupported why, const char *detail);

/* -------------------------------------------------------- lower_call.c */

thing lower_call(lower *l, node n);
/* Whether an expression names a function of the project. */
bool names_own_function(lower *l, node callee);

/* -------------------------------------------------------- lower_stmt.c */

/* The statements after some statement, up to the end of the function. */
typedef struct rest {
  const struct rest *outer;
  node block;
  uint32_t index; /* the next child of the block */
} rest;
flow lower_block(lower *l, node block, uint32_t from, const rest *after,
                 thing *returned);
/* A statement that is not understood: it may do anything, and the names that
 * it assigns may hold anything. */
void refuse_statement(lower *l, node n, unsupported why);
void lower_assign(lower *l, node target, node at, thing value);
/* `assert condition`: a fact about the launch, or a device_assert. */
void assert_condition(lower *l, node at, const thing *condition);
thing thing_of_static(lower *l, const static_value *v);
/* What an unannotated assignment binds: numbers become values. */
thing decayed(lower *l, node at, const thing *t);

/* ------------------------------------------------ lower_if.c, lower_loop.c */

/* Takes note of a condition of the launch whose sides are no one program. */
void note_torn(lower *l, expr condition);
/* Takes note that a node is not compiled; what follows a statement, too. */
void lower_skip(lower *l, node n);
void lower_skip_rest(lower *l, const rest *after);
flow lower_if(lower *l, node statement, uint32_t clause, const rest *after,
              thing *returned);
thing lower_ternary(lower *l, node n);
/* One of two results, nobody knows which: both sides are lowered. */
typedef thing (*either_side)(lower *l, bool first, void *context);
thing lower_either(lower *l, node at, either_side side, void *context);
void lower_for(lower *l, node statement);
void lower_while(lower *l, node statement);

/* Values inside a thing, in order; tuples item by item. */
typedef VEC(value_id) value_vec;
void flatten(lower *l, const thing *t, value_vec *out);
/* The same shape of thing with other values; takes them from *next on. */
thing rebuild(lower *l, const thing *like, const value_id *values,
              uint32_t *next);
/* Things of one make: equal tuples of values, equal fixed parts. */
bool same_make(const thing *a, const thing *b);
/* Turns fixed numbers inside a thing into values. */
thing all_values(lower *l, node at, const thing *t);
/* v as a value of type t when the two mean the same type (an element type
 * that nobody states against one that is, int32 widths); VALUE_NONE else. */
value_id reconcile(lower *l, node at, value_id v, const type *t);
type common_type(const lower *l, const type *a, const type *b);

/* Names that the statements below n assign. */
typedef VEC(const char *) text_vec;
void assigned_names(const lower *l, node n, text_vec *out);
/* True when a name occurs below n. */
bool mentions(const lower *l, node n, const char *name);

#endif
