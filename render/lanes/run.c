/* "render lanes": quantities over time, one below the other. */
#include "core/error.h"
#include "render/drawing/chart_entry.h"
#include "render/lanes/lanes.h"
#include "render/lanes/lanes_draw.h"
#include "render/rows/rows.h"

#define ROW_PX 44
#define TOP 200

static const struct manual manual = {
	.usage = "[options] [FILE...]",
	.about = "Draws quantities over time, one above the other on one axis of time: free\n"
		 "memory, pressure, run queues, the receive queues of sockets with their limits\n"
		 "and drops, and whatever else has timed lines.",
	.examples = "  pyrograph collapse --lanes rec.data | pyrograph render lanes >a.svg\n"
		    "  pyrograph render lanes --from 10:15:02 --to 10:15:03 -o b.svg rec.folded\n"
		    "  pyrograph render lanes --include 'udp;|memory;free' -o c.png rec.folded\n",
};

static int lanes_options_parse(struct bars_options *o, int argc, char **argv)
{
	const struct opt own[] = {
		{ .name = "from" },
		{ .name = "to" },
		{ .name = "height", .help = "height of a row [" OPT_TEXT(ROW_PX) "]", .min = 30, .max = 400 },
		{ .name = "top", .help = "draw N rows; 0: all [" OPT_TEXT(TOP) "]", .max = 10000 },
		{ .name = "colors", .arg = "NAME", .text = &o->common.colors },
		{ 0 }
	};

	*o = (struct bars_options)BARS_OPTIONS;
	o->height = ROW_PX;
	o->top = TOP;
	return bars_options_parse_timed(o, own, &manual, argc, argv);
}

static int lanes_read_file(void *l, const char *path, const struct line_filter *filter)
{
	return lanes_read(l, path, filter);
}

static const char *lanes_run_finish(void *chart, const struct bars_options *o)
{
	struct lanes *l = chart;
	const char *wrong = lanes_finish(l, o->common.from, o->common.to);

	if (!wrong && l->untimed_lines)
		warn("skipped %llu lines without a time", (unsigned long long)l->untimed_lines);
	return wrong;
}

static void lanes_leave(void *l)
{
	lanes_free(l);
}

static int lanes_run_verb(int argc, char **argv)
{
	static const struct rows_chart chart = { "lanes",          "Lanes",     lanes_read_file,
						 lanes_run_finish, lanes_write, lanes_leave };
	struct bars_options options;
	struct lanes l = { 0 };

	argc = lanes_options_parse(&options, argc, argv);
	return rows_run(&chart, &l, &options, argv, argc);
}

const struct chart_entry lanes_entry = {
	.verb = { "lanes", "quantities over time: memory, queues, pressure", lanes_run_verb },
	.page = &lanes_page,
	.is_in = lanes_is_in,
	.unfold = lanes_unfold,
};
