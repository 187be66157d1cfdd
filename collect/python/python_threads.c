#include "collect/python/python_threads.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "collect/python/python_layout.h"
#include "collect/python/python_text.h"
#include "core/map.h"
#include "core/memory.h"
#include "core/str.h"

enum { PYTHON_THREADS_MAX = 4096, PYTHON_DEPTH_MAX = 1024, PYTHON_ATTRIBUTES_MAX = 30, PYTHON_LOOKS = 4 };

/* A thread of an interpreter. */
struct python_named {
	uint64_t state, id;         /* its PyThreadState, its pthread_t */
	uint64_t name_at, ident_at; /* where its Thread points to _name and _ident; 0: not found yet */
	int tid;
	unsigned looks; /* in vain: a thread that begins has no name yet */
};

struct python_threads {
	struct python_runtime runtime;
	struct map objects; /* (id, tid) -> number + 1 in known */
	struct python_named *known;
	size_t known_count, known_cap;
	struct str texts;
	struct runtime_thread *list;
	size_t count, cap;
};

/* ---- attributes of an object ---- */

/* Where an object has the values of its attributes, in the order of keys; 0: it has a dict, which has them itself. */
struct python_attributes {
	struct python_keys keys;
	uint64_t values;
};

/* Offsets in objects, classes and dicts: Include/cpython/object.h, Include/internal/pycore_dict.h */
enum {
	TYPE_SIZE = 32,
	TYPE_FLAGS = 168,
	INLINE_VALUES = 1 << 2,
	MANAGED_DICT = 1 << 4,
	VALUES_VALID = 3, /* 3.13 */
	VALUES_HEAD = 8,
	DICT_VALUES = 8, /* after the keys */
};

/* The values that an object has without a dict; 0: it has a dict. */
static uint64_t python_own_values(const struct python_runtime *p, uint64_t object, uint64_t type, uint64_t *dict)
{
	uint64_t size, values;
	uint8_t is_valid;

	*dict = 0;
	if (!remote_u64(&p->remote, object - 24, dict))
		return 0;
	if (p->version == 0x30b)
		return remote_u64(&p->remote, object - 32, &values) ? values : 0;
	if (p->version == 0x30c)
		return *dict & 1 ? *dict + 1 : 0;
	if (!remote_u64(&p->remote, type + TYPE_SIZE, &size) || size > 4096 ||
	    !remote_u8(&p->remote, object + size + VALUES_VALID, &is_valid) || !is_valid)
		return 0;
	return object + size + VALUES_HEAD;
}

static bool python_attributes_of(const struct python_runtime *p, uint64_t object, struct python_attributes *a)
{
	uint64_t type, dict, keys, flags, needed = p->version >= 0x30d ? MANAGED_DICT | INLINE_VALUES : MANAGED_DICT;

	*a = (struct python_attributes){ 0 };
	if (!object || object % 8 || !remote_u64(&p->remote, object + p->offsets.object_type, &type) || type % 8 ||
	    !remote_u64(&p->remote, type + TYPE_FLAGS, &flags) || (flags & needed) != needed)
		return false;
	a->values = python_own_values(p, object, type, &dict);
	if (a->values)
		return remote_u64(&p->remote, type + p->offsets.type_keys, &keys) &&
		       python_keys_read(p, keys, &a->keys);
	if (!python_is_a(p, dict, p->dict_type) || !remote_u64(&p->remote, dict + p->offsets.dict_keys, &keys) ||
	    !remote_u64(&p->remote, dict + p->offsets.dict_keys + DICT_VALUES, &a->values))
		return false;
	if (a->values && p->version >= 0x30d)
		a->values += VALUES_HEAD;
	return python_keys_read(p, keys, &a->keys);
}

/* Where the pointer to the value of an attribute is; 0: there is none. */
static uint64_t python_attribute(const struct python_runtime *p, const struct python_attributes *a, const char *name)
{
	uint64_t value, each = a->keys.has_hashes ? 3 : 2;
	int index = python_keys_find(p, &a->keys, name, PYTHON_ATTRIBUTES_MAX, &value);

	if (index < 0)
		return 0;
	return a->values ? a->values + (uint64_t)index * 8 : a->keys.entries + ((uint64_t)index * each + each - 1) * 8;
}

