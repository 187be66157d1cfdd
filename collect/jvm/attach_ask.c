#include "collect/jvm/attach_ask.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "collect/jvm/attach.h"
#include "collect/machine/anchors.h"

enum {
	PATIENCE_MS = 5000,
	OTHERS_MS = 1000, /* time for another client that is also asking */
	LOOK_MS = 10,
};

static const char too_late[] = "it does not answer: is it stopped, or its disk full?";
static const char cancelled[] = "we did not wait for it";

/* ---- time ---- */

static volatile sig_atomic_t is_cancelled;

static void cancel(int signal)
{
	(void)signal;
	is_cancelled = 1;
}

/* All signals are blocked.  SIGTERM is received only while we wait: it ends the waiting, and we can clean up. */
static void take_signals(void)
{
	struct sigaction action = { .sa_handler = cancel };

	sigaction(SIGTERM, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
}

/* poll(2) on one fd or none, during which SIGTERM may come. */
static int poll_until_told(struct pollfd *p, nfds_t count, uint64_t ms)
{
	struct timespec time = { (time_t)(ms / 1000), (long)(ms % 1000) * 1000000 };
	sigset_t blocked;

	sigfillset(&blocked);
	sigdelset(&blocked, SIGTERM);
	return ppoll(p, count, &time, &blocked);
}

static uint64_t after_ms(uint64_t ms)
{
	return monotonic_ns() + ms * 1000000;
}

/* Wait for fd, or (-1) a moment.  Returns false after the timeout. */
static bool attach_ask_wait_for(int fd, short events, uint64_t until_ns)
{
	struct pollfd p = { .fd = fd, .events = events };
	uint64_t now = monotonic_ns();
	uint64_t ms = now < until_ns ? (until_ns - now) / 1000000 + 1 : 0;
	int ready = !ms || is_cancelled ? 0 : poll_until_told(&p, fd >= 0, fd >= 0 ? ms : LOOK_MS);

	return !is_cancelled && ms && (fd < 0 || ready > 0);
}

static const char *waited_in_vain(void)
{
	return is_cancelled ? cancelled : too_late;
}

/* ---- the socket ---- */

/* Does the file itself (not the file that a link points to) belong to the JVM's user? */
static bool is_its(const struct attach_target *t, int dir, const char *name, struct stat *st)
{
	return !fstatat(dir, name, st, AT_SYMLINK_NOFOLLOW) && st->st_uid == t->uid;
}

enum connected { CONNECTED, NO_SOCKET, DEAD_SOCKET, FOREIGN_SOCKET, OTHERS_SOCKET };

/* Is the JVM itself listening there (unix(7), SO_PEERCRED)?  The kernel reports pids as we see them, whatever
 * namespace the JVM is in.  A name in /tmp may be anybody's: another program of the JVM's user, or, where PID
 * namespaces share a /tmp, a process with the same pid in another namespace. */
static bool attach_ask_is_it(const struct attach_target *t, int fd)
{
	struct ucred peer;
	socklen_t len = sizeof(peer);

	return !getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) && peer.pid == t->pid && peer.uid == t->uid;
}

/* Our working directory is the JVM's /tmp, so the path is short and always fits. */
static enum connected connect_to(const struct attach_target *t, int *fd)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	struct stat st;
	enum connected why = NO_SOCKET;

	snprintf(address.sun_path, sizeof(address.sun_path), ".java_pid%d", t->own_pid);
	*fd = -1;
	if (fstatat(AT_FDCWD, address.sun_path, &st, AT_SYMLINK_NOFOLLOW))
		return NO_SOCKET;
	if (!S_ISSOCK(st.st_mode) || st.st_uid != t->uid)
		return FOREIGN_SOCKET;
	*fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (*fd < 0)
		return NO_SOCKET;
	if (connect(*fd, (struct sockaddr *)&address, sizeof(address)))
		why = errno == ECONNREFUSED ? DEAD_SOCKET : NO_SOCKET;
	else
		why = attach_ask_is_it(t, *fd) ? CONNECTED : OTHERS_SOCKET;
	if (why == CONNECTED)
		return why;
	close(*fd);
	*fd = -1;
	return why;
}

/* Wait until the JVM listens. */
static const char *wait_for_socket(const struct attach_target *t, uint64_t until_ns, int *fd)
{
	while (connect_to(t, fd) != CONNECTED) {
		if (!attach_ask_wait_for(-1, 0, until_ns))
			return waited_in_vain();
	}
	return NULL;
}

/* ---- the signal ---- */

/* Create the file that tells what the signal means, where the JVM looks: in its working directory, then in /tmp. */
struct trigger {
	int dir;
	char name[32];
	bool is_made;
};

static bool attach_ask_make(struct trigger *g, const struct attach_target *t, int dir)
{
	int fd;

	g->dir = dir;
	snprintf(g->name, sizeof(g->name), ".attach_pid%d", t->own_pid);
	fd = dir < 0 ? -1 : openat(dir, g->name, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0660);
	if (fd >= 0)
		close(fd);
	return g->is_made = fd >= 0;
}

