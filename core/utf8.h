/* utf8: text from outside as characters: decoding that accepts any bytes (RFC 3629), encoding, and what may be printed. */
#ifndef CORE_UTF8_H
#define CORE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/str.h"

/* Decode the character at text[0..len), len > 0.  Returns its length in bytes,
 * 1 to 4, with *code set; or 0 when the bytes are not UTF-8 (overlong
 * forms, surrogates, stray or missing continuation bytes). */
size_t utf8_decode(const char *text, size_t len, uint32_t *code);

/* Append the character; U+FFFD for an invalid code. */
void utf8_add(struct str *out, uint32_t code);

/* --- what may be printed: text from outside cannot control a terminal or disguise a line ---
 *
 * One rule for frames of folded lines, messages and printed lines: each of these becomes '?'
 *   - control characters: U+0000 to U+001F, U+007F, and U+0080 to U+009F (U+009B begins terminal commands, as
 *     ESC [ does)
 *   - characters that change the direction of text (Unicode's Bidi_Control): U+061C, U+200E, U+200F, U+202A to U+202E,
 *     U+2066 to U+2069
 *   - line and paragraph separators: U+2028, U+2029
 *   - bytes that are not UTF-8 (the kernel cuts thread names anywhere)
 * In pictures and pages (core/markup.h) the same characters become U+FFFD. */

/* Is the character not one of these? */
bool is_printable(uint32_t code);

/* Clean text[0..len) in place, except for the characters in keep ("\n\t").  Returns its new length, which
 * may be smaller. */
size_t printable_clean(char *text, size_t len, const char *keep);

/* Append text, cleaned. */
void printable_add(struct str *out, const char *text, size_t len);

#endif
