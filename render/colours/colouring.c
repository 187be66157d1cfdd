#include "render/colours/colouring.h"

#include <stdlib.h>

#include "core/memory.h"

uint32_t colour_between(uint32_t a, uint32_t b, uint64_t part, uint64_t whole)
{
	uint32_t rgb = 0;

	for (int shift = 16; shift >= 0; shift -= 8) {
		__uint128_t from = a >> shift & 255, to = b >> shift & 255;

		rgb = rgb << 8 | (uint32_t)((from * (whole - part) + to * part) / whole);
	}
	return rgb;
}

static uint32_t name_box(const struct colouring *c, uint32_t frame)
{
	const struct name_colouring *n = (const struct name_colouring *)c;
	uint32_t name = n->tree->frames[frame].name;

	return palette_colour(n->palette, intern_text(&n->profile->names, name), intern_len(&n->profile->names, name));
}

static uint32_t name_crumb(const struct colouring *c, uint32_t frame)
{
	const struct name_colouring *n = (const struct name_colouring *)c;

	return n->crumb_rgb[n->tree->frames[frame].name];
}

void name_colouring_make(struct name_colouring *n, const struct profile *p, const struct tree *t,
			 const struct palette *palette)
{
	*n = (struct name_colouring){ { name_box, name_crumb, NULL }, p, t, palette, NULL };
	n->crumb_rgb = xcalloc(p->names.count, sizeof(*n->crumb_rgb));
	for (uint32_t i = 0; i < p->names.count; i++)
		n->crumb_rgb[i] = palette_crumb(palette, intern_text(&p->names, i), intern_len(&p->names, i));
}

void name_colouring_free(struct name_colouring *n)
{
	if (!n)
		return;
	free(n->crumb_rgb);
	*n = (struct name_colouring){ 0 };
}

static uint32_t width_box(const struct colouring *c, uint32_t frame)
{
	const struct frame *frames = ((const struct width_colouring *)c)->tree->frames;

	return palette_diffusion(frames[frame].total, frames[0].total);
}

static uint32_t width_crumb(const struct colouring *c, uint32_t frame)
{
	(void)c, (void)frame;
	return palette_diffusion(0, 1);
}

void width_colouring_make(struct width_colouring *w, const struct tree *t)
{
	*w = (struct width_colouring){ { width_box, width_crumb, NULL }, t };
}
