#include "web/pictures.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/arena.h"
#include "core/error.h"
#include "core/format/recording.h"
#include "core/memory.h"
#include "core/open_files.h"
#include "core/opts.h"
#include "core/str.h"
#include "core/wallclock.h"
#include "web/metadata.h"

/* --- the facts in the header of a perf.data file, for recordings of which there is no picture --- */

/* The layout: linux/tools/perf/Documentation/perf.data-file-format.txt. */

enum {
	FEATURE_HOSTNAME = 3,
	FEATURE_OSRELEASE = 4,
	FEATURE_CMDLINE = 11,
	FEATURES = 256,
	SECTION_MAX = 8192, /* more of one is not looked at */
	TEXT_MAX = 1000,
};

/* "PERFILE2", then sizes, then the sections of attributes, data and event types, then a bit for each
 * feature.  The table of the features' sections follows the data. */
struct header {
	char magic[8];
	uint64_t size, attr_size;
	struct section {
		uint64_t offset, size;
	} attrs, data, event_types;
	uint64_t features[FEATURES / 64];
};

/* The first bytes of the section of a feature; returns how many, 0 when it is not there. */
static size_t read_feature(const struct header *h, int fd, int feature, char bytes[SECTION_MAX])
{
	struct section section;
	uint64_t index = 0, at;
	ssize_t len;

	if (!(h->features[feature / 64] >> feature % 64 & 1))
		return 0;
	for (int i = 0; i < feature; i++)
		index += h->features[i / 64] >> i % 64 & 1;
	if (__builtin_add_overflow(h->data.offset, h->data.size, &at) || at > INT64_MAX - FEATURES * sizeof(section))
		return 0;
	if (pread(fd, &section, sizeof(section), (off_t)(at + index * sizeof(section))) != sizeof(section) ||
	    section.offset > INT64_MAX)
		return 0;
	len = pread(fd, bytes, section.size < SECTION_MAX ? section.size : SECTION_MAX, (off_t)section.offset);
	return len > 0 ? (size_t)len : 0;
}

/* Append the string at *at: its padded length, then its bytes and NULs.  Returns false at the end. */
static bool take_string(const char *bytes, size_t len, size_t *at, struct str *out)
{
	uint32_t padded;

	if (*at > len || len - *at < sizeof(padded))
		return false;
	memcpy(&padded, bytes + *at, sizeof(padded));
	*at += sizeof(padded);
	if (padded > len - *at)
		return false;
	str_add(out, bytes + *at, strnlen(bytes + *at, padded));
	*at += padded;
	return true;
}

static void web_recording_set_fact(struct picture_metadata *m, struct arena *text, enum fact fact,
				   const struct str *value)
{
	if (value->len)
		m->facts[fact] = arena_strdup(text, value->buf, value->len < TEXT_MAX ? value->len : TEXT_MAX);
}

static void web_recording_read_text(struct picture_metadata *m, struct arena *text, enum fact fact, const char *bytes,
				    size_t len)
{
	struct str value = { 0 };
	size_t at = 0;

	if (take_string(bytes, len, &at, &value))
		web_recording_set_fact(m, text, fact, &value);
	str_free(&value);
}

/* A count, then that many words. */
static void web_recording_read_command(struct picture_metadata *m, struct arena *text, const char *bytes, size_t len)
{
	struct str value = { 0 };
	uint32_t words = 0;
	size_t at = sizeof(words);

	if (len >= sizeof(words))
		memcpy(&words, bytes, sizeof(words));
	for (uint32_t i = 0; i < words && value.len < TEXT_MAX; i++) {
		if (i)
			str_addc(&value, ' ');
		if (!take_string(bytes, len, &at, &value))
			break;
	}
	web_recording_set_fact(m, text, FACT_COMMAND, &value);
	str_free(&value);
}

/* "MONOTONIC_NS REALTIME_NS" */
static void set_time(struct picture_metadata *m, struct arena *text, enum fact fact, const char *line, size_t len)
{
	const char *blank = memchr(line, ' ', len);
	struct str digits = { 0 }, time = { 0 };
	uint64_t ns;

	if (blank)
		str_add(&digits, blank + 1, (size_t)(line + len - blank - 1));
	if (parse_u64(str_text(&digits), &ns)) {
		wallclock_add(&time, ns);
		web_recording_set_fact(m, text, fact, &time);
	}
	str_free(&digits);
	str_free(&time);
}

/* The first line of the file, and its last one if that is within the bytes that were read. */
static void read_clocks(struct picture_metadata *m, struct arena *text, const char *bytes, size_t len)
{
	const char *end = bytes + len, *last;
	const char *newline = memchr(bytes, '\n', len);

	if (!newline)
		return;
	set_time(m, text, FACT_START, bytes, (size_t)(newline - bytes));
	if (len == SECTION_MAX || end[-1] != '\n')
		return;
	last = memrchr(bytes, '\n', len - 1);
	if (last)
		set_time(m, text, FACT_END, last + 1, (size_t)(end - last - 2));
}

/* Read host, kernel, command and, from a recording of ours, start and end (core/format/recording.h).  Facts that are
 * missing, or do not make sense, stay NULL.  The facts live in text. */
