#include "collect/run/flight_then.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"
#include "core/memory.h"

enum { NICE = 10 };

static _Noreturn void flight_then_run(const char *command, const char *path, const sigset_t *mask)
{
	setpriority(PRIO_PROCESS, 0, NICE);
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
