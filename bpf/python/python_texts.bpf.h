/* python_texts: a copy of Python frames in the making, and what their code is called when it is first seen running, since it may be
 * gone when user space looks. */
#ifndef BPF_PYTHON_PYTHON_TEXTS_BPF_H
#define BPF_PYTHON_PYTHON_TEXTS_BPF_H

#include "bpf/kernel.h"
#include "bpf/python.h"
#include "bpf/python/python_processes.bpf.h"

struct python_thread {
	__u64 state; /* address of its PyThreadState; 0: not found */
	__u64 looked_ns;
};

/* What a program works with on its CPU, since programs of uprobes have little stack. */
struct python_work {
	__u64 turn; /* grows with each copy: a thread that interrupts another one in its copy spoils it */
	__u64 word, next;
	__u64 task, coroutine, top; /* whose awaiters are sought; the top of a function's stack */
	__u32 line, state;          /* state: of a str */
	__u8 flag;
	struct python_thread thread;
	__u8 frame[PYTHON_FRAME_BYTES];
	struct python_copy copy;
	struct python_task running;
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct python_work);
} python_work SEC(".maps");

enum {
	PYTHON_TEXTS_AT_ONCE = 4, /* of one copy */
	PYTHON_SEEN = 1024,       /* a power of two */
	PYTHON_KEYS_TRIED = 4,
};

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, PYTHON_TEXTS_MAX);
	__type(key, struct python_texts_key);
	__type(value, struct python_texts);
} python_texts SEC(".maps");

struct python_reading {
	__u64 owner; /* the thread that reads; another one, which interrupts it, must not */
	__u64 left;  /* texts that may be read with this copy */
	__u64 seen[PYTHON_SEEN];
	struct python_texts_key key;
	struct python_frame frame;
	struct python_texts texts;
	__u64 word, text, entry; /* addresses: of a text to be read, of an entry of a dict */
	__u32 state, each;       /* of a text; the bytes of an entry */
	__u8 head[40];
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct python_reading);
} python_reading SEC(".maps");

/* The word at an address of the process, by way of *word, which is in a map; 0: it cannot be read. */
static __always_inline __u64 python_word(__u64 *word, __u64 address)
{
	return bpf_probe_read_user(word, sizeof(*word), (const void *)address) ? 0 : *word;
}

/* The length of the str object at r->text, if its characters are ASCII; 0: there is none. */
static __always_inline __u64 python_text_length(struct python_reading *r, const struct python_text_layout *l)
{
	enum { ONE_BYTE = 1, COMPACT = 8, ASCII = 16, ALL = 31 };

	if (python_word(&r->word, r->text + l->type) != l->text_type ||
	    bpf_probe_read_user(&r->state, sizeof(r->state), (const void *)(r->text + l->state)) ||
	    (r->state >> l->kind_bit & ALL) != (ONE_BYTE | COMPACT | ASCII))
		return 0;
	return python_word(&r->word, r->text + l->length);
}

/* Read the str object at r->text, cut to the room of `to`, a power of two.  Its length. */
#define PYTHON_TEXT_READ(r, l, to)                                                                               \
	({                                                                                                       \
		__u64 length_ = python_text_length((r), (l)), most_ = sizeof(to) - 1;                            \
		__u32 n_ = length_ < most_ ? length_ : most_;                                                    \
		asm volatile("" : "+r"(n_));                                                                     \
		n_ &= sizeof(to) - 1;                                                                            \
		bpf_probe_read_user((to), n_, (const void *)((r)->text + (l)->characters)) ? 0 : (__u32)length_; \
	})

/* Find the entries of the dict at r->frame.globals: r->entry, r->each.  Returns false if there are none. */
static __always_inline bool python_entries(struct python_reading *r, const struct python_text_layout *l)
{
	enum { OLD_HEAD = 40, NEW_HEAD = 32, LOG2_INDEX_BYTES = 9, KIND = 10 };
	__u64 old_size;

	if (python_word(&r->word, r->frame.globals + l->type) != l->dict_type)
		return false;
	r->entry = python_word(&r->word, r->frame.globals + l->dict_keys);
	r->each = 24;
	if (bpf_probe_read_user(r->head, sizeof(r->head), (const void *)r->entry))
		return false;
	if (l->has_old_dict) {
		old_size = *(__u64 *)(r->head + 8);
		r->entry += OLD_HEAD + old_size * (old_size <= 0xff ? 1 : old_size <= 0xffff ? 2 : 4);
		return true;
	}
	if (r->head[KIND])
		r->each = 16;
	r->entry += NEW_HEAD + (1ull << (r->head[LOG2_INDEX_BYTES] & 31));
	return true;
}

