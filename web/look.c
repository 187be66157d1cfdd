#include "web/look.h"

#include <stdbool.h>
#include <string.h>

#include "web/html.h"

/* The words of collapse --explain=headline, and how report names these charts. */
static const struct {
	const char *words, *suffix;
	bool of_threads; /* each thread has one of its own */
} charts[] = {
	{ "CPU flame graph", "", true },
	{ "off-CPU flame graph", "-offcpu", false },
	{ "scheduler states", "-states", false },
	{ "timeline", "-timeline", false },
	{ "page-fault flame graph", "-faults", false },
	{ "system-call flame graph", "-syscalls", false },
	{ "block-I/O flame graph", "-io", false },
	{ "lock flame graph", "-locks", false },
};

struct named { /* len bytes of the line are the name of a chart */
	const struct web_picture *chart;
	size_t len;
};

static bool web_look_starts_with(const char *text, size_t len, const char *start)
{
	return strlen(start) <= len && !memcmp(text, start, strlen(start));
}

/* How many bytes of " of worker-1, ..." name the thread; its process comes before its name: "shop-7/worker-1". */
static size_t thread_words(const struct web_picture *thread, const char *text, size_t len)
{
	const char *title = capture_title(thread), *slash = strchr(title, '/'), *name = slash ? slash + 1 : title;
	size_t end = strlen(" of ") + strlen(name);

	if (!web_look_starts_with(text, len, " of ") || end >= len || memcmp(text + strlen(" of "), name, strlen(name)))
		return 0;
	return text[end] == ',' || text[end] == ':' ? end : 0;
}

/* The chart of the only thread that is meant: two threads may have one name. */
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
		*named = (struct named){ found, named->len + found_len };
}

static struct named web_look_find_chart(const struct web_capture *c, const char *text, size_t len)
{
	for (size_t i = 0; i < sizeof(charts) / sizeof(*charts); i++) {
		struct named named = { .len = strlen(charts[i].words) };

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

void look_add(struct str *page, const struct web_capture *c, const char *before, const char *line, size_t len)
{
	const char *end = line + len;

	while (line < end) {
		size_t text = before_chart(line, (size_t)(end - line));
		struct named named;

		web_look_add_text(page, line, text);
		line += text;
		named = web_look_find_chart(c, line, (size_t)(end - line));
		if (!named.chart)
			continue;
		str_puts(page, "<a href=\"");
		str_puts(page, before);
		html_add_url(page, named.chart->path);
		str_puts(page, "\">");
		web_look_add_text(page, line, named.len);
		str_puts(page, "</a>");
		line += named.len;
	}
}
