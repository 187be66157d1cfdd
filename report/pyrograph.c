/* pyrograph: "pyrograph VERB ..." executes the program pyrograph-VERB beside it,
 * so that each stage runs on its own, with only the rights that it needs. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/opts.h"
#include "core/outfile.h"
#include "core/verbs.h"
#include "report/report.h"
#include "report/report_command.h"
#include "report/stages.h"

/* --- what happened in the time of a recording, in words --- */

static struct {
	bool markdown, json, correlate;
	const char *from, *to, *threads, *between, *output;
} wanted;

static const struct opt opts[] = {
	{ 0, "correlate", NULL, "also what other threads did meanwhile", .flag = &wanted.correlate },
	{ 0, "markdown", NULL, "for an issue or a chat", .flag = &wanted.markdown },
	{ 0, "json", NULL, "for a program", .flag = &wanted.json },
	{ 0, "from", "TIME", "only what began from then on: 10:15:02, +5s, -10s", .text = &wanted.from },
	{ 0, "to", "TIME", "... or before then", .text = &wanted.to },
	{ 0, "threads", "REGEXP", "victims: threads by full name", .text = &wanted.threads },
	{ 0, "between", "WHICH", "victims in windows: in, out, slow, fast, 10ms-", .text = &wanted.between },
	{ 'o', "output", "FILE", "where the text goes [-]", .text = &wanted.output },
	{ 0 }
};

static const struct manual manual = {
	.usage = "[options] [RECORDING]",
	.about = "Says what happened in the time of a recording, in at most 40 lines: what it\n"
		 "mostly did; the page faults, system calls, requests to devices and waits for\n"
		 "locks that took longest, each with its moment, thread, file, function and\n"
		 "cause; who made whom wait; and what it cannot tell.",
	.examples = "  pyrograph collect cpu,sched,offcpu,faults,io --events=1ms --wakers -p PID\n"
		    "  pyrograph explain pyrograph.data\n"
		    "  pyrograph explain --correlate pyrograph.data\n"
		    "  pyrograph explain --json pyrograph.data | jq .outliers\n",
};

/* "pyrograph explain ...": argv[0] is "explain".  Returns the exit status. */
static int report_explain(int argc, char **argv)
{
	struct report_command c = { 0 };
	int status;

	program_begin("pyrograph explain");
	argc = opts_parse(opts, &manual, argc, argv);
	if (argc > 1)
		die_usage("one recording at a time, not %s as well", argv[1]);
	if (wanted.markdown && wanted.json)
		die_usage("--markdown and --json exclude each other");
	command_add(&c, "collapse");
	command_add(&c, wanted.json ? "--explain=json" : wanted.markdown ? "--explain=markdown" : "--explain");
	command_add_flag(&c, "--correlate", wanted.correlate);
	command_add_option(&c, "--from", wanted.from);
	command_add_option(&c, "--to", wanted.to);
	command_add_option(&c, "--threads", wanted.threads);
	command_add_option(&c, "--between", wanted.between);
	command_add_option(&c, "-o", wanted.output);
	command_add_flag(&c, "-q", quiet);
	command_add(&c, "--");
	if (argc)
		command_add(&c, argv[0]);
	status = stage_run((char **)c.words, false);
	free(c.words);
	return status;
}

/* --- the command --- */

static const char help[] = "Examples:\n"
			   "  pyrograph report -a -d 5 -o charts/   this machine, five seconds, all charts\n"
			   "  pyrograph report -p PID -o charts/    one process, a flame graph per thread\n"
			   "  pyrograph collect cpu -a -d 5 -o rec.data\n"
			   "  pyrograph collapse rec.data | grep -v idle | pyrograph render flame >cpu.svg\n"
			   "  pyrograph web charts/                 an index.html of a directory\n"
			   "\n"
			   "Usage: pyrograph VERB [options]\n"
			   "Shows what a Linux machine does with its time.\n"
			   "\n"
			   "Verbs, in the order of the data:\n";

static void show_help(FILE *out)
{
	fputs(help, out);
	for (const struct verb *v = stage_verbs; v->name; v++)
		fprintf(out, "  %-12s%s\n", v->name, v->about);
	fputs("\n'pyrograph help VERB' says more.\n", out);
}

/* argv[1] is the verb. */
static int run_verb(int argc, char **argv)
{
	if (!strcmp(argv[1], "report"))
		return report_run(argc - 1, argv + 1);
	if (!strcmp(argv[1], "explain"))
		return report_explain(argc - 1, argv + 1);
	if (!strcmp(argv[1], "trigger") || !strcmp(argv[1], "watch"))
		return stage_exec("collect", argv); /* "collect trigger", "collect watch" */
	return stage_exec(argv[1], argv + 1);
}

/* "--complete collect cpu ...": the verb answers, if there is one. */
static int complete(int argc, char **argv)
{
	char *verb = argv[2];

	if (argc == 3) {
		completion_verbs(stage_verbs, argv);
		return flush_stdout() < 0;
	}
	argv[2] = argv[1];
	argv[1] = verb;
	return run_verb(argc, argv);
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		show_help(stderr);
		return 2;
	}
	if (help_asked(argc, argv)) {
		show_help(stdout);
		return flush_stdout() < 0;
	}
	if (version_asked(argc, argv)) {
		puts("pyrograph " PYROGRAPH_VERSION);
		return flush_stdout() < 0;
	}
	if (completion_asked(argc, argv))
		return complete(argc, argv);
	return run_verb(argc, argv);
}