static void recording_read(struct picture_metadata *m, struct arena *text, int fd)
{
	char bytes[SECTION_MAX];
	struct header h;
	size_t len;

	if (pread(fd, &h, sizeof(h), 0) != sizeof(h) || memcmp(h.magic, "PERFILE2", sizeof(h.magic)))
		return;
	if ((len = read_feature(&h, fd, FEATURE_HOSTNAME, bytes)))
		web_recording_read_text(m, text, FACT_HOST, bytes, len);
	if ((len = read_feature(&h, fd, FEATURE_OSRELEASE, bytes)))
		web_recording_read_text(m, text, FACT_KERNEL, bytes, len);
	if ((len = read_feature(&h, fd, FEATURE_CMDLINE, bytes)))
		web_recording_read_command(m, text, bytes, len);
	if ((len = read_feature(&h, fd, RECORDING_CLOCKS, bytes)))
		read_clocks(m, text, bytes, len);
}

/* --- pictures --- */

enum {
	HEAD_BYTES = 16384, /* contain the metadata (core/format/picture.h) */
	TAIL_BYTES = 64,
	SCRIPT_BYTES = 1024, /* at the end: the reference to a script (render/drawing/svg.h) */
	MAX_DEPTH = 32,
};

/* The first bytes of a file, enough to tell what it is. */
struct head {
	char bytes[HEAD_BYTES];
	size_t len;
};

static bool pictures_starts_with(const struct head *head, const char *magic, size_t len)
{
	return head->len >= len && !memcmp(head->bytes, magic, len);
}

/* Does the file end in mark, ignoring blanks?  A picture that was cut short lacks
 * it. */
static bool pictures_ends_with(int fd, uint64_t size_bytes, const char *mark)
{
	char tail[TAIL_BYTES];
	uint64_t start = size_bytes > TAIL_BYTES ? size_bytes - TAIL_BYTES : 0;
	ssize_t len = pread(fd, tail, sizeof(tail), (off_t)start);

	return len > 0 && memmem(tail, (size_t)len, mark, strlen(mark));
}

/* Set the script that a picture refers to, up to the quote, which lives in text; and what else it asks for. */
static void script_beside(struct web_picture *p, int fd, struct arena *text)
{
	static const char reference[] = "\n<script href=\"", siblings[] = "\" data-siblings=\"";
	uint64_t size_bytes = p->size_bytes;
	char tail[SCRIPT_BYTES];
	uint64_t start = size_bytes > SCRIPT_BYTES ? size_bytes - SCRIPT_BYTES : 0;
	ssize_t len = pread(fd, tail, sizeof(tail), (off_t)start);
	const char *at = len > 0 ? memmem(tail, (size_t)len, reference, sizeof(reference) - 1) : NULL, *end;

	if (!at)
		return;
	at += sizeof(reference) - 1;
	end = memchr(at, '"', (size_t)(tail + len - at));
	p->script = arena_strdup(text, at, (size_t)((end ? end : tail + len) - at));
	p->asks = end && (size_t)(tail + len - end) >= sizeof(siblings) && !memcmp(end, siblings, sizeof(siblings) - 1);
}

static const char *check_svg(struct web_picture *p, struct arena *text, const struct head *head, int fd)
{
	if (!memmem(head->bytes, head->len, "<svg", 4))
		return "not an SVG picture";
	if (!pictures_ends_with(fd, p->size_bytes, "</svg>"))
		return "cut short";
	if (metadata_read(&p->about, text, head->bytes, head->len) == METADATA_BROKEN)
		return "its metadata cannot be read";
	script_beside(p, fd, text);
	return NULL;
}

static const char *check_png(const struct web_picture *p, const struct head *head, int fd)
{
	if (!pictures_starts_with(head, "\x89PNG\r\n\x1a\n", 8))
		return "not a PNG picture";
	return pictures_ends_with(fd, p->size_bytes, "IEND") ? NULL : "cut short";
}

/* Versions 2 and 1, and version 2 in the other byte order. */
static const char *check_recording(const struct head *head)
{
	if (pictures_starts_with(head, "PERFILE2", 8) || pictures_starts_with(head, "PERFFILE", 8) ||
	    pictures_starts_with(head, "2ELIFREP", 8))
		return NULL;
	return "not a perf.data file";
}

static const char *pictures_check(struct web_picture *p, struct arena *text, int fd)
{
	struct head head;
	ssize_t len = pread(fd, head.bytes, sizeof(head.bytes), 0);

	if (len < 0)
		return strerror(errno);
	if (!len)
		return "empty";
	head.len = (size_t)len;
	switch (p->type) {
	case PICTURE_SVG: return check_svg(p, text, &head, fd);
	case PICTURE_PNG: return check_png(p, &head, fd);
	case PICTURE_SVGZ: return pictures_starts_with(&head, "\x1f\x8b", 2) ? NULL : "not a compressed picture";
	case PICTURE_PDF: return pictures_starts_with(&head, "%PDF-", 5) ? NULL : "not a PDF picture";
	case PICTURE_RECORDING: recording_read(&p->about, text, fd); return check_recording(&head);
	default: return NULL;
	}
}

