/* cli/options.c: reads the command line by the rows of options.def. */
#include "cli/options.h"
#include "base/panic.h"
#include "base/vec.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum {
#define COMMAND(name, arguments, text) FOR_##name = 1 << COMMAND_##name,
#define OPTION(name, letter, argument, commands, text)
#include "cli/options.def"
#undef COMMAND
#undef OPTION
  FOR_CHECK = FOR_check,
  FOR_DUMP = FOR_dump,
  FOR_IO = FOR_io,
  FOR_MODEL = FOR_footprint | FOR_cache | FOR_coalesce | FOR_knobs,
  FOR_ALL = (1 << COMMAND_COUNT) - 1,
};

typedef struct command_row {
  const char *name, *arguments, *text;
} command_row;

static const command_row command_rows[] = {
#define COMMAND(name, arguments, text) {#name, arguments, text},
#define OPTION(name, letter, argument, commands, text)
#include "cli/options.def"
#undef COMMAND
#undef OPTION
};

typedef struct option_row {
  const char *name;
  char letter;
  const char *argument;
  int commands;
  const char *text;
} option_row;

static const option_row option_rows[] = {
#define COMMAND(name, arguments, text)
#define OPTION(name, letter, argument, commands, text)                         \
  {name, letter, argument, commands, text},
#include "cli/options.def"
#undef COMMAND
#undef OPTION
};

enum {
  OPTION_ROWS = sizeof option_rows / sizeof option_rows[0],
  MOST_TYPED = 64, /* longer words get no suggestion */
};

/* --- suggestions --- */

static size_t least(size_t a, size_t b) {
  return a < b ? a : b;
}

/* Edits (insert, delete, replace, swap neighbours count 1, 1, 1, 2) from a to
 * b; b is at most MOST_TYPED bytes long. */
static size_t distance(const char *a, const char *b) {
  size_t row[MOST_TYPED + 1], n = strlen(b);
  for (size_t j = 0; j <= n; j++)
    row[j] = j;
  for (size_t i = 1; a[i - 1]; i++) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= n; j++) {
      size_t replace = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = least(replace, least(row[j], row[j - 1]) + 1);
    }
  }
  return row[n];
}

const char *nearest(const char *typed, const char *const *candidates,
                    size_t count) {
  const char *best = NULL;
  size_t length = strlen(typed), best_distance = 1 + least(length / 2, 3);
  if (length > MOST_TYPED)
    return NULL;
  for (size_t i = 0; i < count; i++) {
    size_t d = distance(candidates[i], typed);
    if (d < best_distance) {
      best = candidates[i];
      best_distance = d;
    }
  }
  return best;
}

static const char *hinted(arena *arena, const char *what, const char *typed,
                          const char *hint, const char *mark) {
  if (!hint)
    return arena_printf(arena, "unknown %s '%s'", what, typed);
  return arena_printf(arena, "unknown %s '%s'; did you mean '%s%s'?", what,
                      typed, mark, hint);
}

/* --- reading --- */

typedef struct reader {
  arena *arena;
  int argc, next;
  char **argv;
  options *out;
  VEC(option_given) given;
  VEC(const char *) arguments;
} reader;

static const option_row *row_by_name(const char *name, size_t length) {
  for (size_t i = 0; i < OPTION_ROWS; i++)
    if (strlen(option_rows[i].name) == length &&
        memcmp(option_rows[i].name, name, length) == 0)
      return &option_rows[i];
  return NULL;
}

static const option_row *row_by_letter(char letter) {
  for (size_t i = 0; i < OPTION_ROWS; i++)
    if (option_rows[i].letter && option_rows[i].letter == letter)
      return &option_rows[i];
  return NULL;
}

static void give(reader *r, const option_row *row, const char *value) {
  option_given given = {.name = row->name, .value = value};
  VEC_PUSH(r->arena, &r->given, given);
}

/* `value` is what followed "=" or the letter; null: the next word, if any. */
static void take_value(reader *r, const option_row *row, const char *value) {
  if (!value && r->next < r->argc)
    value = r->argv[r->next++];
  if (!value)
    r->out->error =
        arena_printf(r->arena, "option '--%s' needs a value: --%s=%s",
                     row->name, row->name, row->argument);
  else
    give(r, row, value);
}

static const char *unknown_option(reader *r, const char *name, size_t length) {
  const char *names[OPTION_ROWS];
  for (size_t i = 0; i < OPTION_ROWS; i++)
    names[i] = option_rows[i].name;
  const char *typed = arena_strndup(r->arena, name, length);
  const char *shown = arena_printf(r->arena, "--%s", typed);
  return hinted(r->arena, "option", shown, nearest(typed, names, OPTION_ROWS),
                "--");
}

static void read_long(reader *r, const char *text) {
  const char *equals = strchr(text, '=');
  size_t length = equals ? (size_t)(equals - text) : strlen(text);
  const option_row *row = row_by_name(text, length);
  if (!row)
    r->out->error = unknown_option(r, text, length);
  else if (*row->argument)
    take_value(r, row, equals ? equals + 1 : NULL);
  else if (equals)
    r->out->error =
        arena_printf(r->arena, "option '--%s' takes no value", row->name);
  else
    give(r, row, "");
}

