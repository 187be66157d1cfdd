/* taken_sample: a sample as the kernel writes it: perhaps with registers and a piece of the user stack,
 * perhaps without its period (collect/sampling/stack_walk.h). */
#ifndef COLLECT_SAMPLING_TAKEN_SAMPLE_H
#define COLLECT_SAMPLING_TAKEN_SAMPLE_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/format/recording.h"
#include "core/unwind/unwinder.h"

/* The format of an event's samples. */
struct taken_form {
	uint64_t regs_mask;
	uint64_t period; /* the period of samples that do not have their own; 0: each has its own */
	bool is_walked;  /* samples have registers and a stack */
	bool has_raw;
};

/* A sample as read; points into the record. */
struct taken_sample {
	struct perf_event_header header;
	const uint8_t *chain, *raw;
	size_t raw_len;      /* including the length field */
	const uint8_t *rest; /* everything after the chain */
	size_t rest_len;
	struct unwind_sample user;
	struct recording_sample fields;
};

/* Returns false if the record is malformed. */
bool taken_sample_read(const uint8_t *record, const struct taken_form *form, struct taken_sample *t);

#endif
