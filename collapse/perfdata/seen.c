#include "collapse/perfdata/seen.h"

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdlib.h>

#include "collapse/perfdata/perfdata.h"
#include "collapse/perfdata/recorded.h"
#include "collapse/perfdata/sample.h"
#include "core/format/recording.h"
#include "core/memory.h"
#include "core/sorted.h"
#include "core/wallclock.h"

enum { HEADER_BYTES = sizeof(struct perf_event_header) };

/* A clock counts as stopped if it has not ticked for PAUSE_NS and for PAUSE_PERIODS periods. */
enum { PAUSE_PERIODS = 5, PAUSE_NS = 10000000, IDLE_TICKS = 10 };

static const char not_sampled[] = "not-sampled", cpu_off[] = "cpu-off";

struct cpu_watch {
	uint64_t last_ns;      /* its latest sample, of any event */
	uint64_t ticked_ns;    /* ... of the clock that should tick */
	uint64_t lost_ns;      /* the time of the latest loss, unless a sample has followed it, ... */
	uint64_t lost_from_ns; /* ... just after the sample before it, */
	uint64_t lost;         /* ... how many were lost */
	uint64_t throttled_ns; /* when the event was paused; 0: it is not paused */
	uint64_t known_ns;     /* until then, missing samples are explained */
	bool was_idle;         /* the idle thread ran at the CPU's last tick */
	uint64_t idle_ticks;   /* idle ticks that directly follow another one */
	uint64_t pauses;
};

struct seen_walk {
	struct seen *s;
	const struct perfdata *d;
	const struct recorded_event *event;
	struct cpu_watch *cpus; /* [cpu_count] */
	size_t cpu_count, cpu_cap;
	struct cpu_watch nowhere; /* for losses without a CPU; it gets the samples of all CPUs */
	uint64_t tick_ns;         /* period of the clock; 0: the event is not a clock that ticks all the time */
	uint64_t pause_ns;
	uint64_t first_ns, end_ns; /* of all records that have a time */
	uint64_t sampled_ns;       /* the time of the event's last sample, on any CPU */
};

static struct cpu_watch *find_cpu(struct seen_walk *w, uint32_t cpu)
{
	if (cpu >= CPUS_MAX)
		return &w->nowhere;
	if (cpu >= w->cpu_count) {
		w->cpus = xgrow(w->cpus, &w->cpu_cap, cpu + 1, sizeof(*w->cpus));
		memset(w->cpus + w->cpu_count, 0, (cpu + 1 - w->cpu_count) * sizeof(*w->cpus));
		w->cpu_count = cpu + 1;
	}
	return &w->cpus[cpu];
}

/* --- gaps --------------------------------------------------------------------------- */

static uint32_t seen_number_of(const struct seen_walk *w, const struct cpu_watch *c)
{
	return c == &w->nowhere ? SEEN_ALL_CPUS : (uint32_t)(c - w->cpus);
}

static void seen_add_gap(struct seen_walk *w, struct cpu_watch *c, struct gap gap)
{
	struct seen *s = w->s;

	if (gap.end_ns <= gap.start_ns)
		gap.end_ns = gap.start_ns + 1;
	gap.cpu = seen_number_of(w, c);
	s->gaps = xgrow(s->gaps, &s->cap, s->count + 1, sizeof(*s->gaps));
	s->gaps[s->count++] = gap;
	if (gap.end_ns > c->known_ns)
		c->known_ns = gap.end_ns;
}

/* End the period in which c lost samples. */
static void end_loss(struct seen_walk *w, struct cpu_watch *c, uint64_t end_ns)
{
	seen_add_gap(w, c, (struct gap){ c->lost_from_ns, end_ns, 0, c->lost, "lost" });
	c->lost_ns = c->lost = 0;
}

static void note_loss(struct cpu_watch *c, uint64_t time_ns, uint64_t lost)
{
	if (!c->lost_ns)
		c->lost_from_ns = c->last_ns ? c->last_ns + 1 : 0; /* 0: from the beginning on */
	if (c->lost_from_ns > time_ns)
		c->lost_from_ns = time_ns;
	c->lost_ns = time_ns;
	c->lost += lost;
}

