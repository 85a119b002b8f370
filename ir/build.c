/* ir/build.c: the only way to make instructions. */
#include "base/panic.h"
#include "ir/tile.h"

tile_program *program_create(arena *kernel, const char *path,
                             const char *kernel_name) {
  tile_program *p = ARENA_NEW(kernel, tile_program);
  p->arena = kernel;
  p->path = arena_strdup(kernel, path);
  p->kernel = arena_strdup(kernel, kernel_name);
  p->exprs = exprs_create(kernel);
  for (size_t axis = 0; axis < 3; axis++)
    p->grid[axis] = expr_int(p->exprs, 1);
  call_site no_call = {0};
  value_info no_value = {0};
  VEC_PUSH(kernel, &p->calls, no_call);
  VEC_PUSH(kernel, &p->values, no_value);
  p->body = region_create(p);
  return p;
}

void misfit_add(tile_program *p, const char *text, uint32_t line) {
  for (size_t i = 0; i < p->misfits.count; i++)
    if (strcmp(p->misfits.at[i].text, text) == 0)
      return;
  launch_fault m = {arena_strdup(p->arena, text), line};
  VEC_PUSH(p->arena, &p->misfits, m);
}

region *region_create(tile_program *p) {
  return ARENA_NEW(p->arena, region);
}

value_id program_value(tile_program *p, type t, const char *name) {
  value_info info = {.type = t, .name = name};
  assert(p->values.count < UINT32_MAX);
  VEC_PUSH(p->arena, &p->values, info);
  return (value_id)(p->values.count - 1);
}

inst *program_append_results(tile_program *p, region *r, inst shape,
                             const value_id *results, uint32_t result_count) {
  arena *a = p->arena;
  inst *i = arena_copy(a, &shape, sizeof shape);
  i->operands = arena_copy(a, shape.operands,
                           shape.operand_count * sizeof *shape.operands);
  i->attrs = arena_copy(a, shape.attrs, shape.attr_count * sizeof *shape.attrs);
  i->results = arena_copy(a, results, result_count * sizeof *results);
  i->result_count = result_count;
  i->index = ++p->inst_count;
  for (uint32_t k = 0; k < result_count; k++) {
    assert(results[k] != VALUE_NONE && results[k] < p->values.count);
    p->values.at[results[k]].def = i;
  }
  VEC_PUSH(a, &r->insts, i);
  return i;
}

inst *program_append(tile_program *p, region *r, inst shape,
                     const type *result_types, uint32_t result_count) {
  value_id *results = ARENA_ARRAY(p->arena, value_id, result_count);
  for (uint32_t k = 0; k < result_count; k++)
    results[k] = program_value(p, result_types[k], NULL);
  return program_append_results(p, r, shape, results, result_count);
}

static void number_region(region *r, uint32_t *next) {
  for (size_t i = 0; i < r->insts.count; i++) {
    inst *one = r->insts.at[i];
    one->index = ++*next;
    for (size_t k = 0; k < 2; k++)
      if (one->regions[k])
        number_region(one->regions[k], next);
  }
}

void program_number(tile_program *p) {
  p->inst_count = 0;
  number_region(p->body, &p->inst_count);
}
