#include "render/states/states.h"

#include <string.h>

#include "core/format/folded.h"
#include "render/bars/bars_text.h"

#define X(id, text) static const char NAME_##id[] = text;
FOLDED_STATE_TABLE(X)
#undef X

#define WAITS "waits for a CPU: "
#define NOISE "noise: "

/* From left to right, with the names they have in folded lines.  Their labels are black.  The colours of `safe`
 * are Okabe's and Ito's (hue.h), mixed with white where one colour serves several states. */
static const struct state {
	const char *name, *group, *label, *about;
	uint32_t rgb, safe;
} states[] = {
	{ NAME_PREEMPTED, STATES_RUNNABLE, WAITS "preempted", "waits for a CPU: another thread took it while it ran",
	  0xdb4a3a, 0xdb6a1c },
	{ NAME_QUANTUM, STATES_RUNNABLE, WAITS "time slice used up",
	  "waits for a CPU: its share was used up, others had their turn", 0xf68d6e, 0xeda76a },
	{ NAME_YIELDED, STATES_RUNNABLE, WAITS "yielded", "waits for a CPU: it gave its own away", 0xf8b5a0, 0xf3c49b },
	{ NAME_WOKEN, STATES_RUNNABLE, "ready, waiting for a CPU", "waits for a CPU since it was woken", 0xfbcfc8,
	  0xf8e0cd },
	{ NAME_RUNNING, NAME_RUNNING, NULL, "had a CPU", 0x7fb2e5, 0x56b4e9 },
	{ NAME_BLOCKED_IO, NAME_BLOCKED_IO, NULL, "waits for a disk or a network file system", 0xf7d448, 0xf0e442 },
	{ NAME_BLOCKED, NAME_BLOCKED, NULL, "waits in the kernel, not for I/O, and cannot be interrupted", 0xd9a441,
	  0xcc79a7 },
	{ NAME_SLEEPING, NAME_SLEEPING, NULL, "waits for something to do: a lock, a message, a time", 0xa9d99b,
	  0x66c5ab },
	{ NAME_STOPPED, NAME_STOPPED, NULL, "stopped by a signal", 0x9c9c9c, 0x9c9c9c },
	{ NAME_TRACED, NAME_TRACED, NULL, "stopped by a debugger", 0xb0a3bd, 0xb0b0b0 },
	{ NAME_PARKED, NAME_PARKED, NULL, "a thread of the kernel that is parked", 0xbdbdbd, 0xbdbdbd },
	{ NAME_IDLE, NAME_IDLE, NULL, "a thread of the kernel that has nothing to do; not an idle CPU", 0xd6d6d6,
	  0xd6d6d6 },
	{ NAME_DEAD, NAME_DEAD, NULL, "it has ended", 0x8a8a8a, 0x8a8a8a },
	{ NAME_NOISE_THREAD, STATES_NOISE, NOISE "another thread", "another thread had the CPU", 0xf68d6e, 0xdb6a1c },
	{ NAME_INTERRUPT, STATES_NOISE, NOISE "interrupt", "an interrupt, of a device or of the processor itself",
	  0xf7d448, 0xf0e442 },
	{ NAME_CALL, STATES_NOISE, NOISE "call", "a function that another CPU had this one call", 0xfbe7a2, 0xf7f1a0 },
	{ NAME_SOFTIRQ, STATES_NOISE, NOISE "softirq", "what interrupts leave for later", 0xa9d99b, 0x66c5ab },
	{ NAME_TIMER, STATES_NOISE, NOISE "timer", "a function that a timer calls", 0x6cc5c1, 0x4c9cc9 },
	{ NAME_WORK, STATES_NOISE, NOISE "work", "a function that a workqueue calls", 0xc3b0e8, 0xcc79a7 },
	{ NAME_NMI, STATES_NOISE, NOISE "non-maskable interrupt", "a non-maskable interrupt", 0xf2a0c8, 0xeda76a },
	{ NAME_HARDWARE, STATES_NOISE, NOISE "no cause in software",
	  "missing, without a cause in software: a hypervisor, firmware", 0xbdbdbd, 0xbdbdbd },
	{ NAME_STATE_UNKNOWN, NAME_STATE_UNKNOWN, NULL, "what it did is not in the recording", 0xcbb8a5, 0xc8c8c8 },
	{ 0 }
};

static const struct state *states_kinds_find(const char *name, size_t len)
{
	for (const struct state *s = states; s->name; s++) {
		if (strlen(s->name) == len && !memcmp(s->name, name, len))
			return s;
	}
	return NULL;
}

bool states_is_state(const char *name, size_t len)
{
	return states_kinds_find(name, len);
}

bool states_is_runnable(const char *name, size_t len)
{
	const struct state *s = states_kinds_find(name, len);

	return s && !strcmp(s->group, STATES_RUNNABLE);
}

bool states_is_key(const char *name)
{
	return states_kinds_find(name, strlen(name)) || !strcmp(name, STATES_RUNNABLE) || !strcmp(name, STATES_NOISE) ||
	       !strcmp(name, "time") || !strcmp(name, "longest") || !strcmp(name, "name");
}

void states_dress(struct bars_kind *kind, const char *name, size_t len)
{
	const struct state *s = states_kinds_find(name, len);

	if (!s)
		return;
	kind->order = (int)(s - states);
	kind->wait = !strcmp(s->group, STATES_RUNNABLE) || s->name == NAME_BLOCKED_IO || s->name == NAME_BLOCKED;
	kind->graded = kind->wait || !strcmp(s->group, STATES_NOISE);
	kind->group = s->group;
	kind->label = s->label;
	kind->word = bars_state_word(name, len);
	kind->about = s->about;
	kind->rgb = s->rgb;
	kind->safe = s->safe;
}
