#include "collect/run/watch_windows.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collect/machine/procfs.h"
#include "collect/recording/living.h"
#include "collect/recording/records.h"
#include "collect/run/collection.h"
#include "collect/run/completion.h"
#include "collect/run/sources.h"
#include "collect/run/window_files.h"
#include "core/amount.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/wallclock.h"

enum {
	NICE = 10,
	LEAST_ROOM = 256 << 10,   /* bytes reserved in a window for the records after the state */
	BPF_RING = 2 << 20,       /* bytes; we are woken when a quarter is full */
	WARM_WINDOWS = 3,         /* then our memory should no longer grow */
	MEMORY_GROWTH = 64 << 20, /* if our memory grows by this much, and doubles, we begin anew */
};

/* How often to look: more often if we walk stacks or keep files of living processes than if waiting loses nothing. */
#define WAIT_WALKING_NS 500000000ull
#define BUSY_NS 100000000ull
/* How often to try again when the disk is full.  Older windows stay, since otherwise another program that fills the
 * disk would drive out all of them. */
#define RETRY_NS (30 * NS_PER_SEC)

/* ---- when it ends ----------------------------------------------------------- */

static uint64_t wall_unit(const struct watch_windows *w)
{
	return w->number ? w->plan->window_ns : w->plan->align_ns;
}

static bool is_due(const struct watch_windows *w)
{
	if (!w->plan->align_ns || !w->part)
		return monotonic_ns() >= w->end_ns;
	return clock_ns(CLOCK_REALTIME) / wall_unit(w) != w->wall_index; /* it may also have been set back */
}

static void set_end(struct watch_windows *w)
{
	bool retry = !w->part && w->plan->window_ns > RETRY_NS;

	w->end_ns = monotonic_ns() + (retry ? RETRY_NS : w->plan->window_ns);
	if (w->plan->align_ns)
		w->wall_index = clock_ns(CLOCK_REALTIME) / wall_unit(w);
}

static uint64_t left_ns(const struct watch_windows *w)
{
	uint64_t now = monotonic_ns(), unit = wall_unit(w);

	if (w->plan->align_ns && w->part)
		return unit - clock_ns(CLOCK_REALTIME) % unit;
	return w->end_ns > now ? w->end_ns - now : BUSY_NS; /* writers are at work */
}

uint64_t watch_windows_wait_ns(const struct collection *c)
{
	uint64_t left = left_ns(&c->windows), most = c->walker ? WAIT_WALKING_NS : NS_PER_SEC;

	return expense_wait_ns(&c->expense, left < most ? left : most);
}

/* ---- files ------------------------------------------------------------------ */

static void prune(struct watch_windows *w)
{
	struct window_limits limits = { w->plan->ring_ns, w->plan->most, w->largest };

	window_prune(w->dir, &limits, clock_ns(CLOCK_REALTIME));
}

/* Where records go that cannot be written. */
static struct iovec count_only(void *windows, const struct iovec *iov, int count)
{
	struct watch_windows *w = windows;
	struct perf_event_header header;
	size_t at = 0;

	for (; count > 0; at -= iov->iov_len, iov++, count--) {
		while (at < iov->iov_len) {
			memcpy(&header, (const char *)iov->iov_base + at, sizeof(header));
			if (header.size < sizeof(header))
				return (struct iovec){ 0 };
			w->unwritten += header.type == PERF_RECORD_SAMPLE;
			at += header.size;
		}
	}
	return (struct iovec){ 0 };
}