static uint64_t pictures_time_ns(const struct timespec *t)
{
	if (t->tv_sec < 0 || (uint64_t)t->tv_sec > UINT64_MAX / NS_PER_SEC - 1)
		return 0;
	return (uint64_t)t->tv_sec * NS_PER_SEC + (uint64_t)t->tv_nsec;
}

static const char *pictures_read_file(struct web_picture *p, struct arena *text, int dir, const char *name)
{
	int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	const char *problem;

	if (fd < 0) {
		open_files_failed(errno);
		return strerror(errno);
	}
	problem = pictures_check(p, text, fd);
	close(fd);
	return problem;
}

static struct web_picture *pictures_add(struct pictures *all, const struct str *path, enum picture_type type)
{
	struct web_picture *p;

	all->items = xgrow(all->items, &all->cap, all->count + 1, sizeof(*all->items));
	p = &all->items[all->count++];
	*p = (struct web_picture){ .type = type };
	p->path = arena_strdup(&all->text, path->buf, path->len);
	return p;
}

static void set_problem(struct pictures *all, struct web_picture *p, const char *problem)
{
	if (!problem)
		return;
	p->problem = arena_strdup(&all->text, problem, strlen(problem));
	warn("%s: %s", p->path, problem);
}

/* Whatever the case of its letters. */
static bool pictures_ends_in(const char *name, const char *suffix)
{
	size_t len = strlen(name), suffix_len = strlen(suffix);

	return len >= suffix_len && !strcasecmp(name + len - suffix_len, suffix);
}

static bool type_of(const char *name, enum picture_type *type)
{
	static const struct {
		const char *suffix;
		enum picture_type type;
	} types[] = {
		{ ".svg", PICTURE_SVG },      { ".svgz", PICTURE_SVGZ },      { ".png", PICTURE_PNG },
		{ ".pdf", PICTURE_PDF },      { ".data", PICTURE_RECORDING }, { ".folded", PICTURE_FOLDED },
		{ "-why.txt", PICTURE_TEXT },
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
		if (pictures_ends_in(name, types[i].suffix)) {
			*type = types[i].type;
			return true;
		}
	}
	return false;
}

static int pictures_scan_dir(struct pictures *all, int dir, struct str *path, int depth);

static void visit_directory(struct pictures *all, int dir, const char *name, struct str *path, int depth)
{
	int fd;

	str_addc(path, '/');
	if (depth == MAX_DEPTH) {
		set_problem(all, pictures_add(all, path, PICTURE_UNREAD), "too deep");
		return;
	}
	fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 || pictures_scan_dir(all, fd, path, depth + 1) < 0) {
		open_files_failed(errno);
		set_problem(all, pictures_add(all, path, PICTURE_UNREAD), strerror(errno));
	}
}

static void visit_file(struct pictures *all, int dir, const char *name, struct str *path, const struct stat *st)
{
	enum picture_type type;
	struct web_picture *p;

	if (!type_of(name, &type))
		return;
	p = pictures_add(all, path, type);
	p->mtime_ns = pictures_time_ns(&st->st_mtim);
	if (!S_ISREG(st->st_mode)) {
		set_problem(all, p, "not a regular file");
		return;
	}
	p->size_bytes = (uint64_t)st->st_size;
	set_problem(all, p, pictures_read_file(p, &all->text, dir, name));
}

/* Visit everything in dir, whose name, with a slash, is in path; closes dir. */
static int pictures_scan_dir(struct pictures *all, int dir, struct str *path, int depth)
{
	DIR *entries = fdopendir(dir);
	size_t path_len = path->len;
	const struct dirent *entry;
	struct stat st;

	if (!entries) {
		close(dir);
		return -1;
	}
	while ((entry = readdir(entries))) {
		const char *name = entry->d_name;

		if (name[0] == '.' || fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW))
			continue; /* hidden, or gone since */
		str_puts(path, name);
		if (S_ISLNK(st.st_mode)) {
			all->links++;
			all->links_away += !pictures_ends_in(name, ".js");
		} else if (S_ISDIR(st.st_mode) && (path_len || strcmp(name, PICTURES_OWN))) {
			visit_directory(all, dir, name, path, depth);
		} else if (!S_ISDIR(st.st_mode)) {
			visit_file(all, dir, name, path, &st);
		}
		path->len = path_len;
		path->buf[path_len] = '\0';
	}
	closedir(entries);
	return 0;
}

int pictures_scan(struct pictures *all, int dir, const char *name)
{
	int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), status;
	struct str path = { 0 };

	if (fd < 0)
		return error("%s: %s", name, strerror(errno));
	str_reserve(&path, 256);
	str_clear(&path);
	status = pictures_scan_dir(all, fd, &path, 0);
	if (status < 0)
		error("%s: %s", name, strerror(errno));
	str_free(&path);
	return status;
}

void pictures_free(struct pictures *all)
{
	free(all->items);
	arena_free(&all->text);
	*all = (struct pictures){ 0 };
}
