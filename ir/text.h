/* ir/text.h: the words of the text form: names and strings. */
#ifndef IR_TEXT_H
#define IR_TEXT_H

#include "base/strbuf.h"
#include <stdbool.h>

/* Names are letters, digits, `_`, `.` and bytes from 0x80, not starting with a
 * digit or a dot. All others, and words that expressions use, stand between
 * backquotes. */
bool text_starts_name(char c);
bool text_in_name(char c);
/* min, max, cdiv, if, else, and, ... */
bool text_is_reserved(const char *name);
void text_put_name(strbuf *out, const char *name);
/* Between double quotes; \" \\ \n \t and \xHH. */
void text_put_string(strbuf *out, const char *text);
/* Both append what stands at text + *at to out and move *at behind it. They
 * return null, or what is wrong at text + *at. The text ends with a zero. */
const char *text_take_name(const char *text, size_t *at, strbuf *out);
const char *text_take_string(const char *text, size_t *at, strbuf *out);

#endif
