/* parser/host_state.h: what the host_*.c files share.
 *
 * host.c         finds launches, runs each until nothing new is learnt
 * host_launch.c  which kernels a call may launch
 * host_exec.c    statements
 * host_branch.c  if: one branch, both, or one program for each
 * host_assume.c  what follows when a condition holds
 * host_loop.c    loops, with, try, match, nested functions
 * host_eval.c    expressions
 * host_aggregate.c  tuples, lists, dictionaries, comprehensions
 * host_arith.c   operators and comparisons
 * host_import.c  functions and constants of the project's other files
 * host_call.c    calls: Python, triton, torch, functions of the file
 * host_number.c  numbers: min, math.ceil, cdiv; numbers of the machine
 * host_method.c  attributes and methods of tensors
 * host_view.c    views: slices, reshapes, permutations
 * host_parts.c   parts by their names, pointwise functions
 * host_tensor.c  tensors: symbols for extents and strides, their facts
 * host_autograd.c  backward methods, after their forward
 * host_merge.c   one value for two
 * host_value.c   values, choices, facts, names, slots
 * host_bind.c    kernel arguments, grid
 * host_switch.c  symbols for flags and texts that nobody knows
 * host_const.c   constexprs that the launch leaves open: switches
 * host_tune.c    ... that autotune configurations and heuristics fix
 * host_clause.c  names in contract clauses, tensors that clauses state
 * host_apply.c   the other clauses, clauses of the kernel, options
 * host_finish.c  tensors and parameters of the finished program
 *
 * One run executes one function (and the ones around it) from its start, binds
 * the launch when it comes to it, and goes on to the end to see which tensors
 * are returned. Some things are only known later than they are needed: the
 * rank of a tensor, the local that unpacks an extent, the constexpr that a
 * literal reaches. They are kept in slots, one for each place in the text that
 * a value comes from, and the run is repeated until its slots stay as they
 * are. Where a value or a branch is open (a flag, a condition that decides
 * which tensor is meant), host_choose makes one program for each possibility:
 * the run follows a script of choices, and the scripts are gone through. A
 * launch that has very many has joined switches instead: a flag, a mode, a text
 * is a symbol of the program, whose value no one knows (host_switch). */
#ifndef PARSER_HOST_STATE_H
#define PARSER_HOST_STATE_H

#include "parser/host.h"
#include "parser/params.h"

enum {
  HOST_PROGRAMS = 16,  /* for one launch, or one kernel that nobody launches */
  HOST_ENUMERATED = 4, /* more programs than that: switches become symbols */
  HOST_SPLITS = 4,     /* ... but for so many, on which types depend, */
  HOST_SPLIT_PROGRAMS = 8, /* and as long as there are no more programs */
  HOST_PASSES = 5,         /* runs until the slots stay as they are */
  HOST_CALLS = 6,          /* functions of the file inside each other */
  HOST_DEPTH = 300,        /* expressions and statements inside each other */
  HOST_STEPS = 60000,      /* statements and expressions of one run */
  HOST_ITEMS = 64,         /* of a tuple that is looked into */
};

typedef enum host_kind {
  HOST_UNKNOWN, /* slot != 0: open, may still turn out to be a tensor or int */
  HOST_INT,     /* number; EXPR_NONE: some integer */
  HOST_BOOL,    /* number: a condition; EXPR_NONE: some truth value */
  HOST_FLOAT,   /* real if has_real; a / b of integers keeps a and b */
  HOST_STRING,  /* text */
  HOST_NONE,
  HOST_CHOICE, /* one of the items: the number-th */
  HOST_DTYPE,  /* dtype; SC_ANY: some dtype */
  HOST_TUPLE,  /* items; lists too */
  HOST_DICT,   /* items under keys */
  HOST_TENSOR,
  HOST_SHAPE,    /* the shape of a tensor, all axes */
  HOST_STRIDES,  /* its strides */
  HOST_FUNCTION, /* def or lambda of the file: where */
  HOST_META,     /* the dictionary that a grid function or heuristic gets */
  HOST_CONFIG,   /* triton.Config: items under keys, of its meta-parameters */
  HOST_CONFIGS,  /* a list of some of these items, all of them HOST_CONFIG */
} host_kind;

