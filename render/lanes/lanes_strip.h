/* lanes_strip: the rows of lanes in a picture.  In a chart of lanes, names are on the left; below a heat map, they are
 * above the rows, so that the rows are as wide as the map:
 *
 *     udp 0.0.0.0:5000 depth            udp 0.0.0.0:5000 depth   0 to 80 KiB, limit 208 KiB
 *     0 to 80 KiB         ▁▁▁█▁▁▁▁      ▁▁▁▁▁▁▁▁▁▁▁▁▁█▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁
 *
 * A column of pixels shows the least and the greatest value in it. */
#ifndef RENDER_LANES_LANES_STRIP_H
#define RENDER_LANES_LANES_STRIP_H

#include "render/drawing/canvas.h"
#include "render/lanes/lanes.h"

enum { LANES_INSET = 3 * CPX }; /* between rows */

/* The lowest and the highest value of a row, in units of the lane. */
struct lanes_scale {
	uint64_t from, to; /* from < to */
	bool has_limit;    /* the limit is within */
};

struct lanes_row {
	size_t lane;
	int32_t y;
	struct lanes_scale scale;
	struct str name, note; /* the note: "0 to 80 KiB, limit 208 KiB" */
	bool left_out;         /* not drawn */
	bool flat;             /* not drawn because it is 0 all the time */
};

struct lanes_strip { /* {0} is empty */
	const struct lanes *l;
	const struct font *font;
	const struct theme *theme;
	struct lanes_row *rows;               /* by name */
	size_t row_count, left_out, flat;     /* flat ones are left out, too */
	int32_t name_x, name_w;               /* place of the words; all lengths are in cpx */
	int32_t bar_x, bar_w, row_h, label_h; /* label_h: the height of words above a row; 0: words are left of it */
	int32_t y, h;                         /* of all rows */
};

/* Make the rows of all lanes that have values, without those that are 0 all the time, unless all are.  If there are
 * more than `most` rows (0: any number), leave out those that never change, and then the last ones. */
void lanes_strip_make(struct lanes_strip *s, const struct lanes *l, const struct font *font, const struct theme *theme,
		      size_t most);

/* Place the rows below each other from y on; row_h and label_h are set. */
void lanes_strip_place(struct lanes_strip *s, int32_t y);

/* Draw names and rows.  The group of the rows, "lanes-rows", stays open for lines through them, and the caller closes
 * it. */
void lanes_strip_draw(const struct lanes_strip *s, struct canvas *c);
void lanes_strip_free(struct lanes_strip *s);

/* Append what the script and "render folded" need: a <metadata> element called id, and the values (lanes_strip.c).
 * more: further settings, each after a comma; may be "". */
void lanes_strip_data(const struct lanes_strip *s, const char *id, const char *more, struct str *out);

#endif
