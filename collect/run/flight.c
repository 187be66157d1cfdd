#include "collect/run/flight.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collect/recording/records.h"
#include "collect/run/collection.h"
#include "collect/run/completion.h"
#include "collect/run/flight_files.h"
#include "collect/run/sources.h"
#include "core/amount.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/wallclock.h"

/* ---- writing a part of the recording in memory as a recording of its own ---- */

/* Is it a sample from before the window?  Samples that took long to walk arrive late. */
static bool is_early(const uint8_t *record, const struct perf_event_header *header, uint64_t begin_ns)
{
	struct recording_sample sample;

	if (header->type != PERF_RECORD_SAMPLE || header->size < sizeof(*header) + sizeof(sample))
		return false;
	memcpy(&sample, record + sizeof(*header), sizeof(sample));
	return sample.time_ns < begin_ns;
}

/* Append the records of the window, in pieces that are as long as possible. */
static int append_window(struct recording *to, const uint8_t *bytes, size_t len, uint64_t begin_ns)
{
	enum { PIECE = 1 << 20 };
	struct records records = { bytes, len, 0 };
	struct perf_event_header header;
	const uint8_t *record;
	size_t from = 0;

	while ((record = records_next(&records, &header))) {
		size_t at = (size_t)(record - bytes);
		bool skip = is_early(record, &header, begin_ns);
		size_t end = skip ? at : records.at;

		if (end > from && (skip || end - from >= PIECE)) {
			struct iovec piece = { (void *)(bytes + from), end - from };

			if (recording_append(to, &piece, 1))
				return -1;
			from = end;
		}
		if (skip)
			from = records.at;
	}
	if (records.at > from) {
		struct iovec piece = { (void *)(bytes + from), records.at - from };

		return recording_append(to, &piece, 1);
	}
	return 0;
}

static int append_all(struct recording *to, const struct collection *c, const struct kept_mark *from)
{
	const struct recording *all = &c->recording;
	struct iovec state = { c->flight.state.records.buf, c->flight.state.records.len };
	size_t size = (size_t)all->data_end;
	const uint8_t *bytes = mmap(NULL, size, PROT_READ, MAP_SHARED, all->fd, 0);
	int status;

	if (bytes == MAP_FAILED)
		return error("%s: cannot read what was kept: %s", to->path, strerror(errno));
	status = (state.iov_len && recording_append(to, &state, 1)) ||
				 append_window(to, bytes + from->offset, size - (size_t)from->offset, from->ns)
			 ? -1
			 : 0;
	munmap((void *)bytes, size);
	return status;
}

static void snapshot_count_losses(struct recording *r, const struct kept_mark *from, const struct kept_mark *until)
{
	sources_add_losses(&from->lost, &until->lost, r->tally.losses);
	losses_raise(r->tally.losses, LOSS_lost_samples, until->dropped - from->dropped);
}

/* "TIME_NS PID TID VALUE CONDITION" */
static void add_trigger(struct recording *r, const struct hit *hit)
{
	struct str line = { 0 };

	str_addf(&line, "%" PRIu64 " %d %d %" PRIu64 " %s\n", hit->time_ns, hit->pid, hit->tid, hit->value,
		 hit->condition);
	recording_add_section(r, RECORDING_TRIGGER, line.buf, line.len);
	str_free(&line);
}

/* Write the recording since `from` to path, which must be free; until: the present time, for the counts of losses.
 * Only for a child of the process that records, since c is unusable afterwards.  Returns 0, or -1 after a message. */
static int snapshot_write(struct collection *c, const struct kept_mark *from, const struct kept_mark *until,
			  const char *path)
{
	struct recording snapshot, *all = &c->recording;
	int status;

	if (recording_create(&snapshot, path, &c->events))
		return -1;
	snapshot.own = all->own;
	snapshot.files = all->files;
	all->files = (struct file_list){ 0 };
	anchors_free(&snapshot.anchors);
	snapshot.anchors = all->anchors;
	all->anchors = (struct anchors){ 0 };
	anchors_cut(&snapshot.anchors, from->ns);
	status = append_all(&snapshot, c, from);
	if (snapshot.failed && !snapshot.tally.losses[LOSS_total_samples]) {
		recording_abandon(&snapshot);
		return -1;
	}
	if (c->walker)
		walker_give_names(c->walker, &c->jit_maps.files, &snapshot.tally);
	snapshot_count_losses(&snapshot, from, until);
	collection_describe(c, &snapshot, from->ns);
	add_trigger(&snapshot, &c->flight.hit);
	if (recording_complete(&snapshot, all, NULL, &c->kept_files, &c->jit_maps))
		status = -1;
	recording_free(&snapshot);
	return status;
}

