#include "collapse/recording.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/explain.h"
#include "collapse/finish.h"
#include "collapse/fold/fold_stacks.h"
#include "collapse/fold/owner_stack.h"
#include "collapse/judge.h"
#include "collapse/parallelism_lane.h"
#include "collapse/output/output.h"
#include "collapse/output/quality_report.h"
#include "collapse/perfdata/build_ids.h"
#include "collapse/perfdata/event.h"
#include "collapse/perfdata/jit_dumps.h"
#include "collapse/perfdata/same_boot.h"
#include "collapse/perfdata/sample.h"
#include "collapse/perfdata/thread_dump.h"
#include "collapse/sched/derived.h"
#include "collapse/timeline.h"
#include "collapse/wall.h"
#include "collapse/window_lengths.h"
#include "core/error.h"
#include "core/progress.h"
#include "core/unwind/jit_unwinding.h"
#include "core/wallclock.h"

/* --- choosing --------------------------------------------------------------------- */

static void check_columns(const struct collapse *c)
{
	const char *lacking;

	if (c->choice.preset->timeline || c->choice.preset->wall)
		return;
	for (size_t i = 0; i < c->data.event_count; i++) {
		const struct recorded_event *event = &c->data.events[i];

		if ((!c->choice.event || event == c->choice.event) && event->sample_count &&
		    !columns_fit(&c->gather.columns, event, &lacking))
			die_usage("%s: samples of %s have no '%s'", c->options.weight ? "--weight" : "--columns",
				  event->name, lacking);
	}
}

/* perf record --per-thread records no times unless -T is given. */
static void check_times(const struct collapse *c)
{
	for (size_t i = 0; i < c->data.event_count; i++) {
		const struct recorded_event *event = &c->data.events[i];

		if ((!c->choice.event || event == c->choice.event) && event->sample_count && event->layout.time < 0)
			die("%s: samples of %s have no time (perf record -T adds it)", c->data.path, event->name);
	}
}

static bool needs_parallelism(const struct collapse *c)
{
	return c->options.parallelism || columns_have(&c->gather.columns, COLUMN_LATENCY) ||
	       roots_has(&c->gather.roots, "parallelism");
}

/* Only moments have a parallelism: not spans of time, nor what stands for many objects. */
static void check_moments(const struct collapse *c)
{
	const char *lacking;
	const struct columns latency = { { COLUMN_LATENCY }, 1, 0 };

	for (size_t i = 0; c->options.parallelism && i < c->data.event_count; i++) {
		const struct recorded_event *event = &c->data.events[i];

		if ((!c->choice.event || event == c->choice.event) && event->sample_count &&
		    !columns_fit(&latency, event, &lacking))
			die_usage("--parallelism: samples of %s are not moments of running code", event->name);
	}
	if (needs_parallelism(c))
		check_times(c);
}

static void collapse_recording_choose_times(struct collapse *c)
{
	if (c->options.timed || c->choice.preset->wall || c->options.from || c->options.to)
		check_times(c);
	finish_times(&c->options, clock_wall(&c->clock, c->sideband.first_ns),
		     clock_wall(&c->clock, c->sideband.last_ns),
		     c->clock.count ? NULL
				    : "no wall-clock time in this recording (perf record -k "
				      "CLOCK_MONOTONIC adds it)",
		     &c->gather.from_ns, &c->gather.to_ns);
	if (c->options.timed && !c->clock.count)
		warn("no wall-clock time in this recording (perf record -k CLOCK_MONOTONIC adds "
		     "it); "
		     "times are those of the kernel's clock");
}

static int choose_threads(struct collapse *c)
{
	struct runtime_names *names = &c->sideband.thread_names;

	if (c->options.threads)
		names->wanted = regexp_compile(c->options.threads, "--threads");
	for (size_t i = 0; i < c->options.names.count; i++) {
		if (thread_dump_read(names, &c->sideband.comms, c->options.names.items[i]) < 0)
			return -1;
	}
	return 0;
}

static void choose_names(struct collapse *c)
{
	c->source = c->recorded.present ? recorded_source : live_source;
	c->live.inlined = !c->options.style.no_inlined || c->options.style.lines;
	c->live.lines = c->options.style.lines;
	c->live.kernel_code = &c->sideband.kernel_code;
	c->source_argument = c->recorded.present ? (void *)&c->recorded : &c->live;
}

/* Our own recordings contain all their names. */
static void find_where(struct collapse *c)
{
	clock_read(&c->clock, &c->data);
	if (c->recorded.present || is_same_boot(&c->data, &c->sideband, &c->clock, &c->elsewhere))
		return;
	live_is_elsewhere(&c->live);
	modules_are_elsewhere(&c->sideband.modules);
}

