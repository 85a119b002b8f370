/* parser/project.h: the other files that a file imports from.
 *
 * Modules are looked for as Python would: a relative import from the folder of
 * the importing file; an absolute one below each folder from there up to the
 * project's root (the nearest folder upwards with pyproject.toml, setup.py,
 * setup.cfg or .git in it) and below root/src. Where several of these hold the
 * module, it counts as not found. Files are read when they are first asked
 * for, at most PROJECT_FILES of them; a file with a syntax error is not found.
 * Packages outside the tree are not looked for. */
#ifndef PARSER_PROJECT_H
#define PARSER_PROJECT_H

#include "parser/names.h"

typedef struct project project;

enum { PROJECT_FILES = 64, PROJECT_LEVELS = 12, PROJECT_HOPS = 8 };

/* Run arena. The names of the file itself, module 0, know the project then. */
project *project_create(arena *arena, file_names *main);
/* Releases the syntax trees of the other files. */
void project_destroy(project *self);

typedef enum found_kind {
  FOUND_NOTHING,  /* outside the tree, ambiguous, or not understood */
  FOUND_FUNCTION, /* a def of a module: names, function */
  FOUND_VALUE,    /* assigned once in a module: names, value */
  FOUND_CHOICE,   /* bound several times in a module: names, name */
  FOUND_OUTSIDE,  /* re-exported from outside the tree: full */
} found_kind;

typedef struct found_name {
  found_kind kind;
  const file_names *names; /* of the module that binds it */
  const file_function *function;
  node value;
  const char *name, *full;
} found_name;

/* What a full dotted name stands for, as an import in `from` gives it
 * (".utils.f", "package.module.f"). */
found_name project_find(const file_names *from, const char *full);
/* A name that `from` binds by no statement of its own, through its
 * `from module import *`. */
found_name project_find_starred(const file_names *from, const char *name);

#endif
