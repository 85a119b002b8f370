/* parser/dtype.c: literals, element types and their attributes. */
#include "parser/lowering.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* ------------------------------------------------------------- literals */

/* Digits without underscores, at most `room - 1` of them. */
static void plain_digits(const char *text, char *out, size_t room) {
  size_t n = 0;
  for (; *text && n + 1 < room; text++)
    if (*text != '_')
      out[n++] = *text;
  out[n] = 0;
}

static thing integer_literal(lower *l, const char *text) {
  char digits[80];
  plain_digits(text, digits, sizeof digits);
  int base = 10;
  const char *from = digits;
  if (digits[0] == '0' && digits[1]) {
    char mark = (char)(digits[1] | 32);
    base = mark == 'x' ? 16 : mark == 'o' ? 8 : mark == 'b' ? 2 : 10;
    from = base == 10 ? digits : digits + 2;
  }
  char *end;
  errno = 0;
  long long n = strtoll(from, &end, base);
  if (errno || *end || end == from)
    return thing_unknown();
  return thing_int(expr_int(l->p->exprs, n));
}

static thing float_literal(const char *text) {
  char digits[80], *end;
  plain_digits(text, digits, sizeof digits);
  double real = strtod(digits, &end);
  return *end ? thing_unknown() : thing_float(real);
}

/* The text between the quotes; escapes are left as they stand. */
static thing string_literal(lower *l, node n) {
  strbuf text = strbuf_make(l->arena);
  for (uint32_t i = 0; i < node_count(n); i++) {
    node part = node_child(n, i);
    const char *kind = syntax_kind_text(part);
    if (lower_kind(l, part) == SYN_interpolation)
      return thing_unknown();
    if (lower_kind(l, part) == SYN_string) {
      thing inner = string_literal(l, part);
      if (!thing_is(&inner, STATIC_STRING))
        return inner;
      strbuf_put(&text, inner.fixed.text);
    } else if (strcmp(kind, "string_content") == 0) {
      strbuf_put(&text, lower_text(l, part));
    }
  }
  return thing_string(text.text);
}

thing fixed_literal(lower *l, node n) {
  syn kind = lower_kind(l, n);
  if (kind == SYN_integer)
    return integer_literal(l, lower_text(l, n));
  if (kind == SYN_float)
    return float_literal(lower_text(l, n));
  if (kind == SYN_string || kind == SYN_concatenated_string)
    return string_literal(l, n);
  if (kind == SYN_true || kind == SYN_false)
    return thing_bool(expr_int(l->p->exprs, kind == SYN_true));
  return kind == SYN_none ? thing_none() : thing_unknown();
}

/* -------------------------------------------------------- element types */

static const struct {
  const char *name;
  scalar dtype;
} dtypes[] = {
    {"int1", SC_BOOL},
    {"bool", SC_BOOL},
    {"int8", SC_I8},
    {"int16", SC_I16},
    {"int32", SC_I32},
    {"int64", SC_I64},
    {"int", SC_I32},
    {"long", SC_I64},
    {"uint8", SC_U8},
    {"uint16", SC_U16},
    {"uint32", SC_U32},
    {"uint64", SC_U64},
    {"float8e4nv", SC_F8E4M3},
    {"float8_e4m3fn", SC_F8E4M3},
    {"float8e4b8", SC_F8E4M3},
    {"float8e4b15", SC_F8E4M3},
    {"float8e5", SC_F8E5M2},
    {"float8_e5m2", SC_F8E5M2},
    {"float8e5b16", SC_F8E5M2},
    {"float16", SC_F16},
    {"half", SC_F16},
    {"bfloat16", SC_BF16},
    {"float32", SC_F32},
    {"float", SC_F32},
    {"float64", SC_F64},
    {"double", SC_F64},
    {"fp16", SC_F16},
    {"bf16", SC_BF16},
    {"fp32", SC_F32},
    {"fp64", SC_F64},
    {"i1", SC_BOOL},
    {"i8", SC_I8},
    {"i16", SC_I16},
    {"i32", SC_I32},
    {"i64", SC_I64},
    {"u8", SC_U8},
    {"u16", SC_U16},
    {"u32", SC_U32},
    {"u64", SC_U64},
    {"fp8e4nv", SC_F8E4M3},
    {"fp8e5", SC_F8E5M2},
};

scalar dtype_named(const char *name) {
  for (size_t i = 0; i < sizeof dtypes / sizeof dtypes[0]; i++)
    if (strcmp(dtypes[i].name, name) == 0)
      return dtypes[i].dtype;
  return SC_NONE;
}

scalar dtype_of(const thing *t) {
  if (thing_is(t, STATIC_DTYPE))
    return t->pointer_type ? SC_NONE : t->fixed.dtype;
  return thing_is(t, STATIC_STRING) ? dtype_named(t->fixed.text) : SC_NONE;
}

