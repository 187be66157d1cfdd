#include "collapse/fold/latency.h"

#include <stdlib.h>

#include "core/memory.h"

uint64_t latency_share(struct latency *l, uint64_t period, uint32_t threads)
{
	uint64_t share;

	if (threads < 2)
		return period;
	l->left = xgrow(l->left, &l->cap, (size_t)threads + 1, sizeof(*l->left));
	while (l->count <= threads)
		l->left[l->count++] = 0;
	share = period / threads;
	l->left[threads] += period % threads;
	if (l->left[threads] >= threads) {
		l->left[threads] -= threads;
		share++;
	}
	return share;
}

void latency_free(struct latency *l)
{
	free(l->left);
	*l = (struct latency){ 0 };
}
