#include "collapse/perfdata/foreign.h"

#include <stdbool.h>
#include <string.h>

#include "collapse/input/input.h"
#include "core/decimal.h"
#include "core/error.h"
#include "core/str.h"

/* The first bytes of files that collapse cannot read. */
#define MAGIC_VERSION_1 "PERFFILE"
#define MAGIC_OTHER_ORDER "2ELIFREP" /* version 2, written by a machine with the other byte order */

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

static int explain_picture(const char *path, bool is_file)
{
	return error("%s: is a picture: if pyrograph drew it, this prints its folded lines: pyrograph render "
		     "folded%s%s",
		     path, is_file ? " " : "", is_file ? path : "");
}

/* Explain files that other tools wrote. */
static int explain_other(const char *path, const uint8_t *bytes, size_t size)
{
	bool is_file = strcmp(path, "stdin");

	if (input_is_svg((const char *)bytes, size))
		return explain_picture(path, is_file);
	return error("%s: is not a perf.data file, nor text of a known format (--format NAME chooses one)", path);
}

int foreign_explain(const char *path, const uint8_t *bytes, size_t size)
{
	if (text_begins(bytes, size, MAGIC_OTHER_ORDER))
		return error("%s: was recorded on a machine with the other byte order; collapse it there", path);
	if (text_begins(bytes, size, MAGIC_VERSION_1))
		return error("%s: is a perf.data file of version 1 (before Linux 3.x); record again", path);
	if (is_points(bytes, size))
		return error("%s: looks like two columns of numbers, which --format points reads", path);
	return explain_other(path, bytes, size);
}