/* A positive int of at most three digits: Include/cpython/longintrepr.h */
static bool python_number(const struct python_runtime *p, uint64_t address, uint64_t *number)
{
	uint64_t count;
	uint32_t digits[3] = { 0 };

	if (!remote_u64(&p->remote, address + p->offsets.object_type + 8, &count))
		return false;
	if (p->version >= 0x30c)
		count >>= 3;
	if (!count || count > 3 ||
	    !remote_read(&p->remote, address + p->offsets.object_type + 16, digits, count * sizeof(*digits)))
		return false;
	*number = digits[0] | (uint64_t)digits[1] << 30 | (uint64_t)digits[2] << 60;
	return true;
}

/* ---- the object of a thread ---- */

static bool python_is_bootstrap(const struct python_runtime *p, uint64_t code)
{
	struct str name = { 0 };
	uint64_t qualname;
	bool is;

	is = python_is_a(p, code, p->code_type) && remote_u64(&p->remote, code + p->offsets.code_qualname, &qualname) &&
	     python_text_add(p, qualname, &name) && !strcmp(str_text(&name), "Thread._bootstrap");
	str_free(&name);
	return is;
}

/* The first argument of the outermost function, if it is that of a Thread; 0: it is not, or the thread was faster. */
static uint64_t python_thread_object(const struct python_runtime *p, uint64_t state)
{
	const struct python_layout *l = &p->offsets.bpf;
	uint64_t frame, code, outermost = 0, outermost_code = 0, object;
	uint8_t kind = 0;

	if (!remote_u64(&p->remote, state + l->thread_frame, &frame) ||
	    (frame && l->frame_pointer != PYTHON_NONE && !remote_u64(&p->remote, frame + l->frame_pointer, &frame)))
		return 0;
	for (int i = 0; i < PYTHON_DEPTH_MAX && frame; i++) {
		if (!remote_u64(&p->remote, frame + l->frame_code, &code) ||
		    !remote_u8(&p->remote, frame + l->frame_kind, &kind))
			return 0;
		if (kind < l->first_stub) {
			outermost = frame;
			outermost_code = code & ~UINT64_C(7);
		}
		if (!remote_u64(&p->remote, frame + l->frame_previous, &frame))
			return 0;
	}
	if (frame || !outermost || !python_is_bootstrap(p, outermost_code) ||
	    !remote_u64(&p->remote, outermost + p->offsets.frame_locals, &object))
		return 0;
	return object & ~UINT64_C(7);
}

static void python_thread_find(const struct python_runtime *p, struct python_named *t)
{
	uint64_t object = python_thread_object(p, t->state);
	struct python_attributes a;

	t->name_at = t->ident_at = 0;
	if (object && python_attributes_of(p, object, &a)) {
		t->name_at = python_attribute(p, &a, "_name");
		t->ident_at = python_attribute(p, &a, "_ident");
	}
}

/* Append the name of a thread.  Returns false if what is there is not, or no longer, of this thread. */
static bool python_thread_name(const struct python_runtime *p, const struct python_named *t, struct str *to)
{
	uint64_t name, again, ident, id, now;
	size_t begin = to->len;

	if (t->name_at && t->ident_at && remote_u64(&p->remote, t->name_at, &name) && python_text_add(p, name, to) &&
	    to->len > begin && remote_u64(&p->remote, t->ident_at, &ident) && python_number(p, ident, &id) &&
	    id == t->id && remote_u64(&p->remote, t->state + p->offsets.bpf.thread_id, &now) && now == id &&
	    remote_u64(&p->remote, t->name_at, &again) && again == name)
		return true;
	to->len = begin;
	return false;
}

/* ---- all threads ---- */

static struct python_named *python_named_find(struct python_threads *t, uint64_t state, uint64_t id, int tid)
{
	uint32_t *number;

	if (t->known_count > 2 * PYTHON_THREADS_MAX) {
		map_free(&t->objects);
		t->known_count = 0;
	}
	number = map_at(&t->objects, id, (uint32_t)tid);
	if (!*number) {
		t->known = xgrow(t->known, &t->known_cap, t->known_count + 1, sizeof(*t->known));
		t->known[t->known_count++] = (struct python_named){ .state = state, .id = id, .tid = tid };
		*number = (uint32_t)t->known_count;
	}
	return &t->known[*number - 1];
}

