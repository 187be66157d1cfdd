/* What an SVG flame graph holds besides the picture: where it comes from, and
 * the whole profile for the script (encode.h). */
#include "render/flame/flame.h"

#include <inttypes.h>

#include "core/markup.h"
#include "render/assets.h"
#include "render/encoding/encode.h"
#include "render/flame/multiples.h"
#include "render/picture.h"
#include "render/drawing/svg.h"

/* XML parsers refuse longer runs of text (libxml2: 10 MB). */
enum { CHUNK_BYTES = 1000 * 1000 };

static void add_bool(struct str *out, const char *key, bool value)
{
	str_addf(out, ",\"%s\":%s", key, value ? "true" : "false");
}

static void add_px(struct str *out, const char *key, int32_t cpx)
{
	str_addf(out, ",\"%s\":", key);
	px_add(out, cpx);
}

static void add_rgb(struct str *out, const char *key, uint32_t rgb)
{
	str_addf(out, ",\"%s\":\"", key);
	rgb_add(out, rgb);
	str_addc(out, '"');
}

static void add_advances(struct str *out, const struct font *font)
{
	str_puts(out, ",\"advances\":[");
	for (uint32_t code = ' '; code <= '~'; code++)
		str_addf(out, "%s%u", code == ' ' ? "" : ",", font_advance(font, code));
	str_addf(out, "],\"widest\":%u", font_advance(font, 0xfffd));
}

/* What is said only when it is so. */
static void add_order(struct str *out, const struct flame *f)
{
	if (f->profile->charted)
		add_bool(out, "chart", true);
	if (f->tree->arrival)
		add_bool(out, "arrival", true);
	if (f->tree->folded)
		str_addf(out, ",\"folded\":%" PRIu64, tree_folded_below(f->tree, f->root));
}

/* What flame.js must know to draw as flame_draw.c does. */
static void add_settings(struct str *out, const struct flame_plan *plan, const struct encoded *e)
{
	const struct flame *f = plan->flame;
	const struct flame_style *style = f->style;

	str_addf(out, "<metadata id=\"flame-settings\">{\"names\":%u,\"frames\":%u", e->name_count,
		 e->frame_count);
	str_puts(out, ",\"unit\":");
	json_puts(out, style->unit.name);
	str_addf(out, ",\"decimals\":%u,\"factor\":%.17g", style->unit.decimals,
		 style->unit.factor);
	str_puts(out, ",\"nametype\":");
	json_puts(out, style->nametype);
	add_bool(out, "inverted", style->inverted);
	add_bool(out, "fluid", style->fluid);
	add_bool(out, "whole", f->root == 0);
	add_order(out, f);
	add_px(out, "framesTop", plan->frames_y);
	add_px(out, "pad", FLAME_PAD);
	add_px(out, "fontSize", style->font.size_cpx);
	str_addf(out, ",\"frameHeight\":%d,\"rows\":%u,\"minWidth\":%.17g,\"boxesMax\":%u",
		 style->frame_height_px, plan->layout.rows, style->min_width_px,
		 format_boxes_max(style->format, style->width_px));
	add_rgb(out, "rootColour", style->theme->root);
	add_advances(out, &style->font);
	if (f->layered)
		str_puts(out, str_text(&f->layered->settings));
	if (plan->panels)
		panels_settings(plan->panels, out);
	look_add_settings(out, &style->look, f->profile, e->number);
	if (plan->legend.count) {
		str_puts(out, ",\"legend\":");
		legend_json(&plan->legend, out);
	}
	str_puts(out, "}</metadata>\n");
}

/* Where a chunk of at most CHUNK_BYTES may end: behind a line, else anywhere
 * that cuts neither a character nor an entity. */
static size_t chunk_len(const char *text, size_t len)
{
	const char *newline;

	if (len <= CHUNK_BYTES)
		return len;
	newline = memrchr(text, '\n', CHUNK_BYTES);
	if (newline)
		return (size_t)(newline - text) + 1;
	newline = memchr(text, '\n', len);
	return newline ? (size_t)(newline - text) + 1 : len;
}

static void add_chunks(struct str *out, const char *class, const struct str *data)
{
	for (size_t at = 0, len; at < data->len; at += len) {
		len = chunk_len(data->buf + at, data->len - at);
		str_addf(out, "<metadata class=\"%s\">", class);
		str_add(out, data->buf + at, len);
		str_puts(out, "</metadata>\n");
	}
}

static void add_picture(struct str *out, const struct flame *f)
{
	uint64_t total = f->layered && f->layered->totals ? f->layered->totals[f->root]
							  : f->tree->frames[f->root].total;
	struct picture picture = {
		.kind = "flame",
		.title = f->title,
		.unit = f->style->unit.name,
		.total = value_whole(total, &f->style->unit),
		.thread = f->thread,
		.notes = f->style->notes,
		.source = &f->profile->source,
		.about = f->layered ? &f->layered->about : NULL,
	};

	picture_add(out, &picture);
	str_puts(out, "<title>");
	xml_puts(out, f->title);
	str_puts(out, "</title>\n");
	if (f->style->notes) {
		str_puts(out, "<desc>");
		xml_puts(out, f->style->notes);
		str_puts(out, "</desc>\n");
	}
}

void flame_svg(const struct flame_plan *plan, struct str *out)
{
	const struct flame *f = plan->flame;
	const struct asset *scripts;
	size_t script_count = flame_scripts(&scripts);
	struct encoded e;
	struct svg svg;

	svg_open(&svg, plan->w, plan->h, &f->style->font, f->style->theme);
	add_picture(&svg.out, f);
	svg_begin_drawing(&svg, f->style->no_script ? (struct asset){0} : flame_css_asset(), &f->style->background);
	flame_draw(plan, &svg.canvas);
	encode(&e, f->profile, f->tree, f->root, f->style->palette);
	add_settings(&svg.out, plan, &e);
	str_reserve(&svg.out, e.names.len + e.colours.len + e.tree.len);
	add_chunks(&svg.out, "flame-names", &e.names);
	add_chunks(&svg.out, "flame-colours", &e.colours);
	add_chunks(&svg.out, "flame-tree", &e.tree);
	if (!f->style->no_script)
		svg_script(&svg, scripts, script_count, f->style->script_url);
	svg_close(&svg);
	encoded_free(&e);
	*out = svg.out;
}
