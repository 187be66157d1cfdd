#include "collect/jvm/threads.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/jvm/jvm.h"
#include "collect/jvm/oops.h"
#include "core/memory.h"
#include "core/str.h"
#include "core/utf8.h"

/* ---- the threads of a JVM ---- */

/* Java threads are in an array that is replaced at each change (JDK 17), or in a linked list.  The JVM's own threads
 * (GC threads, the VM thread) are listed from JDK 11 on. */

enum { THREAD_OWN_BYTES = 64 };

struct thread_list {
	const struct remote *remote;
	uint64_t *threads; /* [count]: Java threads [java_count], then the JVM's own */
	size_t count, java_count, cap;
	/* Offsets; -1: there is none. */
	int64_t next, length, array, own_next, own_name;
	uint64_t root, own_root, watcher; /* addresses of pointers */
};

enum { THREADS_MAX = 1 << 16, ATTEMPTS = 3, SHORTEST_OWN = 3 };

/* Returns false if the tables do not say where the list is.  jvm must outlive l. */
static bool thread_list_init(struct thread_list *l, const struct jvm *jvm)
{
	*l = (struct thread_list){
		.remote = &jvm->remote,
		.length = vm_offset(jvm->tables, "ThreadsList", "_length"),
		.array = vm_offset(jvm->tables, "ThreadsList", "_threads"),
		.next = vm_offset(jvm->tables, "JavaThread", "_next"),
		.root = vm_static(jvm->tables, "ThreadsSMRSupport", "_java_thread_list"),
	};
	if (l->root && l->length >= 0 && l->array >= 0)
		l->next = -1;
	else
		l->root = vm_static(jvm->tables, "Threads", "_thread_list");
	return l->root && (l->next >= 0 || (l->length >= 0 && l->array >= 0));
}

/* Also find the JVM's own threads, which takes some milliseconds. */
/* The JVM's own threads are NonJavaThreads.  NonJavaThread adds nothing but a next pointer to Thread, as the sizes of
 * the two show.  The tables do not export the head of the list, but the symbols do. */
static void thread_list_find_own(struct thread_list *l, const struct jvm *jvm)
{
	struct runtime_symbol symbols[] = { { .name = "_ZN13NonJavaThread9_the_listE" },
					    { .name = "_ZN13WatcherThread15_watcher_threadE" } };
	uint64_t size = vm_size(jvm->tables, "Thread");

	l->own_name = vm_offset(jvm->tables, "NamedThread", "_name");
	if (!size || vm_size(jvm->tables, "NonJavaThread") != size + sizeof(uint64_t) || l->own_name < 0)
		return;
	runtime_symbols(&jvm->lib, symbols, 2);
	l->own_next = (int64_t)size;
	l->own_root = symbols[0].address;
	l->watcher = symbols[1].address;
}

/* ---- reading ---- */

static void thread_list_add(struct thread_list *l, uint64_t thread)
{
	l->threads = xgrow(l->threads, &l->cap, l->count + 1, sizeof(*l->threads));
	l->threads[l->count++] = thread;
}

static bool thread_list_read_array(struct thread_list *l)
{
	uint64_t list, array;
	uint32_t length;

	if (!remote_u64(l->remote, l->root, &list) || !remote_u32(l->remote, list + (uint64_t)l->length, &length) ||
	    !remote_u64(l->remote, list + (uint64_t)l->array, &array) || length > THREADS_MAX)
		return false;
	l->threads = xgrow(l->threads, &l->cap, length + 1, sizeof(*l->threads));
	l->count = length;
	return remote_read(l->remote, array, l->threads, length * sizeof(*l->threads));
}

static bool read_chain(struct thread_list *l, uint64_t root, int64_t next)
{
	uint64_t thread, seen = 0;

	if (!remote_u64(l->remote, root, &thread))
		return false;
	/* Detect a cycle, which may arise when freed memory is reused.  In a cycle, the walk meets a thread that it has
	 * seen 1, 2, 4, ... steps ago. */
	for (size_t i = 0; thread && thread != seen && i < THREADS_MAX; i++) {
		if (!(i & (i - 1)))
			seen = thread;
		thread_list_add(l, thread);
		if (!remote_u64(l->remote, thread + (uint64_t)next, &thread))
			break;
	}
	return true;
}

