/* "render processes": which processes ran when, as a tree of rows. */
#include "render/drawing/chart_entry.h"
#include "render/processes/processes.h"
#include "render/processes/processes_draw.h"
#include "render/rows/rows.h"

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
	int64_t pool;
};

static int processes_options_parse(struct processes_options *o, int argc, char **argv)
{
	const struct opt own[] = {
		{ .name = "from" },
		{ .name = "to" },
		{ .name = "height", .help = "height of a row [" OPT_TEXT(ROW_PX) "]", .min = 14, .max = 200 },
		{ .name = "top", .help = "draw N rows; 0: all [" OPT_TEXT(TOP) "]", .max = 10000 },
		{ 0, "pool", "N", "one row for N or more of one name; 0: never [" OPT_TEXT(POOL) "]", .num = &o->pool,
		  .max = 1000000 },
		{ .name = "colors", .arg = "NAME", .text = &o->common.common.colors },
		{ 0 }
	};

	*o = (struct processes_options){ .common = BARS_OPTIONS, .pool = POOL };
	o->common.height = ROW_PX;
	o->common.top = TOP;
	return bars_options_parse_timed(&o->common, own, &manual, argc, argv);
}

static int processes_read_file(void *p, const char *path, const struct line_filter *filter)
{
	return processes_read(p, path, filter);
}

static const char *processes_run_finish(void *p, const struct bars_options *o)
{
	const struct processes_options *own = (const struct processes_options *)o;

	return processes_finish(p, o->common.from, o->common.to, (uint32_t)own->pool);
}

static void processes_leave(void *p)
{
	processes_free(p);
}

static int processes_run_verb(int argc, char **argv)
{
	static const struct rows_chart chart = { "processes",          "Processes",     processes_read_file,
						 processes_run_finish, processes_write, processes_leave };
	struct processes_options options;
	struct processes p = { 0 };

	argc = processes_options_parse(&options, argc, argv);
	return rows_run(&chart, &p, &options.common, argv, argc);
}

const struct chart_entry processes_entry = {
	.verb = { "processes", "which processes ran when, and what was waited for", processes_run_verb },
	.page = &processes_page,
	.is_in = processes_is_in,
	.unfold = processes_unfold,
};
