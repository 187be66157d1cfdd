/* "render timeline": what each thread did, over time: ran, waited for a CPU, for a lock, for work. */
#include <string.h>

#include "core/error.h"
#include "render/drawing/chart_entry.h"
#include "render/timeline/timeline_code.h"
#include "render/timeline/timeline_draw.h"

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
	uint64_t detail; /* bytes; 0: everything */
};

static int timeline_options_parse(struct timeline_options *o, int argc, char **argv)
{
	const struct opt own[] = { { .name = "from" },
				   { .name = "to" },
				   { 0, "sort", "HOW", "rows by stalls, time, waiting, name, first [stalls]",
				     .text = &o->common.sort, .choices = "stalls time waiting name first" },
				   { 0, "detail", "SIZE", "put short spans of a larger file together [4M]",
				     .bytes = &o->detail },
				   { .name = "top", .help = "draw N rows at first; 0: all [30]" },
				   { 0 } };

	*o = (struct timeline_options){ .common = BARS_OPTIONS, .detail = 4 << 20 };
	o->common.top = TOP;
	return bars_options_parse_timed(&o->common, own, &manual, argc, argv);
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

static const char *timeline_finish(void *chart, const struct bars_options *o)
{
	const struct timeline_wish wish = { .by_state = true, .order = timeline_parse_order(o->sort) };
	const struct timeline_options *own = (const struct timeline_options *)o;
	struct timeline *t = chart;
	const char *wrong;

	if (!t->time_ns)
		return "all values are zero";
	if (!t->timed)
		return "the lines are not spans of time: pyrograph collapse --timeline";
	wrong = timeline_find_window(t, o->common.from, o->common.to);
	if (wrong)
		return wrong;
	timeline_prepare_merge(t, own->detail / TIMELINE_SPAN_BYTES);
	wrong = timeline_arrange(t, &wish);
	if (wrong)
		return wrong;
	timeline_merge(t, own->detail / TIMELINE_SPAN_BYTES);
	timeline_colours(t);
	return NULL;
}

static int timeline_write_it(const void *t, const struct bars_style *style, const char *path)
{
	return timeline_write(t, style, "timeline", path);
}

static int timeline_run_verb(int argc, char **argv)
{
	static const struct rows_chart chart = { "timeline",      "Timeline",        timeline_read_spans,
						 timeline_finish, timeline_write_it, timeline_leave };
	struct timeline_options options;
	struct timeline t = { 0 };

	argc = timeline_options_parse(&options, argc, argv);
	timeline_parse_order(options.common.sort);
	return rows_run(&chart, &t, &options.common, argv, argc);
}

const struct chart_entry timeline_entry = {
	.verb = { "timeline", "what each thread did, over time", timeline_run_verb },
	.page = &timeline_page,
	.is_in = timeline_is_in,
	.unfold = timeline_unfold,
};
