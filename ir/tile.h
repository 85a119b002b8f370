/* ir/tile.h: the tile program: one kernel under one launch.
 *
 * It holds what is fixed before the launch (symbols, facts, tensors, grid,
 * parameters) and the body: instructions in structured regions, in SSA form.
 * All conversions are explicit: operands of an elementwise instruction have
 * equal shapes and element types (casts, splats and broadcasts are
 * instructions of their own), so no later stage knows Triton's promotion
 * rules. docs/tile-ir.md is the normative description of the text form.
 *
 * Everything lives in the kernel arena. */
#ifndef IR_TILE_H
#define IR_TILE_H

#include "base/source.h"
#include "base/vec.h"
#include "ir/expr.h"
#include "ir/type.h"

/* ------------------------------------------------------------ the launch */

typedef enum tensor_role {
  TENSOR_IN,    /* only read, or nobody says */
  TENSOR_OUT,   /* holds nothing at the start; every element is demanded */
  TENSOR_INOUT, /* holds values at the start */
} tensor_role;

enum { TENSOR_MAX_EXCEPT = 4 };

/* What the elements of a tensor hold when the launch begins, as far as the host
 * code tells. */
typedef enum tensor_content {
  CONTENT_HOST,   /* what host code computes, or may have changed */
  CONTENT_CALLER, /* what the caller passed */
  CONTENT_EMPTY,  /* nothing */
  CONTENT_FILLED, /* one number everywhere */
} tensor_content;

/* The memory behind a pointer parameter. An element exists for each index
 * tuple within the extents, sum index[d]*stride[d] elements from the tensor's
 * first element. */
typedef struct tensor {
  const char *name; /* host's name, or the parameter's when nobody launches */
  scalar dtype;     /* SC_ANY when unknown */
  const char *type_of; /* SC_ANY: name of the tensor of the host code whose
                          element type it has; null: nobody knows (not in the
                          text form) */
  bool known;          /* extents and strides are stated (else rank is 0) */
  bool parameter; /* came in from outside: a caller may pass a larger one */
  bool assumed_contiguous; /* contiguity is a requirement on the caller */
  bool free_strides; /* the rank is certain, and whoever passes or allocates
                        the tensor chooses its strides */
  bool more_axes;    /* the host asks for the first axes only: the tensor may
                        well have one more */
  bool disjoint;     /* different index tuples have different addresses */
  bool written;      /* every element holds a value before the launch */
  uint8_t rank;
  tensor_role role;
  expr extent[TYPE_MAX_RANK];
  expr stride[TYPE_MAX_RANK];
  uint32_t storage; /* equal numbers: views of one storage */
  expr start;       /* of the first element in its storage, in elements;
                       EXPR_NONE: nobody knows */
  uint32_t perhaps; /* 1 + a storage that it may be a view of; 0: none */
  bool held;        /* of an object that may hold an allocation, unless `own` */
  bool anywhere;    /* it may be a view of any tensor that is not `own` */
  bool own;         /* no `anywhere` tensor is a view of it */
  uint32_t line;
  const char *origin; /* "torch.empty_like(x)", "contract", ... for messages */
  /* The contents, by a `values` clause; conditions on each element. */
  bool has_range;
  expr least, greatest; /* both included; EXPR_NONE: no bound */
  bool any_content;     /* the clause says that any such content may come */
  bool distinct, sorted;
  bool tied; /* the elements depend on each other in a way not told here */
  /* Where except_count > 0, distinct is false and only elements that differ
   * from all of these are distinct (`distinct except {-1}`). */
  expr except[TENSOR_MAX_EXCEPT];
  uint8_t except_count;
  /* Only the elements from part_low[d] to part_high[d] - 1 on each axis hold a
   * value before the launch (`written x[1:, :n]`); `written` is false then. */
  bool part_written;
  expr part_low[TYPE_MAX_RANK], part_high[TYPE_MAX_RANK];
  int64_t align; /* of the first element, in bytes; 0: that of its dtype */
  /* For running host functions with several launches (not in the text form):
   * tensors of equal root and root_line are views of one storage. */
  tensor_content content;
  double fill; /* CONTENT_FILLED */
  const char *root;
  uint32_t root_line;
  uint32_t edits; /* host statements so far that may have written to it */
  bool shared;    /* an earlier launch gets it, too */
} tensor;

