#include "collect/recording/trace_frames.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/sorted.h"
#include "core/symbols/kallsyms.h"
#include "core/symbols/names/interrupts.h"

/* Assumed length of the function of the last symbol, and of a BPF program. */
enum { UNKNOWN_SIZE = 4096 };

/* Where the name begins in a line of kallsyms. */
enum { AT_NAME = 19 };

static const char *const tracing[] = {
	"bpf_prog_", "bpf_trace_run", "__bpf_trace_", "__traceiter_", "bpf_trampoline_", "bpf_get_stack",
};

static bool is_tracing(const char *name)
{
	for (size_t i = 0; i < sizeof(tracing) / sizeof(*tracing); i++) {
		if (!strncmp(name, tracing[i], strlen(tracing[i])))
			return true;
	}
	return false;
}

SORT_BY(trace_frames_by_start, struct trace_range, start);

static void trace_frames_add(struct trace_frames *t, uint64_t start, uint64_t next, bool interrupt)
{
	t->list = xgrow(t->list, &t->cap, t->count + 1, sizeof(*t->list));
	t->list[t->count++] = (struct trace_range){
		start,
		next > start ? next : start + UNKNOWN_SIZE,
		interrupt,
	};
}

/* Reads a line: "ffffffff81360130 t bpf_trace_run1", "ffffffffc002664c t bpf_prog_2f5b1e_offcpu_waking	[bpf]" */
static void trace_frames_read_line(struct trace_frames *t, const char *line, const char *next)
{
	uint64_t start = strtoull(line, NULL, 16);
	const char *name = line + AT_NAME;
	bool interrupt;

	if (next - line <= AT_NAME || !start)
		return;
	interrupt = is_interrupt_entry(name, strcspn(name, "\t\n"));
	if (interrupt || is_tracing(name))
		trace_frames_add(t, start, strtoull(next, NULL, 16), interrupt);
}

void trace_frames_read(struct trace_frames *t)
{
	struct kallsyms k = { 0 };
	const char *line, *next;

	kallsyms_read(&k, NULL);
	for (line = k.text; line && line < k.text + k.len; line = next) {
		next = memchr(line, '\n', (size_t)(k.text + k.len - line));
		next = next ? next + 1 : k.text + k.len;
		trace_frames_read_line(t, line, next);
	}
	kallsyms_free(&k);
	if (t->count)
		qsort(t->list, t->count, sizeof(*t->list), trace_frames_by_start);
	else
		warn("where an interrupt woke a thread, the interrupted thread appears as the waker: %s",
		     kallsyms_obstacle());
}

static const struct trace_range *trace_frames_find(const struct trace_frames *t, uint64_t address)
{
	size_t low = FIRST_NOT(i, t->count, t->list[i].start <= address);

	return low && address < t->list[low - 1].end ? &t->list[low - 1] : NULL;
}

size_t trace_frames_count(const struct trace_frames *t, const uint64_t *stack, size_t count)
{
	size_t n = 0;

	for (; n < count; n++) {
		const struct trace_range *range = trace_frames_find(t, stack[n]);

		if (!range || range->interrupt)
			return n;
	}
	return 0;
}

size_t trace_frames_interrupt(const struct trace_frames *t, const uint64_t *stack, size_t count)
{
	size_t end = 0;

	for (size_t n = 0; n < count && (!end || n == end); n++) {
		const struct trace_range *range = trace_frames_find(t, stack[n]);

		if (range && range->interrupt)
			end = n + 1;
	}
	return end;
}

void trace_frames_free(struct trace_frames *t)
{
	free(t->list);
	*t = (struct trace_frames){ 0 };
}
