#include "render/drawing/theme.h"

#include <string.h>

/* Frames are equally light in both themes, so their labels are black in both. */
static const struct theme themes[] = {
	{
		.name = "light",
		.text = {
			[TEXT_FRAME] = 0x000000, [TEXT_TITLE] = 0x1a1a1a, [TEXT_NOTE] = 0x5c5c5c,
			[TEXT_DOUBT] = 0x5c5c5c, [TEXT_ALARM] = 0xb00020, [TEXT_DETAILS] = 0x1a1a1a,
		},
		.root = 0xdcdcdc,
		.background = { "white", 0xffffff, 0xffffff },
	},
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
