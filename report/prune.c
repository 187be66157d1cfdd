#include "report/prune.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/amount.h"
#include "core/error.h"
#include "core/format/picture.h"
#include "core/intern.h"
#include "core/outfile.h"
#include "core/str.h"
#include "core/wallclock.h"

enum { HEAD_BYTES = 16384 }; /* contain the metadata (core/format/picture.h) */

struct pruning {
	uint64_t before_ns; /* since the epoch */
	struct intern runs; /* of which files were removed */
	size_t files, kept; /* kept: files that have such a name, but are not ours */
	uint64_t bytes;
};

/* ---- names --------------------------------------------------------------------------- */

/* Parse "2026-11-21T10:15:02Z"; a month 13 would otherwise be taken for January of the next year. */
static bool prune_read_time(const char *text, uint64_t *ns)
{
	struct instant when;
	struct str again = { 0 };
	bool same = false;

	if (instant_parse(text, &when) && when.kind == INSTANT_EPOCH) {
		*ns = when.ns;
		wallclock_add(&again, when.ns);
		same = !memcmp(again.buf, text, strlen(text) - 1);
	}
	str_free(&again);
	return same;
}

/* "db1-2026-11-21T101502Z-2-heat.svg": when the run began, and the length of the run's name. */
static bool prune_read_name(const char *name, uint64_t *start_ns, size_t *run_len)
{
	static const char form[] = "-0000-00-00T000000Z";
	const size_t len = sizeof(form) - 1;

	for (const char *at = strchr(name, '-'); at; at = strchr(at + 1, '-')) {
		char text[32];
		size_t same = 0;

		while (same < len && (form[same] == '0' ? at[same] >= '0' && at[same] <= '9' : at[same] == form[same]))
			same++;
		if (same < len || at == name)
			continue;
		snprintf(text, sizeof(text), "%.13s:%.2s:%.2sZ", at + 1, at + 14, at + 16);
		if (!prune_read_time(text, start_ns))
			continue;
		at += len;
		if (at[0] == '-' && strspn(at + 1, "0123456789")) /* of several in one second */
			at += 1 + strspn(at + 1, "0123456789");
		*run_len = (size_t)(at - name);
		return true;
	}
	return false;
}

static bool prune_ends_in(const char *name, const char *suffix)
{
	size_t len = strlen(name), suffix_len = strlen(suffix);

	return len >= suffix_len && !strcmp(name + len - suffix_len, suffix);
}

/* ---- whose file -------------------------------------------------------------------------- */

/* Does the file begin like one of ours, or have our mark near its beginning? */
static bool has_mark(int dir, const char *name, const char *mark, bool first)
{
	char head[HEAD_BYTES];
	ssize_t len = outfile_read_start(dir, name, head, sizeof(head));
	size_t mark_len = strlen(mark);

	if (len < (ssize_t)mark_len)
		return false;
	return first ? !memcmp(head, mark, mark_len) : memmem(head, (size_t)len, mark, mark_len) != NULL;
}

/* rest is the text after the run's name; text files for people have no mark, and are recognized by name alone. */
static bool prune_is_ours(int dir, const char *name, const char *rest, uint64_t size)
{
	if (!strcmp(rest, ".data"))
		return !size || has_mark(dir, name, "PERFILE2", true); /* an empty one reserved the name */
	if (prune_ends_in(rest, ".folded"))
		return has_mark(dir, name, "# pyrograph:", true);
	if (prune_ends_in(rest, ".svg"))
		return has_mark(dir, name, PICTURE_OPEN, false);
	return !strcmp(rest, "-why.txt");
}

/* The same in the directory of threads. */
static bool is_of_threads(int dir, const char *name)
{
	if (prune_ends_in(name, ".svg"))
		return has_mark(dir, name, PICTURE_OPEN, false);
	if (!strcmp(name, "index.html"))
		return has_mark(dir, name, "<meta name=\"generator\" content=\"pyrograph ", false);
	return !strcmp(name, "flame.js") && has_mark(dir, name, "/* pyrograph render: the script of the ", true);
}

/* ---- removing ----------------------------------------------------------------------------- */

static void remove_file(struct pruning *p, int dir, const char *name, const struct stat *st)
{
	if (unlinkat(dir, name, 0)) {
		warn("%s: %s", name, strerror(errno));
		return;
	}
	p->files++;
	p->bytes += (uint64_t)st->st_size;
}

static bool prune_is_own(int dir, const char *name, struct stat *st)
{
	return !fstatat(dir, name, st, AT_SYMLINK_NOFOLLOW) && st->st_uid == geteuid();
}

static void remove_threads(struct pruning *p, int dir, const char *name)
{
	int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *entries = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;
	struct stat st;

	while (entries && (entry = readdir(entries))) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		if (prune_is_own(fd, entry->d_name, &st) && S_ISREG(st.st_mode) && is_of_threads(fd, entry->d_name))
			remove_file(p, fd, entry->d_name, &st);
		else
			p->kept++;
	}
	if (entries)
		closedir(entries);
	unlinkat(dir, name, AT_REMOVEDIR); /* fails unless it is empty */
}

static void prune_visit(struct pruning *p, int dir, const char *name)
{
	uint64_t start_ns;
	size_t run_len, before = p->files;
	struct stat st;

	if (!prune_read_name(name, &start_ns, &run_len) || start_ns >= p->before_ns)
		return;
	if (prune_is_own(dir, name, &st) && S_ISDIR(st.st_mode) && !strcmp(name + run_len, "-threads"))
		remove_threads(p, dir, name);
	else if (prune_is_own(dir, name, &st) && S_ISREG(st.st_mode) &&
		 prune_is_ours(dir, name, name + run_len, (uint64_t)st.st_size))
		remove_file(p, dir, name, &st);
	else
		p->kept++;
	if (p->files > before)
		intern_add(&p->runs, name, run_len);
}

static void prune_say(const struct pruning *p, const char *dir)
{
	if (p->files)
		inform("%s: removed %zu old run%s: %zu files, %s", dir, (size_t)p->runs.count,
		       p->runs.count == 1 ? "" : "s", p->files, size_text(p->bytes).text);
	if (p->kept)
		warn("%s: kept %zu old file%s that pyrograph did not make, or that belong to another user", dir,
		     p->kept, p->kept == 1 ? "" : "s");
}

size_t report_prune(const char *dir, uint64_t keep_ns)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC), copy = fd < 0 ? -1 : dup(fd);
	uint64_t now_ns = clock_ns(CLOCK_REALTIME);
	DIR *entries = copy < 0 ? NULL : fdopendir(copy);
	struct pruning p = { .before_ns = now_ns > keep_ns ? now_ns - keep_ns : 0 };
	const struct dirent *entry;

	if (!entries)
		warn("%s: %s: old runs stay", dir, strerror(errno));
	while (entries && (entry = readdir(entries)))
		prune_visit(&p, fd, entry->d_name);
	prune_say(&p, dir);
	if (entries)
		closedir(entries);
	if (fd >= 0)
		close(fd);
	intern_free(&p.runs);
	return p.files;
}
