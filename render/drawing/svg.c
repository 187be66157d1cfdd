#include "render/drawing/svg.h"

#include <stdlib.h>
#include <string.h>

#include "core/markup.h"
#include "core/memory.h"
#include "render/drawing/attributes.h"
#include "render/drawing/png.h"

void px_add(struct str *out, int32_t cpx)
{
	uint32_t rest;

	if (cpx < 0) {
		str_addc(out, '-');
		cpx = -cpx;
	}
	rest = (uint32_t)cpx % CPX;
	str_add_u64(out, (uint32_t)cpx / CPX);
	if (!rest)
		return;
	str_addc(out, '.');
	str_addc(out, (char)('0' + rest / 10));
	if (rest % 10)
		str_addc(out, (char)('0' + rest % 10));
}

void rgb_add(struct str *out, uint32_t rgb)
{
	static const char hex[] = "0123456789abcdef";

	str_addc(out, '#');
	for (int shift = 20; shift >= 0; shift -= 4)
		str_addc(out, hex[rgb >> shift & 15]);
}

static void attr_px(struct str *out, const char *name, int32_t cpx)
{
	str_addc(out, ' ');
	str_puts(out, name);
	str_puts(out, "=\"");
	px_add(out, cpx);
	str_addc(out, '"');
}

static void attr_rgb(struct str *out, const char *name, uint32_t rgb)
{
	str_addc(out, ' ');
	str_puts(out, name);
	str_puts(out, "=\"");
	rgb_add(out, rgb);
	str_addc(out, '"');
}

/* ---- canvas --------------------------------------------------------------- */

static void svg_draw_rect(struct canvas *c, const struct area *a, uint32_t rgb, const char *tip, size_t tip_len)
{
	struct str *out = &((struct svg *)c)->out;

	str_puts(out, "<rect");
	attr_px(out, "x", a->x);
	attr_px(out, "y", a->y);
	attr_px(out, "width", a->w);
	attr_px(out, "height", a->h);
	attr_rgb(out, "fill", rgb);
	if (c->stroke_rgb)
		attr_rgb(out, "stroke", *c->stroke_rgb);
	if (!tip_len) {
		str_puts(out, "/>\n");
		return;
	}
	str_puts(out, "><title>");
	xml_add(out, tip, tip_len);
	str_puts(out, "</title></rect>\n");
}

static void add_areas(struct str *out, const struct area *areas, size_t count)
{
	str_puts(out, " d=\"");
	for (size_t i = 0; i < count; i++) {
		str_addc(out, 'M');
		px_add(out, areas[i].x);
		str_addc(out, ' ');
		px_add(out, areas[i].y);
		str_addc(out, 'h');
		px_add(out, areas[i].w);
		str_addc(out, 'v');
		px_add(out, areas[i].h);
		str_addc(out, 'h');
		px_add(out, -areas[i].w);
		str_addc(out, 'z');
		if (i % 16 == 15)
			str_addc(out, '\n');
	}
	str_puts(out, "\"/>\n");
}

static void svg_draw_shape(struct canvas *c, const struct area *areas, size_t count, uint32_t rgb)
{
	struct str *out = &((struct svg *)c)->out;

	if (!count)
		return;
	str_puts(out, "<path class=\"crumbs\"");
	attr_rgb(out, "fill", rgb);
	add_areas(out, areas, count);
}

/* The number of screen pixels in cpx, but at least count. */
static uint32_t pixels_in(int32_t cpx, uint32_t count)
{
	uint32_t px = (uint32_t)(cpx + CPX / 2) / CPX;

	return px > count ? px : count;
}

/* The image has as many pixels as it covers on the screen, since librsvg (2.54) blurs images that it enlarges, whatever
 * image-rendering says. */
static void svg_add_image(struct str *out, const struct area *a, const struct pixels *pixels, const char *tip,
			  size_t tip_len, const char *attributes)
{
	struct str png = { 0 };

	str_addf(out, "<image%s", attributes);
	attr_px(out, "x", a->x);
	attr_px(out, "y", a->y);
	attr_px(out, "width", a->w);
	attr_px(out, "height", a->h);
	str_puts(out, " preserveAspectRatio=\"none\" image-rendering=\"pixelated\""
		      " href=\"data:image/png;base64,");
	png_add(&png, pixels, pixels_in(a->w, pixels->columns), pixels_in(a->h, pixels->rows));
	base64_add(out, png.buf, png.len);
	str_free(&png);
	str_puts(out, "\">");
	if (tip_len) {
		str_puts(out, "<title>");
		xml_add(out, tip, tip_len);
		str_puts(out, "</title>");
	}
	str_puts(out, "</image>\n");
}

