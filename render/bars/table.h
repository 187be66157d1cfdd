/* table: a few lines of text in columns below a chart, with bars for shares.
 *
 *     Had the CPU     while others waited            times     taken from
 *     spin-b-4712     4.98 s   49.8%  ====           1,203     spin-a-4711 4.98 s
 */
#ifndef RENDER_BARS_TABLE_H
#define RENDER_BARS_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/str.h"
#include "render/drawing/canvas.h"

enum { TABLE_COLUMNS_MAX = 8 };

struct bars_table {     /* {0} is empty */
	const char *id; /* of its group in an SVG */
	const char *title;
	size_t column_count;
	struct table_column {
		const char *heading;
		bool right;  /* numbers */
		bool shared; /* followed by a bar whose length is relative to the largest share */
	} columns[TABLE_COLUMNS_MAX];
	struct table_row {
		struct str cells[TABLE_COLUMNS_MAX];
		double share; /* 0..1 */
	} * rows;
	size_t count, cap;
	struct str more; /* a line below; may be empty */
};

/* A new row, to be filled. */
struct table_row *table_add(struct bars_table *t);

int32_t table_height(const struct bars_table *t, const struct font *font);

/* Draw it at x, y (its upper left corner), no wider than width; rgb is the colour of the bars. */
void table_draw(const struct bars_table *t, struct canvas *c, int32_t x, int32_t y, int32_t width, uint32_t rgb);

void table_free(struct bars_table *t);

#endif
