#include "collect/run/conditions.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "core/error.h"
#include "core/format/events.h"
#include "core/format/recording.h"
#include "core/memory.h"
#include "core/nearest.h"

static bool conditions_begins(const char *text, const char *word)
{
	size_t len = strcspn(text, ":>");

	return word && strlen(word) == len && !memcmp(word, text, len);
}

/* The row one of whose words is the beginning of text, before ':' or '>'; NULL: none. */
static const struct event_row *conditions_find_event(const char *text)
{
	const struct event_row *row;

	for (unsigned i = 0; (row = event_row_at(i)); i++) {
		if (conditions_begins(text, row->when) || conditions_begins(text, row->when_throttled))
			return row;
	}
	return NULL;
}

/* ---- parsing ---- */

static _Noreturn void die_of_kind(const char *text)
{
	const char **words = NULL, *word = xstrndup(text, strcspn(text, ":>"));
	const struct event_row *row;
	size_t count = 0, cap = 0;

	for (unsigned i = 0; (row = event_row_at(i)); i++) {
		words = xgrow(words, &cap, count + 2, sizeof(*words));
		if (row->when)
			words[count++] = row->when;
		if (row->when_throttled)
			words[count++] = row->when_throttled;
	}
	nearest_die("--when", word, words, count);
}

/* "1M", "200", "0.5": a quantity in thousands. */
static bool parse_quantity(const char *text, uint64_t *parts)
{
	static const char letters[] = "kMGT";
	char *end;
	double value = strtod(text, &end);
	const char *letter = *end ? strchr(letters, *end) : NULL;

	if (end == text || !(value >= 0))
		return false;
	for (; letter && letter >= letters; letter--)
		value *= 1000;
	if (*end && (!strchr(letters, *end) || end[1]))
		return false;
	value *= RECORDING_LANE_PARTS;
	if (value >= 18e18)
		return false;
	*parts = (uint64_t)value;
	return true;
}

static void parse_detail(struct condition *c, const struct event_row *row, const char *more)
{
	const char *colon = strchr(c->text, ':');
	int word = (int)strcspn(c->text, ":>");

	if (!colon || colon > more) {
		if (row->kind == EVENT_VALUES)
			die_usage("--when %s: which lane? lane:NAME>VALUE, such as lane:udp.depth>1M", c->text);
		return;
	}
	if (!row->detail)
		die_usage("--when %s: %.*s has no kinds: %.*s>TIME", c->text, word, c->text, word, c->text);
	if (colon + 1 == more)
		die_usage("--when %s: after ':' comes the name of %s", c->text, row->detail);
	c->detail = xstrndup(colon + 1, (size_t)(more - colon - 1));
}

static void conditions_parse_one(struct conditions *cs, const char *text)
{
	const struct event_row *row = conditions_find_event(text);
	const char *more = strchr(text, '>');
	int word = (int)strcspn(text, ":>");
	struct condition *c;

	if (!row)
		die_of_kind(text);
	if (!more)
		die_usage("--when %s: how long? %.*s>TIME, such as %.*s>50ms", text, word, text, word, text);
	cs->list = xgrow(cs->list, &cs->cap, cs->count + 1, sizeof(*cs->list));
	c = &cs->list[cs->count++];
	*c = (struct condition){ .text = text,
				 .source = row->source,
				 .event = row->name,
				 .throttled = conditions_begins(text, row->when_throttled) };
	parse_detail(c, row, more);
	if (row->kind == EVENT_VALUES) {
		if (!parse_quantity(more + 1, &c->more_than))
			die_usage("--when %s: '%s' is not a quantity, such as 200, 64k, 1M", text, more + 1);
	} else if (!parse_duration(more + 1, &c->more_than) || !c->more_than) {
		die_usage("--when %s: '%s' is not a time, such as 500us, 50ms, 2 (s)", text, more + 1);
	}
}

void conditions_parse(struct conditions *c, const struct text_list *texts)
{
	*c = (struct conditions){ .wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK) };
	if (c->wake < 0)
		die("eventfd failed");
	pthread_mutex_init(&c->lock, NULL);
	for (size_t i = 0; i < texts->count; i++)
		conditions_parse_one(c, texts->items[i]);
}

