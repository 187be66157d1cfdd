#include "render/canvas.h"

struct text_style canvas_style(const struct font *font, enum text_role role)
{
	int32_t size = font->size_cpx;

	switch (role) {
	case TEXT_FRAME: return (struct text_style){ "frame", size, 0x000000, 0 };
	case TEXT_TITLE: return (struct text_style){ "title", size + 5 * CPX, 0x1a1a1a, 0 };
	case TEXT_NOTE: return (struct text_style){ "note", size, 0x5c5c5c, 0 };
	case TEXT_ALARM: return (struct text_style){ "alarm", size, 0xb00020, 1 };
	case TEXT_DETAILS: return (struct text_style){ "details", size, 0x1a1a1a, 0 };
	}
	return (struct text_style){ "frame", size, 0x000000, 0 };
}

uint32_t canvas_text_rgb(const struct canvas *c, enum text_role role)
{
	if (c->text_rgb && role != TEXT_FRAME && role != TEXT_ALARM)
		return *c->text_rgb;
	return canvas_style(&c->font, role).rgb;
}

int32_t baseline(int32_t top, int32_t height, int32_t size_cpx)
{
	return top + height / 2 + size_cpx * 36 / 100; /* half of what capitals are high */
}