/* ---- the flight recorder ---- */

enum {
	WRITERS_MAX = 4,      /* at a time */
	AGAIN_NS = 100000000, /* when as many are at work */
	NICE = 10,
	LATE_S = 5, /* the longest delay with which we may learn of an event on an overloaded machine */
};

/* ---- options ---- */

/* Main.c has added what sees them. */
static void check_sources(const struct collection *c)
{
	const struct conditions *conditions = &c->flight.conditions;

	for (size_t i = 0; i < conditions->count; i++) {
		const struct condition *one = &conditions->list[i];
		bool found = false;

		for (size_t k = 0; k < c->source_count; k++)
			found |= !strcmp(c->sources[k]->name, one->source);
		if (!found)
			die_usage("--when %s: %s sees that: name it, too", one->text, one->source);
	}
}

static void tell_added(const struct collection *c)
{
	struct str names = { 0 };

	for (size_t i = c->source_count - c->added_count; i < c->source_count; i++)
		str_addf(&names, "%s%s", names.len ? ", " : "", c->sources[i]->name);
	if (names.len)
		inform("--when adds %s to what is collected", names.buf);
	str_free(&names);
}

void flight_check(struct collection *c)
{
	const struct collect_options *o = &c->opt;
	struct flight *f = &c->flight;

	if (!o->keep_ns && (o->whens.count || o->when_lines.count))
		die_usage("--when needs --keep: how much from before it, such as --keep 10s");
	if (!o->keep_ns && (o->after_ns || o->rest_ns || o->most || o->then || o->report))
		die_usage("--after, --rest, --most, --then and --report belong to --keep");
	if (!o->keep_ns)
		return;
	f->keep_ns = o->keep_ns;
	f->after_ns = o->after_ns ? o->after_ns : 200 * 1000000ull;
	f->rest_ns = o->rest_ns ? o->rest_ns : 30 * NS_PER_SEC;
	f->most = o->most ? o->most : 20;
	f->then.command = o->then;
	f->report = o->report;
	f->stem = flight_stem(o->output ? o->output : "pyrograph.data");
	conditions_parse(&f->conditions, &o->whens);
	log_lines_open(&f->logs, &o->when_lines);
	check_sources(c);
	tell_added(c);
}

/* ---- what is kept ---- */

/* Keep data that a writer still reads. */
static void flight_forget(struct collection *c)
{
	struct flight *f = &c->flight;
	uint64_t offset = f->marks[0].offset;

	for (size_t i = 0; i < f->writer_count; i++) {
		if (f->writers[i].offset < offset)
			offset = f->writers[i].offset;
	}
	recording_forget(&c->recording, offset);
	anchors_cut(&c->recording.anchors, f->marks[0].ns);
	gaps_cut(&c->gaps, f->marks[0].ns);
}

static struct kept_mark flight_mark_at(const struct collection *c, uint64_t ns)
{
	return (struct kept_mark){ .ns = ns,
				   .offset = c->recording.data_end,
				   .lost = sources_losses(c),
				   .dropped = sampler_dropped(&c->sampler) };
}

static void flight_mark(struct collection *c, uint64_t now)
{
	struct flight *f = &c->flight;
	uint64_t until = f->due_ns && f->hit.time_ns < now ? f->hit.time_ns : now;
	size_t old = 0;

	f->marks = xgrow(f->marks, &f->mark_cap, f->mark_count + 1, sizeof(*f->marks));
	f->marks[f->mark_count++] = flight_mark_at(c, now);
	while (old + 1 < f->mark_count && f->marks[old + 1].ns + f->keep_ns + LATE_S * NS_PER_SEC < until)
		old++;
	if (!old)
		return;
	f->mark_count -= old;
	memmove(f->marks, f->marks + old, f->mark_count * sizeof(*f->marks));
	flight_state_pass(c, f->marks[0].offset);
	flight_forget(c);
	flight_state_files(c, f->marks[0].ns, now);
}

