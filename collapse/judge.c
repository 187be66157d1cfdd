#include "collapse/judge.h"

#include <string.h>

#include "collapse/output/output.h"
#include "collapse/output/quality_report.h"
#include "core/error.h"
#include "core/format/events.h"
#include "core/format/recording.h"
#include "core/str.h"

/* Only the JVM knows the names of Java frames; collect writes them when the recording ends. */
static bool has_java(const struct modules *modules)
{
	for (size_t i = 0; i < modules->count; i++) {
		if (path_is_java(modules->items[i].path, strlen(modules->items[i].path)))
			return true;
	}
	return false;
}

/* Warn about incomplete stacks, and their cause.  For our own recordings the collector has already
 * warned, and the pictures show it. */
static void judge_stacks(const struct collapse *c)
{
	const struct reading *r = &c->reading;

	if (r->data.cut && r->event && r->event->spans)
		warn("%s: the file is cut off: spans that were still open, perhaps long ones, may be missing, since "
		     "most spans are recorded when they end",
		     r->data.path);
	if (r->data.cut && has_java(r->names.modules))
		warn("%s: the file is cut off: Java frames have no names ([jit]), which are written last",
		     r->data.path);
	if (r->recorded.present || c->options.quality)
		return;
	quality_warn(&r->gather, &c->fold, &r->names, r->user_stacks.unwinder);
}

/* What of "pyrograph collect" records single spans of an event; NULL: of several events. */
static const char *singly(const struct recorded_event *e)
{
	return event_row_of(!e ? NULL : e->from_states ? RECORDING_SCHED : e->name)->singly;
}

/* A sum has the time at which the collector wrote it: a heat map would show the collector's clock. */
static void judge_times(const struct collapse *c)
{
	const struct reading *r = &c->reading;
	const struct gather *g = &r->gather;
	struct str about = { 0 };

	if (!c->options.heat || !g->summed)
		return;
	output_about(&about, gather_summed_about(g));
	warn("%s: %llu of %llu lines are sums of about %s, shown at the time when they were written: 'pyrograph "
	     "collect %s' records single spans",
	     r->data.path, (unsigned long long)g->summed, (unsigned long long)g->times.count, about.buf,
	     singly(r->event));
	str_free(&about);
}

/* Single spans are cut exactly at --from and --to; sums can only be split pro rata. */
static void judge_parts(const struct collapse *c)
{
	const struct reading *r = &c->reading;
	const struct gather *g = &r->gather;
	struct str about = { 0 };

	if (c->options.heat || !g->cut_sums)
		return;
	output_about(&about, g->cut_ns / g->cut_sums);
	warn("%s: %s cut %llu sums of about %s, which are split pro rata: totals may not match the "
	     "selected time ('pyrograph collect %s' records single spans)",
	     r->data.path, g->windows ? "windows" : "--from, --to", (unsigned long long)g->cut_sums, about.buf,
	     singly(r->event));
	str_free(&about);
}

/* Warn about data that the lines do not show: not decoded, or lost. */
static void judge_lacks(const struct collapse *c)
{
	const struct reading *r = &c->reading;

	aux_data_warn(&r->sideband.aux, r->data.path);
	if (r->user_stacks.orphans)
		warn("%s: %llu %s no user stack: the record that completes it was lost", r->data.path,
		     (unsigned long long)r->user_stacks.orphans,
		     r->user_stacks.orphans == 1 ? "sample has" : "samples have");
}

/* Tell how much of the blocked time is not shown. */
static void judge_waits(const struct collapse *c)
{
	const struct fold *f = &c->fold;

	if (f->left_out)
		inform("%s: left out waits %s, %.1f %% of the blocked time (--waits all keeps them)",
		       c->reading.data.path, c->options.waits ? "of other kinds" : "for work",
		       100.0 * (double)f->left_out / (double)f->all);
}

/* Tell that most of a recording may be missing, unless that was asked for. */
static void judge_windows(const struct collapse *c)
{
	const struct reading *r = &c->reading;

	if (r->gather.outside && !c->options.between && !r->windows.choice.outside)
		inform("%s: %llu of %llu samples lie outside of windows, and are left out (--between all keeps them)",
		       r->data.path, (unsigned long long)r->gather.outside,
		       (unsigned long long)(r->gather.outside + r->gather.samples));
}

void judge(const struct collapse *c)
{
	if (quiet) /* some of it takes time: which package has names for a file */
		return;
	judge_windows(c);
	judge_waits(c);
	judge_lacks(c);
	judge_stacks(c);
	judge_times(c);
	judge_parts(c);
}