/* Read the list.  Returns false if there is none. */
static bool thread_list_read(struct thread_list *l)
{
	bool read = false;

	/* The list may be replaced and freed while we read it. */
	for (int i = 0; i < ATTEMPTS && !read; i++) {
		l->count = 0;
		read = l->next >= 0 ? read_chain(l, l->root, l->next) : thread_list_read_array(l);
	}
	l->java_count = l->count;
	if (read && l->own_root)
		read_chain(l, l->own_root, l->own_next);
	return read;
}

/* The name of one of the JVM's own threads; false if there is no name in the usual place, as only few kinds have
 * one. */
static bool thread_own_name(const struct thread_list *l, uint64_t thread, char name[THREAD_OWN_BYTES])
{
	uint64_t watcher = 0, text;

	if (l->watcher && remote_u64(l->remote, l->watcher, &watcher) && thread == watcher) {
		snprintf(name, THREAD_OWN_BYTES, "VM Periodic Task Thread");
		return true;
	}
	if (!remote_u64(l->remote, thread + (uint64_t)l->own_name, &text) ||
	    !remote_text(l->remote, text, name, THREAD_OWN_BYTES))
		return false;
	for (const char *c = name; *c; c++) {
		if (*c < ' ' || *c > '~')
			return false;
	}
	return strlen(name) >= SHORTEST_OWN;
}

static void thread_list_free(struct thread_list *l)
{
	free(l->threads);
	*l = (struct thread_list){ 0 };
}

/* ---- converts Java strings to UTF-8 ---- */

/* Append a character of a name; newline and NUL become '?'. */
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

/* Append a text that is Latin-1, or UTF-16 of the machine's byte order, as one line: newlines and NULs become '?',
 * unpaired surrogates U+FFFD. */
static void java_text_add(struct str *out, const uint8_t *bytes, size_t len, bool is_latin1)
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

/* ---- threads ---- */

enum {
	NAME_MAX_BYTES = 2048,   /* bytes read of an array; longer names are truncated */
	NAME_BELIEVED = 1 << 16, /* elements; a longer array is not a name */
};

/* A thread being read. */
struct thread_reading {
	uint64_t thread;                     /* JavaThread*, or a thread of the JVM's own */
	uint64_t os_thread, slot, reference; /* slot: the address of the reference to the Thread object */
	uint64_t name, value, array, data;
	uint64_t thread_at, name_at; /* addresses of the Thread object, and of its name */
	uint64_t again[3];           /* reference, name and value, read again after the text */
	uint8_t header[OOP_HEADER_BYTES], name_header[OOP_HEADER_BYTES], array_header[OOP_HEADER_BYTES];
	struct oop_array shape;
	size_t text;    /* bytes of the text */
	size_t text_at; /* where the name begins in the texts */
	int32_t tid;
	uint8_t coder;
	bool is_own, is_sure, is_read;
};

struct java_threads {
	const struct jvm *jvm;
	struct oops oops;
	/* Offsets; -1: there is none. */
	int64_t os_thread, object, tid, supers;
	bool has_handles; /* there is one more pointer before the reference to the Thread object */
	struct thread_list list;
	uint64_t string_class, thread_class, sub_class; /* sub_class: the subclass of Thread that was seen last */
	int64_t name_at, value_at, coder_at;            /* offsets of fields; coder: -1 before JDK 9 */
	bool name_is_array;                             /* early JDK 8: Thread.name is char[] */
	struct thread_reading *readings;
	size_t count, cap;
	struct remote_part *parts;
	size_t part_count, part_cap;
	uint8_t *data;
	size_t data_len, data_cap;
	struct runtime_thread *threads;
	size_t thread_cap;
	struct str text;
};

/* ---- tables ---- */

static bool find_threads(struct java_threads *t)
{
	const struct vm_tables *v = t->jvm->tables;
	const char *type = vm_field_type(v, "JavaThread", "_threadObj");

	t->os_thread = vm_offset(v, "JavaThread", "_osthread");
	if (t->os_thread < 0) /* JDK 25 has no such field */
		t->os_thread = vm_offset(v, "Thread", "_osthread");
	t->object = vm_offset(v, "JavaThread", "_threadObj");
	t->tid = vm_offset(v, "OSThread", "_thread_id");
	t->has_handles = type && !strcmp(type, "OopHandle");
	return t->os_thread >= 0 && t->object >= 0 && t->tid >= 0 && thread_list_init(&t->list, t->jvm);
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
	*why = "its tables do not describe threads";
	if (!find_threads(t) || oops_init(&t->oops, jvm, why))
		goto failed;
	*why = "it has not started yet";
	if (!find_fields(t))
		goto failed;
	thread_list_find_own(&t->list, jvm);
	return t;
failed:
	java_threads_free(t);
	return NULL;
}

