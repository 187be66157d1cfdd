#include "core/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/infile.h"
#include "core/memory.h"
#include "core/str.h"

/* ---- when a signal ends us ------------------------------------------------------- */

static const int ending_signals[] = {
	SIGINT, SIGTERM, SIGHUP, SIGXFSZ, SIGXCPU, SIGPIPE, SIGQUIT, SIGABRT, SIGBUS, SIGSEGV,
};

enum { SIGNALS = sizeof(ending_signals) / sizeof(ending_signals[0]), PENDING_MAX = 8 };

/* Temporary files that a signal removes; once the table is full, others stay behind. */
static struct {
	const char *volatile name;
	volatile int dir;
} pending[PENDING_MAX];
static volatile pid_t owner; /* a child must not remove its parent's files */

static void remove_pending(void)
{
	if (getpid() != owner)
		return;
	for (int i = 0; i < PENDING_MAX; i++) {
		if (pending[i].name)
			unlinkat(pending[i].dir, pending[i].name, 0);
	}
}

static void end_by_signal(int signal_number)
{
	remove_pending();
	raise(signal_number); /* blocked until we return; then, by SA_RESETHAND, it ends us */
}

/* Catch only signals that have their default action (not under nohup, nor with a handler). */
static void catch_signals(void)
{
	struct sigaction remove = { .sa_handler = end_by_signal, .sa_flags = (int)SA_RESETHAND };
	static bool at_exit;
	struct sigaction old;

	owner = getpid();
	if (!at_exit)
		at_exit = !atexit(remove_pending);
	for (int i = 0; i < SIGNALS; i++) {
		if (!sigaction(ending_signals[i], NULL, &old) && old.sa_handler == SIG_DFL)
			sigaction(ending_signals[i], &remove, NULL);
	}
}

static void release_signals(void)
{
	struct sigaction old;

	for (int i = 0; i < SIGNALS; i++) {
		if (!sigaction(ending_signals[i], NULL, &old) && old.sa_handler == end_by_signal)
			signal(ending_signals[i], SIG_DFL);
	}
}

static void outfile_hold_signals(sigset_t *before)
{
	sigset_t enders;

	sigemptyset(&enders);
	for (int i = 0; i < SIGNALS; i++)
		sigaddset(&enders, ending_signals[i]);
	pthread_sigmask(SIG_BLOCK, &enders, before);
}

static void pending_add(const struct outfile *out)
{
	for (int i = 0; i < PENDING_MAX; i++) {
		if (!pending[i].name) {
			pending[i].dir = out->dir;
			pending[i].name = out->temporary;
			catch_signals();
			return;
		}
	}
}

static void pending_remove(const struct outfile *out)
{
	bool others = false;

	for (int i = 0; out->temporary && i < PENDING_MAX; i++) {
		if (pending[i].name == out->temporary)
			pending[i].name = NULL;
		others = others || pending[i].name;
	}
	if (out->temporary && !others)
		release_signals();
}

/* ---- files ----------------------------------------------------------------------- */

static void free_names(struct outfile *out)
{
	pending_remove(out);
	if (out->temporary && out->dir >= 0)
		close(out->dir);
	free(out->temporary);
	free(out->target);
	out->temporary = out->target = NULL;
}

static int outfile_failed(struct outfile *out)
{
	error("%s: %s", out->path, strerror(errno));
	free_names(out);
	return -1;
}

/* Create "x.svg.k3Zq0v", a new file. */
static int make_temporary(const struct outfile *out)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
	enum { RANDOM = 6, TRIES = 100 };
	char *end = out->temporary + strlen(out->temporary) - RANDOM;
	unsigned char bytes[RANDOM];
	int fd = -1;

	errno = EEXIST;
	for (int i = 0; i < TRIES && fd < 0 && errno == EEXIST; i++) {
		if (getrandom(bytes, sizeof(bytes), 0) != sizeof(bytes))
			return -1;
		for (int k = 0; k < RANDOM; k++)
			end[k] = letters[bytes[k] % (sizeof(letters) - 1)];
		fd = openat(out->dir, out->temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
	}
	return fd;
}

