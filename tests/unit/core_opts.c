/* Options whose value may be left out; sizes. */
#include <stdlib.h>

#include "core/opts.h"
#include "tests/unit/check.h"

/* Returns the operands' number. */
static int parse(const char **value, bool *flag, int argc, char **argv)
{
	const struct opt table[] = { { 'w', "where", "PLACE", "somewhere", .text = value, .optional = true },
				     { 'x', "extra", NULL, "a flag", .flag = flag },
				     { 0 } };
	const struct manual manual = { .usage = "" };

	*value = NULL;
	*flag = false;
	return opts_parse(table, &manual, argc, argv);
}

int main(void)
{
	static char name[] = "program", where[] = "--where", place[] = "--where=2-3", nothing[] = "--where=";
	static char operand[] = "2-3", extra[] = "-x", letters[] = "-w2-3";
	const char *value;
	uint64_t size;
	bool flag;

	CHECK(parse(&value, &flag, 3, (char *[]){ name, extra, operand, NULL }) == 1 && !value);
	CHECK(parse(&value, &flag, 2, (char *[]){ name, where, NULL }) == 0);
	CHECK_TEXT(value, "");
	/* The next word is not the value. */
	CHECK(parse(&value, &flag, 4, (char *[]){ name, where, operand, extra, NULL }) == 1 && flag);
	CHECK_TEXT(value, "");
	CHECK(parse(&value, &flag, 2, (char *[]){ name, place, NULL }) == 0);
	CHECK_TEXT(value, "2-3");
	CHECK(parse(&value, &flag, 2, (char *[]){ name, nothing, NULL }) == 0);
	CHECK_TEXT(value, "");
	CHECK(parse(&value, &flag, 2, (char *[]){ name, letters, NULL }) == 0);
	CHECK_TEXT(value, "2-3");

	CHECK(parse_size("32768", &size) && size == 32768);
	CHECK(parse_size("64k", &size) && size == 65536);
	CHECK(!parse_size("", &size) && !parse_size("x", &size) && !parse_size("-8", &size) &&
	      !parse_size("8x", &size));
	return check_done();
}
