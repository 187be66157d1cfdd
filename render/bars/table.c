#include "render/bars/table.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

enum { COLUMN_GAP = 18 * CPX, BAR_W = 80 * CPX, CELL_MAX = 300 * CPX };

struct table_row *table_add(struct bars_table *t)
{
	t->rows = xgrow(t->rows, &t->cap, t->count + 1, sizeof(*t->rows));
	t->rows[t->count] = (struct table_row){ 0 };
	return &t->rows[t->count++];
}

static int32_t table_line_height(const struct font *font)
{
	return font->size_cpx * 3 / 2;
}

int32_t table_height(const struct bars_table *t, const struct font *font)
{
	return t->count ? table_line_height(font) * (int32_t)(t->count + 2 + !!t->more.len) : 0;
}

/* The width of a column's widest cell, heading included; the last column is not limited. */
static int32_t column_width(const struct bars_table *t, const struct font *font, size_t column)
{
	const char *heading = t->columns[column].heading;
	int64_t width = font_width(font, heading, strlen(heading));

	for (size_t i = 0; i < t->count; i++) {
		const struct str *cell = &t->rows[i].cells[column];
		int64_t cell_width = font_width(font, str_text(cell), cell->len);

		width = cell_width > width ? cell_width : width;
	}
	return width < CELL_MAX ? (int32_t)width + CPX : CELL_MAX;
}

static void draw_cell(struct canvas *c, enum text_role role, const struct table_column *column, int32_t x, int32_t y,
		      int32_t width, const char *text, size_t len)
{
	struct font font = canvas_font(&c->font, role);
	struct str cut = { 0 };
	int32_t indent = 0;

	font_fit(&cut, &font, text, len, width, 1);
	if (column->right)
		indent = width - (int32_t)font_width(&font, str_text(&cut), cut.len);
	if (cut.len)
		c->text(c, role, x + indent, baseline(y, table_line_height(&c->font), font.size_cpx), cut.buf, cut.len);
	str_free(&cut);
}

static void draw_column(const struct bars_table *t, struct canvas *c, size_t column, int32_t x, int32_t y,
			int32_t width, uint32_t rgb)
{
	const struct table_column *col = &t->columns[column];
	int32_t line = table_line_height(&c->font);

	draw_cell(c, TEXT_NOTE, col, x, y, width, col->heading, strlen(col->heading));
	for (size_t i = 0; i < t->count; i++) {
		const struct table_row *row = &t->rows[i];
		int32_t top = y + line * (int32_t)(i + 1);
		struct area bar = { x + width + COLUMN_GAP / 2, top + line / 4, (int32_t)(BAR_W * row->share),
				    line / 2 };

		draw_cell(c, TEXT_DETAILS, col, x, top, width, str_text(&row->cells[column]), row->cells[column].len);
		if (col->shared && bar.w > 0)
			c->rect(c, &bar, rgb, NULL, 0);
	}
}

void table_draw(const struct bars_table *t, struct canvas *c, int32_t x, int32_t y, int32_t width, uint32_t rgb)
{
	int32_t line = table_line_height(&c->font), at = x;

	if (!t->count)
		return;
	c->open_group(c, t->id);
	c->text(c, TEXT_DETAILS, x, baseline(y, line, c->font.size_cpx), t->title, strlen(t->title));
	for (size_t i = 0; i < t->column_count && at < x + width; i++) {
		int32_t w = column_width(t, &c->font, i);

		if (i + 1 == t->column_count || at + w > x + width)
			w = x + width - at;
		draw_column(t, c, i, at, y + line, w, rgb);
		at += w + COLUMN_GAP + (t->columns[i].shared ? BAR_W : 0);
	}
	if (t->more.len)
		c->text(c, TEXT_NOTE, x, baseline(y + line * (int32_t)(t->count + 2), line, c->font.size_cpx),
			t->more.buf, t->more.len);
	c->close_group(c);
}

void table_free(struct bars_table *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->count; i++) {
		for (size_t k = 0; k < TABLE_COLUMNS_MAX; k++)
			str_free(&t->rows[i].cells[k]);
	}
	free(t->rows);
	str_free(&t->more);
	*t = (struct bars_table){ 0 };
}
