#include "collect/run/flight_after.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collect/run/flight_files.h"
#include "core/giving_way.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/start.h"
#include "core/str.h"

/* --- --then --- */

enum { COMMAND_NICE = 10 };

static _Noreturn void flight_then_run(const char *command, const char *path, const sigset_t *mask)
{
	setpriority(PRIO_PROCESS, 0, COMMAND_NICE);
	sigprocmask(SIG_SETMASK, mask, NULL);
	execl("/bin/sh", "sh", "-c", command, "sh", path, (char *)NULL);
	error("--then: cannot run /bin/sh: %s", strerror(errno));
	_exit(127);
}

void flight_then_start(struct flight_then *t, struct session *s, const char *path)
{
	struct flight_command *c = &t->list[t->count];

	if (!t->command)
		return;
	if (t->count == FLIGHT_THEN_MAX) {
		warn("%s: --then is not run: %d of its commands have not ended", path, FLIGHT_THEN_MAX);
		t->failed++;
		return;
	}
	c->pid = fork();
	if (!c->pid)
		flight_then_run(t->command, path, &s->old_mask);
	if (c->pid < 0) {
		warn("%s: --then cannot be run: %s", path, strerror(errno));
		t->failed++;
		return;
	}
	c->path = xstrdup(path);
	c->fd = session_add_child(s, c->pid);
	t->count++;
}

void flight_then_reap(struct flight_then *t, struct session *s, bool wait)
{
	for (size_t i = t->count; i--;) {
		struct flight_command *c = &t->list[i];
		int status = 0;

		if (waitpid(c->pid, &status, wait ? 0 : WNOHANG) == 0)
			continue;
		if (status) {
			warn("%s: --then failed (%s %d)", c->path, WIFEXITED(status) ? "status" : "signal",
			     WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
			t->failed++;
		}
		session_close_data(s, c->fd);
		free(c->path);
		*c = t->list[--t->count];
	}
}

/* --- --report --- */

void flight_reports_add(struct flight_reports *r, const char *path)
{
	r->waiting = xgrow(r->waiting, &r->cap, r->count + 1, sizeof(*r->waiting));
	r->waiting[r->count++] = xstrdup(path);
}

/* Run the program in our directory, else the one on PATH.  Signals from the terminal must not reach it. */
static _Noreturn void flight_reports_draw(const char *path, const char *dir, const sigset_t *mask)
{
	struct str program = { 0 };

	sibling_path("pyrograph", &program);
	setpgid(0, 0);
	give_way(COMES_LAST);
	sigprocmask(SIG_SETMASK, mask, NULL);
	execl(program.buf, "pyrograph", "report", "-q", "--recording", path, "-o", dir, (char *)NULL);
	if (errno == ENOENT)
		execlp("pyrograph", "pyrograph", "report", "-q", "--recording", path, "-o", dir, (char *)NULL);
	error("--report: cannot run pyrograph: %s", strerror(errno));
	_exit(1);
}

static void flight_reports_start(struct flight_reports *r, struct session *s, char *path)
{
	char *dir = flight_report_dir(path);

	r->pid = fork();
	if (!r->pid)
		flight_reports_draw(path, dir, &s->old_mask);
	free(dir);
	if (r->pid < 0) {
		warn("%s: its report cannot be drawn: %s", path, strerror(errno));
		r->failed++;
		free(path);
		return;
	}
	setpgid(r->pid, r->pid); /* both parent and child set it, as the child may have to be ended at once */
	r->path = path;
	r->fd = session_add_child(s, r->pid);
}

/* Recordings that were pruned meanwhile are skipped. */
static void start_next(struct flight_reports *r, struct session *s)
{
	while (!r->path && r->count) {
		char *path = r->waiting[0];

		memmove(r->waiting, r->waiting + 1, --r->count * sizeof(*r->waiting));
		if (!access(path, F_OK)) {
			flight_reports_start(r, s, path);
			continue;
		}
		r->gone++;
		free(path);
	}
}

static void flight_reports_ended(struct flight_reports *r, struct session *s, int status)
{
	char *dir = flight_report_dir(r->path);

	if (access(r->path, F_OK)) {
		flight_report_remove(r->path);
		r->gone++;
	} else if (status) {
		warn("%s: its report could not be drawn (%s %d)", r->path, WIFEXITED(status) ? "status" : "signal",
		     WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
		r->failed++;
	} else {
		inform("drew %s/index.html", dir);
		r->drawn++;
	}
	session_close_data(s, r->fd);
	free(r->path);
	free(dir);
	r->path = NULL;
}

void flight_reports_turn(struct flight_reports *r, struct session *s)
{
	int status = 0;

	if (r->path && waitpid(r->pid, &status, WNOHANG))
		flight_reports_ended(r, s, status);
	start_next(r, s);
}

/* Returns whether we were told to end a second time before the report was drawn. */
static bool flight_reports_is_interrupted(const struct flight_reports *r, const struct session *s)
{
	enum { LOOK_MS = 200 }; /* without a pidfd, nothing wakes us */
	struct pollfd fds[] = { { s->signals, POLLIN, 0 }, { r->fd, POLLIN, 0 } };
	struct signalfd_siginfo taken;

	poll(fds, 2, LOOK_MS);
	return read(s->signals, &taken, sizeof(taken)) == sizeof(taken) && taken.ssi_signo != SIGUSR1;
}

/* Its stages are in its process group. */
static void flight_reports_give_up(struct flight_reports *r, struct session *s)
{
	inform("%zu report%s not drawn", r->count + 1, r->count ? "s are" : " is");
	kill(-r->pid, SIGTERM);
	waitpid(r->pid, NULL, 0);
	session_close_data(s, r->fd);
	free(r->path);
	r->path = NULL;
}

void flight_reports_finish(struct flight_reports *r, struct session *s)
{
	flight_reports_turn(r, s);
	if (r->path)
		inform("%zu report%s to be drawn: Ctrl-C leaves %s out", r->count + 1, r->count ? "s are" : " is",
		       r->count ? "them" : "it");
	while (r->path) {
		if (flight_reports_is_interrupted(r, s)) {
			flight_reports_give_up(r, s);
			break;
		}
		flight_reports_turn(r, s);
	}
	if (r->drawn || r->failed || r->gone)
		inform("%" PRIu64 " report%s drawn, %" PRIu64 " failed, %" PRIu64
		       " given up as their recordings are gone",
		       r->drawn, r->drawn == 1 ? "" : "s", r->failed, r->gone);
}

void flight_reports_free(struct flight_reports *r)
{
	for (size_t i = 0; i < r->count; i++)
		free(r->waiting[i]);
	free(r->waiting);
	free(r->path);
	*r = (struct flight_reports){ 0 };
}