/* Find __name__ among the first keys of the globals: r->text; 0: it is not there.  This and those below are global, as
 * python_find(). */
__attribute__((noinline)) int python_texts_module(void)
{
	const __u64 wanted = 0x5f5f656d616e5f5f; /* "__name__" */
	__u32 pid = bpf_get_current_pid_tgid() >> 32, zero = 0;
	struct python_process *p = bpf_map_lookup_elem(&python_processes, &pid);
	struct python_reading *r = bpf_map_lookup_elem(&python_reading, &zero);

	if (!p || !r)
		return 0;
	for (int i = 0; i < PYTHON_KEYS_TRIED && (i || python_entries(r, &p->texts)); i++) {
		r->text = python_word(&r->word, r->entry + r->each - 16);
		if (python_text_length(r, &p->texts) == sizeof(wanted) &&
		    python_word(&r->word, r->text + p->texts.characters) == wanted) {
			r->text = python_word(&r->word, r->entry + r->each - 8);
			return 0;
		}
		r->entry += r->each;
	}
	r->text = 0;
	return 0;
}

/* Read what the code of r->frame is called, and keep it. */
__attribute__((noinline)) int python_texts_read(void)
{
	__u32 pid = bpf_get_current_pid_tgid() >> 32, zero = 0;
	struct python_process *p = bpf_map_lookup_elem(&python_processes, &pid);
	struct python_reading *r = bpf_map_lookup_elem(&python_reading, &zero);

	if (!p || !r || python_word(&r->word, r->frame.code + p->texts.type) != p->texts.code_type ||
	    bpf_probe_read_user(&r->texts.line, sizeof(r->texts.line),
				(const void *)(r->frame.code + p->layout.code_line)))
		return 0;
	r->text = python_word(&r->word, r->frame.code + p->layout.code_name);
	r->texts.name_length = PYTHON_TEXT_READ(r, &p->texts, r->texts.name);
	r->text = python_word(&r->word, r->frame.code + p->texts.code_file);
	r->texts.file_length = PYTHON_TEXT_READ(r, &p->texts, r->texts.file);
	python_texts_module();
	r->texts.module_length = PYTHON_TEXT_READ(r, &p->texts, r->texts.module);
	if (r->texts.name_length && r->owner == bpf_get_current_pid_tgid())
		bpf_map_update_elem(&python_texts, &r->key, &r->texts, BPF_ANY);
	return 0;
}

static __always_inline __u64 *python_texts_seen(struct python_reading *r, __u64 tag)
{
	return &r->seen[(tag ^ tag >> 12) & (PYTHON_SEEN - 1)];
}

/* Code that was seen on this CPU before is most likely known. */
static __always_inline __u64 python_texts_tag(const struct python_copy *copy, const struct python_frame *frame)
{
	return (frame->code ^ (__u64)copy->pid << 48) + frame->name;
}

/* Keep what the code of a copied frame is called. */
__attribute__((noinline)) int python_texts_keep(__u32 number)
{
	__u32 zero = 0;
	struct python_work *w = bpf_map_lookup_elem(&python_work, &zero);
	struct python_reading *r = bpf_map_lookup_elem(&python_reading, &zero);
	__u64 tag;

	if (!w || !r || number >= PYTHON_ENTRIES_MAX || !r->left)
		return 0;
	r->frame = w->copy.frames[number];
	r->key.code = r->frame.code;
	r->key.name = r->frame.name;
	r->key.pid = w->copy.pid;
	tag = python_texts_tag(&w->copy, &r->frame);
	*python_texts_seen(r, tag) = tag;
	if (!bpf_map_lookup_elem(&python_texts, &r->key)) {
		r->left--;
		python_texts_read();
	}
	return 0;
}

/* Keep what the code of copied frames is called. */
__attribute__((noinline)) int python_keep_texts(void)
{
	__u32 zero = 0;
	struct python_work *w = bpf_map_lookup_elem(&python_work, &zero);
	struct python_reading *r = bpf_map_lookup_elem(&python_reading, &zero);

	if (!w || !r || r->owner)
		return 0;
	r->owner = bpf_get_current_pid_tgid();
	r->left = PYTHON_TEXTS_AT_ONCE;
	for (__u32 i = 0; i < PYTHON_ENTRIES_MAX && i < w->copy.count; i++) {
		__u64 tag = python_texts_tag(&w->copy, &w->copy.frames[i]);

		if (w->copy.frames[i].name && *python_texts_seen(r, tag) != tag)
			python_texts_keep(i);
	}
	r->owner = 0;
	return 0;
}

#endif