typedef struct host_value {
  host_kind kind;
  uint32_t slot; /* where it comes from, 0: nowhere */
  expr number;
  expr dividend, divisor; /* FLOAT */
  bool has_real;
  double real;
  const char *text;
  scalar dtype;
  uint32_t tensor;
  expr absent; /* TENSOR: the condition that it is None; EXPR_NONE: never */
  const struct host_value *items;
  const char *const *keys;
  uint32_t count;
  bool murky;     /* BOOL: something in it is not understood; CONFIGS: so is
                     which of them there are */
  bool another;   /* STRING without text: none of the others of its CHOICE */
  bool changing;  /* a list or dictionary: others may change it */
  uint8_t folded; /* TUPLE: 1 + the item that stands for several axes of
                     `tensor`; 0: none does */
  node where;
  struct host_frame *frame; /* FUNCTION: where it was made */
  const file_names *names;  /* FUNCTION: of its file; null: the file itself */
} host_value;

/* What has been learnt about the values from one place in the text. The first
 * part stays between runs, the second is of the current run. */
typedef struct host_slot {
  const void *key; /* the node, and a number below it */
  uint32_t part;
  bool tensor_used, strides_asked, contiguous_stated;
  bool numel_asked;
  bool none_tested;       /* the code asks whether it is None */
  bool outside;           /* part of an object that the caller may choose */
  bool number_used;       /* recorded runs: it must be a number */
  bool rank_assumed;      /* ... rank_exact is only an assumption */
  int rank_exact;         /* 0: not known */
  int axes_front;         /* 1 + the highest axis asked for */
  int axes_back;          /* the lowest negative axis asked for, negated */
  const char *const_name; /* the constexpr that it reaches, null: none */
  const char *int_name;   /* the integer parameter that it reaches */
  const char *axis_names[TYPE_MAX_RANK]; /* locals that hold the extents */
  scalar dtype_stated;
  VEC(const char *) texts; /* joined switches: what it is compared with */
  /* of a run */
  const char *name; /* the parameter or variable */
  bool parameter;   /* of the function that launches, or of one around it */
  host_value decided;
  bool is_decided, not_none, size_asked;
  bool truth_known, truth; /* what it is as a condition */
  node default_value;
  const char *annotation; /* null: none */
  uint32_t line;
  expr symbol;
  expr absent;     /* joined switches: the condition that it is None */
  uint32_t tensor; /* 1 + index, 0: not made yet */
} host_slot;
typedef VEC(host_slot) host_slots;

typedef struct host_storage {
  bool fresh;    /* made by an allocation of this function */
  bool empty;    /* torch.empty*: holds nothing at first */
  bool touched;  /* somebody else may have written to it before the launch */
  bool later;    /* somebody else may write to it after the launch */
  bool returned; /* the function gives it back */
  bool shared;   /* an earlier launch gets it, too */
  bool filled;   /* one number in every element at first */
  double fill;
  uint32_t edits; /* statements before the launch, other than launches, that may
                     have written to it */
} host_storage;

typedef struct host_tensor {
  const char *name;
  const char *base; /* name of what it is a view or copy of, null: nothing */
  bool unnamed;     /* the next variable that holds it names it */
  bool spelled;     /* ... unless that is what its base is called: its name is
                       its text then */
  bool unread;      /* nothing is known about its size */
  const char *origin;
  uint32_t line;
  scalar dtype;
  const char *type_of; /* ANY: the tensor whose element type it has; or null */
  uint32_t slot;       /* slot that learns from questions about its shape */
  uint32_t storage;    /* index into storages */
  expr start;          /* of the first element in it; EXPR_NONE: 0 */
  bool adrift;         /* nobody knows where it starts */
  uint32_t perhaps;    /* 1 + a storage that it may be a view of, 0: none */
  bool held;           /* part of an object */
  bool anywhere;       /* nobody knows what it is a view of */
  bool ranked;         /* extents are known */
  bool strided;        /* strides are computed (lazily) */
  bool contiguous;     /* row-major */
  bool assumed;        /* ... because nobody says otherwise */
  bool disjoint, parameter;
  uint8_t folded; /* 1 + the axis that stands for several, as nobody knows how
                     many there are; 0: none does */
  bool sized;     /* facts about extents and span: no view inside another */
  uint32_t stride_slot; /* slot that learns that its strides are asked for */
  uint8_t rank;
  expr extent[TYPE_MAX_RANK];
  expr stride[TYPE_MAX_RANK];
  const clause *clause;             /* that states its shape, or null */
  bool role_stated, written_stated; /* by a clause */
  bool identical; /* holds its source's elements in its source's order */
  int index;      /* among the program's tensors, -1: not passed */
} host_tensor;

typedef struct host_binding {
  const char *name;
  host_value value;
} host_binding;
typedef VEC(host_binding) host_env;

typedef struct host_return {
  expr condition; /* EXPR_NONE: unknown */
  bool always;
  host_value value;
} host_return;

