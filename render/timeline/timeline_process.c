/* A process name that nearly all threads begin with tells nothing: "contention-26021/" is left out where room
 * is scarce if its threads have most of the time (where kinds are states: most of the time in which threads had
 * or wanted a CPU). */
#include "render/timeline/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

/* The length of "contention-26021/"; 0: name has no process. */
static size_t timeline_process_len(const char *name)
{
	const char *at = name;

	while ((at = strchr(at, '-'))) {
		size_t digits = strspn(++at, "0123456789");

		if (digits && at[digits] == '/' && at[digits + 1])
			return (size_t)(at + digits + 1 - name);
	}
	return 0;
}

struct process {
	uint64_t time_ns;
	uint32_t thread, threads; /* the last thread of the process, and how many it has */
};

void timeline_find_process(struct timeline *t)
{
	struct intern names = { 0 };
	struct process *all = xcalloc(t->names.count + 1, sizeof(*all));
	uint8_t *seen = xcalloc(t->names.count + 1, 1);
	uint64_t total_ns = 0;

	t->process_len = 0;
	for (size_t i = 0; i < t->texts.count; i++) {
		const struct timeline_stack *s = &t->stacks[i];
		const char *name = s->thread == UINT32_MAX ? "" : intern_text(&t->names, s->thread);
		size_t len = timeline_process_len(name);
		const struct timeline_kind *kind = &t->kinds[s->kind];
		struct process *p;

		if (s->idle || (t->kinds_are_states && !kind->waiting && !kind->running))
			continue;
		total_ns += s->sum.time;
		if (!len)
			continue;
		p = &all[intern_add(&names, name, len)];
		p->time_ns += s->sum.time;
		p->threads += !seen[s->thread];
		p->thread = s->thread;
		seen[s->thread] = 1;
	}
	for (size_t i = 0; i < names.count; i++) {
		if (all[i].threads < 2 || all[i].time_ns <= total_ns / 2)
			continue;
		t->process = all[i].thread;
		t->process_len = intern_len(&names, (uint32_t)i);
	}
	intern_free(&names);
	free(all);
	free(seen);
}

size_t timeline_skipped(const struct timeline *t, const char *label, size_t len)
{
	size_t skip = t->process_len;

	if (!skip || len <= skip || memcmp(label, intern_text(&t->names, t->process), skip))
		return 0;
	return skip;
}
