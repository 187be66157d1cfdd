#include "render/drawing/cairo_canvas.h"

#include <cairo-ft.h>
#include <cairo-pdf.h>
#include <errno.h>
#include <fcntl.h>
#include <fontconfig/fontconfig.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/utf8.h"

/* ---- fonts ---- */

enum { FIRST_ASCII = ' ', LAST_ASCII = '~', REPLACEMENT = 0xfffd, WEIGHTS = 2 };

/* A list of fonts by preference, opened when first needed. */
struct family {
	FcPattern *wanted;
	FcFontSet *fonts;          /* NULL: no font is installed */
	cairo_font_face_t **faces; /* for each of fonts; NULL until used.  Without fonts: [0] is cairo's own */
};

/* Advances of a family at one size. */
struct sized {
	int32_t size_cpx;
	bool bold;
	uint16_t advance[LAST_ASCII + 1 - FIRST_ASCII]; /* thousandths; 0: not measured yet */
};

struct cairo_font {
	struct font_metrics metrics;   /* must be first: others have a pointer to it */
	struct family family[WEIGHTS]; /* plain, bold */
	cairo_font_options_t *options;
	double scale;
	struct sized *sizes;
	size_t size_count, size_cap;
};

/* ---- families ------------------------------------------------------------- */

/* Add the families of a list as in CSS: "Verdana, 'DejaVu Sans', sans-serif". */
static void add_families(FcPattern *pattern, const char *list)
{
	struct str name = { 0 };

	while (*list) {
		size_t len = strcspn(list, ",");

		str_clear(&name);
		for (size_t i = 0; i < len; i++) {
			bool quote = list[i] == '\'' || list[i] == '"';

			if (!quote && (list[i] != ' ' || name.len))
				str_addc(&name, list[i]);
		}
		if (name.len)
			FcPatternAddString(pattern, FC_FAMILY, (const FcChar8 *)name.buf);
		list += len + (list[len] == ',');
	}
	str_free(&name);
}

static void open_family(struct family *f, const char *list, bool bold)
{
	FcResult result;

	f->wanted = FcPatternCreate();
	add_families(f->wanted, list);
	FcPatternAddInteger(f->wanted, FC_WEIGHT, bold ? FC_WEIGHT_BOLD : FC_WEIGHT_NORMAL);
	FcConfigSubstitute(NULL, f->wanted, FcMatchPattern);
	FcDefaultSubstitute(f->wanted);
	f->fonts = FcFontSort(NULL, f->wanted, FcTrue, NULL, &result);
	if (f->fonts && !f->fonts->nfont) {
		FcFontSetDestroy(f->fonts);
		f->fonts = NULL;
	}
	f->faces = xcalloc(f->fonts ? (size_t)f->fonts->nfont : 1, sizeof(*f->faces));
}

static void close_family(struct family *f)
{
	for (int i = 0; i < (f->fonts ? f->fonts->nfont : 1); i++)
		cairo_font_face_destroy(f->faces[i]);
	free(f->faces);
	if (f->fonts)
		FcFontSetDestroy(f->fonts);
	FcPatternDestroy(f->wanted);
}

static bool font_has(FcPattern *font, uint32_t code)
{
	FcCharSet *characters;

	return FcPatternGetCharSet(font, FC_CHARSET, 0, &characters) == FcResultMatch &&
	       FcCharSetHasChar(characters, code);
}

/* The first of f's faces that has the character; if none has, the first face, which draws a box. */
static cairo_font_face_t *find_face(struct family *f, uint32_t code)
{
	FcPattern *pattern;
	int at = 0;

	if (!f->fonts) {
		if (!f->faces[0])
			f->faces[0] = cairo_toy_font_face_create("sans-serif", CAIRO_FONT_SLANT_NORMAL,
								 CAIRO_FONT_WEIGHT_NORMAL);
		return f->faces[0];
	}
	while (at < f->fonts->nfont && !font_has(f->fonts->fonts[at], code))
		at++;
	if (at == f->fonts->nfont)
		at = 0;
	if (!f->faces[at]) {
		pattern = FcFontRenderPrepare(NULL, f->wanted, f->fonts->fonts[at]);
		f->faces[at] = cairo_ft_font_face_create_for_pattern(pattern);
		FcPatternDestroy(pattern);
	}
	return f->faces[at];
}

