/* cli/settings.c: values of options. Each option has one row and one small
 * reader that returns null or a sentence. */
#include "base/checked.h"
#include "base/panic.h"
#include "checks/check.h"
#include "cli/checker.h"
#include "cli/options.h"
#include "traffic/gpu.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

/* --- numbers: INT, INT**INT or INTeINT (times a power of ten) */

static bool read_digits(const char **at, int64_t *out) {
  if (!isdigit((unsigned char)**at))
    return false;
  *out = 0;
  while (isdigit((unsigned char)**at) || (**at == '_' && (*at)[1])) {
    if (**at != '_' &&
        (!mul_ok(*out, 10, out) || !add_ok(*out, **at - '0', out)))
      return false;
    (*at)++;
  }
  return true;
}

static bool power(int64_t base, int64_t exponent, int64_t *out) {
  *out = 1;
  if (exponent > 63)
    return false;
  for (int64_t i = 0; i < exponent; i++)
    if (!mul_ok(*out, base, out))
      return false;
  return true;
}

bool settings_number(const char *text, int64_t *out) {
  bool negative = *text == '-';
  int64_t exponent, factor;
  text += negative;
  if (!read_digits(&text, out))
    return false;
  if (strncmp(text, "**", 2) == 0) {
    text += 2;
    if (!read_digits(&text, &exponent) || !power(*out, exponent, out))
      return false;
  } else if (*text == 'e') {
    text++;
    if (!read_digits(&text, &exponent) || !power(10, exponent, &factor) ||
        !mul_ok(*out, factor, out))
      return false;
  }
  if (negative)
    *out = -*out;
  return *text == 0;
}

/* --- one reader for each option */

void settings_set(settings *s, arena *arena, const char *name, int64_t value) {
  for (size_t i = 0; i < s->set_names.count; i++)
    if (strcmp(s->set_names.at[i], name) == 0) {
      s->set_values.at[i] = value;
      return;
    }
  VEC_PUSH(arena, &s->set_names, name);
  VEC_PUSH(arena, &s->set_values, value);
}

/* One NAME=INT of `length` bytes. */
static bool read_one_set(tc_checker *c, const char *text, size_t length) {
  const char *one = arena_strndup(c->run, text, length);
  const char *equals = strchr(one, '=');
  int64_t number;
  if (!equals || equals == one || !settings_number(equals + 1, &number))
    return false;
  const char *name = arena_strndup(c->run, one, (size_t)(equals - one));
  settings_set(&c->settings, c->run, name, number);
  return true;
}

static const char *read_set(tc_checker *c, const char *value) {
  while (true) {
    size_t length = strcspn(value, ",");
    if (!read_one_set(c, value, length))
      return "it is NAME=INT, such as BLOCK=128, or several with commas";
    if (!value[length])
      return NULL;
    value += length + 1;
  }
}

static const char *read_assume(tc_checker *c, const char *value) {
  if (!*value)
    return "it is a condition, such as \"M >= 1\"";
  const char *text = arena_strdup(c->run, value);
  VEC_PUSH(c->run, &c->settings.assumptions, text);
  return NULL;
}

static const char *read_dtype(tc_checker *c, const char *value) {
  const char *equals = strchr(value, '='), *text = equals ? equals + 1 : value;
  scalar s = scalar_from_name(text, strlen(text));
  if (equals == value || s == SC_NONE || s == SC_ANY)
    return "it is NAME=TYPE, such as x=f32, or TYPE for all";
  size_t length = equals ? (size_t)(equals - value) : 0;
  const char *name = arena_strndup(c->run, value, length); /* "": all */
  VEC_PUSH(c->run, &c->settings.dtype_names, name);
  VEC_PUSH(c->run, &c->settings.dtypes, s);
  return NULL;
}

static const char *read_kernel(tc_checker *c, const char *value) {
  if (!*value)
    return "it is the name of a kernel";
  c->settings.kernel = arena_strdup(c->run, value);
  return NULL;
}

