#include "render/flame/multiples.h"

#include <stdlib.h>

#include "core/markup.h"
#include "core/memory.h"
#include "render/drawing/svg.h"
#include "render/flame/diff.h"
#include "render/flame/modes.h"

enum { CAPTION_GAP = 3 * CPX, PANEL_GAP = 10 * CPX };

/* Gives a panel's frames the colours of the same frames in the union. */
struct panel_colouring {
	struct colouring colouring;
	const struct diff *diff;
	uint32_t *of; /* [frame of the panel]: the same frame in the union */
	bool is_first;
};

struct panel {
	struct tree tree;
	struct panel_colouring colours;
	struct flame flame;
	struct flame_plan plan; /* its heading is the caption; its h is the end of the panel */
	int32_t y;
};

/* ---- one layer's tree ------------------------------------------------------ */

static uint32_t multiples_close_frames(struct tree *t, uint32_t open, uint32_t parent)
{
	while (open != parent) {
		t->frames[open].end = t->count;
		open = t->frames[open].parent;
	}
	return open;
}

void tree_of_layer(struct tree *layer, uint32_t **of, const struct tree *t, uint32_t root, const uint64_t *totals)
{
	uint32_t end = t->frames[root].end, open = 0;
	uint32_t *place = xcalloc(end - root, sizeof(*place)); /* in layer, of the union's */
	uint64_t *next = xcalloc(end - root, sizeof(*next));   /* where the next child starts */

	*layer = (struct tree){ .frames = xcalloc(end - root, sizeof(*layer->frames)) };
	*of = xcalloc(end - root, sizeof(**of));
	for (uint32_t i = root; i < end && totals[root];) {
		const struct frame *f = &t->frames[i];
		uint32_t n = layer->count, parent = i == root ? 0 : place[f->parent - root];

		if (!totals[i]) {
			i = f->end;
			continue;
		}
		multiples_close_frames(layer, open, parent);
		layer->frames[n] =
			(struct frame){ f->name, parent, 0, f->depth - t->frames[root].depth, next[parent], totals[i] };
		next[parent] += n ? totals[i] : 0;
		next[n] = layer->frames[n].start;
		place[i - root] = n;
		(*of)[n] = i++;
		open = layer->count++;
		if (layer->frames[n].depth >= layer->levels)
			layer->levels = layer->frames[n].depth + 1;
	}
	if (layer->count) {
		multiples_close_frames(layer, open, 0);
		layer->frames[0].end = layer->count;
	}
	free(place);
	free(next);
}

/* ---- colours --------------------------------------------------------------- */

static uint32_t panel_box(const struct colouring *c, uint32_t frame)
{
	const struct panel_colouring *p = (const struct panel_colouring *)c;

	return p->diff->colouring.box(&p->diff->colouring, p->of[frame]);
}

static uint32_t panel_crumb(const struct colouring *c, uint32_t frame)
{
	const struct panel_colouring *p = (const struct panel_colouring *)c;

	return p->diff->colouring.crumb(&p->diff->colouring, p->of[frame]);
}

static void panel_tip(const struct colouring *c, struct str *out, uint32_t frame)
{
	const struct panel_colouring *p = (const struct panel_colouring *)c;

	if (p->is_first) {
		value_add(out, p->diff->base.totals[p->of[frame]], p->diff->unit);
		str_puts(out, ", ");
		percentage_add(out, p->diff->base.totals[p->of[frame]], p->diff->base.totals[p->diff->root]);
	} else {
		p->diff->colouring.tip(&p->diff->colouring, out, p->of[frame]);
	}
}

/* ---- layout ---------------------------------------------------------------- */

/* Make "after.folded · db1 · ... · 200 samples, +100% against the first". */
static void make_caption(struct panel *panel, const struct flame *f, size_t i)
{
	uint64_t first = f->panel_totals[0][f->root], total = f->panel_totals[i][f->root];
	struct str text = { 0 };

	value_add(&text, total, &f->style->unit);
	if (i && first) {
		str_puts(&text, total < first ? ", \xe2\x88\x92" : ", +");
		percentage_add(&text, total < first ? first - total : total - first, first);
		str_puts(&text, " against the first");
	}
	heading_add_origin(&panel->plan.heading, &f->style->font, panel->plan.w - 2 * FLAME_PAD,
			   f->profile->layers[i].name, text.buf, &f->mode->sources[i]);
	str_free(&text);
}

