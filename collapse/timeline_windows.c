#include "collapse/timeline_windows.h"

#include "core/memory.h"

enum { VALUES = 3 }; /* time,count,longest */

void timeline_note_owner(struct timeline_lines *t, const struct timed_samples *times, int pid, int tid)
{
	size_t row = times->items[times->count - 1].row;

	t->owners = xgrow(t->owners, &t->owner_cap, row + 1, sizeof(*t->owners));
	t->owners[row] = (struct timeline_owner){ pid, tid };
}

/* A span is counted where it ends; a sample, which takes no time, where it is. */
static void timeline_windows_add_pieces(const struct windows *w, const struct timeline_owner *owner,
					const struct timed_sample *s, const uint64_t *more, struct timed_samples *to)
{
	uint64_t at_ns = s->wall_ns, end_ns = s->wall_ns + s->value;

	do {
		struct window_piece p = windows_at(w, owner->pid, owner->tid, at_ns, end_ns);
		uint64_t values[VALUES] = { p.end_ns - at_ns, p.end_ns == end_ns ? more[0] : 0, p.end_ns - at_ns };

		if (p.wanted)
			times_add(to, at_ns, values, s->stack);
		at_ns = p.end_ns;
	} while (at_ns < end_ns);
}

size_t timeline_cut(const struct timeline_lines *t, const struct windows *w, struct timed_samples *times)
{
	struct timed_samples cut = { .width = times->width, .by_value = times->by_value };
	size_t left_out = 0;

	for (size_t i = 0; i < times->count; i++) {
		const struct timed_sample *s = &times->items[i];

		if (s->wall_ns == TIMES_NONE)
			left_out++;
		else
			timeline_windows_add_pieces(w, &t->owners[s->row], s, times_more(times, s), &cut);
	}
	times_free(times);
	*times = cut;
	return left_out;
}