/* ir/tensor.c: False: the two are surely different memory. */
bool tensors_may_share(const tensor *a, const tensor *b);
/* True: the two lie in one storage, at known places. */
bool tensors_are_placed(const tensor *a, const tensor *b);

typedef enum fact_origin {
  FACT_SHAPE,    /* sizes >= 0, span within the limit */
  FACT_DEFAULT,  /* range of a plain integer, of a constexpr */
  FACT_CONTRACT, /* assume clause */
  FACT_HOST,     /* assert, if ... raise, assignment */
  FACT_GRID,     /* grid limits */
  FACT_OPTION,   /* --assume, --set */
} fact_origin;

typedef struct fact {
  expr condition;
  fact_origin origin;
  uint32_t line;
} fact;

/* Arguments or a grid that the kernel cannot be launched with. */
typedef struct launch_fault {
  const char *text; /* a sentence */
  uint32_t line;
} launch_fault;

typedef enum param_kind {
  PARAM_POINTER, /* tensor index, base offset in elements */
  PARAM_INT,     /* run-time integer: value is `value` */
  PARAM_FLOAT,
  PARAM_BOOL,   /* run-time bool (int1) */
  PARAM_CONST,  /* integer constexpr: value is `value`; no SSA value */
  PARAM_STATIC, /* constexpr resolved at lowering (string, None, bool) */
  PARAM_OPAQUE, /* tuple, descriptor, callable: nothing is known */
} param_kind;

typedef struct param {
  const char *name;
  param_kind kind;
  type type;         /* of the SSA value, where there is one */
  uint32_t value_id; /* SSA value, 0 when none */
  uint32_t tensor;   /* index into tensors, PARAM_POINTER */
  expr offset;       /* of the pointer from the tensor's first element */
  expr value;        /* PARAM_INT, PARAM_CONST: EXPR_NONE if unknown */
  bool has_number;   /* PARAM_FLOAT: the host code says which number it is */
  double number;     /* (not in the text form) */
  const char *text;  /* PARAM_STATIC: its value as text, for messages */
} param;

/* -------------------------------------------------------------- the body */

typedef uint32_t value_id; /* index into values; 0 is none */
#define VALUE_NONE ((value_id)0)

/* One enumerator for each row of ops/ops.def. */
typedef enum op_id {
#define OP(id, name, ...) OP_##id,
#include "ops/ops.def"
#undef OP
  OP_COUNT
} op_id;

typedef enum node_kind {
  NODE_OP,
  NODE_FOR,   /* operands lo, hi, step, inits...; one region with arguments
                 counter, carried...; yields the carried; results the carried.
                 step > 0, or a negative constant; runs while counter < hi
                 (counter > hi for a negative step). */
  NODE_IF,    /* operand condition (scalar bool); two regions without
                 arguments; both yield the results */
  NODE_WHILE, /* operands inits...; region 0 (carried) yields one condition;
                 region 1 (carried) yields the next carried */
} node_kind;

typedef struct region region;

typedef struct inst {
  node_kind kind;
  op_id op;   /* NODE_OP */
  span at;    /* in the program's file */
  span inner; /* in the file of its call, where that is another one; else
                 nowhere */
  uint32_t
      call; /* index into calls of the inlined call it came through; 0 none */
  uint32_t index; /* number of the instruction in program order, from 1 */
  uint32_t operand_count, result_count, attr_count;
  value_id *operands; /* VALUE_NONE: an optional operand that is absent */
  value_id *results;
  expr *attrs;          /* integer attributes, meaning per op (ops.def) */
  double number;        /* CONST of float type */
  const char *text;     /* OPAQUE: what it is; ops with a mode: the mode */
  const char *spelling; /* name of the tl function whose call it answers, null:
                           none (not in the text form) */
  region *regions[2];
} inst;

