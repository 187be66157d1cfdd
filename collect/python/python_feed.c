#include "collect/python/python_feed.h"

#ifdef NO_BPF

void python_feed_open(struct python_feed *f, const struct python_maps *maps, struct python_copies *copies)
{
	(void)maps;
	(void)copies;
	*f = (struct python_feed){ 0 };
}

void python_feed_drain(struct python_feed *f)
{
	(void)f;
}

void python_feed_tell(struct python_feed *f, int pid, const struct python_process *process)
{
	(void)f;
	(void)pid;
	(void)process;
}

bool python_feed_knows(const struct python_feed *f, int pid, struct python_process *process)
{
	(void)f;
	(void)pid;
	(void)process;
	return false;
}

bool python_feed_texts(const struct python_feed *f, int pid, const struct python_frame *frame,
		       struct python_texts *texts)
{
	(void)f;
	(void)pid;
	(void)frame;
	(void)texts;
	return false;
}

void python_feed_close(struct python_feed *f)
{
	(void)f;
}

#else

#include <bpf/bpf.h>

static void python_feed_take(void *context, const void *data, size_t size)
{
	python_copies_add(context, data, size);
}

void python_feed_open(struct python_feed *f, const struct python_maps *maps, struct python_copies *copies)
{
	*f = (struct python_feed){ .maps = *maps };
	if (maps->ring && bpf_ring_open(&f->ring, maps->ring, python_feed_take, copies))
		f->ring = (struct bpf_ring){ 0 };
}

void python_feed_drain(struct python_feed *f)
{
	if (f->ring.buffer)
		bpf_ring_drain(&f->ring);
}

void python_feed_tell(struct python_feed *f, int pid, const struct python_process *process)
{
	if (!f->maps.processes)
		return;
	if (process)
		bpf_map_update_elem(f->maps.processes, &pid, process, BPF_ANY);
	else
		bpf_map_delete_elem(f->maps.processes, &pid);
}

bool python_feed_knows(const struct python_feed *f, int pid, struct python_process *process)
{
	return f->maps.processes && !bpf_map_lookup_elem(f->maps.processes, &pid, process);
}

bool python_feed_texts(const struct python_feed *f, int pid, const struct python_frame *frame,
		       struct python_texts *texts)
{
	struct python_texts_key key = { .code = frame->code, .pid = (uint32_t)pid, .name = frame->name };

	return f->maps.texts && !bpf_map_lookup_elem(f->maps.texts, &key, texts);
}

void python_feed_close(struct python_feed *f)
{
	if (f->ring.buffer)
		bpf_ring_close(&f->ring);
	*f = (struct python_feed){ 0 };
}

#endif