static void svg_draw_image(struct canvas *c, const struct area *a, const struct pixels *pixels, const char *tip,
			   size_t tip_len)
{
	struct svg *s = (struct svg *)c;
	struct pixels dark = { pixels->dark_rgb, NULL, pixels->columns, pixels->rows };

	svg_add_image(&s->out, a, pixels, tip, tip_len, "");
	if (!dark.rgb)
		return;
	svg_add_image(&s->out, a, &dark, tip, tip_len, " class=\"dark\" display=\"none\"");
	s->has_images = true;
}

static void define_hatching(struct svg *s)
{
	struct str *out = &s->out;

	str_puts(out, "<pattern id=\"hatching\" patternUnits=\"userSpaceOnUse\" width=\"6\" height=\"6\">"
		      "<path fill=\"none\"");
	attr_rgb(out, "stroke", canvas_tint(&s->canvas, CANVAS_HATCH_PART));
	str_puts(out, " d=\"M-1 1l2-2M0 6l6-6M5 7l2-2\"/></pattern>\n");
	s->has_hatching = true;
}

static void svg_draw_hatch(struct canvas *c, const struct area *areas, size_t count)
{
	struct svg *s = (struct svg *)c;

	if (!count)
		return;
	if (!s->has_hatching)
		define_hatching(s);
	str_puts(&s->out, "<path class=\"hatched\" fill=\"url(#hatching)\"");
	add_areas(&s->out, areas, count);
}

static void svg_draw_line(struct canvas *c, const struct point *points, size_t count, int32_t w_cpx, uint32_t rgb)
{
	struct str *out = &((struct svg *)c)->out;

	if (!count)
		return;
	str_puts(out, "<polyline fill=\"none\"");
	attr_rgb(out, "stroke", rgb);
	attr_px(out, "stroke-width", w_cpx);
	str_puts(out, " stroke-linejoin=\"round\" stroke-linecap=\"round\" points=\"");
	for (size_t i = 0; i < count; i++) {
		if (i)
			str_addc(out, i % 16 ? ' ' : '\n');
		px_add(out, points[i].x);
		str_addc(out, ',');
		px_add(out, points[i].y);
	}
	str_puts(out, "\"/>\n");
}

/* Write text in one line: viewers differ in whether they break it at a line end. */
static void svg_add_line(struct str *out, const char *text, size_t len)
{
	for (size_t i = 0; i < len;) {
		size_t end = i;

		while (end < len && text[end] != '\t' && text[end] != '\n' && text[end] != '\r')
			end++;
		xml_add(out, text + i, end - i);
		if (end < len)
			str_addc(out, ' ');
		i = end + 1;
	}
}

static void svg_draw_text(struct canvas *c, enum text_role role, int32_t x, int32_t y, const char *text, size_t len)
{
	struct str *out = &((struct svg *)c)->out;
	struct text_style style = canvas_style(&c->font, role);

	str_puts(out, "<text");
	attr_px(out, "x", x);
	attr_px(out, "y", y);
	if (role != TEXT_FRAME) {
		str_addf(out, " class=\"%s\"", style.class);
		attr_rgb(out, "fill", c->theme->text[role]);
		if (style.size_cpx != c->font.size_cpx)
			attr_px(out, "font-size", style.size_cpx);
		if (style.bold)
			str_puts(out, " font-weight=\"bold\"");
	}
	str_addc(out, '>');
	svg_add_line(out, text, len);
	str_puts(out, "</text>\n");
}

static void svg_pair(struct canvas *c, uint32_t rgb, uint32_t dark_rgb)
{
	struct svg *s = (struct svg *)c;

	for (size_t i = 0; i < s->pair_count; i++) {
		if (s->pairs[i].rgb == rgb)
			return;
	}
	s->pairs = xgrow(s->pairs, &s->pair_cap, s->pair_count + 1, sizeof(*s->pairs));
	s->pairs[s->pair_count++] = (struct svg_pair){ rgb, dark_rgb };
}

static void svg_open_group(struct canvas *c, const char *id)
{
	str_addf(&((struct svg *)c)->out, "<g id=\"%s\">\n", id);
}

