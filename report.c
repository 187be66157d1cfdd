#include "report.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/arena.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/opts.h"
#include "core/str.h"
#include "core/wallclock.h"
#include "directory.h"
#include "stages.h"

/* What to record; passed on to collect, which checks it. */
static struct {
	bool all, wait, until_exit, user, kernel;
	struct text_list pids, tids, events;
	const char *cpus, *name, *thread, *ring;
	int64_t hz;
	uint64_t duration_ns;
} target;

static const char *dir = "charts";

static const struct opt opts[] = {
	{ 'a', "all-cpus", NULL, "the whole machine", .flag = &target.all },
	{ 'p', "pid", "PID,...", "these processes, with all their threads", .list = &target.pids },
	{ 't', "tid", "TID,...", "these threads", .list = &target.tids },
	{ 0, "name", "REGEXP", "processes with such a name", .text = &target.name },
	{ 0, "thread", "REGEXP", "of the processes, threads with such a name",
	  .text = &target.thread },
	{ 0, "wait", NULL, "wait until they appear", .flag = &target.wait },
	{ 0, "until-exit", NULL, "stop when they are gone", .flag = &target.until_exit },
	{ 'd', "duration", "TIME", "stop after 5, 500ms, 2m, ... [10; COMMAND: its end]",
	  .ns = &target.duration_ns },
	{ 'F', "freq", "HZ", "samples a second on each CPU [99]", .num = &target.hz,
	  .min = 1, .max = 10000000 },
	{ 'e', "event", "EVENT", "cycles, page-faults, sched:sched_switch, ...",
	  .list = &target.events },
	{ 'C', "cpu", "CPUS", "only on these, e.g. 0-3,5", .text = &target.cpus },
	{ 0, "user", NULL, "only user code", .flag = &target.user },
	{ 0, "kernel", NULL, "only kernel code", .flag = &target.kernel },
	{ 'm', "ring", "SIZE", "ring buffer of each CPU [2M; 512k without rights]",
	  .text = &target.ring },
	{ 'o', "output", "DIR", "where the charts go [charts]", .text = &dir },
	{0}
};

static const struct manual manual = {
	.usage = "[options] [-- COMMAND ...]",
	.about = "Records, folds and draws: DIR gets the recording, its folded lines, a flame\n"
		 "graph, one flame graph for each thread, and an index.html over all that is\n"
		 "there.  Names begin with the host and the time, so that reports add up.\n"
		 "Ctrl-C ends the recording early; what was recorded is drawn.",
	.examples = "  pyrograph report -a -d 5             this machine, five seconds\n"
		    "  pyrograph report -p 8513 -o charts/  one process, ten seconds\n"
		    "  pyrograph report -- make -j4         a command and its children\n",
	.operands_end = true,
};

/* The files of one report. */
struct report {
	struct arena text;
	const char *title;
	const char *data, *folded, *picture;            /* all threads together */
	const char *threads_folded, *threads;           /* a directory of pictures */
	int data_fd;                                    /* the file that reserves the name */
	int status;                                     /* of the first stage that failed */
};

/* ---- the command lines ----------------------------------------------------------- */

struct command { /* {0} is empty; words[count] is NULL */
	const char **words;
	size_t count, cap;
};

static void add_word(struct command *c, const char *word)
{
	c->words = xgrow(c->words, &c->cap, c->count + 2, sizeof(*c->words));
	c->words[c->count++] = word;
	c->words[c->count] = NULL;
}

static void add_words(struct command *c, const char *const *words)
{
	while (*words)
		add_word(c, *words++);
}

#define ADD_WORDS(c, ...) add_words(c, (const char *const[]){ __VA_ARGS__, NULL })

static void add_option(struct command *c, const char *option, const char *value)
{
	if (value)
		ADD_WORDS(c, option, value);
}

static void add_list(struct command *c, const char *option, const struct text_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		add_option(c, option, list->items[i]);
}

static void add_flag(struct command *c, const char *option, bool given)
{
	if (given)
		add_word(c, option);
}

static const char *number(struct report *r, uint64_t n, const char *unit)
{
	char text[32];

	snprintf(text, sizeof(text), "%llu%s", (unsigned long long)n, unit);
	return arena_strdup(&r->text, text, strlen(text));
}

