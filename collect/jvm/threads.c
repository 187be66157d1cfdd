#include "collect/jvm/threads.h"

#include <stdlib.h>
#include <string.h>

#include "collect/jvm/oops.h"
#include "core/memory.h"
#include "core/utf8.h"

enum {
	THREADS_MAX = 1 << 16,
	NAME_MAX_BYTES = 2048,  /* of an array, that are read: names of more are cut */
	NAME_BELIEVED = 1 << 16, /* elements: whatever says that it has more is no name */
	ATTEMPTS = 3,
	SHORTEST_OWN = 3,       /* of names of the JVM's own threads */
	OWN_MAX_BYTES = 64,
};

/* A thread while it is read. */
struct reading {
	uint64_t thread;        /* JavaThread*, or of the JVM's own */
	uint64_t os_thread, slot, reference; /* slot: where the reference to the Thread is */
	uint64_t name, value, array, data;
	uint64_t thread_at, name_at; /* addresses of the Thread, of its name */
	uint64_t again[3];      /* reference, name, value, as they are behind the data */
	uint8_t header[OOP_HEADER_BYTES], name_header[OOP_HEADER_BYTES], array_header[OOP_HEADER_BYTES];
	struct oop_array shape;
	size_t text;            /* bytes of data */
	size_t text_at;         /* the name, in the texts */
	int32_t tid;
	uint8_t coder;
	bool is_own, is_sure, is_read;
};

struct java_threads {
	const struct jvm *jvm;
	struct oops oops;
	/* Offsets; -1: there is none. */
	int64_t next, os_thread, object, tid, length, array, own_name, own_next, supers;
	bool has_handles;       /* the Thread is by one pointer more */
	uint64_t list, own_list, watcher; /* addresses of the roots */
	uint64_t string_class, thread_class, sub_class; /* sub_class: of Thread, seen last */
	int64_t name_at, value_at, coder_at; /* fields; coder: -1 before JDK 9 */
	bool name_is_array;     /* of early JDK 8: Thread.name is char[] */
	struct reading *readings;
	size_t count, cap;
	struct remote_part *parts;
	size_t part_count, part_cap;
	uint8_t *data;
	size_t data_len, data_cap;
	struct java_thread *threads;
	size_t thread_cap;
	struct str text;
};

/* ---- what the tables say ---- */

static int64_t either(const struct vm_tables *t, const char *type, const char *other, const char *field)
{
	int64_t offset = vm_offset(t, type, field);

	return offset >= 0 ? offset : vm_offset(t, other, field);
}

/* JavaThreads are in a list that is replaced when it changes (JDK 17), or are chained. */
static bool find_lists(struct java_threads *t)
{
	const struct vm_tables *v = t->jvm->tables;
	const char *type = vm_field_type(v, "JavaThread", "_threadObj");

	t->os_thread = either(v, "JavaThread", "Thread", "_osthread");
	t->object = vm_offset(v, "JavaThread", "_threadObj");
	t->tid = vm_offset(v, "OSThread", "_thread_id");
	t->has_handles = type && !strcmp(type, "OopHandle");
	t->length = vm_offset(v, "ThreadsList", "_length");
	t->array = vm_offset(v, "ThreadsList", "_threads");
	t->next = vm_offset(v, "JavaThread", "_next");
	t->list = vm_static(v, "ThreadsSMRSupport", "_java_thread_list");
	if (!t->list || t->length < 0 || t->array < 0)
		t->list = vm_static(v, "Threads", "_thread_list");
	else
		t->next = -1;
	return t->list && t->os_thread >= 0 && t->object >= 0 && t->tid >= 0 &&
	       (t->next >= 0 || (t->length >= 0 && t->array >= 0));
}

/* The JVM's own threads, from JDK 11 on: NonJavaThread has nothing but a pointer to the next one behind
 * what Thread has, which shows in their sizes.  Nobody exports where they begin: symbols do. */
