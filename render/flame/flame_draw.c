/* The picture that needs no script:
 *
 *     Flame Graph                                  heading
 *     db1 · cpu-clock · ...
 *                |sys_write|                       frames
 *     |  read  | |  write  |
 *     |             main            |
 *     1,140 frames, 27 deep                        details */
#include "render/flame/flame.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "core/format/folded.h"
#include "core/memory.h"
#include "render/colours/measuring.h"
#include "render/colours/waits.h"
#include "render/drawing/svg.h"
#include "render/flame/multiples.h"
#include "render/flame/shown.h"
#include "render/profile/frame.h"
#include "render/profile/idle.h"

enum {
	EDGE = 8 * CPX, /* above the heading and below the details */
	GAP = 6 * CPX,  /* between the parts */
	ROW_GAP = CPX,  /* between two rows of frames */
	LABEL_INSET = 3 * CPX,
	LABEL_MIN_CHARS = 6,
};

/* Rounded up, since edges between pixels would be blurred. */
static int32_t flame_draw_whole_px(int32_t cpx)
{
	return (cpx + CPX - 1) / CPX * CPX;
}

/* Add the lines about layers to the heading; returns their height. */
static int32_t layered_height(struct flame_plan *plan, int32_t inner)
{
	const struct layered *l = plan->flame->layered;
	const struct font *font = &plan->flame->style->font;
	struct str total = { 0 };

	for (size_t i = 0; l && i < l->origin_count; i++) {
		const struct origin *o = &l->origins[i];

		str_clear(&total);
		if (o->totals)
			value_add(&total, o->totals[plan->flame->root], &plan->flame->style->unit);
		heading_add_origin(&plan->heading, font, inner, o->name, str_text(&total), o->source);
	}
	str_free(&total);
	if (l)
		heading_add_text(&plan->heading, TEXT_NOTE, font, inner, str_text(&l->note));
	return heading_height(&plan->heading, font);
}

void flame_idle_note(struct str *out, const struct flame *f)
{
	const struct flame_style *style = f->style;
	bool has_key = f->shown && !style->format->cairo && !style->no_script;

	if (f->shown)
		shown_add_note(f->shown, f->whole->frames[0].total, &style->unit, out);
	else if (f->dropped)
		idle_words_add(out, f->drops_waits, f->dropped, f->dropped + f->kept, &style->unit);
	else
		return;
	str_puts(out, has_key ? " (Shift+I shows them)" : " (--idle shows them)");
}

void flame_left_out_note(struct str *out, const struct flame *f)
{
	const struct unit *unit = &f->style->unit;
	size_t start = out->len;
	uint64_t part, all;

	if (!source_ratio(&f->profile->source, FOLDED_LEFT_OUT, &part, &all))
		return;
	shown_words(out, SHOWN_WORK, part, all, &(struct unit){ unit->name, 0, unit->factor });
	out->buf[start] = (char)toupper((unsigned char)out->buf[start]);
	str_puts(out, ", left out by collapse (--waits all keeps them)");
}

/* Pictures of a split leave the heading to the page that lists them. */
static void note_left_out(struct flame_plan *plan, int32_t inner)
{
	const struct font *font = &plan->flame->style->font;
	struct str text = { 0 };

	if (plan->flame->root)
		return;
	flame_idle_note(&text, plan->flame);
	heading_add_text(&plan->heading, TEXT_NOTE, font, inner, str_text(&text));
	str_clear(&text);
	flame_left_out_note(&text, plan->flame);
	heading_add_text(&plan->heading, TEXT_NOTE, font, inner, str_text(&text));
	str_free(&text);
}

/* Note the share of stacks in which the recording itself, or another tool, was working. */
static void note_measuring(struct flame_plan *plan, int32_t inner)
{
	const struct flame *f = plan->flame;
	const struct flame_style *style = f->style;
	uint64_t value = f->layered ? 0 : measuring_value(f->tree, f->root, f->profile);
	struct str text = { 0 };

	if (!value)
		return;
	str_puts(&text, "Profiler overhead: ");
	value_add(&text, value, &style->unit);
	str_puts(&text, ", ");
	percentage_add(&text, value, f->tree->frames[f->root].total);
	str_puts(&text, !style->format->cairo && !style->no_script ? ". K hides it" : "");
	heading_add_text(&plan->heading, TEXT_NOTE, &style->font, inner, str_text(&text));
	str_free(&text);
}

