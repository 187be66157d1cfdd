/* heading: the lines above a chart: its title, what was found, its origin, and
 * what is missing from its data.
 *
 *     Flame Graph
 *     exec-1 and 3 others waited for a lock, caused by refresher: rebuild_index
 *     db1 · cpu-clock at 99Hz · 2026-11-21 10:15:02.000 – 10:15:07.000 UTC · 12,345 samples
 *     Lost 345 of 12,345 samples (2.79%)                    red: it changes conclusions (doubts.h)
 *     Details: Throttled 3 times · 2 stacks cut             grey, always last
 */
#ifndef RENDER_HEADING_H
#define RENDER_HEADING_H

#include <stddef.h>

#include "core/str.h"
#include "render/drawing/canvas.h"
#include "render/profile/source.h"

struct heading { /* {0} is empty */
	struct heading_line {
		enum text_role role;
		struct str text;
	} * lines;
	size_t count, cap;
};

/* What the user or the chart says. */
struct heading_words {
	const char *title;
	const char *headline; /* what was found, in lines, of which at most HEADLINE_LINES_MAX are shown; may be NULL */
	const char *subtitle; /* may be NULL */
};

enum { HEADLINE_LINES_MAX = 4 };

/* Make the lines, broken between parts, else at blanks, to fit width_cpx.  A single word that is wider is cut; so are
 * titles and subtitles after three lines, and each line of the headline after two.  total is the sum of all values,
 * with its unit; it is left out if source is NULL. */
void heading_make(struct heading *h, const struct font *font, int32_t width_cpx, const struct heading_words *words,
		  const char *total, const struct folded_source *source);

/* Add the lines of one of several inputs: its name, its origin, its losses. */
void heading_add_origin(struct heading *h, const struct font *font, int32_t width_cpx, const char *name,
			const char *total, const struct folded_source *source);

/* What the lines of TEXT_DOUBT begin with. */
#define HEADING_DETAILS "Details: "

/* Add a text as one line or more; none if it is empty.  With TEXT_DOUBT it is one of the remarks after "Details:",
 * which stay the last lines. */
void heading_add_text(struct heading *h, enum text_role role, const struct font *font, int32_t width_cpx,
		      const char *text);

/* The height of all lines together. */
int32_t heading_height(const struct heading *h, const struct font *font);

/* Draw them from x, y (their upper left corner) downwards. */
void heading_draw(const struct heading *h, struct canvas *c, int32_t x, int32_t y);

/* The same without a group of its own. */
void heading_draw_lines(const struct heading *h, struct canvas *c, int32_t x, int32_t y);

void heading_free(struct heading *h);

#endif
