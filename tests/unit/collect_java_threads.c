/* oops, threads, vm_tables: names of threads of a made JVM: this program is its own libjvm, whose tables
 * describe the structs below; and what becomes of them when anything is in its memory.
 * slow: what becomes of a thousand damaged JVMs */
#include <link.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include "collect/jvm/threads.h"
#include "core/utf8.h"
#include "tests/unit/check.h"

static void check(bool right, const char *what)
{
	printf("%sok - %s\n", right ? "" : "not ", what);
	checks_failed += !right;
}

static void check_text(const char *got, const char *wanted, const char *what)
{
	check(!strcmp(got, wanted), what);
	if (strcmp(got, wanted))
		printf("#   got:    %s\n#   wanted: %s\n", got, wanted);
}

/* ---- the JVM ---- */

struct symbol {
	uint16_t length;
	char body[30];
};

struct constant_pool {
	int32_t length;
	const struct symbol *base[8];
};

struct array {
	int32_t length;
	union {
		uint8_t u1[60];
		uint16_t u2[30];
	} data;
};

struct klass {
	uint64_t unused;
	int32_t layout_helper;
	struct klass *primary_supers[8];
	struct array *slots, *stream; /* of fields */
	struct constant_pool *constants;
};

struct object {
	uint64_t mark;
	struct klass *klass;
	struct object *reference;
	uint8_t coder;
};

/* With klass pointers of 8 bytes, the elements of an array begin 24 bytes after its start. */
struct text {
	uint64_t mark;
	struct klass *klass;
	int32_t length, unused;
	uint8_t bytes[40];
};

struct os_thread {
	int64_t unused;
	int32_t id;
};

struct java_thread_of_jvm {
	struct java_thread_of_jvm *next; /* of the JVM's own */
	struct os_thread *os_thread;
	struct object **handle;
	const char *name; /* of its own */
};

struct threads_list {
	uint32_t length;
	struct java_thread_of_jvm **threads;
};

struct heap {
	bool active;
	uint32_t collections;
};

struct flag {
	const char *name;
	const void *address;
};

enum { THREADS = 6 };

/* All that can change. */
static struct memory {
	struct symbol symbols[8];
	struct constant_pool pool;
	struct array string_slots, thread_stream;
	struct klass object_class, string_class, thread_class, bytes_class, chars_class;
	struct text texts[THREADS];
	struct object strings[THREADS], objects[THREADS];
	struct object *handles[THREADS];
	struct os_thread os_threads[THREADS];
	struct java_thread_of_jvm threads[THREADS], *pointers[THREADS];
	struct threads_list list, *list_now;
	struct heap heap, *heap_now;
	struct klass *well_known[2];
} m;

/* ---- the tables of the JVM, laid out as in vmStructs.hpp ---- */

struct struct_entry {
	const char *type, *field, *declared;
	int32_t is_static;
	uint64_t offset;
	const void *address;
};

struct type_entry {
	const char *name;
	uint64_t size;
};

struct constant_entry {
	const char *name;
	int32_t value;
};

struct long_entry {
	const char *name;
	uint64_t value;
};

#define FIELD(type, field, declared, where, member)                            \
	{                                                                      \
		type, field, declared, 0, offsetof(struct where, member), NULL \
	}
#define STATIC(type, field, where)                \
	{                                         \
		type, field, NULL, 1, 0, &(where) \
	}

static const bool yes = true, no;
static const struct flag flags[] = { { "UseG1GC", &yes },
				     { "UseCompressedOops", &no },
				     { "UseCompressedClassPointers", &no } };
static const struct flag *first_flag = flags;
static const uint64_t flag_count = 3;

