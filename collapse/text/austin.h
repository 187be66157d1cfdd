/* austin: recognises lines of Austin, which are folded text with additions. */
#ifndef COLLAPSE_TEXT_AUSTIN_H
#define COLLAPSE_TEXT_AUSTIN_H

#include <stdbool.h>
#include <stddef.h>

/* "P8513;T8520;..." */
bool austin_is_line(const char *line, size_t len);

#endif
