#include "collect/jvm/class_changes.h"

#include <stdlib.h>
#include <string.h>

#include "collect/machine/anchors.h"
#include "core/memory.h"

enum { MAGIC = 0xc0c0feca /* ca fe c0 c0 */ };
enum { BYTES_MAX = 1 << 20 }; /* an int, as in C23, where MAGIC would make it unsigned */

static const char *const counter_names[] = { "java.cls.loadedClasses", "java.cls.unloadedClasses" };

/* PerfDataPrologue, PerfDataEntry, as in the files /tmp/hsperfdata_USER/PID (version 2.0). */
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

void class_changes_init(struct class_changes *c, const struct jvm *jvm)
{
	*c = (struct class_changes){ .jvm = jvm };
}

/* Is it an entry that has its name inside, and a value of 8 bytes? */
static bool class_changes_makes_sense(const struct entry *e, size_t room)
{
	return e->len >= (int32_t)sizeof(*e) && (size_t)e->len <= room && e->name_at > 0 && e->name_at < e->len &&
	       e->value_at > 0 && (size_t)e->value_at + 8 <= (size_t)e->len;
}

static bool class_changes_has_name(const struct entry *e, const char *name, const char *wanted)
{
	size_t len = strlen(wanted) + 1;

	return e->type == 'J' && len <= (size_t)(e->len - e->name_at) && !memcmp(name, wanted, len);
}

/* Finds the offsets of the counters' values; 0: missing.  Returns the number found. */
static int find_counters(const uint8_t *bytes, size_t len, const struct prologue *p, size_t found[CLASS_COUNTERS])
{
	size_t at = (size_t)p->entries_at;
	struct entry e;
	int count = 0;

	for (int32_t i = 0; i < p->entry_count && at <= len && len - at >= sizeof(e); i++, at += (size_t)e.len) {
		memcpy(&e, bytes + at, sizeof(e));
		if (e.len <= 0)
			break;
		for (int c = 0; class_changes_makes_sense(&e, len - at) && c < CLASS_COUNTERS; c++) {
			if (found[c] ||
			    !class_changes_has_name(&e, (const char *)bytes + at + e.name_at, counter_names[c]))
				continue;
			found[c] = at + (size_t)e.value_at;
			count++;
		}
	}
	return count;
}

static bool read_values(const struct class_changes *c, uint64_t values[CLASS_COUNTERS])
{
	const struct remote_part parts[] = { { c->counters[0], &values[0], 8 }, { c->counters[1], &values[1], 8 } };

	return remote_read_parts(&c->jvm->remote, parts, CLASS_COUNTERS) == CLASS_COUNTERS;
}

/* A JVM that is starting does not have all counters yet: search again when it has more. */
static void class_changes_search(struct class_changes *c)
{
	const struct remote *r = &c->jvm->remote;
	uint64_t start_at = vm_static(c->jvm->tables, "PerfMemory", "_prologue"), start;
	size_t found[CLASS_COUNTERS] = { 0 };
	struct prologue p;
	bool is_found;
	uint8_t *bytes;

	if (!start_at || !remote_u64(r, start_at, &start) || !start || !remote_read(r, start, &p, sizeof(p)) ||
	    p.magic != MAGIC || p.used < (int32_t)sizeof(p) || p.used > BYTES_MAX || p.entries_at < 0 ||
	    (uint32_t)p.used == c->searched)
		return;
	bytes = xmalloc((size_t)p.used);
	if (remote_read(r, start, bytes, (size_t)p.used)) {
		c->searched = (uint32_t)p.used;
		is_found = find_counters(bytes, (size_t)p.used, &p, found) == CLASS_COUNTERS;
		for (int i = 0; is_found && i < CLASS_COUNTERS; i++)
			c->counters[i] = start + found[i];
	}
	free(bytes);
}

/* Read the counters for the first time. */
static void class_changes_begin(struct class_changes *c)
{
	class_changes_search(c);
	if (!c->counters[0])
		return;
	c->looked_ns = monotonic_ns();
	if (!read_values(c, c->values))
		memset(c->counters, 0, sizeof(c->counters));
	else if (c->values[CLASSES_UNLOADED])
		c->kept_ns = monotonic_ns(); /* nothing is known about the time before */
}

void class_changes_look(struct class_changes *c)
{
	uint64_t now[CLASS_COUNTERS], now_ns = monotonic_ns();

	if (!c->counters[0]) {
		class_changes_begin(c);
		return;
	}
	if (!read_values(c, now))
		return;
	c->looked_ns = now_ns;
	if (!memcmp(now, c->values, sizeof(now)))
		return;
	c->changes++;
	if (now[CLASSES_UNLOADED] != c->values[CLASSES_UNLOADED]) {
		c->unloads++;
		c->kept_ns = monotonic_ns();
	}
	memcpy(c->values, now, sizeof(now));
}

bool class_changes_are_counted(const struct class_changes *c)
{
	return c->counters[0];
}
