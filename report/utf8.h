/* report/utf8.h: text of unknown origin, made fit for JSON and terminals.
 *
 * Source files, file names and names in messages are bytes. JSON must be valid
 * UTF-8; a terminal must get no control sequence and no character that turns
 * the reading direction. */
#ifndef REPORT_UTF8_H
#define REPORT_UTF8_H

#include "base/strbuf.h"
#include <stdint.h>

enum { UTF8_INVALID = -1 };

/* The code point at the start of n > 0 bytes and its length in bytes. A byte
 * that starts no valid sequence is UTF8_INVALID, of length 1. */
int32_t utf8_decode(const char *text, size_t n, size_t *length);
/* Appends n bytes; each invalid byte becomes U+FFFD. */
void utf8_put_valid(strbuf *out, const char *text, size_t n);
/* Appends the first code point of n > 0 bytes as it can be shown: tabs are
 * spaces, control characters and invalid bytes are escaped as \x1b or \u{202e}.
 * *length is what it took of the text; returns the columns it fills, one for
 * an ordinary code point. */
size_t utf8_put_shown(strbuf *out, const char *text, size_t n, size_t *length);
/* A whole string so. */
void utf8_put_all_shown(strbuf *out, const char *text);

#endif
