#include "web/look.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "core/wallclock.h"
#include "web/html.h"

/* Look at the CPU flame graph of index-rebuilder, and at the timeline at 2026-11-23T07:28:33.635Z: what ...
 *                 ==================================             ========
 *
 * Anybody may have written the line: a link leads only to a chart of this run, and the rest stays text. */

/* The words of collapse --explain=headline, and how report names these charts. */
static const struct {
	const char *words, *suffix;
	bool of_threads; /* each thread has one of its own */
	const char *
		key; /* of a thread in the chart's address: flame/address.js; or a search for its row: bars/address.js */
} charts[] = {
	{ "CPU flame graph", "", true, "thread" },
	{ "off-CPU flame graph", "-offcpu", false, "thread" },
	{ "scheduler states", "-states", false, "s" },
	{ "timeline", "-timeline", false, NULL },
	{ "page-fault flame graph", "-faults", false, "thread" },
	{ "system-call flame graph", "-syscalls", false, "thread" },
	{ "block-I/O flame graph", "-io", false, "thread" },
	{ "lock flame graph", "-locks", false, "thread" },
};

struct named { /* len bytes of the line are the name of a chart */
	const struct web_picture *chart;
	size_t len;
	const char
		*key; /* where the chart shows a thread that is named next; NULL: nowhere, or nothing but that thread */
};

static bool web_look_starts_with(const char *text, size_t len, const char *start)
{
	return strlen(start) <= len && !memcmp(text, start, strlen(start));
}

/* How many bytes of " of worker-1, ..." name the thread; the name of its process stands before: "shop-7/worker-1". */
static size_t thread_words(const struct web_picture *thread, const char *text, size_t len)
{
	const char *title = capture_title(thread), *slash = strchr(title, '/'), *name = slash ? slash + 1 : title;
	size_t end = strlen(" of ") + strlen(name);

	if (!web_look_starts_with(text, len, " of ") || end >= len || memcmp(text + strlen(" of "), name, strlen(name)))
		return 0;
	return text[end] == ',' || text[end] == ':' ? end : 0;
}

/* The chart of the thread, if only one thread has the name. */
static void web_look_find_thread(struct named *named, const struct web_capture *c, const char *text, size_t len)
{
	const struct web_picture *found = NULL;
	size_t found_len = 0, count = 0;

	for (size_t i = 0; i < c->count; i++) {
		const struct member *m = &c->members[i];
		size_t words = m->role == MEMBER_THREAD ? thread_words(m->picture, text, len) : 0;

		if (words) {
			found = m->picture;
			found_len = words;
			count++;
		}
	}
	if (count == 1)
		*named = (struct named){ found, named->len + found_len, NULL };
}

static struct named web_look_find_chart(const struct web_capture *c, const char *text, size_t len)
{
	for (size_t i = 0; i < sizeof(charts) / sizeof(*charts); i++) {
		struct named named = { .len = strlen(charts[i].words), .key = charts[i].key };

		if (!web_look_starts_with(text, len, charts[i].words))
			continue;
		named.chart = capture_chart(c, charts[i].suffix);
		if (charts[i].of_threads)
			web_look_find_thread(&named, c, text + named.len, len - named.len);
		return named;
	}
	return (struct named){ 0 };
}

static void web_look_add_text(struct str *page, const char *text, size_t len)
{
	struct str copy = { 0 };

	str_add(&copy, text, len);
	html_add_text(page, str_text(&copy));
	str_free(&copy);
}

/* The next name of a chart follows "at the ". */
static size_t before_chart(const char *text, size_t len)
{
	static const char at[] = "at the ";
	const char *found = memmem(text, len, at, sizeof(at) - 1);

	return found ? (size_t)(found - text) + sizeof(at) - 1 : len;
}

/* "... timeline at 2026-11-23T07:28:33.635Z: ...": the address of what happened then (timeline/address.js).  text
 * is what follows the chart's name. */
static void look_add_moment(struct str *page, const char *text, size_t len)
{
	static const char at[] = " at ";
	const char *end = memchr(text, 'Z', len);
	struct instant when;
	struct str moment = { 0 };

	if (!end || !web_look_starts_with(text, len, at))
		return;
	str_add(&moment, text + strlen(at), (size_t)(end + 1 - text) - strlen(at));
	if (instant_parse(moment.buf, &when) && when.kind == INSTANT_EPOCH)
		str_addf(page, "#at=%" PRIu64, when.ns);
	str_free(&moment);
}

