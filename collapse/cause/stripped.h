/* stripped: the remark on a function whose file has no symbols: "sort+0x37d0 (no symbols: install
 * coreutils-dbgsym)". */
#ifndef COLLAPSE_CAUSE_STRIPPED_H
#define COLLAPSE_CAUSE_STRIPPED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/frames/names.h"
#include "core/str.h"

/* The packages of files, looked up when first needed; {0} is valid and empty. */
struct stripped {
	struct stripped_file {
		const struct module *module;
		struct str package; /* with its debug symbols; "": not known */
	} * items;
	size_t count, cap;
};

/* Does the function with this text have no name? */
bool stripped_is(const struct names *n, uint32_t text);

/* Append the remark above for a function with this text; nothing if the function has a name.  The package is known
 * only if the file at that path on this machine is the recorded one, and belongs to a Debian package. */
void stripped_tell(struct stripped *s, const struct names *n, uint32_t text, struct str *out);

void stripped_free(struct stripped *s);

#endif