/* ---- characters ----------------------------------------------------------- */

/* The character to draw for code, since cairo refuses control characters and noncharacters. */
static uint32_t drawn(uint32_t code)
{
	if (code == '\t' || code == '\n' || code == '\r')
		return ' ';
	if (code < ' ' || (code >= 0x7f && code < 0xa0) || (code & 0xfffe) == 0xfffe ||
	    (code >= 0xfdd0 && code <= 0xfdef))
		return REPLACEMENT;
	return code;
}

/* Sets *code to the character at text, as it will be drawn.  Returns its length in bytes. */
static size_t cairo_font_take_char(const char *text, size_t len, uint32_t *code)
{
	size_t bytes = utf8_decode(text, len, code);

	*code = bytes ? drawn(*code) : REPLACEMENT;
	return bytes ? bytes : 1;
}

/* Append text, any bytes, in the form that cairo accepts: UTF-8 in one line, with U+FFFD for characters that
 * cannot be drawn. */
static void cairo_text_add(struct str *out, const char *text, size_t len)
{
	uint32_t code;

	for (size_t i = 0; i < len;) {
		i += cairo_font_take_char(text + i, len - i, &code);
		utf8_add(out, code);
	}
}

/* ---- measures ------------------------------------------------------------- */

static uint32_t cairo_font_measure(struct cairo_font *cf, const struct font *f, uint32_t code)
{
	cairo_font_face_t *face = find_face(&cf->family[f->bold], code);
	double size = (double)f->size_cpx / CPX, scale = cf->scale ? cf->scale : 1;
	cairo_scaled_font_t *scaled;
	cairo_text_extents_t extents;
	cairo_matrix_t matrix, device;
	struct str text = { 0 };

	cairo_matrix_init_scale(&matrix, size, size);
	cairo_matrix_init_scale(&device, scale, scale);
	scaled = cairo_scaled_font_create(face, &matrix, &device, cf->options);
	utf8_add(&text, code);
	cairo_scaled_font_text_extents(scaled, text.buf, &extents);
	cairo_scaled_font_destroy(scaled);
	str_free(&text);
	return extents.x_advance > 0 ? (uint32_t)ceil(extents.x_advance / size * 1000 - 1e-6) : 0;
}

static struct sized *find_size(struct cairo_font *cf, const struct font *f)
{
	for (size_t i = 0; i < cf->size_count; i++) {
		if (cf->sizes[i].size_cpx == f->size_cpx && cf->sizes[i].bold == f->bold)
			return &cf->sizes[i];
	}
	cf->sizes = xgrow(cf->sizes, &cf->size_cap, cf->size_count + 1, sizeof(*cf->sizes));
	cf->sizes[cf->size_count] = (struct sized){ .size_cpx = f->size_cpx, .bold = f->bold };
	return &cf->sizes[cf->size_count++];
}

static uint32_t advance(struct font_metrics *m, const struct font *f, uint32_t code)
{
	struct cairo_font *cf = (struct cairo_font *)m;
	uint16_t *known;

	code = drawn(code);
	if (code > LAST_ASCII)
		return cairo_font_measure(cf, f, code);
	known = &find_size(cf, f)->advance[code - FIRST_ASCII];
	if (!*known)
		*known = (uint16_t)cairo_font_measure(cf, f, code);
	return *known;
}

struct font_metrics *cairo_font_make(const char *family, double scale)
{
	struct cairo_font *cf = xcalloc(1, sizeof(*cf));

