#include "collect/trace_frames.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/symbols/kallsyms.h"

/* A function of the last symbol, or of a BPF program's, is taken for so long. */
enum { UNKNOWN_SIZE = 4096 };

static const char *const prefixes[] = {
	"bpf_prog_", "bpf_trace_run", "__bpf_trace_", "__traceiter_", "bpf_trampoline_",
	"bpf_get_stack", "trace_call_bpf", "__bpf_get_stack",
};

static bool is_trace_frame(const char *name)
{
	for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++) {
		if (!strncmp(name, prefixes[i], strlen(prefixes[i])))
			return true;
	}
	return false;
}

static int by_start(const void *a, const void *b)
{
	const struct trace_range *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

static void add(struct trace_frames *t, uint64_t start, uint64_t next)
{
	t->list = xgrow(t->list, &t->cap, t->count + 1, sizeof(*t->list));
	t->list[t->count++] = (struct trace_range){ start, next > start ? next : start + UNKNOWN_SIZE };
}

/* ffffffff81360130 t bpf_trace_run1
 * ffffffffc002664c t bpf_prog_2f5b1e_offcpu_waking	[bpf] */
void trace_frames_read(struct trace_frames *t)
{
	struct kallsyms k = {0};
	const char *line, *next;

	kallsyms_read(&k);
	for (line = k.text; line && line < k.text + k.len; line = next) {
		uint64_t start = strtoull(line, NULL, 16);

		next = memchr(line, '\n', (size_t)(k.text + k.len - line));
		next = next ? next + 1 : k.text + k.len;
		if (next - line > 19 && start && is_trace_frame(line + 19))
			add(t, start, *next ? strtoull(next, NULL, 16) : 0);
	}
	kallsyms_free(&k);
	if (t->count)
		qsort(t->list, t->count, sizeof(*t->list), by_start);
}

static bool is_one(const struct trace_frames *t, uint64_t address)
{
	size_t low = 0, high = t->count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (t->list[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low && address < t->list[low - 1].end;
}

size_t trace_frames_count(const struct trace_frames *t, const uint64_t *stack, size_t count)
{
	size_t n = 0;

	while (n < count && is_one(t, stack[n]))
		n++;
	return n < count ? n : 0;
}

void trace_frames_free(struct trace_frames *t)
{
	free(t->list);
	*t = (struct trace_frames){0};
}
