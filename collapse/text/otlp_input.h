/* otlp_input: reads OTLP profiles in both of their encodings. */
#ifndef COLLAPSE_TEXT_OTLP_INPUT_H
#define COLLAPSE_TEXT_OTLP_INPUT_H

#include "collapse/parse/format.h"
#include "core/protobuf_reader.h"

/* What the samples have. */
enum {
	OTLP_HAS = TEXT_HAS_TIMES | TEXT_HAS_STACKS | TEXT_HAS_COMMS | TEXT_HAS_PIDS | TEXT_HAS_TIDS | TEXT_HAS_CPUS |
		   TEXT_HAS_EVENTS | TEXT_HAS_STATES | TEXT_HAS_FILES | TEXT_HAS_LINES | TEXT_HAS_OWNERS
};

/* Add the samples of a message ProfilesData.  told: the message was converted from the input, so messages about errors
 * refer to the input instead. */
void otlp_read(struct text_stacks *s, struct wire message, bool told);

/* input_format.nameless, and .begin, of both. */
extern const char otlp_nameless[];
void otlp_begin(const char *text, size_t len, struct text_setup *setup);

#endif
