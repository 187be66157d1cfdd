/* trace-events: traces of Chrome, Perfetto, Node and others in the Trace Event Format: an object, or an array whose end
 * may be missing (docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU):
 *
 *     {"traceEvents": [
 *         {"ph": "M", "pid": 1, "tid": 2, "name": "thread_name", "args": {"name": "main"}},
 *         {"ph": "X", "pid": 1, "tid": 2, "ts": 10, "dur": 5.5, "name": "work"},
 *         {"ph": "B", "pid": 1, "tid": 2, "ts": 20, "name": "read"}, {"ph": "E", "pid": 1, "tid": 2, "ts": 21}]}
 *
 * Calls of a thread that contain others are their callers (trace_calls.h).  Times in us are rounded to ns, since
 * writers have numbers in double precision.  The clock depends on the writer: it mostly counts from the start of the
 * machine, or is the wall clock; PyTorch's counts us after "baseTimeNanoseconds" of the wall clock.
 *
 * A trace may also have CPU profiles, and samples with stacks.  They say more about the same time than calls do, so the
 * event of calls is the default only if a trace has nothing else. */
#include <stdlib.h>
#include <string.h>

#include "collapse/fold/times.h"
#include "collapse/parse/format.h"
#include "collapse/parse/json_input.h"
#include "collapse/parse/label_keys.h"
#include "collapse/parse/span.h"
#include "collapse/parse/stack_chain.h"
#include "collapse/text/trace_calls.h"
#include "collapse/v8/v8_nodes.h"
#include "collapse/v8/v8_samples.h"
#include "core/map.h"
#include "core/memory.h"
#include "core/sorted.h"

/* --- stacks of sampled events, and of the samples beside them --------------------------- */

/* Stacks are trees of frames, or lists of names.
 *
 *     "stackFrames": {"5": {"name": "main", "category": "app"}, "7": {"name": "work", "parent": "5"}},
 *     "samples": [{"tid": 2, "ts": 10.5, "name": "cycles:HG", "sf": 7, "weight": 3}],
 *     "traceEvents": [{"ph": "P", "pid": 1, "tid": 2, "ts": 10, "name": "sample", "sf": 7},
 *                     {"ph": "i", "pid": 1, "tid": 2, "ts": 12, "name": "fault", "stack": ["main", "work"]}] */

struct trace_stacks { /* empty when s is set, and the rest is 0 */
	struct text_stacks *s;
	struct trace_frame *frames; /* [count] */
	size_t count, cap;
	struct map places; /* by the text of the id: index + 1 */
};

struct trace_frame {
	uint32_t frame;
	uint32_t parent; /* number of the text of its id; TEXT_NO_NAME: none */
	uint32_t stack;  /* once has_stack */
	bool has_stack;
};

/* Ids are strings in some places, and numbers in others: 5, "5". */
static uint32_t trace_stacks_id_of(struct text_stacks *s, struct json value)
{
	uint32_t name = json_name(s, value);

	if (name != TEXT_NO_NAME || !value.at)
		return name;
	return text_name(s, value.at, (size_t)(value.end - value.at));
}

/* Read "stackFrames". */
static void trace_stacks_read(struct trace_stacks *t, struct json frames)
{
	struct json rest = frames, frame;
	struct str key = { 0 };

	while (json_next_member(&rest, &key, &frame)) {
		t->frames = xgrow(t->frames, &t->cap, t->count + 1, sizeof(*t->frames));
		t->frames[t->count++] = (struct trace_frame){
			.frame = json_frame(t->s, TEXT_PLAIN, json_member(frame, "name"), "(anonymous)"),
			.parent = trace_stacks_id_of(t->s, json_member(frame, "parent")),
		};
		*map_at(&t->places, text_name(t->s, str_text(&key), key.len), 0) = (uint32_t)t->count;
	}
	str_free(&key);
}

static struct trace_frame *frame_at(struct trace_stacks *t, uint32_t id)
{
	uint32_t place = id == TEXT_NO_NAME ? 0 : map_get(&t->places, id, 0);

	return place ? &t->frames[place - 1] : NULL;
}

static uint32_t trace_stacks_of_leaf(struct trace_stacks *t, struct trace_frame *leaf)
{
	const struct trace_frame *f = leaf;
	struct stack_chain chain = { 0 };

	if (leaf->has_stack)
		return leaf->stack;
	while (f && stack_chain_add(&chain, t->s, f->frame))
		f = frame_at(t, f->parent);
	leaf->stack = stack_chain_end(&chain, t->s);
	leaf->has_stack = true;
	return leaf->stack;
}

