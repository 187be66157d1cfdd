/* lanes: collect lanes: quantities over time: memory, pressure, run queues, receive queues of sockets, devices, and
 * values that programs themselves write to files.
 *
 * A thread looks at all of them every 10 ms; the main thread writes what has changed. */
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "collect/bpf/bpf.h"
#include "collect/lanes/lane_csv.h"
#include "collect/lanes/lane_diag.h"
#include "collect/lanes/lane_limits.h"
#include "collect/lanes/lane_list.h"
#include "collect/lanes/lane_machine.h"
#include "collect/lanes/lane_sockets.h"
#include "collect/lanes/lanes_program.h"
#include "collect/machine/cgroup.h"
#include "collect/run/collection.h"
#include "collect/run/opening.h"
#include "core/error.h"
#include "core/format/recording.h"
#include "core/memory.h"
#include "core/nearest.h"
#include "core/start.h"
#include "core/wallclock.h"

enum {
	DEFAULT_EVERY_NS = 10000000,
	FIND_NS = 100000000,      /* minimum time between two searches for the processes of new sockets */
	FIND_ALL_NS = 1000000000, /* the same for sockets without data */
};

static struct {
	uint64_t every_ns;
	struct text_list csv;
	const char *csv_clock, *cgroup;
} opt = { .every_ns = DEFAULT_EVERY_NS, .csv_clock = "wall" };

static const struct opt options[] = {
	{ 0, "every", "TIME", "look this often [10ms]", .ns = &opt.every_ns },
	{ 0, "csv", "NAME=FILE", "a lane from lines time,value; follows the file", .list = &opt.csv },
	{ 0, "csv-clock", "CLOCK", "of their times: wall, monotonic [wall]", .text = &opt.csv_clock,
	  .choices = "wall monotonic" },
	{ 0, "cgroup", "GROUP", "sockets of this control group or below", .text = &opt.cgroup },
	{ 0 }
};

static struct {
	size_t event_number;
	bool has_program, has_diag;
	const char *missing[LANES_MISSING];
	pthread_t thread;
	bool has_thread, over;
	pthread_mutex_t lock; /* protects all that follows once the thread runs */
	struct lane_list list;
	struct lane_machine machine;
	struct lane_sockets sockets;
	struct lane_diag diag; /* used where the BPF program may not look at sockets */
	struct lane_csv *csv;
	uint32_t *cpus; /* the lane of each CPU's run queue */
	uint32_t cpu_all, kswapd, reclaim;
	struct conditions *conditions;
	size_t seen; /* number of the list's values when conditions were last checked */
	uint64_t start_ns, look_ns, found_ns, found_all_ns;
	struct lane_limits limits;
	struct lane_limit_rules limit_rules;
	struct cgroup_found group; /* that of --cgroup */
} run = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* ---- a look ---- */

/* A look takes a millisecond, and much longer if others have the CPU.  So each value gets the time at which it was
 * read; otherwise a queue would seem to be full before anything was sent. */
static void take_socket(void *context, const struct lane_socket *s)
{
	(void)context;
	lane_sockets_take(&run.sockets, &run.list, s, monotonic_ns());
}

static void find_sockets(void)
{
	bool all = run.look_ns - run.found_all_ns >= FIND_ALL_NS;

	if (all || run.look_ns - run.found_ns >= FIND_NS) {
		lanes_program_find_sockets(all);
		run.found_ns = run.look_ns;
		run.found_all_ns = all ? run.look_ns : run.found_all_ns;
	}
}

static void look_at_sockets(void)
{
	if (run.has_diag) {
		lane_diag_look(&run.diag, take_socket, NULL);
	} else if (run.has_program) {
		find_sockets();
		lanes_program_sockets(take_socket, NULL);
	}
	lane_sockets_looked(&run.sockets);
}

/* Do not count ourselves: we run on one of the CPUs only because we look. */
static void look_at_cpus(const struct cpus *cpus)
{
	const uint32_t *running = lanes_program_run_queues();
	uint64_t all = 0, read_ns = monotonic_ns();
	int own = sched_getcpu();

	for (size_t i = 0; running && i < cpus->count; i++) {
		int cpu = cpus->list[i];
		uint64_t count = cpu < LANES_CPUS ? running[cpu] : 0;

		count -= cpu == own && count;
		all += count;
		lane_set(&run.list, run.cpus[i], read_ns, count * RECORDING_LANE_PARTS);
	}
	if (running)
		lane_set(&run.list, run.cpu_all, read_ns, all * RECORDING_LANE_PARTS);
}

