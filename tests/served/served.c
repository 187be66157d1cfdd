/* served: a stage's program that runs many times without being started again, for tests (tests/tap.py).
 *
 * Built once for each stage, with its main() as stage_main().  Its stdin is a SOCK_SEQPACKET socket.  A request is one
 * message: "N", N settings of the environment ("NAME=value"; "NAME": none), a directory to be in (empty: ours), and the
 * arguments, each ended by a NUL byte, with three descriptors (SCM_RIGHTS): stdin, stdout, stderr.  Each request runs
 * in its own child, as if the program had been started, but without an exec.  The answer is the int of waitpid().  The
 * program ends when the other side has closed the socket. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

int stage_main(int argc, char **argv);

enum { REQUEST_BYTES = 1 << 20, ARGS = 4096, STREAMS = 3 };

static char request[REQUEST_BYTES];
static char *args[ARGS + 1];

/* Returns the bytes of the next request, 0 at the end, -1 if it is not a request; the request's descriptors are in
 * streams[]. */
static ssize_t request_receive(int socket, int streams[STREAMS])
{
	union {
		struct cmsghdr align;
		char bytes[CMSG_SPACE(STREAMS * sizeof(int))];
	} control;
	struct iovec part = { request, sizeof(request) };
	struct msghdr message = {
		.msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof(control.bytes)
	};
	ssize_t len = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
	struct cmsghdr *with = len > 0 ? CMSG_FIRSTHDR(&message) : NULL;

	if (len <= 0)
		return len;
	if (!with || with->cmsg_len != CMSG_LEN(STREAMS * sizeof(int)) || request[len - 1] ||
	    message.msg_flags & MSG_TRUNC)
		return -1;
	memcpy(streams, CMSG_DATA(with), STREAMS * sizeof(int));
	return len;
}

static void setting_apply(char *setting)
{
	char *value = strchr(setting, '=');

	if (!value) {
		unsetenv(setting);
		return;
	}
	*value = '\0';
	setenv(setting, value + 1, 1);
	*value = '=';
}

/* In the child: never returns. */
static void request_run(ssize_t len, const int streams[STREAMS])
{
	char *at = request, *end = request + len;
	long settings = strtol(at, NULL, 10);
	int argc = 0;

	for (at += strlen(at) + 1; settings > 0 && at < end; settings--, at += strlen(at) + 1)
		setting_apply(at);
	if (at < end && *at && chdir(at) < 0)
		_exit(125);
	for (at += strlen(at) + 1; at < end && argc < ARGS; at += strlen(at) + 1)
		args[argc++] = at;
	for (int i = 0; i < STREAMS; i++) {
		if (dup2(streams[i], i) < 0 || close(streams[i]) < 0)
			_exit(125);
	}
	exit(stage_main(argc, args));
}

/* Ends the process after the stage's atexit() functions, and before the destructors of libraries, which take a fifth of
 * the time of a small run and have no visible effect. */
static void leave(int status, void *unused)
{
	(void)unused;
	fflush(NULL);
	_exit(status);
}

int main(int argc, char **argv)
{
	int socket, streams[STREAMS], status;
	ssize_t len;

	if (argc > 1) /* a stage that has started itself: /proc/self/exe */
		return stage_main(argc, argv);
	socket = dup(STDIN_FILENO);
	unsetenv("LD_BIND_NOW"); /* was for this program alone */
	on_exit(leave, NULL);
	while ((len = request_receive(socket, streams)) > 0) {
		pid_t child = fork();

		if (child == 0) {
			close(socket);
			request_run(len, streams);
		}
		for (int i = 0; i < STREAMS; i++)
			close(streams[i]);
		if (child < 0 || waitpid(child, &status, 0) < 0 ||
		    send(socket, &status, sizeof(status), MSG_NOSIGNAL) < 0) {
			perror("served");
			return 1;
		}
	}
	return len < 0;
}