static void end_throttling(struct seen_walk *w, struct cpu_watch *c, uint64_t end_ns)
{
	if (c->throttled_ns)
		seen_add_gap(w, c, (struct gap){ c->throttled_ns, end_ns, 0, 0, "throttled" });
	c->throttled_ns = 0;
}

/* Note a gap if the time between two ticks of the clock is too long. */
static void note_pause(struct seen_walk *w, struct cpu_watch *c, uint64_t start_ns, uint64_t end_ns)
{
	if (end_ns <= start_ns || end_ns - start_ns <= w->pause_ns || c->known_ns > start_ns)
		return;
	seen_add_gap(w, c, (struct gap){ start_ns, end_ns, 0, 0, not_sampled });
	c->pauses++;
}

/* Missing ticks mean a gap only on CPUs that tick even when they are idle.  Some machines do not wake
 * an idle CPU for its clock, and recordings of some threads have no samples of the idle one. */
static bool ticks_always(const struct cpu_watch *c)
{
	return c->idle_ticks >= IDLE_TICKS && c->pauses <= c->idle_ticks / IDLE_TICKS;
}

/* --- records ------------------------------------------------------------------------ */

/* Note a sample of any event that came through the ring of c. */
static void note_sample(struct seen_walk *w, struct cpu_watch *c, uint64_t time_ns)
{
	if (c->lost_ns && time_ns >= c->lost_ns)
		end_loss(w, c, time_ns);
	if (time_ns > c->last_ns)
		c->last_ns = time_ns;
}

static void note_tick(struct seen_walk *w, struct cpu_watch *c, const struct recorded_sample *s)
{
	bool idle = !s->tid && !s->pid;

	if (idle && c->was_idle && s->time_ns - c->ticked_ns <= w->pause_ns)
		c->idle_ticks++;
	c->was_idle = idle;
	note_pause(w, c, c->ticked_ns ? c->ticked_ns + 1 : w->s->from_ns, s->time_ns);
	if (s->time_ns > c->ticked_ns)
		c->ticked_ns = s->time_ns;
}

static void seen_add_sample(struct seen_walk *w, const struct record *r)
{
	struct recorded_sample s;
	struct cpu_watch *c;
	bool wanted;

	if (!sample_read(w->d, r, &s) || !s.time_ns)
		return;
	wanted = !w->event || s.event == w->event || w->event->derived;
	if (wanted)
		cpu_set_add(&w->s->cpus, s.cpu);
	if (wanted && s.time_ns > w->sampled_ns)
		w->sampled_ns = s.time_ns;
	if (s.event->spans || s.event->lanes) /* the sample did not come through a ring of the kernel */
		return;
	c = find_cpu(w, s.cpu);
	note_sample(w, c, s.time_ns);
	if (c != &w->nowhere)
		note_sample(w, &w->nowhere, s.time_ns);
	if (w->tick_ns && wanted && c != &w->nowhere)
		note_tick(w, c, &s);
}

/* LOST: u64 id, u64 lost; LOST_SAMPLES: u64 lost.  perf itself adds LOST_SAMPLES at the end, without a time; these are
 * sums, and are left out. */
static void seen_add_loss(struct seen_walk *w, const struct record *r, uint64_t time_ns)
{
	size_t at = HEADER_BYTES + (r->type == PERF_RECORD_LOST ? 8 : 0);

	if (time_ns && r->size >= at + 8)
		note_loss(find_cpu(w, record_cpu(w->d, r, SEEN_ALL_CPUS)), time_ns, load_u64(r->bytes + at));
}

/* THROTTLE, UNTHROTTLE: u64 time, u64 id, u64 stream id */
static void add_throttling(struct seen_walk *w, const struct record *r)
{
	struct cpu_watch *c = find_cpu(w, record_cpu(w->d, r, SEEN_ALL_CPUS));
	uint64_t time_ns;

	if (r->size < HEADER_BYTES + 24)
		return;
	time_ns = load_u64(r->bytes + HEADER_BYTES);
	if (w->event && !w->event->derived && perfdata_event(w->d, load_u64(r->bytes + HEADER_BYTES + 8)) != w->event)
		return;
	if (r->type == PERF_RECORD_UNTHROTTLE)
		end_throttling(w, c, time_ns);
	else if (!c->throttled_ns)
		c->throttled_ns = time_ns;
}

