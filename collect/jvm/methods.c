#include "collect/jvm/methods.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "collect/jvm/jvm.h"
#include "collect/jvm/metadata.h"
#include "collect/jvm/method_lines.h"
#include "collect/machine/anchors.h"
#include "core/arena.h"
#include "core/intern.h"
#include "core/map.h"
#include "core/memory.h"
#include "core/symbols/names/class_name.h"

/* ---- classes that were changed ---- */

/* Counts how often a JVM has loaded and unloaded classes ("java.cls.loadedClasses", "java.cls.unloadedClasses" of its
 * performance data, as `jstat -class` shows them; hotspot/share/runtime/perfMemory.hpp, perfData.hpp,
 * classfile/classFileParser.cpp: redefined classes are counted, too).
 *
 * As long as no class is loaded, each Method stays what it is.  A class's memory is reused only after the class was
 * unloaded.  So we know whether a name that is read now is valid for a stack that was taken before. */

enum class_counter { CLASSES_LOADED, CLASSES_UNLOADED, CLASS_COUNTERS };

struct class_changes {
	const struct jvm *jvm;
	uint64_t counters[CLASS_COUNTERS]; /* addresses; 0: none were found */
	uint32_t searched;                 /* bytes of the performance data already searched in vain */
	uint64_t values[CLASS_COUNTERS];   /* values of the counters when they were last read */
	uint64_t kept_ns;                  /* no class has been unloaded since this time of CLOCK_MONOTONIC; 0: none
					    * ever was */
	uint64_t changes, unloads;         /* numbers of changes, and of unloads, that were seen */
	uint64_t looked_ns;                /* when the counters were last read successfully */
};

enum { MAGIC = 0xc0c0feca /* ca fe c0 c0 */ };
enum { BYTES_MAX = 1 << 20 }; /* an int even in C23, where MAGIC would make the type unsigned */

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

/* Begin.  jvm must outlive c. */
static void class_changes_init(struct class_changes *c, const struct jvm *jvm)
{
	*c = (struct class_changes){ .jvm = jvm };
}

/* Is it an entry that contains its name and a value of 8 bytes? */
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

/* A JVM that is starting does not have all counters yet, so search again when it has more. */
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

/* Reads the counters; those that cannot be read count as unchanged. */
static void class_changes_look(struct class_changes *c)
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

/* Does the JVM count classes?  With -XX:-UsePerfData, and early in its startup, it does not. */
static bool class_changes_are_counted(const struct class_changes *c)
{
	return c->counters[0];
}

/* ---- methods ---- */

/* When there are this many entries, all are forgotten, so that a JVM that keeps making classes does not fill our
 * memory. */
enum { KNOWN_MAX = 1 << 18 };

/* A cached Method or Klass. */
struct known {
	uint64_t address;      /* 0: an empty slot */
	uint64_t batch, epoch; /* the batch and epoch of the last check */
	uint64_t since_ns;     /* the entry has been valid since this time, or longer */
	const char *name;      /* NULL: there is no such Method or Klass */
	const char *file;
	const char *text;          /* in the JVM's spelling: the method's name, then the class's */
	struct method_parts parts; /* a Klass has only class_name and class_len */
	struct method_lines lines;
	bool has_looked_for_lines;
};

struct known_set {
	struct known **items;
	size_t count, cap;
	struct map by_address; /* address -> index in items + 1 */
};

struct java_methods {
	struct metadata metadata;
	struct class_changes changes;
	struct known_set methods, classes;
	uint64_t batch, epoch;
	uint64_t known_changes; /* number of class changes when the epoch began */
	struct intern names;    /* names returned */
	const char **texts;     /* the same by id, each at a constant address */
	size_t text_cap;
	struct arena arena;
	struct str text, made;
};

struct java_methods *java_methods_new(const struct jvm *jvm, const char **why)
{
	struct java_methods *m = xcalloc(1, sizeof(*m));

	m->batch = 1;
	m->epoch = 1;
	class_changes_init(&m->changes, jvm);
	class_changes_look(&m->changes);
	m->known_changes = m->changes.changes;
	if (metadata_init(&m->metadata, jvm))
		return m;
	*why = "its tables do not describe methods";
	free(m);
	return NULL;
}