struct region {
  VEC(value_id) args;
  VEC(inst *) insts;
  VEC(value_id) yields;
};

typedef struct value_info {
  type type;
  inst *def;        /* null for parameters and region arguments */
  const char *name; /* the Python name it was first bound to, may be null */
} value_info;

/* An inlined call: the helper's name, the span of the call expression, and the
 * helper's file where that is not the program's own (else null). A call inside
 * another file has the span of the one that led there. */
typedef struct call_site {
  const char *callee;
  const char *path;
  span at;
  uint32_t parent; /* enclosing inlined call, 0 none */
} call_site;

typedef struct tile_program {
  arena *arena;
  const char *path;     /* of the source file */
  const char *kernel;   /* name of the function */
  span at;              /* its def */
  uint32_t launch_line; /* 0 when nobody launches it here */
  /* The outermost host function around the launch; null: none. And the line of
   * a loop of the host code around the launch, 0: none. (None of these is in
   * the text form.) */
  span launch_at;     /* the call */
  const char *choice; /* how open flags of the host code were decided */
  const char *function;
  uint32_t function_line;
  uint32_t loop_line;
  exprs *exprs;
  int64_t max_numel; /* size limit in force, as a number */
  expr grid[3];      /* EXPR_NONE never; 1 on axes that the launch omits */
  uint8_t grid_rank; /* 0 when the grid is unknown (symbols G0, G1, G2) */
  /* Line of the first condition on the way to the launch that is not understood
   * and may speak of sizes, 0: none. The host code may refuse a counterexample
   * by it. */
  uint32_t unread_line;
  uint32_t grid_line;
  VEC(tensor) tensors;
  VEC(fact) facts;
  /* What clauses on the kernel itself say of a launch that is read here: no
   * facts, the launch must imply them (TC601). */
  VEC(fact) required;
  VEC(launch_fault) misfits; /* any launch is refused (TC601) */
  VEC(param) params;
  VEC(call_site) calls;   /* [0] is unused */
  VEC(value_info) values; /* [0] is unused */
  region *body;
  /* Spans of the kernel's text that this specialisation does not compile: arms
   * of decided branches, what stands after a return. (Not in the text form.) */
  VEC(span) dead;
  uint32_t inst_count;
  /* Constexpr symbols whose pin decided something at lowering: a proof holds
   * for these values only. */
  VEC(expr) decided;
  /* A condition of the launch whose two sides are no one program: what they
   * bind has not one type. EXPR_NONE: there is none. (Not in the text form.) */
  expr torn;
} tile_program;

/* ir/build.c: the only way to make instructions. */
tile_program *program_create(arena *kernel, const char *path,
                             const char *kernel_name);
/* Adds a misfit that is not there yet. */
void misfit_add(tile_program *p, const char *text, uint32_t line);
region *region_create(tile_program *p);
value_id program_value(tile_program *p, type t, const char *name);
/* Appends to r; operands and attrs are copied; result types give one fresh
 * value each (inst->results). */
inst *program_append(tile_program *p, region *r, inst shape,
                     const type *result_types, uint32_t result_count);
/* The same with results that are values already (for the reader). */
inst *program_append_results(tile_program *p, region *r, inst shape,
                             const value_id *results, uint32_t result_count);
/* Numbers the instructions in the order of the text, a loop before its body.
 * (program_append can only number in the order of making.) Call it when the
 * body is complete. */
void program_number(tile_program *p);

/* ir/print.c: normative text (docs/tile-ir.md). */
void program_print(const tile_program *p, strbuf *out);
/* ir/read.c: reads it back; null and an error with line and column on
 * failure. program_print(program_read(text)) == text for printed text. */
typedef struct read_error {
  uint32_t line, column;
  const char *message;
} read_error;
tile_program *program_read(arena *kernel, const char *text, size_t length,
                           read_error *error);
/* ir/verify.c: structural invariants; null when they hold, else a sentence. */
const char *program_verify(const tile_program *p, arena *arena);

#endif
