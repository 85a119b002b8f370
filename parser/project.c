/* parser/project.c: finding modules, and names in them. */
#include "parser/project.h"

#include <sys/stat.h>

#include "base/map.h"

typedef struct module {
  const char *path;
  file_names *names; /* null: not to be read */
  syntax *tree;
} module;

struct project {
  arena *arena;
  intern *keys; /* of what was looked up, and of the modules' paths */
  map *found;   /* key -> index into results + 1 */
  VEC(found_name) results;
  map *by_path; /* key -> index into modules + 1 */
  VEC(module) modules;
};

/* A dotted name in parts. */
typedef struct dotted {
  uint32_t dots; /* in front of it */
  uint32_t count;
  const char *part[PROJECT_LEVELS];
} dotted;

static found_name find_from(const file_names *from, const char *full,
                            uint32_t hops);
static found_name find_starred(const file_names *from, const char *name,
                               uint32_t hops);

/* ---------------------------------------------------------------- paths */

static bool is_folder(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static bool is_file(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

static const char *join(arena *a, const char *folder, const char *name) {
  if (strcmp(folder, ".") == 0)
    return arena_strdup(a, name);
  const char *slash = folder[strlen(folder) - 1] == '/' ? "" : "/";
  return arena_printf(a, "%s%s%s", folder, slash, name);
}

static const char *folder_of(arena *a, const char *path) {
  const char *slash = strrchr(path, '/');
  if (!slash)
    return ".";
  return slash == path ? "/" : arena_strndup(a, path, (size_t)(slash - path));
}

/* The folder around a folder; null above the root. */
static const char *parent_of(arena *a, const char *folder) {
  const char *slash = strrchr(folder, '/');
  const char *last = slash ? slash + 1 : folder;
  if (strcmp(folder, "/") == 0)
    return NULL;
  if (strcmp(folder, ".") == 0)
    return "..";
  if (strcmp(last, "..") == 0 || strcmp(last, ".") == 0)
    return join(a, folder, "..");
  return folder_of(a, folder);
}

static bool is_root(arena *a, const char *folder) {
  static const char *const marks[] = {"pyproject.toml", "setup.py",
                                      "setup.cfg"};
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
    if (is_file(join(a, folder, marks[i])))
      return true;
  struct stat info;
  return stat(join(a, folder, ".git"), &info) == 0;
}

static const char *path_of(const file_names *names) {
  return syntax_source(names->syntax)->path;
}

typedef struct folders {
  const char *at[PROJECT_LEVELS + 1];
  uint32_t count;
} folders;

/* Where absolute imports of a file begin: its folder and those around it up to
 * the project's root; without a root those of its package and the next. */
static folders search_folders(arena *a, const char *path) {
  folders out = {0};
  uint32_t package = 1;
  bool in_package = true;
  for (const char *at = folder_of(a, path); at && out.count < PROJECT_LEVELS;
       at = parent_of(a, at)) {
    out.at[out.count++] = at;
    in_package = in_package && is_file(join(a, at, "__init__.py"));
    package += in_package;
    if (is_root(a, at)) {
      out.at[out.count++] = join(a, at, "src");
      return out;
    }
  }
  if (out.count > package)
    out.count = package;
  return out;
}

/* -------------------------------------------------------------- modules */

static module read_module(project *self, const char *path) {
  module out = {.path = path};
  const char *why = NULL;
  span errors[1];
  if (self->modules.count >= PROJECT_FILES)
    return out;
  const source *text = source_read(self->arena, path, &why);
  if (!text || memchr(text->text, 0, text->length))
    return out;
  out.tree = syntax_parse(self->arena, text);
  if (syntax_errors(out.tree, errors, 1))
    return out;
  out.names = names_collect(self->arena, out.tree);
  out.names->project = self;
  out.names->index_in_project = (uint32_t)self->modules.count;
  return out;
}

/* The names of a file; null if it cannot be read. */
static const file_names *module_at(project *self, const char *path) {
  uint64_t key = intern_id(self->keys, path), at = 0;
  if (map_get(self->by_path, key, &at))
    return self->modules.at[at - 1].names;
  module m = read_module(self, path);
  VEC_PUSH(self->arena, &self->modules, m);
  map_put(self->by_path, key, self->modules.count);
  return m.names;
}

project *project_create(arena *arena, file_names *main) {
  project *self = ARENA_NEW(arena, project);
  self->arena = arena;
  self->keys = intern_create(arena);
  self->found = map_create(arena);
  self->by_path = map_create(arena);
  main->project = self;
  module m = {.path = path_of(main), .names = main};
  VEC_PUSH(arena, &self->modules, m);
  map_put(self->by_path, intern_id(self->keys, m.path), 1);
  return self;
}

void project_destroy(project *self) {
  for (size_t i = 0; i < self->modules.count; i++)
    if (self->modules.at[i].tree)
      syntax_destroy(self->modules.at[i].tree);
}

/* ---------------------------------------------------------------- names */

/* A name among the statements of a module. */
static found_name name_in(const file_names *names, const char *name,
                          uint32_t hops) {
  const file_function *function = names_function(names, name);
  node value = names_constant(names, name);
  const char *import = names_import(names, name);
  uint32_t bindings = names_bindings(names, name);
  if (function && !function->nested && bindings == 1 && !import)
    return (found_name){
        .kind = FOUND_FUNCTION, .names = names, .function = function};
  if (node_is(value) && !import)
    return (found_name){
        .kind = FOUND_VALUE, .names = names, .value = value, .name = name};
  if (import && bindings == 0) {
    found_name inner = find_from(names, import, hops + 1);
    bool outside =
        inner.kind == FOUND_NOTHING && import[0] != '.' && import[0] != '?';
    return outside ? (found_name){.kind = FOUND_OUTSIDE, .full = import}
                   : inner;
  }
  if (bindings > 0)
    return (found_name){.kind = FOUND_CHOICE, .names = names, .name = name};
  return find_starred(names, name, hops + 1);
}

/* The part number `at` of a dotted name, below a folder that is a package (or
 * where imports begin). */
static found_name name_below(project *self, const char *folder, const dotted *d,
                             uint32_t at, uint32_t hops) {
  found_name nothing = {.kind = FOUND_NOTHING};
  arena *a = self->arena;
  const char *path = join(a, folder, d->part[at]);
  if (at + 1 < d->count) {
    const char *file = arena_printf(a, "%s.py", path);
    if (is_folder(path))
      return name_below(self, path, d, at + 1, hops);
    const file_names *module =
        at + 2 == d->count && is_file(file) ? module_at(self, file) : NULL;
    return module ? name_in(module, d->part[at + 1], hops) : nothing;
  }
  const char *init = join(a, folder, "__init__.py");
  const file_names *package =
      (at > 0 || d->dots) && is_file(init) ? module_at(self, init) : NULL;
  return package ? name_in(package, d->part[at], hops) : nothing;
}

static bool split(arena *a, const char *full, dotted *out) {
  *out = (dotted){0};
  while (*full == '.')
    out->dots++, full++;
  while (*full) {
    size_t n = strcspn(full, ".");
    if (n == 0 || out->count == PROJECT_LEVELS)
      return false;
    out->part[out->count++] = arena_strndup(a, full, n);
    full += n;
    full += *full == '.';
  }
  return out->count > 0 && out->dots < PROJECT_LEVELS;
}

static bool holds(arena *a, const char *folder, const char *name) {
  const char *path = join(a, folder, name);
  return is_folder(path) || is_file(arena_printf(a, "%s.py", path));
}

/* Packages that are never the project's own. */
static bool is_foreign(const char *root) {
  static const char *const roots[] = {"triton", "torch",  "builtins",
                                      "numpy",  "math",   "os",
                                      "sys",    "typing", "?"};
  for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
    if (strcmp(root, roots[i]) == 0)
      return true;
  return false;
}

static found_name look_up(const file_names *from, const char *full,
                          uint32_t hops) {
  found_name out = {.kind = FOUND_NOTHING};
  project *self = from->project;
  dotted d;
  if (!split(self->arena, full, &d))
    return out;
  if (d.dots) {
    const char *folder = folder_of(self->arena, path_of(from));
    for (uint32_t i = 1; i < d.dots && folder; i++)
      folder = parent_of(self->arena, folder);
    return folder ? name_below(self, folder, &d, 0, hops) : out;
  }
  if (d.count < 2 || is_foreign(d.part[0]))
    return out;
  folders f = search_folders(self->arena, path_of(from));
  const char *only = NULL;
  for (uint32_t i = 0; i < f.count; i++) {
    if (!holds(self->arena, f.at[i], d.part[0]))
      continue;
    if (only)
      return out;
    only = f.at[i];
  }
  return only ? name_below(self, only, &d, 0, hops) : out;
}

static found_name find_from(const file_names *from, const char *full,
                            uint32_t hops) {
  project *self = from->project;
  if (!self || hops > PROJECT_HOPS)
    return (found_name){.kind = FOUND_NOTHING};
  const char *key =
      arena_printf(self->arena, "%u:%s", from->index_in_project, full);
  uint64_t id = intern_id(self->keys, key), at = 0;
  if (map_get(self->found, id, &at))
    return self->results.at[at - 1];
  found_name out = look_up(from, full, hops);
  if (hops == 0) { /* deeper answers may have been cut short */
    VEC_PUSH(self->arena, &self->results, out);
    map_put(self->found, id, self->results.count);
  }
  return out;
}

found_name project_find(const file_names *from, const char *full) {
  return find_from(from, full, 0);
}

static found_name find_starred(const file_names *from, const char *name,
                               uint32_t hops) {
  found_name out = {.kind = FOUND_NOTHING};
  for (size_t i = 0; i < from->stars.count && name[0] != '_'; i++) {
    const char *module = from->stars.at[i];
    const char *dot = module[strlen(module) - 1] == '.' ? "" : ".";
    const char *full = arena_printf(from->arena, "%s%s%s", module, dot, name);
    found_name one = find_from(from, full, hops);
    if (one.kind == FOUND_NOTHING)
      continue;
    if (out.kind != FOUND_NOTHING)
      return (found_name){.kind = FOUND_NOTHING};
    out = one;
  }
  return out;
}

found_name project_find_starred(const file_names *from, const char *name) {
  return find_starred(from, name, 1);
}
