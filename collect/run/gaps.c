#include "collect/run/gaps.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void gaps_close_gap(struct gaps *g, size_t i, const char *event)
{
	struct open_gap *gap = &g->open[i];

	if (gap->lost)
		str_addf(&g->text, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %s\n", gap->start_ns, gap->end_ns, gap->lost,
			 event);
	gap->lost = 0;
}

void gaps_look(struct gaps *g, const struct source *const *sources, size_t count, uint64_t now_ns)
{
	assert(count <= GAPS_SOURCES_MAX);
	for (size_t i = 0; i < count; i++) {
		struct open_gap *gap = &g->open[i];
		uint64_t lost = source_lost(sources[i]);

		if (lost == gap->before || !g->looked_ns) {
			gap->before = lost;
			continue;
		}
		if (gap->end_ns < g->looked_ns) /* the gap is over */
			gaps_close_gap(g, i, sources[i]->name);
		if (!gap->lost)
			gap->start_ns = g->looked_ns;
		gap->end_ns = now_ns;
		gap->lost += lost - gap->before;
		gap->before = lost;
	}
	g->looked_ns = now_ns;
}

void gaps_finish(struct gaps *g, const struct source *const *sources, size_t count)
{
	for (size_t i = 0; i < count; i++)
		gaps_close_gap(g, i, sources[i]->name);
}

void gaps_clear(struct gaps *g)
{
	str_clear(&g->text);
	for (size_t i = 0; i < GAPS_SOURCES_MAX; i++)
		g->open[i].lost = 0;
}

void gaps_cut(struct gaps *g, uint64_t before_ns)
{
	struct str kept = { 0 };
	const char *line = str_text(&g->text), *end;
	uint64_t end_ns;

	for (; (end = strchr(line, '\n')); line = end + 1) {
		if (sscanf(line, "%*u %" SCNu64, &end_ns) != 1 || end_ns >= before_ns)
			str_add(&kept, line, (size_t)(end + 1 - line));
	}
	str_free(&g->text);
	g->text = kept;
}

void gaps_free(struct gaps *g)
{
	str_free(&g->text);
	*g = (struct gaps){ 0 };
}
