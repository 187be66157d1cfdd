#include "render/drawing/png.h"

#include <assert.h>
#include <stdlib.h>
#include <zlib.h>

#include "core/memory.h"

enum { COLOURS_MAX = 256, SLOTS = 1024, LEVEL = 9, TRUECOLOUR = 2, PALETTE = 3 };

static void png_add_u32(struct str *out, uint32_t n)
{
	for (int shift = 24; shift >= 0; shift -= 8)
		str_addc(out, (char)(n >> shift));
}

/* Length, type, data, and a checksum of the last two. */
static void add_chunk(struct str *out, const char *type, const char *data, size_t len)
{
	uLong crc = crc32(0, (const Bytef *)type, 4);

	crc = len ? crc32(crc, (const Bytef *)data, (uInt)len) : crc;
	png_add_u32(out, (uint32_t)len);
	str_puts(out, type);
	str_add(out, data, len);
	png_add_u32(out, (uint32_t)crc);
}

/* ---- palette -------------------------------------------------------------- */

struct colours {
	uint32_t rgb[COLOURS_MAX];
	uint32_t count;        /* COLOURS_MAX + 1: more than COLOURS_MAX */
	uint16_t slots[SLOTS]; /* open addressing, number + 1 */
};

/* The slot of rgb, or the free slot in which it belongs. */
static uint16_t *png_find_slot(struct colours *colours, uint32_t rgb)
{
	uint32_t at = rgb * 2654435761u >> 22;

	while (colours->slots[at] && colours->rgb[colours->slots[at] - 1] != rgb)
		at = (at + 1) % SLOTS;
	return &colours->slots[at];
}

static void png_find_colours(struct colours *colours, const struct pixels *p)
{
	size_t count = (size_t)p->columns * p->rows;

	*colours = (struct colours){ 0 };
	for (size_t i = 0; i < count && colours->count <= COLOURS_MAX; i++) {
		uint16_t *slot = png_find_slot(colours, p->rgb[i]);

		if (*slot)
			continue;
		if (colours->count < COLOURS_MAX) {
			colours->rgb[colours->count] = p->rgb[i];
			*slot = (uint16_t)(colours->count + 1);
		}
		colours->count++;
	}
}

static void add_palette(struct str *out, const struct colours *colours)
{
	struct str data = { 0 };

	for (uint32_t i = 0; i < colours->count; i++) {
		for (int shift = 16; shift >= 0; shift -= 8)
			str_addc(&data, (char)(colours->rgb[i] >> shift));
	}
	add_chunk(out, "PLTE", data.buf, data.len);
	str_free(&data);
}

static unsigned bits_for(uint32_t colours)
{
	return colours <= 2 ? 1 : colours <= 4 ? 2 : colours <= 16 ? 4 : 8;
}

/* ---- lines of pixels ------------------------------------------------------ */

enum { AS_IT_IS = 0, AS_ABOVE = 2 }; /* filter types, which are the first byte of a line */

/* The first pixel of column i, if count columns fill w pixels. */
static uint32_t edge(uint32_t i, uint32_t count, uint32_t w)
{
	return (uint32_t)((uint64_t)i * w / count);
}

/* Append a line of palette indices with `bits` bits for each pixel, the first pixel in the highest bits. */
static void add_indexed_line(struct str *out, const uint32_t *rgb, uint32_t columns, uint32_t w,
			     struct colours *colours, unsigned bits)
{
	unsigned byte = 0, used = 0;

	for (uint32_t i = 0; i < columns; i++) {
		unsigned number = *png_find_slot(colours, rgb[i]) - 1u;

		for (uint32_t x = edge(i, columns, w); x < edge(i + 1, columns, w); x++) {
			byte = byte << bits | number;
			used += bits;
			if (used == 8) {
				str_addc(out, (char)byte);
				byte = used = 0;
			}
		}
	}
	if (used)
		str_addc(out, (char)(byte << (8 - used)));
}

static void add_plain_line(struct str *out, const uint32_t *rgb, uint32_t columns, uint32_t w)
{
	for (uint32_t i = 0; i < columns; i++) {
		for (uint32_t x = edge(i, columns, w); x < edge(i + 1, columns, w); x++) {
			for (int shift = 16; shift >= 0; shift -= 8)
				str_addc(out, (char)(rgb[i] >> shift));
		}
	}
}

/* Append a row of cells: one line, then repetitions of it up to the row's height. */
static void png_add_row(struct str *out, const struct pixels *p, uint32_t row, uint32_t w, uint32_t h,
			struct colours *colours, unsigned bits)
{
	const uint32_t *rgb = p->rgb + (size_t)row * p->columns;
	size_t start = out->len + 1, len;

	str_addc(out, AS_IT_IS);
	if (colours->count <= COLOURS_MAX)
		add_indexed_line(out, rgb, p->columns, w, colours, bits);
	else
		add_plain_line(out, rgb, p->columns, w);
	len = out->len - start;
	for (uint32_t y = edge(row, p->rows, h) + 1; y < edge(row + 1, p->rows, h); y++) {
		str_addc(out, AS_ABOVE);
		str_reserve(out, len);
		memset(out->buf + out->len, 0, len + 1);
		out->len += len;
	}
}

static void png_add_packed(struct str *out, const struct str *rows)
{
	uLongf len = compressBound(rows->len);
	char *packed = xmalloc(len);
	int status = compress2((Bytef *)packed, &len, (const Bytef *)rows->buf, rows->len, LEVEL);

	assert(status == Z_OK);
	(void)status;
	add_chunk(out, "IDAT", packed, len);
	free(packed);
}

void png_add(struct str *out, const struct pixels *p, uint32_t w, uint32_t h)
{
	struct str head = { 0 }, rows = { 0 };
	struct colours colours;
	bool indexed;
	unsigned bits;

	png_find_colours(&colours, p);
	indexed = colours.count <= COLOURS_MAX;
	bits = indexed ? bits_for(colours.count) : 8;
	png_add_u32(&head, w);
	png_add_u32(&head, h);
	str_addc(&head, (char)bits);
	str_addc(&head, indexed ? PALETTE : TRUECOLOUR);
	str_add(&head, "\0\0", 3); /* deflate, the usual filters, not interlaced */
	for (uint32_t row = 0; row < p->rows; row++)
		png_add_row(&rows, p, row, w, h, &colours, bits);
	str_add(out, "\x89PNG\r\n\x1a\n", 8);
	add_chunk(out, "IHDR", head.buf, head.len);
	if (indexed)
		add_palette(out, &colours);
	png_add_packed(out, &rows);
	add_chunk(out, "IEND", "", 0);
	str_free(&head);
	str_free(&rows);
}

void base64_add(struct str *out, const char *bytes, size_t len)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < len; i += 3) {
		size_t count = len - i < 3 ? len - i : 3;
		uint32_t group = (uint32_t)(unsigned char)bytes[i] << 16;

		group |= count > 1 ? (uint32_t)(unsigned char)bytes[i + 1] << 8 : 0;
		group |= count > 2 ? (unsigned char)bytes[i + 2] : 0;
		for (size_t k = 0; k < 4; k++)
			str_addc(out, k <= count ? digits[group >> (18 - 6 * k) & 63] : '=');
	}
}
