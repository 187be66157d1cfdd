/* formats: what collapse reads, --format NAME.
 *
 * To add one: a file with its function, and a row in formats.c. */
#ifndef COLLAPSE_FORMATS_H
#define COLLAPSE_FORMATS_H

#include "core/str.h"

struct options;

struct input_format {
	const char *name;
	/* Read o->recording and write o->output.  Exits 2 for options that make no sense
	 * with the format.  Returns 0, or -1 after a message.  NULL: main.c does it. */
	int (*collapse)(const struct options *o);
};

/* The format called name; exits 2 when there is none. */
const struct input_format *input_format_find(const char *name);

#endif
