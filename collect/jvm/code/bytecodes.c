#include "collect/jvm/code/bytecodes.h"

enum {
	IFEQ = 153,
	JSR = 168,
	TABLESWITCH = 170,
	LOOKUPSWITCH = 171,
	WIDE = 196,
	IINC = 132,
	IFNULL = 198,
	IFNONNULL = 199,
	OF_HOTSPOT_8 = 219,
	FAST_LINEARSWITCH = 228,
	FAST_BINARYSWITCH = 229,
	KNOWN = 240,
};

/* clang-format off */
static const uint8_t lengths[KNOWN] = {
	1,1,1,1,1,1,1,1,1,1, 1,1,1,1,1,1,2,3,2,3, 3,2,2,2,2,2,1,1,1,1,  /* 0: nop .. dload_3 */
	1,1,1,1,1,1,1,1,1,1, 1,1,1,1,1,1,1,1,1,1, 1,1,1,1,2,2,2,2,2,1,  /* 30 */
	1,1,1,1,1,1,1,1,1,1, 1,1,1,1,1,1,1,1,1,1, 1,1,1,1,1,1,1,1,1,1,  /* 60 */
	1,1,1,1,1,1,1,1,1,1, 1,1,1,1,1,1,1,1,1,1, 1,1,1,1,1,1,1,1,1,1,  /* 90 */
	1,1,1,1,1,1,1,1,1,1, 1,1,3,1,1,1,1,1,1,1, 1,1,1,1,1,1,1,1,1,1,  /* 120: 132 is iinc */
	1,1,1,3,3,3,3,3,3,3, 3,3,3,3,3,3,3,3,3,2, 0,0,1,1,1,1,1,1,3,3,  /* 150: 153 is ifeq */
	3,3,3,3,3,5,5,3,2,3, 1,1,3,3,1,1,0,4,3,3, 5,5,1,3,3,3,3,3,3,3,  /* 180: 203 on are HotSpot's */
	3,3,3,3,3,3,3,3,3,3, 1,1,1,1,2,2,2,3,0,0, 2,3,1,3,3,3,1,2,0,0,  /* 210: of several, the first */
};
/* clang-format on */

static int32_t number_at(const uint8_t *at)
{
	return (int32_t)((uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3]);
}

static bool bytecodes_is_switch(uint8_t code)
{
	return code == TABLESWITCH || code == LOOKUPSWITCH || code == FAST_LINEARSWITCH || code == FAST_BINARYSWITCH;
}

static size_t length_at(const uint8_t *bytes, size_t len, size_t at)
{
	size_t numbers = (at + 4) & ~(size_t)3; /* the numbers of a switch are aligned */
	uint8_t code = bytes[at];
	int64_t count;

	if (code >= KNOWN)
		return 0;
	if (lengths[code])
		return lengths[code];
	if (code == WIDE)
		return at + 1 < len && bytes[at + 1] == IINC ? 6 : 4;
	if (!bytecodes_is_switch(code) || numbers + 12 > len)
		return 0;
	count = code == TABLESWITCH ? (int64_t)number_at(bytes + numbers + 8) - number_at(bytes + numbers + 4) + 4
				    : 2 * (int64_t)number_at(bytes + numbers + 4) + 2;
	return count < 2 || count > (int64_t)len ? 0 : numbers - at + 4 * (size_t)count;
}

size_t bytecode_length(const struct bytecodes *b, size_t at)
{
	size_t length = at < b->len ? length_at(b->bytes, b->len, at) : 0;

	return length <= b->len - at ? length : 0;
}

int32_t bytecode_target(const struct bytecodes *b, size_t at)
{
	const uint8_t *code = b->bytes + at;
	bool is_branch = (*code >= IFEQ && *code < JSR) || *code == IFNULL || *code == IFNONNULL;

	return is_branch ? (int32_t)at + (int16_t)(code[1] << 8 | code[2]) : INT32_MAX;
}

/* Adds a loop; a loop that "continue" leads back to begins with the same bytecode. */
static size_t bytecodes_add_loop(struct bytecode_loop *loops, size_t count, size_t max, struct bytecode_loop loop)
{
	for (size_t i = 0; i < count; i++) {
		if (loops[i].from > loop.from)
			return count; /* it goes around another */
	}
	if (count && loops[count - 1].from == loop.from)
		count--;
	if (count < max)
		loops[count++] = loop;
	return count;
}

/* An inner loop ends before the one around it. */
size_t bytecode_loops(const struct bytecodes *b, struct bytecode_loop *loops, size_t max)
{
	size_t count = 0, size;

	for (size_t at = 0; at < b->len; at += size) {
		int32_t target;

		size = bytecode_length(b, at);
		if (!size)
			return 0;
		target = bytecode_target(b, at);
		if (target >= 0 && target <= (int32_t)at)
			count = bytecodes_add_loop(loops, count, max, (struct bytecode_loop){ target, (int32_t)at });
	}
	return count;
}

/* JDK 9 put fast_zputfield among the others. */
void bytecodes_of_8(uint8_t *bytes, size_t len)
{
	struct bytecodes b = { bytes, len };
	size_t size;

	for (size_t at = 0; at < len; at += size) {
		if (bytes[at] >= OF_HOTSPOT_8 && bytes[at] < KNOWN)
			bytes[at]++;
		size = bytecode_length(&b, at);
		if (!size)
			return;
	}
}
