/* utf8: decoding that accepts any bytes (RFC 3629), and encoding. */
#ifndef CORE_UTF8_H
#define CORE_UTF8_H

#include <stddef.h>
#include <stdint.h>

#include "core/str.h"

/* Decode the character at text[0..len), len > 0.  Returns its length in bytes,
 * 1 to 4, with *code set; or 0 when the bytes are not UTF-8 (overlong
 * forms, surrogates, stray or missing continuation bytes). */
size_t utf8_decode(const char *text, size_t len, uint32_t *code);

/* Append the character; U+FFFD for an invalid code. */
void utf8_add(struct str *out, uint32_t code);

#endif
