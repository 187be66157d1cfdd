#include "collapse/sched/derived.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "collapse/perfdata/perfdata.h"
#include "collapse/perfdata/sample.h"
#include "collapse/perfdata/tracing.h"
#include "collapse/sched/switches.h"
#include "core/error.h"
#include "core/format/chain.h"
#include "core/format/folded.h"
#include "core/format/recording.h"
#include "core/hash.h"
#include "core/hash_table.h"
#include "core/memory.h"
#include "core/str.h"
#include "core/symbols/names/interrupts.h"
#include "core/symbols/space/places.h"

/* --- sums of the parts of waits for a CPU ----------------------------------------------- */

/* Parts are summed because with hundreds of threads in a queue, each wait has hundreds of parts: far more than there
 * are events. */

/* One sum for each thread, state, CPU and `by`; {0} is empty.  When there are `most` sums, further threads that had the
 * CPU count as RECORDING_BY_OTHERS. */
struct switch_sums {
	size_t most;              /* 0: no limit */
	uint64_t unnamed;         /* how many spans are without the name of the thread that had the CPU, because it is
				   * not among the sums */
	struct switch_sum *items; /* in the order in which they were first seen */
	size_t count, cap;
	struct hash_table table;
};

struct switch_sum {
	struct switch_span span; /* ns: the sum; begin_ns: that of the first span; longest_ns, open: over all spans */
	uint64_t end_ns;         /* of the last */
	uint64_t count;
};

static bool switch_sums_is_same(const void *sums, uint32_t number, const void *key)
{
	const struct switch_span *a = &((const struct switch_sums *)sums)->items[number].span, *b = key;

	return a->tid == b->tid && a->by == b->by && a->cpu == b->cpu && a->state == b->state;
}

static uint64_t span_hash(const struct switch_span *span)
{
	uint64_t threads = (uint64_t)(uint32_t)span->tid << 32 | (uint32_t)span->by;

	return hash_mix(threads, (uint64_t)span->cpu << 8 | span->state);
}

static bool sum_is_known(const struct switch_sums *s, const struct switch_span *span)
{
	return hash_table_find(&s->table, span_hash(span), switch_sums_is_same, s, span) != HASH_TABLE_NONE;
}

static void sum_add(struct switch_sums *s, const struct switch_span *span)
{
	uint32_t number = hash_table_add(&s->table, span_hash(span), switch_sums_is_same, s, span, (uint32_t)s->count);
	struct switch_sum *sum;

	if (number == s->count) {
		s->items = xgrow(s->items, &s->cap, s->count + 1, sizeof(*s->items));
		s->items[s->count++] = (struct switch_sum){ *span, span->begin_ns + span->ns, span->count };
		return;
	}
	sum = &s->items[number];
	sum->span.ns += span->ns;
	sum->count += span->count;
	sum->span.open |= span->open;
	if (span->longest_ns > sum->span.longest_ns)
		sum->span.longest_ns = span->longest_ns;
	if (span->begin_ns < sum->span.begin_ns)
		sum->span.begin_ns = span->begin_ns;
	if (span->begin_ns + span->ns > sum->end_ns)
		sum->end_ns = span->begin_ns + span->ns;
}

static void switch_sums_add(struct switch_sums *s, const struct switch_span *span)
{
	struct switch_span by_others = *span;

	if (!s->most || s->count < s->most || sum_is_known(s, span)) {
		sum_add(s, span);
		return;
	}
	by_others.by = RECORDING_BY_OTHERS;
	s->unnamed++;
	sum_add(s, &by_others);
}

static void switch_sums_free(struct switch_sums *s)
{
	free(s->items);
	hash_table_free(&s->table);
	*s = (struct switch_sums){ 0 };
}

/* --- wakings by interrupts -------------------------------------------------------------- */

/* Interrupts (core/symbols/names/interrupts.h) are recognised by names in the call chains of wakings.  Our own
 * recordings mark them instead. */

/* {0} is empty.  Note all wakings first, then resolve the names, then query. */
struct interrupted {
	struct places places; /* kernel addresses in their chains */
};

static struct chain chain_of_sample(const struct recorded_sample *s)
{
	return chain_of(s->chain, s->chain_count, s->kernel);
}

