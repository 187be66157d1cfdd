/* The picture that needs no script:
 *
 *     Flame Graph                                  heading
 *     db1 · cpu-clock · ...
 *                |sys_write|                       frames
 *     |  read  | |  write  |
 *     |             main            |
 *     1,140 frames, 27 deep                        details */
#include "render/flame.h"

#include <inttypes.h>
#include <stdlib.h>

#include "core/memory.h"
#include "render/frame.h"

enum {
	EDGE = 8 * CPX,         /* above the heading and below the details */
	GAP = 6 * CPX,          /* between the parts */
	ROW_GAP = CPX,          /* between two rows of frames */
	LABEL_INSET = 3 * CPX,
	LABEL_MIN_CHARS = 3,
	ROWS_PX_MAX = 10000000, /* in cpx this is half of what fits an int32_t */
};

static int32_t details_height(const struct font *font)
{
	return font->size_cpx * 3 / 2;
}

/* Rounded up: lines between pixels are blurred. */
static int32_t whole_px(int32_t cpx)
{
	return (cpx + CPX - 1) / CPX * CPX;
}

void flame_plan_make(struct flame_plan *plan, const struct flame *f)
{
	const struct flame_style *style = f->style;
	int32_t w = style->width_px * CPX, inner = w - 2 * FLAME_PAD;
	uint64_t total = f->tree->frames[f->root].total;
	struct layout_size size = { .width_cpx = inner, .crumb_rgb = f->crumb_rgb,
				    .max_rows = (uint32_t)(ROWS_PX_MAX / style->frame_height_px) };
	struct str total_text = {0};

	*plan = (struct flame_plan){ .flame = f, .w = w };
	size.min_value = scale_u64(total, (uint64_t)(style->min_width_px * CPX), (uint64_t)inner);
	layout_make(&plan->layout, f->tree, f->root, &size);
	value_add(&total_text, total, &style->unit);
	heading_make(&plan->heading, &style->font, inner, f->title, style->subtitle,
		     total_text.buf, &f->profile->source);
	str_free(&total_text);
	plan->frames_y = whole_px(EDGE + heading_height(&plan->heading, &style->font) + GAP);
	plan->h = plan->frames_y + (int32_t)plan->layout.rows * style->frame_height_px * CPX +
		  whole_px(GAP + details_height(&style->font) + EDGE);
}

void flame_plan_free(struct flame_plan *plan)
{
	if (!plan)
		return;
	layout_free(&plan->layout);
	heading_free(&plan->heading);
}

static struct area area_of(const struct flame_plan *plan, const struct box *box)
{
	const struct flame_style *style = plan->flame->style;
	uint32_t row = style->inverted ? box->row : plan->layout.rows - 1 - box->row;
	int32_t pitch = style->frame_height_px * CPX;

	return (struct area){ FLAME_PAD + box->x0, plan->frames_y + (int32_t)row * pitch,
			      box->x1 - box->x0, pitch - ROW_GAP };
}

/* "write (1,234 samples, 12.34%)", "... (56 frames, 1,234 samples, 12.34%)" */
static void add_tip(struct str *tip, const struct flame *f, const struct frame *frame,
		    const char *name, size_t len)
{
	uint32_t folded = tree_folded(f->tree, (uint32_t)(frame - f->tree->frames));

	str_clear(tip);
	str_add(tip, name, len);
	str_puts(tip, " (");
	if (folded) {
		number_add(tip, folded);
		str_puts(tip, " frames, ");
	}
	value_add(tip, frame->total, &f->style->unit);
	str_puts(tip, ", ");
	percent_add(tip, frame->total, f->tree->frames[f->root].total);
	str_addc(tip, ')');
}

static void draw_box(const struct flame_plan *plan, struct canvas *c, const struct box *box,
		     struct str *buf)
{
	const struct flame *f = plan->flame;
	const struct frame *frame = &f->tree->frames[box->frame];
	const char *name = intern_text(&f->profile->names, frame->name);
	size_t len = intern_len(&f->profile->names, frame->name);
	uint32_t rgb = box->frame ? palette_colour(f->style->palette, name, len)
				  : FLAME_ROOT_COLOUR;
	struct area area = area_of(plan, box);

