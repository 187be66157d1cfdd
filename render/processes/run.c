/* "render processes": which processes ran when, as a tree of rows. */
#include "core/error.h"
#include "render/bars/bars_style.h"
#include "render/drawing/chart_entry.h"
#include "render/drawing/common_options.h"
#include "render/processes/processes.h"
#include "render/processes/processes_draw.h"

#define ROW_PX 18
#define TOP 300
#define POOL 4

static const struct manual manual = {
	.usage = "[options] [FILE...]",
	.about = "Draws which processes ran when: children below their parents, many of one name\n"
		 "in one row (cc1 x 412), with the critical path of what was waited for, and\n"
		 "sums by command.",
	.examples = "  pyrograph collapse --processes rec.data | pyrograph render processes >a.svg\n"
		    "  pyrograph render processes --pool 0 -o b.svg rec.folded     a row for each\n"
		    "  pyrograph render processes --exclude 'failed:' -o c.png rec.folded\n",
};

struct processes_options {
	struct bars_options common;
	const char *from, *to;
	int64_t height, top, pool;
};

static int processes_options_parse(struct processes_options *o, int argc, char **argv)
{
	const struct opt own[] = { { 0, "from", "TIME", "from 10:15:02.5, 2s, -10s, ... on", .text = &o->from },
				   { 0, "to", "TIME", "up to that time", .text = &o->to },
				   { 0, "height", "PX", "height of a row [" OPT_TEXT(ROW_PX) "]", .num = &o->height,
				     .min = 14, .max = 200 },
				   { 0, "top", "N", "draw N rows; 0: all [" OPT_TEXT(TOP) "]", .num = &o->top,
				     .max = 10000 },
				   { 0, "pool", "N", "one row for N or more of one name; 0: never [" OPT_TEXT(POOL) "]",
				     .num = &o->pool, .max = 1000000 },
				   { .name = "colors", .arg = "NAME", .text = &o->common.colors },
				   { 0 } };

	*o = (struct processes_options){ .height = ROW_PX, .top = TOP, .pool = POOL };
	argc = bars_options_parse_timed(&o->common, own, &manual, argc, argv);
	o->common.height = o->height;
	o->common.top = o->top;
	return argc;
}

static int processes_read_all(struct processes *p, const struct bars_style *style, char **argv, int count)
{
	argv = inputs_or_stdin(argv, &count);
	for (int i = 0; i < count; i++) {
		if (processes_read(p, argv[i], &style->lines) < 0)
			return -1;
	}
	return 0;
}

static int processes_run_draw(struct processes *p, const struct processes_options *o, const struct bars_style *style)
{
	struct bars_style own = *style;
	const char *wrong = bars_why_no_lines(p->lines, p->filtered_lines, p->bad_lines);

	own.title = style->title ? style->title : "Processes";
	if (!wrong)
		wrong = processes_finish(p, o->from, o->to, (uint32_t)o->pool);
	if (wrong)
		return bars_write_nothing(&own, "processes", wrong, o->common.output);
	bars_note_filters(&p->source, &o->common, o->from, o->to);
	return processes_write(p, &own, o->common.output) < 0;
}

static int processes_run_verb(int argc, char **argv)
{
	struct processes_options options;
	struct bars_style style;
	struct processes p = { 0 };
	int status = 1;

	argc = processes_options_parse(&options, argc, argv);
	bars_style_make(&style, &options.common);
	wanted_instant(options.from, "--from");
	wanted_instant(options.to, "--to");
	if (processes_read_all(&p, &style, argv, argc) == 0 &&
	    report_bad_lines(p.bad_lines, p.lines, options.common.strict) == 0)
		status = processes_run_draw(&p, &options, &style);
	processes_free(&p);
	bars_style_free(&style);
	bars_options_free(&options.common);
	return status;
}

const struct chart_entry processes_entry = {
	.verb = { "processes", "which processes ran when, and what was waited for", processes_run_verb },
	.page = &processes_page,
	.is_in = processes_is_in,
	.unfold = processes_unfold,
};
