#include "render/drawing/font.h"

#include <math.h>
#include <strings.h>

#include "core/utf8.h"

/* Thousandths of an em of ' ' .. '~': max(Verdana, DejaVu Sans). */
static const uint16_t advances[] = {
	352, 401, 460, 838, 636, 1076, 780, 275, 454, 454, 636, 838, 364, 454,  364, 454, 636, 636, 636,
	636, 636, 636, 636, 636, 636,  636, 454, 454, 838, 838, 838, 545, 1000, 684, 686, 698, 771, 632,
	575, 775, 752, 421, 455, 693,  557, 863, 748, 787, 603, 787, 695, 684,  616, 732, 684, 989, 685,
	615, 685, 454, 454, 454, 838,  636, 636, 613, 635, 550, 635, 615, 352,  635, 634, 278, 344, 592,
	278, 974, 634, 612, 635, 635,  427, 521, 394, 634, 592, 818, 592, 592,  525, 636, 454, 636, 838,
};

enum {
	MONOSPACE_ADVANCE = 602, /* DejaVu Sans Mono, Menlo, Courier: 600 or 602 */
	WIDEST_ADVANCE = 1100,   /* of characters in no table */
	BOLD_PERCENT = 117,      /* width of bold text, relative to plain text */
	REPLACEMENT = 0xfffd,
};

/* Characters whose advance in common fonts is not close to WIDEST_ADVANCE. */
static const struct range {
	uint32_t first, last;
	uint16_t advance;
	bool mark; /* drawn over the character before */
} ranges[] = {
	{ 0x00b7, 0x00b7, 364, false }, /* the dot between two figures */
	{ 0x0300, 0x036f, 0, true },    /* combining marks */
	{ 0x1ab0, 0x1aff, 0, true },       { 0x1dc0, 0x1dff, 0, true },
	{ 0x200b, 0x200f, 0, true }, /* zero width blank and joiners, directions */
	{ 0x20d0, 0x20ff, 0, true },       { 0x1100, 0x115f, 1000, false }, /* East Asian scripts: squares */
	{ 0x2e80, 0xa4cf, 1000, false },   { 0xac00, 0xd7a3, 1000, false },
	{ 0xf900, 0xfaff, 1000, false },   { 0xfe00, 0xfe0f, 0, true }, /* variation selectors */
	{ 0xfe20, 0xfe2f, 0, true },       { 0xff01, 0xff60, 1000, false },
	{ 0x1f000, 0x1faff, 1370, false }, /* emoji: 1275 in Noto Color Emoji, 1370 in Segoe */
	{ 0x20000, 0x3fffd, 1000, false }, { 0xe0100, 0xe01ef, 0, true },
};

static const struct range *font_find_range(uint32_t code)
{
	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
		if (code >= ranges[i].first && code <= ranges[i].last)
			return &ranges[i];
	}
	return NULL;
}

struct font font_make(const char *family, double size_px)
{
	return (struct font){
		.family = family,
		.size_cpx = (int32_t)lround(size_px * CPX),
		.monospace = strcasestr(family, "mono") || strcasestr(family, "courier"),
	};
}

static uint32_t guess_advance(const struct font *f, uint32_t code)
{
	const struct range *range;

	if (code >= ' ' && code <= '~')
		return f->monospace ? MONOSPACE_ADVANCE : advances[code - ' '];
	range = font_find_range(code);
	return range ? range->advance : WIDEST_ADVANCE;
}

uint32_t font_advance(const struct font *f, uint32_t code)
{
	uint32_t advance;

	if (f->fixed_advance)
		return f->fixed_advance;
	if (f->metrics)
		return f->metrics->advance(f->metrics, f, code);
	advance = guess_advance(f, code);
	return f->bold && !f->monospace ? advance * BOLD_PERCENT / 100 : advance;
}

/* Sets *code to the character at text.  Returns its length in bytes. */
static size_t font_take_char(const char *text, size_t len, uint32_t *code)
{
	size_t bytes = utf8_decode(text, len, code);

	if (!bytes)
		*code = REPLACEMENT;
	return bytes ? bytes : 1;
}