static void lanes_take_event(void *context, const struct lane_event *e)
{
	(void)context;
	lane_set(&run.list, e->kind == LANE_KSWAPD ? run.kswapd : run.reclaim, e->time_ns,
		 (uint64_t)e->value * RECORDING_LANE_PARTS);
}

static void look_at_reclaim(void)
{
	lanes_program_events(lanes_take_event, NULL);
	lane_repeat(&run.list, run.kswapd, run.look_ns);
	lane_repeat(&run.list, run.reclaim, run.look_ns);
}

static void look_at_files(bool last)
{
	int64_t wall_ns = opt.csv.count ? wall_ahead_ns() : 0;

	for (size_t i = 0; i < opt.csv.count; i++)
		lane_csv_read(&run.csv[i], &run.list, run.start_ns, monotonic_ns, wall_ns, last);
}

static bool lanes_is_behind(void)
{
	bool behind = false;

	for (size_t i = 0; i < opt.csv.count; i++)
		behind |= run.csv[i].behind;
	return behind;
}

/* Check whether values since the last look meet a condition. */
static void see_values(void)
{
	for (; run.conditions->count && run.seen < run.list.count; run.seen++) {
		const struct lane_value *v = &run.list.values[run.seen];

		conditions_see_lane(run.conditions, intern_text(&run.list.names, v->lane), v->time_ns, v->value);
	}
}

/* Locked during a fork, so that the list is consistent in the child, which has no such thread. */
static void lock_list(void)
{
	pthread_mutex_lock(&run.lock);
}

static void unlock_list(void)
{
	pthread_mutex_unlock(&run.lock);
}

static void lanes_look(const struct collection *c, bool last)
{
	pthread_mutex_lock(&run.lock);
	run.look_ns = monotonic_ns();
	lane_machine_look(&run.machine, &run.list);
	if (last)
		run.limits.looked_ns = 0; /* however short ago that was */
	lane_limits_look(&run.limits, &run.list, &run.limit_rules, run.look_ns);
	look_at_sockets();
	if (run.has_program) {
		look_at_cpus(&c->cpus);
		look_at_reclaim();
	}
	look_at_files(last);
	see_values();
	pthread_mutex_unlock(&run.lock);
}

static bool lanes_is_over(void)
{
	return __atomic_load_n(&run.over, __ATOMIC_ACQUIRE);
}

static void lanes_sleep_until(uint64_t at_ns)
{
	struct timespec t = { (time_t)(at_ns / NS_PER_SEC), (long)(at_ns % NS_PER_SEC) };

	while (!lanes_is_over() && clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR)
		;
}

/* Read the rest of files that have more lines than fit into one look, with the list unlocked between parts. */
static void catch_up(uint64_t until_ns)
{
	enum { PAUSE_NS = 1000000 };

	while (lanes_is_behind() && !lanes_is_over() && monotonic_ns() + PAUSE_NS < until_ns) {
		lanes_sleep_until(monotonic_ns() + PAUSE_NS);
		pthread_mutex_lock(&run.lock);
		look_at_files(false);
		see_values();
		pthread_mutex_unlock(&run.lock);
	}
}

static void *look_again(void *collection)
{
	uint64_t at_ns = monotonic_ns();

	while (!lanes_is_over()) {
		uint64_t now_ns;

		lanes_look(collection, false);
		now_ns = monotonic_ns();
		at_ns += opt.every_ns;
		if (at_ns < now_ns) /* late: leave out the missed looks, rather than make several at once */
			at_ns = now_ns + opt.every_ns - (now_ns - at_ns) % opt.every_ns;
		catch_up(at_ns);
		lanes_sleep_until(at_ns);
	}
	return NULL;
}

/* ---- the source ---- */