static void python_threads_look(struct python_threads *t, uint64_t state, size_t *unread)
{
	const struct python_runtime *p = &t->runtime;
	uint64_t id, native;
	struct python_named *known;
	size_t begin = t->texts.len;

	if (!remote_u64(&p->remote, state + p->offsets.bpf.thread_id, &id) ||
	    !remote_u64(&p->remote, state + p->offsets.thread_native, &native) || !id || !native || native > INT32_MAX)
		return;
	known = python_named_find(t, state, id, (int)native);
	known->state = state;
	if (!python_thread_name(p, known, &t->texts)) {
		python_thread_find(p, known);
		if (!python_thread_name(p, known, &t->texts)) {
			*unread += known->looks++ < PYTHON_LOOKS;
			return;
		}
	}
	for (size_t i = begin; i < t->texts.len; i++) {
		if (!t->texts.buf[i] || t->texts.buf[i] == '\n' || t->texts.buf[i] == '\r')
			t->texts.buf[i] = '?';
	}
	str_add(&t->texts, "", 1);
	t->list = xgrow(t->list, &t->cap, t->count + 1, sizeof(*t->list));
	t->list[t->count++] = (struct runtime_thread){ .tid = (int)native, .is_sure = true };
}

/* "Thread-7", "Thread-7 (run)", "ThreadPoolExecutor-0_3" */
static bool python_is_default_name(const char *name)
{
	static const char *const begins[] = { "Thread-", "ThreadPoolExecutor-" };

	for (size_t i = 0; i < sizeof(begins) / sizeof(*begins); i++) {
		size_t len = strlen(begins[i]);

		if (!strncmp(name, begins[i], len) && isdigit((unsigned char)name[len]))
			return true;
	}
	return false;
}

/* The texts stay where they are now. */
static void python_threads_set_names(struct python_threads *t)
{
	const char *name = t->texts.buf;

	for (size_t i = 0; i < t->count; i++, name += strlen(name) + 1) {
		t->list[i].name = name;
		t->list[i].is_default = python_is_default_name(name);
	}
}

static int python_threads_read(void *runtime, const struct runtime_thread **list, size_t *unread)
{
	struct python_threads *t = runtime;
	const struct python_layout *l = &t->runtime.offsets.bpf;
	const struct remote *r = &t->runtime.remote;
	uint64_t interpreter, state = 0;

	*list = NULL;
	*unread = 0;
	t->count = 0;
	str_clear(&t->texts);
	if (!remote_u64(r, t->runtime.interpreters, &interpreter))
		return -1;
	if (interpreter && !remote_u64(r, interpreter + l->interpreter_threads, &state))
		return -1;
	for (int i = 0; i < PYTHON_THREADS_MAX && interpreter; i++) {
		if (state) {
			python_threads_look(t, state, unread);
			if (!remote_u64(r, state + l->thread_next, &state))
				break;
		} else if (!remote_u64(r, interpreter + l->interpreter_next, &interpreter) || !interpreter ||
			   !remote_u64(r, interpreter + l->interpreter_threads, &state)) {
			break;
		}
	}
	python_threads_set_names(t);
	*list = t->list;
	return (int)t->count;
}

static void python_threads_close(void *runtime)
{
	struct python_threads *t = runtime;

	map_free(&t->objects);
	free(t->known);
	free(t->list);
	str_free(&t->texts);
	free(t);
}

void *python_threads_new(const struct python_runtime *runtime)
{
	struct python_threads *t = xcalloc(1, sizeof(*t));

	t->runtime = *runtime;
	return t;
}

static void *python_threads_open(int pid)
{
	struct python_runtime runtime;
	const char *why;
	bool may_change;

	if (python_runtime_open(&runtime, pid, &why, &may_change) || !runtime.offsets.thread_native)
		return NULL;
	return python_threads_new(&runtime);
}

const struct thread_reader python_thread_reader = {
	.is_named = python_is_named,
	.open = python_threads_open,
	.read = python_threads_read,
	.close = python_threads_close,
};
