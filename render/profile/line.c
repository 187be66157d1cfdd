#include "render/profile/line.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/format/folded.h"
#include "core/str.h"
#include "render/profile/sample.h"

enum { SHOWN_MAX = 60 };

bool line_is_blank(const char *line, size_t len)
{
	while (len && (line[len - 1] == ' ' || line[len - 1] == '\t'))
		len--;
	return !len;
}

bool line_is_comment(const char *line, size_t len)
{
	return line[0] == '#' && (len == 1 || line[1] == ' ');
}

void line_skip_mark(char **line, size_t *len)
{
	if (*len >= 3 && !memcmp(*line, "\xef\xbb\xbf", 3)) {
		*line += 3;
		*len -= 3;
	}
}

bool line_matches(struct regexp *const *res, size_t count, const char *line, size_t len)
{
	for (size_t i = 0; i < count; i++) {
		if (regexp_match(res[i], line, len))
			return true;
	}
	return false;
}

bool line_passes(const struct line_filter *f, const char *line, size_t len)
{
	if (f->include_count && !line_matches(f->include, f->include_count, line, len))
		return false;
	return !line_matches(f->exclude, f->exclude_count, line, len);
}

void line_report(const struct lines *in, const char *wrong, size_t column, const char *line, size_t len)
{
	char shown[SHOWN_MAX], place[24] = "";
	size_t count = len > SHOWN_MAX ? SHOWN_MAX : len;

	column = column ? column : sample_fault(wrong, line, len);
	if (column)
		snprintf(place, sizeof(place), "%zu:", column);
	for (size_t i = 0; i < count; i++)
		shown[i] = (unsigned char)line[i] < ' ' || line[i] == 127 ? '?' : line[i];
	warn("%s:%" PRIu64 ":%s %s: \"%.*s%s\"", in->path, in->number, place, wrong, (int)count, shown,
	     len > count ? "..." : "");
}

int lines_take(const char *path, const char *(*take)(void *to, const char *line, size_t len), void *to, uint64_t *bad)
{
	struct lines in;
	uint64_t reported = 0;
	size_t len;
	char *line;

	if (lines_open(&in, path) < 0)
		return -1;
	while (lines_next(&in, &line, &len)) {
		const char *wrong;

		if (in.number == 1)
			line_skip_mark(&line, &len);
		wrong = take(to, line, len);
		*bad += !!wrong;
		if (wrong && ++reported <= MESSAGES_MAX)
			line_report(&in, wrong, 0, line, len);
	}
	lines_close(&in);
	return in.failed ? -1 : 0;
}

size_t line_columns(const char *list)
{
	size_t count = 1;

	if (list && !strcmp(list, FOLDED_COMPARED))
		return 0;
	for (; list && *list; list++)
		count += *list == ',';
	if (count > SAMPLE_COLUMNS_MAX)
		count = SAMPLE_COLUMNS_MAX;
	return count > 1 ? count : 0;
}

bool line_two_values(const char *text, size_t len)
{
	const char *end = text + len, *newline;
	struct sample_line sample;
	bool some = false;

	for (; text < end && (newline = memchr(text, '\n', (size_t)(end - text))); text = newline + 1) {
		len = (size_t)(newline - text);
		len -= len && newline[-1] == '\r';
		if (line_is_blank(text, len))
			continue;
		if (line_is_comment(text, len) && !text_begins(text, len, FOLDED_HEADER))
			continue;
		if (line_is_comment(text, len))
			break;
		if (!sample_parse(&sample, text, len) && !sample.two_values)
			return false;
		some = true;
	}
	return some || (text < end && !sample_parse(&sample, text, (size_t)(end - text)) && sample.two_values);
}

int line_column(const char *list, const char *name)
{
	size_t len = strlen(name);

	for (int place = 0; list && *list; place++) {
		size_t item = strcspn(list, ",");

		if (item == len && !memcmp(list, name, len))
			return place;
		list += item + !!list[item];
	}
	return -1;
}

const char *line_frame(const char *stack, size_t len, int place, size_t *frame_len)
{
	const char *end = stack + len, *stop;

	for (;; place--) {
		stop = memchr(stack, ';', (size_t)(end - stack));
		if (!place)
			break;
		if (!stop)
			return NULL;
		stack = stop + 1;
	}
	*frame_len = (size_t)((stop ? stop : end) - stack);
	return stack;
}
