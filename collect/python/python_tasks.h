/* python_tasks: the task of asyncio that a thread ran, and the functions that awaited it, as they were copied with its
 * frames (bpf/python/python_tasks.bpf.h). */
#ifndef COLLECT_PYTHON_PYTHON_TASKS_H
#define COLLECT_PYTHON_PYTHON_TASKS_H

#include <stdbool.h>
#include <stddef.h>

#include "bpf/python.h"
#include "collect/python/python_layout.h"
#include "core/intern.h"
#include "core/map.h"
#include "core/str.h"

/* What follows the frames of a copy; {0}: nothing. */
struct python_awaited {
	struct python_task task;             /* if has_task */
	const struct python_frame *awaiting; /* [count]: each task's outermost function first, the nearest task first */
	size_t count;
	bool has_task;
};

/* Tell what follows the frames.  Returns their number. */
size_t python_tasks_split(const struct python_frame *frames, size_t count, struct python_awaited *to);

/* The tasks of an interpreter; {0} is valid and empty. */
struct python_tasks {
	struct map types;    /* of tasks: address -> 1: it is one; 2: it is not */
	struct intern names; /* that were seen */
};

/* Append the task's name: "Task-7" if it has none of its own.  After many names, numbers in them become "*".  Returns false if
 * it is no task. */
bool python_task_name_add(struct python_tasks *t, const struct python_runtime *p, const struct python_task *task,
			  struct str *to);

void python_tasks_free(struct python_tasks *t);

#endif