/* Kernel addresses mean the same at all times, so the time can be 0. */
static uint32_t kernel_place(struct interrupted *i, uint64_t address)
{
	return places_add(&i->places, NULL, 0, address, 0);
}

static void interrupted_note(struct interrupted *i, const struct recorded_sample *waking)
{
	struct chain chain = chain_of_sample(waking);
	uint64_t address;

	while (chain_next(&chain, &address)) {
		if (chain.kernel)
			kernel_place(i, address);
	}
}

static void interrupted_resolve(struct interrupted *i, const struct modules *modules, places_source *source,
				void *argument)
{
	if (i->places.count)
		places_resolve(&i->places, modules, source, argument);
}

/* How many entries of the chain belong to an interrupt, marks included; 0: the waker was not an interrupt. */
static uint64_t interrupted_entries(struct interrupted *i, const struct recorded_sample *waking)
{
	struct chain chain = chain_of_sample(waking);
	uint64_t address, entries = 0;

	while (chain_next(&chain, &address) && chain.kernel) {
		const char *name = i->places.items[kernel_place(i, address)].name;

		if (name && is_interrupt_entry(name, strlen(name)))
			entries = chain.next;
		else if (entries)
			break;
	}
	return entries;
}

static void interrupted_free(struct interrupted *i)
{
	places_free(&i->places);
}

/* --- the derived events ----------------------------------------------------------------- */

static struct tracing read_formats(const struct perfdata *d)
{
	struct tracing tracing = { 0 };
	size_t len;
	const uint8_t *section = perfdata_feature(d, FEATURE_TRACING_DATA, &len);

	tracing_read(&tracing, section, len);
	return tracing;
}

static const struct tracing_format *format_of(const struct tracing *tracing, const struct recorded_event *event)
{
	return event->attr.type == PERF_TYPE_TRACEPOINT ? tracing_find(tracing, event->attr.config) : NULL;
}

static bool derived_has_tracepoint(const struct perfdata *d, const struct tracing *tracing)
{
	for (size_t i = 0; i < d->event_count && tracing->formats[SCHED_SWITCH].kind; i++) {
		const struct tracing_format *f = format_of(tracing, &d->events[i]);

		if (f && f->kind == SCHED_SWITCH)
			return true;
	}
	return false;
}

static struct recorded_event *derived_find_event(const struct perfdata *d, const char *name)
{
	for (size_t i = 0; i < d->event_count; i++) {
		if (!strcmp(d->events[i].name, name))
			return &d->events[i];
	}
	return NULL;
}

/* Perf record --switch-events, --latency */
static bool has_switch_records(const struct perfdata *d)
{
	for (size_t i = 0; i < d->event_count; i++) {
		if (d->events[i].attr.context_switch)
			return true;
	}
	return false;
}

static bool is_without_cpus(const struct perfdata *d)
{
	return has_switch_records(d) && d->events[0].layout.cpu_from_end < 0;
}

/* An event offcpu counts even without samples: it was recorded, but no thread was blocked. */
static bool has_states_only(const struct perfdata *d)
{
	const struct recorded_event *sched = derived_find_event(d, RECORDING_SCHED);

	return sched && sched->spans && sched->sample_count && !derived_find_event(d, RECORDING_OFFCPU);
}

void derived_add_events(struct perfdata *d)
{
	static const char *const names[] = { RECORDING_SCHED, RECORDING_OFFCPU };
	struct tracing tracing = read_formats(d);
	bool switches = has_switch_records(d) || derived_has_tracepoint(d, &tracing);

	if (has_states_only(d)) {
		perfdata_add_derived(d, RECORDING_OFFCPU)->from_states = true;
		return;
	}
	for (size_t i = 0; switches && i < sizeof(names) / sizeof(*names); i++) {
		if (!derived_find_event(d, names[i]))
			perfdata_add_derived(d, names[i]);
	}
}

/* --- events of the scheduler -------------------------------------------------------- */

/* perf's records name the threads that it could see when it started, and those created later.  The
 * names of other threads come from the events. */
