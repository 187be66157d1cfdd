#include "collect/jvm/attach.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collect/machine/anchors.h"
#include "collect/machine/procfs.h"
#include "core/str.h"
#include "core/symbols/space/process_root.h"

/* ---- the part that runs in a process of its own, the child ---- */

/* Whom to ask, and as whom. */
struct attach_target {
	int pid, own_pid; /* the JVM's pid as we see it, and as it sees itself */
	uid_t uid;
	gid_t gid;
	char state;          /* 'T': stopped; from /proc/PID/status */
	bool catches_quit;   /* SIGQUIT has a handler */
	bool may_signal;     /* the handler is HotSpot's, and takes the signal as a request to listen */
	int tmp, cwd, pidfd; /* the JVM's /tmp, its working directory (or -1), its process */
};

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

/* All signals are blocked.  SIGTERM is received only while we wait, so that it ends the wait and we can clean up. */
static void take_signals(void)
{
	struct sigaction action = { .sa_handler = cancel };

	sigaction(SIGTERM, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
}

/* Poll one fd or none (poll(2)); SIGTERM may come meanwhile. */
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

/* Wait for fd, or for a moment if fd is -1.  Returns false after the timeout. */
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
 * namespace the JVM is in.  A name in /tmp may belong to anybody: to another program of the JVM's user or, where PID
 * namespaces share a /tmp, to a process with the same pid in another namespace. */
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

/* Create the file that tells the JVM what the signal means, in the places where the JVM looks: its working directory,
 * then /tmp. */
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

/* If the file exists and belongs to the JVM's user, another client is asking and will send the signal, so we must not
 * send a second one.  If no socket appears, that client died before it removed the file. */
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

/* The JVM identifies us by the kernel's credentials.  Only some versions admit root, and root of our user namespace may
 * be "nobody" in that of the JVM. */
static bool attach_ask_become(const struct attach_target *t)
{
	if (geteuid() == t->uid && getegid() == t->gid)
		return true;
	return !setgroups(0, NULL) && !setresgid(t->gid, t->gid, t->gid) && !setresuid(t->uid, t->uid, t->uid);
}

/* Become the JVM's user, ask the JVM, append the answer.  All signals are blocked; SIGTERM ends the function soon.
 * Returns NULL, or the reason why there is no answer. */
static const char *attach_ask(const struct attach_target *t, const char *command, const char *argument,
			      struct str *answer)
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

/* ---- attaching ---- */

/* The first byte that the child sends through the pipe. */
enum { YES = 'y', NO = 'n' };

/* Since Java 17 at the latest (not in 8 and early 11), a signal recreates a removed socket. */
enum { MAKES_SOCKET_ANEW = 17 };

/* ---- who it is ---- */

/* A number in a line: the second one of "Uid:\t1000\t1001\t1001\t1001", the effective user; or the last one of
 * "NSpid:\t8513\t7". */
static const char *field(const char *status, const char *name, int number)
{
	const char *at = strstr(status, name);

	for (at = at ? strchr(at, '\t') : NULL; at && number > 1; number--) {
		const char *next = at + 1 + strcspn(at + 1, "\t\n");

		if (*next != '\t')
			break;
		at = next;
	}
	return at ? at + 1 : "";
}

static bool read_status(struct attach_target *t)
{
	struct str text = { 0 };
	uint64_t caught;
	bool read;

	read = !read_process(t->pid, "status", &text) && text.len;
	if (read) {
		enum { INNERMOST = 64 };
		const char *own = field(text.buf, "\nNSpid:", INNERMOST);

		t->own_pid = *own ? atoi(own) : t->pid;
		t->uid = (uid_t)strtoul(field(text.buf, "\nUid:", 2), NULL, 10);
		t->gid = (gid_t)strtoul(field(text.buf, "\nGid:", 2), NULL, 10);
		t->state = *field(text.buf, "\nState:", 1);
		caught = strtoull(field(text.buf, "\nSigCgt:", 1), NULL, 16);
		t->catches_quit = caught & (UINT64_C(1) << (SIGQUIT - 1));
	}
	str_free(&text);
	return read && t->own_pid > 0;
}

/* Does one of the process's threads have this name? */
static bool has_thread(int pid, const char *name)
{
	struct pids tids = { 0 };
	struct str comm = { 0 };
	bool found = false;

	pids_read_threads(&tids, pid);
	for (size_t i = 0; i < tids.count && !found; i++) {
		str_clear(&comm);
		found = read_comm(pid, tids.list[i], &comm) && !strcmp(str_text(&comm), name);
	}
	pids_free(&tids);
	str_free(&comm);
	return found;
}

/* ---- what it says of itself ---- */

static bool mentions(int pid, const char *file, const char *word)
{
	struct str text = { 0 };
	bool found;

	found = !read_process(pid, file, &text) && text.len && memmem(text.buf, text.len, word, strlen(word));
	str_free(&text);
	return found;
}

/* Does the JVM have this flag?  Read the JVM's own flags or, if that fails, look in the places where users set
 * flags. */
static bool has_flag(int pid, const struct jvm *jvm, const char *name)
{
	char word[64];
	uint64_t value;

	if (jvm && vm_flag(jvm->tables, &jvm->remote, name, &value))
		return value & 0xff;
	snprintf(word, sizeof(word), "-XX:+%s", name);
	return mentions(pid, "cmdline", word) || mentions(pid, "environ", word);
}

/* Why the process cannot be asked, in a few words (static); NULL if it can be.  Does nothing to the process. jvm: the
 * process's tables; NULL if they cannot be read. */
static const char *attach_obstacle(int pid, const struct jvm *jvm)
{
	struct attach_target t = { .pid = pid };
	struct runtime_file lib;

	if (!read_status(&t) || t.state == 'Z' || t.state == 'X')
		return "it has ended";
	if (mentions(pid, "maps", "/libj9vm")) /* OpenJ9 also has a libjvm.so, but another protocol */
		return "it is an OpenJ9 JVM: start it with -Xjit:perfTool, which writes a map";
	if (!libjvm_find(pid, &lib))
		return lib.start ? "no right to look into it: use root" : "it is not a HotSpot JVM";
	if (t.state == 'T' || t.state == 't')
		return "it is stopped";
	if (has_flag(pid, jvm, "DisableAttachMechanism"))
		return "it runs with -XX:+DisableAttachMechanism";
	return NULL;
}

/* ---- the child ---- */

/* The child has nothing left to clean up by now, so SIGTERM may end it while the pipe is full. */
static void attach_put(int fd, const char *bytes, size_t len)
{
	sigset_t term;

	sigemptyset(&term);
	sigaddset(&term, SIGTERM);
	signal(SIGTERM, SIG_DFL);
	sigprocmask(SIG_UNBLOCK, &term, NULL);
	while (len) {
		ssize_t n = write(fd, bytes, len);

		if (n <= 0)
			return;
		bytes += n;
		len -= (size_t)n;
	}
}

/* The answer is "0
 * " and text, or an error number and a message. */
static const char *check_answer(const struct str *answer, size_t *begin)
{
	const char *text = str_text(answer), *line = strchr(text, '\n');

	*begin = line ? (size_t)(line + 1 - text) : answer->len;
	return line && line == text + 1 && *text == '0' ? NULL : "it refuses: ";
}

static void attach_ask_command(const struct attach_target *t, const char *command, const char *argument, int to)
{
	struct str answer = { 0 }, news = { 0 };
	const char *why = attach_ask(t, command, argument, &answer);
	size_t begin = answer.len;

	if (!why)
		why = check_answer(&answer, &begin);
	str_addc(&news, why ? NO : YES);
	if (why)
		str_puts(&news, why);
	if (begin < answer.len)
		str_add(&news, answer.buf + begin, why ? strcspn(answer.buf + begin, "\n") : answer.len - begin);
	attach_put(to, news.buf, news.len);
}

/* Open the JVM's directories here, before the child changes its user: another user might not find them. */
static int open_target(struct attach_target *t, const struct jvm *jvm, const char **why)
{
	char cwd[32];

	*why = "it has ended";
	t->pidfd = (int)syscall(SYS_pidfd_open, t->pid, 0);
	if (t->pidfd < 0 || !read_status(t))
		return -1;
	*why = attach_obstacle(t->pid, jvm); /* checked again for the process that pidfd refers to, as the pid may be
					      * another's by now */
	if (*why)
		return -1;
	*why = "no right to look into its /tmp: use root";
	t->tmp = process_root_open(t->pid, "/tmp");
	if (t->tmp < 0)
		return -1;
	snprintf(cwd, sizeof(cwd), "/proc/%d/cwd", t->pid);
	t->cwd = open(cwd, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	t->may_signal = !has_flag(t->pid, jvm, "ReduceSignalUsage") &&
			((jvm && jvm_version(jvm) >= MAKES_SOCKET_ANEW) || !has_thread(t->pid, "Attach Listener"));
	return 0;
}

static void close_target(struct attach_target *t)
{
	const int fds[] = { t->tmp, t->cwd, t->pidfd };

	for (size_t i = 0; i < sizeof(fds) / sizeof(*fds); i++) {
		if (fds[i] >= 0)
			close(fds[i]);
	}
}

/* Signals are blocked until the child can handle them. */
static int attach_start(struct attach *a, const struct attach_target *t, const char *command, const char *argument)
{
	sigset_t all, before;
	int ends[2];

	if (pipe2(ends, O_CLOEXEC | O_NONBLOCK))
		return -1;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	a->child = fork();
	if (!a->child) {
		fcntl(ends[1], F_SETFL, 0);
		attach_ask_command(t, command, argument, ends[1]);
		_exit(0);
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	close(ends[1]);
	a->fd = ends[0];
	if (a->child > 0)
		return 0;
	close(a->fd);
	return -1;
}

int attach_begin(struct attach *a, int pid, const struct jvm *jvm, const char *command, const char *argument,
		 const char **why)
{
	struct attach_target t = { .pid = pid, .tmp = -1, .cwd = -1, .pidfd = -1 };
	int status;

	*a = (struct attach){ 0 };
	status = open_target(&t, jvm, why);
	if (!status) {
		*why = "cannot fork a process to ask it";
		status = attach_start(a, &t, command, argument);
	}
	close_target(&t);
	if (status)
		*a = (struct attach){ 0 };
	return status;
}

/* ---- the answer ---- */

static void attach_reap(struct attach *a)
{
	while (waitpid(a->child, NULL, 0) < 0 && errno == EINTR)
		;
	close(a->fd);
	a->child = 0;
}

/* The first byte of the answer says whether the rest is text or an error. */
static enum attach_state attach_judge(struct attach *a)
{
	bool yes = a->text.len && a->text.buf[0] == YES;

	if (!a->text.len)
		str_addf(&a->text, "%cthe process that asked it has ended", NO);
	a->text.len--;
	memmove(a->text.buf, a->text.buf + 1, a->text.len + 1);
	return yes ? ATTACH_ANSWERED : ATTACH_FAILED;
}

enum attach_state attach_take(struct attach *a)
{
	char bytes[4096];
	ssize_t n;

	while ((n = read(a->fd, bytes, sizeof(bytes))) > 0)
		str_add(&a->text, bytes, (size_t)n);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return ATTACH_WAITS;
	attach_reap(a);
	return attach_judge(a);
}

enum attach_state attach_wait(struct attach *a)
{
	struct pollfd p = { .fd = a->fd, .events = POLLIN };
	enum attach_state state;

	while ((state = attach_take(a)) == ATTACH_WAITS)
		poll(&p, 1, -1);
	return state;
}

void attach_end(struct attach *a)
{
	if (a->child > 0) {
		kill(a->child, SIGTERM);
		attach_reap(a);
	}
	str_free(&a->text);
	*a = (struct attach){ 0 };
}