static int32_t legend_room(const struct flame_plan *plan, int32_t inner)
{
	const struct flame *f = plan->flame;
	const struct legend *legend = f->layered ? &f->layered->legend : &plan->legend;

	return legend_height(legend, &f->style->font, inner);
}

/* Append a share, rounded up to the next 0.0001%: "0.0003%". */
static void flame_draw_add_share(struct str *out, uint64_t part, uint64_t whole)
{
	uint64_t share = (uint64_t)(((__uint128_t)part * 1000000 + whole - 1) / whole);

	str_addf(out, "%" PRIu64 ".%04" PRIu64, share / 10000, share % 10000);
	while (out->buf[out->len - 1] == '0')
		out->buf[--out->len] = '\0';
	if (out->buf[out->len - 1] == '.')
		out->buf[--out->len] = '\0';
	str_addc(out, '%');
}

/* Append "; 1,234,567 more, narrower than 0.003%, are folded into ...". */
static void add_folded(struct str *out, const struct flame *f)
{
	uint64_t folded = tree_folded_below(f->tree, f->root);

	if (!folded)
		return;
	str_puts(out, "; ");
	number_add(out, folded);
	str_puts(out, " more, narrower than ");
	flame_draw_add_share(out, f->tree->least, f->tree->frames[0].total);
	str_puts(out, ", are folded into \"...\"");
}

/* Append "Frames narrower than 2.5 px are drawn in runs before a zoom." */
static void flame_draw_add_runs(struct str *out, const struct layout *layout, const struct flame_style *style)
{
	if (!layout->least_cpx && !layout->box_rows)
		return;
	str_puts(out, "Frames ");
	if (layout->least_cpx) {
		str_puts(out, "narrower than ");
		px_add(out, layout->least_cpx);
		str_puts(out, layout->box_rows ? " px, and those " : " px ");
	}
	if (layout->box_rows)
		str_addf(out, "deeper than %" PRIu32 "%s ", layout->box_rows, layout->least_cpx ? "," : "");
	str_puts(out, "are drawn in runs");
	if (!style->format->cairo && !style->no_script)
		str_puts(out, " before a zoom");
}

/* Append "1,234 frames deeper than 250 levels are not drawn (--max-depth)". */
static void add_deeper(struct str *out, const struct layout *layout, const struct flame_style *style)
{
	if (!layout->deeper)
		return;
	number_add(out, layout->deeper);
	str_puts(out, layout->deeper == 1 ? " frame deeper than " : " frames deeper than ");
	number_add(out, layout->rows);
	str_puts(out, style->format->cairo || style->no_script ? " levels not drawn (--max-depth)"
							       : " levels: only the script draws them");
}

/* Make the lines below the frames: how many frames there are, and which are not visible. */
static void flame_draw_make_details(struct flame_plan *plan, int32_t inner)
{
	const struct flame *f = plan->flame;
	struct layout left_out = plan->panels ? panels_left_out(plan->panels) : plan->layout;
	struct str text = { 0 };

	number_add(&text, f->tree->frames[f->root].end - f->root - tree_folds_below(f->tree, f->root));
	str_puts(&text, " frames, ");
	number_add(&text, tree_levels(f->tree, f->root));
	str_puts(&text, " deep");
	if (left_out.dropped) {
		str_puts(&text, "; ");
		number_add(&text, left_out.dropped);
		str_puts(&text, " of them too narrow to be seen without zooming");
	}
	add_folded(&text, f);
	heading_add_text(&plan->details, TEXT_DETAILS, &f->style->font, inner, str_text(&text));
	str_clear(&text);
	add_deeper(&text, &left_out, f->style);
	heading_add_text(&plan->details, TEXT_NOTE, &f->style->font, inner, str_text(&text));
	str_clear(&text);
	flame_draw_add_runs(&text, &left_out, f->style);
	heading_add_text(&plan->details, TEXT_NOTE, &f->style->font, inner, str_text(&text));
	str_free(&text);
}

struct layout_size flame_layout_size(const struct flame *f, int32_t inner, uint64_t total)
{
	const struct flame_style *style = f->style;
	uint32_t rows_max = (uint32_t)(FLAME_ROWS_PX_MAX / style->frame_height_px);

