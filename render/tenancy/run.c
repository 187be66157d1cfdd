/* "render tenancy": which CPUs threads ran on, or which threads ran on each CPU. */
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "render/bars/bars.h"
#include "render/bars/bars_style.h"
#include "render/bars/chart.h"
#include "render/drawing/chart_entry.h"
#include "render/tenancy/tenancy.h"
#include "render/timeline/timeline_code.h"
#include "render/timeline/timeline_draw.h"

static const struct manual manual = {
	.usage = "[options] [FILE...]",
	.about = "Draws which threads ran on which CPUs, in sum or over time.",
	.examples = "  pyrograph collapse --tenancy rec.data | pyrograph render tenancy >cpus.svg\n"
		    "  pyrograph collapse --tenancy -t rec.data | pyrograph render tenancy >a.svg\n"
		    "  pyrograph render tenancy --by cpu -o cpus.svg rec.folded\n"
		    "  pyrograph collapse --states -t rec.data | pyrograph render tenancy >b.svg\n",
	.more = "Lines that are spans of time (collapse --timed) are drawn over time.\n",
};

/* The options in addition to those of all bar charts. */
struct tenancy_options {
	struct bars_options common;
	const char *by;
	bool total;
	uint64_t detail; /* bytes; 0: everything */
};

static int tenancy_options_parse(struct tenancy_options *o, int argc, char **argv)
{
	const struct opt own[] = {
		{ 0, "by", "WHAT", "rows: thread, cpu (by thread), or state [thread]", .text = &o->by,
		  .choices = "thread cpu state" },
		{ 0, "total", NULL, "draw sums even if the lines are spans of time", .flag = &o->total },
		{ .name = "from", .help = "over time: from 10:15:02.5, 2s, -10s, ... on" },
		{ .name = "to" },
		{ 0, "sort", "HOW", "rows by time, waiting, name, first, moves [time]", .text = &o->common.sort,
		  .choices = "time waiting name first moves" },
		{ 0, "detail", "SIZE", "put short spans of a larger file together [16M]", .bytes = &o->detail },
		{ 0 }
	};

	*o = (struct tenancy_options){ .common = BARS_OPTIONS, .detail = 16 << 20 };
	return bars_options_parse(&o->common, own, &manual, argc, argv);
}

/* ---- checks ----------------------------------------------------------------- */

static enum timeline_order tenancy_parse_order(const char *name, bool by_state)
{
	static const char *const names[] = { "time", "name", "first", "moves", "waiting" };

	for (size_t i = 0; name && i < sizeof(names) / sizeof(names[0]); i++) {
		if (!strcmp(name, names[i]))
			return (enum timeline_order)i;
	}
	if (name)
		die_usage("--sort needs time, name, first, moves or waiting, not '%s'", name);
	return by_state ? TIMELINE_BY_WAITING : TIMELINE_BY_TIME;
}

static struct timeline_wish tenancy_wish_of(const struct tenancy_options *o)
{
	const char *by = o->by ? o->by : "thread";

	if (strcmp(by, "thread") && strcmp(by, "cpu") && strcmp(by, "state"))
		die_usage("--by needs thread, cpu or state, not '%s'", by);
	return (struct timeline_wish){ .by_cpu = !strcmp(by, "cpu"),
				       .by_state = !strcmp(by, "state"),
				       .total = o->total,
				       .order = tenancy_parse_order(o->common.sort, !strcmp(by, "state")) };
}

/* Refuse options that have no meaning for the chosen form: sums, or over time. */
static void check_form(const struct tenancy_options *o, bool over_time)
{
	const struct bars_options *c = &o->common;

	if (c->row)
		die_usage("--row is for render states");
	if (over_time && (c->pools || c->fold.count || c->by_count || c->min_share))
		die_usage("--pools, --fold, --count and --min-share are for sums: add --total");
	if (!over_time && (c->common.from || c->common.to))
		die_usage("--from and --to need lines that are spans of time (collapse --timed); "
			  "collapse has --from and --to, too");
}

/* ---- the chart -------------------------------------------------------------- */

struct tenancy {
	struct timeline t; /* must be first: it begins with a struct rows_input */
	bool over_time;    /* else sums */
};

static const char *tenancy_finish(void *chart, const struct bars_options *common)
{
	const struct tenancy_options *o = (const struct tenancy_options *)common;
	struct timeline_wish wish = tenancy_wish_of(o);
	struct tenancy *c = chart;
	struct timeline *t = &c->t;
	const char *wrong = NULL;

	if (t->timed && t->summed && !o->total)
		warn("some lines are spans of time, others sums: drawn as sums");
	if (!t->time_ns)
		return "all values are zero";
	c->over_time = t->timed && !t->summed && !o->total;
	wish.total = !c->over_time;
	check_form(o, c->over_time);
	if (c->over_time)
		wrong = timeline_find_window(t, common->common.from, common->common.to);
	else
		timeline_window(t);
	if (!wrong)
		wrong = timeline_arrange(t, &wish);
	if (wrong)
		return wrong;
	if (c->over_time)
		timeline_merge(t, o->detail / TIMELINE_SPAN_BYTES);
	timeline_colours(t);
	return NULL;
}

static const char *tenancy_title_of(const struct timeline *t)
{
	if (t->kinds_are_states)
		return "Thread States over Time";
	return t->by_cpu ? "CPU Tenancy by CPU" : "CPU Tenancy";
}

static int tenancy_write(const void *chart, const struct bars_style *style, const char *path)
{
	const struct tenancy *c = chart;
	struct bars_style own = *style;

	if (!c->over_time)
		return tenancy_draw_sums(&c->t, style, path) ? -1 : 0;
	own.title = style->title ? style->title : tenancy_title_of(&c->t);
	return timeline_write(&c->t, &own, "tenancy", path);
}

static int tenancy_run_verb(int argc, char **argv)
{
	static const struct rows_chart chart = { "tenancy",      NULL,          timeline_read_spans,
						 tenancy_finish, tenancy_write, timeline_leave };
	struct tenancy_options options;
	struct tenancy c = { 0 };

	argc = tenancy_options_parse(&options, argc, argv);
	tenancy_wish_of(&options);
	return rows_run(&chart, &c, &options.common, argv, argc);
}

/* The script file contains both forms; each starts if its data is there. */
static const struct page tenancy_page = { .base = &timeline_page, .scripts = bars_scripts, .style = "bars/bars.css" };

const struct chart_entry tenancy_entry = {
	.verb = { "tenancy", "which threads ran on which CPUs, in sum or over time", tenancy_run_verb },
	.page = &tenancy_page,
	.is_in = bars_are_in,
	.unfold = bars_unfold,
};
