#include "core/outfile.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/str.h"

/* ---- when a signal ends us ------------------------------------------------------- */

static const int ending_signals[] = { SIGINT, SIGTERM, SIGHUP, SIGXFSZ };

enum { SIGNALS = sizeof(ending_signals) / sizeof(ending_signals[0]), PENDING_MAX = 8 };

/* The temporary files; one that finds no place here is left to whoever cleans up. */
static const char *volatile pending[PENDING_MAX];
static volatile pid_t owner; /* a child must not remove what is its parent's */

static void remove_pending(int signal_number)
{
	if (getpid() == owner) {
		for (int i = 0; i < PENDING_MAX; i++) {
			if (pending[i])
				unlink(pending[i]);
		}
	}
	raise(signal_number); /* held back until we return; SA_RESETHAND: it ends us */
}

/* Only where nobody has other plans (nohup, a handler). */
static void catch_signals(void)
{
	struct sigaction remove = { .sa_handler = remove_pending, .sa_flags = (int)SA_RESETHAND };
	struct sigaction old;

	owner = getpid();
	for (int i = 0; i < SIGNALS; i++) {
		if (!sigaction(ending_signals[i], NULL, &old) && old.sa_handler == SIG_DFL)
			sigaction(ending_signals[i], &remove, NULL);
	}
}

static void release_signals(void)
{
	struct sigaction old;

	for (int i = 0; i < SIGNALS; i++) {
		if (!sigaction(ending_signals[i], NULL, &old) && old.sa_handler == remove_pending)
			signal(ending_signals[i], SIG_DFL);
	}
}

static void hold_signals(sigset_t *before)
{
	sigset_t enders;

	sigemptyset(&enders);
	for (int i = 0; i < SIGNALS; i++)
		sigaddset(&enders, ending_signals[i]);
	pthread_sigmask(SIG_BLOCK, &enders, before);
}

static void pending_add(const char *path)
{
	for (int i = 0; i < PENDING_MAX; i++) {
		if (!pending[i]) {
			pending[i] = path;
			catch_signals();
			return;
		}
	}
}

static void pending_remove(const char *path)
{
	bool others = false;

	for (int i = 0; path && i < PENDING_MAX; i++) {
		if (pending[i] == path)
			pending[i] = NULL;
		others = others || pending[i];
	}
	if (path && !others)
		release_signals();
}

/* ---- files ----------------------------------------------------------------------- */

static mode_t new_file_mode(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return 0666 & ~mask;
}

static void free_names(struct outfile *out)
{
	pending_remove(out->temporary);
	free(out->temporary);
	free(out->target);
	out->temporary = out->target = NULL;
}

static int open_temporary(struct outfile *out, const char *path)
{
	struct str name = {0};
	sigset_t before;
	int fd;

	out->target = realpath(path, NULL);
	if (!out->target)
		out->target = xstrdup(path);
	str_addf(&name, "%s.XXXXXX", out->target);
	hold_signals(&before);
	fd = mkstemp(name.buf);
	if (fd >= 0)
		pending_add(name.buf);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (fd < 0) {
		error("%s: %s", path, strerror(errno));
		str_free(&name);
		free_names(out);
		return -1;
	}
	if (fchmod(fd, new_file_mode()) < 0)
		warn("%s: %s", path, strerror(errno));
	out->temporary = name.buf;
	out->file = fdopen(fd, "w");
	return 0;
}

static bool is_link(const char *path)
{
	struct stat st;

	return !lstat(path, &st) && S_ISLNK(st.st_mode);
}

int outfile_open(struct outfile *out, const char *path)
{
	struct stat st;

	*out = (struct outfile){ .path = path };
	if (!path || !strcmp(path, "-")) {
		out->path = "stdout";
		out->file = stdout;
		return 0;
	}
	if (!*path)
		return error("--output wants a file, or - for stdout");
	if (stat(path, &st) ? !is_link(path) : S_ISREG(st.st_mode))
		return open_temporary(out, path);
	out->file = fopen(path, "we"); /* a device, a pipe or a link to nothing */
	if (!out->file)
		return error("%s: %s", path, strerror(errno));
	return 0;
}

int outfile_commit(struct outfile *out)
{
	int status = ferror(out->file) ? -1 : 0;

	if (!status)
		errno = 0; /* else it still says what went wrong */
	if (out->file == stdout ? fflush(stdout) : fclose(out->file))
		status = -1;
	out->file = NULL;
	if (status < 0)
		error("%s: could not write: %s", out->path, strerror(errno ? errno : EIO));
	else if (out->temporary && (status = rename(out->temporary, out->target)) < 0)
		error("%s: %s", out->path, strerror(errno));
	if (status < 0)
		outfile_abandon(out);
	free_names(out);
	return status;
}

void outfile_abandon(struct outfile *out)
{
	if (!out)
		return;
	if (out->file && out->file != stdout)
		fclose(out->file);
	if (out->temporary)
		unlink(out->temporary);
	free_names(out);
	*out = (struct outfile){0};
}

bool outfile_is_same(const char *output, const char *input)
{
	struct stat a, b;

	if (!output || !strcmp(output, "-") || !strcmp(input, "-"))
		return false;
	return !stat(output, &a) && !stat(input, &b) && S_ISREG(a.st_mode) &&
	       a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

int flush_stdout(void)
{
	struct outfile out = { .file = stdout, .path = "stdout" };

	return outfile_commit(&out);
}
