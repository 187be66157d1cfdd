/* foreign: recognizes input that is not folded text, and says how to draw it. */
#ifndef RENDER_FOREIGN_H
#define RENDER_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>

#include "core/str.h"
#include "render/profile/source.h"

/* Does path, which begins with text[0..len), contain something other than folded text?  If so, append its kind, and how
 * to draw it: "is a recording: pyrograph collapse ROOTSx.data | pyrograph render VERB"; roots is "" or options that end
 * in a blank. */
bool foreign_is(struct str *advice, const char *text, size_t len, const char *path, const char *roots,
		const char *verb);

/* ---- Lines of several events, whose times overlap, cannot be drawn as bars ---- */

/* Are all lines of a file with this header of one event?  collapse: the options that make such lines, for the message.
 * Returns 0, or -1 after a message. */
int foreign_events_check(const struct folded_source *header, const char *path, const char *collapse);

#endif
