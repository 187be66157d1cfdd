#include "collapse/perfdata/foreign.h"

#include <stdbool.h>
#include <string.h>

#include "collapse/input/input.h"
#include "collapse/perfdata/foreign_profiles.h"
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
static bool perfdata_foreign_is_points(const uint8_t *bytes, size_t size)
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

bool foreign_is_flame_graph(const char *text, size_t len)
{
	enum { LOOKED_AT = 1 << 16 };
	static const char comment[] = "Flame graph stack visualization";

	return memmem(text, len < LOOKED_AT ? len : LOOKED_AT, comment, strlen(comment)) != NULL;
}

static int explain_picture(const char *path, const uint8_t *bytes, size_t size, bool is_file)
{
	if (foreign_is_flame_graph((const char *)bytes, size))
		return error(
			"%s: is a flame graph of FlameGraph or inferno: give collapse the folded lines that it was "
			"drawn from",
			path);
	return error("%s: is a picture: if pyrograph drew it, this prints its folded lines: pyrograph render "
		     "folded%s%s",
		     path, is_file ? " " : "", is_file ? path : "");
}

/* Are the bytes text, from the first or the second on, with a NUL beside each? */
static bool has_wide_text(const uint8_t *bytes, size_t first)
{
	enum { LOOKED_AT = 16 };

	for (size_t i = 0; i < LOOKED_AT; i += 2) {
		uint8_t c = bytes[i + first];

		if (bytes[i + 1 - first] || c > '~' || (c < ' ' && c != '\n' && c != '\r' && c != '\t'))
			return false;
	}
	return true;
}

/* What iconv(1) calls text with two bytes for each character, as Windows writes it, mostly with a mark at its beginning;
 * NULL: it is not such text. */
static const char *wide_encoding(const uint8_t *bytes, size_t size)
{
	if (size > 3 && ((bytes[0] == 0xff && bytes[1] == 0xfe) || (bytes[0] == 0xfe && bytes[1] == 0xff)))
		return "UTF-16";
	if (size < 16)
		return NULL;
	return has_wide_text(bytes, 0) ? "UTF-16LE" : has_wide_text(bytes, 1) ? "UTF-16BE" : NULL;
}

/* What unpacks a file that we do not unpack; NULL: it is not such a file. */
static const char *unpacker_of(const uint8_t *bytes, size_t size)
{
	static const struct {
		const char *magic, *unpacker;
	} packings[] = {
		{ "BZh", "bzip2 -dc" },
		{ "\x04\x22\x4d\x18", "lz4 -dc" },
		{ "PK\x03\x04", "unzip -p" },
		{ "\x5d", "xz -dc" }, /* the predecessor of xz: properties, and a size of the dictionary, 2^n */
		{ "\x1f\x8b\x08", "gzip -dc" }, /* ... within what was unpacked */
		{ "\xfd"
		  "7zXZ",
		  "xz -dc" },
		{ "\x28\xb5\x2f\xfd", "zstd -dc" },
	};

	for (size_t i = 0; i < sizeof(packings) / sizeof(*packings); i++) {
		bool lzma = packings[i].magic[0] == 0x5d;

		if (text_begins(bytes, size, packings[i].magic) && (!lzma || (size > 13 && !bytes[1] && !bytes[2])))
			return packings[i].unpacker;
	}
	return NULL;
}

/* Explain files that other tools wrote. */
static int explain_other(const char *path, const uint8_t *bytes, size_t size)
{
	const char *unpacker = unpacker_of(bytes, size), *wide = wide_encoding(bytes, size);
	const char *profile = foreign_profile(path, bytes, size);
	bool is_file = strcmp(path, "stdin");

	if (input_is_svg((const char *)bytes, size))
		return explain_picture(path, bytes, size, is_file);
	if (profile)
		return error("%s: is %s", path, profile);
	if (wide)
		return error("%s: is text in UTF-16: convert it first: iconv -f %s -t UTF-8", path, wide);
	if (unpacker)
		return error("%s: is packed: unpack it first, with %s (only gzip, xz and zstd are undone here, once)",
			     path, unpacker);
	return error(
		"%s: is not a perf.data file, nor text of a known format (--format NAME chooses one, --format list "
		"shows all)",
		path);
}

int foreign_explain(const char *path, const uint8_t *bytes, size_t size)
{
	if (text_begins(bytes, size, MAGIC_OTHER_ORDER))
		return error("%s: was recorded on a machine with the other byte order; collapse it there", path);
	if (text_begins(bytes, size, MAGIC_VERSION_1))
		return error("%s: is a perf.data file of version 1 (before Linux 3.x); record again", path);
	if (perfdata_foreign_is_points(bytes, size))
		return error("%s: looks like two columns of numbers, which --format points reads", path);
	return explain_other(path, bytes, size);
}
