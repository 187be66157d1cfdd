#include "collect/run/log_lines.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/machine/anchors.h"
#include "core/amount.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/patience.h"
#include "core/regexp.h"
#include "core/str.h"
#include "core/wallclock.h"

enum {
	LINE_MAX_BYTES = 64 << 10,
	CHUNK = 16 << 10,
	TURN_NS = 20000000, /* time for all files, during which rings and signals wait */
	EVENTS_A_TURN = 16, /* maximum of reads; what is left wakes us again */
};

#define LATE_NS (5 * NS_PER_SEC)

struct log_line {
	const char *text; /* as it was given */
	char *path;
	struct regexp *regexp;
	int fd;    /* -1: there is no such file */
	bool told; /* that it cannot be read */
	struct stat info;
	struct str line;  /* the beginning of a line whose end is not there yet */
	bool behind;      /* there is more to read */
	uint64_t seen_ns; /* when the file had `seen` bytes, some of which are not read yet; 0: all were read */
	off_t seen;
	bool partial; /* skip up to the next newline: the rest of a line that was left out */
	bool told_late;
};

/* ---- files ---- */

/* A missing file may appear later; other errors may go away, too, but are reported. */
static void log_lines_tell(struct log_line *l, const char *why)
{
	if (!l->told)
		warn("--when-line: %s: %s: its lines are not heard", l->path, why);
	l->told = true;
}

