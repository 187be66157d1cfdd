/* labels: the frames at the root of stored samples: "comm=java<TAB>thread=java-8513/dw-20". */
#ifndef SHIP_LABELS_H
#define SHIP_LABELS_H

#include <stdbool.h>
#include <stddef.h>

/* The value of label name; NULL: there is none. */
const char *label_value(const char *labels, size_t len, const char *name, size_t name_len, size_t *value_len);

/* Is the value of name one of the list's words?  The words are those of collapse --state and --waits.  Labels without a
 * value of that name count as matching. */
bool label_is_listed(const char *labels, size_t len, const char *name, const char *list);

#endif