static void read_letters(reader *r, const char *letters) {
  for (const char *p = letters; *p && !r->out->error; p++) {
    const option_row *row = row_by_letter(*p);
    if (!row) {
      char typed[] = {'-', *p, 0};
      r->out->error = hinted(r->arena, "option", typed, NULL, "");
    } else if (*row->argument) {
      take_value(r, row, p[1] ? p + 1 : NULL);
      return;
    } else {
      give(r, row, "");
    }
  }
}

static bool looks_like_path(const char *word) {
  struct stat info;
  return strchr(word, '/') || strchr(word, '.') || stat(word, &info) == 0;
}

/* The first word that is no option: a command, else a path. */
static void read_first_word(reader *r, const char *word) {
  const char *names[COMMAND_COUNT];
  for (int i = 0; i < COMMAND_COUNT; i++) {
    names[i] = command_rows[i].name;
    if (strcmp(word, names[i]) == 0) {
      r->out->command = (command)i;
      r->out->command_given = true;
      return;
    }
  }
  if (looks_like_path(word))
    VEC_PUSH(r->arena, &r->arguments, word);
  else
    r->out->error = hinted(r->arena, "command or missing file", word,
                           nearest(word, names, COMMAND_COUNT), "");
}

static void read_word(reader *r, const char *word) {
  if (strcmp(word, "-") == 0)
    r->out->error = "'-' (standard input) is not supported: give a file name";
  else if (strncmp(word, "--", 2) == 0)
    read_long(r, word + 2);
  else if (word[0] == '-')
    read_letters(r, word + 1);
  else if (!r->out->command_given && r->arguments.count == 0)
    read_first_word(r, word);
  else
    VEC_PUSH(r->arena, &r->arguments, word);
}

static void check_applies(reader *r) {
  const command_row *row = &command_rows[r->out->command];
  for (size_t i = 0; i < r->given.count && !r->out->error; i++) {
    const char *name = r->given.at[i].name;
    if (!(row_by_name(name, strlen(name))->commands & 1 << r->out->command))
      r->out->error = arena_printf(r->arena, "'%s' takes no option '--%s'",
                                   row->name, name);
  }
}

options options_parse(int argc, char **argv) {
  options out = {.command = COMMAND_check, .arena = arena_create()};
  reader r = {
      .arena = out.arena, .argc = argc, .next = 1, .argv = argv, .out = &out};
  bool only_paths = false;
  while (r.next < argc && !out.error) {
    const char *word = argv[r.next++];
    if (only_paths)
      VEC_PUSH(r.arena, &r.arguments, word);
    else if (strcmp(word, "--") == 0)
      only_paths = true;
    else
      read_word(&r, word);
  }
  if (!out.error)
    check_applies(&r);
  out.given = r.given.at;
  out.given_count = r.given.count;
  out.arguments = r.arguments.at;
  out.argument_count = r.arguments.count;
  return out;
}

void options_destroy(options *self) {
  arena_destroy(self->arena);
  self->arena = NULL;
}

const char *options_value(const options *self, const char *name) {
  for (size_t i = self->given_count; i > 0; i--)
    if (strcmp(self->given[i - 1].name, name) == 0)
      return self->given[i - 1].value;
  return NULL;
}

/* --- help --- */

static void help_option(const option_row *row) {
  char left[64];
  int n = row->letter ? snprintf(left, sizeof left, "-%c, ", row->letter)
                      : snprintf(left, sizeof left, "    ");
  snprintf(left + n, sizeof left - (size_t)n, "--%s%s%s", row->name,
           *row->argument ? "=" : "", row->argument);
  printf("  %-24s  %s\n", left, row->text);
}

static void help_options(int commands) {
  printf("\noptions:\n");
  for (size_t i = 0; i < OPTION_ROWS; i++)
    if (option_rows[i].commands & commands)
      help_option(&option_rows[i]);
}

static void help_statuses(void) {
  printf("\nexit status:\n"
         "  0  nothing is refuted\n"
         "  1  something is refuted\n"
         "  2  usage error, unreadable input, or a TC901 or TC902 error\n"
         "  3  something is unknown (with --strict)\n");
}

void options_help(bool on_command, command which) {
  if (on_command) {
    const command_row *row = &command_rows[which];
    printf("usage: tilecheck %s%s%s\n\n%s\n", row->name,
           *row->arguments ? " " : "", row->arguments, row->text);
    help_options(1 << which);
    if (which == COMMAND_check)
      help_statuses();
    return;
  }
  printf("tilecheck proves memory accesses of Triton kernels in bounds for all "
         "shapes.\n\n"
         "usage: tilecheck [OPTION...] PATH...\n"
         "       tilecheck COMMAND [ARGUMENT...]\n\n"
         "commands:\n");
  for (int i = 0; i < COMMAND_COUNT; i++)
    printf("  %-9s %s\n", command_rows[i].name, command_rows[i].text);
  help_options(FOR_ALL);
  help_statuses();
}

int options_usage(const char *message) {
  fprintf(stderr,
          "tilecheck: %s\n"
          "try 'tilecheck help'\n",
          message);
  return 2;
}
