#include "collapse/output/output.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/perfdata/recorded.h"
#include "collapse/perfdata/topology.h"
#include "core/format/folded.h"
#include "core/format/pairs.h"
#include "core/format/recording.h"
#include "core/outfile.h"
#include "core/utf8.h"
#include "core/wallclock.h"

static void output_add_event(struct str *out, const struct origin *o)
{
	struct str text = { 0 };

	if (o->wall) {
		str_puts(&text, "wall");
	} else if (o->event) {
		str_puts(&text, o->event->name);
	} else {
		for (size_t i = 0; i < o->data->event_count; i++) {
			if (o->data->events[i].sample_count && !o->data->events[i].lanes)
				str_addf(&text, "%s%s", text.len ? "," : "", o->data->events[i].name);
		}
	}
	pair_add(out, FOLDED_EVENT, str_text(&text));
	str_clear(&text);
	if (o->event && o->event->attr.freq) {
		str_addf(&text, "%lluHz", (unsigned long long)o->event->attr.sample_freq);
		pair_add(out, FOLDED_RATE, text.buf);
	} else if (o->event && o->event->attr.sample_period > 1) {
		str_addf(&text, "1/%llu", (unsigned long long)o->event->attr.sample_period);
		pair_add(out, FOLDED_RATE, text.buf);
	}
	str_free(&text);
}

static void output_add_loss(struct str *text, const char *what, uint64_t count)
{
	if (count)
		str_addf(text, "%s%s %llu", text->len ? ", " : "", what, (unsigned long long)count);
}

/* The collector's own count, if it is in the recording; otherwise the count in perf's records. */
static uint64_t lost_samples(const struct origin *o, const struct gather *g)
{
	bool found, found_late;
	uint64_t lost = recorded_loss(o->data, "lost_samples", &found);
	uint64_t late = recorded_loss(o->data, "unwinding_late", &found_late);

	return (found ? lost : g->sideband->lost_samples) + late;
}

/* Append losses of the collectors that measure spans of time. */
static void add_span_losses(struct str *text, const struct origin *o)
{
	static const struct {
		const char *key, *what;
		bool of_stacks; /* not for sched, which has no stacks */
	} losses[] = {
		{ "untracked_threads", "threads not tracked", false },
		{ "untracked_switches", "switches not tracked", false },
		{ "lost_spans", "spans lost", false },
		{ "missed_events", "events missed", false },
		{ "lost_stacks", "stacks not taken", true },
		{ "uncopied_stacks", "stacks by frame pointers", true },
	};
	bool stacks = !o->event || strcmp(o->event->name, RECORDING_SCHED) != 0, found;

	for (size_t i = 0; i < sizeof(losses) / sizeof(*losses); i++) {
		if (stacks || !losses[i].of_stacks)
			output_add_loss(text, losses[i].what, recorded_loss(o->data, losses[i].key, &found));
	}
}

/* For quantities over time. */
static void add_lane_losses(struct str *text, const struct origin *o)
{
	bool found;

	output_add_loss(text, "quantities without room", recorded_loss(o->data, "untracked_lanes", &found));
	output_add_loss(text, "bad CSV lines", recorded_loss(o->data, "bad_csv_lines", &found));
	output_add_loss(text, "events lost", recorded_loss(o->data, "lost_spans", &found));
	output_add_loss(text, "events missed", recorded_loss(o->data, "missed_events", &found));
}

static void output_add_losses(struct str *out, const struct origin *o, const struct gather *g, const struct quality *q)
{
	struct str text = { 0 };
	bool found;

	str_addf(&text, "%llu/%llu", (unsigned long long)lost_samples(o, g),
		 (unsigned long long)(g->samples + lost_samples(o, g)));
	pair_add(out, FOLDED_LOST, text.buf);
	str_clear(&text);
	output_add_loss(&text, "throttled", g->sideband->throttled);
	output_add_loss(&text, "late reads", recorded_loss(o->data, "late_reads", &found));
	output_add_loss(&text, "CPU off", recorded_loss(o->data, "cpus_off", &found));
	output_add_loss(&text, "unwritten records", recorded_loss(o->data, "unwritten_records", &found));
	output_add_loss(&text, "clock steps", recorded_loss(o->data, "clock_steps", &found));
	if (!o->event || o->event->spans)
		add_span_losses(&text, o);
	if (o->event && o->event->lanes)
		add_lane_losses(&text, o);
	output_add_loss(&text, "switches missing", g->sideband->missing_switches);
	output_add_loss(&text, "damaged", g->sideband->damaged);
	output_add_loss(&text, "stacks cut", g->stacks.truncated);
	if (quality_is_poor(q))
		str_addf(&text, "%s" FOLDED_BROKEN_STACKS " %llu of %llu", text.len ? ", " : "",
			 (unsigned long long)q->broken, (unsigned long long)q->stacks);
	if (o->event && o->event->from_states)
		str_addf(&text, "%sstacks not recorded", text.len ? ", " : "");
	if (o->data->cut)
		str_addf(&text, "%sfile cut off", text.len ? ", " : "");
	if (text.len)
		pair_add(out, FOLDED_LOSSES, text.buf);
	str_clear(&text);
	str_addf(&text, "%llu/%llu", (unsigned long long)q->nameless, (unsigned long long)q->frames);
	pair_add(out, FOLDED_UNRESOLVED, text.buf);
	str_free(&text);
}