typedef VEC(const char *) names_vec;
typedef struct host_frame host_frame;
struct host_frame {
  host_frame *outer; /* the function around a nested one; null: the module */
  node definition;   /* no node: module level */
  host_env env;
  bool inlined;     /* called by the function that launches */
  host_env entry;   /* recorded runs: what a call bound its parameters to */
  names_vec shared; /* functions inside it bind these names: never known */
  VEC(host_return) returns;
};

typedef enum host_flow {
  HOST_NEXT,
  HOST_RETURN,
  HOST_RAISE,
  HOST_LEAVE, /* break, continue */
} host_flow;

/* A name that a clause introduced. */
typedef struct host_introduced {
  const char *name;
  expr symbol;
  bool local; /* a local of the function carries this name */
} host_introduced;

typedef struct host_argument {
  const char *name; /* of the kernel's parameter */
  bool given, bound;
  host_value value;
} host_argument;

/* A name bound in the function, and how often. */
typedef struct host_local {
  const char *name;
  uint32_t bound;
  bool relevant; /* flows into the launch */
} host_local;
typedef VEC(host_local) host_locals;

/* What a whole host_prepare shares. */
typedef struct host {
  arena *arena; /* kernel arena: programs */
  arena *work;  /* dies with host_prepare */
  const file_names *names;
  const syntax *syntax;
  const contract *contract;
  const term **assumptions; /* of options; null where malformed */
  bool *assumption_used;
  bool *set_used;
  parse_options options;
  notice_vec *notices;
  prepared_vec *out;
  VEC(span) reported; /* places that have a notice already */
  bool joined;        /* switches of the launch that is read are symbols */
  names_vec split;    /* ... but these symbols are enumerated */
} host;

typedef VEC(uint32_t) host_script;

/* Some number >= 1 that nobody chooses, the same wherever it is asked for. */
typedef struct host_natural_number {
  const char *name;
  expr number;  /* a symbol */
  int64_t most; /* 0: no limit */
} host_natural_number;

/* One run. */
typedef struct host_run {
  host *host;
  const syntax *syntax;    /* of the file whose code is executed */
  const file_names *names; /* of the same */
  span outside;            /* in another file: the call that led there */
  arena *arena;
  tile_program *p;
  exprs *t;
  const file_function *kernel;
  node launch;        /* the call; no node: nobody launches the kernel */
  node host_function; /* around the launch; no node: module level */
  span owner;         /* lines of the function whose clauses are meant,
                         decorators included; 0, 0: only the file's */
  bool kernel_names;  /* names in clauses are those of the kernel */
  int64_t max_numel;
  bool quiet;         /* not the last pass: no notices */
  bool reached, dead; /* the launch is bound; no such launch exists */
  bool tuning_open;   /* configurations or heuristics are not understood */
  bool grid_open;     /* nobody has said anything about the grid yet */
  bool changed;       /* a slot has learnt something */
  uint32_t depth, steps, calls;
  uint32_t epoch;             /* calls of unknown functions so far */
  uint32_t speculating;       /* inside a branch that may be executed again */
  uint32_t sides;             /* ... of an if whose condition is a guard */
  uint32_t unsure;            /* inside an expression that may be skipped */
  bool lazy;                  /* inside a condition: open flags stay open */
  struct host_record *record; /* of operators and launches, or null */
  host_frame *frame;
  VEC(host_frame *) frames; /* all that were made in this run */
  host_frame *launch_frame; /* of the function around the launch */
  host_slots *slots;        /* [0] is unused */
  VEC(host_tensor) tensors;
  VEC(host_storage) storages;
  VEC(expr) guards; /* conditions in force around here; EXPR_NONE: unknown */
  VEC(host_introduced) introduced;
  VEC(expr)
  nonnegative, limited; /* integers that are, unless a clause says
                           otherwise, >= 0 and <= the size limit */
  VEC(host_natural_number) naturals;
  host_locals locals;
  const host_script *script;
  host_script taken, arity; /* choices of this run */
  uint32_t product;         /* of the arities */
  names_vec chosen;         /* conditions that were decided by choice */
  bool too_many;
  /* kernel side */
  param_guess_vec guesses;
  host_argument *arguments; /* one for each guess */
  static_value *statics;    /* for the bindings */
} host_run;

/* ----------------------------------------------------------- host_value.c */

host_value host_unknown(void);
host_value host_int(expr number);
host_value host_bool(expr condition);
host_value host_none(void);
/* Unknown, but always the same: what this node (part of it) evaluates to. */
host_value host_open(host_run *r, node at, uint32_t part, const char *name);
/* ... a part of another unknown. */
host_value host_open_part(host_run *r, host_value whole, node at,
                          const char *name);
