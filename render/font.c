#include "render/font.h"

#include <math.h>
#include <strings.h>

#include "core/utf8.h"

/* Thousandths of an em of ' ' .. '~': max(Verdana, DejaVu Sans). */
static const uint16_t advances[] = {
	352, 401, 460, 838, 636, 1076, 780, 275, 454, 454, 636, 838, 364, 454, 364, 454,
	636, 636, 636, 636, 636, 636, 636, 636, 636, 636, 454, 454, 838, 838, 838, 545,
	1000, 684, 686, 698, 771, 632, 575, 775, 752, 421, 455, 693, 557, 863, 748, 787,
	603, 787, 695, 684, 616, 732, 684, 989, 685, 615, 685, 454, 454, 454, 838, 636,
	636, 613, 635, 550, 635, 615, 352, 635, 634, 278, 344, 592, 278, 974, 634, 612,
	635, 635, 427, 521, 394, 634, 592, 818, 592, 592, 525, 636, 454, 636, 838,
};

enum {
	MONOSPACE_ADVANCE = 602, /* DejaVu Sans Mono, Menlo, Courier: 600 or 602 */
	WIDEST_ADVANCE = 1100,   /* of what is not in the table */
};

struct font font_make(const char *family, double size_px)
{
	return (struct font){
		.family = family,
		.size_cpx = (int32_t)lround(size_px * CPX),
		.monospace = strcasestr(family, "mono") || strcasestr(family, "courier"),
	};
}

uint32_t font_advance(const struct font *f, uint32_t code)
{
	if (f->fixed_advance)
		return f->fixed_advance;
	if (code < ' ' || code > '~')
		return WIDEST_ADVANCE;
	return f->monospace ? MONOSPACE_ADVANCE : advances[code - ' '];
}

/* The character at text, its advance, and its length in bytes. */
static size_t measure(const struct font *f, const char *text, size_t len, uint32_t *advance)
{
	uint32_t code;
	size_t bytes = utf8_decode(text, len, &code);

	*advance = font_advance(f, bytes ? code : 0xfffd);
	return bytes ? bytes : 1;
}

int64_t font_width(const struct font *f, const char *text, size_t len)
{
	uint64_t sum = 0;
	uint32_t advance;

	for (size_t i = 0; i < len; sum += advance)
		i += measure(f, text + i, len - i, &advance);
	return (int64_t)(sum * (uint64_t)f->size_cpx / 1000);
}

void font_fit(struct str *out, const struct font *f, const char *text, size_t len,
	      int64_t room_cpx, unsigned min_chars)
{
	uint64_t room = room_cpx > 0 ? (uint64_t)room_cpx * 1000 / (uint64_t)f->size_cpx : 0;
	uint64_t dots = 2 * font_advance(f, '.'), sum = 0;
	size_t cut = 0, chars_cut = 0, chars = 0;
	uint32_t advance;

	for (size_t i = 0; i < len; chars++) {
		i += measure(f, text + i, len - i, &advance);
		sum += advance;
		if (sum > room)
			break;
		if (sum + dots <= room) {
			cut = i;
			chars_cut = chars + 1;
		}
	}
	if (sum <= room) {
		str_add(out, text, len);
	} else if (chars_cut >= min_chars) {
		str_add(out, text, cut);
		str_puts(out, "..");
	}
}

void font_fit_end(struct str *out, const struct font *f, const char *text, size_t len,
		  int64_t room_cpx, unsigned min_chars)
{
	int64_t size = f->size_cpx, room = room_cpx > 0 ? room_cpx * 1000 / size : 0;
	int64_t width = 0, dots = 2 * font_advance(f, '.');
	size_t cut = 0, chars = 0;
	uint32_t advance;

	for (size_t i = 0; i < len; chars++, width += advance)
		i += measure(f, text + i, len - i, &advance);
	if (width <= room) {
		str_add(out, text, len);
		return;
	}
	for (; cut < len && width + dots > room; chars--, width -= advance)
		cut += measure(f, text + cut, len - cut, &advance);
	if (cut < len && chars >= min_chars) {
		str_puts(out, "..");
		str_add(out, text + cut, len - cut);
	}
}
