/* exec/launch.c: numbers for everything that is fixed before a program runs.
 *
 * A launch that Triton, the driver or the program's own facts refuse does not
 * exist: binding ends with the first such reason. */
#include "exec/machine.h"

#include <stdarg.h>
#include <stdio.h>

static bool refuse(exec_machine *m, exec_event *e, const inst *in,
                   uint32_t line, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

static bool refuse(exec_machine *m, exec_event *e, const inst *in,
                   uint32_t line, const char *format, ...) {
  char text[256];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  *e = (exec_event){.kind = EVENT_LAUNCH,
                    .detail = arena_strdup(m->arena, text)};
  e->at.line = line;
  if (in) {
    e->at = in->at;
    e->inst = in->index;
  }
  return false;
}

static bool evaluate(const exec_machine *m, expr e, int64_t *out) {
  return e != EXPR_NONE &&
         expr_eval(m->program->exprs, e, m->number, m->known, out);
}

static const char *text_of(const exec_machine *m, expr e) {
  return e == EXPR_NONE ? "an unknown number"
                        : expr_text(m->program->exprs, e, m->arena);
}

/* ------------------------------------------------- parameters and facts */

static void bind_wide(exec_machine *m) {
  const tile_program *p = m->program;
  for (size_t i = 0; i < p->params.count && i < 64; i++) {
    int64_t value;
    if (p->params.at[i].kind == PARAM_INT &&
        evaluate(m, p->params.at[i].value, &value) &&
        (value < INT32_MIN || value > INT32_MAX))
      m->wide |= (uint64_t)1 << i;
  }
}

static bool bind_facts(exec_machine *m, exec_event *refused) {
  for (size_t i = 0; i < m->program->facts.count; i++) {
    const fact *f = &m->program->facts.at[i];
    int64_t holds = 0;
    if (f->condition == EXPR_NONE)
      continue;
    bool known = evaluate(m, f->condition, &holds);
    if (!known || !holds)
      return refuse(m, refused, NULL, f->line, "%s %s",
                    text_of(m, f->condition),
                    known ? "is false" : "has no value");
  }
  return true;
}

static bool bind_grid(exec_machine *m, exec_event *refused) {
  for (int axis = 0; axis < 3; axis++) {
    int64_t *n = &m->grid[axis];
    if (!evaluate(m, m->program->grid[axis], n))
      return refuse(m, refused, NULL, m->program->grid_line,
                    "grid axis %d (%s) has no value", axis,
                    text_of(m, m->program->grid[axis]));
    if (*n < 0)
      return refuse(m, refused, NULL, m->program->grid_line,
                    "grid axis %d is %lld", axis, (long long)*n);
  }
  return true;
}

/* Last: nothing else is wrong with a launch that only its grid forbids. */
static bool bind_limits(exec_machine *m, exec_event *refused) {
  for (int axis = 0; axis < 3; axis++) {
    int64_t most = axis == 0 ? INT32_MAX : 65535, n = m->grid[axis];
    if (n <= most)
      continue;
    refuse(m, refused, NULL, 0, "grid axis %d is %lld, at most %lld", axis,
           (long long)n, (long long)most);
    refused->kind = EVENT_GRID;
    return false;
  }
  return true;
}

/* What the kernel demands of its launch. */
static bool bind_contract(exec_machine *m, exec_event *refused) {
  const tile_program *p = m->program;
  const char *broken = p->misfits.count ? p->misfits.at[0].text : NULL;
  int64_t holds = 1;
  if (m->options.only_kind != EVENT_CONTRACT || m->grid[0] == 0 ||
      m->grid[1] == 0 || m->grid[2] == 0)
    return true;
  for (size_t i = 0; i < p->required.count && !broken; i++) {
    expr e = p->required.at[i].condition;
    if (evaluate(m, e, &holds) && !holds)
      broken = arena_printf(m->arena, "%s is false", text_of(m, e));
  }
  if (!broken)
    return true;
  refuse(m, refused, NULL, 0, "%s", broken);
  refused->kind = EVENT_CONTRACT;
  return false;
}

/* The part that holds values at the start, clipped to the tensor. */
static void bind_part(exec_machine *m, const tensor *t, bound_tensor *to,
                      const int64_t *extent, const int64_t *stride) {
  int64_t length[TYPE_MAX_RANK], start = 0;
  for (uint32_t d = 0; d < t->rank; d++) {
    int64_t low = 0, high = extent[d];
    if (!evaluate(m, t->part_low[d], &low) || low < 0)
      low = 0;
    if (!evaluate(m, t->part_high[d], &high) || high > extent[d])
      high = extent[d];
    length[d] = high > low ? high - low : 0;
    start += length[d] > 0 ? low * stride[d] : 0;
  }
  bool fits = elements_build(&to->part, length, stride, t->rank);
  assert(fits); /* it lies within the tensor */
  to->part.low += start;
}

/* A tensor that begins nobody knows where has its memory to itself. */
static void bind_storage(exec_machine *m, const tensor *t, bound_tensor *to,
                         uint32_t index) {
  to->storage = index;
  if (t->start == EXPR_NONE || t->anywhere)
    return;
  for (uint32_t k = 0; k < index; k++) {
    const tensor *other = &m->program->tensors.at[k];
    if (other->storage == t->storage && m->tensors[k].storage == k &&
        other->start != EXPR_NONE && !other->anywhere) {
      to->storage = k;
      break;
    }
  }
  if (!evaluate(m, t->start, &to->start)) {
    to->storage = index;
    to->start = 0;
  }
}

static bool bind_tensor(exec_machine *m, uint32_t index, exec_event *refused) {
  const tensor *t = &m->program->tensors.at[index];
  int64_t extent[TYPE_MAX_RANK], stride[TYPE_MAX_RANK];
  bound_tensor *to = &m->tensors[index];
  bind_storage(m, t, to, index);
  if (!t->known)
    return true;
  for (uint32_t d = 0; d < t->rank; d++) {
    if (!evaluate(m, t->extent[d], &extent[d]) ||
        !evaluate(m, t->stride[d], &stride[d]))
      return refuse(m, refused, NULL, t->line,
                    "axis %u of %s has no extent or stride", d, t->name);
    if (extent[d] < 0)
      return refuse(m, refused, NULL, t->line, "extent %u of %s is %lld", d,
                    t->name, (long long)extent[d]);
  }
  if (!elements_build(&to->elements, extent, stride, t->rank))
    return refuse(m, refused, NULL, t->line, "%s spans over 2^62 elements",
                  t->name);
  if (t->part_written)
    bind_part(m, t, to, extent, stride);
  int64_t least, greatest;
  if (t->has_range && !to->elements.empty && evaluate(m, t->least, &least) &&
      evaluate(m, t->greatest, &greatest) && least > greatest)
    return refuse(m, refused, NULL, t->line,
                  "no value of %s is from %lld to %lld", t->name,
                  (long long)least, (long long)greatest);
  return true;
}

static bool bind_tensors(exec_machine *m, exec_event *refused) {
  m->tensor_count = m->program->tensors.count;
  m->tensors = ARENA_ARRAY(m->arena, bound_tensor, m->tensor_count);
  m->storages = ARENA_ARRAY(m->arena, storage, m->tensor_count);
  for (uint32_t i = 0; i < m->tensor_count; i++) {
    if (!bind_tensor(m, i, refused))
      return false;
    contents_bind(m, i);
  }
  return true;
}

/* ----------------------------------------------------------------- types */

static bool is_pow2(int64_t x) {
  return x > 0 && (x & (x - 1)) == 0;
}

static bool bind_type(exec_machine *m, const type *t, const inst *def,
                      tile_type *out, exec_event *refused) {
  *out = (tile_type){
      .elem = t->elem, .pointer = t->pointer, .rank = t->rank, .lanes = 1};
  if (t->elem == SC_I32 && !t->pointer && (t->wide & m->wide) != 0)
    out->elem = SC_I64;
  assert(t->rank <= TYPE_MAX_RANK);
  for (uint32_t d = 0; d < t->rank; d++) {
    int64_t *dim = &out->dim[d];
    if (!evaluate(m, t->dim[d], dim))
      return refuse(m, refused, def, 0, "a tile has no size along axis %u: %s",
                    d, text_of(m, t->dim[d]));
    if (!is_pow2(*dim))
      return refuse(m, refused, def, 0,
                    "a tile has %lld lanes along axis %u: not a power of two",
                    (long long)*dim, d);
    if (*dim > MAX_LANES || out->lanes * (size_t)*dim > MAX_LANES)
      return refuse(m, refused, def, 0, "a tile has more than 2^20 lanes");
    out->lanes *= (size_t)*dim;
  }
  return true;
}

static bool bind_values(exec_machine *m, exec_event *refused) {
  m->value_count = m->program->values.count;
  m->values = ARENA_ARRAY(m->arena, tile, m->value_count);
  m->next = ARENA_ARRAY(m->arena, tile, m->value_count);
  for (size_t i = 1; i < m->value_count; i++) {
    const value_info *v = &m->program->values.at[i];
    if (!bind_type(m, &v->type, v->def, &m->values[i].type, refused))
      return false;
    m->next[i].type = m->values[i].type;
  }
  return true;
}

/* A number in [0, 1) for an argument that nobody fixes. */
static double free_number(const exec_machine *m, size_t param) {
  uint64_t hash = hash_mix(hash_mix(m->options.seed, 0x706172616d), param);
  return (double)(hash >> 40) / 16777216.0;
}

static bool bind_int(exec_machine *m, const param *p, tile *t,
                     exec_event *refused) {
  int64_t value;
  if (!evaluate(m, p->value, &value))
    return refuse(m, refused, NULL, m->program->launch_line,
                  "argument %s has no value", p->name);
  scalar s = t->type.elem;
  if (scalar_is_int(s) &&
      (value < number_least(s) || value > number_greatest(s)))
    return refuse(m, refused, NULL, m->program->launch_line,
                  "argument %s is %lld: no %s", p->name, (long long)value,
                  scalar_name(s));
  t->bits[0] =
      number_is_float(s) ? number_encode(s, (double)value) : (uint64_t)value;
  return true;
}

static bool bind_param(exec_machine *m, size_t index, exec_event *refused) {
  const param *p = &m->program->params.at[index];
  tile *t = &m->values[p->value_id];
  int64_t offset = 0;
  double chosen = m->options.fill == FILL_ZERO ? 1.0 : free_number(m, index);
  tile_begin(m, t);
  switch (p->kind) {
  case PARAM_POINTER:
    assert(p->tensor < m->tensor_count);
    t->tensor = p->tensor;
    if (!evaluate(m, p->offset, &offset))
      tile_blame(m, t, 0, LANE_UNKNOWN);
    t->bits[0] = (uint64_t)offset;
    return true;
  case PARAM_INT:
  case PARAM_CONST:
    return bind_int(m, p, t, refused);
  case PARAM_BOOL:
    if (!evaluate(m, p->value, &offset))
      offset = m->options.fill == FILL_RANDOM && chosen < 0.5;
    t->bits[0] = offset != 0;
    return true;
  case PARAM_FLOAT:
    if (p->has_number)
      chosen = p->number;
    t->bits[0] =
        number_is_float(t->type.elem) ? number_encode(t->type.elem, chosen) : 1;
    return true;
  case PARAM_STATIC:
  case PARAM_OPAQUE:
    tile_blame(m, t, 0, LANE_UNKNOWN);
    return true;
  }
  panic("parameter of kind %d", (int)p->kind);
}

/* ---------------------------------------------------------- instructions */

static bool check_arange(exec_machine *m, const inst *in, exec_event *refused) {
  const int64_t *range = m->attrs[in->index];
  assert(in->attr_count == 2 && in->result_count == 1);
  const tile_type *t = &m->values[in->results[0]].type;
  if (range[0] < INT32_MIN || range[1] > (int64_t)INT32_MAX + 1 ||
      range[1] - range[0] != (int64_t)t->lanes)
    return refuse(m, refused, in, 0, "arange(%lld, %lld) is no tile of %zu",
                  (long long)range[0], (long long)range[1], t->lanes);
  return true;
}

/* A Python number next to a tile has to fit the tile's type; unsigned types
 * take negative spellings of the same bits. */
static bool check_const(exec_machine *m, const inst *in, exec_event *refused) {
  const tile_type *t = &m->values[in->results[0]].type;
  if (t->pointer || !scalar_is_int(t->elem))
    return true;
  if (in->attr_count < 1)
    return refuse(m, refused, in, 0, "a constant has no value");
  int64_t value = m->attrs[in->index][0];
  int128 least = number_least(t->elem);
  if (!scalar_is_signed(t->elem) && t->elem != SC_BOOL)
    least = -((int128)1 << (scalar_bits(t->elem) - 1));
  if (value < least || value > number_greatest(t->elem))
    return refuse(m, refused, in, 0, "the constant %lld is no %s",
                  (long long)value, scalar_name(t->elem));
  return true;
}

static bool check_dot(exec_machine *m, const inst *in, exec_event *refused) {
  const tile *a = tile_operand(m, in, 0), *b = tile_operand(m, in, 1);
  uint32_t rank = a->type.rank;
  assert(rank >= 2 && b->type.rank == rank);
  int64_t rows = a->type.dim[rank - 2], inner = a->type.dim[rank - 1];
  int64_t columns = b->type.dim[rank - 1];
  if (rows < 16 || inner < 16 || columns < 16)
    return refuse(m, refused, in, 0,
                  "dot of %lldx%lld by %lldx%lld: every side must be at least "
                  "16",
                  (long long)rows, (long long)inner,
                  (long long)b->type.dim[rank - 2], (long long)columns);
  return true;
}

static bool bind_inst(exec_machine *m, const inst *in, exec_event *refused) {
  assert(in->index >= 1 && in->index <= m->program->inst_count);
  m->insts[in->index] = in;
  int64_t *attrs = ARENA_ARRAY(m->arena, int64_t, in->attr_count);
  m->attrs[in->index] = attrs;
  if (in->kind != NODE_OP)
    return true;
  for (uint32_t i = 0; i < in->attr_count; i++)
    if (!evaluate(m, in->attrs[i], &attrs[i]) && in->op != OP_HINT)
      return refuse(m, refused, in, 0, "%s: %s has no value", op_name(in->op),
                    text_of(m, in->attrs[i]));
  if (in->op == OP_ARANGE)
    return check_arange(m, in, refused);
  if (in->op == OP_CONST)
    return check_const(m, in, refused);
  if (in->op == OP_DOT)
    return check_dot(m, in, refused);
  return true;
}

/* Binds the instructions of a region; path holds the loops around it. */
static bool bind_region(exec_machine *m, const region *r, uint32_t *path,
                        uint32_t depth, exec_event *refused) {
  for (size_t i = 0; i < r->insts.count; i++) {
    const inst *in = r->insts.at[i];
    if (!bind_inst(m, in, refused))
      return false;
    if (in->index == m->options.only_inst) {
      m->chain_count = depth < MAX_TURNS ? depth : MAX_TURNS;
      memcpy(m->chain, path, sizeof *path * m->chain_count);
    }
    bool loop = in->kind == NODE_FOR || in->kind == NODE_WHILE;
    if (loop && depth < MAX_TURNS)
      path[depth] = in->index;
    for (int k = 0; k < 2; k++)
      if (in->regions[k] && !bind_region(m, in->regions[k], path,
                                         depth + (loop ? 1 : 0), refused))
        return false;
  }
  return true;
}

bool launch_bind(exec_machine *m, exec_event *refused) {
  const tile_program *p = m->program;
  size_t insts = (size_t)p->inst_count + 1;
  uint32_t path[MAX_TURNS];
  m->insts = ARENA_ARRAY(m->arena, const inst *, insts);
  m->attrs = ARENA_ARRAY(m->arena, int64_t *, insts);
  m->picks = ARENA_ARRAY(m->arena, uint32_t *, insts);
  bind_wide(m);
  if (!bind_facts(m, refused) || !bind_tensors(m, refused) ||
      !bind_grid(m, refused) || !bind_values(m, refused) ||
      !bind_region(m, p->body, path, 0, refused))
    return false;
  for (size_t i = 0; i < p->params.count; i++)
    if (p->params.at[i].value_id != VALUE_NONE && !bind_param(m, i, refused))
      return false;
  return bind_limits(m, refused) && bind_contract(m, refused);
}
