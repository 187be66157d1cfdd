#include "core/outfile.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/str.h"

static mode_t new_file_mode(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return 0666 & ~mask;
}

/* ---- what a signal removes --------------------------------------------------- */

enum { UNFINISHED_MAX = 4 }; /* files at a time; more are written, but left behind */

static const int ending_signals[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGXFSZ, SIGXCPU };
static const char *volatile unfinished[UNFINISHED_MAX];

static void remove_unfinished(int sig)
{
	for (int i = 0; i < UNFINISHED_MAX; i++) {
		if (unfinished[i])
			unlink(unfinished[i]);
	}
	raise(sig); /* as if it had not been caught: SA_RESETHAND */
}

/* Signals that the program takes care of itself are left to it. */
static void catch_signals(void)
{
	struct sigaction removing = { .sa_handler = remove_unfinished, .sa_flags = SA_RESETHAND };
	struct sigaction old;

	for (size_t i = 0; i < sizeof(ending_signals) / sizeof(ending_signals[0]); i++) {
		if (!sigaction(ending_signals[i], NULL, &old) && old.sa_handler == SIG_DFL)
			sigaction(ending_signals[i], &removing, NULL);
	}
}

static void note_unfinished(const char *old, const char *new)
{
	for (int i = 0; i < UNFINISHED_MAX; i++) {
		if (unfinished[i] == old) {
			unfinished[i] = new;
			return;
		}
	}
}

/* mkstemp(), with no moment in between at which a signal would leave the file. */
static int make_temporary(char *name)
{
	sigset_t all, before;
	int fd;

	catch_signals();
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	fd = mkstemp(name);
	if (fd >= 0)
		note_unfinished(NULL, name);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return fd;
}

static void free_names(struct outfile *out)
{
	if (out->temporary)
		note_unfinished(out->temporary, NULL);
	free(out->temporary);
	free(out->target);
	out->temporary = out->target = NULL;
}

/* ---- files --------------------------------------------------------------------- */

static int open_temporary(struct outfile *out, const char *path)
{
	struct str name = {0};
	int fd;

	out->target = realpath(path, NULL);
	if (!out->target)
		out->target = xstrdup(path);
	str_addf(&name, "%s.XXXXXX", out->target);
	fd = make_temporary(name.buf);
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
