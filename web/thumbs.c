#include "web/thumbs.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
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

/* --- a small picture of a chart of ours, made from its plain rectangles and images --- */

/* Numbers and
 * colours only, whatever else the chart contains. */

enum { THUMBNAIL_READ = 1 << 20 }; /* how much of the chart is read */

enum {
	SHAPES_MAX = 240,
	IMAGE_MAX = 12000, /* bytes of a data address */
	SIDE_MAX = 100000, /* pixels */
	ACROSS = 12,
	DOWN = 5, /* the shape of a thumbnail */
};

struct rectangle {
	double x, y, width, height;
};

/* The text of an attribute within the tag that begins at tag: a pointer to its bytes, or NULL. */
static const char *thumbnail_attribute(const char *tag, const char *name, size_t *len)
{
	size_t name_len = strlen(name), tag_len = strcspn(tag, ">");
	const char *end = tag + tag_len;

	for (const char *at = tag; (at = memmem(at, (size_t)(end - at), name, name_len)); at += name_len) {
		if (at[-1] == ' ' && at[name_len] == '=' && at[name_len + 1] == '"') {
			at += name_len + 2;
			*len = strcspn(at, "\">");
			return at + *len < end ? at : NULL;
		}
	}
	return NULL;
}

static bool get_number(const char *tag, const char *name, double *value)
{
	size_t len;
	const char *text = thumbnail_attribute(tag, name, &len);
	char *end;

	if (!text || !len || strspn(text, "-0123456789.") != len)
		return false;
	*value = strtod(text, &end);
	return end == text + len && *value > -SIDE_MAX && *value < SIDE_MAX;
}

static bool get_area(const char *tag, struct rectangle *a)
{
	return get_number(tag, "x", &a->x) && get_number(tag, "y", &a->y) && get_number(tag, "width", &a->width) &&
	       get_number(tag, "height", &a->height) && a->width > 0 && a->height > 0;
}

static bool get_colour(const char *tag, char colour[8])
{
	size_t len;
	const char *text = thumbnail_attribute(tag, "fill", &len);

	if (!text || len != 7 || text[0] != '#' || strspn(text + 1, "0123456789abcdef") != 6)
		return false;
	memcpy(colour, text, len);
	colour[len] = '\0';
	return true;
}

enum { COLOUR = 7, DARK_MAX = 64 };

static bool is_colour(const char *text)
{
	return text[0] == '#' && strspn(text + 1, "0123456789abcdef") >= COLOUR - 1;
}

static void add_dark_rule(struct str *out, const char *rgb, const char *dark)
{
	str_addf(out, "[fill=\"%.*s\"]{fill:%.*s}\n", COLOUR, rgb, COLOUR, dark);
}

/* The colours that the chart has in a browser that prefers dark, and which of two images (render/drawing/svg.c). */
static void thumbnail_add_dark(struct str *out, const char *svg)
{
	static const char paper[] = "#background rect{fill:", start[] = "[fill=\"", middle[] = "\"]{fill:";
	const char *at = strstr(svg, paper);

	if (!at || !is_colour(at + strlen(paper)))
		return;
	str_puts(out, "<style>@media (prefers-color-scheme:dark){\n");
	add_dark_rule(out, "#ffffff", at + strlen(paper));
	for (size_t i = 0; i < DARK_MAX && (at = strstr(at, start)); i++) {
		const char *rgb = at + strlen(start), *then = rgb + COLOUR;

		at = rgb;
		if (is_colour(rgb) && !strncmp(then, middle, strlen(middle)) && is_colour(then + strlen(middle)))
			add_dark_rule(out, rgb, then + strlen(middle));
	}
	str_puts(out, "image:not(.dark){display:none}\n.dark{display:inline}\n}</style>\n");
}

static bool thumbnail_overlap(const struct rectangle *a, const struct rectangle *view)
{
	return a->x < view->x + view->width && a->x + a->width > view->x && a->y < view->y + view->height &&
	       a->y + a->height > view->y;
}