static const struct struct_entry structs[] = {
	STATIC("JVMFlag", "flags", first_flag),
	STATIC("JVMFlag", "numFlags", flag_count),
	FIELD("JVMFlag", "_name", "const char*", flag, name),
	FIELD("JVMFlag", "_addr", "void*", flag, address),
	STATIC("ThreadsSMRSupport", "_java_thread_list", m.list_now),
	FIELD("ThreadsList", "_length", "uint", threads_list, length),
	FIELD("ThreadsList", "_threads", "JavaThread**", threads_list, threads),
	FIELD("JavaThread", "_osthread", "OSThread*", java_thread_of_jvm, os_thread),
	FIELD("JavaThread", "_threadObj", "OopHandle", java_thread_of_jvm, handle),
	FIELD("OSThread", "_thread_id", "int", os_thread, id),
	STATIC("Universe", "_collectedHeap", m.heap_now),
	FIELD("CollectedHeap", "_is_gc_active", "bool", heap, active),
	FIELD("CollectedHeap", "_total_collections", "uint", heap, collections),
	STATIC("vmClasses", "_klasses[static_cast<int>(vmClassID::String_klass_knum)]", m.well_known[0]),
	STATIC("vmClasses", "_klasses[static_cast<int>(vmClassID::Thread_klass_knum)]", m.well_known[1]),
	FIELD("Klass", "_layout_helper", "int", klass, layout_helper),
	FIELD("Klass", "_primary_supers[0]", "Klass*", klass, primary_supers),
	FIELD("InstanceKlass", "_fields", "Array<u2>*", klass, slots),
	FIELD("InstanceKlass", "_fieldinfo_stream", "Array<u1>*", klass, stream),
	FIELD("InstanceKlass", "_constants", "ConstantPool*", klass, constants),
	FIELD("ConstantPool", "_length", "int", constant_pool, length),
	FIELD("Symbol", "_length", "u2", symbol, length),
	FIELD("Symbol", "_body", "u1", symbol, body),
	FIELD("Array<int>", "_length", "int", array, length),
	FIELD("Array<u1>", "_data", "u1", array, data),
	FIELD("Array<u2>", "_data", "u2", array, data),
	{ 0 }
};

static const struct type_entry types[] = { { "JVMFlag", sizeof(struct flag) },
					   { "ConstantPool", offsetof(struct constant_pool, base) },
					   { 0 } };

static const struct constant_entry constants[] = { { "Klass::_lh_array_tag_shift", 30 },
						   { "Klass::_lh_array_tag_type_value", -1 },
						   { "Klass::_lh_element_type_shift", 8 },
						   { "Klass::_lh_element_type_mask", 255 },
						   { "Klass::_lh_header_size_shift", 16 },
						   { "Klass::_lh_header_size_mask", 255 },
						   { "FieldInfo::field_slots", 6 },
						   { "FieldInfo::access_flags_offset", 0 },
						   { "FieldInfo::name_index_offset", 1 },
						   { "FieldInfo::signature_index_offset", 2 },
						   { "FieldInfo::low_packed_offset", 4 },
						   { "FieldInfo::high_packed_offset", 5 },
						   { "FieldInfo::FieldFlags::_ff_initialized", 0 },
						   { "FieldInfo::FieldFlags::_ff_generic", 2 },
						   { "FieldInfo::FieldFlags::_ff_contended", 4 },
						   { 0 } };

static const struct long_entry longs[] = { { "unused", 0 }, { 0 } };

#define TABLE(name, table, entry)                                 \
	extern const void *const gHotSpotVM##name##s;             \
	extern const uint64_t gHotSpotVM##name##EntryArrayStride; \
	const void *const gHotSpotVM##name##s = table;            \
	const uint64_t gHotSpotVM##name##EntryArrayStride = sizeof(struct entry)

#define COLUMN(name, entry, member)                     \
	extern const uint64_t gHotSpotVM##name##Offset; \
	const uint64_t gHotSpotVM##name##Offset = offsetof(struct entry, member)