static void learn_name(struct comms *comms, int32_t pid, int32_t tid, struct tracing_field field,
		       const struct recorded_sample *s)
{
	size_t len;
	const char *name;

	if (comms_known(comms, tid))
		return;
	name = tracing_comm(field, s->raw, s->raw_len, &len);
	if (name)
		comms_set(comms, pid, tid, s->time_ns, name, len);
}

static void derived_add_tracepoint(struct switches *switches, const struct recorded_sample *s,
				   const struct tracing_format *f, uint64_t record, struct comms *comms)
{
	struct sched_event e = { .time_ns = s->time_ns, .record = record };

	if (s->cpu >= SCHED_CPU_UNKNOWN || !tracing_event(f, s->raw, s->raw_len, &e))
		return;
	e.cpu = (uint16_t)s->cpu;
	learn_name(comms, s->tid == e.tid && s->pid > 0 ? s->pid : e.tid, e.tid, f->comm, s);
	if (e.kind == SCHED_SWITCH)
		learn_name(comms, e.next, e.next, f->next_comm, s);
	if (e.kind == SCHED_SWITCH)
		switches_running_first(switches, s->cpu, e.tid);
	else
		switches_running_first(switches, s->cpu, s->tid);
	switches_add(switches, &e);
}

/* If threads were recorded, perf does not record the CPU, so all threads seem to share one. */
static uint16_t cpu_of_record(const struct perfdata *d, const struct record *r)
{
	return (uint16_t)record_cpu(d, r, is_without_cpus(d) ? 0 : SCHED_CPU_UNKNOWN);
}

/* FORK, EXIT: pid ppid tid ptid time.  perf also writes such records, without a time, for threads that already exist
 * when it starts. */
static void derived_add_life(struct switches *switches, const struct perfdata *d, const struct record *r, uint8_t kind)
{
	struct sched_event e = { .kind = kind, .next = -1, .state = 'X' };

	e.time_ns = record_time(d, r, 0);
	e.cpu = cpu_of_record(d, r);
	if (!e.time_ns || e.cpu == SCHED_CPU_UNKNOWN || r->size < sizeof(struct perf_event_header) + 16)
		return;
	e.tid = (int32_t)load_u32(r->bytes + sizeof(struct perf_event_header) + 8);
	switches_add(switches, &e);
}

static void derived_add_loss(struct switches *switches, const struct perfdata *d, const struct record *r,
			     uint64_t latest_ns)
{
	struct sched_event e = { .kind = SCHED_LOST, .next = -1 };

	e.time_ns = record_time(d, r, latest_ns);
	e.cpu = cpu_of_record(d, r);
	switches_add(switches, &e);
}

static void derived_extend(struct switches *switches, uint64_t time_ns)
{
	if (!switches->begin_ns || time_ns < switches->begin_ns)
		switches->begin_ns = time_ns;
	if (time_ns > switches->end_ns)
		switches->end_ns = time_ns;
}

/* SWITCH has only the thread and the time, as all records do.  SWITCH_CPU_WIDE adds pid and tid of the other thread.
 * Each of the two threads has a record; the one of the thread that leaves tells everything. */
static void derived_add_switch(struct switches *switches, const struct perfdata *d, const struct record *r, bool traced)
{
	bool out = r->misc & PERF_RECORD_MISC_SWITCH_OUT, both = r->type == PERF_RECORD_SWITCH_CPU_WIDE;
	struct sched_event e = { .kind = both ? SCHED_SWITCH : out ? SCHED_OUT : SCHED_IN, .next = -1 };

	e.time_ns = record_time(d, r, 0);
	e.cpu = cpu_of_record(d, r);
	e.tid = record_tid(d, r, -1);
	e.state = r->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT || !e.tid ? '+' : 'S';
	if (!e.time_ns || e.cpu == SCHED_CPU_UNKNOWN)
		return;
	derived_extend(switches, e.time_ns);
	if (!both && e.tid > 0)
		switches_add(switches, &e);
	if (!both || !out || traced || r->size < sizeof(struct perf_event_header) + 8)
		return;
	e.next = (int32_t)load_u32(r->bytes + sizeof(struct perf_event_header) + 4);
	switches_running_first(switches, e.cpu, e.tid);
	switches_add(switches, &e);
}

