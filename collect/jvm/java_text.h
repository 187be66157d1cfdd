/* java_text: texts of Java as UTF-8. */
#ifndef COLLECT_JVM_JAVA_TEXT_H
#define COLLECT_JVM_JAVA_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/str.h"

/* Append a text that is Latin-1, or UTF-16 of the machine's byte order, as one line: what would end it, or the
 * text, is '?'.  The half of a pair that stands alone is U+FFFD. */
void java_text_add(struct str *out, const uint8_t *bytes, size_t len, bool is_latin1);

#endif
