/* facts: what the comments of folded text (core/format/folded.h) say about a recording, for formats that have their own
 * places for such facts. */
#ifndef COLLAPSE_OUTPUT_FACTS_H
#define COLLAPSE_OUTPUT_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/wire/json_stream.h"
#include "core/str.h"

struct header_fact {
	char *key, *value; /* value without quotes and escapes; it may have any bytes but NUL */
};

struct header_facts {
	struct header_fact *items; /* [count], in the order of the header */
	size_t count, cap;
	char **notes; /* [note_count]: the other comments, such as gaps and stalls, without "# " */
	size_t note_count, note_cap;
};

/* Read whole lines.  If there are several headers, as in merged files, the first one counts; the others become
 * notes. */
void facts_read(struct header_facts *f, const char *comments);

/* NULL: the header does not say so. */
const char *facts_get(const struct header_facts *f, const char *key);

/* The instant of a key such as "start", in ns since 1970; 0: unknown. */
uint64_t facts_instant(const struct header_facts *f, const char *key);

/* Append the losses, for a title: "lost 3 of 12345 samples, throttled 3"; nothing if nothing was lost. */
void facts_losses(const struct header_facts *f, struct str *out);

/* A title: "cpu-clock, db1". */
void facts_title(const struct header_facts *f, struct str *out);

/* Add an object with all facts, and the notes as an array "notes". */
void facts_json(const struct header_facts *f, struct json_stream *json, const char *key);

void facts_free(struct header_facts *f);

#endif