uint32_t host_slot_of(host_run *r, const void *key, uint32_t part);
host_slot *host_slot_at(host_run *r, uint32_t slot);
/* What the run has decided about an open value; the value itself if nothing. */
host_value host_settle(host_run *r, host_value v);
bool host_is_flag(host_run *r, uint32_t slot);
/* Whether a value is not understood, rather than free: nothing that the caller
 * chooses. */
bool host_is_murky(host_run *r, host_value v);
/* The value as an integer, EXPR_NONE if it is none or unknown. */
expr host_as_int(host_run *r, host_value v);
/* The value as a condition. An open flag is decided here (one program for each
 * answer) unless r->lazy. */
expr host_truth(host_run *r, host_value v);

/* ----------------------------------------------------------- host_merge.c */

bool host_same(const host_value *a, const host_value *b);
/* The value where the condition decides between two. False: they cannot be
 * one value; *out is unknown. */
bool host_merge(host_run *r, expr condition, host_value a, host_value b,
                host_value *out);

/* ... where nobody knows which of the two it is: of numbers one that is either,
 * of tuples item by item, else unknown. */
host_value host_merge_open(host_run *r, expr condition, host_value a,
                           host_value b, const char *name, uint32_t line);

/* ----------------------------------------------------- host_value.c again */

/* One of n possibilities; see the top. */
uint32_t host_choose(host_run *r, uint32_t n);
void host_fact(host_run *r, expr condition, fact_origin origin, uint32_t line);
/* A condition that the facts decide as a constant; else the condition. */
expr host_known(host_run *r, expr condition);
/* ... of a symbol that is new, whatever way leads here. */
void host_define(host_run *r, expr condition, uint32_t line);
expr host_symbol(host_run *r, const char *name, symbol s);
/* The symbol that an expression is, null if it is none. */
symbol *host_symbol_of(host_run *r, expr e);
/* The default range of a plain integer of that name. */
void host_range(host_run *r, expr e, const char *name);
/* A name that no symbol has yet. */
const char *host_fresh_name(host_run *r, const char *base);
bool host_nonnegative(const host_run *r, expr e);
const host_value *host_lookup(host_run *r, const char *name);
void host_bind(host_run *r, const char *name, host_value v);
/* The frame of a function (no node: of the module); the frame around it. */
host_frame *host_frame_of(host_run *r, node definition, host_frame *outer);
uint32_t host_bound_times(const host_run *r, const char *name);
bool host_is_relevant(const host_run *r, const char *name);
/* In the file that is checked: the call that led to code of another file. */
uint32_t host_line(const host_run *r, node at);
span host_span(const host_run *r, node at);
const char *host_text(const host_run *r, node at);
syn host_kind_of(const host_run *r, node at);
void host_notice(host_run *r, notice_kind kind, span at, const char *message);
/* Something that decides about the launch is not understood: counterexamples
 * are not certain. */
void host_unread(host_run *r, node at, const char *message);
/* UNSUPPORTED, with what it takes with it. */
void host_notice_effect(host_run *r, span at, const char *message,
                        const char *effect);

/* ----------------------------------------------------------- host_arith.c */

host_value host_binary(host_run *r, const char *op, host_value a, host_value b,
                       node at);
host_value host_unary(host_run *r, const char *op, host_value a, node at);
host_value host_compare(host_run *r, const char *op, host_value a,
                        host_value b);
/* Joined switches: the condition that an optional parameter is None. */
expr host_absence(host_run *r, uint32_t slot);
/* Decides by choice whether an optional parameter is None. */
bool host_decide_none(host_run *r, uint32_t slot);

/* ------------------------------------------------------------ host_eval.c */

host_value host_eval(host_run *r, node at);
/* Items of a tuple, list, shape or strides; false if it is none or unknown. One
 * of them may stand for several: host_folded gives 1 + its index. */
bool host_extents(host_run *r, host_value v, const host_value **items,
                  uint32_t *count);
uint8_t host_folded(const host_run *r, host_value v);
bool host_items(host_run *r, host_value v, const host_value **items,
                uint32_t *count);
/* A module constant, evaluated where it stands. */
host_value host_module_constant(host_run *r, node value, const char *name);
const char *host_string_text(host_run *r, node at);
/* Full dotted name of an expression, null if a local stands at its root. */
const char *host_qualified(host_run *r, node at);

/* ------------------------------------------------------------ host_call.c */