static void add_quality(struct str *out, const struct quality *q)
{
	struct str text = { 0 };

	if (!quality_is_flawed(q))
		return;
	quality_line(q, &text);
	pair_add(out, FOLDED_QUALITY, text.buf);
	str_free(&text);
}

static void output_add_roots(struct str *out, const struct roots *roots)
{
	struct str names = { 0 };

	roots_names(roots, &names);
	pair_add(out, FOLDED_ROOT, names.buf);
	str_free(&names);
}

void output_about(struct str *out, uint64_t ns)
{
	uint64_t ms = (ns + NS_PER_SEC / 2000) / (NS_PER_SEC / 1000);

	if (ms >= 900)
		str_addf(out, "%llus", (unsigned long long)(ms + 500) / 1000);
	else
		str_addf(out, "%llums", (unsigned long long)(ms ? ms : 1));
}

static void output_add_sums(struct str *out, const struct gather *g)
{
	struct str text = { 0 };

	str_addf(&text, "%llu/%llu", (unsigned long long)g->summed, (unsigned long long)g->times.count);
	pair_add(out, FOLDED_SUMS, text.buf);
	str_clear(&text);
	output_about(&text, gather_summed_about(g));
	pair_add(out, FOLDED_SUMS_OF, text.buf);
	str_free(&text);
}

/* The least length of spans that were recorded one by one (core/format/recording.h). */
static void output_add_short(struct str *out, const struct origin *o, const struct gather *g)
{
	uint64_t least_ns = 0;
	struct str text = { 0 };

	for (size_t i = 0; i < o->data->event_count; i++) {
		const struct recorded_event *e = &o->data->events[i];

		if (e->spans && (!g->sums_apart || e == o->event) && e->attr.config2 > least_ns)
			least_ns = e->attr.config2;
	}
	if (least_ns < 2) /* 1: all of them */
		return;
	if (least_ns % 1000)
		str_addf(&text, "%lluns", (unsigned long long)least_ns);
	else if (least_ns % 1000000)
		str_addf(&text, "%lluus", (unsigned long long)least_ns / 1000);
	else
		str_addf(&text, "%llums", (unsigned long long)least_ns / 1000000);
	pair_add(out, FOLDED_SHORT, text.buf);
	str_free(&text);
}

/* Append how many spans are in sums that are not part of the lines, although their stacks are. */
static void output_add_apart(struct str *out, const struct origin *o, const struct gather *g, const struct fold *fold)
{
	struct gather_sum all = { 0 };
	struct str text = { 0 };
	bool found;

	for (size_t i = 0; i < g->apart_count; i++) {
		if (!fold->lines[fold->line_of_stack[i]].kept)
			continue;
		all.spans += g->apart[i].spans;
		all.ns += g->apart[i].ns;
	}
	if (!all.spans && !all.ns)
		return;
	str_addf(&text, "%llu/%llu", (unsigned long long)all.spans, (unsigned long long)all.ns);
	pair_add(out, FOLDED_SHORT_SUMS, text.buf);
	if (recorded_loss(o->data, "summed_spans", &found))
		pair_add(out, FOLDED_SHORT_MORE, "too-many");
	str_free(&text);
}

/* The mean number of bytes between samples, unless every object was sampled. */
static void add_interval(struct str *out, const struct gather *g)
{
	if (g->objects > g->samples && g->samples)
		pair_add_count(out, FOLDED_INTERVAL, g->bytes / g->samples);
}

/* The pairs that describe spans of time, and the CPUs that they were spent on. */
static void output_add_spans(struct str *out, const struct origin *o, const struct gather *g, const struct fold *fold)
{
	struct str names = { 0 }, topology = { 0 };

	if (o->columns) {
		columns_names(&g->columns, &names);
		pair_add(out, FOLDED_COLUMNS, names.buf);
	}
	if (g->timed && (g->singles == g->samples || (g->sums_untimed && g->singles) || g->sums_apart))
		pair_add(out, FOLDED_SPANS, "start");
	if (g->summed)
		output_add_sums(out, g);
	if (g->sums_untimed || g->sums_apart)
		output_add_short(out, o, g);
	if (g->sums_apart)
		output_add_apart(out, o, g, fold);
	if (g->open)
		pair_add_count(out, FOLDED_OPEN, g->open);
	if (o->guilty && o->guilty->len)
		pair_add(out, FOLDED_GUILTY, o->guilty->buf);
	if (o->victims && o->victims->len)
		pair_add(out, FOLDED_VICTIMS, o->victims->buf);
	if (roots_has(&g->roots, "cpu"))
		topology_add(&topology, o->data);
	if (topology.len)
		pair_add(out, FOLDED_TOPOLOGY, topology.buf);
	str_free(&names);
	str_free(&topology);
}

