#include "report.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/opts.h"
#include "core/str.h"
#include "core/wallclock.h"
#include "directory.h"
#include "report_files.h"
#include "stages.h"

/* What to record; passed on to collect, which checks it. */
static struct {
	bool all, wait, until_exit, user, kernel;
	struct text_list pids, tids, events;
	const char *cpus, *name, *thread, *ring, *only;
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
	{ 0, "only", "LIST", "collectors: cpu,sched,offcpu [those that work here]",
	  .text = &target.only },
	{ 'o', "output", "DIR", "where the charts go [charts]", .text = &dir },
	{0}
};

static const struct manual manual = {
	.usage = "[options] [-- COMMAND ...]",
	.about = "Records, folds and draws: DIR gets the recording, flame graphs of the CPU time,\n"
		 "of all and of each thread, charts of what the threads waited for and where\n"
		 "they ran, a flame graph of the time blocked, the folded lines of all, and an\n"
		 "index.html over all that is there.  Names begin with the host and the time, so\n"
		 "that reports add up.  Ctrl-C ends the recording early; it is drawn all the same.",
	.examples = "  pyrograph report -a -d 5             this machine, five seconds\n"
		    "  pyrograph report -p 8513 -o charts/  one process, ten seconds\n"
		    "  pyrograph report -- make -j4         a command and its children\n",
	.operands_end = true,
};

struct report {
	struct report_files files;
	const char *sources;    /* "cpu,sched" */
	const char *subject;    /* "process 8513" */
	int status;             /* of the first stage that failed */
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
	return arena_strdup(&r->files.text, text, strlen(text));
}

/* As a person would write it, since the recording keeps the command. */
static const char *duration(struct report *r, uint64_t ns)
{
	if (ns % NS_PER_SEC == 0)
		return number(r, ns / NS_PER_SEC, "");
	return ns % 1000000 == 0 ? number(r, ns / 1000000, "ms") : number(r, ns, "ns");
}

/* Is it among the sources, "cpu,sched"? */
static bool records(const struct report *r, const char *source)
{
	size_t len = strlen(source);

	for (const char *at = r->sources; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
		if (!strncmp(at, source, len) && (at[len] == ',' || !at[len]))
			return true;
	}
	return false;
}

static struct command collect_command(struct report *r, char **command)
{
	struct command c = {0};

	ADD_WORDS(&c, "collect", r->sources);
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
	if (records(r, "offcpu"))
		ADD_WORDS(&c, "--wakers");
	add_flag(&c, "-q", quiet);
	ADD_WORDS(&c, "-o", r->files.data);
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

/* "Off-CPU time: process 8513" */
static const char *title(struct report *r, const char *what)
{
	struct str text = {0};
	const char *copy;

	str_addf(&text, "%s: %s", what, r->subject);
	copy = arena_strdup(&r->files.text, text.buf, text.len);
	str_free(&text);
	return copy;
}

/* One flame graph of all, one of each thread.  What cannot be folded once cannot be
 * folded twice; and what there is to say of the recording is said once. */
static void draw_cpu(struct report *r)
{
	const char *heading = title(r, target.events.count ? target.events.items[0] : "CPU");
	const char *all = report_file(&r->files, ".folded");
	const char *by_thread = report_file(&r->files, "-threads.folded");
	const char *pictures = report_file(&r->files, "-threads");
	int before = r->status;

	if (!STEP(r, "collapse", "--sampled", "--root", "comm", "--all", "-o", all, r->files.data)) {
		/* Threads that only slept have no samples: other charts show them. */
		if (strchr(r->sources, ','))
			r->status = before;
		return;
	}
	STEP(r, "render", "flame", "--colors", "java", "--title", heading, "-o",
	     report_file(&r->files, ".svg"), all);
	if (STEP(r, "collapse", "-q", "--sampled", "--root", "thread", "--all", "-o", by_thread, r->files.data) &&
	    !STEP(r, "render", "flame", "--colors", "java", "--split", "thread", "--title", heading,
		  "-o", pictures, by_thread))
		rmdir(pictures); /* unless there is something in it */
}

/* Of another source than cpu. */
struct chart {
	const char *source;
	const char *preset;     /* of collapse */
	const char *suffix;     /* of the names of its files */
	const char *title;
	const char *render[4];  /* its words */
};

static const struct chart charts[] = {
	{ "sched", "--states", "-states", "Scheduler states", { "states" } },
	{ "sched", "--tenancy", "-tenancy", "CPU tenancy", { "tenancy" } },
	{ "offcpu", "--offcpu", "-offcpu", "Off-CPU time", { "flame", "--colors", "chain" } },
	{ "wakeup", "--wakeup", "-wakeup", "Waits for a CPU", { "flame", "--colors", "chain" } },
};

static void draw_chart(struct report *r, const struct chart *chart)
{
	char name[32];
	const char *folded;
	struct command c = {0};

	snprintf(name, sizeof(name), "%s.folded", chart->suffix);
	folded = report_file(&r->files, name);
	if (!STEP(r, "collapse", "-q", chart->preset, "-o", folded, r->files.data))
		return;
	snprintf(name, sizeof(name), "%s.svg", chart->suffix);
	add_word(&c, "render");
	add_words(&c, chart->render);
	ADD_WORDS(&c, "--title", title(r, chart->title), "-o", report_file(&r->files, name), folded);
	step(r, c.words);
	free(c.words);
}

/* The page shows what is there in any case. */
static void draw(struct report *r)
{
	if (records(r, "cpu"))
		draw_cpu(r);
	for (size_t i = 0; i < sizeof(charts) / sizeof(*charts); i++) {
		if (records(r, charts[i].source))
			draw_chart(r, &charts[i]);
	}
	STEP(r, "web", dir);
}

/* ---- what it is about ------------------------------------------------------------ */

static void add_numbers(struct str *title, const char *noun, const struct text_list *list)
{
	bool several = list->count > 1 || strchr(list->items[0], ',');

	str_addf(title, "%s%s", noun, !several ? "" : noun[0] == 'p' ? "es" : "s");
	for (size_t i = 0; i < list->count; i++)
		str_addf(title, "%s%s", i ? "," : " ", list->items[i]);
}

static void choose_subject(struct report *r, char **command)
{
	struct str text = {0};

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
	struct str text = {0};

	if (path[0] != '-')
		return path;
	str_addf(&text, "./%s", path);
	path = arena_strdup(&r->files.text, text.buf, text.len);
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

/* Those that work here; what does not is said by collect.  Returns 0, or the status of
 * a stage that failed. */
static int choose_sources(struct report *r)
{
	char *words[] = { "collect", "usable", "cpu,sched,offcpu", quiet ? "-q" : NULL, NULL };
	struct str list = {0};
	int status = 0;

	r->sources = target.only;
	if (!target.only) {
		status = stage_read(words, &list);
		r->sources = arena_strdup(&r->files.text, str_text(&list),
					  strcspn(str_text(&list), "\n"));
	}
	str_free(&list);
	return status;
}

static int collect(struct report *r, char **command)
{
	int status = choose_sources(r);
	struct command c;

	if (status)
		return status;
	c = collect_command(r, command);
	status = stage_run((char **)c.words, true);
	free(c.words);
	return status;
}

static void collect_and_draw(struct report *r, char **command)
{
	choose_subject(r, command);
	r->status = collect(r, command);
	if (report_files_recorded(&r->files))
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
	if (!directory_make(dir, &made) && !report_files_choose(&r.files, dir))
		collect_and_draw(&r, argv);
	if (r.status)
		directory_unmake(dir, made);
	report_files_free(&r.files);
	return r.status;
}
