/* speedscope: the JSON of speedscope (speedscope.app/file-format-schema.json): a profile for each thread.
 *
 * A profile is "sampled": stacks with weights; or "evented", for spans with times: frames that open and close.  Spans
 * of a thread that overlap are spread over several profiles.  The format has no place for facts, so losses go into the
 * name of the profile file. */
#include <stdlib.h>
#include <string.h>

#include "collapse/output/by_thread.h"
#include "collapse/output/facts.h"
#include "collapse/output/output_formats.h"
#include "collapse/output/value_types.h"
#include "collapse/wire/json_stream.h"
#include "core/memory.h"

struct speedscope {
	struct json_stream json;
	const struct product *p;
	struct header_facts facts;
	struct line_view view;
	struct by_thread by_thread;
	uint32_t *frame_of; /* by number in view.strings: number of the frame + 1 */
	size_t frame_of_cap;
	uint32_t *frames; /* [frame_count]: numbers in view.strings */
	size_t frame_count, frame_cap;
	uint64_t base_ns; /* the first time: 0 in the file */
};

static uint32_t speedscope_output_frame_number(struct speedscope *w, uint32_t text)
{
	size_t before = w->frame_of_cap;

	w->frame_of = xgrow(w->frame_of, &w->frame_of_cap, (size_t)text + 1, sizeof(*w->frame_of));
	if (w->frame_of_cap > before)
		memset(w->frame_of + before, 0, (w->frame_of_cap - before) * sizeof(*w->frame_of));
	if (w->frame_of[text])
		return w->frame_of[text] - 1;
	w->frames = xgrow(w->frames, &w->frame_cap, w->frame_count + 1, sizeof(*w->frames));
	w->frames[w->frame_count++] = text;
	w->frame_of[text] = (uint32_t)w->frame_count;
	return w->frame_of[text] - 1;
}

static const char *speedscope_output_unit_of(const char *unit)
{
	return !strcmp(unit, "ns")      ? "nanoseconds"
	       : !strcmp(unit, "us")    ? "microseconds"
	       : !strcmp(unit, "ms")    ? "milliseconds"
	       : !strcmp(unit, "bytes") ? "bytes"
					: "none";
}

/* what: text after the name of the thread; lane: number of the profile, where spans overlap. */
static void begin_profile(struct speedscope *w, const char *type, uint32_t thread, const char *what, uint32_t lane)
{
	const struct view_thread *t = &w->view.threads[thread];
	struct str name = { 0 };

	line_view_thread_name(&w->view, thread, &name);
	if (t->tid != UINT64_MAX)
		str_addf(&name, " (%llu)", (unsigned long long)t->tid);
	str_puts(&name, what);
	if (lane)
		str_addf(&name, ", %u", lane + 1);
	json_newline(&w->json);
	json_object(&w->json, NULL);
	json_string(&w->json, "type", type);
	json_sized(&w->json, "name", str_text(&name), name.len);
	json_string(&w->json, "unit", speedscope_output_unit_of(w->p->unit));
	str_free(&name);
}

/* ---- samples with weights ---------------------------------------------------------- */

static void speedscope_output_add_value(struct speedscope *w, const struct item *item)
{
	json_begin(&w->json, NULL);
	value_decimal(w->p, 0, item->value, item->more, &w->json.text);
}

/* Write the items of a thread, or only those that have no time. */
static void add_sampled(struct speedscope *w, uint32_t thread, bool timeless, const char *what)
{
	size_t from = w->by_thread.starts[thread], to = w->by_thread.starts[thread + 1];
	uint64_t total = 0;

	begin_profile(w, "sampled", thread, what, 0);
	json_array(&w->json, "samples");
	for (size_t i = from; i < to; i++) {
		struct item item = by_thread_item(&w->by_thread, i);

		if (timeless && item.time_ns != TIMES_NONE)
			continue;
		line_view_of(&w->view, item.line);
		json_array(&w->json, NULL);
		for (size_t n = 0; n < w->view.frame_count; n++)
			json_number(&w->json, NULL, speedscope_output_frame_number(w, w->view.frames[n].text));
		json_close(&w->json, ']');
		total += item.value;
	}
	json_close(&w->json, ']');
	json_array(&w->json, "weights");
	for (size_t i = from; i < to; i++) {
		struct item item = by_thread_item(&w->by_thread, i);

		if (!timeless || item.time_ns == TIMES_NONE)
			speedscope_output_add_value(w, &item);
	}
	json_close(&w->json, ']');
	json_number(&w->json, "startValue", 0);
	json_number(&w->json, "endValue", total);
	json_close(&w->json, '}');
}

/* ---- spans ----------------------------------------------------------------------- */

