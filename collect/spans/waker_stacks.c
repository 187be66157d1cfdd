#include "collect/spans/waker_stacks.h"

#include <stdlib.h>
#include <string.h>

#include "core/format/recording.h"
#include "core/memory.h"

/* A block may end long after the wakeup of its waker, but at most this many wakeups later. */
enum { NEWEST = 1 << 18, CHAINS_MANY = 1 << 16, KIND = 0xfe /* no recorded label has it */ };

uint64_t waker_stacks_place(struct waker_stacks *w)
{
	return RECORDING_LABEL(KIND, ++w->serial);
}

uint64_t waker_stacks_serial(uint64_t entry)
{
	return RECORDING_IS_LABEL(entry) && RECORDING_LABEL_KIND(entry) == KIND ? RECORDING_LABEL_VALUE(entry) : 0;
}

/* The number of a chain in the present generation; if the generation has many chains, the next one begins. */
static uint32_t waker_stacks_number_of(struct waker_stacks *w, const uint64_t *chain, size_t count)
{
	if (w->chains[w->generation & 1].count >= CHAINS_MANY) {
		w->generation++;
		intern_free(&w->chains[w->generation & 1]);
	}
	return intern_add(&w->chains[w->generation & 1], (const char *)chain, count * sizeof(*chain));
}

void waker_stacks_keep(struct waker_stacks *w, uint64_t serial, const uint64_t *chain, size_t count)
{
	uint32_t number;

	if (!w->newest)
		w->newest = xcalloc(NEWEST, sizeof(*w->newest));
	while (count && RECORDING_IS_LABEL(chain[count - 1]))
		count--;
	number = waker_stacks_number_of(w, chain, count);
	w->newest[serial % NEWEST] = (struct waker_walked){ serial, number, w->generation };
}

bool waker_stacks_await(const uint64_t *chain, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (waker_stacks_serial(chain[i]))
			return true;
	}
	return false;
}

static void fill_one(const struct waker_stacks *w, uint64_t serial, struct chain_builder *to, uint64_t *lost)
{
	const struct waker_walked *walked = w->newest ? &w->newest[serial % NEWEST] : NULL;
	const struct intern *chains;
	uint64_t entry;

	if (!walked || walked->serial != serial || w->generation - walked->generation > 1) {
		++*lost;
		return;
	}
	chains = &w->chains[walked->generation & 1];
	for (size_t i = 0; i < intern_len(chains, walked->chain) / sizeof(entry); i++) {
		memcpy(&entry, intern_text(chains, walked->chain) + i * sizeof(entry), sizeof(entry));
		chain_builder_add_one(to, entry);
	}
}

void waker_stacks_fill(const struct waker_stacks *w, const uint64_t *chain, size_t count, struct chain_builder *to,
		       uint64_t *lost)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t serial = waker_stacks_serial(chain[i]);

		if (serial)
			fill_one(w, serial, to, lost);
		else
			chain_builder_add_one(to, chain[i]);
	}
}

void waker_stacks_free(struct waker_stacks *w)
{
	intern_free(&w->chains[0]);
	intern_free(&w->chains[1]);
	free(w->newest);
	*w = (struct waker_stacks){ 0 };
}
