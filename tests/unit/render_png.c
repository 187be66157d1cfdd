/* Images of cells as PNG: the pixels of any cells come back unchanged; and long texts in parts. */
#include <stdlib.h>
#include <zlib.h>

#include "render/drawing/png.h"
#include "render/drawing/settings.h"
#include "tests/unit/check.h"

static uint32_t seed = 7;

static uint32_t next(uint32_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 17;
	seed ^= seed << 5;
	return seed % n;
}

static uint32_t read_u32(const char *at)
{
	const unsigned char *b = (const unsigned char *)at;

	return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

/* The data of the chunk called type; NULL if it is missing, or a checksum is wrong. */
static const char *find_chunk(const struct str *png, const char *type, uint32_t *len)
{
	const char *found = NULL;

	for (size_t at = 8; at + 12 <= png->len; at += 12 + read_u32(png->buf + at)) {
		uint32_t size = read_u32(png->buf + at);

		if (crc32(0, (const Bytef *)png->buf + at + 4, size + 4) != read_u32(png->buf + at + 8 + size))
			return NULL;
		if (!memcmp(png->buf + at + 4, type, 4)) {
			found = png->buf + at + 8;
			*len = size;
		}
	}
	return found;
}

/* Pixel x of a line, without its filter. */
static uint32_t pixel(const unsigned char *line, uint32_t x, unsigned bits, const char *palette)
{
	unsigned shift = 8 - bits - x * bits % 8, number;

	if (!palette)
		return (uint32_t)line[3 * x] << 16 | (uint32_t)line[3 * x + 1] << 8 | line[3 * x + 2];
	number = line[x * bits / 8] >> shift & ((1u << bits) - 1);
	return read_u32(palette + 3 * number) >> 8;
}

/* Does the file show p's cells in w x h pixels? */
static bool shows(const struct str *png, const struct pixels *p, uint32_t w, uint32_t h)
{
	uint32_t head_len = 0, data_len = 0, palette_len = 0;
	const char *head = find_chunk(png, "IHDR", &head_len), *data = find_chunk(png, "IDAT", &data_len);
	const char *palette = find_chunk(png, "PLTE", &palette_len);
	unsigned bits = head ? (unsigned char)head[8] : 8, depth = palette ? bits : 24;
	size_t stride = ((size_t)w * depth + 7) / 8 + 1;
	uLongf len = stride * h;
	unsigned char *lines = malloc(len + 1);
	bool same = head && data && head_len == 13 && read_u32(head) == w && read_u32(head + 4) == h &&
		    (palette ? head[9] == 3 : head[9] == 2) &&
		    uncompress(lines, &len, (const Bytef *)data, data_len) == Z_OK && len == stride * h;

	for (uint32_t y = 0; same && y < h; y++) {
		unsigned char *line = lines + y * stride;

		for (size_t i = 1; line[0] == 2 && y && i < stride; i++)
			line[i] = (unsigned char)(line[i] + (line - stride)[i]);
		for (uint32_t x = 0; same && x < w; x++) {
			uint32_t column = 0, row = 0;

			while ((uint64_t)(column + 1) * w / p->columns <= x)
				column++;
			while ((uint64_t)(row + 1) * h / p->rows <= y)
				row++;
			same = pixel(line + 1, x, bits, palette) == p->rgb[row * p->columns + column];
		}
	}
	free(lines);
	return same;
}

static bool try(uint32_t columns, uint32_t rows, uint32_t colours, uint32_t w, uint32_t h)
{
	uint32_t *rgb = calloc((size_t)columns * rows, sizeof(*rgb));
	struct pixels p = { rgb, NULL, columns, rows };
	struct str png = { 0 };
	bool same;

	for (uint32_t i = 0; i < columns * rows; i++)
		rgb[i] = (i < colours ? i : next(colours)) * 65599u & 0xffffff;
	png_add(&png, &p, w, h);
	same = shows(&png, &p, w, h);
	free(rgb);
	str_free(&png);
	return same;
}

static void check_images(void)
{
	static const uint32_t colours[] = { 1, 2, 3, 4, 5, 16, 17, 255, 256, 257, 3000 };
	bool all = true;

	for (size_t i = 0; i < sizeof(colours) / sizeof(colours[0]); i++) {
		uint32_t columns = 61 + next(9), rows = 53;

		all = all && try(columns, rows, colours[i], columns, rows);
		all = all && try(columns, rows, colours[i], columns * 4 + next(100), rows * 3 + next(40));
	}
	CHECK(all);
	CHECK(try(1, 1, 1, 1, 1));
	CHECK(try(1, 1, 1, 16, 9));
	CHECK(try(3, 2, 6, 7, 5));
}

static const char *base64(struct str *out, const char *text)
{
	str_clear(out);
	base64_add(out, text, strlen(text));
	return str_text(out);
}

/* RFC 4648, section 10. */
static void check_base64(void)
{
	struct str out = { 0 };

	CHECK_TEXT(base64(&out, ""), "");
	CHECK_TEXT(base64(&out, "f"), "Zg==");
	CHECK_TEXT(base64(&out, "fo"), "Zm8=");
	CHECK_TEXT(base64(&out, "foo"), "Zm9v");
	CHECK_TEXT(base64(&out, "foobar"), "Zm9vYmFy");
	CHECK_TEXT(base64(&out, "\xff\xfe\xfb"), "//77");
	str_free(&out);
}

/* Parts end after lines, and together they are the whole. */
static void check_parts(void)
{
	static const char open[] = "<metadata class=\"x\">", close[] = "</metadata>\n";
	struct str data = { 0 }, out = { 0 }, joined = { 0 };
	bool lines = true, small = true;
	size_t parts = 0;
	char *end;

	while (data.len < 2500000) {
		str_addf(&data, "%u", next(1000000));
		str_puts(&data, next(100) ? "" : "\n");
	}
	metadata_add(&out, "x", &data);
	for (char *at = out.buf; *at; at = end + strlen(close), parts++) {
		at += strlen(open);
		end = strstr(at, close);
		small = small && end - at <= 1000000;
		lines = lines && (end[-1] == '\n' || !end[strlen(close)]);
		str_add(&joined, at, (size_t)(end - at));
	}
	CHECK(parts == 3 && small && lines);
	CHECK(joined.len == data.len && !memcmp(joined.buf, data.buf, data.len));
	str_clear(&out);
	str_clear(&data);
	metadata_add(&out, "x", &data);
	CHECK(out.len == 0);
	str_free(&data);
	str_free(&out);
	str_free(&joined);
}

int main(void)
{
	check_images();
	check_base64();
	check_parts();
	return check_done();
}