static void speedscope_output_add_event(struct speedscope *w, char type, uint32_t frame, uint64_t ns)
{
	str_addf(&w->json.text, "%s{\"type\":\"%c\",\"frame\":%u,\"at\":%llu}", w->json.comma ? "," : "", type, frame,
		 (unsigned long long)(ns - w->base_ns));
	w->json.comma = true;
}

static void add_lane(struct speedscope *w, uint32_t thread, const uint32_t *lanes, uint32_t lane)
{
	size_t from = w->by_thread.starts[thread], to = w->by_thread.starts[thread + 1];
	uint64_t start_ns = UINT64_MAX, end_ns = 0;

	begin_profile(w, "evented", thread, "", lane);
	json_array(&w->json, "events");
	for (size_t i = from; i < to; i++) {
		struct item item = by_thread_item(&w->by_thread, i);

		if (lanes[i - from] != lane)
			continue;
		line_view_of(&w->view, item.line);
		start_ns = item.time_ns < start_ns ? item.time_ns : start_ns;
		end_ns = item_end(&item);
		for (size_t n = 0; n < w->view.frame_count; n++)
			speedscope_output_add_event(w, 'O', speedscope_output_frame_number(w, w->view.frames[n].text),
						    item.time_ns);
		for (size_t n = w->view.frame_count; n-- > 0;)
			speedscope_output_add_event(w, 'C', speedscope_output_frame_number(w, w->view.frames[n].text),
						    end_ns);
	}
	json_close(&w->json, ']');
	json_number(&w->json, "startValue", start_ns - w->base_ns);
	json_number(&w->json, "endValue", end_ns - w->base_ns);
	json_close(&w->json, '}');
}

/* Write spans with a time in lanes; sums, which have no time, go into a profile of their own. */
static void speedscope_output_add_spans(struct speedscope *w, uint32_t thread)
{
	size_t from = w->by_thread.starts[thread], to = w->by_thread.starts[thread + 1], count;
	bool timeless = false;
	uint32_t *lanes;

	count = lanes_make(&w->by_thread, from, to, &lanes);
	for (uint32_t lane = 0; lane < count; lane++)
		add_lane(w, thread, lanes, lane);
	for (size_t i = from; i < to; i++)
		timeless |= lanes[i - from] == LANE_NONE;
	if (timeless)
		add_sampled(w, thread, true, ", sums of short spans");
	free(lanes);
}

/* ---- the file -------------------------------------------------------------------- */

static void speedscope_output_add_frames(struct speedscope *w)
{
	json_object(&w->json, "shared");
	json_array(&w->json, "frames");
	for (size_t i = 0; i < w->frame_count; i++) {
		json_newline(&w->json);
		json_object(&w->json, NULL);
		json_sized(&w->json, "name", view_text(&w->view, w->frames[i]), view_len(&w->view, w->frames[i]));
		json_close(&w->json, '}');
	}
	json_close(&w->json, ']');
	json_close(&w->json, '}');
}

static void speedscope_output_add_name(struct speedscope *w)
{
	struct str name = { 0 }, losses = { 0 };

	facts_title(&w->facts, &name);
	facts_losses(&w->facts, &losses);
	if (losses.len)
		str_addf(&name, " (%s)", losses.buf);
	json_sized(&w->json, "name", str_text(&name), name.len);
	str_free(&name);
	str_free(&losses);
}

static void write_speedscope(FILE *out, const struct product *p)
{
	struct speedscope w = { .json = { .out = out }, .p = p };
	bool spans = p->times && p->spans;

	facts_read(&w.facts, str_text(&p->header));
	line_view_begin(&w.view, p);
	by_thread_make(&w.by_thread, &w.view, p);
	w.base_ns = p->times && p->times->count ? p->times->items[0].wall_ns : 0;
	json_object(&w.json, NULL);
	json_string(&w.json, "$schema", "https://www.speedscope.app/file-format-schema.json");
	json_string(&w.json, "exporter", "pyrograph " PYROGRAPH_VERSION);
	speedscope_output_add_name(&w);
	facts_json(&w.facts, &w.json, "pyrograph");
	json_array(&w.json, "profiles");
	for (uint32_t thread = 0; thread < w.by_thread.thread_count; thread++) {
		if (spans)
			speedscope_output_add_spans(&w, thread);
		else
			add_sampled(&w, thread, false, "");
	}
	json_close(&w.json, ']');
	speedscope_output_add_frames(&w);
	json_close(&w.json, '}');
	json_end(&w.json);
	by_thread_free(&w.by_thread);
	line_view_end(&w.view);
	facts_free(&w.facts);
	free(w.frame_of);
	free(w.frames);
}

const struct output_format speedscope_output = {
	.name = "speedscope",
	.endings = ENDINGS(".speedscope.json", ".speedscope"),
	.spans = true,
	.tables = true,
	.write = write_speedscope,
};
