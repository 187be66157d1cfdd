/* The totals of noise: only a limited number of threads have a total of their own, and all totals add up. */
#include "collect/noise/noise_sources.h"
#include "tests/unit/check.h"

enum { THREADS = 200000, MANY = 1 << 16 };

static struct noise_sum times(uint64_t ns, const char *name)
{
	struct noise_sum sum = { .ns = ns, .count = 1, .longest_ns = ns, .longest_at_ns = ns };

	snprintf(sum.name, sizeof(sum.name), "%s", name);
	return sum;
}

static const struct noise_total *total_named(const struct noise_sources *s, const char *name, uint32_t cpu)
{
	for (size_t i = 0; i < s->count; i++) {
		if (s->items[i].cpu == cpu && !strcmp(noise_total_name(s, &s->items[i]), name))
			return &s->items[i];
	}
	return NULL;
}

int main(void)
{
	struct noise_sources s = { 0 };
	struct noise_sum sum = times(1000000, "busy");
	uint64_t wanted_ns = 0, ns = 0, count = 0;
	uint32_t timer, again;
	size_t most = 0;

	sum.longest_ns = 7;
	noise_sources_add(&s, NOISE_THREAD, 3, 0, &sum);
	timer = noise_sources_name(&s, NOISE_VECTOR, NOISE_LOCAL_TIMER, sum.name);
	for (uint64_t i = 0; i < THREADS; i++) {
		sum = times(1 + i % 100, "short");
		noise_sources_add(&s, NOISE_THREAD, 100 + i, i & 1, &sum);
		wanted_ns += sum.ns;
		most = s.count > most ? s.count : most;
	}
	sum = times(12, "");
	noise_sources_add(&s, NOISE_VECTOR, NOISE_LOCAL_TIMER, 1, &sum);
	again = noise_sources_name(&s, NOISE_VECTOR, NOISE_LOCAL_TIMER, sum.name);
	noise_sources_sort(&s);
	for (size_t i = 0; i < s.count; i++) {
		ns += s.items[i].ns;
		count += s.items[i].count;
	}
	CHECK(most <= MANY);
	CHECK(ns == wanted_ns + 1000000 + 12 && count == THREADS + 2);
	CHECK(total_named(&s, "busy-3", 0)->ns == 1000000);
	CHECK(total_named(&s, "[other threads]", 0)->count + total_named(&s, "[other threads]", 1)->count >
	      THREADS / 2);
	CHECK(total_named(&s, "[other threads]", 1)->longest_ns <= 100);
	CHECK(again == timer && s.names.count == 1);
	CHECK(s.threads.count <= most);
	noise_sources_free(&s);
	/* devices that share an interrupt */
	sum = times(10, "ehci_hcd");
	noise_sources_add(&s, NOISE_INTERRUPT, 16 | 1ull << 32, 0, &sum);
	sum = times(20, "i801_smbus");
	noise_sources_add(&s, NOISE_INTERRUPT, 16 | 2ull << 32, 0, &sum);
	noise_sources_sort(&s);
	CHECK(total_named(&s, "16:ehci_hcd", 0)->ns == 10);
	CHECK(total_named(&s, "16:i801_smbus", 0)->ns == 20);
	noise_sources_free(&s);
	for (uint64_t i = 0; i < THREADS; i++) { /* one that renames itself all the time */
		char name[NOISE_NAME];

		snprintf(name, sizeof(name), "n%d", (int)i);
		sum = times(1, name);
		noise_sources_add(&s, NOISE_THREAD, 3, 0, &sum);
		most = s.threads.count > most ? s.threads.count : most;
	}
	CHECK(s.count == 1 && s.items[0].ns == THREADS && most <= 2 * MANY);
	CHECK_TEXT(noise_total_name(&s, &s.items[0]), "n199999-3");
	noise_sources_free(&s);
	return check_done();
}
