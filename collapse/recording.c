#include "collapse/recording.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/choice.h"
#include "collapse/collapse.h"
#include "collapse/finish.h"
#include "collapse/fold/fold_stacks.h"
#include "collapse/fold/owner_stack.h"
#include "collapse/output/output.h"
#include "collapse/output/quality_report.h"
#include "collapse/perfdata/build_ids.h"
#include "collapse/perfdata/event.h"
#include "collapse/perfdata/sample.h"
#include "collapse/perfdata/thread_dump.h"
#include "collapse/sched/derived.h"
#include "collapse/views/explain.h"
#include "collapse/views/parallelism_lane.h"
#include "collapse/views/timeline.h"
#include "collapse/views/wall.h"
#include "collapse/views/window_lengths.h"
#include "core/amount.h"
#include "core/error.h"
#include "core/format/events.h"
#include "core/format/recording.h"
#include "core/progress.h"
#include "core/str.h"
#include "core/unwind/jit_unwinding.h"
#include "core/wallclock.h"

/* --- choosing --------------------------------------------------------------------- */

static void check_columns(const struct collapse *c)
{
	const struct reading *r = &c->reading;
	const char *lacking;

	if (c->preset->timeline || c->preset->wall)
		return;
	for (size_t i = 0; i < r->data.event_count; i++) {
		const struct recorded_event *event = &r->data.events[i];

		if ((!r->event || event == r->event) && event->sample_count &&
		    !columns_fit(&r->gather.columns, event, &lacking))
			die_usage("%s: samples of %s have no '%s'", c->options.weight ? "--weight" : "--columns",
				  event->name, lacking);
	}
}

/* perf record --per-thread records no times unless -T is given. */
static void check_times(const struct collapse *c)
{
	const struct reading *r = &c->reading;

	for (size_t i = 0; i < r->data.event_count; i++) {
		const struct recorded_event *event = &r->data.events[i];

		if ((!r->event || event == r->event) && event->sample_count && event->layout.time < 0)
			die("%s: samples of %s have no time (perf record -T adds it)", r->data.path, event->name);
	}
}

static bool needs_parallelism(const struct collapse *c)
{
	return c->options.parallelism || columns_have(&c->reading.gather.columns, COLUMN_LATENCY) ||
	       roots_has(&c->reading.gather.roots, "parallelism");
}

/* Only samples of moments have a parallelism: spans of time do not, nor do samples that stand for many objects. */
static void check_moments(const struct collapse *c)
{
	const struct reading *r = &c->reading;
	const char *lacking;
	const struct columns latency = { { COLUMN_LATENCY }, 1, 0 };

	for (size_t i = 0; c->options.parallelism && i < r->data.event_count; i++) {
		const struct recorded_event *event = &r->data.events[i];

		if ((!r->event || event == r->event) && event->sample_count && !columns_fit(&latency, event, &lacking))
			die_usage("--parallelism: samples of %s are not moments of running code", event->name);
	}
	if (needs_parallelism(c))
		check_times(c);
}

static void collapse_recording_choose_times(struct collapse *c)
{
	struct reading *r = &c->reading;

	if (c->options.timed || c->preset->wall || c->options.from || c->options.to)
		check_times(c);
	finish_times(&c->options, clock_wall(&r->clock, r->sideband.first_ns),
		     clock_wall(&r->clock, r->sideband.last_ns),
		     r->clock.count ? NULL
				    : "no wall-clock time in this recording (perf record -k "
				      "CLOCK_MONOTONIC adds it)",
		     &r->gather.from_ns, &r->gather.to_ns);
	if (c->options.timed && !r->clock.count)
		warn("no wall-clock time in this recording (perf record -k CLOCK_MONOTONIC adds "
		     "it); "
		     "times are those of the kernel's clock");
}

static int choose_owners(struct collapse *c)
{
	struct owned *owned = &c->reading.sideband.owned;

	const char *chooses = options_choose_owners(&c->options, owned);

	if (chooses && !owned->group_count)
		return error("%s: %s does not say whose its processes are: perf or an older pyrograph made it", chooses,
			     c->reading.data.path);
	return 0;
}

static int choose_threads(struct collapse *c)
{
	struct runtime_names *names = &c->reading.sideband.thread_names;

	if (c->options.threads)
		names->wanted = regexp_compile(c->options.threads, "--threads");
	for (size_t i = 0; i < c->options.names.count; i++) {
		if (thread_dump_read(names, &c->reading.sideband.comms, c->options.names.items[i]) < 0)
			return -1;
	}
	return choose_owners(c);
}