	return (struct layout_size){
		.width_cpx = inner,
		.colouring = f->colouring,
		.max_rows = style->max_depth && style->max_depth < rows_max ? style->max_depth : rows_max,
		.min_value = scale_up_u64(total, (uint64_t)llround(style->min_width_px * FLAME_WIDTH_GRAIN),
					  (uint64_t)inner * (FLAME_WIDTH_GRAIN / CPX)),
		.box_cpx = format_box_cpx(style->format, style->scale),
		.boxes_max = format_boxes_max(style->format, style->width_px),
	};
}

static void flame_draw_add_waits(struct legend *legend, const struct wait_colouring *waits, uint32_t root)
{
	for (size_t i = 0; wait_kinds[i].frame; i++) {
		if (wait_colouring_has(waits, root, i))
			legend_add(legend, wait_kinds[i].rgb, wait_kinds[i].label);
	}
}

static void add_wall(struct legend *legend, const struct wall_colouring *wall, uint32_t root)
{
	for (size_t k = 0; k < WALL_KINDS; k++) {
		if (wall->times[root][k])
			legend_add(legend, wall_kinds[k].rgb, wall_kinds[k].label);
	}
}

void flame_plan_make(struct flame_plan *plan, const struct flame *f)
{
	const struct flame_style *style = f->style;
	int32_t w = style->width_px * CPX, inner = w - 2 * FLAME_PAD;
	bool own_origin = f->layered && f->layered->says_origin;
	uint64_t total = f->tree->frames[f->root].total;
	struct layout_size size = flame_layout_size(f, inner, total);
	struct str total_text = { 0 };

	*plan = (struct flame_plan){ .flame = f, .w = w };
	layout_make(&plan->layout, f->tree, f->root, &size);
	value_add(&total_text, total, &style->unit);
	heading_make(&plan->heading, &style->font, inner,
		     &(struct heading_words){ f->title, style->headline, style->subtitle }, total_text.buf,
		     own_origin ? NULL : &f->profile->source);
	str_free(&total_text);
	note_left_out(plan, inner);
	note_measuring(plan, inner);
	if (f->waits)
		flame_draw_add_waits(&plan->legend, f->waits, f->root);
	else if (f->wall)
		add_wall(&plan->legend, f->wall, f->root);
	else if (!f->layered)
		look_legend(&style->look, &plan->legend, f->profile, f->tree, f->root);
	plan->legend_y = EDGE + layered_height(plan, inner);
	plan->frames_y = flame_draw_whole_px(plan->legend_y + legend_room(plan, inner) + GAP);
	plan->h = (int32_t)plan->layout.rows * style->frame_height_px * CPX;
	plan->panels = panels_make(f, w, plan->frames_y);
	if (plan->panels)
		plan->h = flame_draw_whole_px(plan->panels->height);
	flame_draw_make_details(plan, inner);
	plan->details_y = plan->frames_y + plan->h + GAP;
	plan->h += plan->frames_y + flame_draw_whole_px(GAP + heading_height(&plan->details, &style->font) + EDGE);
}

void flame_plan_free(struct flame_plan *plan)
{
	if (!plan)
		return;
	layout_free(&plan->layout);
	heading_free(&plan->heading);
	heading_free(&plan->details);
	panels_free(plan->panels);
	legend_free(&plan->legend);
}

static struct area flame_draw_area_of(const struct flame_plan *plan, const struct box *box)
{
	const struct flame_style *style = plan->flame->style;
	uint32_t row = style->inverted ? box->row : plan->layout.rows - 1 - box->row;
	int32_t pitch = style->frame_height_px * CPX;

	return (struct area){ FLAME_PAD + box->x0, plan->frames_y + (int32_t)row * pitch, box->x1 - box->x0,
			      pitch - ROW_GAP };
}

/* "write (1,234 samples, 12.34%)", "... (56 frames, 1,234 samples, 12.34%)" */
static void add_tip(struct str *tip, const struct flame *f, const struct frame *frame, const char *name, size_t len)
{
	uint32_t folded = tree_folded(f->tree, (uint32_t)(frame - f->tree->frames));

	str_clear(tip);
	str_add(tip, name, len);
	str_puts(tip, " (");
	if (folded) {
		number_add(tip, folded);
		str_puts(tip, " frames, ");
	}
	if (f->colouring->tip) {
		f->colouring->tip(f->colouring, tip, (uint32_t)(frame - f->tree->frames));
	} else {
		value_add(tip, frame->total, &f->style->unit);
		str_puts(tip, ", ");
		percentage_add(tip, frame->total, f->tree->frames[f->root].total);
	}
	str_addc(tip, ')');
}