static void open_part(struct canvas *c, const char *class, size_t number)
{
	str_addf(&((struct svg *)c)->out, "<g class=\"%s\" data-%s=\"%zu\">\n", class, class, number);
}

static void svg_close_group(struct canvas *c)
{
	str_puts(&((struct svg *)c)->out, "</g>\n");
}

/* <a href="..." target="..." id="...">, or <g id="..."> for frames without a link. */
static void open_link(struct canvas *c, const struct frame_attributes *a)
{
	struct svg *s = (struct svg *)c;
	struct str *out = &s->out;
	struct frame_attributes once = *a;
	size_t count = s->ids.count;

	if (a->id) {
		intern_add(&s->ids, a->id, strlen(a->id));
		if (s->ids.count == count)
			once.id = NULL;
	}
	if (a->href) {
		str_puts(out, "<a href=\"");
		xml_puts(out, a->href);
		str_addf(out, "\" target=\"%s\"", a->target ? a->target : "_top");
	} else {
		str_puts(out, "<g");
	}
	attributes_add_xml(out, &once);
	str_puts(out, ">\n");
}

static void close_link(struct canvas *c, const struct frame_attributes *a)
{
	str_puts(&((struct svg *)c)->out, a->href ? "</a>\n" : "</g>\n");
}

/* ---- file ----------------------------------------------------------------- */

void svg_open(struct svg *s, int32_t w_cpx, int32_t h_cpx, const struct font *font, const struct theme *theme)
{
	struct str *out = &s->out;

	*s = (struct svg){
		.canvas = {
			.w = w_cpx, .h = h_cpx, .font = *font, .theme = theme,
			.rect = svg_draw_rect, .shape = svg_draw_shape, .text = svg_draw_text,
			.image = svg_draw_image, .hatch = svg_draw_hatch, .line = svg_draw_line,
			.open_group = svg_open_group, .close_group = svg_close_group, .open_part = open_part,
			.open_link = open_link, .close_link = close_link, .pair = svg_pair,
		},
	};
	str_puts(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		      "<svg xmlns=\"http://www.w3.org/2000/svg\"");
	attr_px(out, "width", w_cpx);
	attr_px(out, "height", h_cpx);
	str_puts(out, " viewBox=\"0 0 ");
	px_add(out, w_cpx);
	str_addc(out, ' ');
	px_add(out, h_cpx);
	str_puts(out, "\" font-family=\"");
	xml_puts(out, font->family);
	str_addc(out, '"');
	attr_px(out, "font-size", font->size_cpx);
	str_puts(out, ">\n");
}

void svg_begin_drawing(struct svg *s, const struct page *page, const struct background *background)
{
	struct area all = { 0, 0, s->canvas.w, s->canvas.h };
	struct str *out = &s->out;

	if (page) {
		str_puts(out, "<style><![CDATA[\n");
		page_styles(page, out);
		str_puts(out, "]]></style>\n");
	}
	s->style_at = out->len;
	svg_open_group(&s->canvas, "background");
	if (background->top == background->bottom) {
		svg_draw_rect(&s->canvas, &all, background->top, NULL, 0);
	} else {
		str_puts(out, "<linearGradient id=\"sky\" x1=\"0\" y1=\"0\" x2=\"0\" y2=\"1\">"
			      "<stop offset=\"5%\"");
		attr_rgb(out, "stop-color", background->top);
		str_puts(out, "/><stop offset=\"95%\"");
		attr_rgb(out, "stop-color", background->bottom);
		str_puts(out, "/></linearGradient>\n<rect");
		attr_px(out, "width", all.w);
		attr_px(out, "height", all.h);
		str_puts(out, " fill=\"url(#sky)\"/>\n");
	}
	svg_close_group(&s->canvas);
}

/* ---- the dark theme ---- */

/* The live chart has colours of its own. */
#define STILL "svg:root:not(.live) "

/* [fill="#ffffff"]{fill:#17191d}, if anything in the drawing has that colour */
static void add_dark_pair(struct str *style, const char *drawing, const struct svg_pair *pair, const char *attribute)
{
	struct str selector = { 0 };

	attr_rgb(&selector, attribute, pair->rgb);
	if (strstr(drawing, selector.buf)) {
		str_addf(style, STILL "[%s]{%s:", selector.buf + 1, attribute);
		rgb_add(style, pair->dark_rgb);
		str_puts(style, "}\n");
	}
	str_free(&selector);
}

