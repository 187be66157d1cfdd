/* python_tasks: the task of asyncio that the current thread runs, its name, and the functions that await it. */
#ifndef BPF_PYTHON_PYTHON_TASKS_BPF_H
#define BPF_PYTHON_PYTHON_TASKS_BPF_H

#include "bpf/kernel.h"
#include "bpf/python.h"
#include "bpf/python/python_frames.bpf.h"
#include "bpf/python/python_processes.bpf.h"
#include "bpf/python/python_texts.bpf.h"

enum { PYTHON_AWAITING_STEPS = 16 }; /* functions, tasks and futures */

/* A name that nobody gave is a number: an int, of digits of 30 bits. */
static __always_inline void python_task_number(struct python_work *w, struct python_process *p, __u64 number)
{
	enum { DIGIT_BITS = 30, COUNT_SHIFT = 3, MASK = (1 << DIGIT_BITS) - 1 };
	__u64 digits = python_word(&w->word, number + p->texts.type + 16);

	w->running.value = digits & MASK;
	if (python_word(&w->word, number + p->texts.type + 8) >> COUNT_SHIFT > 1)
		w->running.value |= digits >> 32 << DIGIT_BITS;
	w->running.at = 0;
}

static __always_inline void python_task_text(struct python_work *w, struct python_process *p, __u64 text)
{
	enum { KINDS = 7, ASCII = 16 };
	__u64 bytes;
	__u32 n;

	if (bpf_probe_read_user(&w->state, sizeof(w->state), (const void *)(text + p->texts.state)))
		return;
	w->state >>= p->texts.kind_bit;
	w->running.at = w->state & KINDS;
	w->running.value = python_word(&w->word, text + p->texts.length);
	bytes = w->running.value * w->running.at;
	n = bytes < PYTHON_TASK_TEXT ? bytes : PYTHON_TASK_TEXT;
	asm volatile("" : "+r"(n)); /* the compiler knows a bound that the verifier of Linux 6.1 does not */
	if (n > PYTHON_TASK_TEXT)
		return;
	text += w->state & ASCII ? p->texts.characters : p->texts.other_characters;
	if (bpf_probe_read_user(w->running.name, n, (const void *)text))
		w->running.value = 0;
}

/* Read the name of python_work.task; global, as python_find(). */
__attribute__((noinline)) int python_task_name(void)
{
	__u32 pid = bpf_get_current_pid_tgid() >> 32, zero = 0;
	struct python_process *p = bpf_map_lookup_elem(&python_processes, &pid);
	struct python_work *w = bpf_map_lookup_elem(&python_work, &zero);
	__u64 name, type;

	if (!p || !w)
		return 0;
	w->running.value = w->running.at = 0;
	w->running.type = python_word(&w->word, w->task + p->texts.type);
	name = python_word(&w->word, w->task + p->layout.task_name);
	type = python_word(&w->word, name + p->texts.type);
	if (type == p->texts.text_type)
		python_task_text(w, p, name);
	else if (type == p->texts.number_type)
		python_task_number(w, p, name);
	return 0;
}

static __always_inline bool python_task_flag(struct python_work *w, __u64 address)
{
	return !bpf_probe_read_user(&w->flag, sizeof(w->flag), (const void *)address) && w->flag & 1;
}

/* Go on to who awaits python_work.task, if it is one alone, and to its coroutine, if it is a task.  Returns false if there is
 * none. */
static __always_inline bool python_awaiting_task(struct python_work *w, struct python_process *p)
{
	if (python_task_flag(w, w->task + p->layout.task_awaited_by_is_set))
		return false;
	w->task = python_word(&w->word, w->task + p->layout.task_awaited_by);
	if (w->task && python_task_flag(w, w->task + p->layout.task_is_task))
		w->coroutine = python_word(&w->word, w->task + p->layout.task_coroutine);
	return w->task;
}

