#include "collect/python/python_tasks.h"

#include <string.h>

#include "core/utf8.h"

/* So many names of a process are kept apart. */
enum { TASK_NAMES_MAX = 4096, TASK_TYPES_MAX = 256, TASK_BASES_MAX = 8 };

_Static_assert(sizeof(struct python_task) == PYTHON_TASK_ENTRIES * sizeof(struct python_frame),
	       "it is so many entries");

size_t python_tasks_split(const struct python_frame *frames, size_t count, struct python_awaited *to)
{
	*to = (struct python_awaited){ 0 };
	if (count < PYTHON_TASK_ENTRIES || PYTHON_FRAME_KIND(&frames[count - 1]) != PYTHON_TASK)
		return count;
	count -= PYTHON_TASK_ENTRIES;
	memcpy(&to->task, &frames[count], sizeof(to->task));
	to->has_task = true;
	while (count && PYTHON_FRAME_KIND(&frames[count - 1]) >= PYTHON_KINDS) {
		count--;
		to->count++;
	}
	to->awaiting = &frames[count];
	return count;
}

/* Is it _asyncio.Task, or a class that is derived from it?  Include/cpython/object.h */
static bool python_task_type(const struct python_runtime *p, uint64_t type)
{
	static const char wanted[] = "_asyncio.Task";
	enum { BASE_AFTER_FLAGS = 88 };
	char name[sizeof(wanted)];
	uint64_t at;

	for (int i = 0; i < TASK_BASES_MAX && type; i++) {
		if (remote_u64(&p->remote, type + p->offsets.type_name, &at) &&
		    remote_text(&p->remote, at, name, sizeof(name)) && !strcmp(name, wanted))
			return true;
		if (!remote_u64(&p->remote, type + p->offsets.type_flags + BASE_AFTER_FLAGS, &type))
			return false;
	}
	return false;
}

static bool python_is_task(struct python_tasks *t, const struct python_runtime *p, uint64_t type)
{
	uint32_t known = map_get(&t->types, type, 0);

	if (!known) {
		known = python_task_type(p, type) ? 1 : 2;
		if (t->types.count < TASK_TYPES_MAX)
			*map_at(&t->types, type, 0) = known;
	}
	return known == 1;
}

static void python_task_text_add(const struct python_task *task, unsigned width, struct str *to)
{
	size_t room = sizeof(task->name) / width, length = task->value < room ? (size_t)task->value : room;

	for (size_t i = 0; i < length; i++) {
		uint32_t character = 0;

		memcpy(&character, task->name + i * width, width);
		utf8_add(to, character);
	}
	if (task->value > room)
		str_puts(to, "...");
}

/* "request-17 of shop 4" -> "request-* of shop *" */
static void python_task_without_numbers(struct str *name, size_t begin)
{
	size_t to = begin;

	for (size_t i = begin; i < name->len; i++) {
		char c = name->buf[i];

		if (c < '0' || c > '9')
			name->buf[to++] = c;
		else if (to == begin || name->buf[to - 1] != '*')
			name->buf[to++] = '*';
	}
	name->len = to;
	name->buf[to] = '\0';
}

bool python_task_name_add(struct python_tasks *t, const struct python_runtime *p, const struct python_task *task,
			  struct str *to)
{
	unsigned width = PYTHON_FRAME_AT(task);
	size_t begin = to->len;

	if (!task->value || width > 4 || width == 3 || !python_is_task(t, p, task->type))
		return false;
	if (width) {
		python_task_text_add(task, width, to);
	} else {
		str_puts(to, "Task-");
		str_add_u64(to, task->value);
	}
	if (t->names.count < TASK_NAMES_MAX)
		intern_add(&t->names, to->buf + begin, to->len - begin);
	else if (intern_find(&t->names, to->buf + begin, to->len - begin) == UINT32_MAX)
		python_task_without_numbers(to, begin);
	return true;
}

void python_tasks_free(struct python_tasks *t)
{
	map_free(&t->types);
	intern_free(&t->names);
	*t = (struct python_tasks){ 0 };
}