host_value host_eval_call(host_run *r, node call);
/* Calls a def or lambda of the file. */
typedef struct host_call {
  node at;
  const host_value *args; /* positional */
  uint32_t count;
  const char *const *names; /* keyword arguments */
  const host_value *values;
  uint32_t named;
  bool open_args, open_names; /* *args, **kwargs of unknown content */
  /* The arguments of a folded `*shape` too: open_args is set then, and count is
   * that of the ones before it. */
  uint32_t all_count, folded;
} host_call;
host_call host_read_call(host_run *r, node call);
host_value host_apply(host_run *r, host_value function, const host_call *c);
const host_value *host_keyword(const host_call *c, const char *name);
/* Positional argument, or the keyword argument of that name; null: absent. */
const host_value *host_argument_at(const host_call *c, uint32_t index,
                                   const char *name);

/* ---------------------------------------------------------- host_import.c */

/* Another file whose code is executed for a while. */
typedef struct host_visit {
  const syntax *syntax;
  const file_names *names;
  span outside;
} host_visit;
host_visit host_enter_file(host_run *r, const file_names *names, node call);
void host_leave_file(host_run *r, host_visit before);
/* The function of the project that a value is; null: it is none. */
const file_function *host_known_function(const host_run *r, host_value v);
/* What an imported name stands for: a function or constant of the project's
 * other files; false: it is not known. */
bool host_imported(host_run *r, node at, const char *full, host_value *out);

/* ---------------------------------------------------------- host_number.c */

/* A function of Python, math or triton by its full name; false: none of these.
 */
bool host_builtin(host_run *r, const char *full, const host_call *c,
                  host_value *out);
/* Some number from 1 to `most` (0: to any) that only the machine knows. */
host_value host_natural(host_run *r, node at, const char *name, int64_t most);
/* What is known of a property of the device by its name; false: nothing. */
bool host_device_property(host_run *r, node at, const char *name,
                          host_value *out);

/* ------------------------------------------------------- host_aggregate.c */

host_value host_sequence(host_run *r, node at);
host_value host_dictionary(host_run *r, node at);
/* A list, or a generator that is the argument of a function. */
host_value host_comprehension(host_run *r, node at);
host_value host_join_dictionaries(host_run *r, host_value a, host_value b);
/* tuple(...), list(...); dict(...); range(...) of constants; enumerate(...) and
 * zip(...); itertools.product(...). */
host_value host_as_sequence(host_run *r, const host_call *c);
host_value host_as_dictionary(host_run *r, const host_call *c);
host_value host_constant_range(host_run *r, const host_call *c);
host_value host_zip(host_run *r, const host_call *c, bool numbered);
host_value host_product(host_run *r, const host_call *c);
/* dictionary.get(...), keys(), values(), items(), copy(); false: another. */
bool host_dictionary_method(host_run *r, host_value dictionary,
                            const char *method, const host_call *c,
                            host_value *out);
/* `list.append(x)` and the like, `dictionary[key] = v`. False: others may hold
 * it too, or the change is not understood; nothing has been changed then. */
bool host_change_list(host_run *r, host_value list, const char *method,
                      const host_call *c);
bool host_change_dictionary(host_run *r, host_value dictionary, host_value key,
                            host_value v);

/* ---------------------------------------------------------- host_method.c */

/* x.size(axis), x.stride(axis). */
host_value host_ask_size(host_run *r, uint32_t tensor, host_value axis,
                         bool stride, node at);

host_value host_attribute(host_run *r, node at);
/* The element type that `torch.float32` and the like name; SC_NONE: none. */
scalar host_dtype_named(const char *full);
host_value host_method(host_run *r, host_value self, const char *name,
                       const host_call *c);
host_value host_torch(host_run *r, const char *name, const host_call *c);
/* Makes a tensor that the host allocates. */
host_value host_allocate(host_run *r, host_tensor t, bool empty);

/* ------------------------------------------------------------ host_view.c */

host_value host_subscript(host_run *r, node at);
host_value host_reshape(host_run *r, uint32_t tensor, const host_value *sizes,
                        uint32_t count, bool may_copy);
host_value host_permute(host_run *r, uint32_t tensor, const uint8_t *order);
host_value host_expand(host_run *r, uint32_t tensor, const host_value *sizes,
                       uint32_t count);
host_value host_unsqueeze(host_run *r, uint32_t tensor, int axis);
/* A view that goes by its text as long as no variable of its own holds it. */
host_value host_spell(host_run *r, host_value v, node at);
host_value host_view_of(host_run *r, host_tensor view);
/* The index-th axis with negative ones resolved; false: unknown. */
bool host_axis(host_run *r, uint32_t tensor, host_value axis, uint8_t *out);