/* --- samples ---------------------------------------------------------------------- */

/* Charts of states and CPUs over time draw single spans, and show short spans that were summed only as figures.  Heat
 * maps show sums at the times when the sums were made. */
static bool sums_have_no_time(const struct collapse *c)
{
	const struct recorded_event *e = c->reading.event;

	if (c->preset->timeline)
		return true;
	if (c->options.timed && c->options.output_format->spans && e && e->spans && e->attr.config2)
		return true;
	return c->options.timed && !c->options.heat && c->options.preset && c->preset->no_stack && e && e->spans &&
	       e->attr.config2 > 1;
}

/* Samples are limited to windows if the recording has some. */
static int choose_windows(struct collapse *c)
{
	struct reading *r = &c->reading;
	struct window_choice choice = window_choice_parse(c->options.between);

	if (c->preset->timeline && !c->options.between)
		return 0;
	windows_read(&r->windows, &r->data, &r->clock, choice);
	if (!r->windows.count && (c->options.between || roots_has(&r->gather.roots, "window")))
		r->nothing = true;
	if (r->nothing)
		return error("%s: has no windows (record them with pyrograph collect --between A,B)", r->data.path);
	if (r->windows.count && !c->preset->timeline) /* a timeline cuts its spans at windows itself, at the end */
		r->gather.windows = &r->windows;
	return 0;
}

static void prepare_gather(struct collapse *c)
{
	struct reading *r = &c->reading;
	const struct options *o = &c->options;
	struct gather *g = &r->gather;

	g->clock = &r->clock;
	g->stacks.places.nowhere_is_one = !o->style.addrs;
	g->stacks.places.spaces = &r->sideband.spaces;
	g->sideband = &r->sideband;
	g->user_stacks = &r->user_stacks;
	options_roots(o, c->preset, &g->roots);
	if (o->output_format->owners && !o->roots_asked && !o->heat && r->sideband.owned.group_count)
		roots_append(&g->roots, OWNER_ROOTS);
	g->roots.data = &r->data;
	g->roots.input = r->data.path;
	g->roots.sideband = &r->sideband;
	g->roots.pool = o->pool;
	options_columns(o, c->preset, r->event, &g->columns);
	g->states = options_states(o, c->preset);
	if (o->parallelism)
		levels_parse(&g->levels, o->parallelism, "--parallelism");
	g->min_ns = o->min_ns;
	g->max_ns = o->max_ns;
	g->timed = o->timed || c->preset->wall;
	g->sums_untimed = sums_have_no_time(c);
	g->sums_apart = o->heat && r->event && r->event->spans && r->event->attr.config2;
	g->no_stack = o->no_stack || c->preset->no_stack;
	g->no_wakers = o->no_wakers;
	g->owner_stack = owner_stack_parse(o->owner_stack ? o->owner_stack : "both", "--owner-stack");
	/* Idle threads count where the chart shows CPUs, but not where it shows states of threads. */
	g->no_idle = c->preset->no_idle && (o->preset || !roots_has(&g->roots, "cpu"));
	g->roots.state_frame = r->event && r->event->from_states && !g->no_stack;
	gather_start(g);
}

static void collapse_recording_add_sample(void *gather, struct recorded_sample *sample)
{
	gather_add(gather, sample);
}

/* May spans be summed, because no option needs the time or length of a single one? */
static bool may_sum(const struct options *o)
{
	return !o->timed && !o->from && !o->to && !o->min_ns && !o->max_ns;
}

static int read_derived(struct collapse *c)
{
	struct reading *r = &c->reading;
	const struct derived_request request = {
		.event = r->event,
		.may_sum = may_sum(&c->options),
		.whole_waits = may_sum(&c->options) && !roots_has(&r->gather.roots, "by"),
		.source = r->source,
		.source_argument = r->source_argument,
		.user_stacks = &r->user_stacks,
		.sink = collapse_recording_add_sample,
		.sink_argument = &r->gather,
	};

	return derived_read(&r->data, &r->sideband, &request);
}

enum { MANY_SAMPLES = 2000 };

/* Is it worth making the frames of stacks in a second thread?  Only for plain samples: stacks with wakers, or with
 * classes of objects, cannot be split off. */