enum { CLOCK_ERROR_NS = 1000000 }; /* smaller differences are noise: two clocks cannot be read at the same time */

/* "12.5ms", "3600s" */
static void add_ms(struct str *out, uint64_t us)
{
	bool seconds = us >= 1000000;
	uint64_t thousandths = seconds ? us / 1000 : us, rest = thousandths % 1000;

	str_addf(out, "%llu", (unsigned long long)(thousandths / 1000));
	if (rest)
		str_addf(out, ".%03llu", (unsigned long long)rest);
	while (rest && out->buf[out->len - 1] == '0')
		out->buf[--out->len] = '\0';
	str_puts(out, seconds ? "s" : "ms");
}

/* "+12.5ms", "-3600s" */
static void add_clock_error(struct str *out, const struct clock *clock)
{
	int64_t error = clock_error(clock);
	uint64_t us = (error < 0 ? -(uint64_t)error : (uint64_t)error) / 1000;
	struct str text = { 0 };

	if (us <= CLOCK_ERROR_NS / 1000)
		return;
	str_addc(&text, error < 0 ? '-' : '+');
	add_ms(&text, us);
	pair_add(out, FOLDED_CLOCK_ERROR, text.buf);
	str_free(&text);
}

static void add_clock_within(struct str *out, const struct clock *clock)
{
	struct str text = { 0 };

	if (clock->unsynchronized)
		str_puts(&text, FOLDED_UNSYNCHRONIZED);
	else if (clock->within_ns)
		add_ms(&text, (clock->within_ns + 999) / 1000);
	if (text.len)
		pair_add(out, FOLDED_CLOCK_WITHIN, text.buf);
	str_free(&text);
}

/* Append the value in a line "KEY VALUE" of a section.  Returns whether there is such a line. */
static bool output_add_value(struct str *out, const struct perfdata *d, int feature, const char *key)
{
	struct section_lines lines;
	size_t len, n = strlen(key);
	const char *text;

	section_lines_init(&lines, d, feature);
	while (section_next_line(&lines, &text, &len)) {
		if (len <= n + 1 || memcmp(text, key, n) != 0 || text[n] != ' ')
			continue;
		str_add(out, text + n + 1, len - n - 1);
		return true;
	}
	return false;
}

/* "0.43%/1.00%", "0.43%/1.00%, 49Hz without io" */
static void add_own_cost(struct str *out, const struct perfdata *d)
{
	struct str text = { 0 }, level = { 0 };

	if (output_add_value(&text, d, RECORDING_WATCH, "cost")) {
		str_puts(&text, "%");
		if (output_add_value(&level, d, RECORDING_WATCH, "budget") && strtod(level.buf, NULL) > 0)
			str_addf(&text, "/%s%%", level.buf);
		str_clear(&level);
		if (output_add_value(&level, d, RECORDING_WATCH, "level") && strcmp(level.buf, "0") != 0) {
			str_puts(&text, ", ");
			output_add_value(&text, d, RECORDING_WATCH, "rate");
			str_puts(&text, "Hz");
			str_clear(&level);
			if (output_add_value(&level, d, RECORDING_WATCH, "off"))
				str_addf(&text, " without %s", level.buf);
		}
		pair_add(out, FOLDED_OWN_COST, text.buf);
	}
	str_free(&text);
	str_free(&level);
}

static void output_add_recording_cost(struct str *out, const struct perfdata *d)
{
	struct str text = { 0 }, shown = { 0 };

	if (output_add_value(&text, d, RECORDING_COST, "says")) {
		printable_add(&shown, str_text(&text), text.len);
		pair_add(out, FOLDED_RECORDING_COST, str_text(&shown));
	}
	str_free(&text);
	str_free(&shown);
}

/* The observed time and CPUs, limited to the selected time. */
static void output_add_seen(struct str *out, const struct seen *s, const struct gather *g)
{
	uint64_t from_ns = clock_wall(g->clock, s->from_ns), to_ns = clock_wall(g->clock, s->to_ns);
	bool spans = g->singles; /* spans may have begun earlier, and are recorded when they end */
	struct str cpus = { 0 };

	if (from_ns > g->first_ns && !spans) /* the clock was set back */
		from_ns = g->first_ns;
	if (to_ns <= g->last_ns && !spans)
		to_ns = g->last_ns + 1;
	if (g->clock->count) {
		pair_add_time(out, FOLDED_FROM, from_ns > g->from_ns ? from_ns : g->from_ns);
		pair_add_time(out, FOLDED_TO, to_ns < g->to_ns ? to_ns : g->to_ns);
	}
	cpu_set_write(&s->cpus, &cpus);
	if (cpus.len)
		pair_add(out, FOLDED_CPUS, cpus.buf);
	str_free(&cpus);
}

