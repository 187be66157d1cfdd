#include "collect/run/shipping.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collect/machine/anchors.h"
#include "core/error.h"
#include "core/format/shipping.h"
#include "core/hash.h"
#include "core/memory.h"
#include "core/secret.h"
#include "core/start.h"
#include "core/wallclock.h"

#define PART ".part"
#define START "watch-"

enum { NICE = 19, SAID_MAX = 4096, EVENTS_MAX = 32, ARGUMENTS_MAX = 24 + 2 * EVENTS_MAX, POLL_US = 20000 };

#define FINISH_NS (20 * NS_PER_SEC)

/* ---- a process that sends --------------------------------------------------- */

static int shipping_add_option(const char **argv, int n, const char *name, const char *value)
{
	if (value) {
		argv[n++] = name;
		argv[n++] = value;
	}
	return n;
}

static int shipping_make_arguments(const struct shipping_plan *p, const char **argv)
{
	int n = 1;

	n = shipping_add_option(argv, n, "--to", p->argument);
	n = shipping_add_option(argv, n, "--service", p->service);
	n = shipping_add_option(argv, n, "--spool-max", p->spool_max);
	n = shipping_add_option(argv, n, "--user", p->user);
	n = shipping_add_option(argv, n, "--password-file", p->password_file);
	n = shipping_add_option(argv, n, "--ca", p->ca);
	for (size_t i = 0; i < p->events.count; i++)
		n = shipping_add_option(argv, n, "--event", p->events.items[i]);
	if (quiet)
		argv[n++] = "--quiet";
	argv[n] = NULL;
	return n;
}

/* If memory runs short, the kernel should end this process rather than the recorder. */
static void offer_to_oom(void)
{
	int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	if (write(fd, "1000", 4) < 0)
		warn("/proc/self/oom_score_adj: %s", strerror(errno));
	close(fd);
}

/* said: its stderr; -1: ours. */
static _Noreturn void shipping_become(const struct shipping_plan *plan, const char **argv, int said)
{
	struct str path = { 0 };
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	setpriority(PRIO_PROCESS, 0, NICE);
	offer_to_oom();
	setenv(PROGRAM_CALLER, program_name, 1);
	secret_pass(plan->to, plan->argument);
	sibling_path("pyrograph-ship", &path);
	argv[0] = path.buf;
	if (said < 0 || dup2(said, STDERR_FILENO) >= 0)
		execv(path.buf, (char *const *)(uintptr_t)argv);
	error("%s cannot be started: %s", path.buf, strerror(errno));
	_exit(SHIPPING_LATER);
}

void shipping_check(const struct shipping_plan *plan)
{
	const char *argv[ARGUMENTS_MAX];
	int n, status = 0;
	pid_t pid;

	if (!plan->to)
		return;
	if (plan->events.count > EVENTS_MAX)
		die_usage("--ship-event: more than %d", EVENTS_MAX);
	n = shipping_make_arguments(plan, argv);
	argv[n++] = "--check";
	argv[n] = NULL;
	pid = fork();
	if (!pid)
		shipping_become(plan, argv, -1);
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (pid < 0 || status)
		exit(pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 2 ? 2 : 1);
}

static void shipping_start(struct shipping *s, const char *window)
{
	const char *argv[ARGUMENTS_MAX];
	int n = shipping_make_arguments(s->plan, argv);
	struct str spool = { 0 };

	argv[n++] = "--by-watch";
	str_addf(&spool, "%s/spool", s->plan->dir);
	if (shipping_has_spool(s->plan->to))
		n = shipping_add_option(argv, n, "--spool", spool.buf);
	argv[n++] = window;
	argv[n] = NULL;
	s->said = memfd_create("ship", MFD_CLOEXEC);
	s->pid = fork();
	if (!s->pid)
		shipping_become(s->plan, argv, s->said);
	if (s->pid < 0) {
		warn("%s: cannot be shipped: %s", window, strerror(errno));
		if (s->said >= 0)
			close(s->said);
		s->pid = 0;
	}
	str_free(&spool);
}

/* ---- which window ----------------------------------------------------------- */

static bool shipping_is_mark(const char *name)
{
	size_t len = strlen(name), n = strlen(SHIPPING_MARK);

	return len > n && !strncmp(name, START, strlen(START)) && !strcmp(name + len - n, SHIPPING_MARK);
}

/* Is the window of the mark "...data.unshipped" there, or has it been removed?  Neither while it is being recorded. */
static bool is_finished(const char *mark, bool *is_removed)
{
	struct str part = { 0 };
	bool there;

	str_addf(&part, "%.*s" PART, (int)(strlen(mark) - strlen(SHIPPING_MARK)), mark);
	there = access(part.buf, F_OK) != 0;
	str_clear(&part);
	str_addf(&part, "%.*s", (int)(strlen(mark) - strlen(SHIPPING_MARK)), mark);
	*is_removed = there && access(part.buf, F_OK);
	str_free(&part);
	return there && !*is_removed;
}

static void unmark(const char *mark)
{
	if (unlink(mark) && errno != ENOENT)
		warn("%s: cannot be removed: %s", mark, strerror(errno));
}

static void shipping_count_lost(struct shipping *s)
{
	if (!s->lost++)
		warn("%s: windows go before they could be shipped; see --ring, --most", s->plan->dir);
}

