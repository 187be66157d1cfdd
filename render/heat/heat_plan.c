/* The layout of a heat map's picture. */
#include "render/heat/heat_draw.h"

#include <stdlib.h>

enum {
	EDGE = 8 * CPX,
	GAP = 8 * CPX,
	AXIS_H = 22 * CPX,
	TITLE_H = 20 * CPX,
	LABEL_GAP = 9 * CPX,
	BETWEEN = 24 * CPX, /* between maps beside each other */
	BOX_MAX = 48 * CPX,
	BOX_WHOLE = 3 * CPX, /* from this size on, boxes are whole pixels */
	BOX_WIDE = 16 * CPX,
	ROW_LEAST = 6 * CPX,
	ROWS_FEW = 100, /* up to this many rows of wide boxes, each is at least ROW_LEAST high */
	ACROSS_MAX = 4,
	ACROSS_BOX = 4 * CPX,
	ACROSS_LEAST = 160 * CPX, /* so that a title fits */
	LINE_LABEL_W = 34 * CPX,
	LABELS_W = 60 * CPX,
	W_MAX = 30000 * CPX
};

/* The limits for the height of a map's cells, px. */
struct heights {
	int32_t least, most;
};

enum { ALL_H = 640, LEAST_H = 100, MOST_H = 240 }; /* for several maps together; for each of them */

/* ---- places --------------------------------------------------------------- */

static int32_t heat_plan_rounded(int32_t cpx, bool up)
{
	return cpx < BOX_WHOLE && !up ? cpx : (cpx + (up ? CPX - 1 : 0)) / CPX * CPX;
}

static struct heights heights_of(const struct heat_plan *p)
{
	size_t lines = (p->chart->map_count + p->across - 1) / p->across;
	int32_t most = ALL_H / (int32_t)lines;

	if (p->chart->map_count == 1)
		return (struct heights){ 240, 500 };
	most = most > MOST_H ? MOST_H : most < LEAST_H ? LEAST_H : most;
	return (struct heights){ most * 3 / 4, most };
}

/* A cell is as high as it is wide, if there is room. */
static int32_t cell_height(const struct heat_plan *p, int32_t width)
{
	struct heights limit = heights_of(p);
	int32_t rows = (int32_t)p->chart->axes.rows;
	int32_t height = width < BOX_WIDE ? width : BOX_WIDE;

	if (p->style->box_px)
		return width < CPX ? CPX : width;
	if ((int64_t)height * rows > limit.most * CPX)
		height = heat_plan_rounded(limit.most * CPX / rows, false);
	if ((int64_t)height * rows < limit.least * CPX)
		height = heat_plan_rounded(limit.least * CPX / rows, true);
	if (width > BOX_WIDE && rows <= ROWS_FEW && height < ROW_LEAST)
		height = ROW_LEAST;
	return height < CPX ? CPX : height;
}

/* The greatest width of a map's cells. */
static int32_t room_for(const struct heat_plan *p, size_t across)
{
	int32_t lines = p->style->lines && p->chart->axes.y != HEAT_Y_OFFSET ? LINE_LABEL_W : 0;
	int32_t room = p->w - 2 * HEAT_PAD - p->label_w - (int32_t)(across - 1) * BETWEEN;

	room = (room / (int32_t)across - lines) / CPX * CPX;
	return room < CPX ? CPX : room;
}

static void choose_across(struct heat_plan *p)
{
	size_t maps = p->chart->map_count, most = maps < ACROSS_MAX ? maps : ACROSS_MAX;
	int64_t least = (int64_t)p->chart->axes.columns * (maps > 2 ? ACROSS_BOX : BOX_WIDE);

	p->across = 1;
	if (p->style->box_px || p->chart->lanes) /* lanes are below each of them */
		return;
	least = least < ACROSS_LEAST ? ACROSS_LEAST : least;
	while (p->across < most && least <= room_for(p, p->across + 1))
		p->across++;
}

uint32_t heat_columns_drawn(int32_t width_px, int32_t box_px, enum heat_y y)
{
	int32_t beside = 2 * HEAT_PAD + LABELS_W + (y == HEAT_Y_OFFSET ? 0 : LINE_LABEL_W);
	int32_t room = width_px - beside / CPX;

	if (box_px)
		return (uint32_t)(W_MAX / CPX / (box_px < W_MAX / CPX ? box_px : W_MAX / CPX));
	return room > 1 ? (uint32_t)room : 1;
}

