#include "collect/io/io_totals.h"

#include <stdbool.h>
#include <stdlib.h>

#include "core/memory.h"
#include "core/wallclock.h"

/* After this time, no program that found a place open still adds to it. */
#define GRACE_NS (NS_PER_SEC / 10)

/* The program updates the count last, and the longest time just before, so the other sums may be ahead of the count. */
static uint64_t plausible_longest(const struct io_total *news, uint64_t longest_ns)
{
	uint64_t ns = news->queue_ns + news->device_ns, mean_ns = ns / news->count;

	return longest_ns > ns ? ns : longest_ns < mean_ns ? mean_ns : longest_ns;
}

/* What was added to a place since the last look.  Returns false if nothing was. */
static bool find_news(struct io_total *place, struct io_seen *seen, uint64_t since_ns, struct io_total *news)
{
	uint64_t count = __atomic_load_n(&place->count, __ATOMIC_ACQUIRE), queue_ns, device_ns, begin_ns;

	if (count == seen->count)
		return false;
	queue_ns = __atomic_load_n(&place->queue_ns, __ATOMIC_RELAXED);
	device_ns = __atomic_load_n(&place->device_ns, __ATOMIC_RELAXED);
	*news = (struct io_total){
		.first = place->first,
		.count = count - seen->count,
		.queue_ns = queue_ns - seen->queue_ns,
		.device_ns = device_ns - seen->device_ns,
	};
	news->longest_ns = plausible_longest(news, __atomic_exchange_n(&place->longest_ns, 0, __ATOMIC_RELAXED));
	begin_ns = __atomic_exchange_n(&place->begin_ns, 0, __ATOMIC_RELAXED);
	news->begin_ns = begin_ns ? begin_ns : since_ns;
	seen->count = count;
	seen->queue_ns = queue_ns;
	seen->device_ns = device_ns;
	return true;
}

static void close_or_free(struct io_total *place, struct io_seen *seen, uint64_t now_ns)
{
	if (place->state == IO_TOTAL_OPEN) {
		seen->closed_ns = now_ns;
		__atomic_store_n(&place->state, IO_TOTAL_CLOSED, __ATOMIC_RELEASE);
	} else if (now_ns - seen->closed_ns > GRACE_NS) {
		__atomic_store_n(&place->state, IO_TOTAL_FREE, __ATOMIC_RELEASE);
	}
}

void io_totals_look(struct io_totals *t, struct io_total table[IO_TOTALS], uint64_t now_ns)
{
	uint64_t since_ns = t->looked_ns ? t->looked_ns : now_ns;

	if (!t->seen) {
		t->seen = xcalloc(IO_TOTALS, sizeof(*t->seen));
		t->news = xcalloc(IO_TOTALS, sizeof(*t->news));
	}
	t->count = 0;
	for (size_t i = 0; i < IO_TOTALS; i++) {
		uint64_t state = __atomic_load_n(&table[i].state, __ATOMIC_ACQUIRE);

		if (state != IO_TOTAL_OPEN && state != IO_TOTAL_CLOSED)
			continue;
		if (find_news(&table[i], &t->seen[i], since_ns, &t->news[t->count]))
			t->count++;
		else
			close_or_free(&table[i], &t->seen[i], now_ns);
	}
	t->looked_ns = now_ns;
}

void io_totals_pass(struct io_totals *t, void (*take)(const struct io_total *news))
{
	for (size_t i = 0; i < t->count; i++)
		take(&t->news[i]);
	t->count = 0;
}

void io_totals_free(struct io_totals *t)
{
	free(t->seen);
	free(t->news);
	*t = (struct io_totals){ 0 };
}