/* A LOST record without a time gets the time of the previous sample. */
static void derived_read_events(struct switches *switches, const struct perfdata *d, const struct tracing *tracing,
				struct sideband *sideband, struct interrupted *interrupted)
{
	struct record_cursor cursor = perfdata_records(d);
	uint64_t latest_ns = sideband->first_ns;
	bool traced = derived_has_tracepoint(d, tracing);
	struct recorded_sample s;
	struct record r;

	while (record_next(&cursor, &r)) {
		const struct tracing_format *f;

		if (r.type == PERF_RECORD_FORK)
			derived_add_life(switches, d, &r, SCHED_FORK);
		else if (r.type == PERF_RECORD_EXIT)
			derived_add_life(switches, d, &r, SCHED_GONE);
		else if (r.type == PERF_RECORD_LOST)
			derived_add_loss(switches, d, &r, latest_ns);
		else if (r.type == PERF_RECORD_SWITCH || r.type == PERF_RECORD_SWITCH_CPU_WIDE)
			derived_add_switch(switches, d, &r, traced);
		if (r.type != PERF_RECORD_SAMPLE || !sample_read(d, &r, &s))
			continue;
		f = format_of(tracing, s.event);
		if (!s.time_ns) {
			switches->untimed += f != NULL;
			continue;
		}
		latest_ns = s.time_ns;
		if (f)
			derived_add_tracepoint(switches, &s, f, (uint64_t)(r.bytes - cursor.bytes), &sideband->comms);
		else
			switches_running_first(switches, s.cpu, s.tid);
		if (interrupted && f && f->kind == SCHED_WAKING)
			interrupted_note(interrupted, &s);
	}
}

static int check_events(const struct perfdata *d, const struct switches *s)
{
	for (size_t i = 0; i < d->event_count; i++) {
		const struct recorded_event *e = &d->events[i];
		uint64_t needed = PERF_SAMPLE_RAW | PERF_SAMPLE_CPU | PERF_SAMPLE_TIME;

		if (!e->derived && e->attr.type == PERF_TYPE_TRACEPOINT && (e->attr.sample_type & needed) != needed)
			return error("%s: %s was recorded without raw data, CPU or time (perf sched record adds them)",
				     d->path, e->name);
	}
	if (!s->seen[SCHED_SWITCH] && !s->by_thread)
		return error("%s: has no context switches", d->path);
	return 0;
}

/* --- samples ------------------------------------------------------------------------ */

struct derivation {
	const struct perfdata *data;
	struct sideband *sideband;
	const struct derived_request *request;
	struct interrupted interrupted;
	struct switch_sums sums;
	struct str chain; /* chain of a switch, followed by that of the waker */
	bool without_cpus;
};

static bool is_offcpu(const struct recorded_event *event)
{
	return !strcmp(event->name, RECORDING_OFFCPU);
}

static bool derived_is_blocked(int state)
{
	return state >= RECORDING_SLEEPING && state <= RECORDING_IDLE;
}

static bool read_at(const struct perfdata *d, uint64_t record, struct recorded_sample *s)
{
	struct record_cursor cursor = perfdata_records(d);
	struct record r;

	cursor.at = record;
	cursor.path = NULL;
	cursor.drop = false;
	return record_next(&cursor, &r) && sample_read(d, &r, s);
}

static void derived_add_chain(struct derivation *d, const uint8_t *chain, uint64_t count)
{
	if (count)
		str_add(&d->chain, (const char *)chain, 8 * (size_t)count);
}

/* Append the chain of the waker to that of the switch. */
static void derived_add_waker(struct derivation *d, struct recorded_sample *waking, struct recorded_sample *s)
{
	uint64_t label, interrupt = interrupted_entries(&d->interrupted, waking);

	s->has_wakers = true;
	s->waker_pid = interrupt ? 0 : waking->pid & 0xffffff;
	s->waker_tid = interrupt ? 0 : waking->tid & 0xffffff;
	label = RECORDING_LABEL(RECORDING_LABEL_WAKER, (uint64_t)s->waker_pid << 24 | (uint64_t)s->waker_tid);
	str_clear(&d->chain);
	derived_add_chain(d, s->chain, s->chain_count);
	str_add(&d->chain, (const char *)&label, sizeof(label));
	if (!interrupt) /* this overwrites the chain of the switch, which was already copied */
		user_stacks_walk(d->request->user_stacks, waking);
	derived_add_chain(d, waking->chain, interrupt ? interrupt : waking->chain_count);
	s->chain = (const uint8_t *)str_text(&d->chain);
	s->chain_count = d->chain.len / 8;
	s->chain_is_temporary = true;
}