	cf->metrics.advance = advance;
	cf->scale = scale;
	cf->options = cairo_font_options_create();
	cairo_font_options_set_antialias(cf->options, CAIRO_ANTIALIAS_GRAY);
	if (!scale) {
		cairo_font_options_set_hint_style(cf->options, CAIRO_HINT_STYLE_NONE);
		cairo_font_options_set_hint_metrics(cf->options, CAIRO_HINT_METRICS_OFF);
	}
	for (int i = 0; i < WEIGHTS; i++)
		open_family(&cf->family[i], family, i);
	return &cf->metrics;
}

/* ---- drawing -------------------------------------------------------------- */

/* Draw text, which may be any bytes, in cairo's colour, with its baseline from x_px, y_px on; font has our metrics.
 * Blanks stand for line ends and tabs. */
static void cairo_font_show(cairo_t *cairo, const struct font *font, double x_px, double y_px, const char *text,
			    size_t len)
{
	struct cairo_font *cf = (struct cairo_font *)font->metrics;
	struct family *family = &cf->family[font->bold];
	struct str run = { 0 };
	uint32_t code;

	cairo_set_font_options(cairo, cf->options);
	cairo_move_to(cairo, x_px, y_px);
	for (size_t i = 0; i < len;) {
		cairo_font_face_t *face = NULL, *next;
		size_t bytes = cairo_font_take_char(text + i, len - i, &code);

		str_clear(&run);
		for (next = find_face(family, code); !face || face == next;) {
			face = next;
			utf8_add(&run, code);
			i += bytes;
			if (i == len)
				break;
			bytes = cairo_font_take_char(text + i, len - i, &code);
			next = find_face(family, code);
		}
		cairo_set_font_face(cairo, face);
		cairo_set_font_size(cairo, (double)font->size_cpx / CPX);
		cairo_show_text(cairo, run.buf);
	}
	str_free(&run);
}

void cairo_font_free(struct font_metrics *m)
{
	struct cairo_font *cf = (struct cairo_font *)m;

	if (!cf)
		return;
	for (int i = 0; i < WEIGHTS; i++)
		close_family(&cf->family[i]);
	cairo_font_options_destroy(cf->options);
	free(cf->sizes);
	free(cf);
}

/* ---- the canvas ---- */

#define CORNER 1.5 /* px, as flame.css has it */
#define POINTS_A_PIXEL 0.75

enum { PNG_SIDE_MAX = 32767, PNG_MEGAPIXELS_MAX = 500, PDF_SIDE_MAX = 14400 };

struct cairo_kind {
	double units_a_pixel; /* units of the surface per pixel of the picture */
	bool hinted;
	/* Open the surface for a picture of w x h units, which is written to c->file, and set *fit to the
	 * factor by which the drawing must shrink.  Returns NULL after a message. */
	cairo_surface_t *(*open)(struct cairo_canvas *c, double w, double h, double *fit);
	cairo_status_t (*write)(struct cairo_canvas *c, const struct cairo_about *about);
};

static cairo_t *cairo_of(struct canvas *c)
{
	return ((struct cairo_canvas *)c)->cairo;
}

static double px(int32_t cpx)
{
	return (double)cpx / CPX;
}

static double cairo_canvas_red(uint32_t rgb)
{
	return (rgb >> 16 & 255) / 255.0;
}

static double cairo_canvas_green(uint32_t rgb)
{
	return (rgb >> 8 & 255) / 255.0;
}

static double cairo_canvas_blue(uint32_t rgb)
{
	return (rgb & 255) / 255.0;
}

static void set_colour(cairo_t *cairo, uint32_t rgb)
{
	cairo_set_source_rgb(cairo, cairo_canvas_red(rgb), cairo_canvas_green(rgb), cairo_canvas_blue(rgb));
}

/* ---- canvas --------------------------------------------------------------- */

