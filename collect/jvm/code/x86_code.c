#include "collect/jvm/code/x86_code.h"

#include <stdbool.h>
#include <string.h>

/* What follows an opcode, encoded as letters: R: a ModRM byte; B: an immediate byte; Z: an immediate of 4 bytes, 2
 * with prefix 66; x: not in 64-bit code, or a prefix. */
enum { R = 1, B = 2, Z = 4, x = 8 };

/* clang-format off */
static const uint8_t one_byte[256] = {
	R,R,R,R,B,Z,x,x, R,R,R,R,B,Z,x,x, R,R,R,R,B,Z,x,x, R,R,R,R,B,Z,x,x,         /* 00 */
	R,R,R,R,B,Z,x,x, R,R,R,R,B,Z,x,x, R,R,R,R,B,Z,x,x, R,R,R,R,B,Z,x,x,         /* 20 */
	x,x,x,x,x,x,x,x, x,x,x,x,x,x,x,x, 0,0,0,0,0,0,0,0, 0,0,0,0,0,0,0,0,         /* 40 */
	x,x,x,R,x,x,x,x, Z,R|Z,B,R|B,0,0,0,0, B,B,B,B,B,B,B,B, B,B,B,B,B,B,B,B,     /* 60 */
	R|B,R|Z,x,R|B,R,R,R,R, R,R,R,R,R,R,R,R, 0,0,0,0,0,0,0,0, 0,0,x,0,0,0,0,0,   /* 80 */
	x,x,x,x,0,0,0,0, B,Z,0,0,0,0,0,0, B,B,B,B,B,B,B,B, Z,Z,Z,Z,Z,Z,Z,Z,         /* a0 */
	R|B,R|B,x,0,x,x,R|B,R|Z, x,0,x,0,0,B,x,0, R,R,R,R,x,x,x,0, R,R,R,R,R,R,R,R, /* c0 */
	B,B,B,B,B,B,B,B, Z,Z,x,B,0,0,0,0, x,0,x,x,0,0,R,R, 0,0,0,0,0,0,R,R,         /* e0 */
};

static const uint8_t two_bytes[256] = {
	R,R,R,R,x,0,0,0, 0,0,x,0,x,R,0,x, R,R,R,R,R,R,R,R, R,R,R,R,R,R,R,R,         /* 00 */
	R,R,R,R,x,x,x,x, R,R,R,R,R,R,R,R, 0,0,0,0,0,0,x,0, x,x,x,x,x,x,x,x,         /* 20 */
	R,R,R,R,R,R,R,R, R,R,R,R,R,R,R,R, R,R,R,R,R,R,R,R, R,R,R,R,R,R,R,R,         /* 40 */
	R,R,R,R,R,R,R,R, R,R,R,R,R,R,R,R, R|B,R|B,R|B,R|B,R,R,R,0, R,R,R,R,R,R,R,R, /* 60 */
	Z,Z,Z,Z,Z,Z,Z,Z, Z,Z,Z,Z,Z,Z,Z,Z, R,R,R,R,R,R,R,R, R,R,R,R,R,R,R,R,         /* 80 */
	0,0,0,R,R|B,R,x,x, 0,0,0,R,R|B,R,R,R, R,R,R,R,R,R,R,R, R,R,R|B,R,R,R,R,R,   /* a0 */
	R,R,R|B,R,R|B,R|B,R|B,R, 0,0,0,0,0,0,0,0, R,R,R,R,R,R,R,R, R,R,R,R,R,R,R,R, /* c0 */
	R,R,R,R,R,R,R,R, R,R,R,R,R,R,R,R, R,R,R,R,R,R,R,R, R,R,R,R,R,R,R,R,         /* e0 */
};
/* clang-format on */

struct reader {
	const uint8_t *at, *end;
	bool is_short; /* prefix 66 */
	bool is_wide;  /* REX.W */
	unsigned map;  /* 0: one byte; 1: 0f; 2: 0f 38; 3: 0f 3a */
};

static uint8_t next(struct reader *r)
{
	return r->at < r->end ? *r->at++ : (r->end = NULL, 0);
}

static void x86_code_skip(struct reader *r, size_t len)
{
	if (!r->end || (size_t)(r->end - r->at) < len)
		r->end = NULL;
	else
		r->at += len;
}

/* Skips the prefixes.  Returns the first byte after them. */
static uint8_t skip_prefixes(struct reader *r)
{
	for (;;) {
		uint8_t byte = next(r);

		if (byte >= 0x40 && byte < 0x50) { /* the REX prefix is the last one */
			r->is_wide = byte & 8;
			return next(r);
		}
		if (byte == 0x66)
			r->is_short = true;
		else if (!memchr("\xf0\xf2\xf3\x2e\x36\x3e\x26\x64\x65\x67", byte, 10))
			return byte;
	}
}