/* lasts_ns is 1 for a sample, because end_ns is excluded. */
static void seen_note_time(struct seen_walk *w, uint64_t time_ns, uint64_t lasts_ns)
{
	if (!time_ns || time_ns > UINT64_MAX - lasts_ns)
		return;
	if (!w->first_ns || time_ns < w->first_ns)
		w->first_ns = time_ns;
	if (time_ns + lasts_ns > w->end_ns)
		w->end_ns = time_ns + lasts_ns;
}

/* Do losses in the kernel's rings affect the event?  A BPF program's samples do not come through these rings. */
static bool concerns_rings(const struct seen_walk *w)
{
	return !w->event || w->event->derived || (!w->event->spans && !w->event->lanes);
}

static void add_record(struct seen_walk *w, const struct record *r)
{
	uint64_t time_ns;

	switch (r->type) {
	case PERF_RECORD_SAMPLE: seen_add_sample(w, r); break;
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
		time_ns = record_time(w->d, r, r->type == PERF_RECORD_LOST ? w->sampled_ns : 0);
		if (concerns_rings(w))
			seen_add_loss(w, r, time_ns);
		break;
	case PERF_RECORD_THROTTLE:
	case PERF_RECORD_UNTHROTTLE:
		if (concerns_rings(w))
			add_throttling(w, r);
		break;
	case RECORD_CPU_MAP: cpu_set_add_map(&w->s->cpus, r); break;
	}
}

/* --- the observed time -------------------------------------------------------------- */

static void note_times(struct seen_walk *w)
{
	struct record_cursor cursor = perfdata_records(w->d);
	struct recorded_event *event;
	uint64_t begin_ns, time_ns;
	struct record r;
	/* The records of a flight recorder, and of windows in a continuous recording, begin with facts from long before
	 * the observed time. */
	bool is_part = w->d->features[RECORDING_TRIGGER].size || w->d->features[RECORDING_WATCH].size;

	while (record_next(&cursor, &r)) {
		if (r.type != PERF_RECORD_SAMPLE && !is_part)
			seen_note_time(w, r.type < RECORD_HEADER_ATTR ? record_time(w->d, &r, 0) : 0, 0);
		else if (r.type == PERF_RECORD_SAMPLE && sample_read_time(w->d, &r, &event, &time_ns, &begin_ns))
			seen_note_time(w, time_ns, event->spans ? 0 : 1);
	}
}

static bool has_anchors(const struct perfdata *d)
{
	return d->features[RECORDING_CLOCKS].size || d->early_clocks.size;
}

/* Our own recordings note when they began and ended; for others, take the times of the first and the
 * last record. */
static void seen_find_times(struct seen_walk *w, const struct clock *clock)
{
	note_times(w);
	if (clock->count && has_anchors(w->d)) {
		seen_note_time(w, clock->anchors[0].record_ns, 0);
		seen_note_time(w, clock->anchors[clock->count - 1].record_ns, 0);
	}
	w->s->from_ns = w->first_ns;
	w->s->to_ns = w->end_ns;
}

/* --- the walk ----------------------------------------------------------------------- */

/* Set tick_ns if whole CPUs are sampled, and the event is a clock that ticks on every CPU whatever runs there. */
static void find_tick(struct seen_walk *w)
{
	const struct perf_event_attr *attr = w->event ? &w->event->attr : NULL;

	if (!attr || w->event->derived || attr->type != PERF_TYPE_SOFTWARE || attr->config != PERF_COUNT_SW_CPU_CLOCK ||
	    attr->exclude_idle || attr->exclude_user || attr->exclude_kernel || !attr->sample_period)
		return;
	w->tick_ns = attr->freq ? NS_PER_SEC / attr->sample_freq : attr->sample_period;
	w->pause_ns = w->tick_ns < UINT64_MAX / PAUSE_PERIODS ? w->tick_ns * PAUSE_PERIODS : UINT64_MAX;
	if (w->pause_ns < PAUSE_NS)
		w->pause_ns = PAUSE_NS;
}

static void end_cpu(struct seen_walk *w, struct cpu_watch *c)
{
	uint64_t to_ns = w->s->to_ns;

	if (c->lost_ns)
		end_loss(w, c, to_ns);
	end_throttling(w, c, to_ns);
	if (w->tick_ns && c->ticked_ns)
		note_pause(w, c, c->ticked_ns + 1, to_ns);
}

