/* exec/memory_map.c: sparse memory: pages of elements for each storage.
 *
 * A page exists once one of its elements is written; all other elements are
 * computed by contents.c. Elements are numbered from the start of the storage,
 * negative numbers included, and keep their bits extended to 64. */
#include "exec/machine.h"

enum { PAGE_SHIFT = 5, PAGE_CELLS = 1 << PAGE_SHIFT };

typedef struct page {
  uint64_t bits[PAGE_CELLS];
  uint8_t written[PAGE_CELLS]; /* 0 or 1 */
  uint8_t trouble[PAGE_CELLS];
} page;

static uint64_t page_number(int64_t offset) {
  return (uint64_t)offset >> PAGE_SHIFT;
}

static size_t cell_number(int64_t offset) {
  return (size_t)((uint64_t)offset & (PAGE_CELLS - 1));
}

static storage *storage_of(exec_machine *m, uint32_t tensor) {
  assert(tensor < m->tensor_count);
  return &m->storages[m->tensors[tensor].storage];
}

static page *page_find(storage *s, int64_t offset) {
  uint64_t number = page_number(offset), found;
  if (s->last && s->last_number == number)
    return s->last;
  if (!s->pages || !map_get(s->pages, number, &found))
    return NULL;
  s->last = (page *)(uintptr_t)found;
  s->last_number = number;
  return s->last;
}

/* Whether an element holds a value before anything is written. */
static bool holds_at_start(const exec_machine *m, uint32_t tensor,
                           int64_t offset) {
  uint32_t first = m->tensors[tensor].storage;
  if (m->storages[first].contents.holds)
    return true;
  for (uint32_t i = first; i < m->tensor_count; i++)
    if (m->tensors[i].storage == first && m->tensors[i].part.known &&
        elements_have(&m->tensors[i].part, offset - m->tensors[i].start))
      return true;
  return false;
}

cell memory_read(exec_machine *m, uint32_t tensor, int64_t offset) {
  storage *s = storage_of(m, tensor);
  offset += m->tensors[tensor].start;
  const page *p = page_find(s, offset);
  size_t i = cell_number(offset);
  if (p && p->written[i])
    return (cell){.bits = p->bits[i],
                  .trouble = p->trouble[i],
                  .state = p->trouble[i] & LANE_UNKNOWN ? CELL_UNKNOWN
                           : p->trouble[i]              ? CELL_UNDEFINED
                                                        : CELL_WRITTEN};
  cell told = {.state = CELL_EMPTY};
  if (m->options.content &&
      m->options.content(m->options.content_context, tensor, offset,
                         &told.state, &told.bits)) {
    told.trouble = told.state == CELL_UNKNOWN ? LANE_UNKNOWN
                   : told.state == CELL_FILLED || told.state == CELL_WRITTEN
                       ? 0
                       : LANE_UNDEFINED;
    return told;
  }
  if (!holds_at_start(m, tensor, offset))
    return (cell){.trouble = LANE_UNDEFINED, .state = CELL_EMPTY};
  uint64_t seed = hash_mix(m->options.seed, m->tensors[tensor].storage + 1u);
  return (cell){.bits =
                    contents_at(&s->contents, m->options.fill, seed, offset),
                .state = CELL_FILLED};
}

void memory_write(exec_machine *m, uint32_t tensor, int64_t offset,
                  uint64_t bits, uint8_t trouble) {
  storage *s = storage_of(m, tensor);
  offset += m->tensors[tensor].start;
  page *p = page_find(s, offset);
  if (!p) {
    if (!s->pages)
      s->pages = map_create(m->arena);
    p = ARENA_NEW(m->arena, page);
    map_put(s->pages, page_number(offset), (uint64_t)(uintptr_t)p);
    s->last = p;
    s->last_number = page_number(offset);
  }
  size_t i = cell_number(offset);
  p->bits[i] = bits;
  p->written[i] = 1;
  p->trouble[i] = trouble;
}

exec_cell exec_cell_at(exec_machine *m, uint32_t tensor, int64_t offset) {
  return memory_read(m, tensor, offset).state;
}

bool exec_peek(exec_machine *m, uint32_t tensor, int64_t offset,
               uint64_t *bits) {
  cell c = memory_read(m, tensor, offset);
  if (c.trouble)
    return false;
  *bits = c.bits;
  return true;
}

void exec_poke(exec_machine *m, uint32_t tensor, int64_t offset,
               uint64_t bits) {
  assert(tensor < m->tensor_count);
  scalar dtype = m->program->tensors.at[tensor].dtype;
  memory_write(m, tensor, offset, number_fit(dtype, bits), 0);
}