/* ---- reading, many at once ---- */

static void threads_ask(struct java_threads *t, uint64_t address, void *to, size_t len)
{
	if (t->part_count == t->part_cap)
		t->parts = xgrow(t->parts, &t->part_cap, t->part_count + 1, sizeof(*t->parts));
	t->parts[t->part_count++] = (struct remote_part){ address, to, len };
}

/* Read the parts; those that cannot be read become 0. */
static void answer(struct java_threads *t)
{
	remote_read_parts(&t->jvm->remote, t->parts, t->part_count);
	t->part_count = 0;
}

static void add_readings(struct java_threads *t)
{
	const struct thread_list *l = &t->list;

	t->readings = xgrow(t->readings, &t->cap, l->count + 1, sizeof(*t->readings));
	t->count = l->count;
	for (size_t i = 0; i < l->count; i++)
		t->readings[i] = (struct thread_reading){ .thread = l->threads[i], .is_own = i >= l->java_count };
}

static void read_tids(struct java_threads *t)
{
	for (size_t i = 0; i < t->count; i++)
		threads_ask(t, t->readings[i].thread + (uint64_t)t->os_thread, &t->readings[i].os_thread, 8);
	answer(t);
	for (size_t i = 0; i < t->count; i++)
		threads_ask(t, t->readings[i].os_thread + (uint64_t)t->tid, &t->readings[i].tid, 4);
	answer(t);
}

/* ---- Java threads: JavaThread -> Thread -> String -> byte[] ---- */

#define EACH_WANTED(t, r)                                                                   \
	for (struct thread_reading *r = (t)->readings; r < (t)->readings + (t)->count; r++) \
		if (!r->is_own && !r->is_read && r->tid > 0)

static void ask_object(struct java_threads *t, uint64_t address, uint8_t header[OOP_HEADER_BYTES])
{
	if (address)
		threads_ask(t, address, header, OOP_HEADER_BYTES);
}

static void read_references(struct java_threads *t)
{
	EACH_WANTED(t, r) {
		r->is_sure = true;
		r->slot = r->thread + (uint64_t)t->object;
		if (t->has_handles)
			threads_ask(t, r->slot, &r->slot, 8);
	}
	answer(t);
	EACH_WANTED(t, r) {
		if (r->slot)
			threads_ask(t, r->slot, &r->reference, 8);
	}
	answer(t);
}

/* The present address of an object, which may have been moved. */
static uint64_t threads_follow(const struct java_threads *t, uint64_t address, uint8_t header[OOP_HEADER_BYTES])
{
	uint64_t to = oop_moved_to(&t->oops, header);

	if (!to || !remote_read(&t->jvm->remote, to, header, OOP_HEADER_BYTES))
		return address;
	return to;
}

/* Looks at the superclass directly below Object, which is Thread for thread classes. */
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
		r->thread_at = threads_follow(t, r->thread_at, r->header);
		if (!is_thread_class(t, oop_klass(&t->oops, r->header)))
			r->thread_at = 0;
		r->name = 0;
		if (r->thread_at)
			threads_ask(t, r->thread_at + (uint64_t)t->name_at, &r->name, t->oops.reference_size);
	}
	answer(t);
}

static void threads_read_strings(struct java_threads *t)
{
	EACH_WANTED(t, r) {
		r->name_at = oop_address(&t->oops, r->name, true, &r->is_sure);
		ask_object(t, r->name_at, r->name_header);
	}
	answer(t);
	EACH_WANTED(t, r) {
		r->name_at = threads_follow(t, r->name_at, r->name_header);
		r->value = 0;
		r->coder = 1;
		if (!r->name_at || t->name_is_array)
			continue;
		if (oop_klass(&t->oops, r->name_header) != t->string_class) {
			r->name_at = 0;
			continue;
		}
		threads_ask(t, r->name_at + (uint64_t)t->value_at, &r->value, t->oops.reference_size);
		if (t->coder_at > 0)
			threads_ask(t, r->name_at + (uint64_t)t->coder_at, &r->coder, 1);
	}
	answer(t);
	EACH_WANTED(t, r) {
		uint64_t reference = t->name_is_array ? r->name : r->value;

		r->array = r->name_at ? oop_address(&t->oops, reference, true, &r->is_sure) : 0;
		ask_object(t, r->array, r->array_header);
	}
	answer(t);
}