	len = frame_base_len(name, len);
	add_tip(buf, f, frame, name, len);
	c->rect(c, &area, rgb, buf->buf, buf->len);
	str_clear(buf);
	font_fit(buf, &c->font, name, len, area.w - 2 * LABEL_INSET, LABEL_MIN_CHARS);
	if (buf->len)
		c->text(c, TEXT_FRAME, area.x + LABEL_INSET,
			baseline(area.y, area.h, c->font.size_cpx), buf->buf, buf->len);
}

static void draw_crumbs(const struct flame_plan *plan, struct canvas *c)
{
	const struct boxes *crumbs = &plan->layout.crumbs;
	struct area *areas = xcalloc(crumbs->count, sizeof(*areas));

	for (size_t i = 0, first = 0; i < crumbs->count; i++) {
		uint32_t rgb = crumbs->items[i].rgb;

		areas[i] = area_of(plan, &crumbs->items[i]);
		if (i + 1 < crumbs->count && crumbs->items[i + 1].rgb == rgb)
			continue;
		c->shape(c, areas + first, i + 1 - first, rgb);
		first = i + 1;
	}
	free(areas);
}

/* Ten thousandths of a percent, rounded up: "0.0003%". */
static void add_share(struct str *out, uint64_t part, uint64_t whole)
{
	uint64_t share = (uint64_t)(((__uint128_t)part * 1000000 + whole - 1) / whole);

	str_addf(out, "%" PRIu64 ".%04" PRIu64, share / 10000, share % 10000);
	while (out->buf[out->len - 1] == '0')
		out->buf[--out->len] = '\0';
	if (out->buf[out->len - 1] == '.')
		out->buf[--out->len] = '\0';
	str_addc(out, '%');
}

/* "; 1,234,567 more, narrower than 0.003%, are folded into ..." */
static void add_folded(struct str *out, const struct flame *f)
{
	uint64_t folded = tree_folded_below(f->tree, f->root);

	if (!folded)
		return;
	str_puts(out, "; ");
	number_add(out, folded);
	str_puts(out, " more, narrower than ");
	add_share(out, f->tree->least, f->tree->frames[0].total);
	str_puts(out, ", are folded into \"...\"");
}

static void draw_details(const struct flame_plan *plan, struct canvas *c)
{
	const struct flame *f = plan->flame;
	int32_t height = details_height(&c->font);
	struct str text = {0}, cut = {0};

	number_add(&text, f->tree->frames[f->root].end - f->root - tree_folds_below(f->tree, f->root));
	str_puts(&text, " frames, ");
	number_add(&text, tree_levels(f->tree, f->root));
	str_puts(&text, " deep");
	if (plan->layout.dropped) {
		str_puts(&text, "; ");
		number_add(&text, plan->layout.dropped);
		str_puts(&text, " of them too narrow to be seen before a zoom");
	}
	add_folded(&text, f);
	font_fit(&cut, &c->font, text.buf, text.len, plan->w - 2 * FLAME_PAD, 1);
	c->open_group(c, "details");
	c->text(c, TEXT_DETAILS, FLAME_PAD,
		baseline(plan->h - EDGE - height, height, c->font.size_cpx), str_text(&cut),
		cut.len);
	c->close_group(c);
	str_free(&text);
	str_free(&cut);
}

void flame_draw(const struct flame_plan *plan, struct canvas *c)
{
	struct str buf = {0};

	heading_draw(&plan->heading, c, FLAME_PAD, EDGE);
	c->open_group(c, "frames");
	draw_crumbs(plan, c);
	for (size_t i = 0; i < plan->layout.boxes.count; i++)
		draw_box(plan, c, &plan->layout.boxes.items[i], &buf);
	c->close_group(c);
	draw_details(plan, c);
	str_free(&buf);
}
