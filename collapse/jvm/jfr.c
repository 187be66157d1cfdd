/* jfr: flight recordings of JVMs, as the JVM and async-profiler write them.
 *
 * A file is a sequence of chunks, each complete in itself: recordings may be concatenated.  A chunk has a header,
 * big-endian,
 *
 *     46 4c 52 00   "FLR\0"
 *     0002 0001     version
 *     8 bytes each  size of the chunk, offset of the last checkpoint, offset of the metadata, start in ns since the
 *                   epoch, duration in ns, start in ticks, ticks per second
 *     00000001      flags: bit 0, numbers are compressed (jfr_types.h)
 *
 * then events: size, type, and the fields that the metadata (jfr_types.h) lists for the type,
 *
 *     1e 65 ...     30 bytes, type 101 = jdk.ExecutionSample: startTime, sampledThread, stackTrace, state
 *
 * Two events are special: type 0 is the metadata, type 1 a checkpoint with constants (jfr_pools.h).  See JDK's
 * jdk.jfr.internal.consumer.ChunkHeader, MetadataReader and ParserFactory; jfr metadata FILE prints the fields.
 *
 * Every event that has a stack can be chosen with --event.  An event's value is its
 * number of bytes, its count or its duration in ns, if it has one of these, and otherwise 1. */
#include <stdlib.h>
#include <string.h>

#include "collapse/fold/times.h"
#include "collapse/parse/format.h"
#include "collapse/jvm/jfr_pools.h"
#include "core/memory.h"
#include "core/wallclock.h"

#define MAGIC "FLR"

enum { HEADER_SIZE = 68, MAGIC_SIZE = 4, METADATA = 0, CHECKPOINT = 1, FLAG_COMPRESSED = 1 };

struct header {
	uint64_t size, checkpoint, metadata; /* bytes from the start of the chunk */
	uint64_t start_ns, start_ticks, ticks_per_second;
	bool wide;
};

/* What to do with events of this type. */
struct event_plan {
	bool decided, wanted, has_state;
	enum jfr_slot weight;      /* JFR_SLOT_COUNT: each weighs 1 */
	struct text_labels labels; /* its event and its unit */
};

struct chunk {
	struct text_stacks *s;
	struct header header;
	const uint8_t *start, *end;
	struct jfr_types types;
	struct jfr_pools pools;
	struct event_plan *plans; /* [types.count] */
	int32_t pid;              /* -1: not known */
	bool bad_type;            /* reported */
};

static bool jfr_read_header(const uint8_t *at, size_t len, struct header *h)
{
	struct jfr_input in = { .at = at + MAGIC_SIZE + 4, .end = at + len };

	if (len < HEADER_SIZE || memcmp(at, MAGIC, MAGIC_SIZE) != 0)
		return false;
	h->size = jfr_big_endian(&in, 8);
	h->checkpoint = jfr_big_endian(&in, 8);
	h->metadata = jfr_big_endian(&in, 8);
	h->start_ns = jfr_big_endian(&in, 8);
	jfr_big_endian(&in, 8); /* duration */
	h->start_ticks = jfr_big_endian(&in, 8);
	h->ticks_per_second = jfr_big_endian(&in, 8);
	h->wide = !(jfr_big_endian(&in, 4) & FLAG_COMPRESSED);
	return h->ticks_per_second != 0;
}

static void jfr_wrong(struct chunk *c, const uint8_t *at, const char *what)
{
	text_wrong(c->s, (const char *)at, what);
}

/* --- events, one after the other ----------------------------------------------------- */

/* Read the next event: `in` then covers its fields, and *at moves behind the event.  Returns false at the end, or at
 * damage. */
static bool jfr_next_event(const struct chunk *c, const uint8_t **at, struct jfr_input *in, uint64_t *type)
{
	const uint8_t *start = *at;
	uint64_t size;

	*in = (struct jfr_input){ .at = start, .end = c->end, .wide = c->header.wide };
	size = jfr_number(in, 4);
	*type = jfr_number(in, 8);
	if (in->bad || size > (uint64_t)(c->end - start) || size <= (uint64_t)(in->at - start))
		return false;
	in->end = *at = start + size;
	return true;
}

