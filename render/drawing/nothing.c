#include "render/drawing/nothing.h"

#include <string.h>

#include "core/error.h"

static const char TITLE[] = "Nothing to draw";

enum { PAD = 10 * CPX };

static void nothing_draw(const void *chart, struct canvas *c)
{
	struct font font = canvas_font(&c->font, TEXT_ALARM);
	int32_t line = c->font.size_cpx * 2;
	const char *reason = chart;
	struct str cut = { 0 };

	c->text(c, TEXT_TITLE, PAD, line, TITLE, strlen(TITLE));
	font_fit(&cut, &font, reason, strlen(reason), c->w - 2 * PAD, 1);
	c->text(c, TEXT_ALARM, PAD, 2 * line, str_text(&cut), cut.len);
	str_free(&cut);
}

int nothing_write(const struct nothing *n, const char *reason, const char *path)
{
	struct folded_source nowhere = { 0 };
	struct drawing d = {
		.w = n->width_px * CPX,
		.h = n->font->size_cpx * 6,
		.scale = n->scale,
		.font = n->font,
		.theme = n->theme,
		.background = n->background,
		.picture = { .kind = n->kind, .title = TITLE, .unit = n->unit, .notes = reason, .source = &nowhere },
		.draw = nothing_draw,
		.chart = reason,
	};

	error("nothing to draw: %s", reason);
	return drawing_write(&d, n->format, path) < 0 ? 1 : 2;
}
