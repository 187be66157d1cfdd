/* "render lanes": quantities over time, one above the other. */
#include "core/error.h"
#include "render/bars/bars_style.h"
#include "render/drawing/chart_entry.h"
#include "render/drawing/common_options.h"
#include "render/lanes/lanes.h"
#include "render/lanes/lanes_draw.h"

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

struct lanes_options {
	struct bars_options common;
	const char *from, *to;
	int64_t height, top;
};

static int lanes_options_parse(struct lanes_options *o, int argc, char **argv)
{
	const struct opt own[] = { { 0, "from", "TIME", "from 10:15:02.5, 2s, -10s, ... on", .text = &o->from },
				   { 0, "to", "TIME", "up to that time", .text = &o->to },
				   { 0, "height", "PX", "height of a row [" OPT_TEXT(ROW_PX) "]", .num = &o->height,
				     .min = 30, .max = 400 },
				   { 0, "top", "N", "draw N rows; 0: all [" OPT_TEXT(TOP) "]", .num = &o->top,
				     .max = 10000 },
				   { .name = "colors", .arg = "NAME", .text = &o->common.colors },
				   { 0 } };

	*o = (struct lanes_options){ .height = ROW_PX, .top = TOP };
	argc = bars_options_parse_timed(&o->common, own, &manual, argc, argv);
	o->common.height = o->height;
	o->common.top = o->top;
	return argc;
}

static int lanes_read_all(struct lanes *l, const struct bars_style *style, char **argv, int count)
{
	argv = inputs_or_stdin(argv, &count);
	for (int i = 0; i < count; i++) {
		if (lanes_read(l, argv[i], &style->lines) < 0)
			return -1;
	}
	return 0;
}

static int lanes_run_draw(struct lanes *l, const struct lanes_options *o, const struct bars_style *style)
{
	struct bars_style own = *style;
	const char *wrong = bars_why_no_lines(l->lines, l->filtered_lines, l->bad_lines);

	own.title = style->title ? style->title : "Lanes";
	if (!wrong)
		wrong = lanes_finish(l, o->from, o->to);
	if (wrong)
		return bars_write_nothing(&own, "lanes", wrong, o->common.output);
	if (l->untimed_lines)
		warn("skipped %llu lines without a time", (unsigned long long)l->untimed_lines);
	bars_note_filters(&l->source, &o->common, o->from, o->to);
	return lanes_write(l, &own, o->common.output) < 0;
}

static int lanes_run_verb(int argc, char **argv)
{
	struct lanes_options options;
	struct bars_style style;
	struct lanes l = { 0 };
	int status = 1;

	argc = lanes_options_parse(&options, argc, argv);
	bars_style_make(&style, &options.common);
	wanted_instant(options.from, "--from");
	wanted_instant(options.to, "--to");
	if (lanes_read_all(&l, &style, argv, argc) == 0 &&
	    report_bad_lines(l.bad_lines, l.lines, options.common.strict) == 0)
		status = lanes_run_draw(&l, &options, &style);
	lanes_free(&l);
	bars_style_free(&style);
	bars_options_free(&options.common);
	return status;
}

const struct chart_entry lanes_entry = {
	.verb = { "lanes", "quantities over time: memory, queues, pressure", lanes_run_verb },
	.page = &lanes_page,
	.is_in = lanes_is_in,
	.unfold = lanes_unfold,
};
