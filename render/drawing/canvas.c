#include "render/drawing/canvas.h"

#include <string.h>

#include "render/colours/hue.h"

struct text_style canvas_style(const struct font *font, enum text_role role)
{
	int32_t size = font->size_cpx;

	switch (role) {
	case TEXT_TITLE: return (struct text_style){ "title", size + 5 * CPX, false };
	case TEXT_NOTE: return (struct text_style){ "note", size, false };
	case TEXT_DOUBT: return (struct text_style){ "doubt", size, false };
	case TEXT_ALARM: return (struct text_style){ "alarm", size, true };
	case TEXT_DETAILS: return (struct text_style){ "details", size, false };
	default: return (struct text_style){ "frame", size, false };
	}
}

struct font canvas_font(const struct font *font, enum text_role role)
{
	struct text_style style = canvas_style(font, role);
	struct font f = *font;

	f.size_cpx = style.size_cpx;
	f.bold = style.bold;
	return f;
}

uint32_t canvas_hatch_rgb(const struct theme *theme)
{
	return theme_tint(theme, CANVAS_HATCH_PART);
}

uint32_t theme_tint(const struct theme *theme, double part)
{
	return hue_between(theme->background.top, theme->text[TEXT_DETAILS], part);
}

uint32_t canvas_pair(struct canvas *c, uint32_t rgb, uint32_t dark_rgb)
{
	if (c->pair && c->theme->dark)
		c->pair(c, rgb, dark_rgb);
	return rgb;
}

uint32_t canvas_tint(struct canvas *c, double part)
{
	uint32_t rgb = theme_tint(c->theme, part);

	return c->theme->dark ? canvas_pair(c, rgb, theme_tint(c->theme->dark, part)) : rgb;
}

int32_t baseline(int32_t top, int32_t height, int32_t size_cpx)
{
	return top + height / 2 + size_cpx * 36 / 100; /* half of the height of capitals */
}

/* ---- themes ---- */

/* Frames are equally light in both themes, so their labels are black in both. */
#define LIGHT_COLOURS                                                                            \
	.text = { [TEXT_FRAME] = 0x000000, [TEXT_TITLE] = 0x1a1a1a, [TEXT_NOTE] = 0x5c5c5c,      \
		  [TEXT_DOUBT] = 0x5c5c5c, [TEXT_ALARM] = 0xb00020, [TEXT_DETAILS] = 0x1a1a1a }, \
	.root = 0xdcdcdc, .background = { "white", 0xffffff, 0xffffff }

static const struct theme themes[] = {
	{ .name = "auto", LIGHT_COLOURS, .dark = &themes[2] },
	{ .name = "light", LIGHT_COLOURS },
	{
		.name = "dark",
		.text = {
			[TEXT_FRAME] = 0x000000, [TEXT_TITLE] = 0xececec, [TEXT_NOTE] = 0xa6a6a6,
			[TEXT_DOUBT] = 0xa6a6a6, [TEXT_ALARM] = 0xff7b7b, [TEXT_DETAILS] = 0xececec,
		},
		.root = 0xb4b4b4,
		.background = { "dark", 0x17191d, 0x17191d },
	},
	{0}
};

const struct theme *theme_find(const char *name)
{
	for (const struct theme *t = themes; t->name; t++) {
		if (!strcmp(t->name, name))
			return t;
	}
	return NULL;
}

const struct theme *theme_default(void)
{
	return &themes[0];
}