static void cairo_canvas_draw_shape(struct canvas *c, const struct area *areas, size_t count, uint32_t rgb)
{
	cairo_t *cairo = cairo_of(c);

	set_colour(cairo, rgb);
	for (size_t i = 0; i < count; i++)
		cairo_rectangle(cairo, px(areas[i].x), px(areas[i].y), px(areas[i].w), px(areas[i].h));
	cairo_fill(cairo);
}

static void cairo_canvas_draw_rect(struct canvas *c, const struct area *a, uint32_t rgb, const char *tip,
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
	cairo_close_path(cairo);
	set_colour(cairo, rgb);
	cairo_fill_preserve(cairo);
	if (c->stroke_rgb) {
		set_colour(cairo, *c->stroke_rgb);
		cairo_set_line_width(cairo, 1);
		cairo_stroke_preserve(cairo);
	}
	cairo_new_path(cairo);
}

static void cairo_canvas_draw_image(struct canvas *c, const struct area *a, const struct pixels *p, const char *tip,
				    size_t tip_len)
{
	cairo_surface_t *image = cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)p->columns, (int)p->rows);
	int stride = cairo_image_surface_get_stride(image);
	unsigned char *data = cairo_image_surface_get_data(image);
	cairo_t *cairo = cairo_of(c);

	(void)tip, (void)tip_len;
	for (uint32_t y = 0; data && y < p->rows; y++)
		memcpy(data + (size_t)y * (size_t)stride, p->rgb + (size_t)y * p->columns,
		       p->columns * sizeof(*p->rgb));
	cairo_surface_mark_dirty(image);
	cairo_save(cairo);
	cairo_new_path(cairo);
	cairo_rectangle(cairo, px(a->x), px(a->y), px(a->w), px(a->h));
	cairo_clip(cairo);
	cairo_translate(cairo, px(a->x), px(a->y));
	cairo_scale(cairo, px(a->w) / p->columns, px(a->h) / p->rows);
	cairo_set_source_surface(cairo, image, 0, 0);
	cairo_pattern_set_filter(cairo_get_source(cairo), CAIRO_FILTER_NEAREST);
	cairo_pattern_set_extend(cairo_get_source(cairo), CAIRO_EXTEND_PAD);
	cairo_paint(cairo);
	cairo_restore(cairo);
	cairo_surface_destroy(image);
}

/* Clip to the areas, and draw the lines x + y = n * CANVAS_HATCH, which are the same in the whole picture, so that the
 * hatching of adjacent areas joins. */
static void cairo_canvas_draw_hatch(struct canvas *c, const struct area *areas, size_t count)
{
	double step = px(CANVAS_HATCH), left, top, right, bottom;
	cairo_t *cairo = cairo_of(c);

	if (!count)
		return;
	cairo_save(cairo);
	cairo_new_path(cairo);
	for (size_t i = 0; i < count; i++)
		cairo_rectangle(cairo, px(areas[i].x), px(areas[i].y), px(areas[i].w), px(areas[i].h));
	cairo_clip(cairo);
	cairo_clip_extents(cairo, &left, &top, &right, &bottom);
	for (double sum = floor((left + top) / step) * step; sum <= right + bottom; sum += step) {
		cairo_move_to(cairo, sum - top, top);
		cairo_line_to(cairo, sum - bottom, bottom);
	}
	set_colour(cairo, canvas_hatch_rgb(c->theme));
	cairo_set_line_width(cairo, 1);
	cairo_stroke(cairo);
	cairo_restore(cairo);
}

static void cairo_canvas_draw_line(struct canvas *c, const struct point *points, size_t count, int32_t w_cpx,
				   uint32_t rgb)
{
	cairo_t *cairo = cairo_of(c);

	cairo_new_path(cairo); /* a text leaves a current point */
	for (size_t i = 0; i < count; i++)
		cairo_line_to(cairo, px(points[i].x), px(points[i].y));
	cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
	cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND);
	cairo_set_line_width(cairo, px(w_cpx));
	set_colour(cairo, rgb);
	cairo_stroke(cairo);
}