/* Begin a file; its records begin with the state so far.  Returns 0, or -1 if that failed. */
static int create_file(struct collection *c)
{
	struct watch_windows *w = &c->windows;
	struct iovec state = { w->state.out.buf, w->state.out.len };

	w->part = window_part(w->plan->dir, clock_ns(CLOCK_REALTIME));
	if (recording_create(&c->recording, w->part, &c->events)) {
		free(w->part);
		w->part = NULL;
		return -1;
	}
	flock(c->recording.fd, LOCK_EX); /* its writer inherits the lock, so that the next run leaves the file alone */
	if (state.iov_len && recording_append(&c->recording, &state, 1)) {
		recording_abandon(&c->recording);
		free(w->part);
		w->part = NULL;
		return -1;
	}
	shipping_mark(&w->shipping, w->part);
	return 0;
}

/* Do not report again that the disk is still full. */
static bool is_still_full(const struct watch_windows *w)
{
	uint64_t state = w->state.out.len;

	return w->full && !window_has_room(w->plan->dir, state + state / 4 + LEAST_ROOM);
}

/* If the user moves our directory away, removes it, or mounts another one in its place, recordings go to the new
 * directory from then on; earlier ones stay where they are.  Returns false, after a message the first time, if there is
 * no directory that we can use. */
static bool follow_directory(struct watch_windows *w)
{
	int dir;

	if (window_dir_is(w->dir, w->plan->dir))
		return true;
	if (w->full && mkdir(w->plan->dir, 0700) && errno != EEXIST) /* as was said */
		return false;
	dir = window_dir_open(w->plan->dir);
	if (dir < 0)
		return false;
	window_dir_close(w->dir);
	w->dir = dir;
	w->largest = 0;
	warn("%s: was replaced by another directory: recording goes on there; --ring and --most apply to that one "
	     "alone, and earlier recordings stay where they are",
	     w->plan->dir);
	return true;
}

/* The same, unless the disk was full just now; then c->recording only counts. */
static int create_any(struct collection *c, bool was_full)
{
	struct watch_windows *w = &c->windows;
	bool is_there = follow_directory(w);

	prune(w);
	if (is_there && !was_full && !is_still_full(w) && !create_file(c)) {
		if (w->full)
			inform("%s: recording again; %" PRIu64 " samples could not be written", w->plan->dir,
			       w->unwritten);
		w->full = false;
		return 0;
	}
	if (!w->full)
		warn("%s: nothing can be written: what is lost is counted, until there is room", w->plan->dir);
	w->full = true;
	if (recording_create_in_memory(&c->recording, &c->events))
		return -1;
	c->recording.keep = count_only;
	c->recording.keeper = w;
	return 0;
}

void watch_windows_check(struct collection *c)
{
	const struct watch_plan *plan = c->windows.plan;

	for (size_t i = 0; plan && i < c->source_count; i++) {
		if (c->sources[i]->single_ns)
			*c->sources[i]->single_ns = plan->outlier_ns;
	}
	c->wish.bpf_ring_most = plan ? BPF_RING : 0;
}

int watch_windows_create(struct collection *c)
{
	struct watch_windows *w = &c->windows;

	w->dir = window_dir_open(w->plan->dir);
	if (w->dir < 0)
		return -1;
	shipping_begin(&w->shipping, &w->plan->shipping);
	prune(w);
	return create_file(c);
}

void watch_windows_begin(struct collection *c)
{
	struct watch_windows *w = &c->windows;

	c->session.tick_ns = w->plan->tick_ns;
	w->lost = sources_losses(c);
	set_end(w);
}

/* ---- a window ends ---------------------------------------------------------- */

/* Everything that was seen until now belongs to this window. */
static int watch_windows_complete(struct collection *c)
{
	if (sources_tick(c) || sources_complete(c) || (c->walker && walker_finish(c->walker, &c->recording)) ||
	    sources_drain(c))
		return -1;
	gaps_look(&c->gaps, c->sources, c->source_count, monotonic_ns());
	return 0;
}

