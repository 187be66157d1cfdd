#include "render/drawing/cairo_font.h"

#include <cairo-ft.h>
#include <fontconfig/fontconfig.h>
#include <math.h>
#include <stdlib.h>

#include "core/memory.h"
#include "core/utf8.h"

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

/* The first of f's faces that has the character; if no face has it, the first face, which draws a box. */
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

/* The character that is drawn for code: cairo refuses control characters and noncharacters. */
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

void cairo_text_add(struct str *out, const char *text, size_t len)
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

void cairo_font_show(cairo_t *cairo, const struct font *font, double x_px, double y_px, const char *text, size_t len)
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