/* The part of a gap in the selected time.  How many of the lost samples fall into that part is not known. */
static void output_add_gap(struct str *out, const struct gap *gap, const struct gather *g)
{
	uint64_t start_ns = clock_wall(g->clock, gap->start_ns), end_ns = clock_wall(g->clock, gap->end_ns);
	bool whole;

	if (end_ns <= start_ns) /* the clock was set back */
		end_ns = start_ns + (gap->end_ns - gap->start_ns);
	whole = start_ns >= g->from_ns && end_ns <= g->to_ns;
	if (start_ns >= g->to_ns || end_ns <= g->from_ns)
		return;
	str_puts(out, FOLDED_GAP);
	pair_add_instant(out, FOLDED_GAP_START, start_ns > g->from_ns ? start_ns : g->from_ns);
	pair_add_instant(out, FOLDED_GAP_END, end_ns < g->to_ns ? end_ns : g->to_ns);
	if (gap->cpu != SEEN_ALL_CPUS)
		pair_add_count(out, FOLDED_GAP_CPU, gap->cpu);
	if (gap->lost && whole)
		pair_add_count(out, FOLDED_GAP_LOST, gap->lost);
	pair_add(out, FOLDED_GAP_WHY, gap->why);
	out->buf[out->len - 1] = '\n';
}

static void add_left_out(struct str *out, const struct fold *fold)
{
	struct str text = { 0 };

	if (!fold->left_out)
		return;
	str_addf(&text, "%llu/%llu", (unsigned long long)fold->left_out, (unsigned long long)fold->all);
	pair_add(out, FOLDED_LEFT_OUT, text.buf);
	str_free(&text);
}

/* A recording that was cut off does not say at which times samples were lost. */
static void add_windows(struct str *out, const struct origin *o, const struct windows *w)
{
	struct str text = { 0 };
	size_t len;
	const char *between = recorded_window_fact(o->data, "between", &len);

	if (between)
		printable_add(&text, between, len);
	pair_add(out, FOLDED_BETWEEN, between ? text.buf : "?");
	str_clear(&text);
	str_addf(&text, "%zu/%zu", w->wanted, w->count);
	pair_add(out, FOLDED_WINDOWS, text.buf);
	str_free(&text);
}

void output_header(struct str *out, const struct origin *o, const struct gather *g, const struct fold *fold)
{
	struct str line = { 0 };

	str_puts(&line, FOLDED_HEADER);
	if (o->data->hostname)
		pair_add(&line, FOLDED_HOST, o->data->hostname);
	output_add_event(&line, o);
	if (g->clock->count) {
		pair_add_time(&line, FOLDED_START, g->first_ns);
		pair_add_time(&line, FOLDED_END, g->last_ns);
	} else {
		pair_add(&line, FOLDED_CLOCK, "monotonic");
	}
	if (o->event && o->event->allocations)
		add_interval(&line, g);
	if (o->seen)
		output_add_seen(&line, o->seen, g);
	add_clock_error(&line, g->clock);
	add_clock_within(&line, g->clock);
	add_own_cost(&line, o->data);
	output_add_recording_cost(&line, o->data);
	if (o->data->osrelease)
		pair_add(&line, FOLDED_KERNEL, o->data->osrelease);
	if (o->data->command)
		pair_add(&line, FOLDED_COMMAND, o->data->command);
	output_add_roots(&line, &g->roots);
	owners_seen_add(&g->owners, &g->sideband->owned, &line);
	if (*o->filter)
		pair_add(&line, FOLDED_FILTER, o->filter);
	if (g->windows)
		add_windows(&line, o, g->windows);
	output_add_losses(&line, o, g, &fold->quality);
	add_quality(&line, &fold->quality);
	output_add_spans(&line, o, g, fold);
	add_left_out(&line, fold);
	pair_add(&line, FOLDED_UNIT, column_unit(g->columns.list[0], o->event));
	line.buf[line.len - 1] = '\n';
	for (size_t i = 0; o->seen && i < o->seen->count; i++)
		output_add_gap(&line, &o->seen->gaps[i], g);
	str_add(out, line.buf, line.len);
	str_free(&line);
}

int output_write(const char *path, void (*write)(FILE *out, const void *what), const void *what)
{
	struct outfile out = { 0 };

	if (outfile_open(&out, path) < 0)
		return -1;
	write(out.file, what);
	return outfile_commit(&out);
}
