/* python_feed: what BPF programs and we tell each other about Python (bpf/python.h). */
#ifndef COLLECT_PYTHON_PYTHON_FEED_H
#define COLLECT_PYTHON_PYTHON_FEED_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/python.h"
#include "collect/bpf/bpf_ring.h"
#include "collect/python/python_copies.h"

/* Maps of BPF programs: which processes run Python; what code was called; the ring of copies that go with samples of the
 * kernel.  0: none. */
struct python_maps {
	int processes, texts, ring;
};

/* {0}: there is none. */
struct python_feed {
	struct python_maps maps;
	struct bpf_ring ring;
};

/* copies: where those of the ring go.  Without a map of processes, nothing can be fed. */
void python_feed_open(struct python_feed *f, const struct python_maps *maps, struct python_copies *copies);

/* Take what is in the ring. */
void python_feed_drain(struct python_feed *f);

/* Copy frames of this process from now on; NULL: no longer. */
void python_feed_tell(struct python_feed *f, int pid, const struct python_process *process);

/* What was told of a process.  Returns false if it runs no Python. */
bool python_feed_knows(const struct python_feed *f, int pid, struct python_process *process);

/* What a frame's code was called when it was first seen.  Returns false if it was not kept. */
bool python_feed_texts(const struct python_feed *f, int pid, const struct python_frame *frame,
		       struct python_texts *texts);

void python_feed_close(struct python_feed *f);

#endif
