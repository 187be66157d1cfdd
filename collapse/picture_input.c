#include "collapse/picture_input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"
#include "core/sibling.h"
#include "core/start_failure.h"
#include "core/str.h"

static void picture_input_run_child(const char *picture, int out)
{
	struct str path = { 0 };
	char *argv[] = { NULL, "folded", "--", (char *)(uintptr_t)picture, NULL };

	sibling_path("pyrograph-render", &path);
	argv[0] = path.buf;
	if (dup2(out, STDOUT_FILENO) >= 0)
		execvp(path.buf, argv);
	error("%s: is a picture, and %s, which reads it, cannot be started: %s", picture, path.buf, strerror(errno));
	_exit(1);
}

int picture_open(struct input_stream *in, const char *path, pid_t *child)
{
	int ends[2];

	input_close(in);
	if (pipe2(ends, O_CLOEXEC))
		return error("%s: %s", path, strerror(errno));
	fflush(NULL);
	*child = fork();
	if (*child < 0) {
		close(ends[0]);
		close(ends[1]);
		return error("%s: cannot start another process for it: %s", path, start_failure(errno));
	}
	if (!*child)
		picture_input_run_child(path, ends[1]);
	close(ends[1]);
	return input_open_fd(in, ends[0], path);
}

int picture_close(pid_t child)
{
	int status = 0;

	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return status ? -1 : 0;
}
