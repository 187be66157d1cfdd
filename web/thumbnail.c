#include "web/thumbnail.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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

	if (!text || len < skip || len > IMAGE_MAX || memcmp(text, start, skip) ||
	    strspn(text + skip, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=") != len - skip)
		return false;
	str_addf(out,
		 "<image x=\"%ld\" y=\"%ld\" width=\"%ld\" height=\"%ld\" preserveAspectRatio=\"none\" "
		 "href=\"%.*s\"/>\n",
		 (long)a->x, (long)a->y, (long)a->width, (long)a->height, (int)len, text);
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

bool thumbnail_make(struct str *out, const char *svg, bool foot)
{
	struct rectangle view, a;
	char colour[8], last[8] = "";
	size_t shapes = 0;

	if (!choose_view(svg, foot, &view))
		return false;
	str_addf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"%ld %ld %ld %ld\">\n", (long)view.x,
		 (long)view.y, (long)view.width, (long)view.height);
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
