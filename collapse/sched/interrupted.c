#include "collapse/sched/interrupted.h"

#include <string.h>

#include "core/format/chain.h"
#include "core/symbols/names/interrupts.h"

static struct chain chain_of_sample(const struct recorded_sample *s)
{
	return chain_of(s->chain, s->chain_count, s->kernel);
}

/* Kernel addresses mean the same at all times: 0 will do. */
static uint32_t kernel_place(struct interrupted *i, uint64_t address)
{
	return places_add(&i->places, NULL, 0, address, 0);
}

void interrupted_note(struct interrupted *i, const struct recorded_sample *waking)
{
	struct chain chain = chain_of_sample(waking);
	uint64_t address;

	while (chain_next(&chain, &address)) {
		if (chain.kernel)
			kernel_place(i, address);
	}
}

void interrupted_resolve(struct interrupted *i, const struct modules *modules, places_source *source, void *argument)
{
	if (i->places.count)
		places_resolve(&i->places, modules, source, argument);
}

uint64_t interrupted_entries(struct interrupted *i, const struct recorded_sample *waking)
{
	struct chain chain = chain_of_sample(waking);
	uint64_t address, entries = 0;

	while (chain_next(&chain, &address) && chain.kernel) {
		const char *name = i->places.items[kernel_place(i, address)].name;

		if (name && is_interrupt_entry(name, strlen(name)))
			entries = chain.next;
		else if (entries)
			break;
	}
	return entries;
}

void interrupted_free(struct interrupted *i)
{
	places_free(&i->places);
}