static void cairo_canvas_draw_text(struct canvas *c, enum text_role role, int32_t x, int32_t y, const char *text,
				   size_t len)
{
	struct font font = canvas_font(&c->font, role);

	set_colour(cairo_of(c), c->theme->text[role]);
	cairo_font_show(cairo_of(c), &font, px(x), px(y), text, len);
}

static void cairo_canvas_open_group(struct canvas *c, const char *id)
{
	(void)c, (void)id;
}

static void cairo_canvas_close_group(struct canvas *c)
{
	(void)c;
}

static void draw_background(struct cairo_canvas *c, const struct background *b)
{
	cairo_pattern_t *sky = cairo_pattern_create_linear(0, 0, 0, px(c->canvas.h));

	cairo_pattern_add_color_stop_rgb(sky, 0.05, cairo_canvas_red(b->top), cairo_canvas_green(b->top),
					 cairo_canvas_blue(b->top));
	cairo_pattern_add_color_stop_rgb(sky, 0.95, cairo_canvas_red(b->bottom), cairo_canvas_green(b->bottom),
					 cairo_canvas_blue(b->bottom));
	if (b->top == b->bottom)
		set_colour(c->cairo, b->top);
	else
		cairo_set_source(c->cairo, sky);
	cairo_paint(c->cairo);
	cairo_pattern_destroy(sky);
}

/* ---- kinds ---------------------------------------------------------------- */

static cairo_status_t write_bytes(void *file, const unsigned char *bytes, unsigned len)
{
	return fwrite(bytes, 1, len, file) == len ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

static cairo_surface_t *open_png(struct cairo_canvas *c, double w, double h, double *fit)
{
	bool high = h > PNG_SIDE_MAX || (w <= PNG_SIDE_MAX && h > w);

	(void)c;
	*fit = 1;
	w = ceil(w);
	h = ceil(h);
	if (w <= PNG_SIDE_MAX && h <= PNG_SIDE_MAX && w * h <= PNG_MEGAPIXELS_MAX * 1e6)
		return cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)w, (int)h);
	error("a PNG can be %d pixels wide and high, %d million in all, not %.0fx%.0f; lower --scale "
	      "or --%s, or make an SVG or a PDF",
	      PNG_SIDE_MAX, PNG_MEGAPIXELS_MAX, w, h, high ? "height" : "width");
	return NULL;
}

static cairo_status_t write_png(struct cairo_canvas *c, const struct cairo_about *about)
{
	(void)about;
	return cairo_surface_write_to_png_stream(c->surface, write_bytes, c->file);
}

static cairo_surface_t *open_pdf(struct cairo_canvas *c, double w, double h, double *fit)
{
	double longer = w > h ? w : h;

	*fit = longer > PDF_SIDE_MAX ? PDF_SIDE_MAX / longer : 1;
	return cairo_pdf_surface_create_for_stream(write_bytes, c->file, w * *fit, h * *fit);
}

/* Without this, cairo would write the current time, so that the same input would give different bytes each time.  A
 * text that is not a date leaves the date out; cairo does not accept fractions of seconds. */
static void set_date(cairo_surface_t *surface, const char *created)
{
	char date[32] = "";

	if (created && strlen(created) > 19 && created[strlen(created) - 1] == 'Z')
		snprintf(date, sizeof(date), "%.19sZ", created);
	cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, date);
}

static void cairo_canvas_set_text(cairo_surface_t *surface, cairo_pdf_metadata_t what, const char *text)
{
	struct str clean = { 0 };

	if (!text)
		return;
	cairo_text_add(&clean, text, strlen(text));
	cairo_pdf_surface_set_metadata(surface, what, str_text(&clean));
	str_free(&clean);
}

