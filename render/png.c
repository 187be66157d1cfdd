#include "render/png.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "core/error.h"
#include "core/str.h"
#include "core/utf8.h"

enum { CAIRO_SIDE_MAX = 32767 }; /* pixels */

#define CORNER 1.5

static cairo_t *cairo_of(struct canvas *c)
{
	return ((struct png *)c)->cairo;
}

static double px(int32_t cpx)
{
	return (double)cpx / CPX;
}

static void set_colour(cairo_t *cairo, uint32_t rgb)
{
	cairo_set_source_rgb(cairo, (rgb >> 16) / 255.0, (rgb >> 8 & 255) / 255.0,
			     (rgb & 255) / 255.0);
}

static void draw_shape(struct canvas *c, const struct area *areas, size_t count, uint32_t rgb)
{
	cairo_t *cairo = cairo_of(c);

	set_colour(cairo, rgb);
	for (size_t i = 0; i < count; i++)
		cairo_rectangle(cairo, px(areas[i].x), px(areas[i].y), px(areas[i].w),
				px(areas[i].h));
	cairo_fill(cairo);
}

/* With round corners, as flame.css has them. */
static void draw_rect(struct canvas *c, const struct area *a, uint32_t rgb, const char *tip,
		      size_t tip_len)
{
	double x = px(a->x), y = px(a->y), w = px(a->w), h = px(a->h);
	double r = w < 2 * CORNER ? w / 2 : CORNER, right = M_PI / 2;
	cairo_t *cairo = cairo_of(c);

	(void)tip, (void)tip_len;
	cairo_new_sub_path(cairo);
	cairo_arc(cairo, x + w - r, y + r, r, -right, 0);
	cairo_arc(cairo, x + w - r, y + h - r, r, 0, right);
	cairo_arc(cairo, x + r, y + h - r, r, right, 2 * right);
	cairo_arc(cairo, x + r, y + r, r, 2 * right, 3 * right);
	set_colour(cairo, rgb);
	if (c->stroke_rgb) {
		cairo_fill_preserve(cairo);
		set_colour(cairo, *c->stroke_rgb);
		cairo_set_line_width(cairo, 1);
		cairo_stroke(cairo);
	}
	cairo_fill(cairo);
}

/* Cairo refuses what is no UTF-8, and noncharacters. */
static bool cairo_takes(uint32_t code)
{
	return code >= ' ' && code != 0x7f && (code & 0xfffe) != 0xfffe &&
	       (code < 0xfdd0 || code > 0xfdef);
}

static void clean(struct str *out, const char *text, size_t len)
{
	size_t bytes;

	for (size_t i = 0; i < len; i += bytes) {
		uint32_t code;

		bytes = utf8_decode(text + i, len - i, &code);
		if (bytes && (code == '\t' || code == '\n' || code == '\r')) {
			str_addc(out, ' ');
		} else if (bytes && cairo_takes(code)) {
			str_add(out, text + i, bytes);
		} else {
			bytes = bytes ? bytes : 1;
			str_puts(out, "\xef\xbf\xbd");
		}
	}
}

/* The first of "Verdana, 'DejaVu Sans', sans-serif"; fontconfig does the rest. */
static void first_family(char *family, size_t size, const char *list)
{
	size_t len = 0;

	for (; *list && *list != ',' && len + 1 < size; list++) {
		if (*list != '\'' && *list != '"')
			family[len++] = *list;
	}
	family[len] = '\0';
}

static void draw_text(struct canvas *c, enum text_role role, int32_t x, int32_t y,
		      const char *text, size_t len)
{
	struct text_style style = canvas_style(&c->font, role);
	cairo_t *cairo = cairo_of(c);
	struct str cleaned = {0};
	char family[128];

	first_family(family, sizeof(family), c->font.family);
	cairo_select_font_face(cairo, family, CAIRO_FONT_SLANT_NORMAL,
			       style.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
	cairo_set_font_size(cairo, px(style.size_cpx));
	set_colour(cairo, canvas_text_rgb(c, role));
	cairo_move_to(cairo, px(x), px(y));
	clean(&cleaned, text, len);
	cairo_show_text(cairo, str_text(&cleaned));
	str_free(&cleaned);
}

static void open_group(struct canvas *c, const char *id)
{
	(void)c, (void)id;
}

static void close_group(struct canvas *c)
{
	(void)c;
}

static void draw_background(struct png *p, const struct background *b)
{
	cairo_pattern_t *sky = cairo_pattern_create_linear(0, 0, 0, px(p->canvas.h));

	for (int i = 0; i < 2; i++) {
		uint32_t rgb = i ? b->bottom : b->top;

		cairo_pattern_add_color_stop_rgb(sky, i ? 0.95 : 0.05, (rgb >> 16) / 255.0,
						 (rgb >> 8 & 255) / 255.0, (rgb & 255) / 255.0);
	}
	cairo_set_source(p->cairo, sky);
	cairo_paint(p->cairo);
	cairo_pattern_destroy(sky);
}

int png_open(struct png *p, int32_t w_cpx, int32_t h_cpx, const struct font *font,
	     const struct background *background)
{
	int w = (w_cpx + CPX - 1) / CPX, h = (h_cpx + CPX - 1) / CPX;

	*p = (struct png){
		.canvas = { .w = w_cpx, .h = h_cpx, .font = *font, .rect = draw_rect,
			    .shape = draw_shape, .text = draw_text, .open_group = open_group,
			    .close_group = close_group },
	};
	if (w > CAIRO_SIDE_MAX || h > CAIRO_SIDE_MAX)
		return error("a PNG can be %d pixels wide and high, not %dx%d; "
			     "raise --minwidth, or make an SVG", CAIRO_SIDE_MAX, w, h);
	p->surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, w, h);
	p->cairo = cairo_create(p->surface);
	if (cairo_status(p->cairo))
		return error("cairo: %s", cairo_status_to_string(cairo_status(p->cairo)));
	draw_background(p, background);
	return 0;
}

static cairo_status_t write_bytes(void *file, const unsigned char *bytes, unsigned len)
{
	return fwrite(bytes, 1, len, file) == len ? CAIRO_STATUS_SUCCESS
						  : CAIRO_STATUS_WRITE_ERROR;
}

int png_write(struct png *p, FILE *out)
{
	cairo_status_t status = cairo_status(p->cairo);

	if (!status)
		status = cairo_surface_write_to_png_stream(p->surface, write_bytes, out);
	if (status && status != CAIRO_STATUS_WRITE_ERROR)
		return error("cairo: %s", cairo_status_to_string(status));
	return 0;
}

void png_free(struct png *p)
{
	if (!p)
		return;
	if (p->cairo)
		cairo_destroy(p->cairo);
	if (p->surface)
		cairo_surface_destroy(p->surface);
	*p = (struct png){0};
}
