#include "render/profile/strays.h"

#include <inttypes.h>
#include <string.h>

#include "core/error.h"
#include "core/format/folded.h"
#include "core/wallclock.h"

enum { STRAYS_OF = 500, STRAYS_LEAST = 50, STRAYS_FAR = 10 };

#define STRAYS_APART_NS (3600 * NS_PER_SEC)

/* Insert time_ns in order among the times seen, of which at most STRAYS_MAX + 1 are kept. */
static void stray_insert(uint64_t *list, size_t count, uint64_t time_ns, bool ascending)
{
	size_t at = count < STRAYS_MAX + 1 ? count : STRAYS_MAX + 1;

	while (at && (ascending ? list[at - 1] > time_ns : list[at - 1] < time_ns))
		at--;
	if (at > STRAYS_MAX)
		return;
	memmove(&list[at + 1], &list[at], (STRAYS_MAX - at) * sizeof(*list));
	list[at] = time_ns;
}

void strays_see(struct strays *s, uint64_t time_ns)
{
	if (s->count <= STRAYS_MAX || time_ns < s->low[STRAYS_MAX])
		stray_insert(s->low, s->count, time_ns, true);
	if (s->count <= STRAYS_MAX || time_ns > s->high[STRAYS_MAX])
		stray_insert(s->high, s->count, time_ns, false);
	s->count++;
}

static bool are_far(uint64_t gap_ns, uint64_t rest_ns)
{
	return gap_ns >= STRAYS_APART_NS && gap_ns / STRAYS_FAR >= rest_ns;
}

/* If this many are taken off at each end, are the others close together, and these far from them? */
static bool are_strays(const struct strays *s, size_t low, size_t high)
{
	uint64_t rest_ns = s->high[high] - s->low[low];

	return (!low || are_far(s->low[low] - s->low[low - 1], rest_ns)) &&
	       (!high || are_far(s->high[high - 1] - s->high[high], rest_ns));
}

size_t strays_find(const struct strays *s, uint64_t *from_ns, uint64_t *to_ns)
{
	size_t most = s->count >= STRAYS_LEAST ? 1 + s->count / STRAYS_OF : 0;

	most = most < STRAYS_MAX ? most : STRAYS_MAX;
	for (size_t both = 1; both <= 2 * most; both++) {
		for (size_t low = both > most ? both - most : 0; low <= both && low <= most; low++) {
			size_t high = both - low;

			if (!are_strays(s, low, high))
				continue;
			*from_ns = low ? s->low[low - 1] + 1 : 0;
			*to_ns = high ? s->high[high - 1] : UINT64_MAX;
			return both;
		}
	}
	return 0;
}

/* The distance of the farthest stray from the other times. */
static uint64_t strays_distance(const struct strays *s, uint64_t from_ns, uint64_t to_ns)
{
	uint64_t before = 0, after = 0;

	for (size_t i = 1; i <= STRAYS_MAX; i++) {
		if (from_ns && s->low[i - 1] < from_ns && s->low[i] >= from_ns)
			before = s->low[i] - s->low[0];
		if (s->high[i - 1] >= to_ns && s->high[i] < to_ns)
			after = s->high[0] - s->high[i];
	}
	return before > after ? before : after;
}

static void add_distance(struct str *out, uint64_t ns)
{
	uint64_t hours = ns / (3600 * NS_PER_SEC);

	if (hours < 48)
		str_addf(out, "%" PRIu64 " hour%s", hours, hours == 1 ? "" : "s");
	else
		str_addf(out, "%" PRIu64 " days", hours / 24);
}

void strays_say(const struct strays *s, const char *what, struct str *out)
{
	uint64_t from_ns, to_ns;
	size_t count = strays_find(s, &from_ns, &to_ns);

	if (!count)
		return;
	str_addf(out, "%zu of %zu %s %s not drawn: up to ", count, s->count, what, count == 1 ? "is" : "are");
	add_distance(out, strays_distance(s, from_ns, to_ns));
	str_puts(out, " from all others (--from and --to choose a time)");
}

size_t strays_leave(const struct strays *s, const char *what, struct folded_source *source, uint64_t *from_ns,
		    uint64_t *to_ns)
{
	bool is_observed = source_get(source, FOLDED_FROM) || source_get(source, FOLDED_TO);
	size_t count = is_observed ? 0 : strays_find(s, from_ns, to_ns);
	struct str text = { 0 };

	if (!count)
		return 0;
	strays_say(s, what, &text);
	warn("%s", text.buf);
	str_clear(&text);
	str_addf(&text, STRAYS_LOSS " %zu", count);
	source_join(source, FOLDED_LOSSES, text.buf);
	str_free(&text);
	return count;
}
