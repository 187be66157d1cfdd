/* split: file names for pictures of threads, whose names can be anything. */
#ifndef RENDER_SPLIT_H
#define RENDER_SPLIT_H

#include "core/intern.h"
#include "core/str.h"

struct split_names {         /* {0}: no name is taken */
	struct intern taken; /* in lower case, since some file systems ignore case */
};

/* Append a file name for name, with suffix (".svg"): only [A-Za-z0-9._-], without a dot at the start, never
 * empty, at most about 120 bytes, and different from all earlier ones. */
void split_name_add(struct str *out, struct split_names *names, const char *name, size_t len, const char *suffix);

void split_names_free(struct split_names *names);

#endif