/* Keep a descriptor of the directory, in case it is renamed meanwhile. */
static int open_parent(struct outfile *out, int dir, const char *path)
{
	const char *slash = strrchr(path, '/');
	char *parent = xstrndup(path, slash ? (size_t)(slash - path) + 1 : 0);

	out->dir = openat(dir, slash ? parent : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (out->dir < 0 && errno == EACCES)
		out->dir = openat(dir, slash ? parent : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	free(parent);
	out->target = xstrdup(slash ? slash + 1 : path);
	return out->dir < 0 ? -1 : 0;
}

static int open_temporary(struct outfile *out, int dir, const char *path)
{
	struct str name = { 0 };
	sigset_t before;
	int fd = -1;

	if (open_parent(out, dir, path) < 0)
		return outfile_failed(out);
	str_addf(&name, "%s.XXXXXX", out->target);
	out->temporary = name.buf;
	outfile_hold_signals(&before);
	fd = make_temporary(out);
	if (fd >= 0)
		pending_add(out);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (fd < 0)
		return outfile_failed(out);
	out->file = fdopen(fd, "w");
	return 0;
}

int outfile_open_own(struct outfile *out, int dir, const char *name, const char *path)
{
	*out = (struct outfile){ .path = path };
	return open_temporary(out, dir, name);
}

/* Does the file already have these bytes? */
static bool outfile_is_same_bytes(int dir, const char *name, const char *bytes, size_t len)
{
	int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	char part[65536];
	struct stat st;
	size_t at = 0;
	ssize_t got = 0;

	if (fd < 0)
		return false;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && (size_t)st.st_size == len) {
		while ((got = read(fd, part, sizeof(part))) > 0 && (size_t)got <= len - at &&
		       !memcmp(bytes + at, part, (size_t)got))
			at += (size_t)got;
	}
	close(fd);
	return at == len && !got;
}

int outfile_update(int dir, const char *name, const char *path, const char *bytes, size_t len)
{
	struct outfile out;

	if (len && outfile_is_same_bytes(dir, name, bytes, len))
		return 0;
	if (outfile_open_own(&out, dir, name, path) < 0)
		return -1;
	fwrite(bytes, 1, len, out.file);
	return outfile_commit(&out);
}

static bool is_link(const char *path)
{
	struct stat st;

	return !lstat(path, &st) && S_ISLNK(st.st_mode);
}

/* ---- what others may have planted ------------------------------------------------- */

/* Was the file that st describes put by another user into a directory like /tmp, where every user may put files? */
static bool is_of_stranger(const char *directory, const struct stat *st)
{
	enum { OPEN = S_ISVTX | S_IWOTH };
	struct stat parent;

	return !stat(directory, &parent) && (parent.st_mode & OPEN) == OPEN && st->st_uid != geteuid() &&
	       st->st_uid != parent.st_uid;
}

/* Replace the first `at` bytes of path, which name a link, by its target.  Returns false if it cannot be read. */
static bool outfile_follow(struct str *path, size_t at)
{
	char target[PATH_MAX];
	struct str whole = { 0 };
	size_t last = at;
	ssize_t n;

	n = readlink(path->buf, target, sizeof(target));
	if (n <= 0)
		return false;
	while (last && path->buf[last - 1] != '/')
		last--;
	str_add(&whole, path->buf, target[0] == '/' ? 0 : last);
	str_add(&whole, target, (size_t)n);
	if (at < path->len)
		str_addf(&whole, "/%s", path->buf + at + 1);
	str_free(path);
	*path = whole;
	return true;
}

/* Follow path.  Returns whether a link on it, or a pipe at its end, belongs to another user.  The kernel has the same
 * rule (proc(5), fs.protected_symlinks and protected_fifos), which may be off. */
static bool is_planted(const char *given)
{
	enum { LINKS = 40 };
	struct str path = { 0 }, parent = { 0 };
	bool planted = false;
	int links = 0;

	str_puts(&path, given);
	for (size_t at = 1; !planted && at <= path.len; at++) {
		char end = path.buf[at];
		struct stat st;

		if (end && end != '/')
			continue;
		path.buf[at] = '\0';
		if (!lstat(path.buf, &st) && (S_ISLNK(st.st_mode) || S_ISFIFO(st.st_mode))) {
			const char *slash = strrchr(path.buf, '/');

			str_clear(&parent);
			str_add(&parent, path.buf, slash ? (size_t)(slash - path.buf) + 1 : 0);
			planted = is_of_stranger(parent.len ? parent.buf : ".", &st);
			if (!planted && S_ISLNK(st.st_mode) && links++ < LINKS && outfile_follow(&path, at)) {
				at = 0;
				continue;
			}
		}
		path.buf[at] = end;
	}
	str_free(&path);
	str_free(&parent);
	return planted;
}

static int refuse_planted(const char *path)
{
	return error("%s: another user has put a link or a pipe there: nothing is written", path);
}

/* The target of the user's name. */
static int open_given(struct outfile *out, const char *path)
{
	char *target = realpath(path, NULL);
	int status = open_temporary(out, AT_FDCWD, target ? target : path);

	free(target);
	return status;
}

int outfile_open(struct outfile *out, const char *path)
{
	struct stat st;

	*out = (struct outfile){ .path = path };
	if (!path || !strcmp(path, "-")) {
		out->path = "stdout";
		out->file = stdout;
		return infile_is(STDOUT_FILENO) ? error("stdout is also an input: nothing is written") : 0;
	}
	if (!*path)
		return error("--output needs a file, or - for stdout");
	if (infile_is_path(path))
		return error("-o %s would overwrite an input: nothing is written", path);
	if (program_is_called())
		return open_temporary(out, AT_FDCWD, path);
	if (is_planted(path))
		return refuse_planted(path);
	if (stat(path, &st) ? !is_link(path) : S_ISREG(st.st_mode))
		return open_given(out, path);
	out->file = fopen(path, "we"); /* a device, a pipe or a dangling link */
	if (!out->file)
		return error("%s: %s", path, strerror(errno));
	return 0;
}

/* It is no error if the file system cannot sync directories, or if we may not read this one (open_parent). */
static int sync_directory(const struct outfile *out)
{
	return out->temporary && fsync(out->dir) < 0 && errno != EINVAL && errno != EBADF ? -1 : 0;
}

static int commit(struct outfile *out, bool durably)
{
	int status = ferror(out->file) ? -1 : 0;

	if (!status)
		errno = 0; /* the stream failed earlier, and errno still tells the reason */
	if (!status && durably && (fflush(out->file) || fsync(fileno(out->file)) < 0))
		status = -1;
	if ((out->file == stdout ? fflush(stdout) : fclose(out->file)) && !status)
		status = -1;
	out->file = NULL;
	if (status < 0)
		error("%s: could not write: %s", out->path, strerror(errno ? errno : EIO));
	else if ((out->temporary && renameat(out->dir, out->temporary, out->dir, out->target) < 0) ||
		 (durably && sync_directory(out) < 0))
		status = error("%s: %s", out->path, strerror(errno));
	if (status < 0)
		outfile_abandon(out);
	free_names(out);
	return status;
}

int outfile_commit(struct outfile *out)
{
	return commit(out, false);
}

int outfile_commit_durably(struct outfile *out)
{
	return commit(out, true);
}

void outfile_abandon(struct outfile *out)
{
	if (!out)
		return;
	if (out->file && out->file != stdout)
		fclose(out->file);
	if (out->temporary)
		unlinkat(out->dir, out->temporary, 0);
	free_names(out);
	*out = (struct outfile){ 0 };
}

bool outfile_is_same(const char *output, const char *input)
{
	struct stat a, b;

	if (!output || !strcmp(output, "-") || !strcmp(input, "-"))
		return false;
	return !stat(output, &a) && !stat(input, &b) && S_ISREG(a.st_mode) && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino;
}

int outdir_check(const char *path)
{
	return is_planted(path) ? refuse_planted(path) : 0;
}

int outdir_open(const char *path)
{
	bool called = program_is_called();
	struct stat st;
	int fd;

	if (outdir_check(path) < 0)
		return -1;
	if (mkdir(path, 0777) < 0 && errno != EEXIST)
		return error("%s: %s", path, strerror(errno));
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | (called ? O_NOFOLLOW : 0));
	if (fd < 0 && errno == EACCES)
		fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC | (called ? O_NOFOLLOW : 0));
	if (fd < 0)
		return error("%s: %s", path,
			     errno == ELOOP || (called && is_link(path)) ? "is a symbolic link: not followed"
									 : strerror(errno));
	if (called && !fstat(fd, &st) && st.st_uid != geteuid()) {
		close(fd);
		return error("%s: belongs to another user: nothing is written there", path);
	}
	return fd;
}

ssize_t outfile_read_start(int dir, const char *name, char *start, size_t size)
{
	int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st;
	ssize_t len;

	if (fd < 0) {
		errno = errno == ENXIO ? EINVAL : errno; /* a socket */
		return -1;
	}
	len = fstat(fd, &st) ? -1 : S_ISREG(st.st_mode) ? read(fd, start, size) : (errno = EINVAL, -1);
	close(fd);
	return len;
}

int flush_stdout(void)
{
	struct outfile out = { .file = stdout, .path = "stdout" };

	return outfile_commit(&out);
}