static void unmake(struct trigger *g)
{
	if (g->is_made)
		unlinkat(g->dir, g->name, 0);
	g->is_made = false;
}

/* If the file exists and belongs to the JVM's user, another client is asking, and will send the signal: a second
 * signal would be one too many.  If no socket appears, that client died before it removed the file. */
static const char *make_trigger(struct trigger *g, const struct attach_target *t, int *fd)
{
	struct stat st;

	if (attach_ask_make(g, t, t->tmp))
		return NULL;
	if (is_its(t, t->tmp, g->name, &st)) {
		if (!wait_for_socket(t, after_ms(OTHERS_MS), fd))
			return NULL;
		unlinkat(t->tmp, g->name, 0);
		if (attach_ask_make(g, t, t->tmp))
			return NULL;
	}
	return attach_ask_make(g, t, t->cwd) ? NULL : "cannot create a file in its /tmp or working directory";
}

static const char *attach_ask_wake(const struct attach_target *t, const struct trigger *g)
{
	struct stat st;

	if (!is_its(t, g->dir, g->name, &st))
		return "its /tmp is not that of our user";
	if (syscall(SYS_pidfd_send_signal, t->pidfd, SIGQUIT, NULL, 0))
		return "no right to send it a signal";
	return NULL;
}

/* Connect; if there is no socket, or one that nobody listens on (left by an earlier process with the same pid),
 * make the JVM open one. */
static const char *open_socket(const struct attach_target *t, int *fd)
{
	struct trigger trigger = { 0 };
	const char *why;
	char name[32];

	if (!t->catches_quit)
		return "it takes no requests: it has just started, or runs with -Xrs";
	if (!t->may_signal)
		return "its attach socket was removed";
	why = make_trigger(&trigger, t, fd);
	if (why || *fd >= 0)
		return why;
	snprintf(name, sizeof(name), ".java_pid%d", t->own_pid);
	switch (connect_to(t, fd)) {
	case CONNECTED: break;
	case FOREIGN_SOCKET: why = "its attach socket belongs to another user"; break;
	case OTHERS_SOCKET: why = "its attach socket is another process's"; break;
	case DEAD_SOCKET: unlinkat(t->tmp, name, 0); /* fall through */
	case NO_SOCKET:
		why = attach_ask_wake(t, &trigger);
		if (!why)
			why = wait_for_socket(t, after_ms(PATIENCE_MS), fd);
	}
	unmake(&trigger);
	return why;
}

/* ---- the question ---- */

static const char *send_question(int fd, const char *command, const char *argument)
{
	uint64_t until_ns = after_ms(PATIENCE_MS);
	struct str words = { 0 };
	size_t sent = 0;
	bool all;

	str_addf(&words, "1%c%s%c%s%c%c%c", 0, command, 0, argument, 0, 0, 0);
	while (sent < words.len) {
		ssize_t n = send(fd, words.buf + sent, words.len - sent, MSG_NOSIGNAL);

		if (n > 0)
			sent += (size_t)n;
		else if (errno != EAGAIN || !attach_ask_wait_for(fd, POLLOUT, until_ns))
			break;
	}
	all = sent == words.len;
	str_free(&words);
	return all ? NULL : waited_in_vain();
}

static const char *attach_ask_read_answer(int fd, struct str *answer)
{
	uint64_t until_ns = after_ms(PATIENCE_MS);
	char bytes[4096];
	ssize_t n;

	for (;;) {
		n = recv(fd, bytes, sizeof(bytes), 0);
		if (n > 0 && answer->len < ATTACH_MAX_ANSWER)
			str_add(answer, bytes, (size_t)n);
		if (!n || (n < 0 && errno != EAGAIN))
			return answer->len ? NULL : "it did not answer";
		if (n < 0 ? !attach_ask_wait_for(fd, POLLIN, until_ns) : monotonic_ns() > until_ns)
			return waited_in_vain();
	}
}

/* The JVM identifies us by the kernel's credentials.  Only some versions admit root, and root of our user namespace
 * may be nobody in the JVM's. */
static bool attach_ask_become(const struct attach_target *t)
{
	if (geteuid() == t->uid && getegid() == t->gid)
		return true;
	return !setgroups(0, NULL) && !setresgid(t->gid, t->gid, t->gid) && !setresuid(t->uid, t->uid, t->uid);
}

const char *attach_ask(const struct attach_target *t, const char *command, const char *argument, struct str *answer)
{
	const char *why = NULL;
	int fd = -1;

	take_signals();
	if (!attach_ask_become(t))
		return "it belongs to another user: root may ask it";
	if (fchdir(t->tmp))
		return "its /tmp cannot be entered";
	if (connect_to(t, &fd) != CONNECTED)
		why = open_socket(t, &fd);
	if (!why)
		why = send_question(fd, command, argument);
	if (!why)
		why = attach_ask_read_answer(fd, answer);
	return why;
}
