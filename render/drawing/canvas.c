#include "render/drawing/canvas.h"

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
	return hue_between(theme->background.top, theme->text[TEXT_DETAILS], 0.45);
}

int32_t baseline(int32_t top, int32_t height, int32_t size_cpx)
{
	return top + height / 2 + size_cpx * 36 / 100; /* half of the height of capitals */
}