static void add_dark_colour(struct str *style, const char *selector, uint32_t rgb)
{
	str_addf(style, STILL "%s{fill:", selector);
	rgb_add(style, rgb);
	str_puts(style, "}\n");
}

static void add_dark_style(struct str *style, const struct svg *s)
{
	const struct theme *dark = s->canvas.theme->dark;

	str_puts(style, "<style>@media screen and (prefers-color-scheme:dark){\n");
	add_dark_colour(style, "#background rect", dark->background.top);
	for (size_t i = TEXT_FRAME + 1; i < TEXT_ROLES; i++) {
		struct str class = { 0 };

		str_addf(&class, "text.%s", canvas_style(&s->canvas.font, (enum text_role)i).class);
		add_dark_colour(style, class.buf, dark->text[i]);
		str_free(&class);
	}
	for (size_t i = 0; i < s->pair_count; i++) {
		add_dark_pair(style, s->out.buf + s->style_at, &s->pairs[i], "fill");
		add_dark_pair(style, s->out.buf + s->style_at, &s->pairs[i], "stroke");
	}
	if (s->has_images)
		str_puts(style, STILL "image:not(.dark){display:none}\n" STILL ".dark{display:inline}\n");
	str_puts(style, "}</style>\n");
}

/* Only its end says which colours a drawing has; the rules come first, since a browser would show a long one light. */
void svg_end_drawing(struct svg *s)
{
	struct str *out = &s->out, style = { 0 };

	if (!s->canvas.theme->dark)
		return;
	add_dark_style(&style, s);
	str_reserve(out, style.len);
	memmove(out->buf + s->style_at + style.len, out->buf + s->style_at, out->len + 1 - s->style_at);
	memcpy(out->buf + s->style_at, style.buf, style.len);
	out->len += style.len;
	str_free(&style);
}

/* Give the root, which is already written, an id. */
static void name_root(struct str *out, const char *attribute)
{
	size_t len = strlen(attribute), at = (size_t)(strstr(out->buf, "<svg ") - out->buf) + strlen("<svg");

	str_reserve(out, len);
	memmove(out->buf + at + len, out->buf + at, out->len + 1 - at);
	memcpy(out->buf + at, attribute, len);
	out->len += len;
}

/* If our script does not run, only an animation can show this, since policies do not affect it, and viewers that are
 * not browsers ignore it.  It waits for a pointer over the chart, which a picture in a page (web/run_page.c) never
 * gets. */
static void add_missing(struct svg *s, const char *url)
{
	const char *text = " is missing. Keep it with the chart, or save the live chart (V) where it is there.";
	int32_t wide = (int32_t)(strlen(url) + strlen(text)) * 6 * CPX + 110 * CPX; /* or so, at the right edge */
	int32_t x = wide < s->canvas.w ? s->canvas.w - wide : 0;
	struct str *out = &s->out;

	str_puts(out, "<g id=\"missing\" display=\"none\"><set attributeName=\"display\" to=\"inline\" "
		      "begin=\"chart.mouseover+1s;chart.click\" fill=\"freeze\"/>\n<path fill=\"#fff3bf\" d=\"M");
	px_add(out, x);
	str_puts(out, " 0h");
	px_add(out, s->canvas.w - x);
	str_puts(out, "v18H");
	px_add(out, x);
	str_puts(out, "z\"/><text font-size=\"11\" x=\"");
	px_add(out, x + 10 * CPX);
	str_puts(out, "\" y=\"13\" fill=\"#1a1c1f\">Not interactive: ");
	xml_puts(out, url);
	str_puts(out, text);
	str_puts(out, "</text>\n</g>\n");
}

void svg_script(struct svg *s, const struct page *page, const char *url, const char *siblings_url)
{
	struct str *out = &s->out;

	if (!page)
		return;
	if (url) {
		name_root(out, " id=\"chart\"");
		add_missing(s, url);
		str_puts(out, "<script href=\"");
		xml_puts(out, url);
		if (siblings_url) {
			str_puts(out, "\" data-siblings=\"");
			xml_puts(out, siblings_url);
		}
		str_puts(out, "\"/>\n");
		return;
	}
	str_puts(out, "<script><![CDATA[\n");
	page_scripts(page, out);
	str_puts(out, "]]></script>\n");
}

void svg_close(struct svg *s)
{
	str_puts(&s->out, "</svg>\n");
	intern_free(&s->ids);
	free(s->pairs);
}
