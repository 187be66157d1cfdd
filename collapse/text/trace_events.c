/* trace-events: traces of Chrome, Perfetto, Node and others in the Trace Event Format: an object or, which may lack its end,
 * an array (docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU):
 *
 *     {"traceEvents": [
 *         {"ph": "M", "pid": 1, "tid": 2, "name": "thread_name", "args": {"name": "main"}},
 *         {"ph": "X", "pid": 1, "tid": 2, "ts": 10, "dur": 5.5, "name": "work"},
 *         {"ph": "B", "pid": 1, "tid": 2, "ts": 20, "name": "read"}, {"ph": "E", "pid": 1, "tid": 2, "ts": 21}]}
 *
 * Calls of a thread that contain others are their callers; a call's own time is what the others leave.  us become ns, the nearest,
 * since writers have numbers in double precision.
 *
 * A trace may have CPU profiles, too (trace_profile.h), and samples with stacks (trace_stacks.h).  Those say more about
 * the same time: calls are an event, which is the default only if there is nothing else. */
#include <stdlib.h>
#include <string.h>

#include "collapse/parse/format.h"
#include "collapse/parse/json_input.h"
#include "collapse/parse/label_keys.h"
#include "collapse/parse/span.h"
#include "collapse/parse/span_stack.h"
#include "collapse/text/trace_profile.h"
#include "collapse/text/trace_stacks.h"
#include "core/map.h"
#include "core/memory.h"
#include "core/sorted.h"

enum { NS_PER_US_POWER = 3 };

/* events */
#define PROFILE "cpu-profile"
#define CALLS "calls"

struct call {
	uint64_t begin, end; /* ns */
	uint32_t thread;     /* in threads */
	uint32_t frame;
	uint32_t order; /* in the file */
};

/* The beginning or the end of a call, which may stand anywhere in the file. */
struct edge {
	uint64_t at; /* ns */
	uint32_t thread, order;
	uint32_t frame; /* NO_FRAME: the end of the innermost call */
	const char *text;
};

#define NO_FRAME UINT32_MAX

/* A sample with a stack. */
struct stack_sample {
	uint32_t thread; /* in threads: its name may come later */
	uint32_t event, stack;
	struct text_value value;
};

struct thread {
	int32_t pid, tid; /* -1: there is none */
	uint32_t name;    /* TEXT_NO_NAME: unknown */
	struct str open;  /* places in calls of what began and did not end, uint32_t each */
	uint64_t last;    /* the latest time */
};

struct trace {
	struct text_stacks *s;
	struct call *calls; /* [call_count] */
	size_t call_count, call_cap;
	uint32_t event_count; /* so far, in the order of the file */
	struct edge *edges;   /* [edge_count] */
	size_t edge_count, edge_cap;
	struct stack_sample *samples; /* [sample_count] */
	size_t sample_count, sample_cap;
	struct thread *threads; /* [thread_count] */
	size_t thread_count, thread_cap;
	struct map thread_of; /* texts of (pid, tid): place + 1 */
	struct trace_profiles profiles;
	struct trace_stacks stacks;
};

/* The text of a number, which may be quoted, or of a name; empty: there is none. */
static uint32_t id_of(struct trace *t, struct json id)
{
	bool quoted = id.end - id.at >= 2 && *id.at == '"' && id.end[-1] == '"';
	struct text_span text = { id.at ? id.at + quoted : "", id.at ? (size_t)(id.end - id.at) - 2 * quoted : 0 };

	text = span_trim(text);
	return text_name(t->s, text.text, text.len);
}

