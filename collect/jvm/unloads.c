#include "collect/jvm/unloads.h"

#include <stdlib.h>
#include <string.h>

#include "collect/anchors.h"
#include "core/memory.h"

enum {
	MAGIC = 0xc0c0feca /* ca fe c0 c0 */, BYTES_MAX = 1 << 20,
	/* Of a JVM that has unloaded classes when it is seen first: nothing is known of the time before.  The first
	 * stacks, that were taken while a recording began, are not to be without names. */
	TRUSTED_NS = 200 * 1000 * 1000,
};

static const char counter_name[] = "java.cls.unloadedClasses";

/* PerfDataPrologue, PerfDataEntry: the format that is in files of the same name, too (hsperfdata, version 2.0). */
struct prologue {
	uint32_t magic;
	uint8_t byte_order, major, minor, accessible;
	int32_t used, overflow;
	int64_t modified;
	int32_t entries_at, entry_count;
};

struct entry {
	int32_t len, name_at, vector_len;
	uint8_t type, flags, units, variability;
	int32_t value_at;
};

void unloads_init(struct unloads *u, const struct jvm *jvm)
{
	*u = (struct unloads){ .jvm = jvm };
}

/* Where the value of the counter is in the bytes; 0: there is none. */
static size_t find_counter(const uint8_t *bytes, size_t len, size_t at, int32_t count)
{
	struct entry e;

	for (; count > 0 && at <= len && len - at >= sizeof(e); at += (size_t)e.len, count--) {
		memcpy(&e, bytes + at, sizeof(e));
		if (e.len < (int32_t)sizeof(e) || (size_t)e.len > len - at || e.name_at < 0 || e.value_at < 0)
			return 0;
		if ((size_t)e.name_at + sizeof(counter_name) <= (size_t)e.len && (size_t)e.value_at + 8 <= (size_t)e.len &&
		    e.type == 'J' && !memcmp(bytes + at + e.name_at, counter_name, sizeof(counter_name)))
			return at + (size_t)e.value_at;
	}
	return 0;
}

/* A JVM that starts has not all of its counters yet: they are searched again when there are more. */
static void search(struct unloads *u)
{
	const struct remote *r = &u->jvm->remote;
	uint64_t start_at = vm_static(u->jvm->tables, "PerfMemory", "_prologue"), start;
	struct prologue p;
	uint8_t *bytes;
	size_t at;

	if (!start_at || !remote_u64(r, start_at, &start) || !start || !remote_read(r, start, &p, sizeof(p)) ||
	    p.magic != MAGIC || p.used < (int32_t)sizeof(p) || p.used > BYTES_MAX || p.entries_at < 0 ||
	    (uint32_t)p.used == u->searched)
		return;
	bytes = xmalloc((size_t)p.used);
	if (remote_read(r, start, bytes, (size_t)p.used)) {
		at = find_counter(bytes, (size_t)p.used, (size_t)p.entries_at, p.entry_count);
		u->counter = at ? start + at : 0;
		u->searched = (uint32_t)p.used;
	}
	free(bytes);
}

uint64_t unloads_since(struct unloads *u)
{
	uint64_t value;

	if (!u->counter) {
		search(u);
		if (!u->counter || !remote_u64(&u->jvm->remote, u->counter, &u->value))
			u->counter = 0;
		else if (u->value)
			u->since_ns = monotonic_ns() - TRUSTED_NS;
		return u->since_ns;
	}
	if (remote_u64(&u->jvm->remote, u->counter, &value) && value != u->value) {
		u->value = value;
		u->since_ns = monotonic_ns();
		u->changes++;
	}
	return u->since_ns;
}
