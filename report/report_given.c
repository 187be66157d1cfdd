#include "report/report_given.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/format/events.h"
#include "core/str.h"
#include "report/stages.h"

/* ---- what it has ---- */

/* Events of perf sched record, and the collectors whose charts they have.  All others that are not ours are samples. */
static const struct {
	const char *event, *sources;
} of_perf[] = {
	{ "sched:sched_switch", "sched,offcpu" },
	{ "sched:sched_wakeup", "" },
	{ "sched:sched_waking", "" },
};

static const char *report_given_sources_of(const char *event)
{
	for (size_t i = 0; i < sizeof(of_perf) / sizeof(*of_perf); i++) {
		if (!strcmp(event, of_perf[i].event))
			return of_perf[i].sources;
	}
	return event_row_of(event)->source;
}

static bool report_given_is_usual(const char *event)
{
	return !strncmp(event, "cpu-clock", 9) || !strncmp(event, "task-clock", 10) || !strncmp(event, "cycles", 6);
}

/* A line is "cpu-clock 202". */
static void report_given_add_event(struct report *r, struct str *sources, const char *line, size_t len)
{
	const char *event;

	while (len && line[len - 1] != ' ')
		len--;
	if (!len)
		return;
	event = arena_strdup(&r->files.text, line, len - 1);
	if (!strcmp(report_given_sources_of(event), "cpu") && !report_given_is_usual(event))
		r->event = event;
	str_addf(sources, "%s%s", sources->len && *report_given_sources_of(event) ? "," : "",
		 report_given_sources_of(event));
}

static int report_given_find_sources(struct report *r)
{
	char *words[] = { "collapse", "-q",       "--root", "event", "--no-stack",          "--event",
			  "all",      "--weight", "count",  "--",    (char *)r->files.data, NULL };
	struct str lines = { 0 }, sources = { 0 };
	int status = stage_read(words, &lines);

	for (const char *at = str_text(&lines); *at; at += at[strcspn(at, "\n")] ? strcspn(at, "\n") + 1 : strlen(at)) {
		if (*at != '#')
			report_given_add_event(r, &sources, at, strcspn(at, "\n"));
	}
	r->sources = arena_strdup(&r->files.text, str_text(&sources), sources.len);
	if (!status && !sources.len)
		status = error("%s: nothing to draw: the recording has no data", r->files.data);
	str_free(&lines);
	str_free(&sources);
	return status ? -1 : 0;
}

/* ---- its names ---- */

/* "/var/rec/stall 1.data" -> "stall_1", safe in a path, a URL and a shell. */
static const char *report_given_base_name(struct report *r, const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;
	size_t len = strlen(base);
	char *name;

	if (len > 5 && !strcmp(base + len - 5, ".data"))
		len -= 5;
	name = (char *)arena_strdup(&r->files.text, base, len);
	for (char *c = name; *c; c++) {
		if (!strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-_", *c))
			*c = '_';
	}
	if (name[0] == '.' || name[0] == '-')
		name[0] = '_';
	return name;
}

static bool report_given_is_same(const char *a, const char *b)
{
	struct stat one, other;

	return !stat(a, &one) && !stat(b, &other) && one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

/* Let dir have the recording, too, so that its page does; a number distinguishes those of the same name.  What cannot be
 * linked, as on another file system, stays where it is. */
static void choose_name(struct report *r, const char *path)
{
	struct report_files *f = &r->files;
	struct str name = { 0 };
	size_t len;

	str_puts(&name, report_given_base_name(r, path));
	len = name.len;
	for (int n = 2;; n++) {
		const char *there;

		f->name = arena_strdup(&f->text, name.buf, name.len);
		there = report_file(f, ".data");
		if (report_given_is_same(path, there) || !linkat(AT_FDCWD, path, AT_FDCWD, there, AT_SYMLINK_FOLLOW)) {
			f->data = there;
			break;
		}
		if (errno != EEXIST)
			break;
		name.len = len;
		str_addf(&name, "-%d", n);
	}
	str_free(&name);
	r->subject = f->name;
}

int report_given(struct report *r, const char *dir, const char *path)
{
	struct stat info;

	if (stat(path, &info))
		return error("%s: %s", path, strerror(errno));
	if (!S_ISREG(info.st_mode))
		return error("%s: is not a file that holds a recording", path);
	r->files.dir = dir;
	r->files.data = path;
	if (report_given_find_sources(r))
		return -1;
	choose_name(r, path);
	return 0;
}