TABLE(Struct, structs, struct_entry);
COLUMN(StructEntryTypeName, struct_entry, type);
COLUMN(StructEntryFieldName, struct_entry, field);
COLUMN(StructEntryTypeString, struct_entry, declared);
COLUMN(StructEntryIsStatic, struct_entry, is_static);
COLUMN(StructEntryOffset, struct_entry, offset);
COLUMN(StructEntryAddress, struct_entry, address);
TABLE(Type, types, type_entry);
COLUMN(TypeEntryTypeName, type_entry, name);
COLUMN(TypeEntrySize, type_entry, size);
TABLE(IntConstant, constants, constant_entry);
COLUMN(IntConstantEntryName, constant_entry, name);
COLUMN(IntConstantEntryValue, constant_entry, value);
TABLE(LongConstant, longs, long_entry);
COLUMN(LongConstantEntryName, long_entry, name);
COLUMN(LongConstantEntryValue, long_entry, value);

/* ---- what is in its memory ---- */

enum { NAME = 1, STRING, VALUE, BYTES, CODER, BYTE }; /* constants */

static void set_symbol(int number, const char *text)
{
	m.symbols[number].length = (uint16_t)strlen(text);
	memcpy(m.symbols[number].body, text, strlen(text));
	m.pool.base[number] = &m.symbols[number];
}

static void set_classes(void)
{
	enum { SLOTS = 12, TAG = 1 };
	static const uint16_t slots[SLOTS] = {
		0x12, VALUE, BYTES, 0, offsetof(struct object, reference) << 2 | TAG, 0,
		0x12, CODER, BYTE,  0, offsetof(struct object, coder) << 2 | TAG,     0,
	};
	/* Two fields of the class, both at their places: "static name", with an initial value, and "name". */
	static const uint8_t stream[] = { 3, 1,        NAME + 1,   STRING + 1,
					  9, 8 + 1,    1 + 1,      200,
					  3, NAME + 1, STRING + 1, offsetof(struct object, reference) + 1,
					  1, 1,        0 };

	set_symbol(NAME, "name");
	set_symbol(STRING, "Ljava/lang/String;");
	set_symbol(VALUE, "value");
	set_symbol(BYTES, "[B");
	set_symbol(CODER, "coder");
	set_symbol(BYTE, "B");
	m.pool.length = 8;
	m.string_slots.length = SLOTS;
	memcpy(m.string_slots.data.u2, slots, sizeof(slots));
	m.thread_stream.length = sizeof(stream);
	memcpy(m.thread_stream.data.u1, stream, sizeof(stream));
	m.string_class.slots = &m.string_slots;
	m.thread_class.stream = &m.thread_stream;
	m.string_class.constants = m.thread_class.constants = &m.pool;
	m.bytes_class.layout_helper = (int32_t)(3u << 30 | 24 << 16 | 8 << 8);
	m.chars_class.layout_helper = (int32_t)(3u << 30 | 24 << 16 | 5 << 8 | 1);
	m.well_known[0] = &m.string_class;
	m.well_known[1] = &m.thread_class;
}

static void set_text(int i, const void *bytes, size_t len, uint8_t coder)
{
	m.texts[i] = (struct text){ .klass = &m.bytes_class, .length = (int32_t)len };
	memcpy(m.texts[i].bytes, bytes, len);
	m.strings[i] = (struct object){ .klass = &m.string_class, .reference = (void *)&m.texts[i], .coder = coder };
}

static void set_memory(void)
{
	memset(&m, 0, sizeof(m));
	set_classes();
	for (int i = 0; i < THREADS; i++) {
		char name[16];

		set_text(i, name, (size_t)snprintf(name, sizeof(name), "thread %d", i), 0);
		m.objects[i] = (struct object){ .klass = &m.thread_class, .reference = &m.strings[i] };
		m.handles[i] = &m.objects[i];
		m.os_threads[i].id = 100 + i;
		m.threads[i] = (struct java_thread_of_jvm){ .os_thread = &m.os_threads[i], .handle = &m.handles[i] };
		m.pointers[i] = &m.threads[i];
	}
	m.list = (struct threads_list){ THREADS, m.pointers };
	m.list_now = &m.list;
	m.heap_now = &m.heap;
}

/* ---- reading it ---- */

static int note_bias(struct dl_phdr_info *info, size_t size, void *bias)
{
	(void)size;
	*(uint64_t *)bias = info->dlpi_addr;
	return 1; /* the program is the first */
}

static int reads_until_change, collections_a_read;