/* The largest part of the chart that has the shape of a thumbnail. */
static bool choose_view(const char *svg, bool foot, struct rectangle *view)
{
	const char *tag = strstr(svg, "<svg");

	*view = (struct rectangle){ 0 };
	if (!tag || !get_number(tag, "width", &view->width) || !get_number(tag, "height", &view->height) ||
	    view->width < 1 || view->height < 1)
		return false;
	if (view->height * ACROSS > view->width * DOWN) {
		double height = view->width * DOWN / ACROSS;

		view->y = foot ? view->height - height : 0;
		view->height = height;
	}
	return true;
}

static void add_rect(struct str *out, const struct rectangle *a, const char *colour, char last[8])
{
	long width = (long)(a->width + 0.5), height = (long)(a->height + 0.5);

	if (strcmp(colour, last)) {
		str_addf(out, "%s<path fill=\"%s\" d=\"", *last ? "\"/>\n" : "", colour);
		memcpy(last, colour, 8);
	}
	str_addf(out, "M%ld %ldh%ldv%ldh-%ldz", (long)a->x, (long)a->y, width ? width : 1, height ? height : 1,
		 width ? width : 1);
}

/* An image is copied if it is a small PNG, without anything but base64. */
static bool add_image(struct str *out, const char *tag, const struct rectangle *a)
{
	static const char start[] = "data:image/png;base64,";
	size_t len, skip = sizeof(start) - 1;
	const char *text = thumbnail_attribute(tag, "href", &len);
	bool dark = !strncmp(tag, "<image class=\"dark\"", 19);

	if (!text || len < skip || len > IMAGE_MAX || memcmp(text, start, skip) ||
	    strspn(text + skip, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=") != len - skip)
		return false;
	str_addf(out,
		 "<image%s x=\"%ld\" y=\"%ld\" width=\"%ld\" height=\"%ld\" preserveAspectRatio=\"none\" "
		 "href=\"%.*s\"/>\n",
		 dark ? " class=\"dark\" display=\"none\"" : "", (long)a->x, (long)a->y, (long)a->width,
		 (long)a->height, (int)len, text);
	return true;
}

/* The next rectangle or image at or after at, NULL at the end. */
static const char *next_shape(const char *at)
{
	for (; (at = strchr(at, '<')); at++) {
		if (!strncmp(at, "<rect ", 6) || !strncmp(at, "<image ", 7))
			return at;
	}
	return NULL;
}

/* Append a thumbnail of the chart in svg, NUL-terminated: of its foot, where flames begin, or of its head.
 * Returns false when there is nothing that can be shown. */
static bool thumbnail_make(struct str *out, const char *svg, bool foot)
{
	struct rectangle view, a;
	char colour[8], last[8] = "";
	size_t shapes = 0;

	if (!choose_view(svg, foot, &view))
		return false;
	str_addf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"%ld %ld %ld %ld\">\n", (long)view.x,
		 (long)view.y, (long)view.width, (long)view.height);
	thumbnail_add_dark(out, svg);
	for (const char *at = svg; shapes < SHAPES_MAX && (at = next_shape(at)); at++) {
		if (!get_area(at, &a) || !thumbnail_overlap(&a, &view) || a.width < view.width / 300)
			continue;
		if (at[1] == 'r' && get_colour(at, colour)) {
			add_rect(out, &a, colour, last);
			shapes++;
		} else if (at[1] == 'i') {
			str_puts(out, *last ? "\"/>\n" : "");
			*last = '\0';
			shapes += add_image(out, at, &a);
		}
	}
	str_puts(out, *last ? "\"/>\n</svg>\n" : "</svg>\n");
	return shapes > 1; /* more than a background */
}

/* --- files --- */

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

/* The beginning of the file as text, NUL-terminated.  A NUL within ends it. */
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

/* The run's first chart; a thread's chart only if there is no other. */
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