static void end_all(struct seen_walk *w)
{
	uint64_t unwritten;
	bool found;

	end_cpu(w, &w->nowhere);
	for (size_t i = 0; i < w->cpu_count; i++)
		end_cpu(w, &w->cpus[i]);
	unwritten = recorded_loss(w->d, "unwritten_records", &found);
	if (unwritten && w->sampled_ns && w->sampled_ns + 1 < w->s->to_ns)
		seen_add_gap(w, &w->nowhere, (struct gap){ w->sampled_ns + 1, w->s->to_ns, 0, 0, "unwritten" });
}

/* text begins with the CPU, as in "cpu-off 1".  Samples from the ring of that CPU are missing. */
static void add_cpu_off(struct seen_walk *w, struct gap gap, const char *text, size_t len)
{
	uint64_t cpu;

	gap.why = cpu_off;
	if (concerns_rings(w) && field_number(&text, &len, 10, &cpu) && cpu < CPUS_MAX)
		seen_add_gap(w, find_cpu(w, (uint32_t)cpu), gap);
}

/* "23509317896969 23509867103143 1017 offcpu" */
static void read_recorded_gaps(struct seen_walk *w)
{
	struct section_lines lines;
	const char *text;
	size_t len;

	section_lines_init(&lines, w->d, RECORDING_GAPS);
	while (section_next_line(&lines, &text, &len)) {
		struct gap gap = { .why = "lost" };

		if (!field_number(&text, &len, 10, &gap.start_ns) || !field_number(&text, &len, 10, &gap.end_ns) ||
		    !field_number(&text, &len, 10, &gap.lost))
			continue;
		if (text_begins(text, len, "cpu-off "))
			add_cpu_off(w, gap, text + strlen("cpu-off "), len - strlen("cpu-off "));
		else if ((!w->event || (strlen(w->event->name) == len && !memcmp(w->event->name, text, len))))
			seen_add_gap(w, &w->nowhere, gap);
	}
}

static int seen_by_cpu(const void *a, const void *b)
{
	const struct gap *x = a, *y = b;

	return ORDER(x->cpu, y->cpu) ?: strcmp(x->why, y->why) ?: ORDER(x->start_ns, y->start_ns);
}

static int seen_by_start(const void *a, const void *b)
{
	const struct gap *x = a, *y = b;

	return ORDER(x->start_ns, y->start_ns) ?: seen_by_cpu(a, b);
}

/* Does a cpu-off gap explain that the CPU did not tick?  If it does, extend that gap, because ticks show its limits
 * more exactly. */
static bool seen_is_told(struct gap *gaps, size_t count, const struct gap *gap)
{
	for (size_t i = count; i && gaps[i - 1].cpu == gap->cpu; i--) {
		struct gap *off = &gaps[i - 1];

		if (off->why != cpu_off || off->start_ns > gap->end_ns || gap->start_ns > off->end_ns)
			continue;
		off->start_ns = gap->start_ns < off->start_ns ? gap->start_ns : off->start_ns;
		off->end_ns = gap->end_ns > off->end_ns ? gap->end_ns : off->end_ns;
		return true;
	}
	return false;
}

/* Merge adjacent gaps with the same reason: a single sample between two losses does not separate
 * them. */
static void seen_join_gaps(struct seen_walk *w)
{
	struct seen *s = w->s;
	size_t kept = 0;

	if (s->count)
		qsort(s->gaps, s->count, sizeof(*s->gaps), seen_by_cpu);
	for (size_t i = 0; i < s->count; i++) {
		struct gap gap = s->gaps[i], *last = kept ? &s->gaps[kept - 1] : NULL;

		if (gap.why == not_sampled && !ticks_always(&w->cpus[gap.cpu]))
			continue;
		if (gap.start_ns < s->from_ns)
			gap.start_ns = s->from_ns;
		if (gap.end_ns > s->to_ns)
			gap.end_ns = s->to_ns;
		if (gap.end_ns <= gap.start_ns || (gap.why == not_sampled && seen_is_told(s->gaps, kept, &gap)))
			continue;
		if (last && last->cpu == gap.cpu && !strcmp(last->why, gap.why) && gap.start_ns <= last->end_ns + 1) {
			last->end_ns = gap.end_ns > last->end_ns ? gap.end_ns : last->end_ns;
			last->lost += gap.lost;
		} else {
			s->gaps[kept++] = gap;
		}
	}
	s->count = kept;
	if (kept)
		qsort(s->gaps, kept, sizeof(*s->gaps), seen_by_start);
}