static void find_own(struct java_threads *t)
{
	const struct vm_tables *v = t->jvm->tables;
	struct libjvm_symbol symbols[] = { { .name = "_ZN13NonJavaThread9_the_listE" },
					   { .name = "_ZN13WatcherThread15_watcher_threadE" } };
	uint64_t size = vm_size(v, "Thread");

	t->own_name = vm_offset(v, "NamedThread", "_name");
	if (!size || vm_size(v, "NonJavaThread") != size + sizeof(uint64_t) || t->own_name < 0)
		return;
	libjvm_symbols(&t->jvm->lib, symbols, 2);
	t->own_next = (int64_t)size;
	t->own_list = symbols[0].address;
	t->watcher = symbols[1].address;
}

static bool find_fields(struct java_threads *t)
{
	static const char string[] = "Ljava/lang/String;";

	t->supers = vm_offset(t->jvm->tables, "Klass", "_primary_supers[0]");
	t->string_class = oop_well_known(&t->oops, "String");
	t->thread_class = oop_well_known(&t->oops, "Thread");
	if (!t->string_class || !t->thread_class || t->supers < 0)
		return false;
	t->coder_at = oop_field(&t->oops, t->string_class, "coder", "B");
	t->value_at = oop_field(&t->oops, t->string_class, "value", t->coder_at < 0 ? "[C" : "[B");
	t->name_at = oop_field(&t->oops, t->thread_class, "name", string);
	t->name_is_array = t->name_at < 0;
	if (t->name_is_array)
		t->name_at = oop_field(&t->oops, t->thread_class, "name", "[C");
	return t->value_at > 0 && t->name_at > 0;
}

struct java_threads *java_threads_new(const struct jvm *jvm, const char **why)
{
	struct java_threads *t = xcalloc(1, sizeof(*t));

	t->jvm = jvm;
	*why = "its tables do not tell of threads";
	if (!find_lists(t) || oops_init(&t->oops, jvm, why))
		goto failed;
	*why = "it has not started yet";
	if (!find_fields(t))
		goto failed;
	find_own(t);
	return t;
failed:
	java_threads_free(t);
	return NULL;
}

/* ---- reading, many at once ---- */

static void ask(struct java_threads *t, uint64_t address, void *to, size_t len)
{
	if (t->part_count == t->part_cap)
		t->parts = xgrow(t->parts, &t->part_cap, t->part_count + 1, sizeof(*t->parts));
	t->parts[t->part_count++] = (struct remote_part){ address, to, len };
}

/* What cannot be read is 0. */
static void answer(struct java_threads *t)
{
	remote_read_parts(&t->jvm->remote, t->parts, t->part_count);
	t->part_count = 0;
}

static void add_reading(struct java_threads *t, uint64_t thread, bool is_own)
{
	t->readings = xgrow(t->readings, &t->cap, t->count + 1, sizeof(*t->readings));
	t->readings[t->count++] = (struct reading){ .thread = thread, .is_own = is_own };
}

/* Returns false when there is no list. */
static bool list_array(struct java_threads *t)
{
	uint64_t list, array, *threads;
	uint32_t length;
	bool read;

	if (!remote_u64(&t->jvm->remote, t->list, &list) ||
	    !remote_u32(&t->jvm->remote, list + (uint64_t)t->length, &length) ||
	    !remote_u64(&t->jvm->remote, list + (uint64_t)t->array, &array) || length > THREADS_MAX)
		return false;
	threads = xcalloc(length + 1, sizeof(*threads));
	read = remote_read(&t->jvm->remote, array, threads, length * sizeof(*threads));
	for (uint32_t i = 0; read && i < length; i++)
		add_reading(t, threads[i], false);
	free(threads);
	return read;
}