/* Rounded up, since cells between pixels would be blurred. */
static int32_t heat_plan_whole_px(int32_t cpx)
{
	return (cpx + CPX - 1) / CPX * CPX;
}

static int32_t widest_tick(const struct heat_plan *p)
{
	int64_t most = 0;

	for (size_t i = 0; i < p->tick_count; i++) {
		int64_t w = font_width(&p->style->font, p->ticks[i].label.buf, p->ticks[i].label.len);

		most = w > most ? w : most;
	}
	return (int32_t)most;
}

/* Compute the size of each map's cells, and of the picture. */
static void heat_plan_measure(struct heat_plan *p, int32_t *w, int32_t *h)
{
	int64_t columns = p->chart->axes.columns;
	int32_t room, box, high;

	p->label_w = LABELS_W; /* an estimate: ticks depend on the height */
	choose_across(p);
	room = room_for(p, p->across);
	box = (int32_t)(room / columns);
	box = p->style->box_px ? p->style->box_px * CPX : box > BOX_MAX ? BOX_MAX : heat_plan_rounded(box, false);
	if (box * columns > W_MAX)
		box = (int32_t)(W_MAX / columns);
	high = cell_height(p, box) * (int32_t)p->chart->axes.rows;
	heat_ticks_make(p, high);
	p->label_w = heat_plan_whole_px(widest_tick(p) + LABEL_GAP);
	room = room_for(p, p->across);
	*w = p->style->box_px || box * columns >= room / 10 * 9 || box >= BOX_MAX ? (int32_t)(box * columns) : room;
	if (*w / CPX < columns) /* labels are wider than heat_columns_drawn() assumed */
		*w = (int32_t)columns * CPX;
	if (*w > room && !p->style->box_px && columns * CPX <= room)
		*w = room;
	*h = high;
	if (*w > room)
		p->w = heat_plan_whole_px(p->w + (*w - room) * (int32_t)p->across);
}

static int32_t place_maps(struct heat_plan *p, int32_t y, int32_t w, int32_t h)
{
	struct heat_chart *c = p->chart;
	int32_t title = c->maps[0].title ? TITLE_H : 0;

	p->step = room_for(p, p->across) + (p->w - 2 * HEAT_PAD - p->label_w - room_for(p, 1)) + BETWEEN;
	for (size_t i = 0; i < c->map_count; i++) {
		struct heat_map *m = &c->maps[i];

		m->x = HEAT_PAD + p->label_w + (int32_t)(i % p->across) * p->step;
		m->y = heat_plan_whole_px(y + title);
		m->w = w;
		m->h = h;
		if (i % p->across == p->across - 1 || i + 1 == c->map_count)
			y = m->y + h + GAP;
	}
	return y - GAP + AXIS_H;
}

void heat_plan_make(struct heat_plan *p, struct heat_chart *c, const struct heat_style *style)
{
	int32_t y = EDGE, w, h;

	*p = (struct heat_plan){ .chart = c, .style = style, .w = style->width_px * CPX };
	heat_plan_measure(p, &w, &h);
	heat_heading_make(p);
	heat_legend_make(p);
	y += heading_height(&p->heading, &style->font) + EDGE / 2;
	p->legend_y = y;
	y += legend_height(&p->legend, &style->font, p->w - 2 * HEAT_PAD) + EDGE;
	y = place_maps(p, y, w, h);
	p->plot_end = y + EDGE / 2;
	p->cells_y = heat_lanes_place(p, y) + EDGE / 2;
	heat_details_make(p);
	p->details_y = p->cells_y + heading_height(&p->cells, &style->font);
	p->h = p->details_y + heading_height(&p->details, &style->font) + EDGE;
}

void heat_plan_free(struct heat_plan *p)
{
	heading_free(&p->heading);
	heading_free(&p->cells);
	heading_free(&p->details);
	legend_free(&p->legend);
	lanes_strip_free(&p->lanes);
	for (size_t i = 0; i < p->tick_count; i++)
		str_free(&p->ticks[i].label);
	free(p->ticks);
}
