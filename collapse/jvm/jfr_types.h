/* jfr_types: the types of a chunk of a flight recording (jfr.c), from its metadata event.
 *
 * After its size, number 0, start, duration and own number, the event has a table of strings, and a tree of elements
 * whose names, keys and values are numbers of strings:
 *
 *     root
 *       metadata
 *         class id=101 name=jdk.ExecutionSample superType=jdk.jfr.Event
 *           field name=startTime class=8
 *           field name=stackTrace class=35 constantPool=true
 *         class id=40 name=jdk.types.StackTrace
 *           field name=frames class=41 dimension=1
 *
 * A type is compiled to operations, one for each number, string or array in its values.  A field that we know has a
 * slot, which receives its value. */
#ifndef COLLAPSE_JVM_JFR_TYPES_H
#define COLLAPSE_JVM_JFR_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/intern.h"
#include "core/map.h"
#include "core/str.h"

/* Reads the numbers of a flight recording (jfr.c).
 *
 * Numbers are LEB128: seven bits in each byte, the lowest first, the ninth byte with all eight; or, if the
 * chunk's header says so, big-endian with their full width.  Reading past the end sets `bad` and gives 0; the position
 * stays at the end. */

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

/* How many elements follow; each takes at least one byte. */
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

#define JFR_SLOTS(X)      \
	X(startTime)      \
	X(duration)       \
	X(eventThread)    \
	X(sampledThread)  \
	X(stackTrace)     \
	X(state)          \
	X(objectClass)    \
	X(monitorClass)   \
	X(parkedClass)    \
	X(tlabSize)       \
	X(allocationSize) \
	X(weight)         \
	X(size)           \
	X(samples)        \
	X(pid)            \
	X(truncated)      \
	X(frames)         \
	X(method)         \
	X(lineNumber)     \
	X(type)           \
	X(name)           \
	X(string)         \
	X(description)    \
	X(osName)         \
	X(osThreadId)     \
	X(javaName)       \
	X(javaThreadId)

#define SLOT(name) JFR_##name,
enum jfr_slot { JFR_SLOTS(SLOT) JFR_SLOT_COUNT };
#undef SLOT

/* The value of a field: a number, or the place of a string, or of an array with `number` elements. */
struct jfr_value {
	uint64_t number;
	const uint8_t *at;
};

struct jfr_op {
	uint8_t kind, width; /* in jfr_types.c */
	uint8_t slot;        /* JFR_SLOT_COUNT: none */
	uint32_t element;    /* of an array: its type */
};

struct jfr_field {
	uint32_t name; /* in names */
	uint64_t type;
	bool pooled, array;
};

struct jfr_type {
	uint64_t id;
	uint32_t name; /* in names; UINT32_MAX: it has none */
	size_t field_start, field_count;
	size_t op_start, op_count;
	enum { JFR_TYPE_NEW, JFR_TYPE_COMPILED, JFR_TYPE_BAD } status;
	uint64_t slots; /* bit mask, 1 << enum jfr_slot: the slots that a value of the type fills */
};

struct jfr_types {
	struct intern names;
	struct jfr_type *items; /* [count] */
	size_t count, cap;
	struct jfr_field *fields;
	size_t field_count, field_cap;
	struct jfr_op *ops;
	size_t op_count, op_cap;
	size_t steps;     /* of compiling */
	struct map by_id; /* id -> index + 1 */
};

#define JFR_NO_TYPE UINT32_MAX

/* Read the metadata event; `in` is behind the event's number.  Returns false if the event is damaged; the types before
 * the damage are kept. */
bool jfr_types_read(struct jfr_types *t, struct jfr_input *in);

/* The index of the type, or JFR_NO_TYPE. */
uint32_t jfr_type_find(const struct jfr_types *t, uint64_t id);
uint32_t jfr_type_named(const struct jfr_types *t, const char *name);

/* Can values of the type be read?  Compiles the type if that was not done yet. */
bool jfr_type_ready(struct jfr_types *t, uint32_t type);

/* Read a value of the type, which jfr_type_ready() accepted.  The known fields of the value go to
 * values[JFR_SLOT_COUNT]; NULL: the value is skipped. */
void jfr_value_read(struct jfr_types *t, uint32_t type, struct jfr_input *in, struct jfr_value *values);

static inline bool jfr_type_has(const struct jfr_types *t, uint32_t type, enum jfr_slot slot)
{
	return t->items[type].slots >> slot & 1;
}

/* Append, as UTF-8, a string that stands in the input and not in a pool. */
void jfr_string_add(struct str *out, struct jfr_input *in);

void jfr_types_free(struct jfr_types *t);

#endif