static bool event_at(const struct chunk *c, uint64_t offset, uint64_t wanted, struct jfr_input *in)
{
	const uint8_t *at = c->start;
	uint64_t type;

	if (offset < HEADER_SIZE || offset >= (uint64_t)(c->end - c->start))
		return false;
	at += offset;
	return jfr_next_event(c, &at, in, &type) && type == wanted;
}

/* The last metadata event has all types.  Where the chain of events is broken, the header says where the metadata
 * is. */
static bool read_types(struct chunk *c, const uint8_t **damage)
{
	const uint8_t *at = c->start + HEADER_SIZE;
	struct jfr_input in, metadata = { 0 };
	uint64_t type;

	while (jfr_next_event(c, &at, &in, &type)) {
		if (type == METADATA)
			metadata = in;
	}
	*damage = at < c->end ? at : NULL;
	if (*damage && event_at(c, c->header.metadata, METADATA, &in) && in.at > *damage)
		metadata = in;
	if (!metadata.at)
		jfr_wrong(c, at, "no metadata, so that the chunk cannot be read");
	else if (!jfr_types_read(&c->types, &metadata))
		jfr_wrong(c, metadata.at, "damaged metadata");
	return metadata.at && c->types.count;
}

static int64_t read_checkpoint(struct chunk *c, struct jfr_input *in)
{
	const uint8_t *at = in->at;
	int64_t distance;

	if (!jfr_pools_read(&c->pools, in, &distance))
		jfr_wrong(c, at, "a damaged checkpoint: names may be missing");
	return distance;
}

/* After damage, follow the checkpoints backwards: each one tells how far before it the previous one is. */
static void read_constants(struct chunk *c, const uint8_t *damage)
{
	const uint8_t *at = c->start + HEADER_SIZE;
	uint64_t type, offset = c->header.checkpoint;
	struct jfr_input in;

	jfr_pools_begin(&c->pools, &c->types, c->header.wide, c->end);
	while (jfr_next_event(c, &at, &in, &type)) {
		if (type == CHECKPOINT)
			read_checkpoint(c, &in);
	}
	while (damage && event_at(c, offset, CHECKPOINT, &in) && in.at > damage) {
		int64_t distance = read_checkpoint(c, &in);

		if (distance >= 0 || -(uint64_t)distance >= offset)
			break;
		offset += (uint64_t)distance;
	}
}

/* --- samples ------------------------------------------------------------------------ */

/* Events whose value is neither their duration nor their count.  JFR_SLOT_COUNT: each event counts as 1, because its
 * duration is always 0. */
static const struct {
	const char *name;
	enum jfr_slot weight;
	const char *unit;
} weights[] = {
	{ "jdk.ObjectAllocationInNewTLAB", JFR_tlabSize, "bytes" },
	{ "jdk.ObjectAllocationOutsideTLAB", JFR_allocationSize, "bytes" },
	{ "jdk.ObjectAllocationSample", JFR_weight, "bytes" },
	{ "jdk.OldObjectSample", JFR_SLOT_COUNT, "samples" },
	{ "jdk.JavaErrorThrow", JFR_SLOT_COUNT, "samples" },
	{ "jdk.JavaExceptionThrow", JFR_SLOT_COUNT, "samples" },
	{ "profiler.LiveObject", JFR_allocationSize, "bytes" },
	{ "profiler.Malloc", JFR_size, "bytes" },
};

static void choose_weight(struct chunk *c, uint32_t type, const char *name, struct event_plan *plan)
{
	size_t row = 0, rows = sizeof(weights) / sizeof(*weights);
	const char *unit = "samples";

	plan->weight = JFR_SLOT_COUNT;
	while (row < rows && strcmp(weights[row].name, name) != 0)
		row++;
	if (row < rows &&
	    (weights[row].weight == JFR_SLOT_COUNT || jfr_type_has(&c->types, type, weights[row].weight))) {
		plan->weight = weights[row].weight;
		unit = weights[row].unit;
	} else if (jfr_type_has(&c->types, type, JFR_samples)) {
		plan->weight = JFR_samples;
	} else if (jfr_type_has(&c->types, type, JFR_duration)) {
		plan->weight = JFR_duration;
		unit = "ns";
	}
	plan->labels.unit = text_name(c->s, unit, strlen(unit));
}