/* ----------------------------------------------------------- host_parts.c */

/* narrow, select, chunk, split, squeeze, flatten, repeat and the like; false:
 * another method. */
bool host_part_method(host_run *r, uint32_t tensor, const char *name,
                      const host_call *c, host_value *out);
/* A function of one tensor (whose other arguments these are) that gives one
 * element for each element. */
bool host_is_pointwise(host_run *r, const char *name, const host_call *c);
host_value host_pointwise(host_run *r, uint32_t tensor);
/* ... of two of equal shape; false: they are not known to be. */
bool host_pointwise_pair(host_run *r, uint32_t a, uint32_t b, host_value *out);

/* ---------------------------------------------------------- host_tensor.c */

/* The tensor that a value is; an open value becomes one. */
bool host_as_tensor(host_run *r, host_value v, uint32_t *tensor);
host_value host_tensor_value(uint32_t tensor);
/* The element type that the options give a tensor, SC_ANY: none. */
scalar host_given_dtype(const host_run *r, const char *name);
uint32_t host_tensor_add(host_run *r, host_tensor t);
uint32_t host_storage_add(host_run *r, host_storage s);
/* Something may write to a tensor: another launch, or the host's own code. */
void host_touch(host_run *r, uint32_t tensor, bool by_launch);
/* Whether the number of axes is certain, not guessed from questions. */
bool host_rank_certain(host_run *r, uint32_t tensor);
void host_ask_axis(host_run *r, uint32_t tensor, int axis);
void host_ask_rank(host_run *r, uint32_t tensor, int rank);
void host_strides(host_run *r, uint32_t tensor);
void host_ask_strides(host_run *r, uint32_t tensor);
/* Keeps the name of the source and waits for one of its own. */
void host_mark_derived(host_tensor *t);
void host_row_major(host_run *r, host_tensor *t);
/* The product of the extents. */
expr host_numel(host_run *r, const host_tensor *t);
/* The number of elements: EXPR_NONE when the rank is only guessed (and the next
 * run folds what is between the axes that are known). */
expr host_ask_numel(host_run *r, uint32_t tensor);
/* A tensor of the same shape: a copy, or one like it. */
/* Nothing that is not understood can be a view of the allocation. */
bool host_is_apart(host_run *r, const host_tensor *t);
/* A copy, or the tensor itself: torch converts only what has to be. */
host_value host_perhaps_same(host_run *r, uint32_t tensor);
host_value host_like(host_run *r, uint32_t tensor, bool copy);
void host_size_facts(host_run *r, const host_tensor *t);
/* Takes note that a local holds an extent. */
void host_note_extent(host_run *r, const char *name, expr number);

/* ------------------------------------------------------------ host_exec.c */

host_flow host_block(host_run *r, node block);
host_flow host_statement(host_run *r, node at);
void host_assign(host_run *r, node target, host_value v);
/* Names that the statements below may bind become unknown. */
void host_forget(host_run *r, node below);
/* ... the names alone: what is done to lists and tensors is known. */
void host_forget_names(host_run *r, node below);
/* Methods that give a tensor other memory, sizes or strides in place. */
bool host_reshapes_in_place(const char *name);
/* Lists that a call gets may be others afterwards. */
void host_call_effects(host_run *r, node call);
/* Somebody may call this function: lists that it changes. */
void host_forget_function(host_run *r, host_value function);
/* Somebody may have changed this list or dictionary, whoever holds it. */
void host_forget_object(host_run *r, host_value object);
/* ... any list or dictionary. */
void host_forget_lists(host_run *r);
/* ... and the attributes of any object: all of them, or those of this name. */
void host_forget_attributes(host_run *r, const char *attribute);
/* Somebody gave this tensor other memory, sizes or strides in place: every name
 * of it or of a view of it is unknown now. */
void host_forget_tensor(host_run *r, host_value tensor);
/* ... something that may be a tensor; all tensors; everything. */
void host_forget_unclear(host_run *r, host_value v);
void host_forget_tensors(host_run *r);
void host_forget_all(host_run *r);
bool host_holds_launch(const host_run *r, node at);
/* What a statement or expression binds; no node: nothing. */
node host_bound_target(const host_run *r, node n);
/* Launch options that no address depends on. */
bool host_is_tuning(const char *name);

/* ---------------------------------------------------------- host_branch.c */

host_flow host_if(host_run *r, node at);

/* ---------------------------------------------------------- host_assume.c */