/* As a person would write it, since the recording keeps the command. */
static const char *duration(struct report *r, uint64_t ns)
{
	if (ns % NS_PER_SEC == 0)
		return number(r, ns / NS_PER_SEC, "");
	return ns % 1000000 == 0 ? number(r, ns / 1000000, "ms") : number(r, ns, "ns");
}

static struct command collect_command(struct report *r, char **command)
{
	struct command c = {0};

	ADD_WORDS(&c, "collect", "cpu");
	add_flag(&c, "-a", target.all);
	add_list(&c, "-p", &target.pids);
	add_list(&c, "-t", &target.tids);
	add_option(&c, "--name", target.name);
	add_option(&c, "--thread", target.thread);
	add_flag(&c, "--wait", target.wait);
	add_flag(&c, "--until-exit", target.until_exit);
	if (target.duration_ns)
		ADD_WORDS(&c, "-d", duration(r, target.duration_ns));
	if (target.hz)
		ADD_WORDS(&c, "-F", number(r, (uint64_t)target.hz, ""));
	add_list(&c, "-e", &target.events);
	add_option(&c, "-C", target.cpus);
	add_flag(&c, "--user", target.user);
	add_flag(&c, "--kernel", target.kernel);
	add_option(&c, "--ring", target.ring);
	add_flag(&c, "-q", quiet);
	ADD_WORDS(&c, "-o", r->data);
	if (*command) {
		add_word(&c, "--");
		add_words(&c, (const char *const *)command);
	}
	return c;
}

/* ---- running them ---------------------------------------------------------------- */

/* One step of the chain; remembers the first failure. */
static bool step(struct report *r, const char *const *words)
{
	struct command c = {0};
	int status;

	add_words(&c, words);
	add_flag(&c, "-q", quiet);
	status = stage_run((char **)c.words, false);
	free(c.words);
	if (status && !r->status)
		r->status = status;
	return !status;
}

#define STEP(r, ...) step(r, (const char *const[]){ __VA_ARGS__, NULL })

static void draw_all(struct report *r)
{
	STEP(r, "render", "flame", "--colors", "java", "--title", r->title, "-o", r->picture,
	     r->folded);
}

/* Quietly: what there is to say of the recording was said when it was folded first. */
static void draw_threads(struct report *r)
{
	if (STEP(r, "collapse", "-q", "--root", "thread", "--all", "-o", r->threads_folded, r->data) &&
	    !STEP(r, "render", "flame", "--colors", "java", "--split", "thread", "--title", r->title,
		  "-o", r->threads, r->threads_folded))
		rmdir(r->threads); /* unless there is something in it */
}

/* What cannot be folded once cannot be folded twice; the page shows what is
 * there in any case. */
static void draw(struct report *r)
{
	if (STEP(r, "collapse", "--root", "comm", "--all", "-o", r->folded, r->data)) {
		draw_all(r);
		draw_threads(r);
	}
	STEP(r, "web", dir);
}

/* ---- names ----------------------------------------------------------------------- */

/* "db1-2026-11-21T101502Z": the host and the time in letters that are safe in a
 * path, a URL and a shell. */
