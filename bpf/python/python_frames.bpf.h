/* python_frames: finds the Python frames of the current thread, and copies them.  User space says which processes run Python,
 * and how their interpreters are laid out.  Whatever is in the memory of a process, a copy ends after PYTHON_FRAMES_MAX
 * frames, and the search for its thread after PYTHON_SEARCH_MAX. */
#ifndef BPF_PYTHON_PYTHON_FRAMES_BPF_H
#define BPF_PYTHON_PYTHON_FRAMES_BPF_H

#include "bpf/kernel.h"
#include "bpf/python.h"
#include "bpf/python/python_processes.bpf.h"
#include "bpf/python/python_texts.bpf.h"
#include "bpf/thread_pointer.bpf.h"

enum { PYTHON_SEARCH_MAX = 512 };
#define PYTHON_SEARCH_NS 20000000 /* between two searches for a thread that was not found */

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 8192);
	__type(key, __u32);
	__type(value, struct python_thread);
} python_threads SEC(".maps");

/* Go through the threads of all interpreters. */
static __always_inline __u64 python_search(struct python_work *w, struct python_process *p, __u64 id)
{
	__u64 interpreter = python_word(&w->word, p->interpreters), state = 0;

	if (interpreter)
		state = python_word(&w->word, interpreter + p->layout.interpreter_threads);
	for (int i = 0; i < PYTHON_SEARCH_MAX && interpreter; i++) {
		if (!state) {
			interpreter = python_word(&w->word, interpreter + p->layout.interpreter_next);
			state = interpreter ? python_word(&w->word, interpreter + p->layout.interpreter_threads) : 0;
		} else if (python_word(&w->word, state + p->layout.thread_id) == id) {
			return state;
		} else {
			state = python_word(&w->word, state + p->layout.thread_next);
		}
	}
	return 0;
}

static __always_inline __u64 python_innermost(struct python_work *w, struct python_process *p, __u64 state)
{
	__u64 frame = python_word(&w->word, state + p->layout.thread_frame);

	return p->layout.frame_pointer == PYTHON_NONE || !frame
		       ? frame
		       : python_word(&w->word, frame + p->layout.frame_pointer);
}

/* Global, as those below, so that the verifier looks at each once, not for each way that leads to it; and since programs of
 * uprobes have little stack, which is counted for each function. */
__attribute__((noinline)) int python_search_threads(__u64 id)
{
	__u32 pid = bpf_get_current_pid_tgid() >> 32, zero = 0;
	struct python_process *p = bpf_map_lookup_elem(&python_processes, &pid);
	struct python_work *w = bpf_map_lookup_elem(&python_work, &zero);

	if (p && w)
		w->thread.state = python_search(w, p, id);
	return 0;
}

/* Find the innermost frame of the current thread: python_work.next; 0: it has none.  A thread that C code lends to Python
 * has another state each time, and what the last one left behind has no frames. */
__attribute__((noinline)) int python_find(void)
{
	__u32 pid = bpf_get_current_pid_tgid() >> 32, tid = (__u32)bpf_get_current_pid_tgid(), zero = 0;
	struct python_process *p = bpf_map_lookup_elem(&python_processes, &pid);
	struct python_work *w = bpf_map_lookup_elem(&python_work, &zero);
	struct python_thread *known;
	__u64 id;

	if (!p || !w)
		return 0;
	w->next = 0;
	known = bpf_map_lookup_elem(&python_threads, &tid);
	id = thread_pointer((const struct task_struct *)bpf_get_current_task());
	if (id && known && known->state && python_word(&w->word, known->state + p->layout.thread_id) == id) {
		w->thread.state = known->state;
		w->next = python_innermost(w, p, known->state);
	}
	if (!id || w->next)
		return 0;
	w->thread.looked_ns = bpf_ktime_get_ns();
	if (known && w->thread.looked_ns - known->looked_ns < PYTHON_SEARCH_NS)
		return 0;
	w->thread.state = 0;
	python_search_threads(id);
	bpf_map_update_elem(&python_threads, &tid, &w->thread, BPF_ANY);
	if (w->thread.state)
		w->next = python_innermost(w, p, w->thread.state);
	return 0;
}

static __always_inline __u64 python_field(struct python_work *w, __u32 at)
{
	if (at > PYTHON_FRAME_BYTES - sizeof(__u64))
		return 0;
	return *(__u64 *)(w->frame + at);
}

static __always_inline __u32 python_name_now(struct python_work *w, struct python_process *p, __u64 code)
{
	__u64 name = python_word(&w->word, code + p->layout.code_name),
	      hash = python_word(&w->word, name + p->layout.text_hash);

	if (bpf_probe_read_user(&w->line, sizeof(w->line), (const void *)(code + p->layout.code_line)))
		w->line = 0;
	return python_name_hash(hash, w->line);
}

/* Copy a frame that was read, and go on to its caller. */
static __noinline void python_add(struct python_work *w, struct python_process *p, struct python_frame *to)
{
	__u64 at = python_field(w, p->layout.frame_instruction);
	__u32 kind = 0;

	to->code = python_field(w, p->layout.frame_code) & ~7ull; /* from 3.14 on, with tags */
	to->globals = python_field(w, p->layout.frame_globals);
	w->next = python_field(w, p->layout.frame_previous);
	if (p->layout.frame_kind < PYTHON_FRAME_BYTES)
		kind = w->frame[p->layout.frame_kind] & (PYTHON_KINDS - 1);
	at = p->layout.instruction_is_pointer ? at - to->code : (__u32)at;
	to->at = kind << 24 | (at < 0xffffff ? (__u32)at : 0xffffff);
	to->name = kind >= p->layout.first_stub ? 0 : python_name_now(w, p, to->code);
}

/* Returns the number of frames copied. */
static __always_inline __u32 python_copy_frames(struct python_work *w, struct python_process *p)
{
	__u32 i;

	for (i = 0; i < PYTHON_FRAMES_MAX && w->next; i++) {
		__u32 size = p->layout.frame_size;

		if (size > PYTHON_FRAME_BYTES || bpf_probe_read_user(w->frame, size, (const void *)w->next))
			break;
		python_add(w, p, &w->copy.frames[i]);
	}
	w->copy.is_cut = w->next != 0;
	return i;
}

/* Copy the frames from python_work.next on.  Returns their number. */
__attribute__((noinline)) int python_copy_all(void)
{
	__u32 pid = bpf_get_current_pid_tgid() >> 32, zero = 0;
	struct python_process *p = bpf_map_lookup_elem(&python_processes, &pid);
	struct python_work *w = bpf_map_lookup_elem(&python_work, &zero);

	return p && w ? python_copy_frames(w, p) : 0;
}

#endif