static bool font_is_mark(uint32_t code)
{
	const struct range *range = code > '~' ? font_find_range(code) : NULL;

	return range && range->mark;
}

int64_t font_width(const struct font *f, const char *text, size_t len)
{
	uint64_t sum = 0;
	uint32_t code;

	for (size_t i = 0; i < len; sum += font_advance(f, code))
		i += font_take_char(text + i, len - i, &code);
	return (int64_t)(sum * (uint64_t)f->size_cpx / 1000);
}

void font_fit(struct str *out, const struct font *f, const char *text, size_t len, int64_t room_cpx, unsigned min_chars)
{
	uint64_t room = room_cpx > 0 ? (uint64_t)room_cpx * 1000 / (uint64_t)f->size_cpx : 0;
	uint64_t dots = 2 * font_advance(f, '.'), sum = 0;
	size_t cut = 0, chars_cut = 0, chars = 0;
	uint32_t code;

	for (size_t i = 0; i < len;) {
		size_t bytes = font_take_char(text + i, len - i, &code);
		bool mark = font_is_mark(code);

		sum += font_advance(f, code);
		if (sum > room)
			break;
		i += bytes;
		chars += !mark;
		if (sum + dots <= room && (!mark || cut + bytes == i)) {
			cut = i;
			chars_cut = chars;
		}
	}
	if (sum <= room) {
		str_add(out, text, len);
	} else if (chars_cut >= min_chars) {
		str_add(out, text, cut);
		str_puts(out, "..");
	}
}

void font_fit_end(struct str *out, const struct font *f, const char *text, size_t len, int64_t room_cpx,
		  unsigned min_chars)
{
	int64_t size = f->size_cpx, room = room_cpx > 0 ? room_cpx * 1000 / size : 0;
	int64_t width = 0, dots = 2 * font_advance(f, '.');
	size_t cut = 0, chars = 0;
	uint32_t code;

	for (size_t i = 0; i < len; chars++, width += font_advance(f, code))
		i += font_take_char(text + i, len - i, &code);
	if (width <= room) {
		str_add(out, text, len);
		return;
	}
	for (; cut < len && width + dots > room; chars--, width -= font_advance(f, code))
		cut += font_take_char(text + cut, len - cut, &code);
	if (cut < len && chars >= min_chars) {
		str_puts(out, "..");
		str_add(out, text + cut, len - cut);
	}
}

/* The same of the last character of text. */
static size_t take_last_char(const char *text, size_t len, uint32_t *code)
{
	for (size_t bytes = 1; bytes <= 4 && bytes <= len; bytes++) {
		if (utf8_decode(text + len - bytes, bytes, code) == bytes)
			return bytes;
	}
	*code = REPLACEMENT;
	return 1;
}

void font_fit_middle(struct str *out, const struct font *f, const char *text, size_t len, int64_t room_cpx,
		     unsigned min_chars)
{
	uint64_t room = room_cpx > 0 ? (uint64_t)room_cpx * 1000 / (uint64_t)f->size_cpx : 0;
	uint64_t dots = 2 * font_advance(f, '.'), sum = 0;
	size_t front = 0, back = len, cut_front = 0, cut_back = len, chars = 0, chars_cut = 0;
	uint32_t code;

	while (front < back && sum <= room) {
		if (chars % 2)
			back -= take_last_char(text + front, back - front, &code);
		else
			front += font_take_char(text + front, back - front, &code);
		sum += font_advance(f, code);
		if (sum > room)
			break;
		chars++;
		if (sum + dots > room)
			continue;
		cut_front = front;
		cut_back = back;
		chars_cut = chars;
	}
	if (sum <= room) {
		str_add(out, text, len);
		return;
	}
	if (chars_cut < min_chars)
		return;
	while (cut_front < cut_back &&
	       (front = font_take_char(text + cut_front, len - cut_front, &code), font_is_mark(code)))
		cut_front += front;
	while (cut_back < len && (front = font_take_char(text + cut_back, len - cut_back, &code), font_is_mark(code)))
		cut_back += front;
	str_add(out, text, cut_front);
	str_puts(out, "..");
	str_add(out, text + cut_back, len - cut_back);
}
