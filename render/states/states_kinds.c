#include "render/states/states.h"

#include <string.h>

#include "core/format/folded.h"
#include "render/bars/bars_text.h"
#include "render/colours/state_colours.h"

#define X(id, text) static const char NAME_##id[] = text;
FOLDED_STATE_TABLE(X)
#undef X

#define WAITS "waits for a CPU: "
#define NOISE "noise: "

/* The states from left to right, with their names in folded lines.  Their labels are black. */
static const struct state {
	const char *name, *group, *label, *about;
	uint32_t rgb, safe;
} states[] = {
	{ NAME_PREEMPTED, STATES_RUNNABLE, WAITS "preempted", "waits for a CPU: another thread took it while it ran",
	  STATE_PREEMPTED_RGB, STATE_PREEMPTED_SAFE },
	{ NAME_QUANTUM, STATES_RUNNABLE, WAITS "time slice used up",
	  "waits for a CPU: its share was used up, others had their turn", STATE_QUANTUM_RGB, STATE_QUANTUM_SAFE },
	{ NAME_YIELDED, STATES_RUNNABLE, WAITS "yielded", "waits for a CPU: it gave its own away", STATE_YIELDED_RGB,
	  STATE_YIELDED_SAFE },
	{ NAME_WOKEN, STATES_RUNNABLE, "ready, waiting for a CPU", "waits for a CPU since it was woken",
	  STATE_WOKEN_RGB, STATE_WOKEN_SAFE },
	{ NAME_THROTTLED, NAME_THROTTLED, NULL, "could run, but its control group has used up its quota of CPU time",
	  STATE_THROTTLED_RGB, STATE_THROTTLED_SAFE },
	{ NAME_RUNNING, NAME_RUNNING, NULL, "had a CPU", STATE_RUNNING_RGB, STATE_RUNNING_SAFE },
	{ NAME_BLOCKED_IO, NAME_BLOCKED_IO, NULL, "waits for a disk or a network file system", STATE_BLOCKED_IO_RGB,
	  STATE_BLOCKED_IO_SAFE },
	{ NAME_BLOCKED, NAME_BLOCKED, NULL, "waits in the kernel, not for I/O, and cannot be interrupted",
	  STATE_BLOCKED_RGB, STATE_BLOCKED_SAFE },
	{ NAME_SLEEPING, NAME_SLEEPING, NULL, "waits for something to do: a lock, a message, a time",
	  STATE_SLEEPING_RGB, STATE_SLEEPING_SAFE },
	{ NAME_STOPPED, NAME_STOPPED, NULL, "stopped by a signal", STATE_STOPPED_RGB, STATE_STOPPED_SAFE },
	{ NAME_TRACED, NAME_TRACED, NULL, "stopped by a debugger", STATE_TRACED_RGB, STATE_TRACED_SAFE },
	{ NAME_PARKED, NAME_PARKED, NULL, "a thread of the kernel that is parked", STATE_PARKED_RGB,
	  STATE_PARKED_SAFE },
	{ NAME_IDLE, NAME_IDLE, NULL, "a thread of the kernel that has nothing to do; not an idle CPU", STATE_IDLE_RGB,
	  STATE_IDLE_SAFE },
	{ NAME_DEAD, NAME_DEAD, NULL, "it has ended", STATE_DEAD_RGB, STATE_DEAD_SAFE },
	{ NAME_NOISE_THREAD, STATES_NOISE, NOISE "another thread", "another thread had the CPU", STATE_NOISE_THREAD_RGB,
	  STATE_NOISE_THREAD_SAFE },
	{ NAME_INTERRUPT, STATES_NOISE, NOISE "interrupt", "an interrupt, of a device or of the processor itself",
	  STATE_INTERRUPT_RGB, STATE_INTERRUPT_SAFE },
	{ NAME_CALL, STATES_NOISE, NOISE "call", "a function that another CPU had this one call", STATE_CALL_RGB,
	  STATE_CALL_SAFE },
	{ NAME_SOFTIRQ, STATES_NOISE, NOISE "softirq", "what interrupts leave for later", STATE_SOFTIRQ_RGB,
	  STATE_SOFTIRQ_SAFE },
	{ NAME_TIMER, STATES_NOISE, NOISE "timer", "a function that a timer calls", STATE_TIMER_RGB, STATE_TIMER_SAFE },
	{ NAME_WORK, STATES_NOISE, NOISE "work", "a function that a workqueue calls", STATE_WORK_RGB, STATE_WORK_SAFE },
	{ NAME_NMI, STATES_NOISE, NOISE "non-maskable interrupt", "a non-maskable interrupt", STATE_NMI_RGB,
	  STATE_NMI_SAFE },
	{ NAME_HARDWARE, STATES_NOISE, NOISE "no cause in software",
	  "missing, without a cause in software: a hypervisor, firmware", STATE_HARDWARE_RGB, STATE_HARDWARE_SAFE },
	{ NAME_STATE_UNKNOWN, NAME_STATE_UNKNOWN, NULL, "what it did is not in the recording", STATE_STATE_UNKNOWN_RGB,
	  STATE_STATE_UNKNOWN_SAFE },
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

bool states_has_by(const char *name, size_t len)
{
	const struct state *s = states_kinds_find(name, len);

	return s && (!strcmp(s->group, STATES_RUNNABLE) || s->name == NAME_THROTTLED);
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
	kind->wait = !strcmp(s->group, STATES_RUNNABLE) || s->name == NAME_THROTTLED || s->name == NAME_BLOCKED_IO ||
		     s->name == NAME_BLOCKED;
	kind->graded = kind->wait || !strcmp(s->group, STATES_NOISE);
	kind->group = s->group;
	kind->label = s->label;
	kind->word = bars_state_word(name, len);
	kind->about = s->about;
	kind->rgb = s->rgb;
	kind->safe = s->safe;
}
