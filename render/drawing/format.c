#include "render/drawing/format.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "core/error.h"
#include "core/format/folded.h"
#include "core/outfile.h"
#include "render/drawing/cairo_canvas.h"
#include "render/drawing/gzip.h"
#include "render/drawing/svg.h"

enum {
	SVG_BOXES = 3000,
	SVG_BOXES_PX = 1200, /* maximum of boxes in a picture of that width or less */
	SVG_BOXES_MAX = 20000,
	PDF_BOXES_MAX = 200000,
};

void drawing_svg(const struct drawing *d, struct str *out)
{
	struct picture picture = d->picture;
	struct svg svg;

	picture.plot.w = d->w;
	picture.plot.h = d->h;
	svg_open(&svg, d->w, d->h, d->font, d->theme);
	picture_add(&svg.out, &picture, d->summary);
	svg_begin_drawing(&svg, d->script_url ? NULL : d->page, d->background);
	d->draw(d->chart, &svg.canvas);
	svg_end_drawing(&svg);
	if (d->data)
		d->data(d->chart, &svg.out);
	svg_script(&svg, d->page, d->script_url, d->siblings_url);
	svg_close(&svg);
	*out = svg.out;
}

static int write_svg(const struct picture_format *f, const struct drawing *d, FILE *out)
{
	struct str text = { 0 };

	(void)f;
	drawing_svg(d, &text);
	fwrite(text.buf, 1, text.len, out);
	str_free(&text);
	return 0;
}

static int write_svgz(const struct picture_format *f, const struct drawing *d, FILE *out)
{
	struct str text = { 0 };
	int status;

	(void)f;
	drawing_svg(d, &text);
	status = gzip_write(out, text.buf, text.len);
	str_free(&text);
	return status;
}

static int write_cairo(const struct picture_format *f, const struct drawing *d, FILE *out)
{
	const struct picture *p = &d->picture;
	struct cairo_about about = { p->title, p->headline ? p->headline : p->notes,
				     source_get(p->source, FOLDED_START) };
	struct cairo_canvas c;
	int status = -1;

	if (cairo_canvas_open(&c, f->cairo, d->w, d->h, d->scale, d->font, d->theme, d->background, out) == 0) {
		d->draw(d->chart, &c.canvas);
		status = cairo_canvas_write(&c, f->cairo, &about);
	}
	cairo_canvas_free(&c);
	return status;
}

static const struct picture_format formats[] = { { "svg", NULL, true, write_svg },
						 { "svgz", NULL, true, write_svgz },
						 { "png", &cairo_png, true, write_cairo },
						 { "pdf", &cairo_pdf, false, write_cairo },
						 { 0 } };

int drawing_write(const struct drawing *d, const struct picture_format *f, const char *path)
{
	struct outfile out;

	if (outfile_open(&out, path) < 0)
		return -1;
	if (f->write(f, d, out.file) == 0)
		return outfile_commit(&out);
	outfile_abandon(&out);
	return -1;
}

static void list_formats(struct str *out)
{
	for (const struct picture_format *f = formats; f->name; f++)
		str_addf(out, "%s%s", f == formats ? "" : f[1].name ? ", " : " or ", f->name);
}

static const struct picture_format *format_find(const char *name)
{
	for (const struct picture_format *f = formats; f->name; f++) {
		if (!strcasecmp(f->name, name))
			return f;
	}
	return NULL;
}

/* The suffix of path's last part, without the dot; NULL if it is not a word. */
static const char *ending(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	const char *dot = strrchr(name, '.');

	return dot && dot > name && isalpha((unsigned char)dot[1]) ? dot + 1 : NULL;
}

const struct picture_format *picture_format_find(const char *name, const char *path)
{
	const char *wanted = name ? name : path ? ending(path) : NULL;
	const struct picture_format *f = wanted ? format_find(wanted) : &formats[0];
	struct str known = { 0 };

	if (f)
		return f;
	list_formats(&known);
	if (name)
		die_usage("--format needs %s, not '%s'", known.buf, name);
	die_usage("%s: the name must end in %s, or give --format", path, known.buf);
}

uint32_t format_boxes_max(const struct picture_format *f, int32_t width_px)
{
	int64_t of_svg = (int64_t)SVG_BOXES * width_px / SVG_BOXES_PX;

	if (f->cairo)
		return f->cairo == &cairo_pdf ? PDF_BOXES_MAX : 0;
	if (of_svg < SVG_BOXES)
		return SVG_BOXES;
	return of_svg < SVG_BOXES_MAX ? (uint32_t)of_svg : SVG_BOXES_MAX;
}

int32_t format_box_cpx(const struct picture_format *f, double scale)
{
	double least = CPX / 2 / (f->cairo == &cairo_png ? scale : 1);

	return least > 1 ? (int32_t)least : 1;
}

struct font_metrics *format_metrics(const struct picture_format *f, const struct font *font, double scale)
{
	return f->cairo ? cairo_font_make(font->family, cairo_hinting_scale(f->cairo, scale)) : NULL;
}

void format_metrics_free(struct font_metrics *m)
{
	cairo_font_free(m);
}

/* ---- nothing to draw ---- */

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
