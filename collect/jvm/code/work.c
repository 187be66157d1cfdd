#include "collect/jvm/code/work.h"

/* ---- instructions --------------------------------------------------------------------------------- */

/* For the opcodes up to 3f, and 80 to 83: add or adc sbb and sub xor cmp. */
static const uint32_t arithmetic[] = { WORK_ADD, WORK_OR, WORK_ADD, WORK_ADD, WORK_AND, WORK_ADD, WORK_XOR, 0 };

static uint32_t kind_of_short(const struct x86_instruction *in)
{
	uint8_t op = in->opcode, reg = in->modrm >> 3 & 7;

	if (op < 0x40 && (op & 7) < 6) {
		bool is_zero = op >> 3 == 6 && in->modrm >> 6 == 3 && reg == (in->modrm & 7);

		return is_zero ? 0 : arithmetic[op >> 3];
	}
	if (op >= 0x80 && op <= 0x83)
		return arithmetic[reg];
	if (op == 0x69 || op == 0x6b)
		return WORK_MULTIPLY;
	if (op == 0xc0 || op == 0xc1 || (op >= 0xd0 && op <= 0xd3))
		return WORK_SHIFT;
	if (op == 0xf7)
		return reg >= 6 ? WORK_DIVIDE : reg >= 4 ? WORK_MULTIPLY : reg == 3 ? WORK_ADD : 0;
	if (op == 0xfe || op == 0xff)
		return reg < 2 ? WORK_ADD : 0;
	return 0;
}

static uint32_t kind_of_long(const struct x86_instruction *in)
{
	if (in->map == 2)
		return in->opcode == 0x40 ? WORK_MULTIPLY : in->opcode == 0xf7 ? WORK_SHIFT : 0;
	switch (in->map == 1 ? in->opcode : 0) {
	case 0x2a:
	case 0x2c:
	case 0x2d:
	case 0x5a:
	case 0x5b:
	case 0xe6: return WORK_CONVERT;
	case 0x58:
	case 0x5c: return WORK_FLOAT_ADD;
	case 0x59: return WORK_FLOAT_MULTIPLY;
	case 0x5e:
	case 0x51: return WORK_FLOAT_DIVIDE;
	case 0xaf: return WORK_MULTIPLY;
	case 0xfe:
	case 0xd4:
	case 0xfa:
	case 0xfb: return WORK_ADD;
	case 0x72:
	case 0x73:
	case 0xd2:
	case 0xf2:
	case 0xe2: return WORK_SHIFT;
	case 0xdb: return WORK_AND;
	case 0xeb: return WORK_OR;
	case 0xef: return WORK_XOR;
	default: return 0;
	}
}

uint32_t work_of_instruction(const struct x86_instruction *in)
{
	return in->map || in->is_vex ? kind_of_long(in) : kind_of_short(in);
}

/* ---- bytecodes ------------------------------------------------------------------------------------ */

enum {
	IADD = 96,
	DNEG = 119,
	ISHL = 120,
	LUSHR = 125,
	IAND = 126,
	IOR = 128,
	IXOR = 130,
	IINC = 132,
	I2L = 133,
	L2I = 136,
	D2F = 144,
};

/* The work of add, sub, mul, div, rem, neg.  Compilers make a division by a constant a multiplication. */
static uint32_t kind_of_arithmetic(uint8_t code)
{
	static const uint32_t whole[] = { WORK_ADD,
					  WORK_ADD,
					  WORK_MULTIPLY | WORK_SHIFT,
					  WORK_DIVIDE | WORK_MULTIPLY | WORK_SHIFT | WORK_ADD,
					  WORK_DIVIDE | WORK_MULTIPLY | WORK_SHIFT | WORK_ADD,
					  WORK_ADD };
	static const uint32_t real[] = { WORK_FLOAT_ADD,    WORK_FLOAT_ADD,    WORK_FLOAT_MULTIPLY,
					 WORK_FLOAT_DIVIDE, WORK_FLOAT_DIVIDE, WORK_XOR };

	return (code & 2 ? real : whole)[(code - IADD) / 4]; /* each operation has four bytecodes: for int, long,
							      * float, double */
}

static uint32_t kind_of_bytecode(uint8_t code)
{
	if (code < IADD || code > D2F || code == I2L || code == L2I)
		return 0;
	if (code <= DNEG)
		return kind_of_arithmetic(code);
	if (code <= LUSHR)
		return WORK_SHIFT;
	if (code < IINC)
		return code < IOR ? WORK_AND : code < IXOR ? WORK_OR : WORK_XOR;
	return code == IINC ? WORK_ADD : WORK_CONVERT;
}

uint32_t work_of_bytecodes(const struct bytecodes *b, int from, int to)
{
	uint32_t work = 0;
	size_t size;

	for (size_t at = 0; at < b->len && (int64_t)at <= to; at += size) {
		size = bytecode_length(b, at);
		if (!size)
			return 0;
		if ((int64_t)at >= from)
			work |= kind_of_bytecode(b->bytes[at]);
	}
	return work;
}

bool work_loops_around(const struct bytecodes *b, int bci)
{
	size_t size;

	for (size_t at = 0; at < b->len; at += size) {
		size = bytecode_length(b, at);
		if (!size)
			return false;
		if ((int64_t)at >= bci && bytecode_target(b, at) <= bci)
			return true;
	}
	return false;
}