/* ---- for the sources ---- */

const char *conditions_source(const char *text)
{
	const struct event_row *row = conditions_find_event(text);

	return row ? row->source : NULL;
}

uint64_t conditions_least(const struct conditions *c, const char *source)
{
	uint64_t least = UINT64_MAX;

	for (size_t i = 0; i < c->count; i++) {
		if (!strcmp(c->list[i].source, source) && c->list[i].more_than < least)
			least = c->list[i].more_than;
	}
	return least;
}

/* ---- what is seen ---- */

void conditions_add_hit(struct conditions *c, const struct hit *hit)
{
	pthread_mutex_lock(&c->lock);
	if (!c->times++) {
		c->hit = *hit;
		eventfd_write(c->wake, 1);
	}
	pthread_mutex_unlock(&c->lock);
}

/* Has the span a label of this kind, with this value? */
static bool conditions_has_label(const struct span *s, enum recording_label kind, uint32_t value)
{
	for (size_t i = s->chain_count; i; i--) {
		uint64_t entry = s->chain[i - 1];

		if (!RECORDING_IS_LABEL(entry))
			return false;
		if (RECORDING_LABEL_KIND(entry) == kind)
			return RECORDING_LABEL_VALUE(entry) == value;
	}
	return false;
}

static bool conditions_is_kind(const struct condition *c, const struct event *e, const struct span *s)
{
	if (strcmp(c->event, e->name) != 0 ||
	    (c->detail && !conditions_has_label(s, RECORDING_LABEL_SYSCALL, c->detail_number)))
		return false;
	return !event_row_of(c->event)->when_throttled ||
	       conditions_has_label(s, RECORDING_LABEL_STATE, RECORDING_THROTTLED) == c->throttled;
}

void conditions_see_span(struct conditions *c, const struct event *e, const struct span *s)
{
	for (size_t i = 0; i < c->count; i++) {
		const struct condition *one = &c->list[i];

		if (s->ns <= one->more_than || !conditions_is_kind(one, e, s))
			continue;
		conditions_add_hit(c, &(struct hit){ .condition = one->text,
						     .time_ns = s->time_ns,
						     .value = s->ns,
						     .pid = s->pid,
						     .tid = s->tid });
		return;
	}
}

/* Are the words of `wanted`, separated by dots, among the frames of a lane's name, in this order? */
static bool conditions_is_lane(const char *wanted, const char *name)
{
	while (*wanted) {
		size_t len = strcspn(wanted, "."), frame;

		for (;; name += frame + 1) {
			frame = strcspn(name, ";");
			if (frame == len && !memcmp(name, wanted, len))
				break;
			if (!name[frame])
				return false;
		}
		name += frame + (name[frame] == ';');
		wanted += len + (wanted[len] == '.');
	}
	return true;
}

void conditions_see_lane(struct conditions *c, const char *name, uint64_t time_ns, uint64_t value)
{
	for (size_t i = 0; i < c->count; i++) {
		const struct condition *one = &c->list[i];

		if (value <= one->more_than || event_row_of(one->event)->kind != EVENT_VALUES ||
		    !conditions_is_lane(one->detail, name))
			continue;
		conditions_add_hit(
			c,
			&(struct hit){ .condition = one->text, .time_ns = time_ns, .value = value, .is_lane = true });
		return;
	}
}

uint64_t conditions_take(struct conditions *c, struct hit *hit)
{
	uint64_t times;
	eventfd_t ignored;

	pthread_mutex_lock(&c->lock);
	times = c->times;
	*hit = c->hit;
	c->times = 0;
	eventfd_read(c->wake, &ignored);
	pthread_mutex_unlock(&c->lock);
	return times;
}

void conditions_free(struct conditions *c)
{
	for (size_t i = 0; i < c->count; i++)
		free(c->list[i].detail);
	free(c->list);
	if (c->wake > 0)
		close(c->wake);
	*c = (struct conditions){ 0 };
}