/* ---- cache ----------------------------------------------------------------------------- */

static void set_free(struct known_set *set)
{
	for (size_t i = 0; i < set->count; i++) {
		free(set->items[i]->lines.items);
		free(set->items[i]);
	}
	free(set->items);
	map_free(&set->by_address);
	*set = (struct known_set){ 0 };
}

/* The entry of address; new and empty if there was none. */
static struct known *methods_find(struct known_set *set, uint64_t address)
{
	uint32_t *place;

	if (set->count >= KNOWN_MAX)
		set_free(set);
	place = map_at(&set->by_address, address, 0);
	if (!*place) {
		set->items = xgrow(set->items, &set->cap, set->count + 1, sizeof(struct known *));
		set->items[set->count] = xcalloc(1, sizeof(struct known));
		set->items[set->count++]->address = address;
		*place = (uint32_t)set->count;
	}
	return set->items[*place - 1];
}

static void methods_forget(struct known *k)
{
	free(k->lines.items);
	*k = (struct known){ .address = k->address };
}

/* The only copy of a text, at an address that never changes. */
static const char *methods_keep(struct java_methods *m, const char *text, size_t len)
{
	uint32_t number = intern_add(&m->names, text, len);
	size_t before = m->text_cap;

	m->texts = xgrow(m->texts, &m->text_cap, (size_t)number + 1, sizeof(*m->texts));
	memset(m->texts + before, 0, (m->text_cap - before) * sizeof(*m->texts));
	if (!m->texts[number])
		m->texts[number] = arena_strdup(&m->arena, text, len);
	return m->texts[number];
}

/* ---- methods ------------------------------------------------------------------------------------- */

/* JVMS 4.2.2: ". ; [ /" are not allowed in method names; "<" and ">" are, but only in "<init>" and "<clinit>". */
static bool is_method_name(const char *name, size_t len)
{
	static const char *const special[] = { "<init>", "<clinit>" };

	for (size_t i = 0; i < 2; i++) {
		if (len == strlen(special[i]) && !memcmp(name, special[i], len))
			return true;
	}
	for (size_t i = 0; i < len; i++) {
		if (strchr(".;[/<>", name[i]))
			return false; /* strchr() finds the NUL, too */
	}
	return true;
}

/* M->text has the names in the JVM's spelling. */
static const char *methods_spell(struct java_methods *m, const struct method_parts *p)
{
	str_clear(&m->made);
	if (!is_method_name(m->text.buf, p->name_len) ||
	    !java_utf8_add(&m->made, m->text.buf + p->name_len, p->class_len))
		return NULL;
	str_clear(&m->made);
	java_class_name(&m->made, m->text.buf + p->name_len, p->class_len);
	str_addc(&m->made, '.');
	return java_utf8_add(&m->made, m->text.buf, p->name_len) ? methods_keep(m, m->made.buf, m->made.len) : NULL;
}

static const char *methods_find_file(struct java_methods *m, const struct method_parts *p)
{
	uint64_t symbol = metadata_source(&m->metadata, p);

	str_clear(&m->text);
	str_clear(&m->made);
	if (!symbol || !metadata_symbol(&m->metadata, symbol, &m->text) ||
	    !java_utf8_add(&m->made, m->text.buf, m->text.len))
		return NULL;
	return methods_keep(m, m->made.buf, m->made.len);
}

static void methods_read_method(struct java_methods *m, struct known *k)
{
	if (!metadata_method(&m->metadata, k->address, &k->parts, &m->text))
		return;
	k->name = methods_spell(m, &k->parts);
	if (!k->name)
		return;
	k->text = methods_keep(m, m->text.buf, m->text.len);
	k->file = methods_find_file(m, &k->parts);
}

/* An entry that could not be read may have been incomplete, so it is read again. */
static bool is_fresh(const struct java_methods *m, const struct known *k)
{
	return k->name ? k->epoch == m->epoch : k->batch == m->batch;
}

/* The counters are read after the entry, so that they include classes unloaded before the entry was read. */
static void date(struct java_methods *m, struct known *k)
{
	class_changes_look(&m->changes);
	k->since_ns = m->changes.kept_ns;
}

