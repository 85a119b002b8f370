/* checks/fix.c: fixes in the kernel's own names. */
#include "checks/fix.h"

/* The Python name of a value, looked for through copies of it. */
static const char *name_of(const tile_program *p, value_id v) {
  for (int steps = 0; v != VALUE_NONE && steps < 8; steps++) {
    const value_info *info = &p->values.at[v];
    if (info->name)
      return info->name;
    const inst *def = info->def;
    if (!def || def->kind != NODE_OP || def->operand_count != 1)
      return NULL;
    v = def->operands[0];
  }
  return NULL;
}

/* The offset that was added to the base pointer, when it is all there is. */
static value_id whole_offset(const tile_program *p, value_id pointer) {
  for (int steps = 0; pointer != VALUE_NONE && steps < 8; steps++) {
    const inst *def = p->values.at[pointer].def;
    if (!def || def->kind != NODE_OP || def->operand_count == 0)
      return VALUE_NONE;
    if (op_signature_of(def->op) == SIG_PTR_ADD) {
      const inst *base = p->values.at[def->operands[0]].def;
      bool bare = !base || op_signature_of(base->op) == SIG_SPLAT;
      return bare ? def->operands[1] : VALUE_NONE;
    }
    pointer = def->operands[0];
  }
  return VALUE_NONE;
}

static const char *argument_named(const tile_program *p, expr e) {
  int64_t ignored;
  for (size_t i = 0; i < p->params.count; i++) {
    const param *q = &p->params.at[i];
    bool number = q->kind == PARAM_INT || q->kind == PARAM_CONST;
    if (number && q->value == e && !expr_is_int(p->exprs, e, &ignored))
      return q->name;
  }
  return NULL;
}

const char *fix_mask(const check_input *in, const access *a) {
  const tile_program *p = in->program;
  const tensor *x = &p->tensors.at[a->pointer.tensor];
  if (x->rank != 1 || a->inst->operand_count == 0)
    return NULL;
  const char *offset = name_of(p, whole_offset(p, a->inst->operands[0]));
  const char *size = argument_named(p, x->extent[0]);
  if (!offset || !size)
    return NULL;
  uint32_t at = a->effect == EFFECT_READ ? 1 : 2;
  value_id mask =
      at < a->inst->operand_count ? a->inst->operands[at] : VALUE_NONE;
  const char *old = name_of(p, mask);
  if (mask == VALUE_NONE)
    return arena_printf(in->arena, "mask=%s < %s", offset, size);
  return old ? arena_printf(in->arena, "mask=%s & (%s < %s)", old, offset, size)
             : NULL;
}
