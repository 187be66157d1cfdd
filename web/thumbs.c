#include "web/thumbs.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/hash.h"
#include "core/memory.h"
#include "core/outfile.h"
#include "core/str.h"
#include "web/html.h"
#include "web/thumbnail.h"

/* Open path below dir; no part of it may be a link, whatever has changed since it was found. */
static int thumbs_open_below(int dir, const char *path)
{
	const int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
	int at = dup(dir);

	for (const char *slash; at >= 0 && (slash = strchr(path, '/')); path = slash + 1) {
		char *part = xstrndup(path, (size_t)(slash - path));
		int next = openat(at, part, flags | O_DIRECTORY);

		free(part);
		close(at);
		at = next;
	}
	if (at >= 0) {
		int fd = openat(at, path, flags);

		close(at);
		at = fd;
	}
	return at;
}

/* Its start as text, NUL-terminated.  A NUL within ends it. */
static bool read_start(struct str *out, int dir, const char *path)
{
	int fd = thumbs_open_below(dir, path);
	ssize_t len = 0;
	struct stat st;

	str_clear(out);
	str_reserve(out, THUMBNAIL_READ);
	if (fd < 0)
		return false;
	while (!fstat(fd, &st) && S_ISREG(st.st_mode) && out->len < THUMBNAIL_READ &&
	       (len = read(fd, out->buf + out->len, THUMBNAIL_READ - out->len)) > 0)
		out->len += (size_t)len;
	out->buf[out->len] = '\0';
	close(fd);
	return out->len > 0;
}

static uint64_t picture_hash(const struct web_picture *p)
{
	uint64_t numbers[] = { hash_bytes(p->path, strlen(p->path)), p->size_bytes, p->mtime_ns };

	return hash_bytes(numbers, sizeof(numbers));
}

static bool is_drawable(const struct web_picture *p)
{
	return !p->problem && (p->type == PICTURE_SVG || p->type == PICTURE_PNG);
}

/* The run's first chart; a thread's when there is no other. */
static const struct web_picture *thumbs_choose(const struct web_capture *c)
{
	const struct web_picture *png = NULL;

	for (size_t i = 0; i < c->count && c->members[i].role != MEMBER_SOURCE; i++) {
		const struct web_picture *p = c->members[i].picture;

		if (is_drawable(p) && p->type == PICTURE_SVG)
			return p;
		png = !png && is_drawable(p) ? p : png;
	}
	return png;
}

static int write_thumb(int own, const char *name, const struct str *picture)
{
	struct outfile out;

	if (outfile_open_own(&out, own, name, name) < 0)
		return -1;
	fwrite(picture->buf, 1, picture->len, out.file);
	return outfile_commit(&out);
}

/* The flames of a flame graph begin at its foot; other charts begin at their head. */
static bool has_foot(const struct web_picture *p)
{
	const char *kind = p->about.facts[FACT_KIND];

	return !kind || !strcmp(kind, "flame");
}

static bool exists(int own, const char *name)
{
	struct stat st;

	return !fstatat(own, name, &st, AT_SYMLINK_NOFOLLOW) && S_ISREG(st.st_mode) && st.st_size;
}

static bool thumbs_make_one(const struct web_picture *p, int dir, int own, const char *name, struct str *chart)
{
	struct str picture = { 0 };
	bool made = exists(own, name);

	if (!made && read_start(chart, dir, p->path) && thumbnail_make(&picture, chart->buf, has_foot(p)))
		made = !write_thumb(own, name, &picture);
	str_free(&picture);
	return made;
}

void thumbs_make(struct runs *runs, int dir, int own, struct intern *wanted, struct arena *text)
{
	struct str chart = { 0 }, address = { 0 };

	for (size_t i = 0; i < runs->count; i++) {
		const struct web_picture *p = thumbs_choose(runs->items[i].capture);
		char name[32];

		if (!p)
			continue;
		snprintf(name, sizeof(name), "t-%016" PRIx64 ".svg", picture_hash(p));
		str_clear(&address);
		if (p->type == PICTURE_PNG) {
			html_add_url(&address, p->path);
		} else if (thumbs_make_one(p, dir, own, name, &chart)) {
			str_addf(&address, PICTURES_OWN "/%s", name);
			intern_add(wanted, name, strlen(name));
		} else {
			continue;
		}
		runs->items[i].thumb = arena_strdup(text, address.buf, address.len);
	}
	str_free(&chart);
	str_free(&address);
}