/* The chain of the switch, followed by that of the waker, if there is a waker. */
static void derived_take_chain(struct derivation *d, const struct switch_span *span, struct recorded_sample *s)
{
	struct recorded_sample switched = { 0 }, waking = { 0 };

	if (!span->record || !read_at(d->data, span->record, &switched))
		return;
	user_stacks_walk(d->request->user_stacks, &switched);
	s->chain = switched.chain;
	s->chain_count = s->own_count = switched.chain_count;
	s->chain_is_temporary = switched.chain_is_temporary;
	s->walked = switched.walked;
	s->end = switched.end;
	if (span->waking && read_at(d->data, span->waking, &waking) && waking.chain_count && waking.pid >= 0 &&
	    waking.tid >= 0)
		derived_add_waker(d, &waking, s);
}

static void derived_add_sample(struct derivation *d, struct recorded_event *event, const struct switch_span *span,
			       uint64_t end_ns, uint64_t count, uint32_t flags)
{
	struct recorded_sample s = {
		.event = event,
		.time_ns = end_ns,
		.period = span->ns,
		.pid = span->tid,
		.tid = span->tid,
		.cpu = d->without_cpus ? UINT32_MAX : span->cpu,
		.count = count,
		.longest_ns = span->longest_ns,
		.begin_ns = span->begin_ns,
		.migrations = span->migrated,
		.span_flags = flags | (span->open ? RECORDING_OPEN : 0),
		.state = span->state,
		.by = span->by,
	};

	if (is_offcpu(event))
		derived_take_chain(d, span, &s);
	if (span->tid)
		s.pid = comms_pid(&d->sideband->comms, span->tid, span->begin_ns);
	d->request->sink(d->request->sink_argument, &s);
}

static void derived_add_span(const struct switch_span *span, void *argument)
{
	struct derivation *d = argument;
	const struct comms *comms = &d->sideband->comms;

	if (d->request->blocked && derived_is_blocked(span->state))
		derived_add_sample(d, d->request->blocked, span, span->begin_ns + span->ns, span->count,
				   RECORDING_SINGLE);
	if (is_offcpu(d->request->event) && !derived_is_blocked(span->state))
		return;
	/* Spans of a thread that changed its name cannot be summed, because their times decide under which name they
	 * are shown. */
	if (d->request->may_sum && span->by >= 0 && !comms_changed(comms, span->tid) && !comms_changed(comms, span->by))
		switch_sums_add(&d->sums, span);
	else
		derived_add_sample(d, d->request->event, span, span->begin_ns + span->ns, span->count,
				   RECORDING_SINGLE);
}

static void derived_add_sums(struct derivation *d)
{
	for (size_t i = 0; i < d->sums.count; i++) {
		const struct switch_sum *sum = &d->sums.items[i];

		derived_add_sample(d, d->request->event, &sum->span, sum->end_ns, sum->count, 0);
	}
}

enum { SUMS_FREE = 1 << 18 };

/* Do not name the thread that had the CPU in waits that are only summed: time and memory would grow with the square of
 * the number of threads. */
static void tell_cut(const struct perfdata *d, const struct switches *s, const struct switch_sums *sums)
{
	if (s->cut)
		warn("%s: %llu waits for a CPU have too many switches between: who had the CPU in their first part is "
		     "%s",
		     d->path, (unsigned long long)s->cut, FOLDED_BY_OTHERS);
	if (sums->unnamed)
		warn("%s: more than %zu pairs of threads had to do with each other: who had the CPU in %llu parts of "
		     "waits "
		     "is %s",
		     d->path, sums->most, (unsigned long long)sums->unnamed, FOLDED_BY_OTHERS);
}

