/* printable: makes text from outside safe to print: it cannot control a terminal or disguise a line.
 *
 * One rule for frames of folded lines, messages and printed lines: each of these becomes '?'
 *   - control characters: U+0000 to U+001F, U+007F, and U+0080 to U+009F (U+009B begins terminal commands, as
 *     ESC [ does)
 *   - characters that change the direction of text (Unicode's Bidi_Control): U+061C, U+200E, U+200F, U+202A to U+202E,
 *     U+2066 to U+2069
 *   - line and paragraph separators: U+2028, U+2029
 *   - bytes that are not UTF-8 (the kernel cuts thread names anywhere)
 * In pictures and pages (core/markup.h) the same characters become U+FFFD. */
#ifndef CORE_PRINTABLE_H
#define CORE_PRINTABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/str.h"

/* Is the character not one of these? */
bool is_printable(uint32_t code);

/* Clean text[0..len) in place, except for the characters in keep ("\n\t").  Returns its new length, which
 * may be smaller. */
size_t printable_clean(char *text, size_t len, const char *keep);

/* Append text, cleaned. */
void printable_add(struct str *out, const char *text, size_t len);

#endif
