/* base/arena.c: a stack of malloc'd blocks.
 *
 * Allocation bumps `used` in the newest block, or pushes a block that is large
 * enough. A mark names the newest block and its fill; rewinding pops all
 * blocks above it. Under AddressSanitizer the unused part of each block is
 * poisoned and every item is followed by a gap, so that overruns are found. */
#include "base/arena.h"
#include "base/panic.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_ASAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define ARENA_ASAN 1
#endif

#if defined(ARENA_ASAN)
#include <sanitizer/asan_interface.h>
#define GAP                16
#define POISON(at, size)   __asan_poison_memory_region((at), (size))
#define UNPOISON(at, size) __asan_unpoison_memory_region((at), (size))
#else
#define GAP                0
#define POISON(at, size)   ((void)(at), (void)(size))
#define UNPOISON(at, size) ((void)(at), (void)(size))
#endif

#define FIRST_ROOM ((size_t)16 << 10)
#define MOST_ROOM  ((size_t)1 << 20)

typedef struct block {
  struct block *below;
  size_t room, used;
  max_align_t data[]; /* room bytes */
} block;

struct arena {
  block *top;       /* null while empty */
  size_t next_room; /* room of the next ordinary block */
};

static size_t align_up(size_t size) {
  size_t unit = _Alignof(max_align_t);
  return (size + unit - 1) / unit * unit;
}

static unsigned char *block_at(block *self, size_t offset) {
  return (unsigned char *)self->data + offset;
}

static void *must_malloc(size_t size) {
  void *fresh = malloc(size);
  if (!fresh)
    panic("out of memory (%zu bytes)", size);
  return fresh;
}

arena *arena_create(void) {
  arena *self = must_malloc(sizeof *self);
  *self = (arena){.top = NULL, .next_room = FIRST_ROOM};
  return self;
}

static void pop_block(arena *self) {
  block *dead = self->top;
  self->top = dead->below;
  UNPOISON(dead->data, dead->room);
  free(dead);
}

void arena_destroy(arena *self) {
  if (!self)
    return;
  while (self->top)
    pop_block(self);
  free(self);
}

static void push_block(arena *self, size_t size) {
  size_t room = self->next_room;
  if (self->next_room < MOST_ROOM)
    self->next_room *= 2;
  if (room < size)
    room = size;
  block *fresh = must_malloc(sizeof *fresh + room);
  *fresh = (block){.below = self->top, .room = room, .used = 0};
  POISON(fresh->data, room);
  self->top = fresh;
}

void *arena_alloc(arena *self, size_t size) {
  if (size > PTRDIFF_MAX / 2)
    panic("allocation of %zu bytes", size);
  size_t taken = align_up(size ? size : 1) + GAP;
  if (!self->top || self->top->room - self->top->used < taken)
    push_block(self, taken);
  block *top = self->top;
  assert(top->used + taken <= top->room);
  void *item = block_at(top, top->used);
  top->used += taken;
  UNPOISON(item, size);
  return memset(item, 0, size);
}

void *arena_copy(arena *self, const void *bytes, size_t size) {
  void *copy = arena_alloc(self, size);
  if (size)
    memcpy(copy, bytes, size);
  return copy;
}

char *arena_strndup(arena *self, const char *text, size_t length) {
  char *copy = arena_alloc(self, length + 1);
  if (length)
    memcpy(copy, text, length);
  return copy;
}

char *arena_strdup(arena *self, const char *text) {
  return arena_strndup(self, text, strlen(text));
}

char *arena_printf(arena *self, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, format, args);
  va_end(args);
  if (length < 0)
    panic("cannot format \"%s\"", format);
  char *text = arena_alloc(self, (size_t)length + 1);
  vsnprintf(text, (size_t)length + 1, format, again);
  va_end(again);
  return text;
}

arena_mark arena_save(const arena *self) {
  block *top = self->top;
  return (arena_mark){.block = top, .used = top ? top->used : 0};
}

void arena_rewind(arena *self, arena_mark mark) {
  while (self->top && self->top != mark.block)
    pop_block(self);
  assert(self->top == mark.block);
  block *top = self->top;
  if (!top)
    return;
  assert(mark.used <= top->used);
  POISON(block_at(top, mark.used), top->used - mark.used);
  top->used = mark.used;
}
