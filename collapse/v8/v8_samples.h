/* v8_samples: the samples of a CPU profile of V8.  Each lasts until the next one:
 *
 *     main at 10 us, read at 40, idle at 20, the end at 50  -->  main 10000 ns, idle 20000, read 10000
 *
 * Samples may be added in any order: V8 adds some late, after samples with later times, and DevTools sorts them, too
 * (CPUProfileDataModel.ts). */
#ifndef COLLAPSE_V8_V8_SAMPLES_H
#define COLLAPSE_V8_V8_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/fold/text_stacks.h"

struct v8_sample;

struct v8_samples {              /* {0} is empty */
	struct v8_sample *items; /* [count] */
	size_t count, cap;
	bool unsorted;
};

#define V8_NO_STACK UINT32_MAX
#define V8_NO_END INT64_MIN

/* Add a sample; V8_NO_STACK: its stack is unknown, so its time is not counted. */
void v8_samples_add(struct v8_samples *samples, int64_t us, uint32_t stack);

/* Add all samples to s, in ns.  The last sample lasts until end_us, if that is later; V8_NO_END: as long as the one
 * before. */
void v8_samples_fold(struct v8_samples *samples, struct text_stacks *s, int64_t end_us, uint32_t labels);

void v8_samples_free(struct v8_samples *samples);

#endif
