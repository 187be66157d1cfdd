#include "collapse/text/trace_profile.h"

#include <stdlib.h>

#include "collapse/v8/v8_nodes.h"
#include "collapse/v8/v8_samples.h"
#include "core/memory.h"
#include "core/sorted.h"

struct trace_chunk {
	uint64_t ts; /* us */
	struct json data;
};

struct samples {
	struct v8_samples list;
	int64_t at_us, end_us; /* end_us V8_NO_END: not known */
};

static struct trace_profile *trace_profile_add_profile(struct trace_profiles *p)
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
		trace_profile_add_profile(p);
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
	profile = is_whole ? trace_profile_add_profile(p) : profile_of(p, event);
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

static void trace_profile_read_chunk(struct v8_nodes *nodes, struct samples *to, struct json data)
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
		else
			v8_samples_add(&to->list, to->at_us, v8_nodes_stack(nodes, node));
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
		struct samples samples = { .end_us = V8_NO_END };

		qsort(profile->chunks, profile->count, sizeof(*profile->chunks), by_ts);
		for (size_t n = 0; n < profile->count; n++) {
			read_ends(&samples, profile->chunks[n].data);
			trace_profile_read_chunk(&nodes, &samples, profile->chunks[n].data);
		}
		v8_samples_fold(&samples.list, p->s, samples.end_us,
				labels(context, profile->has_thread ? profile->thread : UINT32_MAX));
		v8_samples_free(&samples.list);
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
