/* markup: the one place where text from outside becomes XML or JSON.
 *
 * Any bytes in, well-formed out: what is not UTF-8 or not allowed in XML 1.0
 * (control characters, U+FFFE, U+FFFF) becomes U+FFFD, as do characters that change the
 * direction of text (core/utf8.h). */
#ifndef CORE_MARKUP_H
#define CORE_MARKUP_H

#include <stddef.h>

#include "core/str.h"

/* Append text, escaped for element content and quoted attributes. */
void xml_add(struct str *out, const char *text, size_t len);

/* Append text as a JSON string with its quotes; also safe inside a <script>
 * and inside XML content (no <, >, & appear). */
void json_add(struct str *out, const char *text, size_t len);

static inline void xml_puts(struct str *out, const char *text)
{
	xml_add(out, text, strlen(text));
}

static inline void json_puts(struct str *out, const char *text)
{
	json_add(out, text, strlen(text));
}

#endif
