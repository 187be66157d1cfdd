#include "report/jobs.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/progress.h"
#include "core/str.h"

struct running {
	pid_t pid; /* 0: not begun, or over */
	int words; /* file with its messages; -1: they go to stderr directly, because there was no memory for a file */
};

static size_t usable_cpus(void)
{
	cpu_set_t cpus;

	return sched_getaffinity(0, sizeof(cpus), &cpus) ? 1 : (size_t)CPU_COUNT(&cpus);
}

/* The results are in shared memory, because an exit status has too few bits. */
static unsigned *share_results(size_t count)
{
	void *results = mmap(NULL, count * sizeof(unsigned), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return results == MAP_FAILED ? NULL : results;
}

_Noreturn static void jobs_work(const struct drawing_job *job, void *context, int words, unsigned *result)
{
	prctl(PR_SET_PDEATHSIG, SIGTERM); /* otherwise the job would start stage after stage, though its parent is
					   * gone */
	if (words >= 0)
		dup2(words, STDERR_FILENO);
	*result = job->run(context, job->part);
	fflush(NULL);
	_exit(0);
}

/* Returns whether the job runs now; if no process can be made, the job is done here. */
static bool jobs_begin(struct running *r, const struct drawing_job *job, void *context, unsigned *result)
{
	*result = JOB_LOST;
	fflush(NULL);
	r->pid = fork();
	if (!r->pid)
		jobs_work(job, context, r->words, result);
	if (r->pid > 0)
		return true;
	r->pid = 0;
	*result = job->run(context, job->part);
	return false;
}

static bool was_told(const struct str *told, const char *line, size_t len)
{
	for (const char *at = str_text(told); *at; at += strcspn(at, "\n") + 1) {
		if (!strncmp(at, line, len) && at[len] == '\n')
			return true;
	}
	return false;
}

/* Repeat the messages of a job, without the lines that an earlier job printed, too: the charts of one recording share
 * its defects.  Closes from. */
static void repeat_words(int from, struct str *told)
{
	FILE *words = from < 0 ? NULL : fdopen(from, "r");
	char *line = NULL;
	size_t cap = 0;
	ssize_t len;

	if (!words)
		return;
	rewind(words);
	progress_clear();
	while ((len = getline(&line, &cap, words)) > 0) {
		len -= line[len - 1] == '\n';
		if (was_told(told, line, (size_t)len))
			continue;
		fprintf(stderr, "%.*s\n", (int)len, line);
		str_addf(told, "%.*s\n", (int)len, line);
	}
	free(line);
	fclose(words);
}

/* Wait for any of the jobs.  Returns false if none is left, because all have ended. */
static bool jobs_reap(struct running *all, size_t count)
{
	pid_t pid;

	do {
		pid = waitpid(-1, NULL, 0);
	} while (pid < 0 && errno == EINTR);
	for (size_t i = 0; i < count; i++) {
		if (pid < 0 || all[i].pid == pid)
			all[i].pid = 0;
	}
	return pid > 0;
}

static void run_side_by_side(struct drawing_job *jobs, size_t count, void *context, size_t at_once, unsigned *results)
{
	struct running *all = xcalloc(count, sizeof(*all));
	size_t next = 0, over = 0, running = 0;
	struct str told = { 0 };

	while (over < count) {
		for (; next < count && running < at_once; next++) {
			all[next].words = memfd_create("stderr", MFD_CLOEXEC);
			running += jobs_begin(&all[next], &jobs[next], context, &results[next]);
		}
		progress("drawing: %zu of %zu charts", next - running, count);
		running = running && jobs_reap(all, next) ? running - 1 : 0;
		for (; over < next && !all[over].pid; over++)
			repeat_words(all[over].words, &told);
	}
	progress_clear();
	for (size_t i = 0; i < count; i++)
		jobs[i].result = results[i];
	str_free(&told);
	free(all);
}

void jobs_run(struct drawing_job *jobs, size_t count, void *context)
{
	size_t cpus = usable_cpus();
	unsigned *results = count > 1 && cpus > 1 ? share_results(count) : NULL;

	if (results) {
		run_side_by_side(jobs, count, context, cpus, results);
		munmap(results, count * sizeof(*results));
		return;
	}
	for (size_t i = 0; i < count; i++)
		jobs[i].result = jobs[i].run(context, jobs[i].part);
}
