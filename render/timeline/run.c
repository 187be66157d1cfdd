/* "render timeline": what each thread did, over time: ran, waited for a CPU, for a lock, for work. */
#include <string.h>

#include "core/error.h"
#include "render/bars/bars_style.h"
#include "render/drawing/chart_entry.h"
#include "render/drawing/common_options.h"
#include "render/timeline/timeline_code.h"
#include "render/timeline/timeline_draw.h"
#include "render/timeline/timeline_input.h"

#define TOP 30

static const struct manual manual = {
	.usage = "[options] [FILE...]",
	.about = "Draws what each thread did, and when: ran, waited for a CPU, for a lock, for\n"
		 "a device, for time to pass, for work; and when several threads waited together\n"
		 "for one.",
	.examples = "  pyrograph collapse --timeline rec.data | pyrograph render timeline >a.svg\n"
		    "  pyrograph render timeline --from 10:15:02 --to 10:15:03 -o b.svg rec.folded\n"
		    "  pyrograph render timeline --include /request- --top 0 -o c.png rec.folded\n",
};

struct timeline_options {
	struct bars_options common;
	const char *from, *to;
	uint64_t detail; /* bytes; 0: everything */
	int64_t top;
};

static int timeline_options_parse(struct timeline_options *o, int argc, char **argv)
{
	const struct opt own[] = {
		{ 0, "from", "TIME", "from 10:15:02.5, 2s, -10s, ... on", .text = &o->from },
		{ 0, "to", "TIME", "up to that time", .text = &o->to },
		{ 0, "sort", "HOW", "rows by stalls, time, waiting, name, first [stalls]", .text = &o->common.sort },
		{ 0, "detail", "SIZE", "put short spans of a larger file together [4M]", .bytes = &o->detail },
		{ 0, "top", "N", "draw N rows at first; 0: all [30]", .num = &o->top, .max = 50000 },
		{ 0 }
	};

	*o = (struct timeline_options){ .detail = 4 << 20, .top = TOP };
	argc = bars_options_parse_timed(&o->common, own, &manual, argc, argv);
	o->common.top = o->top;
	return argc;
}

static enum timeline_order timeline_parse_order(const char *name)
{
	static const struct {
		const char *name;
		enum timeline_order order;
	} orders[] = { { "stalls", TIMELINE_BY_STALLS },
		       { "time", TIMELINE_BY_TIME },
		       { "waiting", TIMELINE_BY_WAITING },
		       { "name", TIMELINE_BY_NAME },
		       { "first", TIMELINE_BY_FIRST } };

	for (size_t i = 0; name && i < sizeof(orders) / sizeof(orders[0]); i++) {
		if (!strcmp(name, orders[i].name))
			return orders[i].order;
	}
	if (name)
		die_usage("--sort needs stalls, time, waiting, name or first, not '%s'", name);
	return TIMELINE_BY_STALLS;
}

static int timeline_run_draw(struct timeline *t, const struct timeline_options *o, const struct bars_style *style)
{
	const struct timeline_wish wish = { .by_state = true, .order = timeline_parse_order(o->common.sort) };
	const char *wrong = timeline_why_nothing(t);
	struct bars_style own = *style;

	own.title = style->title ? style->title : "Timeline";
	if (!wrong && !t->timed)
		wrong = "the lines are not spans of time: pyrograph collapse --timeline";
	if (!wrong)
		wrong = timeline_find_window(t, o->from, o->to);
	if (!wrong) {
		timeline_prepare_merge(t, o->detail / TIMELINE_SPAN_BYTES);
		wrong = timeline_arrange(t, &wish);
	}
	if (wrong)
		return bars_write_nothing(&own, "timeline", wrong, o->common.output);
	bars_note_filters(&t->source, &o->common, o->from, o->to);
	timeline_merge(t, o->detail / TIMELINE_SPAN_BYTES);
	timeline_colours(t);
	return timeline_write(t, &own, "timeline", o->common.output) < 0;
}

static int timeline_run_verb(int argc, char **argv)
{
	struct timeline_options options;
	struct bars_style style;
	struct timeline t = { 0 };
	int status = 1;

	argc = timeline_options_parse(&options, argc, argv);
	bars_style_make(&style, &options.common);
	timeline_parse_order(options.common.sort);
	wanted_instant(options.from, "--from");
	wanted_instant(options.to, "--to");
	if (timeline_read_all(&t, &style, true, argv, argc) == 0 &&
	    report_bad_lines(t.bad_lines, t.lines, options.common.strict) == 0)
		status = timeline_run_draw(&t, &options, &style);
	timeline_free(&t);
	bars_style_free(&style);
	bars_options_free(&options.common);
	return status;
}

const struct chart_entry timeline_entry = {
	.verb = { "timeline", "what each thread did, over time", timeline_run_verb },
	.page = &timeline_page,
	.is_in = timeline_is_in,
	.unfold = timeline_unfold,
};
