#include "render/drawing/legend.h"

#include <stdlib.h>

#include "core/markup.h"
#include "core/memory.h"
#include "render/drawing/svg.h"

enum { SWATCH_W = 20 * CPX, TEXT_GAP = 5 * CPX, ENTRY_GAP = 14 * CPX };

void legend_add_pair(struct legend *l, uint32_t rgb, uint32_t dark_rgb, const char *text)
{
	l->entries = xgrow(l->entries, &l->cap, l->count + 1, sizeof(*l->entries));
	l->entries[l->count++] = (struct legend_entry){ rgb, dark_rgb, xstrdup(text), false };
}

void legend_add(struct legend *l, uint32_t rgb, const char *text)
{
	legend_add_pair(l, rgb, rgb, text);
}

void legend_add_hatched(struct legend *l, uint32_t rgb, uint32_t dark_rgb, const char *text)
{
	legend_add_pair(l, rgb, dark_rgb, text);
	l->entries[l->count - 1].hatched = true;
}

static int32_t row_height(const struct font *font)
{
	return font->size_cpx * 3 / 2;
}

static int32_t entry_width(const struct legend_entry *e, const struct font *font)
{
	size_t len = strlen(e->text);

	if (!len)
		return SWATCH_W;
	return SWATCH_W + TEXT_GAP + (int32_t)font_width(font, e->text, len) + ENTRY_GAP;
}

static bool legend_has_text(const struct legend_entry *e)
{
	return *e->text;
}

/* The width from entry i to the next one with a text, which describes all of these, since a gradient must not be
 * broken. */
static int32_t group_width(const struct legend *l, const struct font *font, size_t i)
{
	int32_t width = 0;

	do {
		width += entry_width(&l->entries[i], font);
	} while (!legend_has_text(&l->entries[i]) && ++i < l->count);
	return i < l->count ? width - ENTRY_GAP : width;
}

/* Move *x, *y from the place of entry i - 1 to that of entry i, a row down where the width ends. */
static void legend_place(const struct legend *l, const struct font *font, int32_t width, size_t i, int32_t *x,
			 int32_t *y)
{
	bool begins = !i || legend_has_text(&l->entries[i - 1]);

	if (i)
		*x += entry_width(&l->entries[i - 1], font);
	if (*x && (begins ? *x + group_width(l, font, i) > width : *x + SWATCH_W > width)) {
		*x = 0;
		*y += row_height(font);
	}
}

int32_t legend_height(const struct legend *l, const struct font *font, int32_t width_cpx)
{
	int32_t x = 0, y = 0;

	for (size_t i = 0; i < l->count; i++)
		legend_place(l, font, width_cpx, i, &x, &y);
	return l->count ? y + row_height(font) : 0;
}

void legend_draw(const struct legend *l, struct canvas *c, int32_t x, int32_t y, int32_t width_cpx)
{
	int32_t height = row_height(&c->font), dx = 0, dy = 0;
	uint32_t outline = canvas_tint(c, CANVAS_HATCH_PART); /* for swatches in the colour of the background */
	struct str cut = { 0 };

	if (!l->count)
		return;
	c->open_group(c, "legend");
	for (size_t i = 0; i < l->count; i++) {
		const struct legend_entry *e = &l->entries[i];
		struct area swatch;

		legend_place(l, &c->font, width_cpx, i, &dx, &dy);
		swatch = (struct area){ x + dx, y + dy + height / 6, SWATCH_W, height * 2 / 3 };
		c->stroke_rgb = e->rgb == c->theme->background.top ? &outline : NULL;
		c->rect(c, &swatch, e->dark_rgb == e->rgb ? e->rgb : canvas_pair(c, e->rgb, e->dark_rgb), NULL, 0);
		c->stroke_rgb = NULL;
		if (e->hatched)
			c->hatch(c, &swatch, 1);
		str_clear(&cut);
		font_fit(&cut, &c->font, e->text, strlen(e->text), width_cpx - dx - SWATCH_W - TEXT_GAP, 1);
		if (cut.len)
			c->text(c, TEXT_NOTE, x + dx + SWATCH_W + TEXT_GAP, baseline(y + dy, height, c->font.size_cpx),
				cut.buf, cut.len);
	}
	c->close_group(c);
	str_free(&cut);
}

void legend_json(const struct legend *l, struct str *out)
{
	str_addc(out, '[');
	for (size_t i = 0; i < l->count; i++) {
		str_puts(out, i ? ",[\"" : "[\"");
		rgb_add(out, l->entries[i].rgb);
		str_puts(out, "\",");
		json_puts(out, l->entries[i].text);
		str_addc(out, ']');
	}
	str_addc(out, ']');
}

void legend_free(struct legend *l)
{
	if (!l)
		return;
	for (size_t i = 0; i < l->count; i++)
		free(l->entries[i].text);
	free(l->entries);
	*l = (struct legend){ 0 };
}