/* at: the first event of the type. */
static void jfr_decide(struct chunk *c, uint32_t type, const uint8_t *at, struct event_plan *plan)
{
	uint32_t name = c->types.items[type].name;
	const char *word = name == UINT32_MAX ? "" : intern_text(&c->types.names, name), *only = c->s->setup->event;

	plan->decided = true;
	if (!*word || (only && strcmp(only, "all") != 0 && strcmp(only, word) != 0))
		return;
	if (!jfr_type_ready(&c->types, type))
		jfr_wrong(c, at, "events of a type that contains itself, or unknown types");
	else
		plan->wanted = jfr_type_has(&c->types, type, JFR_stackTrace);
	if (!plan->wanted)
		return;
	plan->has_state = jfr_type_has(&c->types, type, JFR_state);
	plan->labels = TEXT_NO_LABELS;
	plan->labels.event = text_name(c->s, word, strlen(word));
	choose_weight(c, type, word, plan);
}

/* Ticks as ns. */
static uint64_t scale(const struct chunk *c, uint64_t ticks)
{
	return (uint64_t)((unsigned __int128)ticks * NS_PER_SEC / c->header.ticks_per_second);
}

static uint64_t jfr_time_of(const struct chunk *c, uint64_t ticks)
{
	int64_t since = (int64_t)(ticks - c->header.start_ticks);

	return since < 0 ? c->header.start_ns - scale(c, -(uint64_t)since)
			 : c->header.start_ns + scale(c, (uint64_t)since);
}

static void jfr_add_sample(struct chunk *c, const struct event_plan *plan, const struct jfr_value *values)
{
	uint64_t thread =
		values[JFR_sampledThread].number ? values[JFR_sampledThread].number : values[JFR_eventThread].number;
	uint64_t class = values[JFR_objectClass].number    ? values[JFR_objectClass].number
			 : values[JFR_monitorClass].number ? values[JFR_monitorClass].number
							   : values[JFR_parkedClass].number;
	struct text_value value = { 1, 0 };
	struct text_labels labels = plan->labels;
	struct text_sample sample = { .time_ns = jfr_time_of(c, values[JFR_startTime].number), .values = &value };

	if (plan->weight == JFR_duration)
		value.whole = scale(c, values[JFR_duration].number);
	else if (plan->weight != JFR_SLOT_COUNT)
		value.whole = values[plan->weight].number;
	if (!value.whole && !values[JFR_stackTrace].number)
		return; /* a setting, a statistic */
	jfr_thread(&c->pools, c->s, thread, &labels);
	labels.pid = c->pid < 0 ? labels.tid : c->pid;
	if (plan->has_state)
		labels.state = jfr_state(&c->pools, c->s, values[JFR_state].number);
	sample.stack = jfr_stack(&c->pools, c->s, values[JFR_stackTrace].number, class);
	sample.labels = text_label(c->s, &labels);
	fold_add_text(c->s, &sample);
}

static void jfr_read_samples(struct chunk *c)
{
	const uint8_t *at = c->start + HEADER_SIZE, *start;
	struct jfr_value values[JFR_SLOT_COUNT];
	struct jfr_input in;
	uint64_t id;

	memset(values, 0, sizeof(values));
	for (start = at; jfr_next_event(c, &at, &in, &id); start = at) {
		uint32_t type = jfr_type_find(&c->types, id);
		struct event_plan *plan = type == JFR_NO_TYPE ? NULL : &c->plans[type];

		if (id == METADATA || id == CHECKPOINT || (plan && plan->decided && !plan->wanted))
			continue;
		if (!plan && !c->bad_type)
			jfr_wrong(c, start, "an event of a type that the metadata does not have");
		c->bad_type |= !plan;
		if (plan && !plan->decided)
			jfr_decide(c, type, start, plan);
		if (!plan || !plan->wanted)
			continue;
		memset(values, 0, sizeof(values));
		jfr_value_read(&c->types, type, &in, values);
		if (in.bad)
			jfr_wrong(c, start, "an event that is shorter than its type");
		else
			jfr_add_sample(c, plan, values);
	}
}

