#include "collapse/fold/whole_order.h"

#include <stdlib.h>

#include "core/load_ahead.h"
#include "core/memory.h"

/* A tree of losers (Knuth, "The Art of Computer Programming", 5.4.1) that remembers how much each run's next line has
 * in common with the line that was taken last.  Of two lines, the one that has more in common with that line is the
 * smaller one, so each part of a text is compared only once.  The unit is a word. */

enum { FEW_RUNS = 16, FAR_AHEAD = 8, LOADED = 4 * CACHE_LINE, REFS_LOADED = 4 };

#define ALL SIZE_MAX /* value of common: both texts are the same */

struct whole_run {
	const struct sort_ref *next, *end;
	const char *text; /* of next; NULL at the end */
	size_t common;    /* how many bytes text has in common with the line taken last */
	uint64_t word;    /* after these */
};

/* Is a before b?  Sets common and word of the later one to what it shares with the earlier one, which is taken next. */
static bool whole_order_is_before(struct whole_run *a, struct whole_run *b)
{
	size_t at = a->common;
	uint64_t x = a->word, y = b->word;

	if (!a->text || !b->text)
		return a->text;
	if (at != b->common)
		return at > b->common;
	if (at == ALL)
		return true;
	while (x == y) {
		if (!(x & 0xff)) { /* both end */
			b->common = ALL;
			return true;
		}
		at += WHOLE_WORD;
		x = whole_word(a->text + at);
		y = whole_word(b->text + at);
	}
	if (x < y) {
		b->common = at;
		b->word = y;
		return true;
	}
	a->common = at;
	a->word = x;
	return false;
}

static void load_next(const struct whole_order *o, const struct whole_run *run)
{
	if ((size_t)(run->end - run->next) <= o->ahead)
		return;
	load_ahead(whole_line_of(run->next[o->ahead].item, o->value_count), LOADED);
	load_ahead(&run->next[o->ahead + REFS_LOADED], 1);
}

/* The run goes on after its line was taken. */
static void whole_order_go_on(const struct whole_order *o, struct whole_run *run)
{
	const char *last = run->text;

	run->next++;
	run->text = run->next < run->end ? run->next->item : NULL;
	if (!run->text)
		return;
	load_next(o, run);
	run->common = whole_common(last, run->text, ALL);
	run->word = whole_word(run->text + run->common);
}

/* Let run play against the losers on its way to the top. */
static void whole_order_play(struct whole_order *o, uint32_t run)
{
	for (size_t match = (run + o->run_count) / 2; match; match /= 2) {
		uint32_t other = o->losers[match];

		if (!whole_order_is_before(&o->runs[run], &o->runs[other])) {
			o->losers[match] = run;
			run = other;
		}
	}
	o->losers[0] = run;
}

/* Play match and all matches below it, which sets their losers; returns the winner.  Match n is between the winners of
 * matches 2 n and 2 n + 1; numbers from run_count on stand for the runs. */
static uint32_t first_winner(struct whole_order *o, size_t match)
{
	uint32_t a, b;

	if (match >= o->run_count)
		return (uint32_t)(match - o->run_count);
	a = first_winner(o, 2 * match);
	b = first_winner(o, 2 * match + 1);
	if (whole_order_is_before(&o->runs[a], &o->runs[b])) {
		o->losers[match] = b;
		return a;
	}
	o->losers[match] = a;
	return b;
}

static void whole_order_add_runs(struct whole_order *o, const struct whole_lines *w)
{
	size_t start = 0;

	for (size_t i = 0; i < w->run_count; i++) {
		struct whole_run *run = &o->runs[o->run_count++];

		*run = (struct whole_run){ .next = w->refs + start, .end = w->refs + w->runs[i] };
		run->text = run->next->item;
		run->word = whole_word(run->text);
		start = w->runs[i];
	}
}

void whole_order_make(struct whole_order *o, struct text_parsed *p)
{
	size_t count = 0;

	for (size_t i = 0; i < p->count; i++) {
		whole_lines_end(&p->shards[i].whole);
		count += p->shards[i].whole.run_count;
	}
	*o = (struct whole_order){ .value_count = p->setup->value_count,
				   .ahead = count < FEW_RUNS ? FAR_AHEAD : 1,
				   .runs = xmalloc(count * sizeof(*o->runs)),
				   .losers = xcalloc(count + 1, sizeof(*o->losers)) };
	for (size_t i = 0; i < p->count; i++)
		whole_order_add_runs(o, &p->shards[i].whole);
	if (count)
		o->losers[0] = first_winner(o, 1);
}

size_t whole_order_take(struct whole_order *o, struct whole_next *lines, size_t count)
{
	size_t n = 0;

	while (o->run_count) {
		uint32_t winner = o->losers[0];
		struct whole_run *run = &o->runs[winner];
		bool repeated = run->common == ALL;

		if (!run->text || (n >= count && !repeated))
			break;
		lines[n++] = (struct whole_next){ whole_line_of(run->text, o->value_count), repeated,
						  run->next->key == WHOLE_LEFT_OUT };
		whole_order_go_on(o, run);
		whole_order_play(o, winner);
	}
	return n;
}

void whole_order_free(struct whole_order *o)
{
	free(o->runs);
	free(o->losers);
	*o = (struct whole_order){ 0 };
}
