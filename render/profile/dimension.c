#include "render/profile/dimension.h"

#include <stdlib.h>

#include "core/error.h"
#include "core/format/folded.h"
#include "core/opts.h"

static const char WITHOUT_HEADER[] = "thread", MISSING[] = "[none]";

enum { PLACE_MAX = 1000 };

void dimension_init(struct dimension *d, const char *text)
{
	*d = (struct dimension){ .name = text };
}

void dimension_begin(struct dimension *d)
{
	uint64_t n;

	d->known = parse_u64(d->name, &n);
	if (d->known && (!n || n > PLACE_MAX))
		die_usage("--split needs the name of a root frame, or its number from 1 on, not '%s'", d->name);
	d->place = d->known ? n - 1 : 0;
}

/* The index of name in a list "pid,thread", or -1. */
static int find_place(const char *list, const char *name)
{
	size_t len = strlen(name);

	for (int place = 0;; place++) {
		size_t item = strcspn(list, ",");

		if (item == len && !memcmp(list, name, len))
			return place;
		if (!list[item])
			return -1;
		list += item + 1;
	}
}

void dimension_read(struct dimension *d, const char *line, size_t len)
{
	struct folded_source header = { 0 };
	const char *roots;
	int place;

	if (!source_read(&header, line, len))
		return;
	dimension_begin(d);
	roots = source_get(&header, FOLDED_ROOT);
	if (roots && !d->known) {
		place = find_place(roots, d->name);
		if (place < 0)
			die_usage("--split %s: the root frames are %s "
				  "(collapse --root)",
				  d->name, roots);
		d->place = (size_t)place;
		d->known = true;
	}
	source_free(&header);
}

/* The start of the frame at index place in stack[0..len); *end: its end.  Both are len if the stack has fewer
 * frames. */
static size_t dimension_find_frame(const char *stack, size_t len, size_t place, size_t *end)
{
	size_t at = 0;

	for (;; place--) {
		const char *semicolon = at < len ? memchr(stack + at, ';', len - at) : NULL;

		*end = semicolon ? (size_t)(semicolon - stack) : len;
		if (!place || !semicolon)
			return place ? len : at;
		at = *end + 1;
	}
}

const char *dimension_take(struct dimension *d, const char *stack, size_t *len)
{
	size_t start, end;

	if (!d->known && strcmp(d->name, WITHOUT_HEADER))
		die_usage("--split %s: the header of the input does not name the root frames: "
			  "give a number",
			  d->name);
	start = dimension_find_frame(stack, *len, d->place, &end);
	if (start >= *len) {
		d->frame = MISSING;
		d->frame_len = strlen(MISSING);
		return stack;
	}
	d->frame = stack + start;
	d->frame_len = end - start;
	if (end == *len) { /* nor the semicolon before it */
		*len = start ? start - 1 : 0;
		return stack;
	}
	*len -= end + 1;
	if (!start)
		return stack + end + 1;
	str_clear(&d->rest);
	str_add(&d->rest, stack, start);
	str_add(&d->rest, stack + end + 1, *len);
	*len = d->rest.len;
	return d->rest.buf;
}

const char *dimension_put(struct dimension *d, const char *stack, size_t *len, bool last)
{
	size_t shown = *len;

	if (!last && stack == d->frame + d->frame_len + 1) { /* it is where it was */
		*len += d->frame_len + 1;
		return d->frame;
	}
	while (shown && stack[shown - 1] == ';')
		shown--;
	str_clear(&d->moved);
	if (!last)
		str_add(&d->moved, d->frame, d->frame_len);
	if (shown && !last)
		str_addc(&d->moved, ';');
	str_add(&d->moved, stack, shown);
	if (shown && last)
		str_addc(&d->moved, ';');
	if (last)
		str_add(&d->moved, d->frame, d->frame_len);
	*len = d->moved.len;
	return str_text(&d->moved);
}

bool dimension_is_thread(const struct dimension *d)
{
	return !strcmp(d->name, "thread") || !strcmp(d->name, "tid");
}

void dimension_reorder(const struct dimension *d, struct folded_source *s)
{
	struct str moved = { 0 };

	for (size_t i = 0; i < s->count; i++) {
		char *list = s->pairs[i].value;
		size_t start, end;

		if (strcmp(s->pairs[i].key, FOLDED_ROOT) || strchr(list, ' '))
			continue;
		for (char *c = list; *c; c++)
			*c = *c == ',' ? ';' : *c;
		start = dimension_find_frame(list, strlen(list), d->place, &end);
		if (start && list[start]) {
			str_addf(&moved, "%.*s;%.*s%s", (int)(end - start), list + start, (int)start - 1, list,
				 list + end);
			memcpy(list, moved.buf, moved.len);
		}
		for (char *c = list; *c; c++)
			*c = *c == ';' ? ',' : *c;
	}
	str_free(&moved);
}

void dimension_free(struct dimension *d)
{
	if (!d)
		return;
	str_free(&d->rest);
	str_free(&d->moved);
}