bool fixed_named(const char *full, thing *out) {
  static const struct {
    const char *name;
    double value;
  } floats[] = {
      {"math.inf", INFINITY},  {"math.pi", 3.14159265358979323846},
      {"math.nan", NAN},       {"math.e", 2.71828182845904523536},
      {"torch.inf", INFINITY}, {"numpy.inf", INFINITY},
  };
  for (size_t i = 0; i < sizeof floats / sizeof floats[0]; i++)
    if (strcmp(full, floats[i].name) == 0) {
      *out = thing_float(floats[i].value);
      return true;
    }
  const char *dot = strrchr(full, '.');
  bool module = dot && (strncmp(full, "triton.language.", 16) == 0 ||
                        strncmp(full, "torch.", 6) == 0);
  scalar dtype = module ? dtype_named(dot + 1) : SC_NONE;
  if (dtype == SC_NONE)
    return false;
  *out = thing_dtype(dtype);
  return true;
}

static int mantissa_bits(scalar s) {
  return s == SC_F16      ? 10
         : s == SC_BF16   ? 7
         : s == SC_F32    ? 23
         : s == SC_F64    ? 53
         : s == SC_F8E4M3 ? 3
         : s == SC_F8E5M2 ? 2
                          : 0;
}

static bool dtype_attribute(lower *l, const thing *t, const char *name,
                            thing *out) {
  exprs *e = l->p->exprs;
  scalar s = t->fixed.dtype;
  *out = *t;
  if (strcmp(name, "element_ty") == 0) {
    if (t->block_type)
      out->block_type = false;
    else
      out->pointer_type = false;
    return true;
  }
  if (strcmp(name, "scalar") == 0) {
    out->block_type = false;
    return true;
  }
  bool bits = strcmp(name, "primitive_bitwidth") == 0 ||
              strcmp(name, "int_bitwidth") == 0;
  bool mantissa = strcmp(name, "fp_mantissa_width") == 0;
  bool text = strcmp(name, "name") == 0;
  if (!bits && !mantissa && !text)
    return false;
  if (t->pointer_type && bits)
    *out = thing_int(expr_int(e, 64));
  else if (s == SC_ANY)
    *out = thing_unknown();
  else if (text)
    *out = thing_string(scalar_name(s));
  else
    *out =
        thing_int(expr_int(e, bits ? (int)scalar_bits(s) : mantissa_bits(s)));
  return true;
}

bool fixed_attribute(lower *l, const thing *t, const char *name, thing *out) {
  if (t->kind != THING_FIXED)
    return false;
  if (t->fixed.kind == STATIC_DTYPE)
    return dtype_attribute(l, t, name, out);
  if (strcmp(name, "value") == 0) {
    *out = *t;
    return true;
  }
  type natural = literal_type(l, t);
  if (natural.elem == SC_NONE ||
      (strcmp(name, "dtype") != 0 && strcmp(name, "type") != 0))
    return false;
  *out = thing_dtype(natural.elem);
  return true;
}

/* ------------------------------------------------------------ predicates */

/* `is_xxx()` of an element type; UNSURE when the type or the name is not
 * known. */
static truth predicate(scalar s, const char *name) {
  static const struct {
    const char *name;
    scalar dtype;
  } exact[] = {
      {"is_int1", SC_BOOL},    {"is_bool", SC_BOOL},  {"is_int8", SC_I8},
      {"is_int16", SC_I16},    {"is_int32", SC_I32},  {"is_int64", SC_I64},
      {"is_uint8", SC_U8},     {"is_uint16", SC_U16}, {"is_uint32", SC_U32},
      {"is_uint64", SC_U64},   {"is_fp16", SC_F16},   {"is_bf16", SC_BF16},
      {"is_fp32", SC_F32},     {"is_fp64", SC_F64},   {"is_fp8e4nv", SC_F8E4M3},
      {"is_fp8e5", SC_F8E5M2},
  };
  bool fp8 = s == SC_F8E4M3 || s == SC_F8E5M2;
  if (s == SC_ANY)
    return UNSURE;
  for (size_t i = 0; i < sizeof exact / sizeof exact[0]; i++)
    if (strcmp(name, exact[i].name) == 0)
      return s == exact[i].dtype ? YES : NO;
  if (strcmp(name, "is_floating") == 0)
    return scalar_is_float(s) ? YES : NO;
  if (strcmp(name, "is_standard_floating") == 0)
    return scalar_is_float(s) && !fp8 ? YES : NO;
  if (strcmp(name, "is_fp8") == 0)
    return fp8 ? YES : NO;
  if (strcmp(name, "is_int") == 0)
    return scalar_is_int(s) ? YES : NO;
  if (strcmp(name, "is_int_signed") == 0)
    return scalar_is_int(s) && scalar_is_signed(s) ? YES : NO;
  if (strcmp(name, "is_int_unsigned") == 0)
    return scalar_is_int(s) && !scalar_is_signed(s) ? YES : NO;
  return UNSURE;
}

bool fixed_method(lower *l, const thing *t, const char *name,
                  const thing *arguments, uint32_t count, thing *out) {
  (void)arguments;
  if (!thing_is(t, STATIC_DTYPE) || strncmp(name, "is_", 3) != 0 || count)
    return false;
  truth answer;
  if (strcmp(name, "is_ptr") == 0)
    answer = t->pointer_type && !t->block_type ? YES : NO;
  else if (strcmp(name, "is_block") == 0)
    answer = t->block_type ? YES : NO;
  else if (t->pointer_type || t->block_type)
    answer = NO;
  else
    answer = predicate(t->fixed.dtype, name);
  *out = answer == UNSURE ? thing_unknown()
                          : thing_bool(expr_int(l->p->exprs, answer == YES));
  return true;
}
