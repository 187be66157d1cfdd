/* pyrograph: "pyrograph VERB ..." executes the program pyrograph-VERB beside it,
 * so that each stage runs on its own, with only the rights that it needs. */
#include <stdio.h>
#include <string.h>

#include "core/outfile.h"
#include "core/verbs.h"
#include "report/report.h"
#include "report/report_explain.h"
#include "report/stages.h"

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
			   "Verbs, in the order of the data:\n"
			   "  collect     the running system -> a recording (perf.data)\n"
			   "  collapse    a recording, perf.data -> folded lines of text\n"
			   "  render      folded lines -> a picture (SVG, PNG)\n"
			   "  web         a directory of pictures -> index.html\n"
			   "  ship        recordings -> a store for many machines\n"
			   "  report      all of these but ship, one after another\n"
			   "  explain     a recording -> what happened, in 40 lines\n"
			   "  watch       the running system, all the time -> the last hour of recordings\n"
			   "  trigger     recorders with --keep write what they keep\n"
			   "\n"
			   "'pyrograph help VERB' says more.\n";

int main(int argc, char **argv)
{
	if (argc < 2) {
		fputs(help, stderr);
		return 2;
	}
	if (help_asked(argc, argv)) {
		fputs(help, stdout);
		return flush_stdout() < 0;
	}
	if (version_asked(argc, argv)) {
		puts("pyrograph " PYROGRAPH_VERSION);
		return flush_stdout() < 0;
	}
	if (!strcmp(argv[1], "report"))
		return report_run(argc - 1, argv + 1);
	if (!strcmp(argv[1], "explain"))
		return report_explain(argc - 1, argv + 1);
	if (!strcmp(argv[1], "trigger") || !strcmp(argv[1], "watch"))
		return stage_exec("collect", argv); /* "collect trigger", "collect watch" */
	return stage_exec(argv[1], argv + 1);
}