static bool has_many_stacks(const struct collapse *c)
{
	const struct reading *r = &c->reading;
	const struct recorded_event *event = r->event;

	return r->sideband.samples >= MANY_SAMPLES && c->options.jobs != 1 && event && !event->spans &&
	       !event->allocations && !r->gather.no_stack && !roots_has(&r->gather.roots, "class");
}

static int collapse_recording_read_samples(struct collapse *c)
{
	struct reading *r = &c->reading;
	struct record_cursor cursor = perfdata_records(&r->data);
	struct recorded_sample sample;
	struct record record;

	if (c->preset->timeline)
		return timeline_lines_read(&c->timeline, r);
	if (c->preset->wall)
		return wall_read(r);
	if (r->event && r->event->derived && !r->event->lanes)
		return read_derived(c);
	if (needs_parallelism(c))
		parallelism_read(&c->parallelism, &r->data, &r->sideband, r->event);
	if (has_many_stacks(c))
		stacks_begin_parts(&r->gather.stacks);
	while (record_next(&cursor, &record)) {
		if (record.type != PERF_RECORD_SAMPLE || !sample_read(&r->data, &record, &sample))
			continue;
		if (r->event ? sample.event != r->event : sample.event->lanes || sample.event->windows)
			continue;
		if (c->parallelism.count && !sample.event->spans)
			sample.parallelism = parallelism_at(&c->parallelism, sample.time_ns);
		gather_add(&r->gather, &sample);
		progress("%s: %llu %%", r->data.path,
			 (unsigned long long)(100 * (cursor.at - r->data.data.offset) / r->data.data.size));
	}
	stacks_end_parts(&r->gather.stacks);
	progress_clear();
	return r->event && r->event->lanes ? parallelism_lane_read(r) : 0;
}

/* "2026-11-21T10:15:02.014Z", as --from takes it */
static void collapse_recording_add_time(struct str *out, uint64_t wall_ns)
{
	wallclock_add(out, wall_ns);
	out->len -= strlen("000000Z");
	out->buf[out->len] = '\0';
	str_addc(out, 'Z');
}

/* Append the time that the recording covers, if --from or --to was given. */
static void add_extent(struct str *out, const struct collapse *c)
{
	const struct reading *r = &c->reading;
	uint64_t first_ns = r->sideband.first_ns, last_ns = r->sideband.last_ns;

	if (!c->options.from && !c->options.to)
		return;
	if (!r->clock.count) {
		str_addf(out, ": the recording lasts %s", duration_text(last_ns - first_ns).text);
		return;
	}
	str_puts(out, ": the recording goes from ");
	collapse_recording_add_time(out, clock_wall(&r->clock, first_ns));
	str_puts(out, " to ");
	collapse_recording_add_time(out, clock_wall(&r->clock, last_ns));
}

static int collapse_recording_error_nothing_left(const struct collapse *c)
{
	const struct reading *r = &c->reading;
	struct str extent = { 0 }, asked = { 0 };
	struct options of_samples = c->options;

	add_extent(&extent, c);
	if (c->options.event)
		str_addf(&asked, " --event %s", c->options.event);
	if (r->gather.outside && !c->options.between)
		str_puts(&asked, " --between in, the default");
	of_samples.include.count = of_samples.exclude.count = 0;
	options_filter(&of_samples, &asked);
	error("%s: no sample of %llu is left%s%s%s", r->data.path, (unsigned long long)r->sideband.samples,
	      asked.len ? " after" : "", str_text(&asked), str_text(&extent));
	str_free(&asked);
	str_free(&extent);
	return -1;
}

static bool has_derived(const struct perfdata *d)
{
	for (size_t i = 0; i < d->event_count; i++) {
		if (d->events[i].derived && !d->events[i].lanes)
			return true;
	}
	return false;
}

static int check_something_is_left(struct collapse *c)
{
	struct reading *r = &c->reading;

	r->nothing = !r->gather.samples;
	if (!r->sideband.samples && r->sideband.aux.bytes)
		return aux_data_error(&r->sideband.aux, r->data.path);
	if (!r->sideband.samples && !r->gather.samples)
		return reading_nothing(r, "has no samples%s",
				       has_derived(&r->data) ? ", but context switches (--states, --offcpu)" : "");
	if (r->nothing && c->options.if_any && r->event)
		return reading_nothing(r, "%s was recorded, but has no samples", r->event->name);
	if (r->gather.sums)
		warn("%s: %llu samples are sums of several spans, which --min and --max leave out (collect --events "
		     "records single spans)",
		     r->data.path, (unsigned long long)r->gather.sums);
	return r->gather.samples ? 0 : collapse_recording_error_nothing_left(c);
}