/* The end of a thread's name, which is followed by ", and at the timeline ..." or by ": what ...". */
static size_t thread_len(const char *text, size_t len)
{
	static const char *const after[] = { ", and at the ", ": " };

	for (size_t i = 0; i < sizeof(after) / sizeof(*after); i++) {
		const char *end = memmem(text, len, after[i], strlen(after[i]));

		len = end ? (size_t)(end - text) : len;
	}
	return len;
}

/* Sleep is hidden at first, but here it is the fact: "why f sleeps while it holds the lock". */
#define SLEEPS " sleeps "

/* Append text as a regular expression that matches nothing else, as a part of an address. */
static void look_add_pattern(struct str *page, const char *begin, const char *text, size_t len)
{
	struct str pattern = { 0 };

	str_puts(&pattern, begin);
	for (size_t i = 0; i < len; i++) {
		if (strchr("\\^$.|?*+()[]{}", text[i]))
			str_addc(&pattern, '\\');
		str_addc(&pattern, text[i]);
	}
	str_addc(&pattern, '$');
	html_add_url(page, str_text(&pattern));
	str_free(&pattern);
}

/* The advice begins with a function: "why f sleeps ...", "what f (called by g) does ...": a search marks its frames. */
static void look_add_function(struct str *page, const char *text, size_t len)
{
	static const char *const before[] = { ": why ", ": what " }, *const after[] = { " (called by", " does ",
											SLEEPS };

	for (size_t i = 0; i < sizeof(before) / sizeof(*before); i++) {
		const char *name = memmem(text, len, before[i], strlen(before[i])), *end = text + len;

		for (size_t k = 0; name && k < sizeof(after) / sizeof(*after); k++) {
			const char *at = memmem(name, (size_t)(end - name), after[k], strlen(after[k]));

			end = at ? at : end;
		}
		if (!name || end == text + len)
			continue;
		name += strlen(before[i]);
		str_puts(page, "&amp;s=");
		look_add_pattern(page, "^", name, (size_t)(end - name));
		return;
	}
}

/* "... flame graph of worker-1, ...": the address of that thread in the chart. */
static void look_add_thread(struct str *page, const char *key, const char *text, size_t len)
{
	static const char of[] = " of ";
	size_t skip = strlen(of), name_len;
	struct str name = { 0 };

	if (!key || !web_look_starts_with(text, len, of))
		return;
	name_len = thread_len(text + skip, len - skip);
	str_addf(page, "#%s=", key);
	if (!strcmp(key, "s")) {
		look_add_pattern(page, "", text + skip, name_len);
		return;
	}
	str_add(&name, text + skip, name_len);
	html_add_url(page, str_text(&name));
	str_free(&name);
	if (memmem(text, len, SLEEPS, strlen(SLEEPS)))
		str_puts(page, "&amp;idle=1");
	look_add_function(page, text, len);
}

size_t look_places_len(const char *line, size_t len)
{
	static const char *const begins[] = { ": what ", ": why ", ": whether " };
	const char *first = line + len;

	for (size_t i = 0; i < sizeof(begins) / sizeof(*begins); i++) {
		const char *at = memmem(line, (size_t)(first - line), begins[i], strlen(begins[i]));

		first = at ? at : first;
	}
	return (size_t)(first - line);
}

/* What names another culprit is no detail: "; for garbage collection, t, which allocated most". */
#define ALSO "; for "

void look_add(struct str *page, const struct web_capture *c, const char *before, const char *line, size_t len)
{
	const char *end = line + len, *shown_end = line + look_places_len(line, len);
	const char *also = memmem(shown_end, (size_t)(end - shown_end), ALSO, strlen(ALSO));

	while (line < shown_end) {
		size_t text = before_chart(line, (size_t)(shown_end - line));
		struct named named;

		web_look_add_text(page, line, text);
		line += text;
		named = web_look_find_chart(c, line, (size_t)(end - line));
		if (!named.chart)
			continue;
		str_puts(page, "<a href=\"");
		str_puts(page, before);
		html_add_url(page, named.chart->path);
		look_add_thread(page, named.key, line + named.len, (size_t)(end - line) - named.len);
		look_add_moment(page, line + named.len, (size_t)(end - line) - named.len);
		str_puts(page, "\">");
		web_look_add_text(page, line, named.len);
		str_puts(page, "</a>");
		line += named.len;
	}
	if (also)
		web_look_add_text(page, also, (size_t)(end - also));
}

const char *look_next(const char *line, size_t len, size_t *at)
{
	while (*at < len) {
		*at += before_chart(line + *at, len - *at);
		for (size_t i = 0; i < sizeof(charts) / sizeof(*charts); i++) {
			if (web_look_starts_with(line + *at, len - *at, charts[i].words))
				return charts[i].suffix;
		}
	}
	return NULL;
}