void flight_begin(struct collection *c)
{
	struct flight *f = &c->flight;

	flight_mark(c, c->start_ns);
	flight_state_begin(c, f->marks[0].offset);
	session_add_data(&c->session, f->conditions.wake);
	if (f->logs.fd)
		session_add_data(&c->session, f->logs.fd);
	inform("keeping the last %g s: %s, or kill -USR1 %d", (double)f->keep_ns / NS_PER_SEC,
	       f->conditions.count || f->logs.count ? "a recording is written when a condition holds"
						    : "a recording is written by pyrograph collect trigger",
	       (int)getpid());
}

/* ---- writing ---- */

/* The latest mark that is at least --keep before the hit; if there is none, the first mark. */
static const struct kept_mark *first_mark(const struct flight *f)
{
	size_t i = f->mark_count - 1;

	while (i && f->marks[i].ns + f->keep_ns > f->hit.time_ns)
		i--;
	return &f->marks[i];
}

static _Noreturn void write_as_child(struct collection *c, const struct kept_mark *from, const struct kept_mark *until,
				     const char *path)
{
	setpriority(PRIO_PROCESS, 0, NICE);
	_exit(snapshot_write(c, from, until, path) ? 1 : 0);
}

static void flight_tell(const struct flight *f, const struct kept_mark *from, const char *path)
{
	struct str line = { 0 };
	uint64_t wall = f->hit.time_ns + clock_ns(CLOCK_REALTIME) - clock_ns(CLOCK_MONOTONIC);

	str_addf(&line, "%s: %s at ", path, f->hit.condition);
	wallclock_add(&line, wall);
	if (f->hit.is_lane)
		str_addf(&line, ", %g", (double)f->hit.value / RECORDING_LANE_PARTS);
	else if (f->hit.value)
		str_addf(&line, ", %s", duration_text(f->hit.value).text);
	if (f->hit.tid > 0)
		str_addf(&line, ", thread %d of process %d", f->hit.tid, f->hit.pid);
	inform("%s; %s before it", line.buf,
	       duration_text(from->ns < f->hit.time_ns ? f->hit.time_ns - from->ns : 0).text);
	str_free(&line);
}

/* Write everything that was seen until now to the recording in memory. */
static int flight_complete(struct collection *c)
{
	if (sources_tick(c) || sources_complete(c) || (c->walker && walker_finish(c->walker, &c->recording)) ||
	    sources_drain(c))
		return -1;
	gaps_look(&c->gaps, c->sources, c->source_count, monotonic_ns());
	recording_anchor(&c->recording);
	kept_files_update(&c->kept_files, c->recording.own_path, c->recording.data_end);
	return 0;
}

static void flight_start_writer(struct collection *c)
{
	struct flight *f = &c->flight;
	const struct kept_mark *from = first_mark(f), until = flight_mark_at(c, monotonic_ns());
	struct snapshot_writer w = { .offset = from->offset, .path = flight_path(f->stem) };

	flight_tell(f, from, w.path);
	collection_take_stock(c);
	w.pid = fork();
	if (!w.pid)
		write_as_child(c, from, &until, w.path);
	if (w.pid < 0) {
		error("%s: cannot be written: %s", w.path, strerror(errno));
		flight_unreserve(w.path);
		free(w.path);
		f->failed++;
		return;
	}
	w.fd = session_add_child(&c->session, w.pid);
	f->writers = xgrow(f->writers, &f->writer_cap, f->writer_count + 1, sizeof(*f->writers));
	f->writers[f->writer_count++] = w;
}

static void flight_reap(struct flight *f, struct session *s, bool wait)
{
	for (size_t i = f->writer_count; i--;) {
		struct snapshot_writer *w = &f->writers[i];
		int status = 0;

		if (waitpid(w->pid, &status, wait ? 0 : WNOHANG) == 0)
			continue;
		if (status) {
			f->failed++;
			flight_unreserve(w->path);
		} else {
			f->written++;
			flight_prune(&f->names, w->path, f->stem, (size_t)f->most);
			inform("wrote %s", w->path);
			flight_then_start(&f->then, s, w->path);
			if (f->report)
				flight_reports_add(&f->reports, w->path);
		}
		session_close_data(s, w->fd);
		free(w->path);
		*w = f->writers[--f->writer_count];
	}
}

