/* regexp: Perl-compatible regular expressions (PCRE2, just-in-time compiled). */
#ifndef CORE_REGEXP_H
#define CORE_REGEXP_H

#include <stdbool.h>
#include <stddef.h>

struct regexp; /* opaque: PCRE2's types stay inside */

/* Compile pattern; option names it in messages.  An invalid pattern is a usage
 * error: a message with the position, exit 2.  Free with regexp_free(). */
struct regexp *regexp_compile(const char *pattern, const char *option);

/* Does the expression match anywhere in text?  Any bytes are accepted. */
bool regexp_match(const struct regexp *re, const char *text, size_t len);

/* Does one of these expressions match?  all ends in NULL, and may itself be NULL. */
bool regexp_match_any(struct regexp *const *all, const char *text, size_t len);

void regexp_free(struct regexp *re);

#endif
