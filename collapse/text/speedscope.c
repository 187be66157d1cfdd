/* speedscope: files of speedscope, and of tools that write for it
 * (github.com/jlfwong/speedscope/wiki/Importing-from-custom-sources):
 *
 *     {"$schema": "https://www.speedscope.app/file-format-schema.json",
 *      "shared": {"frames": [{"name": "main"}, {"name": "read", "file": "a.c", "line": 3}]},
 *      "profiles": [
 *         {"type": "sampled", "name": "thread 1", "unit": "milliseconds", "samples": [[0, 1], [0]], "weights": [1, 2]},
 *         {"type": "evented", "name": "thread 2", "unit": "none",
 *          "events": [{"type": "O", "frame": 0, "at": 0}, {"type": "C", "frame": 0, "at": 7}]}]}
 *
 * Calls that do not end last until the profile's "endValue".  The name of a profile is taken as that of its thread.
 * Times become ns. If profiles have several units, whose values cannot be added, each unit is an event. */
#include <stdlib.h>
#include <string.h>

#include "collapse/fold/times.h"
#include "collapse/parse/format.h"
#include "collapse/parse/json_input.h"
#include "collapse/parse/span_stack.h"
#include "core/memory.h"

struct speedscope {
	struct text_stacks *s;
	uint32_t *frames; /* [frame_count] */
	size_t frame_count, frame_cap;
	int power;    /* as a power of ten, to the unit that is written */
	bool is_time; /* the unit */
	bool units_are_events;
};

static const struct {
	const char *unit, *written;
	int power;
} units[] = {
	{ "nanoseconds", "ns", 0 }, { "microseconds", "ns", 3 }, { "milliseconds", "ns", 6 },
	{ "seconds", "ns", 9 },     { "bytes", "bytes", 0 },     { "none", NULL, 0 },
};

/* The unit of a profile as we write it; TEXT_NO_NAME: it has none. */
static uint32_t speedscope_unit_of(struct speedscope *p, struct json profile)
{
	struct json unit = json_member(profile, "unit");

	p->power = 0;
	p->is_time = false;
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		if (!json_is(unit, units[i].unit))
			continue;
		p->power = units[i].power;
		p->is_time = units[i].written && !strcmp(units[i].written, "ns");
		return units[i].written ? text_name(p->s, units[i].written, strlen(units[i].written)) : TEXT_NO_NAME;
	}
	return json_name(p->s, unit);
}

/* Returns false if the frame does not exist. */
static bool speedscope_frame_of(const struct speedscope *p, struct json number, uint32_t *frame)
{
	uint64_t n;

	if (!json_u64(number, &n) || n >= p->frame_count) {
		text_wrong(p->s, number.at ? number.at : p->s->part->text, "a frame that is not in the table");
		return false;
	}
	*frame = p->frames[n];
	return true;
}

static uint32_t speedscope_stack_of(struct speedscope *p, struct json sample, struct str *frames)
{
	struct json number;
	uint32_t frame;

	str_clear(frames);
	while (json_next_item(&sample, &number)) {
		if (speedscope_frame_of(p, number, &frame))
			str_add(frames, (const char *)&frame, sizeof(frame));
	}
	return text_stack(p->s, (const uint32_t *)(const void *)str_text(frames), frames->len / sizeof(frame));
}

static void read_sampled(struct speedscope *p, struct json profile, uint32_t labels)
{
	struct json samples = json_member(profile, "samples"), weights = json_member(profile, "weights"), sample,
		    weight;
	struct str frames = { 0 };
	uint32_t stack, known;
	uint64_t at = 0;

	json_scaled(json_member(profile, "startValue"), p->power, &at);
	while (json_next_item(&samples, &sample)) {
		struct text_value value = { 1, 0 };

		if (weights.at && (!json_next_item(&weights, &weight) || !json_value(p->s, weight, p->power, &value))) {
			text_wrong(p->s, sample.at, "a sample without a weight");
			continue;
		}
		if (!text_known(p->s, sample.at, (size_t)(sample.end - sample.at), &stack, &known)) {
			stack = speedscope_stack_of(p, sample, &frames);
			text_is(p->s, known, stack);
		}
		fold_add_text(p->s, &(struct text_sample){ .time_ns = p->is_time ? at : TIMES_NONE,
							   .values = &value,
							   .stack = stack,
							   .labels = labels });
		if (!(value.fraction & TEXT_MINUS))
			at = column_sum(at, value.whole);
	}
	if (samples.at)
		json_check_end(p->s, samples, ']');
	str_free(&frames);
}