/* A condition without deciding anything that is open. */
expr host_condition(host_run *r, node condition);
/* What follows from a condition besides the fact: ranks, flags, None. */
/* True: nothing is left of the condition that it does not tell. */
bool host_refine(host_run *r, node condition, bool truth);
/* A parameter that may be None. */
bool host_is_optional(host_run *r, uint32_t slot);
void host_assume(host_run *r, node condition, bool truth);
void host_conditional_facts(host_run *r, node statement);

/* ------------------------------------------------------------ host_loop.c */

/* range(...) with an ascending step. */
typedef struct host_turns {
  expr low, high, step;
} host_turns;
bool host_read_range(host_run *r, node at, host_turns *out);
/* Executes statements for their effects on tensors; what they bind is unknown
 * before and after. */
void host_any_turns(host_run *r, node body);
host_flow host_for(host_run *r, node at);
host_flow host_while(host_run *r, node at);
host_flow host_with(host_run *r, node at);
host_flow host_try(host_run *r, node at);
host_flow host_match(host_run *r, node at);
/* Executes the function around the launch, or one around that. */
void host_enter_function(host_run *r, node definition);
void host_parameters(host_run *r, node definition);

/* -------------------------------------------------------- host_autograd.c */

/* Begins the frame of a backward method, with what forward has left for it.
 * False: it is none, or forward is not understood; nothing has begun then. */
bool host_backward(host_run *r, node definition);
/* ctx.save_for_backward(...) and the like; false: another method. */
bool host_context_method(host_run *r, node object, const char *method,
                         const host_call *c, host_value *out);

/* ------------------------------------------------------------ host_bind.c */

void host_bind_launch(host_run *r);
/* Binds a parameter that is no constexpr to its argument. */
void host_bind_param(host_run *r, uint32_t index);
void host_bind_static(host_run *r, uint32_t index, host_value v);
void host_unlaunched(host_run *r);
/* Symbols for a grid that nobody has said anything about. */
void host_settle_grid(host_run *r);
host_argument *host_argument_named(host_run *r, const char *name);
void host_set_param(host_run *r, uint32_t index, param p, static_value v);
void host_bind_unknown(host_run *r, uint32_t index);
void host_bind_pointer(host_run *r, uint32_t index, uint32_t tensor);
void host_bind_int(host_run *r, uint32_t index, expr value);

/* ---------------------------------------------------------- host_switch.c */

/* A symbol for one of n possibilities that have these names. */
expr host_switch(host_run *r, const char *name, const char *const *labels,
                 uint32_t n, uint32_t line);
/* ... for true and false, as a condition. */
expr host_switch_truth(host_run *r, const char *name, uint32_t line);
/* One of some texts, or (the last item, without a text) another; a symbol of
 * that name says which. */
host_value host_choice_of_texts(host_run *r, const char *name,
                                const char *const *texts, uint32_t count,
                                uint32_t line);
host_value host_tuple(host_run *r, const host_value *items, uint32_t count);
/* Joined switches: a parameter that is compared with a text as one of the texts
 * that it is compared with, or another; what else it is as it is. */
host_value host_text_choice(host_run *r, host_value v, const char *text);
bool host_choice_has(host_value choice, const char *text);
/* dictionary[key] and dictionary.get(key) for a key that is not known; false:
 * nothing is known of what they give. */
bool host_look_up(host_run *r, host_value dictionary, host_value key,
                  host_value *out);
/* A CHOICE of integers as one. */
expr host_choice_number(host_run *r, host_value choice);
/* That a CHOICE is its i-th item; as a condition. */
expr host_chosen(host_run *r, host_value choice, uint32_t i);
expr host_choice_truth(host_run *r, host_value choice);

/* ----------------------------------------------------------- host_const.c */

void host_bind_constant(host_run *r, uint32_t index);
void host_bind_open_constant(host_run *r, uint32_t index);
void host_bind_number(host_run *r, uint32_t index, expr value);

/* ------------------------------------------------------------ host_tune.c */

/* triton.Config(...). */
host_value host_config(host_run *r, const host_call *c);
/* Any part of a list of configurations; unknown if it is none. */
host_value host_some_configs(host_run *r, host_value list);
/* The configurations of both; false: a or b is no list of them. */
bool host_all_configs(host_run *r, host_value a, host_value b, host_value *out);
void host_read_autotune(host_run *r);
void host_read_heuristics(host_run *r);
/* Takes away the values that the heuristics will replace. */
void host_override(host_run *r);

/* ---------------------------------------------------------- host_clause.c */