/* Memory like that of a running JVM: after some reads, a name has changed, and its old place has other content. */
static bool read_changing(const struct remote *r, uint64_t address, void *to, size_t len)
{
	struct remote plain = { .pid = r->pid };

	if (reads_until_change && !--reads_until_change) {
		m.objects[0].reference = &m.strings[1];
		memset(m.texts[0].bytes, 'X', sizeof(m.texts[0].bytes));
	}
	m.heap.collections += (uint32_t)collections_a_read;
	return remote_read(&plain, address, to, len);
}

static struct jvm jvm;
static struct java_threads *threads;
static const struct runtime_thread *list;
static size_t unread;

static void open_made(void)
{
	const char *why;

	jvm = (struct jvm){ .remote = { .pid = getpid(), .read = read_changing }, .lib.path = "/proc/self/exe" };
	dl_iterate_phdr(note_bias, &jvm.lib.bias);
	set_memory();
	jvm.tables = vm_tables_read(&jvm.remote, &jvm.lib);
	check(jvm.tables != NULL, "tables of this program");
	threads = jvm.tables ? java_threads_new(&jvm, &why) : NULL;
	check(threads != NULL, "threads");
	if (!threads)
		exit(1);
}

/* The name of thread i among those that were read. */
static const char *name_of(int i)
{
	int count = java_threads_read(threads, &list, &unread);

	for (int at = 0; at < count; at++) {
		if (list[at].tid == 100 + i)
			return list[at].name ? list[at].name : "(unread)";
	}
	return "(none)";
}