static const char *read_max_numel(tc_checker *c, const char *value) {
  int64_t number;
  if (!settings_number(value, &number) || number < 1 ||
      number > (int64_t)1 << 60)
    return "it is a number from 1 to 2**60, such as 1048576 or 2**40";
  c->settings.max_numel = number;
  return NULL;
}

static const char *read_rlimit(tc_checker *c, const char *value) {
  int64_t number;
  if (!settings_number(value, &number) || number < 1 || number > UINT32_MAX)
    return "it is a number from 1 to 4294967295";
  c->settings.rlimit = (uint64_t)number;
  return NULL;
}

static const char *read_jobs(tc_checker *c, const char *value) {
  int64_t number;
  if (!settings_number(value, &number) || number < 1 || number > 1024)
    return "it is a number from 1 to 1024";
  c->settings.jobs = (unsigned)number;
  return NULL;
}

static bool known_code(const char *prefix) {
  size_t count;
  const check_info *table = check_table(&count);
  for (size_t i = 0; i < count; i++)
    if (strncmp(table[i].code, prefix, strlen(prefix)) == 0)
      return true;
  return false;
}

/* A code, a prefix of one (from "TC" on) or a slug, as a prefix of codes. */
static const char *read_code(arena *arena, const char *text, size_t length) {
  char *code = arena_strndup(arena, text, length);
  const check_info *check = check_by_name(code);
  if (check)
    return check->code;
  for (char *p = code; *p; p++)
    *p = (char)toupper((unsigned char)*p);
  return length >= 2 && known_code(code) ? code : NULL;
}

static const char *no_such_check(arena *arena, const char *text,
                                 size_t length) {
  size_t count;
  const check_info *table = check_table(&count);
  const char **codes = ARENA_ARRAY(arena, const char *, count);
  for (size_t i = 0; i < count; i++)
    codes[i] = table[i].code;
  const char *typed = arena_strndup(arena, text, length);
  const char *near = nearest(typed, codes, count);
  return near ? arena_printf(arena, "no check is called '%s'; did you mean %s?",
                             typed, near)
              : arena_printf(arena, "no check is called '%s'", typed);
}

static const char *read_codes(tc_checker *c, const char *value, text_vec *out) {
  while (true) {
    size_t length = strcspn(value, ",");
    size_t lead = strspn(value, " ");
    lead = lead < length ? lead : length;
    const char *code = read_code(c->run, value + lead, length - lead);
    if (!code)
      return no_such_check(c->run, value + lead, length - lead);
    VEC_PUSH(c->run, out, code);
    if (!value[length])
      return NULL;
    value += length + 1;
  }
}

static const char *read_select(tc_checker *c, const char *value) {
  return read_codes(c, value, &c->settings.select);
}

static const char *read_ignore(tc_checker *c, const char *value) {
  return read_codes(c, value, &c->settings.ignore);
}

static const char *read_color(tc_checker *c, const char *value) {
  if (strcmp(value, "auto") != 0 && strcmp(value, "always") != 0 &&
      strcmp(value, "never") != 0)
    return "it is auto, always or never";
  c->settings.style.color = strcmp(value, "always") == 0;
  return NULL;
}

/* NAME=INT,NAME=INT: names of formulas may hold brackets with commas. */
static const char *read_at(tc_checker *c, const char *value) {
  static const char wrong[] = "it is NAME=INT,... such as M=1823,N=781";
  while (true) {
    const char *equals = strchr(value, '=');
    int64_t number;
    if (!equals || equals == value)
      return wrong;
    size_t length = strcspn(equals, ",");
    const char *digits = arena_strndup(c->run, equals + 1, length - 1);
    if (!settings_number(digits, &number))
      return wrong;
    if (number < 0)
      return "a size is not negative";
    const char *name = arena_strndup(c->run, value, (size_t)(equals - value));
    VEC_PUSH(c->run, &c->settings.at_names, name);
    VEC_PUSH(c->run, &c->settings.at_values, number);
    if (!equals[length])
      return NULL;
    value = equals + length + 1;
  }
}

