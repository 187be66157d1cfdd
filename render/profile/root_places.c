#include "render/profile/root_places.h"

#include <ctype.h>
#include <string.h>

#include "core/format/folded.h"
#include "render/profile/line.h"

void root_places_read(struct root_places *r, const struct folded_source *header)
{
	const char *list = source_get(header, FOLDED_ROOT);

	*r = (struct root_places){ .known = list };
	if (list && !strcmp(list, "none"))
		list = "";
	for (const char *c = list; c && *c; c++)
		r->count += c == list || *c == ',';
	r->comm = line_column(list, "comm");
	r->thread = line_column(list, "thread");
	r->pid = line_column(list, "pid");
	r->tid = line_column(list, "tid");
	r->state = line_column(list, "state");
	r->wait = line_column(list, "wait");
	r->idle = line_column(list, "idle");
}

bool root_places_equal(const struct root_places *a, const struct root_places *b)
{
	return a->known == b->known && a->count == b->count && a->comm == b->comm && a->thread == b->thread &&
	       a->pid == b->pid && a->tid == b->tid && a->state == b->state && a->wait == b->wait && a->idle == b->idle;
}

/* The length of text without "-8513" or "-?" at its end. */
static size_t unnumbered(const char *text, size_t len)
{
	size_t end = len;

	if (end && text[end - 1] == '?')
		end--;
	else
		while (end && isdigit((unsigned char)text[end - 1]))
			end--;
	return end > 1 && end < len && text[end - 1] == '-' ? end - 1 : len;
}

/* Append "java" for "java-8513". */
static void root_places_add_process(struct str *out, const char *frame, size_t len)
{
	str_add(out, frame, unnumbered(frame, len));
}

/* Append "dw-20" for "dw-20-8513/8530". */
static void add_tid(struct str *out, const char *frame, size_t len)
{
	const char *slash = memrchr(frame, '/', len);

	root_places_add_process(out, frame, slash ? (size_t)(slash - frame) : len);
}

/* Append "java/dw-20" for "java-8513/dw-20". */
static void root_places_add_thread(struct str *out, const char *frame, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		size_t kept = frame[i] == '/' ? unnumbered(frame, i) : i;

		if (kept < i) {
			str_add(out, frame, kept);
			str_add(out, frame + i, len - i);
			return;
		}
	}
	str_add(out, frame, len);
}

void root_places_unnumber(const struct root_places *r, struct str *buf, const char **stack, size_t *len)
{
	const char *text = *stack;
	size_t at = 0;

	if (!*len || (r->pid < 0 && r->tid < 0 && r->thread < 0))
		return;
	str_clear(buf);
	for (int place = 0; place < r->count && at < *len; place++) {
		const char *semicolon = memchr(text + at, ';', *len - at);
		size_t end = semicolon ? (size_t)(semicolon - text) : *len;

		if (place == r->pid)
			root_places_add_process(buf, text + at, end - at);
		else if (place == r->tid)
			add_tid(buf, text + at, end - at);
		else if (place == r->thread)
			root_places_add_thread(buf, text + at, end - at);
		else
			str_add(buf, text + at, end - at);
		if (semicolon)
			str_addc(buf, ';');
		at = end + !!semicolon;
	}
	str_add(buf, text + at, *len - at);
	*stack = buf->buf;
	*len = buf->len;
}
