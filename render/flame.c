#include "render/flame.h"

#include "render/assets.h"
#include "render/modes.h"
#include "render/picture.h"
#include "render/png.h"
#include "render/svg.h"

static int write_png(const struct flame_plan *plan, FILE *out)
{
	const struct flame_style *style = plan->flame->style;
	struct png png;
	int status = -1;

	if (png_open(&png, plan->w, plan->h, &style->font, &style->background) == 0) {
		flame_draw(plan, &png.canvas);
		status = png_write(&png, out);
	}
	png_free(&png);
	return status;
}

static void write_svg(const struct flame_plan *plan, FILE *out)
{
	struct str text = {0};

	flame_svg(plan, &text);
	fwrite(text.buf, 1, text.len, out);
	str_free(&text);
}

int flame_write(const struct flame *undressed, FILE *out)
{
	struct flame dressed = *undressed, *f = &dressed;
	struct flame_plan plan;
	struct dress dress;
	int status = 0;

	dress_make(&dress, f);
	flame_plan_make(&plan, f);
	if (f->style->format == FORMAT_PNG)
		status = write_png(&plan, out);
	else
		write_svg(&plan, out);
	flame_plan_free(&plan);
	dress_free(&dress);
	return status;
}

/* ---- a picture of nothing ------------------------------------------------- */

static void draw_empty(struct canvas *c, const char *title, const char *reason)
{
	int32_t line = c->font.size_cpx * 2;
	struct str cut = {0};

	c->text(c, TEXT_TITLE, FLAME_PAD, line, title, strlen(title));
	font_fit(&cut, &c->font, reason, strlen(reason), (c->w - 2 * FLAME_PAD) * 10ll / 12, 1);
	c->text(c, TEXT_ALARM, FLAME_PAD, 2 * line, str_text(&cut), cut.len);
	str_free(&cut);
}

static void write_empty_svg(const struct flame_style *style, int32_t w, int32_t h,
			    const char *title, const char *reason, FILE *out)
{
	struct source nowhere = {0};
	struct picture picture = { .kind = "flame", .title = title, .unit = style->unit.name,
				   .notes = reason, .source = &nowhere };
	struct svg svg;

	svg_open(&svg, w, h, &style->font);
	picture_add(&svg.out, &picture);
	svg_begin_drawing(&svg, flame_css_asset(), &style->background);
	draw_empty(&svg.canvas, title, reason);
	svg_close(&svg);
	fwrite(svg.out.buf, 1, svg.out.len, out);
	str_free(&svg.out);
}

int flame_write_empty(const struct flame_style *style, const char *title, const char *reason,
		      FILE *out)
{
	int32_t w = style->width_px * CPX, h = style->font.size_cpx * 6;
	struct png png;
	int status = -1;

	if (style->format == FORMAT_SVG) {
		write_empty_svg(style, w, h, title, reason, out);
		return 0;
	}
	if (png_open(&png, w, h, &style->font, &style->background) == 0) {
		draw_empty(&png.canvas, title, reason);
		status = png_write(&png, out);
	}
	png_free(&png);
	return status;
}