static void add_watch(struct collection *c, struct recording *r, double share)
{
	const struct watch_windows *w = &c->windows;
	struct str text = { 0 };

	str_addf(&text, "window %" PRIu64 "\nbudget %.4g\ncost %.2f\nlevel %u\nrate %" PRId64 "\n", w->number,
		 100 * w->plan->budget.limit, 100 * share, w->plan->budget.level, w->plan->hz);
	if (*w->plan->off)
		str_addf(&text, "off %s\n", w->plan->off);
	if (w->unwritten)
		str_addf(&text, "unwritten %" PRIu64 "\n", w->unwritten);
	recording_add_section(r, RECORDING_WATCH, text.buf, text.len);
	str_free(&text);
}

/* Losses from now on belong to the next window, while a writer completes this one. */
static void watch_windows_count_losses(struct collection *c)
{
	struct watch_windows *w = &c->windows;
	uint64_t *losses = c->recording.tally.losses, dropped = sampler_dropped(&c->sampler);
	struct source_losses lost = sources_losses(c);

	sources_add_losses(&w->lost, &lost, losses);
	losses[LOSS_unwritten_records] += w->unwritten;
	losses_raise(losses, LOSS_lost_samples, dropped - w->dropped);
	w->lost = lost;
	w->dropped = dropped;
}

/* Add the sections, and give the file its name.  Returns 0, or -1 after a message. */
static int complete_file(struct collection *c, double share)
{
	struct recording *r = &c->recording;
	bool was_full = r->failed; /* as it said */
	int status;

	if (was_full && !r->tally.losses[LOSS_total_samples]) {
		recording_abandon(r);
		return 0;
	}
	r->tally.capture.symbols_only = true;
	collection_describe(c, r, 0);
	add_watch(c, r, share);
	status = recording_complete(r, r, NULL, &c->kept_files, &c->jit_maps);
	if (window_publish(c->windows.dir, c->windows.part))
		return -1;
	return was_full || r->failed ? 0 : status;
}

/* c->walker is NULL if the walker has stopped; then its names were already taken. */
static _Noreturn void complete_as_child(struct collection *c, double share)
{
	int dir = openat(c->windows.dir, ".", O_PATH | O_DIRECTORY | O_CLOEXEC);

	close(c->windows.dir); /* the lock is not ours */
	c->windows.dir = dir;  /* the path of this window itself, since its old path may lead elsewhere by now */
	setpriority(PRIO_PROCESS, 0, NICE);
	if (c->walker)
		walker_give_names(c->walker, &c->jit_maps.files, &c->recording.tally);
	_exit(complete_file(c, share) ? 1 : 0);
}

/* Include writers that were started before we began anew. */
static void watch_windows_reap(struct collection *c, bool wait)
{
	struct watch_windows *w = &c->windows;
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, wait ? 0 : WNOHANG)) > 0) {
		if (shipping_reaped(&w->shipping, pid, status))
			continue;
		w->failed += status != 0;
		for (size_t i = w->writer_count; i--;) {
			if (w->writers[i].pid != pid)
				continue;
			session_close_data(&c->session, w->writers[i].fd);
			w->writers[i] = w->writers[--w->writer_count];
		}
		prune(w);
		shipping_add(&w->shipping);
	}
}

static void watch_windows_start_writer(struct collection *c, double share)
{
	struct watch_windows *w = &c->windows;
	struct window_writer writer = { .fd = -1 };

	kept_files_keep_kernel(&c->kept_files);
	writer.pid = fork();
	if (!writer.pid)
		complete_as_child(c, share);
	if (writer.pid < 0) {
		error("%s: cannot be completed: %s", w->part, strerror(errno));
		window_publish(w->dir, w->part);
		w->failed++;
		return;
	}
	writer.fd = session_add_child(&c->session, writer.pid);
	w->writers = xgrow(w->writers, &w->writer_cap, w->writer_count + 1, sizeof(*w->writers));
	w->writers[w->writer_count++] = writer;
}