static void test_texts(void)
{
	static const struct {
		const char *what, *bytes;
		size_t len;
		int coder;
		const char *name;
	} rows[] = {
		{ "Latin-1", "\xfcml\xe4ut", 6, 0, "\xc3\xbcml\xc3\xa4ut" },
		{ "empty", "", 0, 0, "" },
		{ "newlines and NUL", "a\nb\rc\0d\t", 8, 0, "a?b?c?d\t" },
		{ "UTF-16", "a\0\xe5\x65\x01\0", 6, 1, "a\xe6\x97\xa5\x01" },
		{ "a pair", "\x3d\xd8\x00\xde", 4, 1, "\xf0\x9f\x98\x80" },
		{ "a first half alone", "\x3d\xd8\x61\0", 4, 1,
		  "\xef\xbf\xbd"
		  "a" },
		{ "a second half alone", "\x00\xde\x61\0", 4, 1,
		  "\xef\xbf\xbd"
		  "a" },
		{ "a first half at the end", "\x61\0\x3d\xd8", 4, 1, "a\xef\xbf\xbd" },
		{ "half a character", "a\0b", 3, 1, "(unread)" },
		{ "another coder", "a\0", 2, 2, "(unread)" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		set_memory();
		set_text(2, rows[i].bytes, rows[i].len, (uint8_t)rows[i].coder);
		check_text(name_of(2), rows[i].name, rows[i].what);
	}
}

#define BROKEN(change, thread, wanted)                        \
	do {                                                  \
		set_memory();                                 \
		change;                                       \
		check_text(name_of(thread), wanted, #change); \
	} while (0)

static void test_broken(void)
{
	struct object *nowhere = (void *)(uintptr_t)0x10;

	BROKEN((void)0, 0, "thread 0");
	BROKEN(m.texts[0].length = -1, 0, "(unread)");
	BROKEN(m.texts[0].length = INT32_MAX, 0, "(unread)");
	BROKEN(m.texts[0].klass = &m.chars_class, 0, "(unread)");
	BROKEN(m.texts[0].klass = &m.string_class, 0, "(unread)");
	BROKEN(m.texts[0].klass = NULL, 0, "(unread)");
	BROKEN(m.strings[0].klass = &m.thread_class, 0, "(unread)");
	BROKEN(m.strings[0].reference = nowhere, 0, "(unread)");
	BROKEN(m.strings[0].reference = NULL, 0, "(unread)");
	BROKEN(m.objects[0].reference = nowhere, 0, "(unread)");
	BROKEN(m.objects[0].klass = &m.string_class, 0, "(unread)");
	BROKEN(m.objects[0].klass = (void *)((char *)&m.thread_class + 1), 0, "(unread)");
	BROKEN(m.handles[0] = nowhere, 0, "(unread)");
	BROKEN(m.handles[0] = NULL, 0, "(none)");
	BROKEN(m.threads[0].handle = NULL, 0, "(none)");
	BROKEN(m.threads[0].os_thread = NULL, 0, "(none)");
	BROKEN(m.os_threads[0].id = -5, 0, "(none)");
	BROKEN(m.pointers[0] = (void *)nowhere, 0, "(none)");
	BROKEN(m.pointers[0] = (void *)nowhere, 1, "thread 1");
	BROKEN(m.list.length = UINT32_MAX, 1, "(none)");
	BROKEN(m.list.threads = NULL, 1, "(none)");
	BROKEN(m.list_now = NULL, 1, "(none)");
	set_memory();
	m.bytes_class.layout_helper = 0;
	check_text(name_of(0), "thread 0", "what is known of a class stays");
}

/* A class derived from Thread has Thread as its second super class; the first one is Object. */
static void test_subclass(void)
{
	set_memory();
	m.object_class.primary_supers[1] = &m.thread_class;
	m.objects[3].klass = &m.object_class;
	check_text(name_of(3), "thread 3", "a thread of a class of its own");
}

static void test_moving(void)
{
	set_memory();
	m.heap.active = true;
	check_text(name_of(0), "(unread)", "while the collector moves objects");
	check(unread == THREADS, "... nothing is read, and all are counted");
	set_memory();
	collections_a_read = 1;
	check_text(name_of(0), "(unread)", "a collection between two reads");
	collections_a_read = 0;
	for (int i = 1; i < 60; i++) {
		const char *name;

		set_memory();
		reads_until_change = i;
		name = name_of(0);
		if (strcmp(name, "thread 0") && strcmp(name, "thread 1"))
			break;
		reads_until_change = i < 59 ? 0 : -1;
	}
	check(reads_until_change == -1, "renamed between two reads: the one or the other");
	reads_until_change = 0;
}

static bool is_utf8_line(const char *text)
{
	uint32_t code;

	for (size_t len = strlen(text), used; len; text += used, len -= used) {
		used = utf8_decode(text, len, &code);
		if (!used || code == '\n')
			return false;
	}
	return true;
}

/* Anything may be anywhere. */
static void test_anything(void)
{
	enum { ROUNDS = 20000, CHANGES = 4 };
	unsigned seed = 1;
	bool good = true;

	for (int i = 0; i < ROUNDS && good; i++) {
		int count;

		set_memory();
		for (int c = 0; c < CHANGES; c++) {
			size_t at;

			seed = seed * 1103515245 + 12345;
			at = seed / 65536 * 7919u % sizeof(m);
			((uint8_t *)&m)[at] = (uint8_t)(seed >> 8);
		}
		count = java_threads_read(threads, &list, &unread);
		for (int at = 0; at < count; at++)
			good &= list[at].tid > 0 && (!list[at].name || is_utf8_line(list[at].name));
	}
	check(good, "any bytes in memory: names are lines of UTF-8");
}

/* A JVM that has just begun and has not loaded its classes, and a JVM whose tables lack needed entries. */
static void test_new(void)
{
	const char *why = "";

	set_memory();
	m.well_known[1] = NULL;
	check(!java_threads_new(&jvm, &why), "no class Thread yet");
	check_text(why, "it has not started yet", "... and why");
	set_memory();
	m.thread_stream.data.u1[7] = 0;
	check(!java_threads_new(&jvm, &why), "a stream of fields that ends early");
	set_memory();
	m.string_slots.length = INT32_MAX;
	check(!java_threads_new(&jvm, &why), "fields without end");
}

int main(void)
{
	open_made();
	test_texts();
	test_broken();
	test_subclass();
	test_moving();
	test_anything();
	test_new();
	java_threads_free(threads);
	jvm_close(&jvm);
	return check_done();
}
