#include "render/drawing/nothing.h"

#include <string.h>

#include "core/error.h"
#include "render/drawing/picture.h"
#include "render/drawing/svg.h"

static const char TITLE[] = "Nothing to draw";

enum { PAD = 10 * CPX };

static void nothing_draw(const struct drawing *d, struct canvas *c)
{
	struct font font = canvas_font(&c->font, TEXT_ALARM);
	int32_t line = c->font.size_cpx * 2;
	struct str cut = { 0 };

	c->text(c, TEXT_TITLE, PAD, line, d->title, strlen(d->title));
	font_fit(&cut, &font, d->notes, strlen(d->notes), c->w - 2 * PAD, 1);
	c->text(c, TEXT_ALARM, PAD, 2 * line, str_text(&cut), cut.len);
	str_free(&cut);
}

static void nothing_to_svg(const struct drawing *d, struct str *out)
{
	const struct nothing *n = d->chart;
	struct folded_source nowhere = { 0 };
	struct picture picture = {
		.kind = n->kind, .title = d->title, .unit = n->unit, .notes = d->notes, .source = &nowhere
	};
	struct svg svg;

	svg_open(&svg, d->w, d->h, d->font, d->theme);
	picture_add(&svg.out, &picture, NULL);
	svg_begin_drawing(&svg, NULL, d->background);
	nothing_draw(d, &svg.canvas);
	svg_close(&svg);
	*out = svg.out;
}

int nothing_write(const struct nothing *n, const char *reason, const char *path)
{
	struct drawing d = {
		.w = n->width_px * CPX,
		.h = n->font->size_cpx * 6,
		.scale = n->scale,
		.font = n->font,
		.theme = n->theme,
		.background = n->background,
		.title = TITLE,
		.notes = reason,
		.draw = nothing_draw,
		.svg = nothing_to_svg,
		.chart = n,
	};

	error("nothing to draw: %s", reason);
	return drawing_write(&d, n->format, path) < 0 ? 1 : 2;
}
