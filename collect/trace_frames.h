/* trace_frames: the kernel functions on top of a stack that are there only since we
 * trace: our BPF program and what calls it.  Told by their names. */
#ifndef COLLECT_TRACE_FRAMES_H
#define COLLECT_TRACE_FRAMES_H

#include <stddef.h>
#include <stdint.h>

struct trace_frames {                 /* {0} knows none */
	struct trace_range { uint64_t start, end; } *list; /* ascending */
	size_t count, cap;
};

/* Look them up in kallsyms: once the programs are loaded.  Where addresses are hidden,
 * none are known. */
void trace_frames_read(struct trace_frames *t);

/* How many entries at the beginning of the stack, leaf first, are such. */
size_t trace_frames_count(const struct trace_frames *t, const uint64_t *stack, size_t count);

void trace_frames_free(struct trace_frames *t);

#endif
