/* theme: the colours of everything in a picture except the frames.
 *
 * To add one: a row in theme.c. */
#ifndef RENDER_THEME_H
#define RENDER_THEME_H

#include <stdint.h>

#include "render/colours/palette.h"

/* The purpose of a text, from which canvas_style() derives its look. */
enum text_role { TEXT_FRAME, TEXT_TITLE, TEXT_NOTE, TEXT_DOUBT, TEXT_ALARM, TEXT_DETAILS, TEXT_ROLES };

struct theme {
	const char *name;
	uint32_t text[TEXT_ROLES];    /* 0xrrggbb; contrast to the background at least 4.5:1 */
	uint32_t root;                /* of the root frame, "all" */
	struct background background; /* unless the user chose another one */
};

/* The theme called name; NULL if there is no such theme. */
const struct theme *theme_find(const char *name);

/* The theme for pictures made without --theme. */
const struct theme *theme_default(void);

#endif