/* Leave the present recording to its writer. */
static void let_go(struct collection *c, struct file_list *files)
{
	struct watch_windows *w = &c->windows;

	if (c->recording.data_end > w->largest)
		w->largest = c->recording.data_end;
	*files = c->recording.files; /* the collectors know their numbers */
	c->recording.files = (struct file_list){ 0 };
	recording_free(&c->recording);
	free(w->part);
	if (w->part)
		w->unwritten = 0;
	w->part = NULL;
}

/* Everything was written, so files used from now on are in the present generation.  Files that none of the last windows
 * used are dropped. */
static void watch_windows_forget_files(struct collection *c)
{
	if (c->recording.files.has_before)
		sources_forget_files(c);
	file_list_turn(&c->recording.files);
}

/* Close files that no process has mapped any more, since a deleted file takes room on the disk as long as it is open.
 * The state has what the kernel reported; while nothing is written, nothing is reported. */
static void keep_files_of_state(struct collection *c)
{
	uint64_t size = c->recording.data_end;
	bool changed = c->kept_files.kernel_changed || !c->windows.part;

	kept_files_forget(&c->kept_files, &c->windows.state.out, c->recording.own_path, size, size);
	c->kept_files.kernel_changed = changed;
}

/* Begin the next window, in which all known files and names are new. */
static int begin_next(struct collection *c)
{
	struct watch_windows *w = &c->windows;
	bool was_full = c->recording.failed;
	struct file_list files;

	let_go(c, &files);
	gaps_clear(&c->gaps);
	hotplug_clear(&c->hotplug, monotonic_ns());
	w->number++;
	if (create_any(c, was_full)) {
		file_list_free(&files);
		return -1;
	}
	c->recording.files = files;
	watch_windows_forget_files(c);
	kept_state_written(&w->state, c->recording.data_end);
	c->jit_maps.records.seen = c->names.records.seen = 0;
	owners_begin_window(&c->owners);
	keep_files_of_state(c);
	recording_begin(&c->recording);
	set_end(w);
	collection_begin_expense(c);
	return recording_flush(&c->recording);
}

/* ---- what it costs ---------------------------------------------------------- */

/* Resident memory that no file backs, in bytes. */
static uint64_t watch_memory(void)
{
	static const char key[] = "RssAnon:";
	struct str text = { 0 };
	const char *line = read_whole("/proc/self/status", &text) ? NULL : strstr(str_text(&text), key);
	uint64_t kib = line ? strtoull(line + strlen(key), NULL, 10) : 0;

	str_free(&text);
	return kib * 1024;
}

/* After many days, many names belong to processes that have ended. */
static bool has_grown(struct watch_windows *w)
{
	uint64_t memory = watch_memory();

	if (w->number < WARM_WINDOWS)
		return false;
	if (!w->memory)
		w->memory = memory;
	return memory > 2 * w->memory && memory > w->memory + MEMORY_GROWTH;
}

static void tell_level(const struct budget *b, unsigned before, double share)
{
	bool less = b->level > before;

	inform("%s of a CPU %s the budget of %.3g %%: doing %s",
	       percentage_text((uint64_t)(share * 1e6 + 0.5), 1000000).text, less ? "is above" : "leaves room in",
	       100 * b->limit, less ? "less" : "more");
}

/* If we use far too much, do not wait for the end of the window.  What we do at the begin of a window is over by the
 * first look. */
static bool watch_windows_hurry(struct collection *c)
{
	struct watch_windows *w = &c->windows;
	struct budget *b = &w->plan->budget;
	unsigned level = b->level;
	struct expense_pace pace;

	if (!w->part || monotonic_ns() - c->expense.pace_ns < NS_PER_SEC)
		return false;
	pace = expense_pace(&c->expense);
	if (!budget_hurry(b, pace.own, pace.bpf))
		return false;
	tell_level(b, level, pace.own + pace.bpf);
	return true;
}

