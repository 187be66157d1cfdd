#include "collapse/text/trace_profile.h"

#include <stdlib.h>

#include "collapse/text/v8_nodes.h"
#include "core/memory.h"
#include "core/sorted.h"

enum { NS_PER_US = 1000 };

struct trace_chunk {
	uint64_t ts; /* us */
	struct json data;
};

struct sample {
	int64_t us; /* since the start */
	uint32_t order, stack;
};

struct samples {
	struct sample *items; /* [count] */
	size_t count, cap;
	int64_t at_us, end_us; /* end_us 0: not known */
};

static struct trace_profile *add_profile(struct trace_profiles *p)
{
	p->items = xgrow(p->items, &p->cap, p->count + 1, sizeof(*p->items));
	p->items[p->count] = (struct trace_profile){ 0 };
	return &p->items[p->count++];
}

static struct trace_profile *profile_of(struct trace_profiles *p, struct json event)
{
	struct json id = json_member(event, "id");
	uint32_t name, *place;

	if (!id.at)
		id = json_member(json_member(event, "id2"), "local");
	name = id.at ? text_name(p->s, id.at, (size_t)(id.end - id.at)) : 0;
	place = map_at(&p->places, (uint64_t)json_int(json_member(event, "pid"), -1), name);
	if (!*place) {
		add_profile(p);
		*place = (uint32_t)p->count;
	}
	return &p->items[*place - 1];
}

bool trace_profiles_add(struct trace_profiles *p, struct json event, uint32_t thread)
{
	struct json name = json_member(event, "name");
	bool is_chunk = json_is(name, "ProfileChunk"), is_whole = json_is(name, "CpuProfile");
	struct trace_profile *profile;
	struct trace_chunk chunk = { .data = json_member(json_member(event, "args"), "data") };

	if (!is_chunk && !is_whole && !json_is(name, "Profile"))
		return false;
	profile = is_whole ? add_profile(p) : profile_of(p, event);
	if (!is_chunk) {
		profile->thread = thread;
		profile->has_thread = true;
	}
	json_scaled(json_member(event, "ts"), 0, &chunk.ts);
	profile->chunks = xgrow(profile->chunks, &profile->cap, profile->count + 1, sizeof(*profile->chunks));
	profile->chunks[profile->count++] = chunk;
	return true;
}

/* --- samples ------------------------------------------------------------------------- */

static void read_chunk(struct v8_nodes *nodes, struct samples *to, struct json data)
{
	struct json profile = json_member(data, "cpuProfile"), deltas = json_member(data, "timeDeltas");
	struct json samples = json_member(profile, "samples"), sample, delta;

	if (!deltas.at)
		deltas = json_member(profile, "timeDeltas");
	v8_nodes_add(nodes, json_member(profile, "nodes"));
	while (json_next_item(&samples, &sample)) {
		struct v8_node *node = v8_nodes_find(nodes, sample);
		int64_t us;

		if (!json_next_item(&deltas, &delta))
			text_wrong(nodes->s, sample.at, "a sample without a time");
		else if ((us = json_int(delta, INT64_MIN)) == INT64_MIN ||
			 __builtin_add_overflow(to->at_us, us, &to->at_us))
			text_wrong(nodes->s, delta.at, "a time that is not a number, or too large");
		else if (!node)
			text_wrong(nodes->s, sample.at, "a sample of a node that does not exist");
		else {
			to->items = xgrow(to->items, &to->cap, to->count + 1, sizeof(*to->items));
			to->items[to->count] =
				(struct sample){ to->at_us, (uint32_t)to->count, v8_nodes_stack(nodes, node) };
			to->count++;
		}
	}
}

/* Profiles begin with startTime, and the last chunk may have endTime; whole ones have both in cpuProfile. */
static void read_ends(struct samples *to, struct json data)
{
	struct json start_us = json_member(data, "startTime"), end_us = json_member(data, "endTime");
	struct json whole = json_member(data, "cpuProfile");
	int64_t start = json_int(start_us.at ? start_us : json_member(whole, "startTime"), 0);
	int64_t end = json_int(end_us.at ? end_us : json_member(whole, "endTime"), 0);

	to->at_us = start > 0 ? start : to->at_us;
	to->end_us = end > 0 ? end : to->end_us;
}

static int by_us(const void *a, const void *b)
{
	const struct sample *x = a, *y = b;

	return ORDER(x->us, y->us) ?: ORDER(x->order, y->order);
}

static void fold_samples(struct text_stacks *s, struct samples *samples, uint32_t labels)
{
	uint64_t us = 0;

	if (samples->count)
		qsort(samples->items, samples->count, sizeof(*samples->items), by_us);
	for (size_t i = 0; i < samples->count; i++) {
		const struct sample *sample = &samples->items[i];
		struct text_value value = { 0 };

		if (i + 1 < samples->count)
			us = (uint64_t)sample[1].us - (uint64_t)sample->us;
		else if (samples->end_us)
			us = samples->end_us > sample->us ? (uint64_t)samples->end_us - (uint64_t)sample->us : 0;
		if (__builtin_mul_overflow(us, (uint64_t)NS_PER_US, &value.whole)) {
			text_wrong(s, s->part->text, "a sample that lasts too long");
			continue;
		}
		fold_add_text(s, &(struct text_sample){ .values = &value, .stack = sample->stack, .labels = labels });
	}
}

static int by_ts(const void *a, const void *b)
{
	const struct trace_chunk *x = a, *y = b;

	return ORDER(x->ts, y->ts) ?: ORDER(x->data.at, y->data.at);
}

void trace_profiles_fold(struct trace_profiles *p, uint32_t (*labels)(void *context, uint32_t thread), void *context)
{
	for (size_t i = 0; i < p->count; i++) {
		struct trace_profile *profile = &p->items[i];
		struct v8_nodes nodes = { .s = p->s };
		struct samples samples = { 0 };

		qsort(profile->chunks, profile->count, sizeof(*profile->chunks), by_ts);
		for (size_t n = 0; n < profile->count; n++) {
			read_ends(&samples, profile->chunks[n].data);
			read_chunk(&nodes, &samples, profile->chunks[n].data);
		}
		fold_samples(p->s, &samples, labels(context, profile->has_thread ? profile->thread : UINT32_MAX));
		free(samples.items);
		v8_nodes_free(&nodes);
	}
}

void trace_profiles_free(struct trace_profiles *p)
{
	for (size_t i = 0; i < p->count; i++)
		free(p->items[i].chunks);
	free(p->items);
	map_free(&p->places);
	*p = (struct trace_profiles){ 0 };
}
