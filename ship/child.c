#include "ship/child.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"
#include "core/start.h"
#include "core/str.h"

static void child_become(const char **argv, int out)
{
	struct str path = { 0 };

	sibling_path("pyrograph-collapse", &path);
	argv[0] = path.buf;
	if (dup2(out, STDOUT_FILENO) >= 0)
		execvp(path.buf, (char *const *)(uintptr_t)argv);
	error("%s cannot be started: %s", path.buf, strerror(errno));
	_exit(127);
}

int child_start(struct child *c, const char **argv)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return error("pipe: %s", strerror(errno));
	fcntl(ends[0], F_SETPIPE_SZ, 1 << 20); /* fewer switches; it may be refused */
	fflush(NULL);
	c->pid = fork();
	if (!c->pid)
		child_become(argv, ends[1]);
	close(ends[1]);
	c->out = ends[0];
	if (c->pid > 0)
		return 0;
	close(c->out);
	return error("cannot start another process: %s", start_failure(errno));
}

int child_end(struct child *c)
{
	int status = 0;

	close(c->out);
	while (waitpid(c->pid, &status, 0) < 0) {
		if (errno != EINTR)
			return 127;
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