static bool list_chain(struct java_threads *t, uint64_t root, int64_t next, bool is_own)
{
	uint64_t thread;

	if (!remote_u64(&t->jvm->remote, root, &thread))
		return false;
	for (size_t i = 0; thread && i < THREADS_MAX; i++) {
		add_reading(t, thread, is_own);
		if (!remote_u64(&t->jvm->remote, thread + (uint64_t)next, &thread))
			break;
	}
	return true;
}

static bool list_threads(struct java_threads *t)
{
	bool listed = false;

	/* The list may be replaced, and freed, as it is read. */
	for (int i = 0; i < ATTEMPTS && !listed; i++) {
		t->count = 0;
		listed = t->next >= 0 ? list_chain(t, t->list, t->next, false) : list_array(t);
	}
	if (listed && t->own_list)
		list_chain(t, t->own_list, t->own_next, true);
	return listed;
}

static void read_tids(struct java_threads *t)
{
	for (size_t i = 0; i < t->count; i++)
		ask(t, t->readings[i].thread + (uint64_t)t->os_thread, &t->readings[i].os_thread, 8);
	answer(t);
	for (size_t i = 0; i < t->count; i++)
		ask(t, t->readings[i].os_thread + (uint64_t)t->tid, &t->readings[i].tid, 4);
	answer(t);
}

/* ---- Java threads: JavaThread -> Thread -> String -> byte[] ---- */

#define EACH_WANTED(t, r) \
	for (struct reading *r = (t)->readings; r < (t)->readings + (t)->count; r++) \
		if (!r->is_own && !r->is_read && r->tid > 0)

static void ask_object(struct java_threads *t, uint64_t address, uint8_t header[OOP_HEADER_BYTES])
{
	if (address)
		ask(t, address, header, OOP_HEADER_BYTES);
}

static void read_references(struct java_threads *t)
{
	EACH_WANTED(t, r) {
		r->is_sure = true;
		r->slot = r->thread + (uint64_t)t->object;
		if (t->has_handles)
			ask(t, r->slot, &r->slot, 8);
	}
	answer(t);
	EACH_WANTED(t, r) {
		if (r->slot)
			ask(t, r->slot, &r->reference, 8);
	}
	answer(t);
}

/* Where an object is; if it was moved, where it is now. */
static uint64_t follow(const struct java_threads *t, uint64_t address, uint8_t header[OOP_HEADER_BYTES])
{
	uint64_t to = oop_moved_to(&t->oops, header);

	if (!to || !remote_read(&t->jvm->remote, to, header, OOP_HEADER_BYTES))
		return address;
	return to;
}

/* Its second super class, the first being Object: a class of threads has Thread. */
static bool is_thread_class(struct java_threads *t, uint64_t klass)
{
	uint64_t super;

	if (!klass)
		return false;
	if (klass == t->thread_class || klass == t->sub_class)
		return true;
	if (!remote_u64(&t->jvm->remote, klass + (uint64_t)t->supers + 8, &super) || super != t->thread_class)
		return false;
	t->sub_class = klass;
	return true;
}

static void read_objects(struct java_threads *t)
{
	EACH_WANTED(t, r) {
		r->thread_at = oop_address(&t->oops, r->reference, false, &r->is_sure);
		ask_object(t, r->thread_at, r->header);
	}
	answer(t);
	EACH_WANTED(t, r) {
		r->thread_at = follow(t, r->thread_at, r->header);
		if (!is_thread_class(t, oop_klass(&t->oops, r->header)))
			r->thread_at = 0;
		r->name = 0;
		if (r->thread_at)
			ask(t, r->thread_at + (uint64_t)t->name_at, &r->name, t->oops.reference_size);
	}
	answer(t);
}

