/* A process that is ended by a signal, or by die(), leaves no temporary file behind; links stay links. */
#include <dirent.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/outfile.h"
#include "tests/unit/check.h"
#include "tests/unit/sanitized.h"

static char dir[64], path[80];

static int files_in_dir(void)
{
	DIR *d = opendir(dir);
	int count = 0;

	while (d && readdir(d))
		count++;
	if (d)
		closedir(d);
	return count - 2; /* . and .. */
}

static void write_and_raise(int signal_number)
{
	const struct rlimit no_core = { 0 };
	struct outfile out, other;

	setrlimit(RLIMIT_CORE, &no_core);
	if (outfile_open(&out, path) < 0 || outfile_open(&other, path) < 0)
		_exit(3);
	fputs("half of it", out.file);
	fflush(out.file);
	outfile_commit(&other); /* one that was there before stays */
	raise(signal_number);
	_exit(outfile_commit(&out) < 0);
}

/* The signal that ended a child while it was writing; 0: the child continued. */
static int ended_by(int signal_number, void (*before)(int))
{
	pid_t child = fork();
	int status = 0;

	if (!child) {
		signal(signal_number, before);
		write_and_raise(signal_number);
	}
	waitpid(child, &status, 0);
	return WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}

static void die_of_message(void)
{
	die("on purpose");
}

#if !SANITIZED /* the kernel has its own limits for such a request */
static void die_of_memory(void)
{
	free(xmalloc(SIZE_MAX / 4));
}
#endif

/* The exit status of a child that calls die() while it writes. */
static int dies(void (*how)(void))
{
	pid_t child = fork();
	int status = 0;

	if (!child) {
		struct outfile out;

		if (outfile_open(&out, path) < 0 || !freopen("/dev/null", "w", stderr))
			_exit(3);
		how();
		_exit(4);
	}
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void write_child_too(void)
{
	struct outfile out;
	pid_t child;

	outfile_open(&out, path);
	child = fork();
	if (!child) {
		raise(SIGTERM);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	CHECK(files_in_dir() == 2);
	CHECK(outfile_commit(&out) == 0);
}

static void write_text(const char *where, const char *text)
{
	struct outfile out;

	CHECK(outfile_open(&out, where) == 0);
	fputs(text, out.file);
	CHECK(outfile_commit(&out) == 0);
}

static void write_through_links(void)
{
	char target[100], link[100];
	struct stat st;

	snprintf(target, sizeof(target), "%s/target", dir);
	snprintf(link, sizeof(link), "%s/link", dir);
	CHECK(symlink("target", link) == 0);
	write_text(link, "through a link to nothing");
	CHECK(stat(target, &st) == 0 && st.st_size == 25);
	write_text(link, "again");
	CHECK(stat(target, &st) == 0 && st.st_size == 5);
	CHECK(lstat(link, &st) == 0 && S_ISLNK(st.st_mode));
	CHECK(outfile_is_same(link, target) && !outfile_is_same(path, target));
	CHECK(!outfile_is_same("-", "-") && !outfile_is_same(NULL, target));
	CHECK(!outfile_is_same("/dev/null", "/dev/null"));
	unlink(target);
	unlink(link);
}

static bool is_written(const char *where)
{
	struct outfile out;

	if (outfile_open(&out, where) < 0)
		return false;
	fputs("text", out.file);
	return outfile_commit(&out) == 0;
}

/* A directory like /tmp, in which another user has put links and a pipe. */
static void write_through_planted(void)
{
	enum { STRANGER = 12345 };
	char sticky[100], own[120], link[120], far[120], below[140], fifo[120], victim[100], directory[120];

	if (geteuid())
		return;
	snprintf(sticky, sizeof(sticky), "%s/sticky", dir);
	snprintf(victim, sizeof(victim), "%s/victim", dir);
	snprintf(own, sizeof(own), "%s/own", sticky);
	snprintf(link, sizeof(link), "%s/link", sticky);
	snprintf(far, sizeof(far), "%s/far", dir);
	snprintf(fifo, sizeof(fifo), "%s/fifo", sticky);
	snprintf(directory, sizeof(directory), "%s/directory", sticky);
	snprintf(below, sizeof(below), "%s/victim", directory);
	CHECK(!mkdir(sticky, 0777) && !chmod(sticky, 01777));
	CHECK(!symlink("../victim", link) && !symlink("../victim", own) && !symlink("sticky/link", far));
	CHECK(!mkfifo(fifo, 0666) && !symlink("..", directory));
	CHECK(!lchown(link, STRANGER, STRANGER) && !lchown(fifo, STRANGER, STRANGER) &&
	      !lchown(directory, STRANGER, STRANGER));
	CHECK(!is_written(link) && !is_written(far) && !is_written(below) && !is_written(fifo));
	CHECK(outdir_open(directory) < 0 && outdir_check(below) < 0 && outdir_check(own) == 0);
	CHECK(access(victim, F_OK));
	CHECK(is_written(own) && !access(victim, F_OK));
	CHECK(!chmod(sticky, 0777) && is_written(far)); /* anybody may change anything there */
	unlink(link), unlink(own), unlink(far), unlink(fifo), unlink(directory), unlink(victim);
	rmdir(sticky);
}

int main(void)
{
	static const int enders[] = { SIGINT, SIGTERM, SIGHUP, SIGXFSZ, SIGXCPU, SIGPIPE, SIGQUIT };
	struct sigaction now;

	snprintf(dir, sizeof(dir), "%s", "/tmp/outfile.XXXXXX");
	CHECK(mkdtemp(dir) != NULL);
	snprintf(path, sizeof(path), "%s/picture", dir);
	for (size_t i = 0; i < sizeof(enders) / sizeof(enders[0]); i++) {
		CHECK(ended_by(enders[i], SIG_DFL) == enders[i]);
		CHECK(files_in_dir() == 1);
		CHECK(ended_by(enders[i], SIG_IGN) == 0);
		CHECK(files_in_dir() == 1);
	}
	CHECK(dies(die_of_message) == 1);
	CHECK(files_in_dir() == 1);
#if !SANITIZED
	CHECK(dies(die_of_memory) == 1);
	CHECK(files_in_dir() == 1);
#endif
	write_child_too();
	CHECK(files_in_dir() == 1);
	sigaction(SIGTERM, NULL, &now);
	CHECK(now.sa_handler == SIG_DFL);
	write_through_links();
	write_through_planted();
	unlink(path);
	rmdir(dir);
	return check_done();
}
