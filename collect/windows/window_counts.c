#include "collect/windows/window_counts.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

void window_counts_note(struct window_counts *w, uint64_t ns, const uint64_t counts[RECORDING_WINDOWS_COUNT],
			uint64_t from_ns)
{
	size_t old = 0;

	w->list = xgrow(w->list, &w->cap, w->count + 1, sizeof(*w->list));
	w->list[w->count].ns = ns;
	memcpy(w->list[w->count++].counts, counts, sizeof(w->list->counts));
	while (old + 1 < w->count && w->list[old + 1].ns <= from_ns)
		old++;
	w->count -= old;
	memmove(w->list, w->list + old, w->count * sizeof(*w->list));
}

uint64_t window_counts_at(const struct window_counts *w, uint64_t from_ns, enum recording_windows which)
{
	uint64_t count = 0;

	for (size_t i = 0; i < w->count && w->list[i].ns <= from_ns; i++)
		count = w->list[i].counts[which];
	return count;
}

void window_counts_free(struct window_counts *w)
{
	free(w->list);
	*w = (struct window_counts){ 0 };
}