/* Must the recording begin anew? */
static bool watch_windows_judge(struct watch_windows *w, double share)
{
	struct budget *b = &w->plan->budget;
	unsigned level = b->level;

	if (budget_judge(b, share)) {
		tell_level(b, level, share);
		return true;
	}
	if (!has_grown(w))
		return false;
	inform("beginning anew: %s of memory, for names of processes that have ended", size_text(watch_memory()).text);
	return true;
}

/* Forget processes and threads that the state does not refer to, since nobody asks for their names any more. */
static void forget_ended(struct collection *c)
{
	const struct str *state = &c->windows.state.out;
	struct records records = { (const uint8_t *)str_text(state), state->len, 0 };
	struct perf_event_header header;
	struct living living = { 0 };
	const uint8_t *record;

	while ((record = records_next(&records, &header)))
		living_note(&living, record, header.type);
	thread_names_forget(&c->names, &living);
	owners_forget(&c->owners, &living);
	jit_maps_forget(&c->jit_maps, &living);
	java_maps_forget(&c->java_maps, &living);
	if (c->walker)
		walker_forget(c->walker, &living);
	living_free(&living);
}

static int end_window(struct collection *c, bool is_whole)
{
	struct watch_windows *w = &c->windows;
	double share;

	collection_take_stock(c);
	share = expense_share(&c->expense);
	if (is_whole && w->part && watch_windows_judge(w, share)) {
		w->plan->again = true;
		return 1; /* stop() and finish() take the rest */
	}
	if (watch_windows_complete(c) && !c->recording.failed)
		return -1;
	kept_files_update(&c->kept_files, c->recording.own_path, c->recording.data_end);
	if (w->part)
		kept_state_take(&w->state, c->recording.own_path, c->recording.data_end);
	recording_anchor(&c->recording);
	watch_windows_count_losses(c);
	if (w->part) {
		watch_windows_start_writer(c, share);
		forget_ended(c);
	}
	return begin_next(c);
}

int watch_windows_turn(struct collection *c)
{
	struct watch_windows *w = &c->windows;

	watch_windows_reap(c, false);
	shipping_turn(&w->shipping);
	if (watch_windows_hurry(c)) {
		w->plan->again = true;
		return 1;
	}
	return is_due(w) ? end_window(c, true) : 0;
}

bool watch_windows_survive(struct collection *c)
{
	if (!c->windows.plan || !c->recording.failed)
		return false;
	return end_window(c, false) == 0;
}

/* ---- the end ---------------------------------------------------------------- */

int watch_windows_stop_sources(struct collection *c, uint64_t end_ns)
{
	uint64_t *losses = c->recording.tally.losses, before[LOSS_COUNT];
	int status;

	memcpy(before, losses, sizeof(before));
	status = sources_stop(c, end_ns);
	for (int i = 0; i < LOSS_COUNT; i++) {
		if (i != LOSS_total_samples && i != LOSS_unwritten_records && i != LOSS_open_spans)
			losses[i] = before[i];
	}
	return status;
}

int watch_windows_finish(struct collection *c)
{
	struct watch_windows *w = &c->windows;

	watch_windows_count_losses(c);
	collection_take_stock(c);
	if (w->part)
		watch_windows_start_writer(c, expense_share(&c->expense));
	shipping_stop(&w->shipping);
	w->plan->before += w->number + 1;
	if (w->plan->again) /* without waiting: the next recording begins soon */
		return 0;
	watch_windows_reap(c, true);
	shipping_finish(&w->shipping);
	inform("%" PRIu64 " window%s in %s", w->plan->before, w->plan->before == 1 ? "" : "s", w->plan->dir);
	return w->failed ? error("%" PRIu64 " windows could not be completed", w->failed) : 0;
}

void watch_windows_free(struct watch_windows *w)
{
	if (!w->plan)
		return;
	shipping_free(&w->shipping);
	kept_state_free(&w->state);
	free(w->writers);
	free(w->part);
	if (w->dir > 0)
		window_dir_close(w->dir);
	*w = (struct watch_windows){ 0 };
}