/* Say what the events lack. */
static void tell_limits(const struct perfdata *d, const struct switches *s, bool traced)
{
	if (s->by_thread)
		inform("%s: has the switches of some threads only: which threads had the CPU meanwhile is not known",
		       d->path);
	if (!traced)
		warn("%s: perf's records of switches tell neither what blocked a thread, nor where: it counts as "
		     "sleeping, "
		     "without a stack (perf record -e sched:sched_switch -g --switch-events has both)",
		     d->path);
	if (s->by_thread || (!s->seen[SCHED_WAKING] && !s->seen[SCHED_WAKEUP]))
		warn("%s: has no sched:sched_waking%s: blocked time includes the wait for a CPU after it (perf sched "
		     "record adds the event)",
		     d->path, s->by_thread ? " of all threads" : "");
}

/* What a thread did can only be derived if all threads of its CPU were recorded, or both sides of its switches.  A
 * recording of some processes is recognized by having no switches from the idle thread, which occur on every CPU. */
static int derived_judge(const struct perfdata *d, const struct switches *s, bool traced)
{
	if (s->unpaired > s->switches / (s->idle_left ? 2 : 10))
		return error(
			"%s: has only part of the context switches (of %llu, %llu do not match the one before): "
			"record all threads (perf sched record, or perf record -a), or both sides of a switch (perf "
			"record --switch-events)",
			d->path, (unsigned long long)s->switches, (unsigned long long)s->unpaired);
	if (s->unpaired)
		warn("%s: %llu of %llu switches do not match the one before, because others are missing; the time "
		     "before them counts as unknown-state",
		     d->path, (unsigned long long)s->unpaired, (unsigned long long)s->switches);
	if (s->repaired)
		warn("%s: %llu of %llu switches were not recorded; their times are estimated from "
		     "sched:sched_stat_runtime",
		     d->path, (unsigned long long)s->repaired, (unsigned long long)s->switches);
	if (s->untimed)
		warn("%s: events of the scheduler at time 0, as of broken records: %llu; they are left out", d->path,
		     (unsigned long long)s->untimed);
	tell_limits(d, s, traced);
	return 0;
}

/* Receive the states that our own collector recorded. */
static int read_states(const struct perfdata *d, const struct derived_request *request)
{
	const struct recorded_event *sched = derived_find_event(d, RECORDING_SCHED);
	struct record_cursor cursor = perfdata_records(d);
	struct recorded_sample s;
	struct record r;

	while (record_next(&cursor, &r)) {
		if (r.type != PERF_RECORD_SAMPLE || !sample_read(d, &r, &s) || s.event != sched ||
		    !derived_is_blocked(s.state))
			continue;
		s.event = request->event;
		request->sink(request->sink_argument, &s);
	}
	inform("no stacks: blocked time is taken from the scheduler states (pyrograph collect offcpu records both)");
	return 0;
}

int derived_read(const struct perfdata *d, struct sideband *sideband, const struct derived_request *request)
{
	struct tracing tracing = read_formats(d);
	struct switches switches = { .begin_ns = sideband->first_ns, .end_ns = sideband->last_ns };
	struct derivation derivation = {
		.data = d, .sideband = sideband, .request = request, .without_cpus = is_without_cpus(d)
	};
	struct interrupted *interrupted = &derivation.interrupted;
	bool stacks = request->blocked || is_offcpu(request->event);
	int status = -1;

	if (request->event->from_states)
		return read_states(d, request);
	derived_read_events(&switches, d, &tracing, sideband, stacks ? interrupted : NULL);
	if (check_events(d, &switches) == 0) {
		interrupted_resolve(interrupted, &sideband->modules, request->source, request->source_argument);
		switches.parts_kept = !request->may_sum;
		switches.whole_waits = request->whole_waits;
		derivation.sums.most = SUMS_FREE + switches.count;
		switches_run(&switches, derived_add_span, &derivation);
		derived_add_sums(&derivation);
		tell_cut(d, &switches, &derivation.sums);
		status = derived_judge(d, &switches, derived_has_tracepoint(d, &tracing));
		sideband->missing_switches = switches.unpaired + switches.repaired + switches.untimed;
	}
	switches_free(&switches);
	switch_sums_free(&derivation.sums);
	interrupted_free(interrupted);
	str_free(&derivation.chain);
	return status;
}
