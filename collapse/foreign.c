#include "collapse/foreign.h"

#include <stdbool.h>
#include <string.h>

#include "collapse/decimal.h"
#include "collapse/folded.h"
#include "core/error.h"

/* What perf.data files of other kinds begin with. */
#define MAGIC_VERSION_1   "PERFFILE"
#define MAGIC_OTHER_ORDER "2ELIFREP" /* version 2, as a machine of the other byte order wrote it */

static bool begins_with(const uint8_t *bytes, size_t size, const char *magic)
{
	size_t len = strlen(magic);

	return size >= len && !memcmp(bytes, magic, len);
}

/* "main;foo;bar 17" */
static bool is_folded_line(const uint8_t *line, size_t len)
{
	size_t digits = 0;

	for (size_t i = 0; i < len; i++) {
		if (line[i] < ' ' && line[i] != '\r')
			return false;
	}
	while (len && line[len - 1] == '\r')
		len--;
	while (digits < len && (line[len - 1 - digits] == '.' ||
				(line[len - 1 - digits] >= '0' && line[len - 1 - digits] <= '9')))
		digits++;
	return digits && digits < len && line[len - 1 - digits] == ' ' && memchr(line, ';', len);
}

/* Does it begin with our comment, or is the first line that is no comment one? */
static bool is_folded(const uint8_t *bytes, size_t size)
{
	const uint8_t *end = bytes + size, *newline;

	if (begins_with(bytes, size, FOLDED_HEADER))
		return true;
	for (; bytes < end && *bytes == '#'; bytes = newline + 1) {
		newline = memchr(bytes, '\n', (size_t)(end - bytes));
		if (!newline)
			return false;
	}
	newline = bytes < end ? memchr(bytes, '\n', (size_t)(end - bytes)) : NULL;
	return is_folded_line(bytes, (size_t)((newline ? newline : end) - bytes));
}

/* "329797210338 1834" */
static bool is_point(const char *line, size_t len)
{
	struct decimal number;

	if (!decimal_read(&line, &len, &number) || !len || !strchr(" \t,", *line))
		return false;
	while (len && strchr(" \t,", *line)) {
		line++;
		len--;
	}
	return decimal_read(&line, &len, &number) && (!len || *line == '\r');
}

/* Is one of the first two lines a pair of numbers?  The other may be a heading. */
static bool is_points(const uint8_t *bytes, size_t size)
{
	const uint8_t *end = bytes + size, *newline;

	for (int i = 0; i < 2 && bytes < end; i++, bytes = newline + 1) {
		newline = memchr(bytes, '\n', (size_t)(end - bytes));
		if (!newline)
			newline = end;
		if (is_point((const char *)bytes, (size_t)(newline - bytes)))
			return true;
	}
	return false;
}

int foreign_explain(const char *path, const uint8_t *bytes, size_t size)
{
	bool is_file = strcmp(path, "stdin");

	if (begins_with(bytes, size, MAGIC_OTHER_ORDER))
		return error("%s: was recorded on a machine of the other byte order; collapse it there",
			     path);
	if (begins_with(bytes, size, MAGIC_VERSION_1))
		return error("%s: is a perf.data file of version 1 (before Linux 3.x); record it anew",
			     path);
	if (is_folded(bytes, size))
		return error("%s: these are folded lines already: pyrograph render flame%s%s", path,
			     is_file ? " " : "", is_file ? path : "");
	if (is_points(bytes, size))
		return error("%s: two columns of numbers? then --format points reads it", path);
	return error("%s: is no perf.data file", path);
}
