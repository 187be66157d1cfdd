#include "collapse/frames/columns.h"

#include <string.h>

#include "core/error.h"
#include "core/format/recording.h"
#include "core/memory.h"
#include "core/nearest.h"

static const char *const names[] = {
	[COLUMN_SAMPLES] = "samples", [COLUMN_PERIOD] = "period",   [COLUMN_TIME] = "time",
	[COLUMN_COUNT] = "count",     [COLUMN_LONGEST] = "longest", [COLUMN_MIGRATIONS] = "migrations",
	[COLUMN_BYTES] = "bytes",     [COLUMN_OBJECTS] = "objects", [COLUMN_LATENCY] = "latency",
	[COLUMN_CPU] = "cpu",         [COLUMN_PEAK] = "peak",
};

enum { KNOWN = sizeof(names) / sizeof(*names), THOUSANDTH = COLUMN_ONE / RECORDING_LANE_PARTS };

static bool columns_find(const char *name, size_t len, enum column *column)
{
	for (size_t i = 0; i < KNOWN; i++) {
		if (strlen(names[i]) == len && !memcmp(names[i], name, len)) {
			*column = (enum column)i;
			return true;
		}
	}
	return false;
}

void columns_parse(struct columns *c, const char *list, const char *option)
{
	c->count = 0;
	while (*list) {
		size_t len = strcspn(list, ",");
		enum column column;

		if (!columns_find(list, len, &column))
			nearest_die(option, xstrndup(list, len), names, KNOWN);
		for (size_t i = 0; i < c->count; i++) {
			if (c->list[i] == column)
				die_usage("%s: '%s' is given twice", option, names[column]);
		}
		c->list[c->count++] = column;
		list += len + (list[len] == ',');
	}
	if (!c->count)
		die_usage("%s: names no column", option);
}

void columns_of_lanes(struct columns *c)
{
	*c = (struct columns){ { COLUMN_LANE, COLUMN_FRACTION }, 2, 1 };
}

bool columns_have(const struct columns *c, enum column column)
{
	for (size_t i = 0; i < c->count; i++) {
		if (c->list[i] == column)
			return true;
	}
	return false;
}

void columns_names(const struct columns *c, struct str *out)
{
	for (size_t i = 0; i < c->count - c->fractions; i++)
		str_addf(out, "%s%s", i ? "," : "", names[c->list[i]]);
}

/* ".25" */
static void add_fraction(struct str *out, uint64_t fraction)
{
	if (!fraction)
		return;
	str_addf(out, ".%018llu", (unsigned long long)fraction);
	while (out->buf[out->len - 1] == '0')
		out->buf[--out->len] = '\0';
}

void columns_add_values(const struct columns *c, uint64_t first, const uint64_t *more, char mark, struct str *out)
{
	for (size_t i = 0; i < c->count - c->fractions; i++) {
		str_addc(out, mark);
		str_add_u64(out, i ? more[i - 1] : first);
		if (c->fractions)
			add_fraction(out, more[c->count - c->fractions + i - 1]);
	}
}

void columns_tell_most(uint64_t lines)
{
	if (lines)
		warn("lines whose values are %llu, the most that can be counted, or more: %llu",
		     (unsigned long long)COLUMN_MOST, (unsigned long long)lines);
}

static bool columns_fits(enum column column, const struct recorded_event *event)
{
	switch (column) {
	case COLUMN_TIME: return event->spans || event_is_clock(event);
	case COLUMN_LONGEST:
	case COLUMN_MIGRATIONS: return event->spans;
	case COLUMN_BYTES: return event->allocations || !strcmp(event->name, RECORDING_IO);
	case COLUMN_OBJECTS: return event->allocations;
	case COLUMN_LATENCY: return !event->spans && !event->allocations && !event->lanes;
	case COLUMN_CPU:
	case COLUMN_PEAK: return event->processes;
	default: return true;
	}
}

bool columns_fit(const struct columns *c, const struct recorded_event *event, const char **lacking)
{
	for (size_t i = 0; i < c->count; i++) {
		enum column column = c->list[i];
		*lacking = (size_t)column < KNOWN ? names[column] : "value";
		if (!columns_fits(column, event))
			return false;
	}
	return true;
}

const char *column_unit(enum column column, const struct recorded_event *event)
{
	switch (column) {
	case COLUMN_SAMPLES: return "samples";
	case COLUMN_PERIOD:
	case COLUMN_LATENCY: return event ? event_unit(event) : "period";
	case COLUMN_TIME:
	case COLUMN_CPU:
	case COLUMN_LONGEST: return "ns";
	case COLUMN_COUNT: return event && event->spans ? "spans" : event && event->allocations ? "objects" : "samples";
	case COLUMN_PEAK:
	case COLUMN_BYTES: return "bytes";
	case COLUMN_OBJECTS: return "objects";
	case COLUMN_MIGRATIONS: return "migrations";
	case COLUMN_LANE: return "value";
	case COLUMN_FRACTION: break;
	}
	return "samples";
}

uint64_t column_value(enum column column, const struct recorded_sample *s)
{
	switch (column) {
	case COLUMN_SAMPLES: return 1;
	case COLUMN_PERIOD:
	case COLUMN_LATENCY:
	case COLUMN_TIME: return s->period;
	case COLUMN_BYTES: return s->size < 0 ? s->period : (uint64_t)s->size * s->count;
	case COLUMN_COUNT:
	case COLUMN_OBJECTS: return s->count;
	case COLUMN_LONGEST: return s->longest_ns;
	case COLUMN_MIGRATIONS: return s->migrations;
	case COLUMN_CPU: return s->has_process ? s->process.cpu_ns : 0;
	case COLUMN_PEAK: return s->has_process ? s->process.peak_bytes : 0;
	case COLUMN_LANE: return s->period / RECORDING_LANE_PARTS;
	case COLUMN_FRACTION: return s->period % RECORDING_LANE_PARTS * THOUSANDTH;
	}
	return 0;
}