static void lanes_check(struct collection *c)
{
	static const char *const clocks[] = { "wall", "monotonic" };

	(void)c;
	if (strcmp(opt.csv_clock, clocks[0]) && strcmp(opt.csv_clock, clocks[1]))
		nearest_die("--csv-clock", opt.csv_clock, clocks, 2);
	if (opt.every_ns < 1000000)
		die_usage("--every: at least 1ms");
	for (size_t i = 0; i < opt.csv.count; i++) {
		if (!lane_csv_is_valid(opt.csv.items[i]))
			die_usage("--csv: '%s' is not NAME=FILE", opt.csv.items[i]);
	}
}

static int open_files(void)
{
	bool monotonic = !strcmp(opt.csv_clock, "monotonic");

	run.csv = xcalloc(opt.csv.count + 1, sizeof(*run.csv));
	for (size_t i = 0; i < opt.csv.count; i++) {
		if (lane_csv_open(&run.csv[i], opt.csv.items[i], monotonic))
			return -1;
	}
	return 0;
}

static void find_lanes(const struct cpus *cpus)
{
	struct str name = { 0 };

	run.cpus = xcalloc(cpus->count + 1, sizeof(*run.cpus));
	run.cpu_all = lane_find(&run.list, "run-queue;all", "threads", -1);
	for (size_t i = 0; i < cpus->count; i++) {
		str_clear(&name);
		str_addf(&name, "run-queue;cpu%d", cpus->list[i]);
		run.cpus[i] = lane_find(&run.list, name.buf, "threads", -1);
	}
	run.kswapd = lane_find(&run.list, "reclaim;kswapd", "awake", -1);
	run.reclaim = lane_find(&run.list, "reclaim;direct", "threads", -1);
	str_free(&name);
}

static int lanes_prepare(struct collection *c)
{
	struct lanes_rules rules = {
		.targets = collection_targets(c),
		.cgroup = opt.cgroup,
		.inherit = !c->opt.no_inherit,
	};
	const char *obstacle = lanes_program_obstacle(), *missing = lane_machine_open(&run.machine);

	run.event_number = spans_add_event(&c->events, RECORDING_LANE);
	c->events.list[run.event_number].attr.config2 = 1;
	if (missing)
		detail("lanes: without %s", missing);
	if (open_files())
		return -1;
	run.has_program = !obstacle;
	if (obstacle)
		detail("lanes: without run queues and reclaim: %s", obstacle);
	return obstacle ? 0 : lanes_program_load(&rules, run.missing);
}

static int start_program(struct collection *c)
{
	int status;

	for (size_t i = 0; run.missing[i]; i++)
		detail("lanes: this kernel does not report %s, so the recording has no such data", run.missing[i]);
	status = opening_start_program(c, lanes_program_start);
	find_lanes(&c->cpus);
	return status;
}

static void start_diag(struct collection *c)
{
	struct lane_diag_rules rules = {
		.targets = collection_targets(c),
		.cgroup = opt.cgroup,
		.inherit = !c->opt.no_inherit,
		.is_target = run.has_program ? lanes_program_is_target : NULL,
		.command = c->command.pid,
	};
	const char *missing = lane_diag_begin(&run.diag, &rules);

	run.has_diag = !missing;
	if (missing)
		detail("lanes: without sockets: %s", missing);
	else
		detail("lanes: no program may look at sockets here: their queues are as they were at each look "
		       "(\"sampled\"), "
		       "without peaks in between");
}

static void start_sockets(struct collection *c)
{
	if (!run.has_program || !lanes_program_has_sockets())
		start_diag(c);
	else if (!lanes_program_has_maxima())
		detail("lanes: before Linux 6.3, queues of sockets are as they were at each look (\"sampled\"), "
		       "without peaks in between");
	run.sockets.sampled = run.has_diag || !lanes_program_has_maxima();
	/* Drops so far happened before the recording; sockets that appear from now on are new. */
	run.look_ns = monotonic_ns();
	look_at_sockets();
	run.sockets.running = true;
}

static void find_limits(const struct collection *c)
{
	const struct targets *targets = collection_targets(c);

	run.limit_rules = (struct lane_limit_rules){
		.mounts = "/sys/fs/cgroup",
		.targets = targets ? &targets->processes : NULL,
		.command = c->command.pid,
		.everybody = !targets && !opt.cgroup,
	};
	if (opt.cgroup && !cgroup_find(opt.cgroup, &run.group))
		run.limit_rules.cgroup = run.group.path.buf;
}