static cairo_status_t write_pdf(struct cairo_canvas *c, const struct cairo_about *about)
{
	cairo_canvas_set_text(c->surface, CAIRO_PDF_METADATA_TITLE, about->title);
	cairo_canvas_set_text(c->surface, CAIRO_PDF_METADATA_SUBJECT, about->subject);
	cairo_canvas_set_text(c->surface, CAIRO_PDF_METADATA_CREATOR, "pyrograph");
	set_date(c->surface, about->created);
	cairo_surface_finish(c->surface);
	return cairo_surface_status(c->surface);
}

const struct cairo_kind cairo_png = { 1, true, open_png, write_png };
const struct cairo_kind cairo_pdf = { POINTS_A_PIXEL, false, open_pdf, write_pdf };

double cairo_hinting_scale(const struct cairo_kind *kind, double scale)
{
	return kind->hinted ? scale : 0;
}

/* ---- file ----------------------------------------------------------------- */

/* Are fewer files allowed to be open than fonts need at once? */
static bool cairo_canvas_has_few_files(void)
{
	enum { FONTS_TAKE = 8 };
	int files[FONTS_TAKE], count = 0;
	bool few;

	while (count < FONTS_TAKE && (files[count] = open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0)
		count++;
	few = count < FONTS_TAKE && errno == EMFILE;
	while (count)
		close(files[--count]);
	return few;
}

/* Cairo reports lack of memory even if the cause is that the files of fonts cannot be opened.  Returns -1. */
static int cairo_canvas_failed(cairo_status_t status)
{
	struct rlimit files = { 0 };

	getrlimit(RLIMIT_NOFILE, &files);
	if (status == CAIRO_STATUS_NO_MEMORY && cairo_canvas_has_few_files())
		return error("fonts: Too many open files: this process may have %ju (ulimit -n)",
			     (uintmax_t)files.rlim_cur);
	return error("cairo: %s", cairo_status_to_string(status));
}

int cairo_canvas_open(struct cairo_canvas *c, const struct cairo_kind *kind, int32_t w_cpx, int32_t h_cpx, double scale,
		      const struct font *font, const struct theme *theme, const struct background *background,
		      FILE *out)
{
	double fit;

	*c = (struct cairo_canvas){
		.canvas = {
			.w = w_cpx, .h = h_cpx, .font = *font, .theme = theme,
			.rect = cairo_canvas_draw_rect, .shape = cairo_canvas_draw_shape,
			.text = cairo_canvas_draw_text, .image = cairo_canvas_draw_image,
			.hatch = cairo_canvas_draw_hatch, .line = cairo_canvas_draw_line,
			.open_group = cairo_canvas_open_group, .close_group = cairo_canvas_close_group,
		},
		.file = out,
	};
	scale *= kind->units_a_pixel;
	c->surface = kind->open(c, px(w_cpx) * scale, px(h_cpx) * scale, &fit);
	if (!c->surface)
		return -1;
	c->cairo = cairo_create(c->surface);
	if (cairo_status(c->cairo))
		return cairo_canvas_failed(cairo_status(c->cairo));
	cairo_scale(c->cairo, scale * fit, scale * fit);
	draw_background(c, background);
	return 0;
}

int cairo_canvas_write(struct cairo_canvas *c, const struct cairo_kind *kind, const struct cairo_about *about)
{
	cairo_status_t status = cairo_status(c->cairo);

	if (!status)
		status = kind->write(c, about);
	if (status && status != CAIRO_STATUS_WRITE_ERROR)
		return cairo_canvas_failed(status);
	return 0;
}

void cairo_canvas_free(struct cairo_canvas *c)
{
	if (!c)
		return;
	if (c->cairo)
		cairo_destroy(c->cairo);
	if (c->surface)
		cairo_surface_destroy(c->surface);
	*c = (struct cairo_canvas){ 0 };
}