/* Reads up to the opcode, and returns the opcode.  A VEX or EVEX prefix contains the opcode map. */
static uint8_t read_opcode(struct reader *r)
{
	uint8_t byte = skip_prefixes(r);

	if (byte == 0xc5) { /* c5 Rvvvvlpp op */
		r->map = 1;
		x86_code_skip(r, 1);
		return next(r);
	}
	if (byte == 0xc4 || byte == 0x62) { /* c4 rxbmmmmm ....; 62 rxbr0mmm .... .... */
		r->map = next(r) & (byte == 0x62 ? 7 : 31);
		x86_code_skip(r, byte == 0x62 ? 2 : 1);
		if (r->map < 1 || r->map > 3)
			r->end = NULL;
		return next(r);
	}
	if (byte != 0x0f)
		return byte;
	byte = next(r);
	r->map = byte == 0x38 ? 2 : byte == 0x3a ? 3 : 1;
	return r->map == 1 ? byte : next(r);
}

static uint8_t x86_code_skip_operand(struct reader *r)
{
	uint8_t modrm = next(r), mod = modrm >> 6, rm = modrm & 7;
	uint8_t base = rm;

	if (mod == 3)
		return modrm;
	if (rm == 4)
		base = next(r) & 7;
	if (mod == 1)
		x86_code_skip(r, 1);
	else if (mod == 2 || base == 5)
		x86_code_skip(r, 4);
	return modrm;
}

static size_t immediate_bytes(const struct reader *r, uint8_t opcode, uint8_t follows, uint8_t modrm)
{
	if (r->map)
		return follows & B ? 1 : follows & Z ? 4 : 0;
	if (opcode >= 0xb8 && opcode <= 0xbf)
		return r->is_wide ? 8 : r->is_short ? 2 : 4;
	if (opcode == 0xc2)
		return 2;
	if ((opcode == 0xf6 || opcode == 0xf7) && !(modrm & 0x30))
		return opcode == 0xf6 ? 1 : r->is_short ? 2 : 4;
	if (opcode == 0xe8 || opcode == 0xe9)
		return 4;
	return follows & B ? 1 : follows & Z ? (r->is_short ? 2 : 4) : 0;
}

static enum x86_kind x86_code_kind_of(const struct reader *r, uint8_t opcode, uint8_t modrm)
{
	if (r->map)
		return r->map != 1               ? X86_OTHER
		       : (opcode & 0xf0) == 0x80 ? X86_BRANCH
		       : opcode == 0x0b          ? X86_END
						 : X86_OTHER;
	if ((opcode & 0xf0) == 0x70 || (opcode >= 0xe0 && opcode <= 0xe3))
		return X86_BRANCH;
	switch (opcode) {
	case 0xe8: return X86_CALL;
	case 0xe9:
	case 0xeb: return X86_JUMP;
	case 0xc2:
	case 0xc3:
	case 0xcc:
	case 0xf4: return X86_END;
	case 0xff: return (modrm & 0x38) == 0x10 ? X86_CALL : (modrm & 0x38) == 0x20 ? X86_END : X86_OTHER;
	default: return X86_OTHER;
	}
}

static int32_t x86_code_read_distance(const uint8_t *end, size_t bytes)
{
	int32_t wide;

	if (bytes == 1)
		return (int8_t)end[-1];
	memcpy(&wide, end - 4, sizeof(wide));
	return wide;
}

size_t x86_decode(const uint8_t *code, size_t len, struct x86_instruction *to)
{
	struct reader r = { .at = code, .end = code + (len < 15 ? len : 15) };
	uint8_t opcode = read_opcode(&r), modrm = 0;
	bool is_vex = *code == 0xc5 || *code == 0xc4 || *code == 0x62;
	uint8_t follows = r.map == 0 ? one_byte[opcode] : r.map == 1 ? two_bytes[opcode] : r.map == 2 ? R : R | B;
	size_t bytes;

	if (!r.end || follows & x)
		return 0;
	if (follows & R)
		modrm = x86_code_skip_operand(&r);
	bytes = immediate_bytes(&r, opcode, follows, modrm);
	x86_code_skip(&r, bytes);
	if (!r.end)
		return 0;
	*to = (struct x86_instruction){
		.len = (uint8_t)(r.at - code), .map = (uint8_t)r.map, .opcode = opcode, .modrm = modrm
	};
	to->has_memory = follows & R && modrm < 0xc0;
	to->is_vex = is_vex;
	to->kind = is_vex ? X86_OTHER : x86_code_kind_of(&r, opcode, modrm);
	to->distance = bytes && to->kind != X86_OTHER && to->kind != X86_END ? x86_code_read_distance(r.at, bytes) : 0;
	return to->len;
}