void seen_read(struct seen *s, const struct perfdata *d, const struct recorded_event *event, const struct clock *clock)
{
	struct seen_walk w = { .s = s, .d = d, .event = event };
	struct record_cursor cursor = perfdata_records(d);
	struct record r;

	find_tick(&w);
	seen_find_times(&w, clock);
	while (record_next(&cursor, &r))
		add_record(&w, &r);
	end_all(&w);
	read_recorded_gaps(&w);
	seen_join_gaps(&w);
	free(w.cpus);
}

void seen_free(struct seen *s)
{
	if (!s)
		return;
	free(s->gaps);
	cpu_set_free(&s->cpus);
	*s = (struct seen){ 0 };
}

/* --- CPUs ------------------------------------------------------------------------------- */

enum { LIST, MASK, RANGE, ANY = UINT16_MAX };

void cpu_set_add(struct cpu_set *s, uint32_t cpu)
{
	if (cpu >= CPUS_MAX)
		return;
	if (cpu >= s->count) {
		s->has = xgrow(s->has, &s->cap, cpu + 1, sizeof(*s->has));
		memset(s->has + s->count, 0, (cpu + 1 - s->count) * sizeof(*s->has));
		s->count = cpu + 1;
	}
	s->has[cpu] = true;
}

static uint16_t load_u16(const uint8_t *p)
{
	uint16_t n;

	memcpy(&n, p, sizeof(n));
	return n;
}

/* u16 count, u16 cpus[] */
static void cpu_set_add_list(struct cpu_set *s, const uint8_t *p, const uint8_t *end)
{
	for (uint16_t left = load_u16(p); left && end - p >= 4; left--) {
		p += 2;
		if (load_u16(p) != ANY) /* ANY: threads were recorded, not CPUs */
			cpu_set_add(s, load_u16(p));
	}
}

/* u16 count, u16 bytes per word, the words; words of 8 bytes are aligned */
static void add_mask(struct cpu_set *s, const uint8_t *p, const uint8_t *end)
{
	uint32_t word = load_u16(p + 2), bytes = load_u16(p) * word;

	p += word == 8 ? 6 : 4;
	for (uint32_t i = 0; (word == 4 || word == 8) && i < 8 * bytes && p + i / 8 < end; i++) {
		if (p[i / 8] >> i % 8 & 1)
			cpu_set_add(s, i);
	}
}

/* u8, u8, u16 first, u16 last */
static void add_range(struct cpu_set *s, const uint8_t *p)
{
	uint32_t last = load_u16(p + 4);

	for (uint32_t cpu = load_u16(p + 2); cpu <= last && last != ANY; cpu++)
		cpu_set_add(s, cpu);
}

/* u16 type, then one of the layouts above (tools/lib/perf/include/perf/event.h). */
void cpu_set_add_map(struct cpu_set *s, const struct record *r)
{
	const uint8_t *p = r->bytes + sizeof(struct perf_event_header), *end = r->bytes + r->size;

	if (end - p < 8)
		return;
	switch (load_u16(p)) {
	case LIST: cpu_set_add_list(s, p + 2, end); break;
	case MASK: add_mask(s, p + 2, end); break;
	case RANGE: add_range(s, p + 2); break;
	}
}

void cpu_set_write(const struct cpu_set *s, struct str *out)
{
	for (size_t cpu = 0; cpu < s->count; cpu++) {
		size_t first = cpu;

		if (!s->has[cpu])
			continue;
		while (cpu + 1 < s->count && s->has[cpu + 1])
			cpu++;
		str_addf(out, "%s%zu", out->len ? "," : "", first);
		if (cpu > first)
			str_addf(out, "-%zu", cpu);
	}
}

void cpu_set_free(struct cpu_set *s)
{
	if (!s)
		return;
	free(s->has);
	*s = (struct cpu_set){ 0 };
}