/* --- output ----------------------------------------------------------------------- */

static void collapse_recording_make_header(const struct collapse *c, struct str *header)
{
	const struct reading *r = &c->reading;
	struct str filter = { 0 };
	struct origin origin = { .data = &r->data,
				 .event = r->event,
				 .filter = "",
				 .wall = c->preset->wall,
				 .guilty = &c->timeline.guilty,
				 .victims = &c->timeline.victims };

	options_filter(&c->options, &filter);
	if (filter.len)
		origin.filter = filter.buf + 1;
	origin.columns =
		!origin.wall && !c->options.weight && (c->options.columns || (c->preset->columns && !c->options.heat));
	if (c->options.timed)
		origin.seen = &c->seen;
	output_header(header, &origin, &r->gather, &c->fold);
	str_free(&filter);
}

static void write_quality(FILE *out, const void *collapse)
{
	const struct collapse *c = collapse;
	const struct reading *r = &c->reading;

	quality_report_write(out, &r->data, &r->gather, &c->fold, &r->names);
}

static bool has_timed_lines(const struct collapse *c)
{
	for (size_t i = 0; i < c->reading.gather.times.count; i++) {
		if (c->fold.lines[c->reading.gather.times.items[i].stack].kept)
			return true;
	}
	return false;
}

static int collapse_recording_write_output(struct collapse *c)
{
	struct reading *r = &c->reading;
	struct build_ids build_ids = { 0 };
	struct product product = { .fold = &c->fold,
				   .texts = &r->names.texts,
				   .names = &r->names,
				   .build_ids = &build_ids,
				   .roots = &r->gather.roots,
				   .roots_asked = c->options.roots_asked,
				   .source_lines = c->options.style.lines,
				   .spans = r->gather.timed && r->gather.singles &&
					    r->gather.columns.list[0] == COLUMN_TIME,
				   .unit = c->preset->wall ? "ns" : column_unit(r->gather.columns.list[0], r->event) };
	int status;

	if (c->options.quality)
		return output_write(c->options.output, write_quality, c);
	if (c->options.timed) {
		if (r->gather.timeless)
			warn("%s: samples at time 0, as of broken records: %llu; they have no time", r->data.path,
			     (unsigned long long)r->gather.timeless);
		r->gather.times.by_value = true;
		times_sort(&r->gather.times, c->fold.line_of_stack, &r->gather.columns);
		r->nothing = !has_timed_lines(c);
		if (r->nothing)
			return error("%s: only sums are left, whose times are not known (collect --events records "
				     "single spans)",
				     r->data.path);
		product.times = &r->gather.times;
	}
	collapse_recording_make_header(c, &product.header);
	timeline_lines_comments(&c->timeline, &product.header);
	if (r->event && r->event->lanes)
		lane_names_comments(&r->gather.roots.lanes, &product.header);
	if (c->options.output_format->tables)
		build_ids_read(&build_ids, &r->data);
	status = finish_product(&c->options, &product);
	build_ids_free(&build_ids);
	str_free(&product.header);
	return status;
}

/* --- warnings: what may mislead --------------------------------------------------------- */

/* Only their runtime knows the names of such frames; collect writes them when the recording ends. */
static bool has_runtime(const struct modules *modules)
{
	for (size_t i = 0; i < modules->count; i++) {
		if (path_is_runtime(modules->items[i].path, strlen(modules->items[i].path)))
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
	if (r->data.cut && has_runtime(r->names.modules))
		warn("%s: the file is cut off: frames of Java and Python have no names ([jit]), which are written last",
		     r->data.path);
	if (r->recorded.present || c->options.quality)
		return;
	quality_warn(&r->gather, &c->fold, &r->names, r->user_stacks.unwinder);
}

/* The arguments of "pyrograph collect" that record each span of an event by itself; NULL for several events. */
static const char *singly(const struct recorded_event *e)
{
	return event_row_of(!e ? NULL : e->from_states ? RECORDING_SCHED : e->name)->singly;
}

/* A sum has the time at which the collector wrote it: a heat map would show the collector's rhythm. */
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

/* Warn about data that the lines do not show, because it was not decoded, or lost. */
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
		inform("%s: left out waits %s, %s of the blocked time (--waits all keeps them)", c->reading.data.path,
		       c->options.waits ? "of other kinds" : "for work", percentage_text(f->left_out, f->all).text);
}

