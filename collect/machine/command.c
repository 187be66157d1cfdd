#include "collect/machine/command.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collect/machine/targets.h"
#include "core/error.h"
#include "core/start.h"
#include "core/str.h"
#include "core/wallclock.h"

enum { PATIENCE_MS = 2000 };

/* What the child does until exec, which must be safe after fork. */
_Noreturn static void command_become(char **argv, int gate, int report, const sigset_t *mask,
				     const struct limits *limits)
{
	char go;
	int err;

	limits_restore(limits);
	signal(SIGXFSZ, SIG_DFL);
	sigprocmask(SIG_SETMASK, mask, NULL);
	if (read(gate, &go, 1) != 1)
		_exit(127); /* the parent gave up */
	execvp(argv[0], argv);
	err = errno;
	if (write(report, &err, sizeof(err)) < 0)
		_exit(126);
	_exit(127);
}

int command_prepare(struct command *c, char **argv, const sigset_t *mask, const struct limits *limits)
{
	int gate[2], report[2];

	*c = (struct command){ .gate = -1, .report = -1, .name = argv[0] };
	if (pipe2(gate, O_CLOEXEC) || pipe2(report, O_CLOEXEC))
		return error("pipe: %s%s", strerror(errno), errno == EMFILE ? " (ulimit -Hn)" : "");
	c->pid = fork();
	if (c->pid < 0)
		return error("cannot start another process: %s", start_failure(errno));
	if (!c->pid) {
		close(gate[1]);
		close(report[0]);
		command_become(argv, gate[0], report[1], mask, limits);
	}
	close(gate[0]);
	close(report[1]);
	c->gate = gate[1];
	c->report = report[0];
	return 0;
}

static uint64_t commands_cpu;

uint64_t commands_cpu_ns(void)
{
	return commands_cpu;
}

uint64_t rusage_cpu_ns(const struct rusage *used)
{
	return (uint64_t)(used->ru_utime.tv_sec + used->ru_stime.tv_sec) * NS_PER_SEC +
	       (uint64_t)(used->ru_utime.tv_usec + used->ru_stime.tv_usec) * 1000;
}

static bool command_wait(struct command *c, int options)
{
	struct rusage used;

	if (wait4(c->pid, &c->status, options, &used) <= 0)
		return false;
	commands_cpu += rusage_cpu_ns(&used);
	return true;
}

/* Does its file system deny executing it? */
static bool command_is_on_noexec(const char *path)
{
	struct statvfs place;

	return strchr(path, '/') && !statvfs(path, &place) && place.f_flag & ST_NOEXEC;
}

int command_start(struct command *c)
{
	int err = 0;
	ssize_t n = write(c->gate, "", 1);

	close(c->gate);
	c->gate = -1;
	if (n == 1)
		n = read(c->report, &err, sizeof(err)); /* 0 bytes: exec closed the pipe */
	close(c->report);
	c->report = -1;
	if (!n)
		return 0;
	command_wait(c, 0);
	c->ended = c->reported = true;
	if (err == ENOENT)
		return error("%s: command not found", c->name);
	if (err == EACCES && command_is_on_noexec(c->name))
		return error("%s: cannot execute: its file system is mounted with noexec; copy it to another one",
			     c->name);
	return error("%s: cannot execute: %s", c->name, strerror(err ? err : EPIPE));
}

bool command_reap(struct command *c)
{
	if (c->pid && !c->ended)
		c->ended = command_wait(c, WNOHANG);
	return c->ended;
}

void command_finish(struct command *c)
{
	struct pollfd end = { .fd = -1, .events = POLLIN };
	bool stopped = false;

	if (!c->pid || c->reported)
		return;
	if (!command_reap(c)) {
		end.fd = target_watch(c->pid, false);
		kill(c->pid, SIGTERM);
		stopped = true;
		poll(&end, 1, PATIENCE_MS);
		close(end.fd);
		if (!command_reap(c)) {
			inform("%s (%d) still runs: it ignored SIGTERM", c->name, (int)c->pid);
			return;
		}
	}
	c->reported = true;
	if (stopped)
		inform("stopped %s", c->name);
	else if (WIFSIGNALED(c->status))
		inform("%s was killed by signal %d (%s)", c->name, WTERMSIG(c->status), strsignal(WTERMSIG(c->status)));
	else if (WEXITSTATUS(c->status))
		inform("%s exited with status %d", c->name, WEXITSTATUS(c->status));
}

bool command_find(const char *name, struct str *path)
{
	const char *dirs = getenv("PATH");

	str_puts(path, name);
	if (strchr(name, '/') || !dirs)
		return strchr(name, '/');
	for (;;) {
		size_t len = strcspn(dirs, ":");

		str_clear(path);
		str_addf(path, "%.*s%s%s", (int)len, dirs, len ? "/" : "./", name);
		if (!access(path->buf, X_OK))
			return true;
		if (!dirs[len])
			return false;
		dirs += len + 1;
	}
}

bool command_is_hidden(const struct command *c)
{
	struct str path = { 0 };
	struct stat st;
	bool hidden = false;

	if (c->name && geteuid() && command_find(c->name, &path) && !stat(path.buf, &st))
		hidden = access(path.buf, R_OK) || ((st.st_mode & S_ISUID) && st.st_uid != getuid());
	str_free(&path);
	return hidden;
}

void command_abandon(struct command *c)
{
	if (c->pid <= 0)
		return;
	if (c->gate >= 0)
		close(c->gate);
	if (c->report >= 0)
		close(c->report);
	if (c->gate >= 0) { /* the child still waits */
		kill(c->pid, SIGKILL);
		waitpid(c->pid, NULL, 0);
	}
	*c = (struct command){ 0 };
}
