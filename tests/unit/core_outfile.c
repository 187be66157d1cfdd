/* Files that appear when they are whole: what a signal, a link and a mistake leave. */
#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/outfile.h"
#include "core/str.h"
#include "tests/unit/check.h"

static char dir[100];

static const char *in_dir(const char *name)
{
	static char path[500];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

/* "new old": the names in dir, sorted; then they are removed. */
static const char *left_behind(void)
{
	static struct str names;
	struct dirent **found;
	int count = scandir(dir, &found, NULL, alphasort);

	str_clear(&names);
	for (int i = 0; i < count; i++) {
		if (found[i]->d_name[0] != '.') {
			str_addf(&names, "%s%s", names.len ? " " : "", found[i]->d_name);
			unlink(in_dir(found[i]->d_name));
		}
		free(found[i]);
	}
	free(found);
	return str_text(&names);
}

static void write_text(const char *path, const char *text)
{
	struct outfile out;

	CHECK(outfile_open(&out, path) == 0);
	fputs(text, out.file);
	CHECK(outfile_commit(&out) == 0);
}

static void write_and_die(int sig)
{
	struct outfile first, second;

	signal(SIGXCPU, SIG_IGN);
	outfile_open(&first, in_dir("first"));
	write_text(in_dir("whole"), "x");
	outfile_open(&second, in_dir("second"));
	fputs("half of it", second.file);
	fflush(second.file);
	raise(sig);
	outfile_abandon(&first);
	outfile_abandon(&second);
	_exit(3);
}

static void check_signals(void)
{
	static const int signals[] = { SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGXFSZ };
	struct rlimit no_core = {0};
	int status;

	setrlimit(RLIMIT_CORE, &no_core);
	for (int i = 0; i < 5; i++) {
		pid_t child = fork();

		if (!child)
			write_and_die(signals[i]);
		waitpid(child, &status, 0);
		CHECK(WIFSIGNALED(status) && WTERMSIG(status) == signals[i]);
		CHECK_TEXT(left_behind(), "whole");
	}
	if (!fork())
		write_and_die(SIGXCPU); /* ignored by the program: goes on */
	wait(&status);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 3);
	CHECK_TEXT(left_behind(), "whole");
}

static void check_links(void)
{
	char target[500];
	struct stat st;

	snprintf(target, sizeof(target), "%s", in_dir("target"));
	CHECK(symlink("target", in_dir("link")) == 0);
	write_text(in_dir("link"), "through nothing");
	CHECK(stat(target, &st) == 0 && st.st_size == 15);
	write_text(in_dir("link"), "again");
	CHECK(stat(target, &st) == 0 && st.st_size == 5);
	CHECK(lstat(in_dir("link"), &st) == 0 && S_ISLNK(st.st_mode));
	CHECK(outfile_is_same(in_dir("link"), target));
	CHECK(!outfile_is_same(in_dir("other"), target) && !outfile_is_same("-", "-"));
	CHECK(!outfile_is_same(NULL, target) && !outfile_is_same("/dev/null", "/dev/null"));
	CHECK_TEXT(left_behind(), "link target");
}

int main(void)
{
	snprintf(dir, sizeof(dir), "%s/outfile.XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
	if (!mkdtemp(dir))
		return 1;
	check_signals();
	check_links();
	rmdir(dir);
	return check_done();
}
