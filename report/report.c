#include "report/report.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/giving_way.h"
#include "core/error.h"
#include "core/format/events.h"
#include "core/opts.h"
#include "core/outfile.h"
#include "core/str.h"
#include "core/utf8.h"
#include "core/wallclock.h"
#include "report/prune.h"
#include "report/report_charts.h"
#include "report/report_command.h"
#include "report/report_draw.h"
#include "report/stages.h"

/* ---- a report of an existing recording ---- */

/* ---- what it has ---- */

/* Events of perf sched record, and the collectors whose charts are drawn for them.  All other events that are not ours
 * are samples. */
static const struct {
	const char *event, *sources;
} of_perf[] = {
	{ "sched:sched_switch", "sched,offcpu" },
	{ "sched:sched_wakeup", "" },
	{ "sched:sched_waking", "" },
};

static const char *report_given_sources_of(const char *event)
{
	for (size_t i = 0; i < sizeof(of_perf) / sizeof(*of_perf); i++) {
		if (!strcmp(event, of_perf[i].event))
			return of_perf[i].sources;
	}
	return event_row_of(event)->source;
}

static bool report_given_is_usual(const char *event)
{
	return !strncmp(event, "cpu-clock", 9) || !strncmp(event, "task-clock", 10) || !strncmp(event, "cycles", 6);
}

/* A line is "cpu-clock 202". */
static void report_given_add_event(struct report *r, struct str *sources, const char *line, size_t len)
{
	const char *event;

	while (len && line[len - 1] != ' ')
		len--;
	if (!len)
		return;
	event = arena_strdup(&r->files.text, line, len - 1);
	if (!strcmp(report_given_sources_of(event), "cpu") && !report_given_is_usual(event))
		r->event = event;
	str_addf(sources, "%s%s", sources->len && *report_given_sources_of(event) ? "," : "",
		 report_given_sources_of(event));
}

static int report_given_find_sources(struct report *r)
{
	char *words[] = { "collapse", "-q",       "--root", "event", "--no-stack",          "--event",
			  "all",      "--weight", "count",  "--",    (char *)r->files.data, NULL };
	struct str lines = { 0 }, sources = { 0 };
	int status = stage_read(words, &lines);

	for (const char *at = str_text(&lines); *at; at += at[strcspn(at, "\n")] ? strcspn(at, "\n") + 1 : strlen(at)) {
		if (*at != '#')
			report_given_add_event(r, &sources, at, strcspn(at, "\n"));
	}
	r->sources = arena_strdup(&r->files.text, str_text(&sources), sources.len);
	if (!status && !sources.len)
		status = error("%s: nothing to draw: the recording has no data", r->files.data);
	str_free(&lines);
	str_free(&sources);
	return status ? -1 : 0;
}

/* ---- its names ---- */

