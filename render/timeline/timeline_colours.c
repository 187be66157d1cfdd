#include "render/timeline/timeline.h"

#include <stdlib.h>

#include "collapse/folded.h"
#include "core/hash.h"
#include "core/memory.h"
#include "render/colours/cpu.h"

enum { IDLE_RGB = 0xe6e6e6, FIRST_COLOURS = 40 }; /* the paler ones */

/* Colours people know, and those for everybody (Okabe and Ito). */
static const struct state_colour {
	const char *name;
	uint32_t rgb, safe;
} states[] = {
	{ "running", 0x6ca8d8, 0x56b4e9 },
	{ "preempted", 0xe4584c, 0xd55e00 },
	{ "quantum-over", 0xf08070, 0xe08040 },
	{ "yielded", 0xf4a494, 0xeab088 },
	{ "woken", 0xf8c0a8, 0xf2cfb4 },
	{ "sleeping", 0xa8dc90, 0x66c2a5 },
	{ "blocked-io", 0xf0d44c, 0xf0e442 },
	{ "blocked", 0xd8a850, 0xe69f00 },
	{ "stopped", 0xb4b4b4, 0xb4b4b4 },
	{ "traced", 0xa0a0a0, 0xa0a0a0 },
	{ "parked", 0xc8c8c8, 0xc8c8c8 },
	{ "idle", 0xdcdcdc, 0xdcdcdc },
	{ "dead", 0x8c8c8c, 0x8c8c8c },
	{0}
};

static void colour_states(struct timeline *t)
{
	for (size_t i = 0; i < t->kind_count; i++) {
		struct timeline_kind *kind = &t->kinds[i];
		const struct state_colour *c = states;

		while (c->name && strcmp(c->name, intern_text(&t->names, kind->name)))
			c++;
		kind->rgb = c->name ? c->rgb : 0xd0c4dc;
		kind->safe = c->name ? c->safe : 0xcc79a7;
	}
}

/* A CPU's place in the order of numbers is the order of the table, so that a machine's
 * CPUs have the same colours whoever ran on them. */
static int by_number(const void *a, const void *b)
{
	const struct timeline_kind *x = *(struct timeline_kind *const *)a;
	const struct timeline_kind *y = *(struct timeline_kind *const *)b;

	return (x->cpu->number > y->cpu->number) - (x->cpu->number < y->cpu->number);
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
		qsort(known, count, sizeof(struct timeline_kind *), by_number);
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
		topology_cpu_number(intern_text(&t->names, kind->name),
				    intern_len(&t->names, kind->name), &number);
		kind->rgb = cpu_colours_all[number % CPU_COLOUR_COUNT];
		kind->safe = cpu_colours_safe[number % CPU_COLOUR_COUNT];
	}
}

/* By name, so that a thread looks the same in other pictures, but of the first ones each
 * has a colour of its own. */
static void colour_threads(struct timeline *t)
{
	bool taken[FIRST_COLOURS] = {0};

	for (size_t i = 0; i < t->kind_count; i++) {
		struct timeline_kind *kind = &t->kinds[i];
		size_t at = hash_bytes(intern_text(&t->names, kind->name),
				       intern_len(&t->names, kind->name));

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