/* Go on to the coroutine that a function awaits: it is at the top of its stack; from 3.15 on, one below. */
static __always_inline void python_next_coroutine(struct python_work *w, struct python_process *p)
{
	w->top = python_field(w, p->layout.frame_stack_top);
	for (int i = 1; i <= 2; i++) {
		w->coroutine = python_word(&w->word, w->top - i * sizeof(w->coroutine)) & ~7ull;
		if (python_word(&w->word, w->coroutine + p->texts.type) == p->texts.coroutine_type)
			return;
	}
	w->coroutine = 0;
}

/* Append the function of python_work.coroutine, and go on to the coroutine that it awaits; global, as python_find().  Returns 0 if it cannot be read. */
__attribute__((noinline)) int python_copy_coroutine(__u32 kind)
{
	__u32 pid = bpf_get_current_pid_tgid() >> 32, zero = 0, at;
	struct python_process *p = bpf_map_lookup_elem(&python_processes, &pid);
	struct python_work *w = bpf_map_lookup_elem(&python_work, &zero);

	if (!p || !w || p->layout.frame_size > PYTHON_FRAME_BYTES)
		return 0;
	at = w->copy.count;
	if (at >= PYTHON_ENTRIES_MAX - PYTHON_TASK_ENTRIES ||
	    bpf_probe_read_user(w->frame, p->layout.frame_size,
				(const void *)(w->coroutine + p->layout.coroutine_frame)))
		return 0;
	python_add(w, p, &w->copy.frames[at]);
	w->copy.frames[at].at = (w->copy.frames[at].at & 0xffffff) | kind << 24;
	w->copy.count++;
	python_next_coroutine(w, p);
	return 1;
}

/* Append the functions that await python_work.task; global, as python_find(). */
__attribute__((noinline)) int python_copy_awaiting(void)
{
	__u32 pid = bpf_get_current_pid_tgid() >> 32, zero = 0;
	struct python_process *p = bpf_map_lookup_elem(&python_processes, &pid);
	struct python_work *w = bpf_map_lookup_elem(&python_work, &zero);
	__u32 kind = PYTHON_AWAITS_FIRST;

	if (!p || !w)
		return 0;
	w->coroutine = 0;
	for (int i = 0; i < PYTHON_AWAITING_STEPS; i++) {
		if (w->coroutine) {
			if (!python_copy_coroutine(kind))
				break;
			kind = PYTHON_AWAITS;
		} else {
			kind = PYTHON_AWAITS_FIRST;
			if (!python_awaiting_task(w, p))
				break;
		}
	}
	return 0;
}

/* Find the task that the thread of python_work runs, if any, and copy the functions that await it; global, as python_find(). */
__attribute__((noinline)) int python_find_task(void)
{
	__u32 pid = bpf_get_current_pid_tgid() >> 32, zero = 0;
	struct python_process *p = bpf_map_lookup_elem(&python_processes, &pid);
	struct python_work *w = bpf_map_lookup_elem(&python_work, &zero);

	if (!p || !w)
		return 0;
	w->running.type = 0;
	w->task = p->layout.thread_task ? python_word(&w->word, w->thread.state + p->layout.thread_task) : 0;
	if (!w->task)
		return 0;
	python_task_name();
	python_copy_awaiting();
	return 0;
}

/* Append the task that was found, if any; global, as python_find(). */
__attribute__((noinline)) int python_copy_task(void)
{
	__u32 zero = 0, at;
	struct python_work *w = bpf_map_lookup_elem(&python_work, &zero);

	if (!w || !w->running.type)
		return 0;
	at = w->copy.count;
	if (at > PYTHON_ENTRIES_MAX - PYTHON_TASK_ENTRIES)
		return 0;
	w->running.at = (w->running.at & 7) | PYTHON_TASK << 24;
	__builtin_memcpy(&w->copy.frames[at], &w->running, sizeof(w->running));
	w->copy.count += PYTHON_TASK_ENTRIES;
	return 0;
}

#endif