/* --- samples ---------------------------------------------------------------------- */

/* Charts of states and CPUs over time draw single spans; short ones that were summed are in the figures only.  Heat
 * maps have the sums at the times when they were made. */
static bool sums_have_no_time(const struct collapse *c)
{
	const struct recorded_event *e = c->choice.event;

	if (c->choice.preset->timeline)
		return true;
	if (c->options.timed && c->options.output_format->spans && e && e->spans && e->attr.config2)
		return true;
	return c->options.timed && !c->options.heat && c->options.preset && c->choice.preset->no_stack && e &&
	       e->spans && e->attr.config2 > 1;
}

/* Samples are limited to windows where the recording has some. */
static int choose_windows(struct collapse *c)
{
	struct window_choice choice = window_choice_parse(c->options.between);

	if (c->choice.preset->timeline && !c->options.between)
		return 0;
	windows_read(&c->windows, &c->data, &c->clock, choice);
	if (!c->windows.count && (c->options.between || roots_has(&c->gather.roots, "window")))
		c->choice.nothing = true;
	if (c->choice.nothing)
		return error("%s: has no windows (record them with pyrograph collect --between A,B)", c->data.path);
	if (c->windows.count && !c->choice.preset->timeline) /* which cuts its spans itself, in the end */
		c->gather.windows = &c->windows;
	return 0;
}

static void prepare_gather(struct collapse *c)
{
	const struct options *o = &c->options;
	struct gather *g = &c->gather;

	g->clock = &c->clock;
	g->stacks.places.nowhere_is_one = !o->style.addrs;
	g->stacks.places.spaces = &c->sideband.spaces;
	g->sideband = &c->sideband;
	g->user_stacks = &c->user_stacks;
	options_roots(o, c->choice.preset, &g->roots);
	g->roots.data = &c->data;
	g->roots.input = c->data.path;
	g->roots.sideband = &c->sideband;
	g->roots.pool = o->pool;
	options_columns(o, c->choice.preset, c->choice.event, &g->columns);
	g->states = options_states(o, c->choice.preset);
	if (o->parallelism)
		levels_parse(&g->levels, o->parallelism, "--parallelism");
	g->min_ns = o->min_ns;
	g->max_ns = o->max_ns;
	g->timed = o->timed || c->choice.preset->wall;
	g->sums_untimed = sums_have_no_time(c);
	g->sums_apart = o->heat && c->choice.event && c->choice.event->spans && c->choice.event->attr.config2;
	g->no_stack = o->no_stack || c->choice.preset->no_stack;
	g->no_wakers = o->no_wakers;
	g->owner_stack = owner_stack_parse(o->owner_stack ? o->owner_stack : "both", "--owner-stack");
	/* Idle threads count where CPUs are shown, not where the states of threads are. */
	g->no_idle = c->choice.preset->no_idle && (o->preset || !roots_has(&g->roots, "cpu"));
	g->roots.state_frame = c->choice.event && c->choice.event->from_states && !g->no_stack;
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
	const struct derived_request request = {
		.event = c->choice.event,
		.may_sum = may_sum(&c->options),
		.whole_waits = may_sum(&c->options) && !roots_has(&c->gather.roots, "by"),
		.source = c->source,
		.source_argument = c->source_argument,
		.user_stacks = &c->user_stacks,
		.sink = collapse_recording_add_sample,
		.sink_argument = &c->gather,
	};

	return derived_read(&c->data, &c->sideband, &request);
}

enum { MANY_SAMPLES = 2000 };

/* Is it worth a thread to make the frames of stacks beside this one?  Only plain samples: what wakers and classes of objects need
 * is not divided. */
static bool has_many_stacks(const struct collapse *c)
{
	const struct recorded_event *event = c->choice.event;

	return c->sideband.samples >= MANY_SAMPLES && c->options.jobs != 1 && event && !event->spans &&
	       !event->allocations && !c->gather.no_stack && !roots_has(&c->gather.roots, "class");
}

