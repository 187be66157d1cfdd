/* jfr_input: reads the numbers of a flight recording (jfr.c).
 *
 * Numbers are LEB128: seven bits in each byte, the lowest first, the ninth byte with all eight; or, if the
 * chunk's header says so, big-endian with their full width.  Reading past the end sets `bad`, gives 0, and stays at the
 * end. */
#ifndef COLLAPSE_JVM_JFR_INPUT_H
#define COLLAPSE_JVM_JFR_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct jfr_input {
	const uint8_t *at, *end;
	bool wide; /* numbers are big-endian */
	bool bad;
};

static inline size_t jfr_left(const struct jfr_input *in)
{
	return (size_t)(in->end - in->at);
}

static inline uint64_t jfr_fail(struct jfr_input *in)
{
	in->bad = true;
	in->at = in->end;
	return 0;
}

static inline uint64_t jfr_big_endian(struct jfr_input *in, size_t width)
{
	uint64_t n = 0;

	if (jfr_left(in) < width)
		return jfr_fail(in);
	for (size_t i = 0; i < width; i++)
		n = n << 8 | *in->at++;
	return n;
}

static inline uint64_t jfr_long_number(struct jfr_input *in)
{
	uint64_t n = 0;

	for (unsigned shift = 0; in->at < in->end; shift += 7) {
		uint8_t byte = *in->at++;

		if (shift == 56)
			return n | (uint64_t)byte << 56;
		n |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return n;
	}
	return jfr_fail(in);
}

/* A number that has width bytes when it is big-endian. */
static inline uint64_t jfr_number(struct jfr_input *in, size_t width)
{
	if (in->wide)
		return jfr_big_endian(in, width);
	if (in->at < in->end && !(*in->at & 0x80))
		return *in->at++;
	return jfr_long_number(in);
}

static inline void jfr_skip(struct jfr_input *in, uint64_t bytes)
{
	if (bytes > jfr_left(in))
		jfr_fail(in);
	else
		in->at += bytes;
}

/* How many elements follow; each has one byte at least. */
static inline uint64_t jfr_count(struct jfr_input *in)
{
	uint64_t count = jfr_number(in, 4);

	return count > jfr_left(in) ? jfr_fail(in) : count;
}

/* How a string is stored: its first byte. */
enum { JFR_NULL, JFR_EMPTY, JFR_POOLED, JFR_UTF8, JFR_CHARS, JFR_LATIN1 };

static inline void jfr_skip_string(struct jfr_input *in)
{
	uint64_t kind = jfr_big_endian(in, 1), count;

	switch (kind) {
	case JFR_NULL:
	case JFR_EMPTY: break;
	case JFR_POOLED: jfr_number(in, 8); break;
	case JFR_UTF8:
	case JFR_LATIN1: jfr_skip(in, jfr_number(in, 4)); break;
	case JFR_CHARS:
		for (count = jfr_count(in); count && !in->bad; count--)
			jfr_number(in, 2);
		break;
	default: jfr_fail(in);
	}
}

#endif