/* The stack of an event or a sample, in "sf" or "stack".  Returns false if there is none, or after text_wrong(). */
static bool trace_stacks_of(struct trace_stacks *t, struct json event, uint32_t *stack)
{
	struct json leaf = json_member(event, "sf"), list = json_member(event, "stack"), item;
	struct trace_frame *frame;
	struct str frames = { 0 };
	size_t count = 0;

	if (leaf.at) {
		frame = frame_at(t, trace_stacks_id_of(t->s, leaf));
		if (frame)
			*stack = trace_stacks_of_leaf(t, frame);
		else
			text_wrong(t->s, leaf.at, "a stack frame that is not among stackFrames");
		return frame != NULL;
	}
	for (; json_next_item(&list, &item); count++) {
		uint32_t number = json_frame(t->s, TEXT_PLAIN, item, "[unknown]");

		str_add(&frames, (const char *)&number, sizeof(number));
	}
	if (count)
		*stack = text_stack(t->s, (const uint32_t *)(const void *)frames.buf, count);
	str_free(&frames);
	return count > 0;
}

static void trace_stacks_free(struct trace_stacks *t)
{
	free(t->frames);
	map_free(&t->places);
	*t = (struct trace_stacks){ 0 };
}

/* --- CPU profiles of V8 ----------------------------------------------------------------- */

/* CPU profiles, as DevTools, Chromium and Node record them with disabled-by-default-v8.cpu_profiler: one event that
 * begins a profile, and then chunks of its nodes and samples.
 *
 *     {"ph": "P", "name": "Profile", "id": "0x1", "pid": 1, "tid": 2, "ts": 10, "args": {"data": {"startTime": 10}}}
 *     {"ph": "P", "name": "ProfileChunk", "id": "0x1", "pid": 1, "tid": 9, "ts": 40, "args": {"data": {
 *         "cpuProfile": {"nodes": [{"id": 1, "callFrame": {"functionName": "main"}}], "samples": [1, 1]},
 *         "timeDeltas": [5, 20], "endTime": 60}}}
 *
 * Until Chrome 66, one event "CpuProfile" of the profiled thread has all of it, as in a .cpuprofile file.
 *
 * The first event belongs to the profiled thread, the chunks to the profiling one.  Times are in us; deltas may be
 * negative, because samples are not in order.  A sample lasts until the next one; the last one lasts until the end or,
 * if the end is not known, as long as the sample before it. */

struct trace_profile {
	uint32_t thread; /* where the profile began; valid if has_thread */
	bool has_thread;
	struct trace_chunk *chunks; /* [count] */
	size_t count, cap;
};

struct trace_profiles { /* empty when s is set, and the rest is 0 */
	struct text_stacks *s;
	struct trace_profile *items; /* [count] */
	size_t count, cap;
	struct map places; /* (pid, name of the id): index + 1 */
};

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

/* Read an event; thread is its thread, for the caller's labels.  Returns false if the event does not belong to a
 * profile.  The text of the event must stay in memory. */
static bool trace_profiles_add(struct trace_profiles *p, struct json event, uint32_t thread)
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

/* Profiles in chunks begin with startTime, and their last chunk may have endTime; whole profiles have both in
 * cpuProfile. */
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

/* Add the samples of all profiles, in ns.  labels(context, thread) gives the labels of a thread; UINT32_MAX: the thread
 * is not known. */
static void trace_profiles_fold(struct trace_profiles *p, uint32_t (*labels)(void *context, uint32_t thread),
				void *context)
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

static void trace_profiles_free(struct trace_profiles *p)
{
	for (size_t i = 0; i < p->count; i++)
		free(p->items[i].chunks);
	free(p->items);
	map_free(&p->places);
	*p = (struct trace_profiles){ 0 };
}

/* --- events ----------------------------------------------------------------------------- */

enum { NS_PER_US_POWER = 3 };

/* events */
#define PROFILE "cpu-profile"
#define CALLS "calls"

/* A sample with a stack. */
struct stack_sample {
	uint32_t thread; /* in threads: its name may come later */
	uint32_t event, stack;
	uint64_t time_ns;
	struct text_value value;
};

struct thread {
	int32_t pid, tid; /* -1: there is none */
	uint32_t name;    /* TEXT_NO_NAME: unknown */
};

struct trace {
	struct text_stacks *s;
	struct stack_sample *samples; /* [sample_count] */
	size_t sample_count, sample_cap;
	struct thread *threads; /* [thread_count] */
	size_t thread_count, thread_cap;
	struct map thread_of; /* texts of (pid, tid): place + 1 */
	struct trace_calls calls;
	struct trace_profiles profiles;
	struct trace_stacks stacks;
	uint64_t base_ns; /* times are after that */
};

