/* java_text: converts Java strings to UTF-8. */
#ifndef COLLECT_JVM_JAVA_TEXT_H
#define COLLECT_JVM_JAVA_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/str.h"

/* Append a text that is Latin-1, or UTF-16 of the machine's byte order, as one line: newlines and NULs become '?',
 * unpaired surrogates U+FFFD. */
void java_text_add(struct str *out, const uint8_t *bytes, size_t len, bool is_latin1);

#endif
