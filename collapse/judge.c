#include "collapse/judge.h"

#include <string.h>

#include "collapse/output/output.h"
#include "collapse/output/quality_report.h"
#include "core/error.h"
#include "core/format/recording.h"
#include "core/str.h"

/* Names of Java frames, which nothing but the JVM has, are written when a recording ends. */
static bool has_java(const struct modules *modules)
{
	for (size_t i = 0; i < modules->count; i++) {
		if (path_is_java(modules->items[i].path, strlen(modules->items[i].path)))
			return true;
	}
	return false;
}

/* A capture that shows little should say so, and why.  Of one of ours the collector
 * has said it, and its pictures say it. */
static void judge_stacks(const struct collapse *c)
{
	if (c->data.cut && c->choice.event && c->choice.event->spans)
		warn("%s: what threads had been doing when it was cut off, for a long time perhaps, may be "
		     "missing: time is recorded when it ends, or now and then",
		     c->data.path);
	if (c->data.cut && has_java(c->names.modules))
		warn("%s: Java frames have no names, [jit]: they are written at the end", c->data.path);
	if (c->recorded.present || c->options.quality)
		return;
	quality_warn(&c->gather, &c->fold, &c->names, c->user_stacks.unwinder);
}

/* What has single spans of an event; NULL: several events. */
static const char *singly(const struct recorded_event *e)
{
	if (!e)
		return "SOURCE --events";
	if (!strcmp(e->name, RECORDING_WAKEUP))
		return "wakeup --min 1us";
	return e->from_states || !strcmp(e->name, RECORDING_SCHED) ? "sched --events" : "offcpu --events";
}

/* A heat map would show them where the collector's clock ticked. */
static void judge_times(const struct collapse *c)
{
	const struct gather *g = &c->gather;
	struct str about = { 0 };

	if (!c->options.heat || !g->summed)
		return;
	output_about(&about, gather_summed_about(g));
	warn("%s: %llu of %llu lines are sums of about %s, at the time when they were made, and no events: "
	     "'pyrograph collect %s' records single ones",
	     c->data.path, (unsigned long long)g->summed, (unsigned long long)g->times.count, about.buf,
	     singly(c->choice.event));
	str_free(&about);
}

/* The parts of a thread's states would add up to the wanted time, had they been single spans. */
static void judge_parts(const struct collapse *c)
{
	const struct gather *g = &c->gather;
	struct str about = { 0 };

	if (c->options.heat || !g->cut_sums)
		return;
	output_about(&about, g->cut_ns / g->cut_sums);
	warn("%s: --from, --to cut %llu sums of about %s, which are taken in proportion and need not add up to "
	     "that time: 'pyrograph collect %s' records single ones",
	     c->data.path, (unsigned long long)g->cut_sums, about.buf, singly(c->choice.event));
	str_free(&about);
}

/* What the recording has, and the lines do not show. */
static void judge_lacks(const struct collapse *c)
{
	aux_data_warn(&c->sideband.aux, c->data.path);
	if (c->user_stacks.orphans)
		warn("%s: %llu %s no user stack: it was to come later, and was lost", c->data.path,
		     (unsigned long long)c->user_stacks.orphans,
		     c->user_stacks.orphans == 1 ? "sample has" : "samples have");
}

void judge(const struct collapse *c)
{
	judge_lacks(c);
	judge_stacks(c);
	judge_times(c);
	judge_parts(c);
}