/* "/var/rec/stall 1.data" -> "stall_1", safe in a path, a URL and a shell. */
static const char *report_given_base_name(struct report *r, const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;
	size_t len = strlen(base);
	char *name;

	if (len > 5 && !strcmp(base + len - 5, ".data"))
		len -= 5;
	name = (char *)arena_strdup(&r->files.text, base, len);
	for (char *c = name; *c; c++) {
		if (!strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-_", *c))
			*c = '_';
	}
	if (name[0] == '.' || name[0] == '-')
		name[0] = '_';
	return name;
}

static bool report_given_is_same(const char *a, const char *b)
{
	struct stat one, other;

	return !stat(a, &one) && !stat(b, &other) && one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

/* Link the recording into dir, too, so that its page lists it; a number distinguishes recordings of the same name.  A
 * recording that cannot be linked, as on another file system, stays where it is. */
static void choose_name(struct report *r, const char *path)
{
	struct report_files *f = &r->files;
	struct str name = { 0 };
	size_t len;

	str_puts(&name, report_given_base_name(r, path));
	len = name.len;
	for (int n = 2;; n++) {
		const char *there;

		f->name = arena_strdup(&f->text, name.buf, name.len);
		there = report_file(f, ".data");
		if (report_given_is_same(path, there) || !linkat(AT_FDCWD, path, AT_FDCWD, there, AT_SYMLINK_FOLLOW)) {
			f->data = there;
			break;
		}
		if (errno != EEXIST)
			break;
		name.len = len;
		str_addf(&name, "-%d", n);
	}
	str_free(&name);
	r->subject = f->name;
}

/* Make r the report of the recording at path, in dir, which exists.  Its names begin with the recording's name; the
 * recording is linked into dir; collapse says what there is to draw.  Returns 0, or -1 after a message. */
static int report_given(struct report *r, const char *dir, const char *path)
{
	struct stat info;

	if (stat(path, &info))
		return error("%s: %s", path, strerror(errno));
	if (!S_ISREG(info.st_mode))
		return error("%s: is not a file that holds a recording", path);
	r->files.dir = dir;
	r->files.data = path;
	if (report_given_find_sources(r))
		return -1;
	choose_name(r, path);
	return 0;
}

/* ---- the run ---- */

/* Passed on to collect, which checks them. */
static struct {
	bool all, wait, until_exit, user, kernel, each, dry_run, also[REPORT_ALSO_MAX];
	struct text_list pids, tids, events;
	const char *cpus, *name, *thread, *threads, *ring, *only, *call_graph, *jvm, *jvm_inline, *between, *budget,
		*min;
	int64_t hz;
	uint64_t duration_ns;
} target;

static bool verbose;
static const char usual_dir[] = "charts";
static const char *dir = usual_dir;
static const char *recording;
static bool self_contained;
static const char *keep;
static uint64_t keep_ns;

static const struct opt targets[] = {
	{ 'a', "all-cpus", NULL, "the whole machine", .flag = &target.all },
	{ 'p', "pid", "PID,...", "these processes, with all their threads", .list = &target.pids },
	{ 't', "tid", "TID,...", "these threads", .list = &target.tids },
	{ 0, "name", "REGEXP", "processes whose name matches", .text = &target.name },
	{ 0, "thread", "REGEXP", "of these processes, threads whose name matches", .text = &target.thread },
	{ 0, "threads", "REGEXP", "threads by full name (see collect)", .text = &target.threads },
	{ 0, "wait", NULL, "wait until they appear", .flag = &target.wait },
	{ 0, "until-exit", NULL, "stop when they are gone", .flag = &target.until_exit },
	{ 'd', "duration", "TIME", "stop after 5, 500ms, 2m, ... [10; COMMAND: its end]", .ns = &target.duration_ns },
	{ 'F', "freq", "HZ", "samples a second on each CPU [99]", .num = &target.hz, .min = 1, .max = 10000000 },
	{ 'e', "event", "EVENT", "cycles, page-faults, sched:sched_switch, ...", .list = &target.events },
	{ 'C', "cpu", "CPUS", "only these CPUs, e.g. 0-3,5", .text = &target.cpus },
	{ 0, "call-graph", "HOW", "auto, fp, dwarf[,BYTES] or no (see collect) [auto]", .text = &target.call_graph,
	  .choices = "auto fp dwarf no" },
	{ 0, "jvm", "HOW", NULL, .text = &target.jvm, .choices = "vmstructs perfmap off" },
	{ 0, "jvm-inline", "WHICH", NULL, .text = &target.jvm_inline },
	{ 0, "user", NULL, "only user code", .flag = &target.user },
	{ 0, "kernel", NULL, "only kernel code", .flag = &target.kernel },
	{ 'm', "ring", "SIZE", "ring buffer of each CPU [2M; 512k without rights]", .text = &target.ring },
	{ 0, "dry-run", NULL, NULL, .flag = &target.dry_run },
	{ 0, "budget", "PERCENT", "for stacks of spans, of each CPU; none [3%]", .text = &target.budget },
	{ 0, "min", "TIME", "leave out shorter waits: 10us, 5ms (see collect)", .text = &target.min },
	{ 0, "each", NULL, "short waits singly, too; --dry-run: just the cost", .flag = &target.each },
	{ 0 },
};

static const struct opt ways[] = {
	{ 0, "between", "A,B", "only in calls of A; between A and B (see collect)", .text = &target.between },
	{ 0, "only", "LIST", "of cpu,sched,offcpu; heat is cpu, as a heat map only", .text = &target.only },
	{ 0, "recording", "FILE", "draw this one; record nothing", .text = &recording },
	{ 0, "self-contained", NULL, "a script in each chart, none beside them", .flag = &self_contained },
	{ 0, "keep", "TIME", "remove older reports from DIR: 30d, 12h", .text = &keep },
	{ 'o', "output", "DIR", "where the charts go [charts]", .text = &dir },
	{ 'v', "verbose", NULL, "all that the collectors say", .flag = &verbose },
	{ 0 }
};

static const struct manual manual = {
	.usage = "[options] [-- COMMAND ...]",
	.about = "Records, folds and draws: DIR gets the recording, flame graphs of the CPU time\n"
		 "(all threads and each one), a heat map of when it was spent, charts of what the\n"
		 "threads waited for and where they ran, a flame graph of the time blocked, the\n"
		 "folded lines, and an index.html of everything in DIR; names begin with host and\n"
		 "time.  Ctrl-C ends the recording early and draws what there is.",
	.examples = "  pyrograph report -a -d 5             this machine, five seconds\n"
		    "  pyrograph report -p 8513 -o charts/  one process, ten seconds\n"
		    "  pyrograph report -- make -j4         a command and its children\n"
		    "  pyrograph report --name '^java$'     a JVM: Java frames, threads by name\n"
		    "  pyrograph report -p 8513 --alloc     a JVM and what it allocates\n",
	.operands_end = true,
};

/* ---- what is recorded ------------------------------------------------------------- */

static void report_add_list(struct report_command *c, const char *option, const struct text_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		command_add_option(c, option, list->items[i]);
}

static const char *report_number(struct report *r, uint64_t n, const char *unit)
{
	char text[32];

	snprintf(text, sizeof(text), "%llu%s", (unsigned long long)n, unit);
	return arena_strdup(&r->files.text, text, strlen(text));
}

/* A unit is required: a user who writes 30 means days, and seconds would remove nearly everything. */
static void check_keep(void)
{
	if (!*keep || strchr("0123456789", keep[strlen(keep) - 1]))
		die_usage("--keep needs a time with its unit: 30d, 12h");
	if (!parse_duration(keep, &keep_ns) || !keep_ns)
		die_usage("--keep needs a time longer than 0, such as 30d or 12h");
}

/* Written as a user would write it: the recording keeps the command. */
static const char *duration(struct report *r, uint64_t ns)
{
	if (ns % NS_PER_SEC == 0)
		return report_number(r, ns / NS_PER_SEC, "");
	return ns % 1000000 == 0 ? report_number(r, ns / 1000000, "ms") : report_number(r, ns, "ns");
}

static bool report_has_children(const char *pid)
{
	char path[64], first;
	FILE *file;
	bool found;

	if (!*pid || pid[strspn(pid, "0123456789")] ||
	    snprintf(path, sizeof(path), "/proc/%s/task/%s/children", pid, pid) >= (int)sizeof(path))
		return false;
	file = fopen(path, "re");
	found = file && fread(&first, 1, 1, file) == 1;
	if (file)
		fclose(file);
	return found;
}

/* Does a target start processes, or may it? */
static bool report_starts_processes(char **command)
{
	bool some = *command;

	for (size_t i = 0; i < target.pids.count; i++)
		some |= report_has_children(target.pids.items[i]);
	return some && !target.threads && !target.thread && !target.between && !target.only;
}

/* The collectors; of a build, command lines tell which file a compiler compiled. */
static const char *report_sources(struct report *r, char **command)
{
	struct str list = { 0 };
	const char *copy;

	if (!report_starts_processes(command) || !report_records(r, "offcpu") || report_records(r, "processes"))
		return r->sources;
	str_addf(&list, "%s,processes", r->sources);
	copy = arena_strdup(&r->files.text, list.buf, list.len);
	str_free(&list);
	return copy;
}

/* The value of --min, if a collector that takes it records. */
static const char *report_least(const struct report *r)
{
	bool taken = report_records(r, "offcpu");

	for (size_t i = 0; report_also[i].name; i++)
		taken |= report_also[i].has_least && report_records(r, report_also[i].name);
	if (taken)
		return target.min;
	if (target.min)
		warn("--min has no effect: waits are not recorded");
	return NULL;
}

static struct report_command collect_command(struct report *r, char **command)
{
	struct report_command c = { 0 };

	COMMAND_ADD(&c, "collect", report_sources(r, command));
	command_add_flag(&c, "-a", target.all);
	report_add_list(&c, "-p", &target.pids);
	command_add_flag(&c, "--children", !*command && report_starts_processes(command));
	report_add_list(&c, "-t", &target.tids);
	command_add_option(&c, "--name", target.name);
	command_add_option(&c, "--thread", target.thread);
	command_add_option(&c, "--threads", target.threads);
	command_add_flag(&c, "--wait", target.wait);
	command_add_flag(&c, "--until-exit", target.until_exit);
	if (target.duration_ns)
		COMMAND_ADD(&c, "-d", duration(r, target.duration_ns));
	if (target.hz)
		COMMAND_ADD(&c, "-F", report_number(r, (uint64_t)target.hz, ""));
	report_add_list(&c, "-e", &target.events);
	command_add_option(&c, "-C", target.cpus);
	command_add_option(&c, "--call-graph", target.call_graph);
	command_add_option(&c, "--jvm", target.jvm);
	command_add_option(&c, "--jvm-inline", target.jvm_inline);
	command_add_flag(&c, "--user", target.user);
	command_add_flag(&c, "--kernel", target.kernel);
	command_add_option(&c, "--ring", target.ring);
	command_add_option(&c, "--budget", target.budget);
	command_add_option(&c, "--min", report_least(r));
	command_add_option(&c, "--between", target.between);
	if (report_records(r, "offcpu"))
		COMMAND_ADD(&c, "--wakers");
	if (report_records(r, "sched") || report_records(r, "offcpu"))
		command_add(&c, r->each || target.between ? "--events" : "--events=1ms");
	command_add_flag(&c, "-q", quiet);
	command_add_flag(&c, "--dry-run", target.dry_run);
	if (!target.dry_run)
		COMMAND_ADD(&c, "-o", r->files.data);
	if (*command) {
		command_add(&c, "--");
		command_add_all(&c, (const char *const *)command);
	}
	return c;
}

/* ---- what it is about ------------------------------------------------------------ */

/* Append the current name of the process whose pid is text, " (java)"; nothing if the process is gone, or if text is a
 * list of pids. */
static void add_process_name(struct str *title, const char *text)
{
	char path[32], name[64];
	FILE *file;

	if (!*text || text[strspn(text, "0123456789")] ||
	    snprintf(path, sizeof(path), "/proc/%s/comm", text) >= (int)sizeof(path))
		return;
	file = fopen(path, "re");
	if (file && fgets(name, sizeof(name), file)) {
		str_puts(title, " (");
		printable_add(title, name, strcspn(name, "\n"));
		str_addc(title, ')');
	}
	if (file)
		fclose(file);
}

static void add_numbers(struct str *title, const char *noun, const struct text_list *list)
{
	bool several = list->count > 1 || strchr(list->items[0], ',');

	str_addf(title, "%s%s", noun, !several ? "" : noun[0] == 'p' ? "es" : "s");
	for (size_t i = 0; i < list->count; i++)
		str_addf(title, "%s%s", i ? "," : " ", list->items[i]);
	if (!several && noun[0] == 'p')
		add_process_name(title, list->items[0]);
}

static void choose_subject(struct report *r, char **command)
{
	struct str text = { 0 };

	if (*command) {
		for (char **word = command; *word; word++)
			str_addf(&text, "%s%s", word == command ? "" : " ", *word);
	} else if (target.pids.count) {
		add_numbers(&text, "process", &target.pids);
	} else if (target.tids.count) {
		add_numbers(&text, "thread", &target.tids);
	} else if (target.name) {
		str_addf(&text, "processes named %s", target.name);
	} else {
		str_puts(&text, "whole machine");
	}
	if (target.cpus)
		str_addf(&text, ", CPU %s", target.cpus);
	r->subject = arena_strdup(&r->files.text, text.buf, text.len);
	str_free(&text);
}

/* ---- the report ------------------------------------------------------------------ */

/* "-x" would be taken for an option by the stages. */
static const char *as_operand(struct report *r, const char *path)
{
	struct str text = { 0 };

	if (path[0] != '-')
		return path;
	str_addf(&text, "./%s", path);
	path = arena_strdup(&r->files.text, text.buf, text.len);
	str_free(&text);
	return path;
}

/* NULL: none was asked for. */
static const char *first_also(void)
{
	for (size_t i = 0; report_also[i].name; i++) {
		if (target.also[i])
			return report_also[i].name;
	}
	return NULL;
}

static void check_target(bool command)
{
	const char *more = first_also();
	bool chosen = command || target.all || target.pids.count || target.tids.count || target.name || target.cpus;

	if (!chosen && !recording)
		die_usage("nothing to record: give -a, -p PID, --name REGEXP or -- COMMAND");
	if (more && target.only)
		die_usage("--%s does not go with --only: add %s to the list of --only", more, more);
	if (recording && (chosen || more || keep || target.only || target.min || target.between || target.duration_ns ||
			  target.hz || target.events.count))
		die_usage("--recording draws one that is there, all that it has: leave out what to record, and --keep");
	if (!*dir)
		die_usage("--output needs a directory");
	if (keep)
		check_keep();
	if (target.dry_run && (command || recording))
		die_usage("--dry-run counts what runs already: give -a, -p PID or --name REGEXP");
	if (!target.duration_ns && !command && !target.until_exit && !target.dry_run)
		target.duration_ns = 10 * NS_PER_SEC;
}

/* "heat,sched" is "cpu,sched" without the flame graphs of cpu. */
static const char *without_heat(struct report *r, const char *only)
{
	struct str list = { 0 };

	for (const char *at = only; *at;) {
		size_t len = strcspn(at, ",");

		r->heat_only |= len == 4 && !strncmp(at, "heat", 4);
		if (len != 4 || strncmp(at, "heat", 4))
			str_addf(&list, "%s%.*s", list.len ? "," : "", (int)len, at);
		at += len + (at[len] == ',');
	}
	if (r->heat_only) {
		r->sources = arena_strdup(&r->files.text, str_text(&list), list.len);
		r->heat_only = !report_records(r, "cpu");
		if (r->heat_only) {
			str_clear(&list);
			str_addf(&list, "cpu%s%s", *r->sources ? "," : "", r->sources);
		}
		only = arena_strdup(&r->files.text, list.buf, list.len);
	}
	str_free(&list);
	return only;
}

/* The collectors that work here; collect reports which do not work.  Returns 0, or the status of a stage that
 * failed. */
static int choose_sources(struct report *r)
{
	struct str sources = { 0 }, list = { 0 };
	char *words[] = { "collect", "usable", NULL, quiet ? "-q" : NULL, NULL };
	int status = 0;

	str_puts(&sources, "cpu,sched,offcpu");
	for (size_t i = 0; report_also[i].name; i++) {
		if (target.also[i])
			str_addf(&sources, ",%s", report_also[i].name);
	}
	words[2] = sources.buf;
	if (target.only)
		r->sources = without_heat(r, target.only);
	if (!target.only) {
		status = stage_read(words, &list);
		r->sources = arena_strdup(&r->files.text, str_text(&list), strcspn(str_text(&list), "\n"));
		if (!*r->sources)
			r->sources = "cpu"; /* collect says what is missing */
	}
	if (target.between && !report_records(r, "windows")) {
		str_clear(&list);
		str_addf(&list, "%s,windows", r->sources);
		r->sources = arena_strdup(&r->files.text, list.buf, list.len);
	}
	str_free(&sources);
	str_free(&list);
	return status;
}

/* ---- what the collectors say ---- */

/* The culprit comes first, and then only what the user can act on: hints.  So collect's own details (detail()) are
 * collected. */
static int details = -1;

/* Only collect gets the file, not the programs that it starts. */
static void keep_details(void)
{
	char number[16];

	if (verbose || quiet || (details = memfd_create("details", 0)) < 0)
		return;
	snprintf(number, sizeof(number), "%d", details);
	setenv(PROGRAM_DETAILS, number, 1);
}

static void details_are_kept(void)
{
	unsetenv(PROGRAM_DETAILS);
	if (details >= 0)
		fcntl(details, F_SETFD, FD_CLOEXEC);
}

/* all: of a report that failed, everything. */
static void tell_details(bool all)
{
	static const char hint[] = "hint: ";
	FILE *file = details >= 0 ? fdopen(details, "r") : NULL;
	char *line = NULL;
	size_t cap = 0;

	if (!file)
		return;
	rewind(file);
	while (getline(&line, &cap, file) > 0) {
		line[strcspn(line, "\n")] = '\0';
		if (all || !strncmp(line, hint, strlen(hint)))
			inform("%s", line);
	}
	free(line);
	fclose(file);
	details = -1;
}

static int report_collect(struct report *r, char **command)
{
	int status = choose_sources(r);
	struct report_command c;

	if (status)
		return status;
	c = collect_command(r, command);
	keep_details();
	status = stage_run((char **)c.words, true);
	details_are_kept();
	free(c.words);
	return status;
}

/* ---- how to look at it ---- */

/* Engines say so to what they run: podman and systemd-nspawn, docker, Kubernetes. */
static bool is_contained(void)
{
	return getenv("container") || getenv("KUBERNETES_SERVICE_HOST") || !access("/.dockerenv", F_OK);
}

/* On a machine without a browser, the charts must be fetched.  A container's name is no host's. */
static void tell_way_to_page(void)
{
	char *path = getenv("DISPLAY") || getenv("WAYLAND_DISPLAY") ? NULL : realpath(dir, NULL), host[256] = "";
	struct str word = { 0 };

	if (!path || is_contained() || gethostname(host, sizeof(host) - 1)) {
		free(path);
		return;
	}
	command_add_shell_word(&word, path);
	inform("to look at it from another machine: scp -r %s:%s .", host, word.buf);
	str_free(&word);
	free(path);
}

/* The page is made in any case. */
static void end_report(struct report *r)
{
	report_tell_headline(r);
	tell_details(r->status != 0);
	report_index(r, dir);
	tell_way_to_page();
}

static void draw_given(struct report *r)
{
	r->self_contained = self_contained;
	if (report_given(r, dir, as_operand(r, recording)))
		return;
	r->status = 0;
	report_draw(r, dir);
	end_report(r);
}

/* Old runs are removed first: if the disk is full, that makes room. */
static void collect_and_draw(struct report *r, char **command)
{
	size_t pruned = 0;

	if (report_files_choose(&r->files, dir))
		return;
	choose_subject(r, command);
	r->event = target.events.count ? target.events.items[0] : NULL;
	r->each = target.each;
	r->length_ns = target.duration_ns;
	r->self_contained = self_contained;
	if (keep)
		pruned = report_prune(dir, keep_ns);
	r->status = report_collect(r, command);
	give_way(GIVES_WAY);
	if (report_files_recorded(&r->files)) {
		report_draw(r, dir);
		end_report(r);
		return;
	}
	tell_details(true);
	if (!r->status)
		r->status = -error("nothing was recorded");
	if (pruned)
		report_index(r, dir);
}

/* The user did not give that name: a link there may be another user's trap. */
static int check_usual_dir(void)
{
	struct stat st;

	if (dir != usual_dir || lstat(dir, &st) || !S_ISLNK(st.st_mode) || st.st_uid == geteuid() || !st.st_uid)
		return 0;
	return error("%s: is a symbolic link of another user; to follow it, give -o %s", dir, dir);
}

/* Nothing is recorded, and no directory made. */
static int report_dry_run(char **command)
{
	struct report r = { .status = 1, .each = target.each };
	int status = choose_sources(&r);
	struct report_command c;

	if (!status) {
		c = collect_command(&r, command);
		status = stage_run((char **)c.words, true);
		free(c.words);
	}
	report_files_free(&r.files);
	return status;
}

static int report_options(int argc, char **argv)
{
	struct opt_table table = { 0 };

	opt_table_add(&table, targets);
	for (size_t i = 0; report_also[i].name; i++) {
		const struct opt row[] = {
			{ .name = report_also[i].name, .help = report_also[i].help, .flag = &target.also[i] }, { 0 }
		};

		opt_table_add(&table, row);
	}
	opt_table_add(&table, ways);
	argc = opts_parse(table.rows, &manual, argc, argv);
	opt_table_free(&table);
	return argc;
}

/* "report 8513", "report -p 8513 5" */
static void report_check_command(const char *word)
{
	uint64_t number;

	if (parse_u64(word, &number))
		die_usage("'%s' is not a command: a process is -p %s, a time is -d %s", word, word, word);
}

int report_run(int argc, char **argv)
{
	struct report r = { .status = 1 };
	int made = 0;

	program_begin("pyrograph report");
	signal(SIGCHLD, SIG_DFL); /* a caller that ignores SIGCHLD would hide how our stages end */
	argc = report_options(argc, argv);
	argv[argc] = NULL;
	if (argc > 0)
		report_check_command(argv[0]);
	check_target(argc > 0);
	if (target.dry_run)
		return report_dry_run(argv);
	dir = as_operand(&r, dir);
	if (!check_usual_dir() && !directory_make(dir, &made)) {
		if (recording)
			draw_given(&r);
		else
			collect_and_draw(&r, argv);
	}
	if (r.status)
		directory_unmake(dir, made);
	report_files_free(&r.files);
	return r.status;
}