static void make_panel(struct panel *panel, const struct flame *f, size_t i, int32_t w, int32_t y)
{
	struct flame_plan *plan = &panel->plan;
	int32_t inner = w - 2 * FLAME_PAD;
	struct layout_size size;
	size_t max_rows = (size_t)(FLAME_ROWS_PX_MAX / f->style->frame_height_px) / f->panel_count;

	tree_of_layer(&panel->tree, &panel->colours.of, f->tree, f->root, f->panel_totals[i]);
	panel->colours.colouring = (struct colouring){ panel_box, panel_crumb, panel_tip };
	panel->colours.diff = &f->panels[i];
	panel->colours.is_first = !i;
	panel->flame = *f;
	panel->flame.tree = &panel->tree;
	panel->flame.root = 0;
	panel->flame.colouring = &panel->colours.colouring;
	*plan = (struct flame_plan){ .flame = &panel->flame, .w = w };
	panel->y = y;
	make_caption(panel, f, i);
	plan->frames_y = y + heading_height(&plan->heading, &f->style->font) + CAPTION_GAP;
	if (panel->tree.count) {
		size = flame_layout_size(&panel->flame, inner, panel->tree.frames[0].total);
		size.max_rows = max_rows ? (uint32_t)max_rows : 1;
		layout_make(&plan->layout, &panel->tree, 0, &size);
	}
	plan->h = plan->frames_y + (int32_t)plan->layout.rows * f->style->frame_height_px * CPX;
}

struct panels *panels_make(const struct flame *f, int32_t w, int32_t y)
{
	struct panels *p;
	int32_t top = y;

	if (!f->panel_count)
		return NULL;
	p = xcalloc(1, sizeof(*p));
	p->items = xcalloc(f->panel_count, sizeof(*p->items));
	for (p->count = 0; p->count < f->panel_count; p->count++) {
		make_panel(&p->items[p->count], f, p->count, w, y);
		y = p->items[p->count].plan.h + PANEL_GAP;
	}
	p->height = y - PANEL_GAP - top;
	return p;
}

/* ---- drawing --------------------------------------------------------------- */

void panels_draw(const struct panels *p, struct canvas *c)
{
	c->open_group(c, "captions");
	for (size_t i = 0; i < p->count; i++)
		heading_draw_lines(&p->items[i].plan.heading, c, FLAME_PAD, p->items[i].y);
	c->close_group(c);
	c->open_group(c, "frames");
	for (size_t i = 0; i < p->count; i++)
		flame_draw_frames(&p->items[i].plan, c);
	c->close_group(c);
}

struct layout panels_left_out(const struct panels *p)
{
	struct layout all = { 0 };

	for (size_t i = 0; i < p->count; i++) {
		const struct layout *l = &p->items[i].plan.layout;

		all.dropped += l->dropped;
		all.deeper += l->deeper;
		if (l->rows > all.rows)
			all.rows = l->rows;
		if (l->least_cpx > all.least_cpx)
			all.least_cpx = l->least_cpx;
		if (l->box_rows && (!all.box_rows || l->box_rows < all.box_rows))
			all.box_rows = l->box_rows;
	}
	return all;
}

static void add_caption(struct str *out, const struct heading *caption)
{
	str_puts(out, ",\"caption\":[");
	for (size_t i = 0; i < caption->count; i++) {
		str_puts(out, i ? "," : "");
		json_puts(out, str_text(&caption->lines[i].text));
	}
	str_addc(out, ']');
}

void panels_settings(const struct panels *p, struct str *out)
{
	for (size_t i = 0; i < p->count; i++) {
		str_addf(out, "%s{\"layer\":%zu,\"top\":", i ? "," : ",\"panels\":[", i);
		px_add(out, p->items[i].plan.frames_y);
		str_addf(out, ",\"rows\":%u", p->items[i].plan.layout.rows);
		add_caption(out, &p->items[i].plan.heading);
		str_addc(out, '}');
	}
	str_addc(out, ']');
}

void panels_free(struct panels *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->count; i++) {
		flame_plan_free(&p->items[i].plan);
		tree_free(&p->items[i].tree);
		free(p->items[i].colours.of);
	}
	free(p->items);
	free(p);
}
