#include "collect/python/python_lines.h"

/* ---- 3.9: pairs of increments of instruction and line ---- */

static uint32_t line_by_lnotab(const uint8_t *table, size_t len, uint32_t first, uint32_t at)
{
	uint32_t line = first, address = 0;

	for (size_t i = 0; i + 1 < len; i += 2) {
		address += table[i];
		if (address > at)
			break;
		line += (uint32_t)(int32_t)(int8_t)table[i + 1];
	}
	return line;
}

/* ---- 3.10: pairs of a length and an increment; -128: no line ---- */

static uint32_t line_by_linetable(const uint8_t *table, size_t len, uint32_t first, uint32_t at)
{
	enum { NO_LINE = -128 };
	uint32_t line = first, address = 0;

	for (size_t i = 0; i + 1 < len; i += 2) {
		int8_t step = (int8_t)table[i + 1];

		if (step != NO_LINE)
			line += (uint32_t)(int32_t)step;
		address += table[i];
		if (address > at)
			return step == NO_LINE ? 0 : line;
	}
	return 0;
}

/* ---- from 3.11 on: entries that begin with a byte whose top bit is set ---- */

/* Six bits a byte, the lowest first; the seventh bit: another byte follows. */
static uint32_t read_varint(const uint8_t *table, size_t len, size_t *i)
{
	uint32_t value = 0;

	for (unsigned shift = 0; *i < len && shift < 32; shift += 6) {
		uint8_t byte = table[(*i)++];

		value |= (uint32_t)(byte & 63) << shift;
		if (!(byte & 64))
			break;
	}
	return value;
}

static int32_t read_signed(const uint8_t *table, size_t len, size_t *i)
{
	uint32_t value = read_varint(table, len, i);

	return value & 1 ? -(int32_t)(value >> 1) : (int32_t)(value >> 1);
}

static uint32_t line_by_locations(const uint8_t *table, size_t len, uint32_t first, uint32_t at)
{
	enum { FIRST_ONE_LINE = 10, LAST_ONE_LINE = 12, NO_COLUMNS = 13, LONG = 14, NO_LOCATION = 15 };
	uint32_t line = first, address = 0;

	for (size_t i = 0; i < len;) {
		unsigned code = table[i] >> 3 & 15, units = (table[i] & 7u) + 1;

		i++;
		if (code >= FIRST_ONE_LINE && code <= LAST_ONE_LINE)
			line += code - FIRST_ONE_LINE;
		else if (code == NO_COLUMNS || code == LONG)
			line += (uint32_t)read_signed(table, len, &i);
		address += units * 2;
		if (address > at)
			return code == NO_LOCATION ? 0 : line;
		while (i < len && !(table[i] & 128)) /* columns */
			i++;
	}
	return 0;
}

uint32_t python_line(enum python_lines form, const uint8_t *table, size_t len, uint32_t first, uint32_t at)
{
	switch (form) {
	case PYTHON_LNOTAB: return line_by_lnotab(table, len, first, at);
	case PYTHON_LINETABLE: return line_by_linetable(table, len, first, at);
	case PYTHON_LOCATIONS: return line_by_locations(table, len, first, at);
	}
	return 0;
}