/* The mark of the oldest window that can be sent; the caller frees it. */
static char *find_oldest(struct shipping *s)
{
	DIR *dir = opendir(s->plan->dir);
	const struct dirent *entry;
	struct str path = { 0 };
	char *oldest = NULL;
	bool is_removed;

	while (dir && (entry = readdir(dir))) {
		if (!shipping_is_mark(entry->d_name))
			continue;
		str_clear(&path);
		str_addf(&path, "%s/%s", s->plan->dir, entry->d_name);
		if (is_finished(path.buf, &is_removed)) {
			if (oldest && strverscmp(oldest, path.buf) < 0)
				continue;
			free(oldest);
			oldest = xstrdup(path.buf);
		} else if (is_removed) {
			unmark(path.buf);
			shipping_count_lost(s);
		}
	}
	if (dir)
		closedir(dir);
	str_free(&path);
	return oldest;
}

void shipping_mark(struct shipping *s, const char *part)
{
	struct str path = { 0 };
	int fd;

	if (!s->plan)
		return;
	str_addf(&path, "%.*s" SHIPPING_MARK, (int)(strlen(part) - strlen(PART)), part);
	fd = open(path.buf, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd >= 0)
		close(fd);
	else
		warn("%s: cannot be made, so that this window is not shipped: %s", path.buf, strerror(errno));
	str_free(&path);
}

/* ---- what it says ----------------------------------------------------------- */

static void read_said(struct shipping *s, struct str *text)
{
	char bytes[SAID_MAX];
	ssize_t n = s->said >= 0 ? pread(s->said, bytes, sizeof(bytes), 0) : 0;

	if (n > 0)
		str_add(text, bytes, (size_t)n);
	if (s->said >= 0)
		close(s->said);
}

/* Each problem is reported once rather than each minute; messages that differ only in their numbers count as the
 * same. */
static void shipping_tell(struct shipping *s)
{
	struct str text = { 0 }, same = { 0 }, shown = { 0 };

	read_said(s, &text);
	for (size_t i = 0; i < text.len; i++) {
		if (!isdigit((unsigned char)text.buf[i]))
			str_addc(&same, text.buf[i]);
	}
	if (same.len && strcmp(str_text(&same), str_text(&s->told)) != 0)
		fwrite(text.buf, 1, text.len, stderr);
	if (!same.len && s->told.len) {
		secret_show(s->plan->to, &shown);
		inform("shipping again: %s", str_text(&shown));
	}
	if (!same.len && s->lost) {
		warn("%s: %" PRIu64 " windows went before they could be shipped", s->plan->dir, s->lost);
		s->lost = 0;
	}
	str_clear(&s->told);
	str_puts(&s->told, str_text(&same));
	str_free(&text);
	str_free(&same);
	str_free(&shown);
}

static void shipping_ended(struct shipping *s, int status)
{
	/* After a signal, or if the store refuses, the next window tries again. */
	bool later = !WIFEXITED(status) || WEXITSTATUS(status) == SHIPPING_LATER;

	shipping_tell(s);
	if (!later)
		unmark(s->mark);
	s->wanted = !later;
	free(s->mark);
	s->mark = NULL;
	s->pid = 0;
}

/* ---- the whole -------------------------------------------------------------- */

void shipping_begin(struct shipping *s, const struct shipping_plan *plan)
{
	*s = (struct shipping){ .plan = plan->to ? plan : NULL, .wanted = true };
}

/* Derived from the host's name, so that each host has its own time within a window. */
static uint64_t own_delay(const struct shipping_plan *p)
{
	char host[HOST_NAME_MAX + 1] = "";

	if (!p->spread_ns)
		return 0;
	gethostname(host, sizeof(host) - 1);
	return hash_bytes(host, strlen(host)) % p->spread_ns;
}

void shipping_add(struct shipping *s)
{
	if (!s->plan)
		return;
	if (!s->wanted)
		s->begin_ns = monotonic_ns() + own_delay(s->plan);
	s->wanted = true;
}

void shipping_turn(struct shipping *s)
{
	char *window;

	if (!s->plan || s->pid || !s->wanted || monotonic_ns() < s->begin_ns)
		return;
	s->mark = find_oldest(s);
	s->wanted = s->mark;
	if (!s->mark)
		return;
	window = xstrndup(s->mark, strlen(s->mark) - strlen(SHIPPING_MARK));
	shipping_start(s, window);
	free(window);
}

bool shipping_reaped(struct shipping *s, pid_t pid, int status)
{
	if (!s->pid || pid != s->pid)
		return false;
	shipping_ended(s, status);
	return true;
}

static void shipping_wait_until(struct shipping *s, uint64_t end_ns)
{
	int status = 0;
	pid_t got;

	while (!(got = waitpid(s->pid, &status, WNOHANG)) && monotonic_ns() < end_ns)
		usleep(POLL_US);
	if (got > 0)
		shipping_ended(s, status);
	else
		shipping_stop(s);
}

void shipping_stop(struct shipping *s)
{
	if (!s->pid)
		return;
	kill(s->pid, SIGTERM);
	while (waitpid(s->pid, NULL, 0) < 0 && errno == EINTR)
		;
	if (s->said >= 0)
		close(s->said);
	free(s->mark);
	s->mark = NULL;
	s->pid = 0;
	s->wanted = true;
}

void shipping_finish(struct shipping *s)
{
	uint64_t end_ns = monotonic_ns() + FINISH_NS;

	s->begin_ns = 0;
	while (s->plan && s->wanted && monotonic_ns() < end_ns) {
		shipping_turn(s);
		if (s->pid)
			shipping_wait_until(s, end_ns);
	}
}

void shipping_free(struct shipping *s)
{
	shipping_stop(s);
	str_free(&s->told);
	*s = (struct shipping){ 0 };
}