/* Close the calls still open after the last event, at the end of the profile. */
static void speedscope_end_calls(struct speedscope *p, struct json profile, struct span_stack *calls)
{
	uint64_t end = calls->at;

	if (!span_stack_depth(calls))
		return;
	text_wrong(p->s, profile.at, "a profile with calls that do not end; they count until its end");
	json_scaled(json_member(profile, "endValue"), p->power, &end);
	while (span_stack_depth(calls))
		span_stack_end(calls, p->s, end);
}

static void read_evented(struct speedscope *p, struct json profile, uint32_t labels)
{
	struct json events = json_member(profile, "events"), event;
	struct span_stack calls = { .labels = labels, .untimed = !p->is_time };
	uint32_t frame;
	uint64_t at;

	while (json_next_item(&events, &event)) {
		if (!json_scaled(json_member(event, "at"), p->power, &at)) {
			text_wrong(p->s, event.at, "an event without a time");
			continue;
		}
		if (!speedscope_frame_of(p, json_member(event, "frame"), &frame))
			continue;
		if (json_is(json_member(event, "type"), "O"))
			span_stack_begin(&calls, p->s, frame, at);
		else if (span_stack_depth(&calls) && span_stack_innermost(&calls) == frame)
			span_stack_end(&calls, p->s, at);
		else
			text_wrong(p->s, event.at, "the end of a call that is not the innermost one");
	}
	if (events.at)
		json_check_end(p->s, events, ']');
	speedscope_end_calls(p, profile, &calls);
	span_stack_free(&calls);
}

static void speedscope_read_profile(struct speedscope *p, struct json profile)
{
	struct text_labels labels = TEXT_NO_LABELS;
	uint32_t number;

	labels.comm = json_thread_name(p->s, json_member(profile, "name"));
	labels.unit = speedscope_unit_of(p, profile);
	if (p->units_are_events)
		labels.event =
			labels.unit == TEXT_NO_NAME ? text_name(p->s, "samples", strlen("samples")) : labels.unit;
	number = text_label(p->s, &labels);
	if (json_is(json_member(profile, "type"), "sampled"))
		read_sampled(p, profile, number);
	else if (json_is(json_member(profile, "type"), "evented"))
		read_evented(p, profile, number);
	else
		text_wrong(p->s, profile.at, "a profile that is neither sampled nor evented");
}

static bool has_several_units(struct speedscope *p, struct json profiles)
{
	uint32_t first = TEXT_NO_NAME, unit;
	bool any = false, several = false;
	struct json profile;

	for (; !several && json_next_item(&profiles, &profile); any = true) {
		unit = speedscope_unit_of(p, profile);
		several = any && unit != first;
		first = unit;
	}
	return several;
}

static void speedscope_parse(const struct text_part *part)
{
	struct speedscope p = { .s = part->out };
	struct json all = json_make(part->text, part->len);
	struct json frames = json_member(json_member(all, "shared"), "frames"), item;
	struct json profiles = json_member(all, "profiles");

	while (json_next_item(&frames, &item)) {
		p.frames = xgrow(p.frames, &p.frame_cap, p.frame_count + 1, sizeof(*p.frames));
		p.frames[p.frame_count++] =
			json_frame_at(p.s, TEXT_PLAIN, json_member(item, "name"), "(anonymous)",
				      json_member(item, "file"), json_line(json_member(item, "line")));
	}
	json_check_end(p.s, frames, ']');
	p.units_are_events = has_several_units(&p, profiles);
	while (json_next_item(&profiles, &item))
		speedscope_read_profile(&p, item);
	json_check_end(p.s, profiles, ']');
	free(p.frames);
}

static enum sniffed speedscope_sniff(const char *text, size_t len)
{
	return json_begins(text, len, "$schema") && memmem(text, len, "speedscope", strlen("speedscope")) ? SNIFF_SURE
													  : SNIFF_NO;
}

const struct input_format speedscope_format = {
	.name = "speedscope",
	.holds = "stacks, times, values and events",
	.wanted = "a sample of a speedscope file",
	.has = TEXT_IS_JSON | TEXT_HAS_TIMES | TEXT_HAS_SPANS | TEXT_HAS_STACKS | TEXT_HAS_COMMS | TEXT_HAS_EVENTS |
	       TEXT_HAS_FILES | TEXT_HAS_LINES,
	.sniff = speedscope_sniff,
	.parse = speedscope_parse,
};