/* The clause of that kind for a name of the function that launches. */
const clause *host_clause_for(host_run *r, clause_kind kind, const char *name);
void host_find_limit(host_run *r);
/* A term with the names of the function that launches. */
expr host_term(host_run *r, const term *x, symbol_role introduce);
/* States extents and strides of a tensor as a clause does. */
void host_state_tensor(host_run *r, const clause *c, host_tensor *t);
/* Contents, parts written and the like, for a finished tensor. */
void host_state_contents(host_run *r, const char *name, uint32_t tensor);
expr host_introduced_symbol(host_run *r, const char *name);
bool host_clause_names(host_run *r, const char *name);
/* Clears *low or *high when an `assume` bounds the name on that side (from
 * below: by something that may be negative). */
void host_stated_bounds(host_run *r, const char *name, bool *low, bool *high);

/* Whether a clause is of the function whose clauses are meant. */
bool host_clause_belongs(const host_run *r, const clause *c);
/* An unknown name is a mistake, but in clauses for every function. */
void host_clause_report(host_run *r, const clause *c, span at,
                        const char *name);
/* The value of a variable of the function, or of a kernel's parameter. */
bool host_variable(host_run *r, const char *name, host_value *out);
/* A term of a clause; EXPR_NONE and a notice for an unknown name. */
expr host_clause_term(host_run *r, const clause *c, const term *x,
                      symbol_role role);
expr host_resolve(host_run *r, const char *name);

/* ----------------------------------------------------------- host_apply.c */

void host_apply_clauses(host_run *r);
void host_apply_kernel_clauses(host_run *r);
void host_apply_options(host_run *r);

/* ----------------------------------------------------------------- host.c */

/* What a run is about: a launch, a kernel that nobody launches (neither call
 * nor function), or all of a host function. */
typedef struct host_task {
  const file_function *kernel; /* or the host function */
  node call;                   /* of the launch */
  node function;               /* the host function, to be recorded */
  host_locals locals;
  param_guess_vec guesses;
} host_task;
/* Runs until nothing new is learnt; the last run is the one that counts. The
 * longest list of choices is the one to go on from. */
host_run host_run_task(host *h, const host_task *task,
                       const host_script *script, host_script *taken,
                       host_script *arity);
/* The next script in the order of an odometer; false after the last. */
bool host_next_script(host *h, host_script taken, host_script arity,
                      host_script *out);
/* Counts what is bound below; functions that do not hold the launch have names
 * of their own. */
void host_count_locals(host_run *r, node root);
void host_count_parameters(host_run *r, node definition);
/* Lines of a function, decorators included. */
span host_lines_of(const host *h, node definition);

/* ---------------------------------------------------------- host_launch.c */

/* The kernels that `kernel[grid](...)` may launch; none if it is no launch. */
typedef VEC(const file_function *) kernel_vec;
kernel_vec host_launched_kernels(const host *h, node call);
/* ... the only one; null if the call is no launch, or one of several. */
const file_function *host_launched(const host *h, node call);

/* ------------------------------ host_function.c, runs that record */

/* Executes a host function from its start to its end. */
void host_run_function(host_run *r, node definition);
/* ... each of the file. */
void host_read_functions(host *h, host_unit_vec *out);
/* A condition that this run takes to be true, or false, by choice. */
void host_note_choice(host_run *r, node condition, bool truth);
/* Text of the choices and open flags that the run has decided: "causal=True";
 * "". */
const char *host_choice_text(const host_run *r, arena *arena);

/* Evaluates an expression that is recorded; false: it is the reader's. */
bool host_record_expression(host_run *r, node at, host_value *out);
bool host_record_augmented(host_run *r, node at);
/* `x[...] = v` */
void host_record_store(host_run *r, node target, host_value stored);
void host_record_unknown_call(host_run *r, node call);
host_flow host_record_for(host_run *r, node at);
/* A statement that is not executed: open if it calls or computes anything. */
void host_record_unread(host_run *r, node at);
/* A call of a function of the file; gives what host_record_leave needs. */
uint64_t host_record_enter(host_run *r, node call);
void host_record_leave(host_run *r, uint64_t path);
/* The arguments of the call are bound in r->frame. */
void host_record_arguments(host_run *r);
size_t record_mark(const host_run *r);
/* Forgets the steps from `mark` on (from the start: assumptions too). */
void record_rewind(host_run *r, size_t mark);
/* What is recorded from `mark` on may be executed or not. */
void record_doubtful(host_run *r, size_t mark, const char *why);

/* ---------------------------------------------------------- host_finish.c */

void host_finish(host_run *r);
/* Shapes of the program's tensors, from those of the host. */
void host_fill_tensors(host_run *r);
uint32_t host_program_tensor(host_run *r, uint32_t tensor);

#endif