/* Ids are mostly numbers.  A thread whose id is a name, as those of PyTorch's profiler, is called that. */
static struct thread *thread_at(struct trace *t, struct json event)
{
	struct json pid = json_member(event, "pid"), tid = json_member(event, "tid");
	uint32_t *place = map_at(&t->thread_of, id_of(t, pid), id_of(t, tid));
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

static void set_thread(struct text_labels *labels, const struct thread *thread)
{
	labels->tid = thread->tid;
	labels->pid = thread->pid;
	labels->comm = thread->name;
	labels_complete(labels);
}

static struct call *add_call(struct trace *t, uint32_t thread, uint32_t frame, uint64_t begin, uint32_t order)
{
	t->calls = xgrow(t->calls, &t->call_cap, t->call_count + 1, sizeof(*t->calls));
	t->calls[t->call_count] = (struct call){
		.begin = begin,
		.end = begin,
		.thread = thread,
		.frame = frame,
		.order = order,
	};
	return &t->calls[t->call_count++];
}

static void end_call(struct trace *t, struct thread *thread, const struct edge *edge)
{
	uint64_t at = edge->at;
	uint32_t place;

	if (!thread->open.len) {
		text_wrong(t->s, edge->text, "the end of a call that did not begin");
		return;
	}
	thread->open.len -= sizeof(place);
	memcpy(&place, thread->open.buf + thread->open.len, sizeof(place));
	t->calls[place].end = at > t->calls[place].begin ? at : t->calls[place].begin;
}

static void read_timed(struct trace *t, struct json event, char phase)
{
	struct thread *thread = thread_at(t, event);
	uint32_t number = (uint32_t)(thread - t->threads), order = t->event_count++, frame = NO_FRAME;
	uint64_t at, ns = 0;

	if (!json_rounded(json_member(event, "ts"), NS_PER_US_POWER, &at)) {
		text_wrong(t->s, event.at, "an event without a time");
		return;
	}
	if (phase == 'X')
		json_rounded(json_member(event, "dur"), NS_PER_US_POWER, &ns);
	if (__builtin_add_overflow(at, ns, &ns)) {
		text_wrong(t->s, event.at, "a time that is too large");
		return;
	}
	thread->last = ns > thread->last ? ns : thread->last;
	if (phase != 'E')
		frame = json_frame(t->s, TEXT_PLAIN, json_member(event, "name"), "(anonymous)");
	if (phase == 'X') {
		add_call(t, number, frame, at, order)->end = ns;
		return;
	}
	t->edges = xgrow(t->edges, &t->edge_cap, t->edge_count + 1, sizeof(*t->edges));
	t->edges[t->edge_count++] = (struct edge){ at, number, order, frame, event.at };
}

static int by_time(const void *a, const void *b)
{
	const struct edge *x = a, *y = b;

	return ORDER(x->at, y->at) ?: ORDER(x->order, y->order);
}

/* Make calls of what begins and ends them. */
static void join_edges(struct trace *t)
{
	if (t->edge_count)
		qsort(t->edges, t->edge_count, sizeof(*t->edges), by_time);
	for (size_t i = 0; i < t->edge_count; i++) {
		const struct edge *edge = &t->edges[i];
		struct thread *thread = &t->threads[edge->thread];
		uint32_t place = (uint32_t)t->call_count;

		if (edge->frame == NO_FRAME) {
			end_call(t, thread, edge);
			continue;
		}
		add_call(t, edge->thread, edge->frame, edge->at, edge->order);
		str_add(&thread->open, (const char *)&place, sizeof(place));
	}
}

/* An event, or an item of "samples": its name is the event's, its weight the value. */
static void read_sample(struct trace *t, struct json event)
{
	struct stack_sample sample = { .value = { 1, 0 } };
	struct json weight = json_member(event, "weight"), name = json_member(event, "name");

	if (!trace_stacks_of(&t->stacks, event, &sample.stack))
		return;
	if (weight.at && !json_value(t->s, weight, 0, &sample.value)) {
		text_wrong(t->s, weight.at, "a weight that is not a number, or too large");
		return;
	}
	sample.thread = (uint32_t)(thread_at(t, event) - t->threads);
	sample.event = json_is(name, "") ? TEXT_NO_NAME : json_name(t->s, name);
	if (sample.event == TEXT_NO_NAME)
		sample.event = text_name(t->s, "samples", strlen("samples"));
	t->samples = xgrow(t->samples, &t->sample_cap, t->sample_count + 1, sizeof(*t->samples));
	t->samples[t->sample_count++] = sample;
}

static void fold_samples(struct trace *t)
{
	for (size_t i = 0; i < t->sample_count; i++) {
		const struct stack_sample *sample = &t->samples[i];
		struct text_labels labels = TEXT_NO_LABELS;

		set_thread(&labels, &t->threads[sample->thread]);
		labels.event = sample->event;
		fold_add_text(t->s, &(struct text_sample){ .values = &sample->value,
							   .stack = sample->stack,
							   .labels = text_label(t->s, &labels) });
	}
}

static void read_event(struct trace *t, struct json event)
{
	struct json phase = json_member(event, "ph"), args;

	if (json_is(phase, "P") || json_is(phase, "I")) { /* "I": until Chrome 66 */
		if (!trace_profiles_add(&t->profiles, event, (uint32_t)(thread_at(t, event) - t->threads)))
			read_sample(t, event);
	} else if (json_is(phase, "i") || json_is(phase, "R"))
		read_sample(t, event);
	else if (json_is(phase, "X"))
		read_timed(t, event, 'X');
	else if (json_is(phase, "B"))
		read_timed(t, event, 'B');
	else if (json_is(phase, "E"))
		read_timed(t, event, 'E');
	else if (json_is(phase, "M") && json_is(json_member(event, "name"), "thread_name")) {
		args = json_member(event, "args");
		thread_at(t, event)->name = json_thread_name(t->s, json_member(args, "name"));
	}
}

/* --- the time of each call ----------------------------------------------------------- */

/* By thread; callers before what they call. */
static int by_begin(const void *a, const void *b)
{
	const struct call *x = a, *y = b;

	return ORDER(x->thread, y->thread) ?: ORDER(x->begin, y->begin) ?: ORDER(y->end, x->end) ?: ORDER(x->order, y->order);
}

static uint32_t labels_of(struct trace *t, const struct thread *thread, const char *event)
{
	struct text_labels labels = TEXT_NO_LABELS;

	if (thread)
		set_thread(&labels, thread);
	labels.event = text_name(t->s, event, strlen(event));
	labels.unit = text_name(t->s, "ns", 2);
	return text_label(t->s, &labels);
}

static uint32_t profile_labels(void *context, uint32_t thread)
{
	struct trace *t = context;

	return labels_of(t, thread == UINT32_MAX ? NULL : &t->threads[thread], PROFILE);
}

/* A call that is not ended where its caller ends lasts no longer than that. */
static void fold_thread(struct trace *t, const struct call *calls, size_t count)
{
	struct span_stack stack = { .labels = labels_of(t, &t->threads[calls[0].thread], CALLS) };
	struct str ends = { 0 }; /* of the calls in stack, uint64_t each */
	uint64_t end;

	for (size_t i = 0; i <= count; i++) {
		uint64_t until = i < count ? calls[i].begin : UINT64_MAX;

		while (ends.len) {
			memcpy(&end, ends.buf + ends.len - sizeof(end), sizeof(end));
			if (end > until)
				break;
			span_stack_end(&stack, t->s, end);
			ends.len -= sizeof(end);
		}
		if (i == count)
			break;
		end = calls[i].end;
		if (ends.len) {
			uint64_t outer;

			memcpy(&outer, ends.buf + ends.len - sizeof(outer), sizeof(outer));
			end = end < outer ? end : outer;
		}
		span_stack_begin(&stack, t->s, calls[i].frame, calls[i].begin);
		str_add(&ends, (const char *)&end, sizeof(end));
	}
	str_free(&ends);
	span_stack_free(&stack);
}

static void fold_calls(struct trace *t)
{
	size_t next;

	join_edges(t);
	for (size_t i = 0; i < t->thread_count; i++) {
		const struct str *open = &t->threads[i].open;

		for (size_t n = 0; n < open->len / sizeof(uint32_t); n++) {
			uint32_t place;

			memcpy(&place, open->buf + n * sizeof(place), sizeof(place));
			t->calls[place].end = t->threads[i].last; /* it had not ended */
		}
	}
	if (t->call_count)
		qsort(t->calls, t->call_count, sizeof(*t->calls), by_begin);
	for (size_t i = 0; i < t->call_count; i = next) {
		next = i + 1;
		while (next < t->call_count && t->calls[next].thread == t->calls[i].thread)
			next++;
		fold_thread(t, t->calls + i, next - i);
	}
}

static void parse(const struct text_part *part)
{
	struct trace t = { .s = part->out, .profiles.s = part->out, .stacks.s = part->out };
	struct json all = json_make(part->text, part->len), events = all, samples, event;
	bool is_array = all.at < all.end && *all.at == '[';

	if (!is_array) {
		trace_stacks_read(&t.stacks, json_member(all, "stackFrames"));
		events = json_member(all, "traceEvents");
		samples = json_member(all, "samples");
		while (json_next_item(&samples, &event))
			read_sample(&t, event);
	}
	while (json_next_item(&events, &event))
		read_event(&t, event);
	if (!is_array || events.at < events.end)
		json_check_end(t.s, events, ']');
	fold_samples(&t);
	fold_calls(&t);
	trace_profiles_fold(&t.profiles, profile_labels, &t);
	for (size_t i = 0; i < t.thread_count; i++)
		str_free(&t.threads[i].open);
	free(t.threads);
	free(t.calls);
	free(t.samples);
	free(t.edges);
	map_free(&t.thread_of);
	trace_profiles_free(&t.profiles);
	trace_stacks_free(&t.stacks);
}

static enum sniffed sniff(const char *text, size_t len)
{
	struct json all = json_make(text, len), first = all;
	struct json event;

	if (all.at < all.end && *all.at == '{')
		return json_begins(text, len, "traceEvents") ? SNIFF_SURE : SNIFF_NO;
	return json_next_item(&first, &event) && json_member(event, "ph").at && json_member(event, "pid").at
		       ? SNIFF_SURE
		       : SNIFF_NO;
}

const struct input_format trace_events_format = {
	.name = "trace-events",
	.holds = "stacks and values",
	.wanted = "a call of a trace",
	.has = TEXT_HAS_STACKS | TEXT_HAS_COMMS | TEXT_HAS_PIDS | TEXT_HAS_TIDS | TEXT_HAS_EVENTS,
	.events = PROFILE,
	.sniff = sniff,
	.parse = parse,
};
