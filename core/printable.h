/* printable: text from outside that cannot drive a terminal, nor make a line read differently than it is.
 *
 * One rule, for frames of folded lines, messages and printed lines: these become '?' each
 *   - control characters: U+0000 to U+001F, U+007F, and U+0080 to U+009F (U+009B begins a terminal's commands, as
 *     ESC [ does)
 *   - what turns the direction of text (Unicode's Bidi_Control): U+061C, U+200E, U+200F, U+202A to U+202E,
 *     U+2066 to U+2069
 *   - what ends lines or paragraphs: U+2028, U+2029
 *   - bytes that are not UTF-8 (the kernel cuts names of threads anywhere)
 * In pictures and pages (core/markup.h) the same characters become U+FFFD. */
#ifndef CORE_PRINTABLE_H
#define CORE_PRINTABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/str.h"

/* Is the character none of these? */
bool is_printable(uint32_t code);

/* Clean text[0..len) in place, but for the characters in keep ("\n\t").  Returns its length, which may be
 * less. */
size_t printable_clean(char *text, size_t len, const char *keep);

/* Append text, clean. */
void printable_add(struct str *out, const char *text, size_t len);

#endif