static void read_strings(struct java_threads *t)
{
	EACH_WANTED(t, r) {
		r->name_at = oop_address(&t->oops, r->name, true, &r->is_sure);
		ask_object(t, r->name_at, r->name_header);
	}
	answer(t);
	EACH_WANTED(t, r) {
		r->name_at = follow(t, r->name_at, r->name_header);
		r->value = 0;
		r->coder = 1;
		if (!r->name_at || t->name_is_array)
			continue;
		if (oop_klass(&t->oops, r->name_header) != t->string_class) {
			r->name_at = 0;
			continue;
		}
		ask(t, r->name_at + (uint64_t)t->value_at, &r->value, t->oops.reference_size);
		if (t->coder_at > 0)
			ask(t, r->name_at + (uint64_t)t->coder_at, &r->coder, 1);
	}
	answer(t);
	EACH_WANTED(t, r) {
		uint64_t reference = t->name_is_array ? r->name : r->value;

		r->array = r->name_at ? oop_address(&t->oops, reference, true, &r->is_sure) : 0;
		ask_object(t, r->array, r->array_header);
	}
	answer(t);
}

/* What the text takes of its array, in bytes; -1: that is none. */
static int64_t text_len(struct java_threads *t, struct reading *r)
{
	uint64_t len;

	r->array = follow(t, r->array, r->array_header);
	if (!r->array || r->coder > 1 || !oop_array(&t->oops, r->array_header, &r->shape) ||
	    r->shape.length > NAME_BELIEVED)
		return -1;
	/* Bytes with the coder UTF16 are pairs. */
	if (r->shape.element_shift != (t->coder_at < 0) || (t->coder_at >= 0 && r->coder && r->shape.length % 2))
		return -1;
	len = r->shape.length << r->shape.element_shift;
	return (int64_t)(len < NAME_MAX_BYTES ? len : NAME_MAX_BYTES);
}

static void read_texts(struct java_threads *t)
{
	t->data_len = 0;
	EACH_WANTED(t, r) {
		int64_t len = text_len(t, r);

		r->data = len < 0 ? 0 : r->array + r->shape.data_at;
		r->text = len < 0 ? 0 : (size_t)len;
		t->data_len += r->text;
	}
	t->data = xgrow(t->data, &t->data_cap, t->data_len + 1, 1);
	t->data_len = 0;
	EACH_WANTED(t, r) {
		if (r->text)
			ask(t, r->data, t->data + t->data_len, r->text);
		t->data_len += r->text;
	}
	answer(t);
}

/* What led to a name leads there still: so nothing of it was moved, or renamed, meanwhile. */
static void read_again(struct java_threads *t)
{
	EACH_WANTED(t, r) {
		memset(r->again, 0, sizeof(r->again));
		if (!r->data)
			continue;
		ask(t, r->slot, &r->again[0], 8);
		ask(t, r->thread_at + (uint64_t)t->name_at, &r->again[1], t->oops.reference_size);
		if (!t->name_is_array)
			ask(t, r->name_at + (uint64_t)t->value_at, &r->again[2], t->oops.reference_size);
		ask(t, r->array, r->name_header, OOP_HEADER_BYTES);
	}
	answer(t);
}

static bool is_unchanged(struct java_threads *t, const struct reading *r)
{
	struct oop_array now;

	return r->data && r->again[0] == r->reference && r->again[1] == r->name &&
	       (t->name_is_array || r->again[2] == r->value) && oop_array(&t->oops, r->name_header, &now) &&
	       now.length == r->shape.length && now.data_at == r->shape.data_at;
}

/* ---- texts ---- */

/* A character of a name: one that would end its line, or the name, is '?'. */
static void add_character(struct str *out, uint32_t code)
{
	if (!code || code == '\n' || code == '\r')
		str_addc(out, '?');
	else
		utf8_add(out, code);
}

static uint32_t unit_at(const uint8_t *bytes, size_t at)
{
	uint16_t unit;

	memcpy(&unit, bytes + at, sizeof(unit));
	return unit;
}