/* jdk.JVMInformation names the process: add a label for it, so that --pid shows "java-8513". */
static void jfr_find_process(struct chunk *c)
{
	uint32_t wanted = jfr_type_named(&c->types, "jdk.JVMInformation");
	const uint8_t *at = c->start + HEADER_SIZE;
	struct text_labels process = TEXT_NO_LABELS;
	struct jfr_value values[JFR_SLOT_COUNT];
	struct jfr_input in;
	uint64_t id;

	c->pid = -1;
	if (wanted == JFR_NO_TYPE || !jfr_type_ready(&c->types, wanted))
		return;
	while (c->pid < 0 && jfr_next_event(c, &at, &in, &id)) {
		if (jfr_type_find(&c->types, id) != wanted)
			continue;
		memset(values, 0, sizeof(values));
		jfr_value_read(&c->types, wanted, &in, values);
		if (!in.bad && values[JFR_pid].number && values[JFR_pid].number < INT32_MAX)
			c->pid = (int32_t)values[JFR_pid].number;
	}
	if (c->pid < 0)
		return;
	process.pid = process.tid = c->pid;
	process.comm = text_name(c->s, "java", 4);
	text_label(c->s, &process);
}

/* --- chunks ------------------------------------------------------------------------- */

static void jfr_read_chunk(struct chunk *c)
{
	const uint8_t *damage;

	if (read_types(c, &damage)) {
		read_constants(c, damage);
		c->plans = xcalloc(c->types.count, sizeof(*c->plans));
		jfr_find_process(c);
		jfr_read_samples(c);
		free(c->plans);
	}
	if (damage)
		jfr_wrong(c, damage, "no event: the rest of the chunk is damaged, or was not written");
	jfr_pools_free(&c->pools);
	jfr_types_free(&c->types);
}

/* Where the next chunk begins, or end. */
static const uint8_t *find_chunk(const uint8_t *at, const uint8_t *end)
{
	const uint8_t *found = at < end ? memmem(at, (size_t)(end - at), MAGIC, MAGIC_SIZE) : NULL;

	return found ? found : end;
}

static void jfr_parse(const struct text_part *part)
{
	const uint8_t *at = (const uint8_t *)part->text, *end = at + part->len, *next;

	for (; at < end; at = next) {
		struct chunk c = { .s = part->out, .start = at };
		size_t left = (size_t)(end - at);

		if (!jfr_read_header(at, left, &c.header)) {
			jfr_wrong(&c, at, "not the header of a chunk");
			next = find_chunk(at + 1, end);
			continue;
		}
		next = c.header.size < HEADER_SIZE || c.header.size > left ? find_chunk(at + HEADER_SIZE, end)
									   : at + c.header.size;
		if (c.header.size > left)
			jfr_wrong(&c, next, "the file ends, or another chunk begins, before the chunk is complete");
		c.end = next;
		jfr_read_chunk(&c);
	}
}

/* Parts are whole chunks. */
static size_t jfr_split(const char *text, size_t len)
{
	const uint8_t *start = (const uint8_t *)text, *at = start, *end = start + len;
	struct header h;

	while ((size_t)(end - at) >= HEADER_SIZE) {
		const uint8_t *next;

		if (jfr_read_header(at, (size_t)(end - at), &h) && h.size >= HEADER_SIZE) {
			if (h.size > (uint64_t)(end - at))
				break;
			at += h.size;
			continue;
		}
		next = find_chunk(at + 1, end);
		if (next == end)
			break;
		at = next;
	}
	return (size_t)(at - start);
}

static enum sniffed jfr_sniff(const char *text, size_t len)
{
	return len >= HEADER_SIZE && !memcmp(text, MAGIC, MAGIC_SIZE) ? SNIFF_SURE : SNIFF_NO;
}

const struct input_format jfr_format = {
	.name = "jfr",
	.holds = "events with threads, times and stacks",
	.wanted = "events with stacks",
	.has = TEXT_HAS_TIMES | TEXT_HAS_STACKS | TEXT_HAS_LINES | TEXT_HAS_COMMS | TEXT_HAS_PIDS | TEXT_HAS_TIDS |
	       TEXT_HAS_EVENTS | TEXT_HAS_STATES | TEXT_IS_BINARY,
	.events = "jdk.ExecutionSample,jdk.CPUTimeSample,profiler.WallClockSample",
	.sniff = jfr_sniff,
	.split = jfr_split,
	.parse = jfr_parse,
};
