#include "collapse/output/value_types.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/format/folded.h"
#include "core/format/events.h"
#include "core/wallclock.h"

static const char *word_of(enum column column)
{
	switch (column) {
	case COLUMN_SAMPLES: return "samples";
	case COLUMN_PERIOD: return "period";
	case COLUMN_TIME: return "time";
	case COLUMN_COUNT: return "count";
	case COLUMN_LONGEST: return "longest";
	case COLUMN_BYTES: return "bytes";
	case COLUMN_OBJECTS: return "objects";
	case COLUMN_MIGRATIONS: return "migrations";
	case COLUMN_LATENCY: return "latency";
	case COLUMN_CPU: return "cpu";
	case COLUMN_PEAK: return "peak";
	case COLUMN_LANE:
	case COLUMN_FRACTION: break;
	}
	return "value";
}

void value_column_word(const struct product *p, const struct header_facts *facts, size_t i, char word[VALUE_WORD_MAX])
{
	const char *at = facts_get(facts, FOLDED_COLUMNS);

	for (size_t n = 0; at && n < i; n++)
		at = (at = strchr(at, ',')) ? at + 1 : NULL;
	if (at)
		snprintf(word, VALUE_WORD_MAX, "%.*s", (int)strcspn(at, ","), at);
	else if (p->names)
		snprintf(word, VALUE_WORD_MAX, "%s", word_of(p->fold->columns->list[i]));
	else
		snprintf(word, VALUE_WORD_MAX, i ? "value %zu" : "samples", i + 1);
}

static bool is_clock(const char *event)
{
	return !strcmp(event, "cpu-clock") || !strcmp(event, "task-clock");
}

static const struct {
	const char *ours, *theirs;
} units[] = {
	{ "ns", "nanoseconds" }, { "us", "microseconds" },  { "ms", "milliseconds" }, { "s", "seconds" },
	{ "bytes", "bytes" },    { "samples", "count" },    { "spans", "count" },     { "objects", "count" },
	{ "count", "count" },    { "time", "nanoseconds" }, { "cpu", "nanoseconds" }, { "migrations", "count" },
};

static void name_unit(struct value_type *v, const char *unit)
{
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		if (!strcmp(units[i].ours, unit))
			unit = units[i].theirs;
	}
	snprintf(v->unit, VALUE_WORD_MAX, "%s", unit);
}

/* The unit of a column other than the first. */
static const char *value_types_unit_of(const struct header_facts *facts, const char *word)
{
	const char *event = facts_get(facts, FOLDED_EVENT);

	if (!strcmp(word, "period") || !strcmp(word, "latency"))
		return event && is_clock(event)                         ? "ns"
		       : event_row_of(event)->kind == EVENT_ALLOCATIONS ? "bytes"
									: word;
	return word;
}

static void name_type(struct value_type *v, const struct header_facts *facts, const char *unit, const char *word)
{
	const char *event = facts_get(facts, FOLDED_EVENT);
	bool is_time = strstr(v->unit, "seconds") != NULL;

	snprintf(v->type, VALUE_WORD_MAX, "%s",
		 !strcmp(word, "latency")                             ? word
		 : is_time && event && is_clock(event)                ? "cpu"
		 : is_time && event && !strchr(event, ',')            ? event
		 : is_time                                            ? "time"
		 : !strcmp(v->unit, "count") && strcmp(unit, "count") ? unit
		 : !strcmp(word, "period") && event                   ? event
								      : word);
}

static bool is_taken(const struct value_types *t, const char *type)
{
	for (size_t i = 0; i < t->count; i++) {
		if (!strcmp(t->items[i].type, type))
			return true;
	}
	return false;
}

void value_types_make(struct value_types *t, const struct product *p, const struct header_facts *facts)
{
	const struct columns *c = p->fold->columns;

	*t = (struct value_types){ 0 };
	for (size_t i = 0; i < c->count - c->fractions; i++) {
		struct value_type v = { .column = i };
		char word[VALUE_WORD_MAX];
		const char *unit;

		if (i && (c->list[i] == COLUMN_LONGEST || c->list[i] == COLUMN_PEAK))
			continue;
		value_column_word(p, facts, i, word);
		unit = i ? value_types_unit_of(facts, word) : p->unit;
		name_unit(&v, unit);
		name_type(&v, facts, unit, word);
		if (is_taken(t, v.type))
			snprintf(v.type, VALUE_WORD_MAX, "%s", word);
		t->carry[i] = COLUMN_ONE / 2;
		t->items[t->count++] = v;
	}
}

static uint64_t fraction_of(const struct product *p, size_t i, const uint64_t *more)
{
	const struct columns *c = p->fold->columns;

	return c->fractions ? more[c->count - c->fractions + i - 1] : 0;
}

uint64_t value_rounded(struct value_types *t, const struct product *p, size_t i, uint64_t first, const uint64_t *more)
{
	uint64_t value = i ? more[i - 1] : first;

	t->carry[i] += fraction_of(p, i, more);
	if (t->carry[i] >= COLUMN_ONE && value < INT64_MAX) {
		t->carry[i] -= COLUMN_ONE;
		value++;
	}
	t->too_large += value > INT64_MAX;
	return value > INT64_MAX ? INT64_MAX : value;
}

void value_decimal(const struct product *p, size_t i, uint64_t first, const uint64_t *more, struct str *out)
{
	uint64_t fraction = fraction_of(p, i, more);

	str_add_u64(out, i ? more[i - 1] : first);
	if (!fraction)
		return;
	str_addf(out, ".%018llu", (unsigned long long)fraction);
	while (out->buf[out->len - 1] == '0')
		out->buf[--out->len] = '\0';
}

void value_types_warn(const struct value_types *t, const struct product *p)
{
	if (t->too_large)
		warn("%llu values are larger than the format can hold: 2^63 - 1 is written",
		     (unsigned long long)t->too_large);
	if (p->fold->columns->fractions)
		warn("the format has whole numbers only: fractions are added up and rounded, so that totals are right");
}

uint64_t value_period(const struct header_facts *facts)
{
	const char *rate = facts_get(facts, FOLDED_RATE), *event = facts_get(facts, FOLDED_EVENT);
	char *end;
	uint64_t number;

	if (!rate || !event || !is_clock(event))
		return 0;
	if (!strncmp(rate, "1/", 2))
		return strtoull(rate + 2, NULL, 10);
	number = strtoull(rate, &end, 10);
	return number && !strcmp(end, "Hz") ? NS_PER_SEC / number : 0;
}
