#include "collect/noise/noise.h"

#include "collect/machine/session.h"
#include "collect/noise/noise_lines.h"
#include "core/error.h"
#include "core/opts.h"
#include "core/outfile.h"

enum { OVER_BUDGET = 3 }; /* exit status */

static const struct manual manual = {
	.usage = "-C CPUS [options]",
	.about = "Who disturbs what runs on a CPU: interrupts, softirqs, timers, work of\n"
		 "workqueues, other threads. Writes folded lines: time, count, longest, in ns.",
	.examples = "  pyrograph collect noise -C 3 -d 60              all that had CPU 3\n"
		    "  pyrograph collect noise -C 2-3 --budget 50us    exit 3 if any took longer\n",
};

static int write_lines(const char *path, const struct noise_sources *sources)
{
	struct outfile out = { 0 };

	if (outfile_open(&out, path) < 0)
		return -1;
	noise_lines_write(out.file, sources);
	return outfile_commit(&out);
}

static int watch(const struct cpus *cpus, uint64_t duration_ns, uint64_t budget_ns, struct noise_sources *sources)
{
	struct session session = { 0 };
	int status = -1;

	session_open(&session);
	if (noise_program_start(cpus, budget_ns) < 0)
		goto out;
	if (duration_ns)
		session_set_duration(&session, duration_ns);
	while (!(session_wait(&session, 0) & SESSION_OVER))
		;
	status = noise_program_stop(cpus, sources);
out:
	session_close(&session);
	return status;
}

int noise_run(int argc, char **argv)
{
	const char *text = NULL, *output = NULL;
	uint64_t duration_ns = 0, budget_ns = 0;
	const struct opt opts[] = {
		{ 'C', "cpu", "CPUS", "these CPUs: 3, or 2-3,6", .text = &text },
		{ 'd', "duration", "TIME", "how long [until Ctrl-C]", .ns = &duration_ns },
		{ 0, "budget", "TIME", "exit 3 if any noise took longer than that at a time", .ns = &budget_ns },
		{ 'o', "output", "FILE", "output file [stdout]", .text = &output },
		{ 0 },
	};
	struct noise_sources sources = { 0 };
	struct cpus cpus = { 0 };
	int status = 1;

	if (opts_parse(opts, &manual, argc, argv))
		die_usage("no COMMAND can be given: -C CPUS");
	if (!text)
		die_usage("whose noise? -C CPUS");
	cpus_parse(&cpus, text);
	if (watch(&cpus, duration_ns, budget_ns, &sources) < 0)
		goto out;
	noise_lines_prepare(&sources);
	if (write_lines(output, &sources) < 0)
		goto out;
	noise_lines_tell(&sources, &cpus);
	status = budget_ns && noise_lines_over(&sources, budget_ns) ? OVER_BUDGET : 0;
out:
	noise_sources_free(&sources);
	cpus_free(&cpus);
	return status;
}