/* Latin-1, or UTF-16 of the machine's byte order, in which halves of pairs may stand alone. */
static void add_text(struct str *out, const uint8_t *bytes, size_t len, bool is_latin1)
{
	for (size_t i = 0; is_latin1 && i < len; i++)
		add_character(out, bytes[i]);
	for (size_t i = 0; !is_latin1 && i + 2 <= len; i += 2) {
		uint32_t code = unit_at(bytes, i), low = i + 4 <= len ? unit_at(bytes, i + 2) : 0;

		if (code >> 10 == 0xd800 >> 10 && low >> 10 == 0xdc00 >> 10) {
			code = 0x10000 + ((code & 0x3ff) << 10) + (low & 0x3ff);
			i += 2;
		}
		add_character(out, code);
	}
}

static void keep_texts(struct java_threads *t)
{
	size_t at = 0;

	EACH_WANTED(t, r) {
		const uint8_t *bytes = t->data + at;

		at += r->text;
		if (!is_unchanged(t, r))
			continue;
		r->is_read = true;
		r->text_at = t->text.len;
		add_text(&t->text, bytes, r->text, t->coder_at >= 0 && !r->coder);
		str_add(&t->text, "", 1);
	}
}

/* Some names, as long as nothing moves. */
static void attempt(struct java_threads *t)
{
	uint32_t collections;

	if (!oops_begin(&t->oops, &collections))
		return;
	read_references(t);
	read_objects(t);
	read_strings(t);
	read_texts(t);
	read_again(t);
	if (oops_end(&t->oops, collections))
		keep_texts(t);
}

/* ---- the JVM's own threads ---- */

/* A NamedThread, or another: then anything may be where a name would be. */
static void read_own(struct java_threads *t, struct reading *r, uint64_t watcher)
{
	char name[OWN_MAX_BYTES] = "VM Periodic Task Thread";
	uint64_t text;

	if (r->thread != watcher && (!remote_u64(&t->jvm->remote, r->thread + (uint64_t)t->own_name, &text) ||
				     !remote_text(&t->jvm->remote, text, name, sizeof(name))))
		return;
	for (const char *c = name; *c; c++) {
		if (*c < ' ' || *c > '~')
			return;
	}
	if (strlen(name) < SHORTEST_OWN)
		return;
	r->is_read = true;
	r->text_at = t->text.len;
	str_add(&t->text, name, strlen(name) + 1);
}

static void read_all_own(struct java_threads *t)
{
	uint64_t watcher = 0;

	if (t->watcher)
		remote_u64(&t->jvm->remote, t->watcher, &watcher);
	for (size_t i = 0; i < t->count; i++) {
		if (t->readings[i].is_own && t->readings[i].tid > 0)
			read_own(t, &t->readings[i], watcher);
	}
}

/* ---- all ---- */

/* A thread that has no name, as it is being attached, is none. */
static bool is_missing(const struct reading *r)
{
	return !r->is_own && !r->is_read && r->tid > 0 && r->reference;
}

int java_threads_read(struct java_threads *t, const struct java_thread **list, size_t *unread)
{
	size_t count = 0;

	*unread = 0;
	str_clear(&t->text);
	if (!list_threads(t))
		return -1;
	read_tids(t);
	read_all_own(t);
	read_references(t);
	for (int i = 0; i < ATTEMPTS; i++)
		attempt(t);
	for (size_t i = 0; i < t->count; i++) {
		const struct reading *r = &t->readings[i];

		if (!r->is_read && !is_missing(r))
			continue;
		t->threads = xgrow(t->threads, &t->thread_cap, count + 1, sizeof(*t->threads));
		t->threads[count++] = (struct java_thread){ r->tid, r->is_read ? t->text.buf + r->text_at : NULL,
							    r->is_sure };
		*unread += !r->is_read;
	}
	*list = t->threads;
	return (int)count;
}

void java_threads_free(struct java_threads *t)
{
	if (!t)
		return;
	free(t->readings);
	free(t->parts);
	free(t->data);
	free(t->threads);
	str_free(&t->text);
	free(t);
}
