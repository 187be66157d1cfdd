#include "collect/jvm/method_lines.h"

#include <stdlib.h>

#include "core/memory.h"
#include "core/sorted.h"

enum { ESCAPE = 0xff, LINE_BITS = 3, LINES_MAX_BYTES = 1 << 18 };

struct cursor {
	const uint8_t *bytes;
	size_t len, at;
	bool bad;
};

static uint8_t take_byte(struct cursor *c)
{
	if (c->at < c->len)
		return c->bytes[c->at++];
	c->bad = true;
	return 0;
}

/* UNSIGNED5: up to 5 digits of base 64, the lowest first.  A digit below 192 is the last one (below 191 where the
 * byte 0 is excluded, and all digits are greater by 1). */
static uint32_t method_lines_take_number(struct cursor *c, unsigned excluded)
{
	uint32_t sum = 0;

	for (unsigned i = 0; i < 5; i++) {
		uint32_t byte = take_byte(c);

		if (byte < excluded)
			c->bad = true;
		sum += (byte - excluded) << 6 * i;
		if (byte < 192)
			break;
	}
	return sum;
}

static int32_t take_signed(struct cursor *c, unsigned excluded)
{
	uint32_t n = method_lines_take_number(c, excluded);

	return (int32_t)(n >> 1 ^ -(n & 1));
}

static bool method_lines_add_line(struct method_lines *lines, int64_t bci, int64_t line, uint16_t code_size)
{
	if (bci < 0 || bci >= code_size || line < 0 || line > UINT16_MAX)
		return false;
	lines->items = xgrow(lines->items, &lines->cap, lines->count + 1, sizeof(*lines->items));
	lines->items[lines->count++] = (struct method_line){ (uint16_t)bci, (uint16_t)line };
	return true;
}

SORT_BY(by_bci, struct method_line, bci);

/* A byte holds the increment of bci in 5 bits, and that of the line in 3 bits; or it is 0xff, and both increments
 * follow as numbers. */
static bool method_lines_decode_table(struct method_lines *lines, struct cursor *c, unsigned excluded,
				      uint16_t code_size)
{
	int64_t bci = 0, line = 0;
	uint8_t byte;

	while ((byte = take_byte(c))) {
		bci += byte == ESCAPE ? take_signed(c, excluded) : byte >> LINE_BITS;
		line += byte == ESCAPE ? take_signed(c, excluded) : byte & ((1 << LINE_BITS) - 1);
		if (c->bad || !method_lines_add_line(lines, bci, line, code_size))
			return false;
	}
	return !c->bad && lines->count;
}

bool method_lines_decode(struct method_lines *lines, const uint8_t *bytes, size_t len, unsigned excluded,
			 uint16_t code_size)
{
	struct cursor c = { bytes, len, 0, false };

	if (!method_lines_decode_table(lines, &c, excluded, code_size)) {
		free(lines->items);
		*lines = (struct method_lines){ 0 };
		return false;
	}
	qsort(lines->items, lines->count, sizeof(*lines->items), by_bci);
	return true;
}

static uint32_t read_flags(const struct metadata *m, uint64_t const_method)
{
	uint32_t wide = 0;
	uint16_t narrow = 0;

	if (m->flags < 0)
		return 0;
	if (m->wide_flags)
		return remote_u32(m->remote, const_method + (uint64_t)m->flags, &wide) ? wide : 0;
	return remote_u16(m->remote, const_method + (uint64_t)m->flags, &narrow) ? narrow : 0;
}

/* The size of a ConstMethod is in words; its fields are followed by the bytecodes, then the lines. */
bool method_lines_read(struct method_lines *lines, const struct metadata *m, const struct method_parts *parts)
{
	uint64_t from = m->method_bytes + parts->code_size, len;
	uint8_t *bytes;
	uint32_t words;
	bool found;

	if (!(read_flags(m, parts->const_method) & m->has_lines) ||
	    !remote_u32(m->remote, parts->const_method + (uint64_t)m->method_size, &words) || 8ull * words <= from)
		return false;
	len = 8ull * words - from;
	if (len > LINES_MAX_BYTES)
		return false;
	bytes = xmalloc(len);
	found = remote_read(m->remote, parts->const_method + from, bytes, len) &&
		method_lines_decode(lines, bytes, len, m->excluded, parts->code_size);
	free(bytes);
	return found;
}

uint32_t method_lines_find(const struct method_lines *lines, int bci)
{
	size_t after = FIRST_NOT(i, lines->count, lines->items[i].bci <= bci);

	return after ? lines->items[after - 1].line : 0;
}
