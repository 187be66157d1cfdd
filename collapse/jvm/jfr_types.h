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
 * A type is compiled to operations, one for each number, string or array in its values.  Fields that we know have a
 * slot, in which their value is put. */
#ifndef COLLAPSE_JVM_JFR_TYPES_H
#define COLLAPSE_JVM_JFR_TYPES_H

#include "collapse/jvm/jfr_input.h"
#include "core/intern.h"
#include "core/map.h"
#include "core/str.h"

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

/* The value of a field: a number; or where a string is, or an array of `number` elements. */
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
	uint64_t slots; /* 1 << enum jfr_slot: those that its values fill */
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

/* Read the metadata event; in is behind its number.  Returns false if it is damaged; the types before the damage are
 * kept. */
bool jfr_types_read(struct jfr_types *t, struct jfr_input *in);

/* The index of the type, or JFR_NO_TYPE. */
uint32_t jfr_type_find(const struct jfr_types *t, uint64_t id);
uint32_t jfr_type_named(const struct jfr_types *t, const char *name);

/* Can its values be read?  Compiles it if necessary. */
bool jfr_type_ready(struct jfr_types *t, uint32_t type);

/* Read a value of the type, which is ready.  values[JFR_SLOT_COUNT] gets the known fields that it has; NULL: it is
 * skipped. */
void jfr_value_read(struct jfr_types *t, uint32_t type, struct jfr_input *in, struct jfr_value *values);

static inline bool jfr_type_has(const struct jfr_types *t, uint32_t type, enum jfr_slot slot)
{
	return t->items[type].slots >> slot & 1;
}

/* Append a string of the input that is not in a pool, as UTF-8. */
void jfr_string_add(struct str *out, struct jfr_input *in);

void jfr_types_free(struct jfr_types *t);

#endif