/* The entry of a Method, checked in this batch. */
static struct known *method_of(struct java_methods *m, uint64_t address)
{
	struct known *k = methods_find(&m->methods, address);

	if (is_fresh(m, k))
		return k;
	if (!k->name || !metadata_same(&m->metadata, address, &k->parts, k->text, &m->text)) {
		methods_forget(k);
		methods_read_method(m, k);
		date(m, k);
	}
	k->batch = m->batch;
	k->epoch = m->epoch;
	return k;
}

bool java_method(struct java_methods *m, uint64_t method, struct java_method *to)
{
	const struct known *k = method ? method_of(m, method) : NULL;

	if (!k || !k->name)
		return false;
	*to = (struct java_method){ k->name, k->file, k->since_ns };
	return true;
}

uint32_t java_method_line(struct java_methods *m, uint64_t method, int bci)
{
	struct known *k = method && bci >= 0 ? method_of(m, method) : NULL;

	if (!k || !k->name)
		return 0;
	if (!k->has_looked_for_lines)
		method_lines_read(&k->lines, &m->metadata, &k->parts);
	k->has_looked_for_lines = true;
	return method_lines_find(&k->lines, bci);
}

/* ---- classes ------------------------------------------------------------------------------------- */

static void methods_read_class(struct java_methods *m, struct known *k)
{
	str_clear(&m->text);
	str_clear(&m->made);
	k->parts.class_name = metadata_class(&m->metadata, k->address);
	if (!k->parts.class_name || !metadata_symbol(&m->metadata, k->parts.class_name, &m->text) ||
	    !java_utf8_add(&m->made, m->text.buf, m->text.len))
		return;
	str_clear(&m->made);
	java_class_name(&m->made, m->text.buf, m->text.len);
	k->name = methods_keep(m, m->made.buf, m->made.len);
	k->text = methods_keep(m, m->text.buf, m->text.len);
	k->parts.class_len = (uint16_t)m->text.len;
}

static bool same_class(struct java_methods *m, const struct known *k)
{
	str_clear(&m->text);
	return metadata_class(&m->metadata, k->address) == k->parts.class_name &&
	       metadata_symbol(&m->metadata, k->parts.class_name, &m->text) && m->text.len == k->parts.class_len &&
	       !memcmp(m->text.buf, k->text, m->text.len);
}

/* The entry of a Klass, checked in this batch. */
static const struct known *class_of(struct java_methods *m, uint64_t address)
{
	struct known *k = methods_find(&m->classes, address);

	if (is_fresh(m, k))
		return k;
	if (!k->name || !same_class(m, k)) {
		methods_forget(k);
		methods_read_class(m, k);
		date(m, k);
	}
	k->batch = m->batch;
	k->epoch = m->epoch;
	return k;
}

const char *java_class(struct java_methods *m, uint64_t klass, uint64_t when_ns)
{
	const struct known *k = klass ? class_of(m, klass) : NULL;

	return k && k->since_ns <= when_ns && when_ns <= java_methods_until(m) ? k->name : NULL;
}

/* ------------------------------------------------------------------------------------------------- */

uint64_t java_methods_epoch(const struct java_methods *m)
{
	return m->epoch;
}

int64_t java_methods_unloads(const struct java_methods *m)
{
	return class_changes_are_counted(&m->changes) ? (int64_t)m->changes.unloads : -1;
}

uint64_t java_methods_until(const struct java_methods *m)
{
	return m->changes.unloads ? m->changes.looked_ns : UINT64_MAX;
}

void java_methods_next_batch(struct java_methods *m)
{
	bool was_counted = class_changes_are_counted(&m->changes);

	m->batch++;
	class_changes_look(&m->changes);
	if (!was_counted || m->changes.changes != m->known_changes)
		m->epoch++;
	m->known_changes = m->changes.changes;
}

void java_methods_free(struct java_methods *m)
{
	if (!m)
		return;
	set_free(&m->methods);
	set_free(&m->classes);
	intern_free(&m->names);
	free(m->texts);
	arena_free(&m->arena);
	str_free(&m->text);
	str_free(&m->made);
	free(m);
}