static void flame_draw_label(const struct flame_plan *plan, struct canvas *c, const struct area *area, const char *name,
			     size_t len, struct str *buf)
{
	int32_t room = area->w - 2 * LABEL_INSET;

	str_clear(buf);
	label_fit(buf, &c->font, name, len, room, LABEL_MIN_CHARS, plan->flame->style->look.cut);
	if (buf->len)
		c->text(c, TEXT_FRAME, area->x + LABEL_INSET, baseline(area->y, area->h, c->font.size_cpx), buf->buf,
			buf->len);
}

const char *flame_chain_words(const struct flame *f)
{
	const char *event = source_get(&f->profile->source, FOLDED_EVENT);

	return event && !strcmp(event, "locks") ? "held by" : FLAME_CHAIN_WORDS;
}

static uint32_t root_rgb(struct canvas *c)
{
	const struct theme *theme = c->theme;

	return theme->dark ? canvas_pair(c, theme->root, theme->dark->root) : theme->root;
}

static void draw_box(const struct flame_plan *plan, struct canvas *c, const struct box *box, struct str *buf)
{
	const struct flame *f = plan->flame;
	const struct frame *frame = &f->tree->frames[box->frame];
	const char *name = intern_text(&f->profile->names, frame->name);
	size_t len = intern_len(&f->profile->names, frame->name);
	uint32_t rgb = box->frame ? f->colouring->box(f->colouring, box->frame) : root_rgb(c);
	const struct frame_attributes *attributes =
		box->frame ? attributes_find(&f->style->look.attributes, name, len) : NULL;
	struct area area = flame_draw_area_of(plan, box);

	if (len == strlen(FOLDED_CHAIN_FRAME) && !memcmp(name, FOLDED_CHAIN_FRAME, len)) {
		name = flame_chain_words(f);
		len = strlen(name);
	}
	len = frame_base_len(name, len);
	add_tip(buf, f, frame, name, len);
	if (attributes && attributes->title) {
		str_clear(buf);
		str_puts(buf, attributes->title);
	}
	if (attributes && c->open_link)
		c->open_link(c, attributes);
	c->rect(c, &area, rgb, buf->buf, buf->len);
	flame_draw_label(plan, c, &area, name, len, buf);
	if (attributes && c->close_link)
		c->close_link(c, attributes);
}

static void draw_crumbs(const struct flame_plan *plan, struct canvas *c)
{
	const struct boxes *crumbs = &plan->layout.crumbs;
	struct area *areas = xcalloc(crumbs->count, sizeof(*areas));

	for (size_t i = 0, first = 0; i < crumbs->count; i++) {
		uint32_t rgb = crumbs->items[i].rgb;

		areas[i] = flame_draw_area_of(plan, &crumbs->items[i]);
		if (i + 1 < crumbs->count && crumbs->items[i + 1].rgb == rgb)
			continue;
		c->shape(c, areas + first, i + 1 - first, rgb);
		first = i + 1;
	}
	free(areas);
}

void flame_draw_frames(const struct flame_plan *plan, struct canvas *c)
{
	const struct look *look = &plan->flame->style->look;
	struct str buf = { 0 };

	draw_crumbs(plan, c);
	c->stroke_rgb = look->stroke.set ? &look->stroke.rgb : NULL;
	for (size_t i = 0; i < plan->layout.boxes.count; i++)
		draw_box(plan, c, &plan->layout.boxes.items[i], &buf);
	c->stroke_rgb = NULL;
	str_free(&buf);
}

void flame_draw(const void *chart_plan, struct canvas *c)
{
	const struct flame_plan *plan = chart_plan;
	const struct flame *f = plan->flame;
	const struct legend *legend = f->layered ? &f->layered->legend : &plan->legend;

	heading_draw(&plan->heading, c, FLAME_PAD, EDGE);
	legend_draw(legend, c, FLAME_PAD, plan->legend_y, plan->w - 2 * FLAME_PAD);
	if (plan->panels) {
		panels_draw(plan->panels, c);
	} else {
		c->open_group(c, "frames");
		flame_draw_frames(plan, c);
		c->close_group(c);
	}
	c->open_group(c, "details");
	heading_draw_lines(&plan->details, c, FLAME_PAD, plan->h - EDGE - heading_height(&plan->details, &c->font));
	c->close_group(c);
}