/* The text of a number, with or without quotes, or of a name; empty: there is none. */
static uint32_t trace_events_id_of(struct trace *t, struct json id)
{
	bool quoted = id.end - id.at >= 2 && *id.at == '"' && id.end[-1] == '"';
	struct text_span text = { id.at ? id.at + quoted : "", id.at ? (size_t)(id.end - id.at) - 2 * quoted : 0 };

	text = span_trim(text);
	return text_name(t->s, text.text, text.len);
}

/* Ids are mostly numbers.  If an id is a name, as in PyTorch's profiles, that is the thread's name. */
static struct thread *thread_at(struct trace *t, struct json event)
{
	struct json pid = json_member(event, "pid"), tid = json_member(event, "tid");
	uint32_t *place = map_at(&t->thread_of, trace_events_id_of(t, pid), trace_events_id_of(t, tid));
	uint64_t number;

	if (!*place) {
		t->threads = xgrow(t->threads, &t->thread_cap, t->thread_count + 1, sizeof(*t->threads));
		t->threads[t->thread_count++] = (struct thread){
			.pid = json_thread_number(pid),
			.tid = json_thread_number(tid),
			.name = json_u64(tid, &number) ? TEXT_NO_NAME : json_thread_name(t->s, tid),
		};
		*place = (uint32_t)t->thread_count;
	}
	return &t->threads[*place - 1];
}

static uint32_t trace_events_thread_number(struct trace *t, struct json event)
{
	const struct thread *thread = thread_at(t, event);

	return (uint32_t)(thread - t->threads);
}

static void trace_events_set_thread(struct text_labels *labels, const struct thread *thread)
{
	labels->tid = thread->tid;
	labels->pid = thread->pid;
	labels->comm = thread->name;
	labels_complete(labels);
}

/* Returns false if the event has none. */
static bool trace_events_time_of(const struct trace *t, struct json event, uint64_t *ns)
{
	return json_rounded(json_member(event, "ts"), NS_PER_US_POWER, ns) &&
	       !__builtin_add_overflow(*ns, t->base_ns, ns);
}

static void read_timed(struct trace *t, struct json event, char phase)
{
	uint32_t thread = trace_events_thread_number(t, event), frame;
	struct json duration = json_member(event, "dur");
	uint64_t at, ns = 0;

	if (!trace_events_time_of(t, event, &at)) {
		text_wrong(t->s, event.at, "an event without a time");
		return;
	}
	if (phase == 'X' && duration.at && !json_rounded(duration, NS_PER_US_POWER, &ns)) {
		text_wrong(t->s, duration.at, "a duration that is not a number, or too large");
		return;
	}
	if (__builtin_add_overflow(at, ns, &ns)) {
		text_wrong(t->s, event.at, "a time that is too large");
		return;
	}
	if (phase == 'E') {
		trace_calls_end(&t->calls, thread, at, event.at);
		return;
	}
	frame = json_frame(t->s, TEXT_PLAIN, json_member(event, "name"), "(anonymous)");
	if (phase == 'X')
		trace_calls_add(&t->calls, thread, frame, at, ns);
	else
		trace_calls_begin(&t->calls, thread, frame, at);
}

/* An event, or an item of "samples", becomes a sample: its name is the event, its weight the value. */
static void trace_events_read_sample(struct trace *t, struct json event)
{
	struct stack_sample sample = { .value = { 1, 0 } };
	struct json weight = json_member(event, "weight"), name = json_member(event, "name");

	if (!trace_stacks_of(&t->stacks, event, &sample.stack))
		return;
	if (weight.at && !json_value(t->s, weight, 0, &sample.value)) {
		text_wrong(t->s, weight.at, "a weight that is not a number, or too large");
		return;
	}
	if (!trace_events_time_of(t, event, &sample.time_ns))
		sample.time_ns = TIMES_NONE;
	sample.thread = trace_events_thread_number(t, event);
	sample.event = json_is(name, "") ? TEXT_NO_NAME : json_name(t->s, name);
	if (sample.event == TEXT_NO_NAME || json_is(name, CALLS) || json_is(name, PROFILE)) /* ours, of times */
		sample.event = text_name(t->s, "samples", strlen("samples"));
	t->samples = xgrow(t->samples, &t->sample_cap, t->sample_count + 1, sizeof(*t->samples));
	t->samples[t->sample_count++] = sample;
}

static void fold_samples(struct trace *t)
{
	for (size_t i = 0; i < t->sample_count; i++) {
		const struct stack_sample *sample = &t->samples[i];
		struct text_labels labels = TEXT_NO_LABELS;

		trace_events_set_thread(&labels, &t->threads[sample->thread]);
		labels.event = sample->event;
		fold_add_text(t->s, &(struct text_sample){ .time_ns = sample->time_ns,
							   .values = &sample->value,
							   .stack = sample->stack,
							   .labels = text_label(t->s, &labels) });
	}
}

