#include "report/jobs.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/memory.h"

struct running {
	pid_t pid; /* 0: not begun, or over */
	int words; /* what it says on stderr; -1: goes there directly */
};

static size_t usable_cpus(void)
{
	cpu_set_t cpus;

	return sched_getaffinity(0, sizeof(cpus), &cpus) ? 1 : (size_t)CPU_COUNT(&cpus);
}

/* The results are shared memory: an exit status has too few bits. */
static unsigned *share_results(size_t count)
{
	void *results = mmap(NULL, count * sizeof(unsigned), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return results == MAP_FAILED ? NULL : results;
}

_Noreturn static void work(const struct drawing_job *job, void *context, int words, unsigned *result)
{
	prctl(PR_SET_PDEATHSIG, SIGTERM); /* or it would start stage after stage for nobody */
	if (words >= 0)
		dup2(words, STDERR_FILENO);
	*result = job->run(context, job->part);
	fflush(NULL);
	_exit(0);
}

/* Returns whether it runs now; where no process can be made, the job is done here. */
static bool begin(struct running *r, const struct drawing_job *job, void *context, unsigned *result)
{
	*result = JOB_LOST;
	fflush(NULL);
	r->pid = fork();
	if (!r->pid)
		work(job, context, r->words, result);
	if (r->pid > 0)
		return true;
	r->pid = 0;
	*result = job->run(context, job->part);
	return false;
}

static void repeat_words(int from)
{
	char text[4096];
	ssize_t n;

	if (from < 0)
		return;
	lseek(from, 0, SEEK_SET);
	while ((n = read(from, text, sizeof(text))) > 0)
		fwrite(text, 1, (size_t)n, stderr);
	close(from);
}

/* Wait for any of them.  Returns false when there is none. */
static bool reap(struct running *all, size_t count)
{
	pid_t pid;

	do {
		pid = waitpid(-1, NULL, 0);
	} while (pid < 0 && errno == EINTR);
	for (size_t i = 0; i < count; i++) {
		if (pid > 0 && all[i].pid == pid)
			all[i].pid = 0;
	}
	return pid > 0;
}

static void run_side_by_side(struct drawing_job *jobs, size_t count, void *context, size_t at_once, unsigned *results)
{
	struct running *all = xcalloc(count, sizeof(*all));
	size_t next = 0, told = 0, running = 0;

	while (told < count) {
		for (; next < count && running < at_once; next++) {
			all[next].words =
				next ? memfd_create("stderr", MFD_CLOEXEC) : -1; /* the first may show progress */
			running += begin(&all[next], &jobs[next], context, &results[next]);
		}
		running = running && reap(all, next) ? running - 1 : 0;
		for (; told < next && !all[told].pid; told++)
			repeat_words(all[told].words);
	}
	for (size_t i = 0; i < count; i++)
		jobs[i].result = results[i];
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
