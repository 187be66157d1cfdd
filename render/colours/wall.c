#include "render/colours/wall.h"

#include <stdlib.h>

#include "core/memory.h"

enum { SHADES = 4, SHADE_PARTS = 16, CRUMB_SHADE = 6, PARTS = 256, CRUMB_PARTS = 4 };

/* The mixture of a frame in so many parts of the whole; the running time has what rounding leaves. */
static uint32_t mixture(const struct wall_colouring *w, uint32_t frame, unsigned parts, unsigned shade)
{
	unsigned rest = parts, part[WALL_KINDS];
	uint32_t rgb = 0;

	for (unsigned k = WALL_RUNNABLE; k < WALL_KINDS; k++) {
		part[k] = (unsigned)((__uint128_t)w->times[frame][k] * parts / w->tree->frames[frame].total);
		rest -= part[k];
	}
	part[WALL_RUNNING] = rest;
	for (int shift = 16; shift >= 0; shift -= 8) {
		uint32_t sum = 0;

		for (unsigned k = 0; k < WALL_KINDS; k++)
			sum += (wall_kinds[k].rgb >> shift & 255) * part[k];
		rgb = rgb << 8 | sum / parts;
	}
	return colour_between(rgb, 0xffffff, shade, SHADE_PARTS);
}

/* Neighbours differ a little, by their names. */
static uint32_t wall_box(const struct colouring *c, uint32_t frame)
{
	const struct wall_colouring *w = (const struct wall_colouring *)c;
	uint32_t rgb = w->by_name->box(w->by_name, frame);

	return mixture(w, frame, PARTS, ((rgb >> 16) + (rgb >> 8 & 255) + (rgb & 255)) % SHADES);
}

static uint32_t wall_crumb(const struct colouring *c, uint32_t frame)
{
	return mixture((const struct wall_colouring *)c, frame, CRUMB_PARTS, CRUMB_SHADE);
}

/* Add the own time of each frame to that of its kind, which is its own or that of the frames below it; then to those of
 * its callers. */
static void colours_wall_add_times(struct wall_colouring *w, const struct tree *t, const uint8_t *kind_of_name)
{
	uint8_t *kinds = xcalloc(t->count, sizeof(*kinds));

	for (uint32_t i = 1; i < t->count; i++)
		kinds[i] = kind_of_name[t->frames[i].name] ?: kinds[t->frames[i].parent];
	for (uint32_t i = t->count; i--;) {
		uint64_t own = t->frames[i].total;

		for (uint32_t c = i + 1; c < t->frames[i].end; c = t->frames[c].end)
			own -= t->frames[c].total;
		w->times[i][kinds[i]] += own;
		for (unsigned k = 0; i && k < WALL_KINDS; k++)
			w->times[t->frames[i].parent][k] += w->times[i][k];
	}
	free(kinds);
}

void wall_colouring_make(struct wall_colouring *w, const struct colouring *by_name, const struct tree *t,
			 const struct profile *p)
{
	uint8_t *kind_of_name = xcalloc(p->names.count, sizeof(*kind_of_name));

	*w = (struct wall_colouring){ { wall_box, wall_crumb, NULL }, by_name, t, NULL };
	for (uint32_t n = 0; n < p->names.count; n++)
		kind_of_name[n] = (uint8_t)wall_kind_called(intern_text(&p->names, n), intern_len(&p->names, n));
	w->times = xcalloc(t->count, sizeof(*w->times));
	colours_wall_add_times(w, t, kind_of_name);
	free(kind_of_name);
}

void wall_settings(struct str *out)
{
	str_puts(out, ",\"wall\":[");
	for (unsigned k = 0; k < WALL_KINDS; k++)
		str_addf(out, "%s[\"%s\",\"#%06x\"]", k ? "," : "", wall_kinds[k].label, wall_kinds[k].rgb);
	str_addc(out, ']');
}

void wall_colouring_free(struct wall_colouring *w)
{
	if (!w)
		return;
	free(w->times);
	*w = (struct wall_colouring){ 0 };
}