static void add_name(struct str *out)
{
	char host[65] = "", when[32];
	time_t now = time(NULL);
	struct tm utc;

	gethostname(host, sizeof(host) - 1);
	for (char *c = host; *c; c++) {
		if (!strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-_", *c))
			*c = '_';
	}
	if (host[0] == '.' || host[0] == '-')
		host[0] = '_';
	gmtime_r(&now, &utc);
	strftime(when, sizeof(when), "%Y-%m-%dT%H%M%SZ", &utc);
	str_addf(out, "%s-%s", *host ? host : "host", when);
}

static const char *below_dir(struct report *r, const char *name, const char *suffix)
{
	struct str path = {0};
	const char *copy;

	str_addf(&path, "%s/%s%s", dir, name, suffix);
	copy = arena_strdup(&r->text, path.buf, path.len);
	str_free(&path);
	return copy;
}

/* Make the file data as a sign that the name is taken.  Returns 1, 0 when somebody
 * else has it, -1 after a message. */
static int reserve(struct report *r, const char *data)
{
	r->data_fd = open(data, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (r->data_fd >= 0)
		return 1;
	return errno == EEXIST ? 0 : error("%s: cannot create: %s", data, strerror(errno));
}

/* Is there a recording?  If the file is still the empty one that we made, remove it. */
static bool is_recorded(struct report *r)
{
	struct stat reserved, recording;

	if (!fstat(r->data_fd, &reserved) && reserved.st_nlink && !reserved.st_size)
		unlink(r->data);
	close(r->data_fd);
	return !stat(r->data, &recording) && recording.st_size;
}

/* Names for the files of this report, which no other has; a number tells apart two in
 * one second.  Returns 0, or -1 after a message. */
static int choose_names(struct report *r)
{
	struct str name = {0};
	int reserved;
	size_t len;

	add_name(&name);
	len = name.len;
	for (int n = 2;; n++) {
		r->data = below_dir(r, name.buf, ".data");
		reserved = reserve(r, r->data);
		if (reserved)
			break;
		name.len = len;
		str_addf(&name, "-%d", n);
	}
	r->folded = below_dir(r, name.buf, ".folded");
	r->picture = below_dir(r, name.buf, ".svg");
	r->threads_folded = below_dir(r, name.buf, "-threads.folded");
	r->threads = below_dir(r, name.buf, "-threads");
	str_free(&name);
	return reserved < 0 ? -1 : 0;
}

static void add_numbers(struct str *title, const char *noun, const struct text_list *list)
{
	bool several = list->count > 1 || strchr(list->items[0], ',');

	str_addf(title, "%s%s", noun, !several ? "" : noun[0] == 'p' ? "es" : "s");
	for (size_t i = 0; i < list->count; i++)
		str_addf(title, "%s%s", i ? "," : " ", list->items[i]);
}

static void choose_title(struct report *r, char **command)
{
	struct str title = {0};

	str_addf(&title, "%s: ", target.events.count ? target.events.items[0] : "CPU");
	if (*command) {
		for (char **word = command; *word; word++)
			str_addf(&title, "%s%s", word == command ? "" : " ", *word);
	} else if (target.pids.count) {
		add_numbers(&title, "process", &target.pids);
	} else if (target.tids.count) {
		add_numbers(&title, "thread", &target.tids);
	} else if (target.name) {
		str_addf(&title, "processes named %s", target.name);
	} else {
		str_puts(&title, "whole machine");
	}
	if (target.cpus)
		str_addf(&title, ", CPU %s", target.cpus);
	r->title = arena_strdup(&r->text, title.buf, title.len);
	str_free(&title);
}

/* ---- the report ------------------------------------------------------------------ */

/* "-x" would be taken for an option by the stages. */
static const char *as_operand(struct report *r, const char *path)
{
	struct str text = {0};

	if (path[0] != '-')
		return path;
	str_addf(&text, "./%s", path);
	path = arena_strdup(&r->text, text.buf, text.len);
	str_free(&text);
	return path;
}

static void check_target(bool command)
{
	bool chosen = command || target.all || target.pids.count || target.tids.count ||
		      target.name || target.cpus;

	if (!chosen)
		die_usage("what to record? -a, -p PID, --name REGEXP or -- COMMAND");
	if (!*dir)
		die_usage("--output wants a directory");
	if (!target.duration_ns && !command && !target.until_exit)
		target.duration_ns = 10 * NS_PER_SEC;
}

static void collect_and_draw(struct report *r, char **command)
{
	struct command collect;

	choose_title(r, command);
	collect = collect_command(r, command);
	r->status = stage_run((char **)collect.words, true);
	free(collect.words);
	if (is_recorded(r))
		draw(r);
	else if (!r->status)
		r->status = -error("nothing was recorded");
}

int report_run(int argc, char **argv)
{
	struct report r = { .status = 1 };
	int made = 0;

	program_begin("pyrograph report");
	argc = opts_parse(opts, &manual, argc, argv);
	argv[argc] = NULL;
	check_target(argc > 0);
	dir = as_operand(&r, dir);
	if (!directory_make(dir, &made) && !choose_names(&r))
		collect_and_draw(&r, argv);
	if (r.status)
		directory_unmake(dir, made);
	arena_free(&r.text);
	return r.status;
}
