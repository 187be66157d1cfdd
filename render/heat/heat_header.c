/* Reads recordings and gaps from headers. */
#include <stdlib.h>
#include <string.h>

#include "core/format/folded.h"
#include "core/memory.h"
#include "core/wallclock.h"
#include "render/heat/heat_parts.h"

enum { CPUS_MAX = 1 << 16 };

/* ---- recordings ---------------------------------------------------------------- */

static const char *heat_header_value_of(const struct folded_source *s, const char *key, const char *other)
{
	const char *value = source_get(s, key);

	if (!value && other)
		value = source_get(s, other);
	return value ? value : "";
}

/* Do both describe the same recording: the same host and time, and the same kind of lines? */
static bool heat_header_is_same(const struct folded_source *a, const struct folded_source *b)
{
	static const char *const keys[][2] = {
		{ FOLDED_HOST, NULL },  { FOLDED_FROM, FOLDED_START }, { FOLDED_TO, FOLDED_END },
		{ FOLDED_ROOT, NULL },  { FOLDED_COLUMNS, NULL },      { FOLDED_SPANS, NULL },
		{ FOLDED_CLOCK, NULL }, { FOLDED_RATE, NULL },         { FOLDED_CPUS, NULL },
		{ FOLDED_EVENT, NULL }, { FOLDED_UNIT, NULL },
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (strcmp(heat_header_value_of(a, keys[i][0], keys[i][1]),
			   heat_header_value_of(b, keys[i][0], keys[i][1])))
			return false;
	}
	return true;
}

/* The time under key; 0 if it is missing or invalid. */
static uint64_t heat_header_time_of(const struct folded_source *s, const char *key)
{
	const char *text = source_get(s, key);
	struct instant when;

	return text && instant_parse(text, &when) && (when.kind == INSTANT_EPOCH || when.kind == INSTANT_FROM_START)
		       ? when.ns
		       : 0;
}

/* Set r's CPUs from a list such as "0-3,6". */
static void heat_header_read_cpus(struct heat_recording *r, const char *list)
{
	size_t cap = 0;

	while (*list >= '0' && *list <= '9') {
		char *end;
		unsigned long first = strtoul(list, &end, 10), last = first;

		if (*end == '-')
			last = strtoul(end + 1, &end, 10);
		if (last >= CPUS_MAX)
			return;
		for (unsigned long cpu = first; cpu <= last; cpu++) {
			if (r->cpu_count && cpu <= r->cpus[r->cpu_count - 1])
				continue;
			r->cpus = xgrow(r->cpus, &cap, r->cpu_count + 1, sizeof(*r->cpus));
			r->cpus[r->cpu_count++] = (uint32_t)cpu;
		}
		list = *end == ',' ? end + 1 : end;
	}
}

static void read_recording(struct heat_recording *r)
{
	const char *rate = source_get(&r->source, FOLDED_RATE);
	const char *cpus = source_get(&r->source, FOLDED_CPUS);
	const char *error = source_get(&r->source, FOLDED_CLOCK_ERROR);
	struct str note = { 0 };

	r->host = xstrdup(heat_header_value_of(&r->source, FOLDED_HOST, NULL));
	r->from_ns = heat_header_time_of(&r->source, FOLDED_FROM);
	r->to_ns = heat_header_time_of(&r->source, FOLDED_TO);
	r->rate_hz = rate ? strtod(rate, NULL) : 0;
	if (!(r->rate_hz > 0 && r->rate_hz < 1e9))
		r->rate_hz = 0;
	if (cpus)
		heat_header_read_cpus(r, cpus);
	if (error) {
		str_addf(&note, "its wall clock is inconsistent by %s", error);
		r->clock_note = note.buf;
	}
}

static uint32_t heat_header_add_recording(struct heat *h, const char *path, const struct folded_source *source)
{
	struct heat_recording *r;

	h->recordings =
		xgrow(h->recordings, &h->reading->recordings_cap, h->recording_count + 1, sizeof(*h->recordings));
	r = &h->recordings[h->recording_count];
	*r = (struct heat_recording){ .path = path, .source = *source };
	read_recording(r);
	return (uint32_t)h->recording_count++;
}

uint32_t heat_recording_of(struct heat *h, const char *path, const char *line, size_t len)
{
	struct folded_source header = { 0 };

	source_read(&header, line, len);
	source_read(&h->source, line, len);
	for (uint32_t i = 0; i < h->recording_count; i++) {
		if (!heat_header_is_same(&h->recordings[i].source, &header))
			continue;
		source_read(&h->recordings[i].source, line, len);
		source_free(&header);
		return i;
	}
	return heat_header_add_recording(h, path, &header);
}

bool heat_is_header_of_lanes(const char *line, size_t len)
{
	struct folded_source header = { 0 };
	bool of_lanes;

	source_read(&header, line, len);
	of_lanes = heat_place_of(&header, FOLDED_LANE) == 0;
	source_free(&header);
	return of_lanes;
}

uint32_t heat_recording_unknown(struct heat *h, const char *path)
{
	return heat_recording_of(h, path, FOLDED_HEADER, strlen(FOLDED_HEADER));
}

/* ---- gaps --------------------------------------------------------------------- */

/* A count, 0 if it does not fit. */
static uint64_t heat_header_count_of(const struct folded_source *s, const char *key)
{
	const char *text = source_get(s, key);

	return text && *text >= '0' && *text <= '9' ? strtoull(text, NULL, 10) : 0;
}

bool heat_gap_read(struct heat_gap *gap, struct intern *names, const char *line, size_t len)
{
	size_t mark = strlen(FOLDED_GAP);
	const char *cpu, *why;
	struct folded_source pairs = { 0 };

	if (len < mark || memcmp(line, FOLDED_GAP, mark))
		return false;
	source_read_pairs(&pairs, line + mark, len - mark);
	cpu = source_get(&pairs, FOLDED_GAP_CPU);
	why = heat_header_value_of(&pairs, FOLDED_GAP_WHY, NULL);
	*gap = (struct heat_gap){
		.start_ns = heat_header_time_of(&pairs, FOLDED_GAP_START),
		.end_ns = heat_header_time_of(&pairs, FOLDED_GAP_END),
		.cpu = -1,
		.lost = heat_header_count_of(&pairs, FOLDED_GAP_LOST),
		.why = intern_add(names, why, strlen(why)),
	};
	if (cpu && *cpu >= '0' && *cpu <= '9' && strtoul(cpu, NULL, 10) < CPUS_MAX)
		gap->cpu = (int32_t)strtoul(cpu, NULL, 10);
	source_free(&pairs);
	return gap->start_ns < gap->end_ns;
}
