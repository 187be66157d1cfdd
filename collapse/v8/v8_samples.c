#include "collapse/v8/v8_samples.h"

#include <stdlib.h>

#include "core/memory.h"
#include "core/sorted.h"

enum { NS_PER_US = 1000 };

struct v8_sample {
	int64_t us;
	uint32_t order, stack;
};

void v8_samples_add(struct v8_samples *samples, int64_t us, uint32_t stack)
{
	size_t n = samples->count;

	samples->unsorted |= n && us < samples->items[n - 1].us;
	samples->items = xgrow(samples->items, &samples->cap, n + 1, sizeof(*samples->items));
	samples->items[samples->count++] = (struct v8_sample){ us, (uint32_t)n, stack };
}

static int by_us(const void *a, const void *b)
{
	const struct v8_sample *x = a, *y = b;

	return ORDER(x->us, y->us) ?: ORDER(x->order, y->order);
}

static void v8_samples_add_one(struct text_stacks *s, const struct v8_sample *sample, uint64_t us, uint32_t labels)
{
	struct text_value value = { 0 };

	if (sample->stack == V8_NO_STACK || !us)
		return;
	if (__builtin_mul_overflow(us, (uint64_t)NS_PER_US, &value.whole))
		text_wrong(s, s->part->text, "a sample that lasts too long");
	else
		fold_add_text(s,
			      &(struct text_sample){ .time_ns = sample->us > 0 ? (uint64_t)sample->us * NS_PER_US : 0,
						     .values = &value,
						     .stack = sample->stack,
						     .labels = labels });
}

void v8_samples_fold(struct v8_samples *samples, struct text_stacks *s, int64_t end_us, uint32_t labels)
{
	uint64_t us = 0;

	if (samples->unsorted)
		qsort(samples->items, samples->count, sizeof(*samples->items), by_us);
	for (size_t i = 0; i < samples->count; i++) {
		const struct v8_sample *sample = &samples->items[i];

		if (i + 1 < samples->count)
			us = (uint64_t)sample[1].us - (uint64_t)sample->us;
		else if (end_us != V8_NO_END)
			us = end_us > sample->us ? (uint64_t)end_us - (uint64_t)sample->us : 0;
		v8_samples_add_one(s, sample, us, labels);
	}
}

void v8_samples_free(struct v8_samples *samples)
{
	free(samples->items);
	*samples = (struct v8_samples){ 0 };
}