static void trace_events_read_event(struct trace *t, struct json event)
{
	struct json phase = json_member(event, "ph"), args;

	if (json_is(phase, "P") || json_is(phase, "I")) { /* "I": until Chrome 66 */
		if (!trace_profiles_add(&t->profiles, event, trace_events_thread_number(t, event)))
			trace_events_read_sample(t, event);
	} else if (json_is(phase, "i") || json_is(phase, "R"))
		trace_events_read_sample(t, event);
	else if (json_is(phase, "X"))
		read_timed(t, event, 'X');
	else if (json_is(phase, "B"))
		read_timed(t, event, 'B');
	else if (json_is(phase, "E"))
		read_timed(t, event, 'E');
	else if (json_is(phase, "b") || json_is(phase, "S"))
		text_lose(t->s, TEXT_ASYNC, 0);
	else if (json_is(phase, "M") && json_is(json_member(event, "name"), "thread_name")) {
		args = json_member(event, "args");
		thread_at(t, event)->name = json_thread_name(t->s, json_member(args, "name"));
	}
}

static uint32_t trace_events_labels_of(struct trace *t, const struct thread *thread, const char *event)
{
	struct text_labels labels = TEXT_NO_LABELS;

	if (thread)
		trace_events_set_thread(&labels, thread);
	labels.event = text_name(t->s, event, strlen(event));
	labels.unit = text_name(t->s, "ns", 2);
	return text_label(t->s, &labels);
}

static uint32_t call_labels(void *context, uint32_t thread)
{
	struct trace *t = context;

	return trace_events_labels_of(t, &t->threads[thread], CALLS);
}

static uint32_t profile_labels(void *context, uint32_t thread)
{
	struct trace *t = context;

	return trace_events_labels_of(t, thread == UINT32_MAX ? NULL : &t->threads[thread], PROFILE);
}

static void trace_events_parse(const struct text_part *part)
{
	struct trace t = { .s = part->out, .calls.s = part->out, .profiles.s = part->out, .stacks.s = part->out };
	struct json all = json_make(part->text, part->len), events = all, samples, event;
	bool is_array = all.at < all.end && *all.at == '[';

	if (!is_array) {
		trace_stacks_read(&t.stacks, json_member(all, "stackFrames"));
		events = json_member(all, "traceEvents");
		json_u64(json_member(all, "baseTimeNanoseconds"), &t.base_ns);
		samples = json_member(all, "samples");
		while (json_next_item(&samples, &event))
			trace_events_read_sample(&t, event);
	}
	while (json_next_item(&events, &event))
		trace_events_read_event(&t, event);
	if (!is_array || events.at < events.end)
		json_check_end(t.s, events, ']');
	fold_samples(&t);
	trace_calls_fold(&t.calls, call_labels, &t);
	trace_profiles_fold(&t.profiles, profile_labels, &t);
	free(t.threads);
	free(t.samples);
	map_free(&t.thread_of);
	trace_calls_free(&t.calls);
	trace_profiles_free(&t.profiles);
	trace_stacks_free(&t.stacks);
}

/* Is it an event, with its phase (a letter) and other members that JSON of other kinds lacks?  The pid may be
 * missing. */
static bool trace_events_is_event(struct json event)
{
	struct json phase = json_member(event, "ph");
	bool is_letter = phase.at && phase.end - phase.at == 3 && *phase.at == '"';

	if (!is_letter)
		return false;
	if (json_member(event, "pid").at || json_member(event, "tid").at)
		return true;
	return json_member(event, "name").at && (json_member(event, "ts").at || json_member(event, "args").at);
}

static enum sniffed trace_events_sniff(const char *text, size_t len)
{
	struct json all = json_make(text, len), first = all;
	struct json event;

	if (all.at < all.end && *all.at == '{')
		return json_begins(text, len, "traceEvents") ? SNIFF_SURE : SNIFF_NO;
	return json_next_item(&first, &event) && trace_events_is_event(event) ? SNIFF_SURE : SNIFF_NO;
}

const struct input_format trace_events_format = {
	.name = "trace-events",
	.holds = "stacks, times and values",
	.wanted = "a call of a trace",
	.has = TEXT_IS_JSON | TEXT_HAS_TIMES | TEXT_HAS_SPANS | TEXT_HAS_STACKS | TEXT_HAS_COMMS | TEXT_HAS_PIDS |
	       TEXT_HAS_TIDS | TEXT_HAS_EVENTS | TEXT_HAS_FILES | TEXT_HAS_LINES,
	.events = PROFILE,
	.sniff = trace_events_sniff,
	.parse = trace_events_parse,
};
