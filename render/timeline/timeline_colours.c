#include "render/timeline/timeline.h"

#include <stdlib.h>

#include "core/hash.h"
#include "core/memory.h"
#include "core/sorted.h"
#include "render/colours/cpu.h"
#include "render/colours/state_colours.h"
#include "render/colours/waits.h"

enum { IDLE_RGB = 0xe6e6e6, FIRST_COLOURS = 40 }; /* how many threads get a colour of their own */

static const struct state_colour {
	const char *name;
	uint32_t rgb, safe;
} states[] = {
#define X(state, text) { text, STATE_##state##_RGB, STATE_##state##_SAFE },
	FOLDED_STATE_TABLE(X)
#undef X
		{ 0 }
};

static void colour_states(struct timeline *t)
{
	for (size_t i = 0; i < t->kind_count; i++) {
		struct timeline_kind *kind = &t->kinds[i];
		const char *name = intern_text(&t->names, kind->name);
		const struct wait_kind *wait = wait_kind_called(name, intern_len(&t->names, kind->name));
		const struct state_colour *c = states;

		while (c->name && strcmp(c->name, name))
			c++;
		kind->rgb = wait ? wait->rgb : c->name ? c->rgb : 0xd0c4dc;
		kind->safe = wait ? wait->safe : c->name ? c->safe : 0xcc79a7;
	}
}

/* Sorts CPUs by number, which is the order of the colour table, so that a machine's CPUs have the same colours
 * whichever threads ran on them. */
static int timeline_colours_by_number(const void *a, const void *b)
{
	const struct timeline_kind *x = *(struct timeline_kind *const *)a;
	const struct timeline_kind *y = *(struct timeline_kind *const *)b;

	return ORDER(x->cpu->number, y->cpu->number);
}

static void colour_known_cpus(struct timeline *t)
{
	struct timeline_kind **known = xcalloc(t->kind_count + 1, sizeof(struct timeline_kind *));
	uint32_t *package = xcalloc(t->kind_count + 1, sizeof(*package));
	uint32_t *rgb = xcalloc(t->kind_count + 1, sizeof(*rgb));
	size_t count = 0;

	for (size_t i = 0; i < t->kind_count; i++) {
		if (t->kinds[i].cpu)
			known[count++] = &t->kinds[i];
	}
	if (count)
		qsort(known, count, sizeof(struct timeline_kind *), timeline_colours_by_number);
	for (size_t i = 0; i < count; i++)
		package[i] = known[i]->cpu->package;
	cpu_colours(rgb, package, count, false);
	for (size_t i = 0; i < count; i++)
		known[i]->rgb = rgb[i];
	cpu_colours(rgb, package, count, true);
	for (size_t i = 0; i < count; i++)
		known[i]->safe = rgb[i];
	free(known);
	free(package);
	free(rgb);
}

static void colour_cpus(struct timeline *t)
{
	colour_known_cpus(t);
	for (size_t i = 0; i < t->kind_count; i++) {
		struct timeline_kind *kind = &t->kinds[i];
		uint32_t number = (uint32_t)i;

		if (kind->cpu)
			continue;
		topology_cpu_number(intern_text(&t->names, kind->name), intern_len(&t->names, kind->name), &number);
		kind->rgb = cpu_colours_all[number % CPU_COLOUR_COUNT];
		kind->safe = cpu_colours_safe[number % CPU_COLOUR_COUNT];
	}
}

/* Chosen by name, so that a thread has the same colour in other pictures; but the first FIRST_COLOURS threads have
 * colours that differ from each other. */
static void colour_threads(struct timeline *t)
{
	bool taken[FIRST_COLOURS] = { 0 };

	for (size_t i = 0; i < t->kind_count; i++) {
		struct timeline_kind *kind = &t->kinds[i];
		size_t at = hash_bytes(intern_text(&t->names, kind->name), intern_len(&t->names, kind->name));

		if (i < FIRST_COLOURS) {
			for (at %= FIRST_COLOURS; taken[at];)
				at = (at + 1) % FIRST_COLOURS;
			taken[at] = true;
		}
		kind->rgb = cpu_colours_all[at % CPU_COLOUR_COUNT];
		kind->safe = cpu_colours_safe[at % CPU_COLOUR_COUNT];
	}
}

void timeline_colours(struct timeline *t)
{
	if (t->kinds_are_cpus)
		colour_cpus(t);
	else if (t->kinds_are_states)
		colour_states(t);
	else
		colour_threads(t);
	for (size_t i = 0; i < t->kind_count; i++) {
		if (t->kinds[i].idle)
			t->kinds[i].rgb = t->kinds[i].safe = IDLE_RGB;
	}
}
