#include "collapse/formats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collapse/perfdata/perfdata.h"
#include "core/error.h"
#include "core/nearest.h"
#include "core/outfile.h"

static enum sniffed sniff_perfdata(const char *text, size_t len)
{
	size_t magic = strlen(PERFDATA_MAGIC);

	return len >= magic && !memcmp(text, PERFDATA_MAGIC, magic) ? SNIFF_SURE : SNIFF_NO;
}

const struct input_format perfdata_format = {
	.name = "perfdata",
	.holds = "a recording of pyrograph collect, perf record or perf sched record",
	.sniff = sniff_perfdata,
};

#define ROW(name) &name##_format,
static const struct input_format *const formats[] = { INPUT_FORMATS(ROW) };

enum { FORMATS = sizeof(formats) / sizeof(*formats), ODD_LINES_MAX = 64 };

static void list_and_exit(void)
{
	for (size_t i = 0; i < FORMATS; i++)
		printf("%-16s %s\n", formats[i]->name, formats[i]->holds);
	exit(flush_stdout() < 0 ? 1 : 0);
}

const char *input_format_name(size_t i)
{
	return i < FORMATS ? formats[i]->name : NULL;
}

const struct input_format *input_format_find(const char *name)
{
	const char *names[FORMATS];

	if (!strcmp(name, "list"))
		list_and_exit();
	for (size_t i = 0; i < FORMATS; i++) {
		names[i] = formats[i]->name;
		if (!strcmp(names[i], name))
			return formats[i];
	}
	nearest_die("--format", name, names, FORMATS);
}

/* The only format that is sure; NULL: none is.  Exits 1 if several are. */
static const struct input_format *sure_format(const char *path, const char *text, size_t len, unsigned without)
{
	const struct input_format *sure[FORMATS];
	struct str names = { 0 };
	size_t count = 0;

	for (size_t i = 0; i < FORMATS; i++) {
		if (!(formats[i]->has & without) && formats[i]->sniff(text, len) == SNIFF_SURE)
			sure[count++] = formats[i];
	}
	for (size_t i = 0; count > 1 && i < count; i++)
		str_addf(&names, "%s%s", i ? i + 1 < count ? ", " : " or " : "", sure[i]->name);
	if (count > 1)
		die("%s: may be %s: say which, with --format", path, names.buf);
	return count ? sure[0] : NULL;
}

const struct input_format *input_format_sniff(const char *path, const char *text, size_t len)
{
	const struct input_format *sure = sure_format(path, text, len, 0);

	return sure ? sure : &perfdata_format;
}

/* The length of the first line with its newline; 0: there is no newline, or the line is not text. */
static size_t text_line_len(const char *text, size_t len)
{
	const char *newline = memchr(text, '\n', len);
	size_t n = newline ? (size_t)(newline - text) + 1 : 0;

	return memchr(text, '\0', n) ? 0 : n;
}

/* Does this single line show its format?  Then it belongs to a text of that format, and is not a tool's message before
 * the text. */
static bool is_known_line(const char *line, size_t len)
{
	for (size_t i = 0; i < FORMATS; i++) {
		if (formats[i]->sniff(line, len) == SNIFF_SURE)
			return true;
	}
	return false;
}

const struct input_format *input_format_behind(const struct input_format *wanted, const char *path, const char *text,
					       size_t len, struct odd_lines *odd)
{
	const struct input_format *found = NULL;
	size_t n;

	*odd = (struct odd_lines){ 0 };
	if (wanted ? !wanted->parse || wanted->has & TEXT_IS_BINARY || wanted->sniff(text, len) != SNIFF_NO
		   : sure_format(path, text, len, 0) != NULL)
		return NULL;
	while (!found && odd->count < ODD_LINES_MAX && (n = text_line_len(text, len)) && !is_known_line(text, n)) {
		text += n;
		len -= n;
		odd->bytes += n;
		odd->count++;
		if (!len || *text == '\n' || *text == '\r') /* blank lines are not the beginning */
			continue;
		if (!wanted)
			found = sure_format(path, text, len, TEXT_IS_BINARY);
		else if (wanted->sniff(text, len) == SNIFF_SURE)
			found = wanted;
	}
	return found;
}
