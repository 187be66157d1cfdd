/* foreign: recognizes input that is not folded text, and tells how to draw it. */
#ifndef RENDER_FOREIGN_H
#define RENDER_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>

#include "core/str.h"

/* Is path, by its beginning text[0..len), something other than folded text?  Then append its kind, and
 * how to draw it: "is a recording: pyrograph collapse ROOTSx.data | pyrograph render VERB";
 * roots is "" or options that end in a blank. */
bool foreign_is(struct str *advice, const char *text, size_t len, const char *path, const char *roots,
		const char *verb);

#endif