static int lanes_start(struct collection *c)
{
	int err;

	if (run.has_program && start_program(c))
		return -1;
	start_sockets(c);
	find_limits(c);
	run.start_ns = c->start_ns;
	run.conditions = &c->flight.conditions;
	pthread_atfork(lock_list, unlock_list, unlock_list);
	err = pthread_create(&run.thread, NULL, look_again, c);
	if (err)
		return error("lanes: cannot start a thread: %s", start_failure(err));
	run.has_thread = true;
	return 0;
}

static int write_values(struct collection *c)
{
	struct str out = { 0 };
	struct iovec iov;
	int status;

	pthread_mutex_lock(&run.lock);
	lane_list_write(&run.list, &c->events.list[run.event_number], &out);
	run.seen = 0;
	pthread_mutex_unlock(&run.lock);
	iov = (struct iovec){ out.buf, out.len };
	status = out.len ? recording_append(&c->recording, &iov, 1) : 0;
	str_free(&out);
	return status;
}

static void lanes_join(void)
{
	__atomic_store_n(&run.over, true, __ATOMIC_RELEASE);
	if (run.has_thread)
		pthread_join(run.thread, NULL);
	run.has_thread = false;
}

static int lanes_stop(struct collection *c, uint64_t end_ns)
{
	uint64_t *losses = c->recording.tally.losses;

	(void)end_ns;
	lanes_join();
	lanes_look(c, true);
	if (run.has_program)
		lanes_program_stop();
	for (size_t i = 0; i < opt.csv.count; i++)
		losses[LOSS_bad_csv_lines] += run.csv[i].bad;
	losses[LOSS_lost_spans] += lanes_program_lost();
	losses[LOSS_untracked_lanes] += run.list.untracked + lanes_program_lost_sockets();
	return write_values(c);
}

static void lanes_describe(struct collection *c, struct recording *r)
{
	struct str names = { 0 };

	(void)c;
	lane_list_format(&run.list, &names);
	if (names.len)
		recording_add_section(r, RECORDING_LANES, names.buf, names.len);
	str_free(&names);
}

static void report_diag(void)
{
	size_t closed = lane_diag_closed_spaces(&run.diag);
	uint64_t put_off = lane_diag_put_off(&run.diag);

	if (put_off)
		detail("lanes: %" PRIu64 " looks left out sockets, whose number makes them expensive", put_off);
	if (closed)
		detail("lanes: without the sockets of %zu network namespace%s: entering one needs CAP_SYS_ADMIN",
		       closed, closed == 1 ? "" : "s");
}

static int lanes_verdict(struct collection *c)
{
	(void)c;
	report_diag();
	detail("lanes: %zu quantities; the sockets of those recorded dropped %" PRIu64, run.list.names.count,
	       run.sockets.drops);
	return 0;
}

static void lanes_release(void)
{
	lanes_join();
	lanes_program_free();
	for (size_t i = 0; run.csv && i < opt.csv.count; i++)
		lane_csv_free(&run.csv[i]);
	free(run.csv);
	free(run.cpus);
	lane_machine_free(&run.machine);
	lane_limits_free(&run.limits);
	cgroup_found_free(&run.group);
	lane_sockets_free(&run.sockets);
	lane_diag_free(&run.diag);
	lane_list_free(&run.list);
}

const struct source lanes_source = {
	.name = "lanes",
	.about = "quantities over time: memory, pressure, run and socket queues",
	.examples = "  pyrograph collect lanes -p 8513 -d 60   queues of its sockets, memory, ...\n"
		    "  pyrograph collect cpu,lanes -a --csv naks=naks.csv -d 60\n",
	.options = options,
	.cgroup = &opt.cgroup,
	.obstacle = bpf_obstacle, /* no obstacle to all lanes: /proc and files need no rights; lanes_prepare() reports
				   * the rest */
	.object = lanes_program_object,
	.check = lanes_check,
	.prepare = lanes_prepare,
	.start = lanes_start,
	.drain = write_values,
	.lost = lanes_program_lost,
	.missed = lanes_program_missed,
	.describe = lanes_describe,
	.stop = lanes_stop,
	.verdict = lanes_verdict,
	.free = lanes_release,
};