static void log_lines_open_file(struct log_line *l, bool at_end)
{
	l->fd = open(l->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (l->fd < 0) {
		if (errno != ENOENT)
			log_lines_tell(l, strerror(errno));
		return;
	}
	if (fstat(l->fd, &l->info) || !S_ISREG(l->info.st_mode)) {
		log_lines_tell(l, "is not a file");
		close(l->fd);
		l->fd = -1;
	} else if (at_end) {
		lseek(l->fd, 0, SEEK_END);
	}
}

/* ---- lines ---- */

static void log_lines_take_line(struct log_line *l, struct conditions *c)
{
	if (regexp_match(l->regexp, str_text(&l->line), l->line.len))
		conditions_add_hit(c, &(struct hit){ .condition = l->text, .time_ns = monotonic_ns() });
	str_clear(&l->line);
}

static void log_lines_take(struct log_line *l, const char *bytes, size_t len, struct conditions *c)
{
	while (len) {
		const char *end = memchr(bytes, '\n', len);
		size_t part = end ? (size_t)(end - bytes) : len;

		if (l->line.len < LINE_MAX_BYTES && !l->partial)
			str_add(&l->line, bytes, part);
		if (end && !l->partial)
			log_lines_take_line(l, c);
		l->partial = l->partial && !end;
		part += end != NULL;
		bytes += part;
		len -= part;
	}
}

/* If bytes that the file had some seconds ago are still unread, skip to its end.  Returns the bytes left out. */
static uint64_t skip_old(struct log_line *l, uint64_t late_ns)
{
	off_t at = lseek(l->fd, 0, SEEK_CUR), end;
	uint64_t now = monotonic_ns();
	struct stat info = { 0 };

	if (!l->seen_ns || at >= l->seen) {
		l->seen_ns = fstat(l->fd, &info) ? 0 : now;
		l->seen = info.st_size;
		return 0;
	}
	if (now < l->seen_ns + late_ns)
		return 0;
	end = lseek(l->fd, 0, SEEK_END);
	if (!l->told_late)
		warn("--when-line: %s grows faster than it can be read: lines are left out", l->path);
	l->seen_ns = 0;
	l->partial = true;
	str_clear(&l->line);
	l->told_late = true;
	return end > at ? (uint64_t)(end - at) : 0;
}

/* Others may append faster than we read: read on in the next turn. */
static void log_lines_read_file(struct log_line *l, struct conditions *c, const struct patience *patience)
{
	char chunk[CHUNK];
	ssize_t n = 0;

	while (l->fd >= 0 && (n = read(l->fd, chunk, sizeof(chunk))) > 0) {
		log_lines_take(l, chunk, (size_t)n, c);
		if (patience_is_over(patience))
			break;
	}
	l->behind = n > 0;
	if (!l->behind)
		l->seen_ns = 0;
}

/* A log that was rotated or cut begins anew, with a line of its own. */
static void log_lines_follow(struct log_line *l, struct conditions *c)
{
	struct stat now;
	bool is_there = !stat(l->path, &now);

	if (!is_there)
		return;
	if (l->fd >= 0 && now.st_ino == l->info.st_ino && now.st_dev == l->info.st_dev) {
		if (now.st_size >= lseek(l->fd, 0, SEEK_CUR))
			return;
		lseek(l->fd, 0, SEEK_SET);
	} else {
		if (l->fd >= 0)
			close(l->fd);
		log_lines_open_file(l, false);
	}
	l->partial = false;
	if (l->line.len)
		log_lines_take_line(l, c);
}

/* Returns whether there is more. */
static bool read_on(struct log_line *l, struct conditions *c, uint64_t ns)
{
	struct patience patience = patience_of(ns);

	log_lines_read_file(l, c, &patience);
	if (l->behind)
		return true;
	log_lines_follow(l, c);
	log_lines_read_file(l, c, &patience);
	return l->behind;
}

bool log_lines_read(struct log_lines *l, struct conditions *c)
{
	char events[4096];

	for (int i = 0; l->fd && i < EVENTS_A_TURN && read(l->fd, events, sizeof(events)) > 0; i++)
		;
	l->behind = false;
	for (size_t i = 0; i < l->count; i++) {
		if (!read_on(&l->list[i], c, TURN_NS / l->count))
			continue;
		l->behind = true;
		l->left_out += skip_old(&l->list[i], l->late_ns);
	}
	return l->behind;
}

/* ---- begin and end ---- */

/* The folder is watched, since the file may be replaced. */
static void log_lines_watch(const struct log_lines *l, const char *path)
{
	char *copy = xstrdup(path);
	const char *folder = dirname(copy);

	if (inotify_add_watch(l->fd, folder, IN_MODIFY | IN_CREATE | IN_MOVED_TO) < 0)
		die_usage("--when-line: %s: %s", folder, strerror(errno));
	free(copy);
}

void log_lines_open(struct log_lines *l, const struct text_list *texts)
{
	if (!texts->count)
		return;
	l->fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	if (l->fd < 0)
		die("inotify: %s", strerror(errno));
	l->list = xcalloc(texts->count, sizeof(*l->list));
	l->late_ns = LATE_NS;
	for (; l->count < texts->count; l->count++) {
		struct log_line *one = &l->list[l->count];
		const char *text = texts->items[l->count], *equals = strchr(text, '=');

		if (!equals || equals == text || !equals[1])
			die_usage("--when-line '%s': give FILE=REGEXP", text);
		*one = (struct log_line){ .text = text, .path = xstrndup(text, (size_t)(equals - text)) };
		one->regexp = regexp_compile(equals + 1, "--when-line");
		log_lines_watch(l, one->path);
		log_lines_open_file(one, true);
	}
}

void log_lines_say(const struct log_lines *l)
{
	struct str size = { 0 };

	size_add(&size, l->left_out);
	if (l->left_out)
		warn("--when-line: %s were added faster than they could be read, and left out", size.buf);
	str_free(&size);
}

void log_lines_free(struct log_lines *l)
{
	for (size_t i = 0; i < l->count; i++) {
		if (l->list[i].fd >= 0)
			close(l->list[i].fd);
		regexp_free(l->list[i].regexp);
		free(l->list[i].path);
		str_free(&l->list[i].line);
	}
	free(l->list);
	if (l->fd)
		close(l->fd);
	*l = (struct log_lines){ 0 };
}
