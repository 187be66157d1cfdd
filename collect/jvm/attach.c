#include "collect/jvm/attach.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collect/jvm/attach_ask.h"
#include "collect/machine/procfs.h"
#include "core/symbols/space/process_root.h"

/* The first byte of the child's answer on the pipe. */
enum { YES = 'y', NO = 'n' };

/* Since Java 17 at the latest (not in 8 and early 11), a signal recreates a removed socket. */
enum { MAKES_SOCKET_ANEW = 17 };

/* ---- who it is ---- */

/* A number of a line: of "Uid:\t1000\t1001\t1001\t1001" the second one, the effective user; of "NSpid:\t8513\t7"
 * the last. */
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

/* Does the JVM have this flag?  Its own flags say so; if they cannot be read, the places where users set flags. */
static bool has_flag(int pid, const struct jvm *jvm, const char *name)
{
	char word[64];
	uint64_t value;

	if (jvm && vm_flag(jvm->tables, &jvm->remote, name, &value))
		return value & 0xff;
	snprintf(word, sizeof(word), "-XX:+%s", name);
	return mentions(pid, "cmdline", word) || mentions(pid, "environ", word);
}

const char *attach_obstacle(int pid, const struct jvm *jvm)
{
	struct attach_target t = { .pid = pid };
	struct libjvm lib;

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

/* The child has nothing left to clean up by now: SIGTERM may end it while the pipe is full. */
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
	*why = attach_obstacle(t->pid, jvm); /* checked again, for the process that pidfd holds */
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

/* The first byte of the answer says what the rest is. */
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