static int collapse_recording_read_samples(struct collapse *c)
{
	struct record_cursor cursor = perfdata_records(&c->data);
	struct recorded_sample sample;
	struct record r;

	if (c->choice.preset->timeline)
		return timeline_lines_read(&c->timeline, c);
	if (c->choice.preset->wall)
		return wall_read(c);
	if (c->choice.event && c->choice.event->derived && !c->choice.event->lanes)
		return read_derived(c);
	if (needs_parallelism(c))
		parallelism_read(&c->parallelism, &c->data, &c->sideband, c->choice.event);
	if (has_many_stacks(c))
		stacks_begin_parts(&c->gather.stacks);
	while (record_next(&cursor, &r)) {
		if (r.type != PERF_RECORD_SAMPLE || !sample_read(&c->data, &r, &sample))
			continue;
		if (c->choice.event ? sample.event != c->choice.event : sample.event->lanes || sample.event->windows)
			continue;
		if (c->parallelism.count && !sample.event->spans)
			sample.parallelism = parallelism_at(&c->parallelism, sample.time_ns);
		gather_add(&c->gather, &sample);
		progress("%s: %llu %%", c->data.path,
			 (unsigned long long)(100 * (cursor.at - c->data.data.offset) / c->data.data.size));
	}
	stacks_end_parts(&c->gather.stacks);
	progress_clear();
	return c->choice.event && c->choice.event->lanes ? parallelism_lane_read(c) : 0;
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
	uint64_t first_ns = c->sideband.first_ns, last_ns = c->sideband.last_ns;

	if (!c->options.from && !c->options.to)
		return;
	if (!c->clock.count) {
		str_addf(out, ": the recording lasts %.3f s", (double)(last_ns - first_ns) / NS_PER_SEC);
		return;
	}
	str_puts(out, ": the recording goes from ");
	collapse_recording_add_time(out, clock_wall(&c->clock, first_ns));
	str_puts(out, " to ");
	collapse_recording_add_time(out, clock_wall(&c->clock, last_ns));
}

