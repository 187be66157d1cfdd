#include "render/states_kinds.h"

#include <string.h>

#include "collapse/folded.h"

#define X(id, text) static const char NAME_##id[] = text;
FOLDED_STATE_TABLE(X)
#undef X

#define WAITS "waits for a CPU: "

/* From the left to the right.  Labels in them are black.  The colours of `safe` are those of
 * Okabe and Ito (hue.h), mixed with white where one is needed several times. */
static const struct state {
	const char *name, *group, *label;
	uint32_t rgb, safe;
} states[] = {
	{ NAME_PREEMPTED, STATES_RUNNABLE, WAITS "preempted", 0xec5b4b, 0xe07a2c },
	{ NAME_QUANTUM, STATES_RUNNABLE, WAITS "quantum over", 0xf2826f, 0xe99a5c },
	{ NAME_YIELDED, STATES_RUNNABLE, WAITS "yielded", 0xf7a899, 0xf0b98c },
	{ NAME_WOKEN, STATES_RUNNABLE, WAITS "just woken", 0xfbc9bf, 0xf7d8bf },
	{ NAME_RUNNING, NAME_RUNNING, "running", 0x7fb2e5, 0x56b4e9 },
	{ NAME_BLOCKED_IO, NAME_BLOCKED_IO, "waits for I/O", 0xf7d448, 0xf0e442 },
	{ NAME_BLOCKED, NAME_BLOCKED, "blocked, not by I/O", 0xd9a441, 0xcc79a7 },
	{ NAME_SLEEPING, NAME_SLEEPING, "sleeping", 0xa9d99b, 0x66c5ab },
	{ NAME_STOPPED, NAME_STOPPED, "stopped", 0x9c9c9c, 0x9c9c9c },
	{ NAME_TRACED, NAME_TRACED, "traced", 0xb0a3bd, 0xb0b0b0 },
	{ NAME_PARKED, NAME_PARKED, "parked", 0xbdbdbd, 0xbdbdbd },
	{ NAME_IDLE, NAME_IDLE, "idle", 0xd6d6d6, 0xd6d6d6 },
	{ NAME_DEAD, NAME_DEAD, "ended", 0x8a8a8a, 0x8a8a8a },
	{ NAME_STATE_UNKNOWN, NAME_STATE_UNKNOWN, "unknown", 0xcbb8a5, 0xc8c8c8 },
	{0}
};

static const struct state *find(const char *name, size_t len)
{
	for (const struct state *s = states; s->name; s++) {
		if (strlen(s->name) == len && !memcmp(s->name, name, len))
			return s;
	}
	return NULL;
}

bool states_is_state(const char *name, size_t len)
{
	return find(name, len);
}

bool states_is_runnable(const char *name, size_t len)
{
	const struct state *s = find(name, len);

	return s && !strcmp(s->group, STATES_RUNNABLE);
}

bool states_is_key(const char *name)
{
	return find(name, strlen(name)) || !strcmp(name, STATES_RUNNABLE) ||
	       !strcmp(name, "time") || !strcmp(name, "longest") || !strcmp(name, "name");
}

void states_dress(struct bars_kind *kind, const char *name, size_t len)
{
	const struct state *s = find(name, len);

	if (!s)
		return;
	kind->order = (int)(s - states);
	kind->group = s->group;
	kind->label = s->label;
	kind->rgb = s->rgb;
	kind->safe = s->safe;
}
