/* cli/paths.c: from paths to files.
 *
 * A folder is walked in order of names, bytewise. Each folder is entered once
 * in a walk, however many links lead to it, so that loops end. */
#include "base/map.h"
#include "cli/checker.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct walk {
  arena *run;
  map *entered; /* hash of device and inode -> 1 */
  input_vec *out;
} walk;

static bool skipped(const char *name) {
  static const char *const names[] = {"__pycache__", "build", "node_modules",
                                      "venv"};
  if (name[0] == '.')
    return true;
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strcmp(name, names[i]) == 0)
      return true;
  return false;
}

static bool is_python(const char *name) {
  size_t length = strlen(name);
  return length > 3 && strcmp(name + length - 3, ".py") == 0;
}

static int compare_names(const void *left, const void *right) {
  return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static void add_trouble(walk *w, const char *path, const char *trouble) {
  input in = {.path = path, .trouble = arena_strdup(w->run, trouble)};
  VEC_PUSH(w->run, w->out, in);
}

static bool list_names(walk *w, const char *folder, text_vec *names) {
  DIR *stream = opendir(folder);
  if (!stream) {
    add_trouble(w, folder, strerror(errno));
    return false;
  }
  for (struct dirent *e = readdir(stream); e; e = readdir(stream)) {
    const char *name = arena_strdup(w->run, e->d_name);
    if (!skipped(name))
      VEC_PUSH(w->run, names, name);
  }
  closedir(stream);
  if (names->count)
    qsort(names->at, names->count, sizeof *names->at, compare_names);
  return true;
}

static bool enter(walk *w, const struct stat *info) {
  uint64_t key = hash_mix((uint64_t)info->st_dev, (uint64_t)info->st_ino);
  uint64_t seen;
  if (map_get(w->entered, key, &seen))
    return false;
  map_put(w->entered, key, 1);
  return true;
}

static const char *child_path(walk *w, const char *folder, const char *name) {
  size_t length = strlen(folder);
  bool slash = length > 0 && folder[length - 1] == '/';
  return arena_printf(w->run, "%s%s%s", folder, slash ? "" : "/", name);
}

static void walk_folder(walk *w, const char *folder, const struct stat *info) {
  text_vec names = {0};
  if (!enter(w, info) || !list_names(w, folder, &names))
    return;
  for (size_t i = 0; i < names.count; i++) {
    const char *path = child_path(w, folder, names.at[i]);
    struct stat found;
    if (stat(path, &found) != 0)
      continue;
    if (S_ISDIR(found.st_mode)) {
      walk_folder(w, path, &found);
    } else if (S_ISREG(found.st_mode) && is_python(names.at[i])) {
      input in = {.path = path};
      VEC_PUSH(w->run, w->out, in);
    }
  }
}

const char *paths_find(arena *run, const char *path, input_vec *out) {
  walk w = {.run = run, .entered = map_create(run), .out = out};
  const char *own = arena_strdup(run, path);
  size_t before = out->count;
  struct stat info;
  if (stat(path, &info) != 0) {
    add_trouble(&w, own, strerror(errno));
  } else if (S_ISDIR(info.st_mode)) {
    walk_folder(&w, own, &info);
    if (out->count == before)
      add_trouble(&w, own, "the folder holds no Python files (*.py)");
  } else if (S_ISREG(info.st_mode)) {
    input in = {.path = own};
    VEC_PUSH(run, out, in);
  } else {
    add_trouble(&w, own, "neither a file nor a folder");
  }
  return out->at[out->count - 1].trouble;
}