static int write_due(struct collection *c, uint64_t now)
{
	struct flight *f = &c->flight;

	if (f->writer_count == WRITERS_MAX) {
		f->due_ns = now + AGAIN_NS;
		return 0;
	}
	if (flight_complete(c))
		return -1;
	flight_start_writer(c);
	f->due_ns = 0;
	f->rests_until_ns = now + f->rest_ns;
	f->told_unheeded = false;
	return 0;
}

/* ---- hits ---- */

static void heed(struct flight *f, const struct hit *hit, uint64_t times, uint64_t now)
{
	if (f->due_ns) /* it is in that recording */
		return;
	if (now >= f->rests_until_ns) {
		f->hit = *hit;
		f->due_ns = now + f->after_ns;
		return;
	}
	f->unheeded += times;
	if (!f->told_unheeded)
		inform("%s again: no other recording before %s have passed (--rest)", hit->condition,
		       duration_text(f->rests_until_ns - now).text);
	f->told_unheeded = true;
}

uint64_t flight_wait_ns(const struct flight *f, uint64_t most_ns)
{
	uint64_t now = f->due_ns ? monotonic_ns() : 0;

	if (f->logs.behind)
		return 1;
	if (!f->due_ns || f->due_ns > now + most_ns)
		return most_ns;
	return f->due_ns > now ? f->due_ns - now : 1;
}

int flight_turn(struct collection *c, int wake)
{
	struct flight *f = &c->flight;
	uint64_t now = monotonic_ns(), times;
	struct hit hit;

	if (wake & SESSION_ASKED)
		conditions_add_hit(&f->conditions, &(struct hit){ .condition = "asked for", .time_ns = now });
	log_lines_read(&f->logs, &f->conditions);
	flight_reap(f, &c->session, false);
	flight_then_reap(&f->then, &c->session, false);
	flight_reports_turn(&f->reports, &c->session);
	if (wake & SESSION_TICK)
		flight_mark(c, now);
	times = conditions_take(&f->conditions, &hit);
	if (times)
		heed(f, &hit, times, now);
	return f->due_ns && now >= f->due_ns ? write_due(c, now) : 0;
}

int flight_finish(struct collection *c)
{
	struct flight *f = &c->flight;
	struct hit hit;
	uint64_t times = conditions_take(&f->conditions, &hit);

	if (times)
		heed(f, &hit, times, monotonic_ns());
	if (f->due_ns && f->mark_count)
		flight_start_writer(c);
	log_lines_say(&f->logs);
	flight_reap(f, &c->session, true);
	flight_then_reap(&f->then, &c->session, true);
	flight_reports_finish(&f->reports, &c->session);
	inform("%" PRIu64 " recording%s written%s", f->written, f->written == 1 ? "" : "s",
	       f->written || f->failed ? "" : ": no condition held");
	if (c->recording.files.forgotten)
		inform("forgot %" PRIu64 " names of files that nothing in memory refers to any more, and kept %zu",
		       c->recording.files.forgotten, c->recording.files.before.count + c->recording.files.now.count);
	if (f->unheeded)
		inform("conditions held %" PRIu64 " more times, too soon after another (--rest)", f->unheeded);
	if (f->then.failed)
		error("--then failed %" PRIu64 " time%s", f->then.failed, f->then.failed == 1 ? "" : "s");
	if (f->failed)
		error("%" PRIu64 " recording%s could not be written", f->failed, f->failed == 1 ? "" : "s");
	return f->failed || f->then.failed ? -1 : 0;
}

void flight_free(struct flight *f)
{
	if (!f->keep_ns)
		return;
	conditions_free(&f->conditions);
	log_lines_free(&f->logs);
	flight_state_free(&f->state);
	flight_written_free(&f->names);
	flight_reports_free(&f->reports);
	free(f->marks);
	free(f->writers);
	free(f->stem);
	*f = (struct flight){ 0 };
}
