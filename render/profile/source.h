/* source: the origin of a profile, from its folded header.
 *
 *     # pyrograph: host=db1 event=cpu-clock command="sleep 5" lost=3/12345 unit=ns
 *
 * Several headers (of several files, or from `cat a b`) are joined: the earliest start, the latest end, the sums of
 * losses, and each distinct host, event, and so on.  The quality of stacks is left out, unless all headers say the
 * same. */
#ifndef RENDER_SOURCE_H
#define RENDER_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct source_pair {
	char *key, *value;
};

struct folded_source {             /* {0} is a profile without a header */
	struct source_pair *pairs; /* in order of arrival, keys are unique */
	size_t count, cap;
};

/* Take up line[0..len) if it is a header.  Returns false for other comments. */
bool source_read(struct folded_source *s, const char *line, size_t len);

/* Add the pairs in text, which follows the mark of a header or of another comment. */
void source_read_pairs(struct folded_source *s, const char *text, size_t len);

/* The value of key, valid until the source changes; NULL if there is none. */
const char *source_get(const struct folded_source *s, const char *key);

/* Set the key, or join its values by the rules above. */
void source_join(struct folded_source *s, const char *key, const char *value);

/* Join all pairs of other. */
void source_add(struct folded_source *s, const struct folded_source *other);

/* A value such as "3/12345".  Returns false if key is missing or has no such value. */
bool source_ratio(const struct folded_source *s, const char *key, uint64_t *part, uint64_t *whole);

void source_free(struct folded_source *s);

#endif
