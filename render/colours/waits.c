#include "render/colours/waits.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

/* Black text has a contrast of at least 7:1 on all of them.  In timelines they appear beside the states of threads:
 * each differs from the others, and from those states, by 17 (CIE76) or more; except that work is as pale as idle. */
const struct wait_kind wait_kinds[] = { { "[lock]", "lock", 0xc78bee, 0xb2489a },
					{ "[GIL]", "GIL", 0xec70f0, 0xa98ae6 },
					{ "[thread]", "another thread", 0xe3bdf2, 0xdba3c9 },
					{ "[process]", "another process", 0xdcae7c, 0xc3c6e8 },
					{ "[network]", "network", 0x4fb8cf, 0x7fbfd6 },
					{ "[I/O]", "I/O", 0xf7d448, 0xf0e442 },
					{ "[page fault]", "page fault", 0xc9cf5f, 0xd9c27a },
					{ "[pause]", "JVM pause", 0xf58cc4, 0xcc79a7 },
					{ "[sleep]", "sleep, timer", 0x8fd9bd, 0x8ccfbb },
					{ "[work]", "waiting for work", 0xb9bec8, 0xb9bec8 },
					{ "[unknown wait]", "unknown wait", 0xcbb8a5, 0xc8c8c8 },
					{ "--", "woken by", 0xa6e3ea, 0xa6e3ea },
					{ 0 } };

enum { SHADES = 4, SHADE_PARTS = 16, CRUMB_SHADE = 6 };

static uint32_t waits_rgb_of(const struct wait_colouring *w, uint32_t frame, unsigned shade)
{
	return colour_between(wait_kinds[w->kind[frame] - 1].rgb, 0xffffff, shade, SHADE_PARTS);
}

/* Neighbours differ a little, by their names. */
static uint32_t wait_box(const struct colouring *c, uint32_t frame)
{
	const struct wait_colouring *w = (const struct wait_colouring *)c;
	uint32_t rgb = w->by_name->box(w->by_name, frame);

	return w->kind[frame] ? waits_rgb_of(w, frame, ((rgb >> 16) + (rgb >> 8 & 255) + (rgb & 255)) % SHADES) : rgb;
}

static uint32_t wait_crumb(const struct colouring *c, uint32_t frame)
{
	const struct wait_colouring *w = (const struct wait_colouring *)c;

	return w->kind[frame] ? waits_rgb_of(w, frame, CRUMB_SHADE) : w->by_name->crumb(w->by_name, frame);
}

const struct wait_kind *wait_kind_called(const char *name, size_t len)
{
	const struct wait_kind *kind = wait_kinds;

	while (kind->frame && (strlen(kind->frame) != len || memcmp(kind->frame, name, len)))
		kind++;
	return kind->frame ? kind : NULL;
}

static uint8_t number_called(const char *name, size_t len)
{
	const struct wait_kind *kind = wait_kind_called(name, len);

	return kind ? (uint8_t)(kind - wait_kinds + 1) : 0;
}

void wait_colouring_make(struct wait_colouring *w, const struct colouring *by_name, const struct tree *t,
			 const struct profile *p)
{
	uint8_t *by_number = xcalloc(p->names.count, sizeof(*by_number));

	*w = (struct wait_colouring){ { wait_box, wait_crumb, NULL }, by_name, t, NULL };
	for (uint32_t n = 0; n < p->names.count; n++)
		by_number[n] = number_called(intern_text(&p->names, n), intern_len(&p->names, n));
	w->kind = xcalloc(t->count, sizeof(*w->kind));
	for (uint32_t i = 1; i < t->count; i++)
		w->kind[i] = by_number[t->frames[i].name] ?: w->kind[t->frames[i].parent];
	free(by_number);
}

bool wait_colouring_has(const struct wait_colouring *w, uint32_t root, size_t kind)
{
	for (uint32_t i = root; i < w->tree->frames[root].end; i++) {
		if (w->kind[i] == kind + 1)
			return true;
	}
	return false;
}

void wait_kinds_settings(struct str *out)
{
	str_puts(out, ",\"waits\":[");
	for (const struct wait_kind *k = wait_kinds; k->frame; k++)
		str_addf(out, "%s[\"%s\",\"%s\",\"#%06x\"]", k == wait_kinds ? "" : ",", k->frame, k->label, k->rgb);
	str_addc(out, ']');
}

void wait_colouring_free(struct wait_colouring *w)
{
	if (!w)
		return;
	free(w->kind);
	*w = (struct wait_colouring){ 0 };
}

/* ---- wall ---- */

enum { PARTS = 256, CRUMB_PARTS = 4 };

/* The mixed colour for a frame with these parts of the whole; running time absorbs the rounding error. */
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

/* Add each frame's own time to its kind, which is its own or that of a frame below it; then pass the times on to its
 * callers. */
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