/* Report that most of a recording may be missing, unless the user asked for a part. */
static void judge_windows(const struct collapse *c)
{
	const struct reading *r = &c->reading;

	if (r->gather.outside && !c->options.between && !r->windows.choice.outside)
		inform("%s: %llu of %llu samples lie outside of windows, and are left out (--between all keeps them)",
		       r->data.path, (unsigned long long)r->gather.outside,
		       (unsigned long long)(r->gather.outside + r->gather.samples));
}

/* Warn on stderr about output that may mislead. */
static void judge(const struct collapse *c)
{
	if (quiet) /* some of these checks take time: finding the package with symbols for a file */
		return;
	judge_windows(c);
	judge_waits(c);
	judge_lacks(c);
	judge_stacks(c);
	judge_times(c);
	judge_parts(c);
}

/* --- the run ---------------------------------------------------------------------- */

static int collapse_recording_choose(struct collapse *c)
{
	struct reading *r = &c->reading;

	if (choose_threads(c) < 0)
		return -1;
	reading_find_source(r);
	derived_add_events(&r->data);
	if (c->options.preset && event_row_of(c->options.preset->event)->kind == EVENT_VALUES)
		parallelism_lane_add_event(&r->data);
	if (choice_make(r, &c->options, &c->preset) < 0)
		return -1;
	c->options.timed |= r->event && r->event->lanes; /* values at several times have no sum */
	collapse_recording_choose_times(c);
	prepare_gather(c);
	if (choose_windows(c) < 0)
		return -1;
	if (!r->gather.no_stack || r->gather.unseen_stack)
		user_stacks_start(&r->user_stacks, &r->data, &r->sideband);
	if (r->user_stacks.unwinder)
		jit_unwinding_add(r->user_stacks.unwinder, &r->jit, &r->sideband.modules);
	check_columns(c);
	check_moments(c);
	return 0;
}

static int collapse_recording_fold(struct collapse *c)
{
	struct reading *r = &c->reading;

	if (r->elsewhere.len && r->gather.stacks.places.count)
		warn("%s: %s", r->data.path, r->elsewhere.buf);
	reading_resolve(r);
	kernel_areas_assign(&r->sideband.kernel_areas, &r->gather.stacks.places);
	r->gather.roots.frames = &r->names;
	c->fold.waits = options_waits(&c->options, r->event);
	c->fold.no_stack = r->gather.no_stack;
	finish_rules(c, &r->names.texts);
	if (c->preset->timeline)
		timeline_lines_explain(&c->timeline, r);
	fold_stacks(&c->fold, &r->gather.stacks, &r->names, &r->gather.roots, &r->gather.root_keys);
	return finish_keep(c, &r->names.texts, r->event && r->event->lanes);
}

static int write_explanation(struct collapse *c)
{
	const struct explain_request how = { c->options.explain, c->options.output, c->options.correlate };

	return explain_run(&c->reading, &how);
}

static int collapse_recording_status_of(const struct collapse *c)
{
	return c->options.strict && (c->reading.data.cut || c->reading.sideband.damaged) ? -1 : 0;
}

int recording_run(struct collapse *c)
{
	struct reading *r = &c->reading;

	r->style = &c->options.style;
	r->between = c->options.between;
	r->may_be_nothing = c->options.if_any;
	if (reading_open(r, &c->input, !c->options.scan_only) < 0)
		return -1;
	if (c->options.scan_only)
		return 0;
	if (c->options.explain)
		return collapse_recording_choose(c) < 0 || write_explanation(c) < 0 ? -1
										    : collapse_recording_status_of(c);
	if (c->options.lengths)
		return collapse_recording_choose(c) < 0 || window_lengths_write(r, c->options.output) < 0
			       ? -1
			       : collapse_recording_status_of(c);
	if (collapse_recording_choose(c) < 0 || collapse_recording_read_samples(c) < 0 ||
	    check_something_is_left(c) < 0)
		return -1;
	if (c->options.timed)
		seen_read(&c->seen, &r->data, r->event, &r->clock);
	perfdata_drop_pages(&r->data);
	if (collapse_recording_fold(c) < 0 || collapse_recording_write_output(c) < 0)
		return -1;
	judge(c);
	return collapse_recording_status_of(c);
}
