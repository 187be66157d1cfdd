#include "render/colours/waits.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

/* Black text has a contrast of at least 7:1 on all of them.  In timelines they stand beside the states of threads: each
 * differs from each other one, and from those states, by 17 (CIE76) or more; but work is as quiet as idle. */
const struct wait_kind wait_kinds[] = { { "[lock]", "lock", 0xc78bee, 0xb2489a },
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