static const char *read_function(tc_checker *c, const char *value) {
  const char *name = arena_strdup(c->run, value);
  if (!*value)
    return "it is the name of a function";
  VEC_PUSH(c->run, &c->settings.functions, name);
  return NULL;
}

static const char *read_gpu(tc_checker *c, const char *value) {
  const char *error = NULL;
  if (!gpu_find(c->run, value, &error))
    return error;
  c->settings.gpu = arena_strdup(c->run, value);
  return NULL;
}

static const char *read_switch(const char *value, bool *out) {
  if (*value)
    return "it takes no value";
  *out = true;
  return NULL;
}

static const char *read_strict(tc_checker *c, const char *value) {
  return read_switch(value, &c->settings.strict);
}

static const char *read_verbose(tc_checker *c, const char *value) {
  return read_switch(value, &c->settings.style.verbose);
}

static const char *read_quiet(tc_checker *c, const char *value) {
  return read_switch(value, &c->settings.style.quiet);
}

static const char *read_timing(tc_checker *c, const char *value) {
  return read_switch(value, &c->settings.timing);
}

typedef struct setting_row {
  const char *name;
  const char *(*read)(tc_checker *c, const char *value);
} setting_row;

static const setting_row setting_rows[] = {
    {"assume", read_assume},     {"at", read_at},
    {"color", read_color},       {"dtype", read_dtype},
    {"function", read_function}, {"gpu", read_gpu},
    {"ignore", read_ignore},     {"jobs", read_jobs},
    {"kernel", read_kernel},     {"max-numel", read_max_numel},
    {"quiet", read_quiet},       {"rlimit", read_rlimit},
    {"select", read_select},     {"set", read_set},
    {"strict", read_strict},     {"timing", read_timing},
    {"verbose", read_verbose},
};

bool tc_checker_option(tc_checker *self, const char *name, const char *value) {
  size_t count = sizeof setting_rows / sizeof setting_rows[0];
  if (!value)
    value = "";
  for (size_t i = 0; i < count; i++) {
    if (strcmp(setting_rows[i].name, name) != 0)
      continue;
    const char *wrong = setting_rows[i].read(self, value);
    if (wrong)
      self->error =
          arena_printf(self->run, "--%s '%s': %s", name, value, wrong);
    return !wrong;
  }
  self->error = arena_printf(self->run, "there is no option '%s'", name);
  return false;
}

/* --- what the stages are given */

static bool matches(const text_vec *prefixes, const char *code) {
  for (size_t i = 0; i < prefixes->count; i++)
    if (strncmp(code, prefixes->at[i], strlen(prefixes->at[i])) == 0)
      return true;
  return false;
}

bool settings_selects(const settings *s, check_id code) {
  const check_info *check = check_by_id(code);
  assert(check);
  if (check->severity == SEVERITY_INPUT)
    return true;
  if (matches(&s->ignore, check->code))
    return false;
  return s->select.count == 0 || matches(&s->select, check->code);
}

parse_options settings_parse(const settings *s) {
  return (parse_options){.max_numel = s->max_numel,
                         .set_names = s->set_names.at,
                         .set_values = s->set_values.at,
                         .set_count = s->set_names.count,
                         .assumptions = s->assumptions.at,
                         .assumption_count = s->assumptions.count,
                         .kernel = s->kernel,
                         .dtype_names = s->dtype_names.at,
                         .dtypes = s->dtypes.at,
                         .dtype_count = s->dtype_names.count};
}

parse_options settings_parse_check(const settings *s) {
  parse_options out = settings_parse(s);
  out.join_switches = true;
  return out;
}

analysis_options settings_analysis(const settings *s) {
  analysis_options out = {.prover = {.rlimit = s->rlimit}};
  size_t count;
  const check_info *table = check_table(&count);
  assert(count <= 64);
  for (size_t i = 0; i < count; i++)
    if (settings_selects(s, table[i].id))
      out.selected |= (uint64_t)1 << i;
  return out;
}