static int collapse_recording_error_nothing_left(const struct collapse *c)
{
	struct str extent = { 0 }, asked = { 0 };
	struct options of_samples = c->options;

	add_extent(&extent, c);
	if (c->options.event)
		str_addf(&asked, " --event %s", c->options.event);
	if (c->gather.outside && !c->options.between)
		str_puts(&asked, " --between in, the default");
	of_samples.include.count = of_samples.exclude.count = 0;
	options_filter(&of_samples, &asked);
	error("%s: no sample of %llu is left%s%s%s", c->data.path, (unsigned long long)c->sideband.samples,
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
	c->choice.nothing = !c->gather.samples;
	if (!c->sideband.samples && c->sideband.aux.bytes)
		return aux_data_error(&c->sideband.aux, c->data.path);
	if (!c->sideband.samples && !c->gather.samples)
		return error("%s: has no samples%s", c->data.path,
			     has_derived(&c->data) ? ", but context switches (--states, --offcpu)" : "");
	if (c->choice.nothing && c->options.if_any && c->choice.event)
		return error("%s: %s was recorded, but has no samples", c->data.path, c->choice.event->name);
	if (c->gather.sums)
		warn("%s: %llu samples are sums of several spans, which --min and --max leave out (collect --events "
		     "records single spans)",
		     c->data.path, (unsigned long long)c->gather.sums);
	return c->gather.samples ? 0 : collapse_recording_error_nothing_left(c);
}

/* --- output ----------------------------------------------------------------------- */

static void collapse_recording_make_header(const struct collapse *c, struct str *header)
{
	struct str filter = { 0 };
	struct origin origin = {
		.data = &c->data, .event = c->choice.event, .filter = "", .wall = c->choice.preset->wall
	};

	options_filter(&c->options, &filter);
	if (filter.len)
		origin.filter = filter.buf + 1;
	origin.columns = !origin.wall && !c->options.weight &&
			 (c->options.columns || (c->choice.preset->columns && !c->options.heat));
	if (c->options.timed)
		origin.seen = &c->seen;
	output_header(header, &origin, &c->gather, &c->fold);
	str_free(&filter);
}

static void write_quality(FILE *out, const void *collapse)
{
	const struct collapse *c = collapse;

	quality_report_write(out, &c->data, &c->gather, &c->fold, &c->names);
}

static bool has_timed_lines(const struct collapse *c)
{
	for (size_t i = 0; i < c->gather.times.count; i++) {
		if (c->fold.lines[c->gather.times.items[i].stack].kept)
			return true;
	}
	return false;
}

static int collapse_recording_write_output(struct collapse *c)
{
	struct build_ids build_ids = { 0 };
	struct product product = {
		.fold = &c->fold,
		.texts = &c->names.texts,
		.names = &c->names,
		.build_ids = &build_ids,
		.roots = &c->gather.roots,
		.roots_asked = c->options.roots_asked,
		.source_lines = c->options.style.lines,
		.spans = c->gather.timed && c->gather.singles && c->gather.columns.list[0] == COLUMN_TIME,
		.unit = c->choice.preset->wall ? "ns" : column_unit(c->gather.columns.list[0], c->choice.event)
	};
	int status;

	if (c->options.quality)
		return finish_write(&c->options, write_quality, c);
	if (c->options.timed) {
		if (c->gather.timeless)
			warn("%s: samples at time 0, as of broken records: %llu; they have no time", c->data.path,
			     (unsigned long long)c->gather.timeless);
		c->gather.times.by_value = true;
		times_sort(&c->gather.times, c->fold.line_of_stack, &c->gather.columns);
		c->choice.nothing = !has_timed_lines(c);
		if (c->choice.nothing)
			return error("%s: only sums are left, whose times are not known (collect --events records "
				     "single spans)",
				     c->data.path);
		product.times = &c->gather.times;
	}
	collapse_recording_make_header(c, &product.header);
	timeline_lines_comments(&c->timeline, &product.header);
	if (c->choice.event && c->choice.event->lanes)
		lane_names_comments(&c->gather.roots.lanes, &product.header);
	if (c->options.output_format->tables)
		build_ids_read(&build_ids, &c->data);
	status = finish_product(&c->options, &product);
	build_ids_free(&build_ids);
	str_free(&product.header);
	return status;
}

/* --- the run ---------------------------------------------------------------------- */

static int open_recording(struct collapse *c)
{
	int status = perfdata_open(&c->data, &c->input);

	input_close(&c->input);
	if (status < 0)
		return -1;
	recorded_symbols_read(&c->recorded, &c->data);
	c->live.saved = true;
	if (!c->recorded.present && !c->options.scan_only)
		live_start(&c->live);
	sideband_read(&c->sideband, &c->data);
	return 0;
}

static int collapse_recording_choose(struct collapse *c)
{
	if (choose_threads(c) < 0)
		return -1;
	find_where(c);
	if (!c->recorded.present && !c->live.elsewhere)
		c->live.jit = jit_dumps_read(&c->jit, &c->data, &c->sideband) ? &c->jit : NULL;
	derived_add_events(&c->data);
	parallelism_lane_add_event(&c->data, &c->options);
	if (choice_make(&c->data, &c->options, &c->choice) < 0)
		return -1;
	c->options.timed |= c->choice.event && c->choice.event->lanes; /* values at several times have no sum */
	collapse_recording_choose_times(c);
	choose_names(c);
	prepare_gather(c);
	if (choose_windows(c) < 0)
		return -1;
	if (!c->gather.no_stack || c->gather.unseen_stack)
		user_stacks_start(&c->user_stacks, &c->data, &c->sideband);
	if (c->user_stacks.unwinder)
		jit_unwinding_add(c->user_stacks.unwinder, &c->jit, &c->sideband.modules);
	check_columns(c);
	check_moments(c);
	return 0;
}

static int collapse_recording_fold(struct collapse *c)
{
	if (c->elsewhere.len && c->gather.stacks.places.count)
		warn("%s: %s", c->data.path, c->elsewhere.buf);
	places_resolve(&c->gather.stacks.places, &c->sideband.modules, c->source, c->source_argument);
	kernel_areas_assign(&c->sideband.kernel_areas, &c->gather.stacks.places);
	c->names = (struct names){ .style = &c->options.style,
				   .modules = &c->sideband.modules,
				   .places = &c->gather.stacks.places,
				   .comms = &c->sideband.comms.names };
	c->gather.roots.frames = &c->names;
	c->fold.waits = options_waits(&c->options, c->choice.event);
	c->fold.no_stack = c->gather.no_stack;
	finish_rules(c, &c->names.texts);
	if (c->choice.preset->timeline)
		timeline_lines_explain(&c->timeline, c);
	fold_stacks(&c->fold, &c->gather.stacks, &c->names, &c->gather.roots, &c->gather.root_keys);
	return finish_keep(c, &c->names.texts, c->choice.event && c->choice.event->lanes);
}

static int collapse_recording_status_of(const struct collapse *c)
{
	return c->options.strict && (c->data.cut || c->sideband.damaged) ? -1 : 0;
}

int recording_run(struct collapse *c)
{
	if (open_recording(c) < 0)
		return -1;
	if (c->options.scan_only)
		return 0;
	if (c->options.explain)
		return collapse_recording_choose(c) < 0 || explain_run(c) < 0 ? -1 : collapse_recording_status_of(c);
	if (c->options.lengths)
		return collapse_recording_choose(c) < 0 || window_lengths_write(c) < 0
			       ? -1
			       : collapse_recording_status_of(c);
	if (collapse_recording_choose(c) < 0 || collapse_recording_read_samples(c) < 0 ||
	    check_something_is_left(c) < 0)
		return -1;
	if (c->options.timed)
		seen_read(&c->seen, &c->data, c->choice.event, &c->clock);
	perfdata_drop_pages(&c->data);
	if (collapse_recording_fold(c) < 0 || collapse_recording_write_output(c) < 0)
		return -1;
	judge(c);
	return collapse_recording_status_of(c);
}
