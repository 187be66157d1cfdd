#include "render/flame/shown.h"

#include <inttypes.h>
#include <stdlib.h>

#include "core/memory.h"
#include "render/colours/measuring.h"
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

static void shown_leave_idle(struct shown *s, const struct tree *whole, const struct profile *p)
{
	for (size_t i = 0; whole->frame_of && i < p->stack_count; i++) {
		if (!p->stacks[i].idle || !p->stacks[i].self)
			continue;
		s->idle[whole->frame_of[i]] += p->stacks[i].self;
		s->left_out += p->stacks[i].self;
	}
}

/* Page faults of a machine that does little are mostly ours.  A smaller share is worth seeing. */
static void shown_leave_measuring(struct shown *s, const struct tree *whole, const struct profile *p)
{
	uint64_t value = measuring_value(whole, 0, p), *own;
	uint32_t within = 0; /* end of the subtree of a frame of measuring */
	bool *known;

	if (value <= (whole->frames[0].total - s->left_out) / 4)
		return;
	known = measuring_names(p);
	own = xcalloc(whole->count, sizeof(*own));
	for (uint32_t i = whole->count; i-- > 0;) {
		own[i] += whole->frames[i].total;
		if (i)
			own[whole->frames[i].parent] -= whole->frames[i].total;
	}
	for (uint32_t i = 0; i < whole->count; i++) {
		if (i >= within && known[whole->frames[i].name])
			within = whole->frames[i].end;
		if (i >= within)
			continue;
		s->measured += own[i] - s->idle[i];
		s->left_out += own[i] - s->idle[i];
		s->idle[i] = own[i];
	}
	free(known);
	free(own);
}

void shown_make(struct shown *s, const struct tree *whole, const struct profile *p)
{
	uint64_t *totals;
	uint32_t *of;

	*s = (struct shown){ 0 };
	if (!whole->count)
		return;
	s->idle = xcalloc(whole->count, sizeof(*s->idle));
	shown_leave_idle(s, whole, p);
	shown_leave_measuring(s, whole, p);
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

static const char *shown_word(const struct shown *s)
{
	return !s->measured ? "Idle" : s->measured == s->left_out ? "Profiler" : "Idle and profiler";
}

static void shown_add_what(const struct shown *s, struct str *out)
{
	if (s->measured < s->left_out)
		str_puts(out, idle_what(s->waits));
	if (s->measured)
		str_puts(out, s->measured < s->left_out ? " and the profiler itself" : "the profiler itself");
}

void shown_add_note(const struct shown *s, uint64_t all, const struct unit *unit, struct str *out)
{
	str_addf(out, "%s hidden: ", shown_word(s));
	value_add(out, s->left_out, unit);
	str_puts(out, " of ");
	shown_add_what(s, out);
	str_puts(out, ", ");
	percentage_add(out, s->left_out, all);
	str_puts(out, " of all");
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
	str_addf(out, ",\"idle\":{\"word\":\"%s\",\"what\":\"", shown_word(s));
	shown_add_what(s, out);
	str_addc(out, '"');
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
