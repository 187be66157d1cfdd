#include "render/flame/shown.h"

#include <inttypes.h>
#include <stdlib.h>

#include "core/memory.h"
#include "render/drawing/settings.h"
#include "render/flame/multiples.h"
#include "render/profile/idle.h"

/* [frame] its total without idle time; the caller frees it. */
static uint64_t *totals_without(const struct tree *t, const uint64_t *idle)
{
	uint64_t *totals = xcalloc(t->count, sizeof(*totals)), *gone = xcalloc(t->count, sizeof(*gone));

	for (uint32_t i = t->count; i-- > 0;) {
		gone[i] += idle[i];
		totals[i] = t->frames[i].total - gone[i];
		if (i)
			gone[t->frames[i].parent] += gone[i];
	}
	free(gone);
	return totals;
}

/* The folds of the whole tree that remain, with their new numbers. */
static void take_folds(struct tree *tree, const uint32_t *of, const struct tree *whole)
{
	uint32_t next = 0;

	tree->folds = whole->fold_count ? xcalloc(whole->fold_count, sizeof(*tree->folds)) : NULL;
	tree->least = whole->least;
	for (uint32_t i = 0; i < tree->count; i++) {
		while (next < whole->fold_count && whole->folds[next].frame < of[i])
			next++;
		if (next == whole->fold_count || whole->folds[next].frame != of[i])
			continue;
		tree->folds[tree->fold_count++] = (struct tree_fold){ i, whole->folds[next].count };
		tree->folded += whole->folds[next].count;
	}
}

void shown_make(struct shown *s, const struct tree *whole, const struct profile *p)
{
	uint64_t *totals;
	uint32_t *of;

	*s = (struct shown){ 0 };
	if (!whole->count || !whole->frame_of)
		return;
	s->idle = xcalloc(whole->count, sizeof(*s->idle));
	for (size_t i = 0; i < p->stack_count; i++) {
		if (!p->stacks[i].idle || !p->stacks[i].self)
			continue;
		s->idle[whole->frame_of[i]] += p->stacks[i].self;
		s->left_out += p->stacks[i].self;
	}
	if (!s->left_out || s->left_out == whole->frames[0].total) {
		shown_free(s);
		return;
	}
	s->waits = idle_of_threads(&p->source);
	totals = totals_without(whole, s->idle);
	tree_of_layer(&s->tree, &of, whole, 0, totals);
	take_folds(&s->tree, of, whole);
	free(of);
	free(totals);
}

void shown_words(struct str *out, const char *what, uint64_t left_out, uint64_t all, const struct unit *unit)
{
	str_addf(out, "%s: ", what);
	value_add(out, left_out, unit);
	str_puts(out, ", ");
	percentage_add(out, left_out, all);
	str_puts(out, " of all");
}

void shown_settings(const struct shown *s, const struct tree *whole, const char *note, struct str *out)
{
	const char *before = "";

	if (!s || !s->idle)
		return;
	str_addf(out, ",\"idle\":{\"what\":\"%s\"", idle_what(s->waits));
	setting_u64(out, "value", s->left_out);
	setting_text(out, "note", note);
	str_puts(out, ",\"self\":[");
	for (uint32_t i = 0; i < whole->count; i++) {
		if (!s->idle[i])
			continue;
		str_addf(out, "%s[%" PRIu32 ",%" PRIu64 "]", before, i, s->idle[i]);
		before = ",";
	}
	str_puts(out, "]}");
}

void shown_free(struct shown *s)
{
	if (!s)
		return;
	tree_free(&s->tree);
	free(s->idle);
	*s = (struct shown){ 0 };
}
