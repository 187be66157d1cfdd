#include "render/bars/chart.h"

#include <string.h>

#include "core/format/folded.h"
#include "core/outfile.h"
#include "render/drawing/picture.h"
#include "render/drawing/svg.h"

/* ---- files ------------------------------------------------------------------ */

static void draw(const struct drawing *d, struct canvas *c)
{
	bars_draw(d->chart, c);
}

static void to_svg(const struct drawing *d, struct str *out)
{
	bars_svg(d->chart, out);
}

static int write_file(const struct bars_style *style, const struct drawing *d, const char *path)
{
	struct outfile out;

	if (outfile_open(&out, path) < 0)
		return -1;
	if (style->format->write(style->format, d, out.file) < 0) {
		outfile_abandon(&out);
		return -1;
	}
	return outfile_commit(&out);
}

static struct drawing drawing_of(const struct bars_style *style, int32_t w, int32_t h,
				 const char *title)
{
	return (struct drawing){
		.w = w, .h = h, .scale = style->scale, .font = &style->font,
		.theme = style->theme, .background = &style->theme->background,
		.title = title, .notes = style->notes,
	};
}

int bars_chart_write(const struct bars_chart *chart, const char *path)
{
	struct bars_plan plan;
	struct drawing d;
	int status;

	bars_plan_make(&plan, chart);
	d = drawing_of(chart->style, plan.w, plan.h, chart->title);
	d.created = source_get(&chart->bars->source, FOLDED_START);
	d.draw = draw;
	d.svg = to_svg;
	d.chart = &plan;
	status = write_file(chart->style, &d, path);
	bars_plan_free(&plan);
	return status;
}

/* ---- a picture of nothing --------------------------------------------------- */

struct nothing {
	const struct bars_style *style;
	const char *kind, *title, *reason;
};

static void draw_nothing(const struct drawing *d, struct canvas *c)
{
	const struct nothing *n = d->chart;
	struct font font = canvas_font(&c->font, TEXT_ALARM);
	int32_t line = c->font.size_cpx * 2;
	struct str cut = {0};

	c->text(c, TEXT_TITLE, BARS_PAD, line, n->title, strlen(n->title));
	font_fit(&cut, &font, n->reason, strlen(n->reason), c->w - 2 * BARS_PAD, 1);
	c->text(c, TEXT_ALARM, BARS_PAD, 2 * line, str_text(&cut), cut.len);
	str_free(&cut);
}

static void nothing_to_svg(const struct drawing *d, struct str *out)
{
	const struct nothing *n = d->chart;
	struct folded_source nowhere = {0};
	struct picture picture = { .kind = n->kind, .title = n->title, .unit = "ns",
				   .notes = n->reason, .source = &nowhere };
	struct svg svg;

	svg_open(&svg, d->w, d->h, d->font, d->theme);
	picture_add(&svg.out, &picture);
	svg_begin_drawing(&svg, NULL, d->background);
	draw_nothing(d, &svg.canvas);
	svg_close(&svg);
	*out = svg.out;
}

int bars_write_empty(const struct bars_style *style, const char *kind, const char *title,
		     const char *reason, const char *path)
{
	struct nothing nothing = { style, kind, title, reason };
	struct drawing d = drawing_of(style, style->width_px * CPX, style->font.size_cpx * 6, title);

	d.draw = draw_nothing;
	d.svg = nothing_to_svg;
	d.notes = reason;
	d.chart = &nothing;
	return write_file(style, &d, path);
}