/* How many bytes of the array the string uses; -1: it is not a string. */
static int64_t text_len(struct java_threads *t, struct thread_reading *r)
{
	uint64_t len;

	r->array = threads_follow(t, r->array, r->array_header);
	if (!r->array || r->coder > 1 || !oop_array(&t->oops, r->array_header, &r->shape) ||
	    r->shape.length > NAME_BELIEVED)
		return -1;
	/* Bytes with the coder UTF16 are pairs. */
	if (r->shape.element_shift != (t->coder_at < 0) || (t->coder_at >= 0 && r->coder && r->shape.length % 2))
		return -1;
	len = r->shape.length << r->shape.element_shift;
	return (int64_t)(len < NAME_MAX_BYTES ? len : NAME_MAX_BYTES);
}

static void threads_read_texts(struct java_threads *t)
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
			threads_ask(t, r->data, t->data + t->data_len, r->text);
		t->data_len += r->text;
	}
	answer(t);
}

/* Read the path to the name again: if it is unchanged, nothing was moved or renamed meanwhile. */
static void threads_read_again(struct java_threads *t)
{
	EACH_WANTED(t, r) {
		memset(r->again, 0, sizeof(r->again));
		if (!r->data)
			continue;
		threads_ask(t, r->slot, &r->again[0], 8);
		threads_ask(t, r->thread_at + (uint64_t)t->name_at, &r->again[1], t->oops.reference_size);
		if (!t->name_is_array)
			threads_ask(t, r->name_at + (uint64_t)t->value_at, &r->again[2], t->oops.reference_size);
		threads_ask(t, r->array, r->name_header, OOP_HEADER_BYTES);
	}
	answer(t);
}

static bool is_unchanged(struct java_threads *t, const struct thread_reading *r)
{
	struct oop_array now;

	return r->data && r->again[0] == r->reference && r->again[1] == r->name &&
	       (t->name_is_array || r->again[2] == r->value) && oop_array(&t->oops, r->name_header, &now) &&
	       now.length == r->shape.length && now.data_at == r->shape.data_at;
}

/* ---- texts ---- */

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
		java_text_add(&t->text, bytes, r->text, t->coder_at >= 0 && !r->coder);
		str_add(&t->text, "", 1);
	}
}

/* Read some names, as long as objects do not move. */
static void attempt(struct java_threads *t)
{
	uint32_t collections;

	if (!oops_begin(&t->oops, &collections))
		return;
	read_references(t);
	read_objects(t);
	threads_read_strings(t);
	threads_read_texts(t);
	threads_read_again(t);
	if (oops_end(&t->oops, collections))
		keep_texts(t);
}

/* ---- the JVM's own threads ---- */

static void read_own(struct java_threads *t)
{
	char name[THREAD_OWN_BYTES];

	for (struct thread_reading *r = t->readings; r < t->readings + t->count; r++) {
		if (!r->is_own || r->tid <= 0 || !thread_own_name(&t->list, r->thread, name))
			continue;
		r->is_read = true;
		r->text_at = t->text.len;
		str_add(&t->text, name, strlen(name) + 1);
	}
}

/* ---- all ---- */

/* Is a name missing?  A thread without a Thread object is just being attached, and needs none. */
static bool is_missing(const struct thread_reading *r)
{
	return !r->is_own && !r->is_read && r->tid > 0 && r->reference;
}

int java_threads_read(struct java_threads *t, const struct runtime_thread **list, size_t *unread)
{
	size_t count = 0;

	*unread = 0;
	str_clear(&t->text);
	if (!thread_list_read(&t->list))
		return -1;
	add_readings(t);
	read_tids(t);
	read_own(t);
	read_references(t);
	for (int i = 0; i < ATTEMPTS; i++)
		attempt(t);
	for (size_t i = 0; i < t->count; i++) {
		const struct thread_reading *r = &t->readings[i];

		if (!r->is_read && !is_missing(r))
			continue;
		t->threads = xgrow(t->threads, &t->thread_cap, count + 1, sizeof(*t->threads));
		t->threads[count++] = (struct runtime_thread){ .tid = r->tid,
							       .name = r->is_read ? t->text.buf + r->text_at : NULL,
							       .is_sure = r->is_sure };
		*unread += !r->is_read;
	}
	*list = t->threads;
	return (int)count;
}

void java_threads_free(struct java_threads *t)
{
	if (!t)
		return;
	thread_list_free(&t->list);
	free(t->readings);
	free(t->parts);
	free(t->data);
	free(t->threads);
	str_free(&t->text);
	free(t);
}
