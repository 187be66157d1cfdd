#include "render/colours/measuring.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/str.h"
#include "render/profile/frame.h"

/* Linux: kernel/bpf, kernel/events, arch/x86/events.  '*': all names with that beginning. */
static const char *const functions[] = { "bpf_prog*",    "bpf_trampoline*", "bpf_trace_run*", "bpf_get_stack*",
					 "bpf_ringbuf*", "bpf_perf_event*", "__bpf_trace*",   "__bpf_get_stack*",
					 "perf_*",       "__perf_*",        "uprobe*",        "arch_uprobe*",
					 "uretprobe*",   "x86_pmu*",        "armv8_pmu*",     "intel_pmu*",
					 "amd_pmu*",     "trace_call_bpf",  "handle_swbp" };

static bool measuring_is_word(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (!isalnum((unsigned char)text[i]) && text[i] != '_')
			return false;
	}
	return true;
}

/* "pyrograph", "pyrograph-4711", "pyrograph-colle-4711/walker" (the kernel keeps 15 bytes of a name) */
static bool measuring_is_recorder(const char *name, size_t len)
{
	static const char *const own[] = { "pyrograph-collect", "pyrograph-colle", "pyrograph" };
	size_t i = 0, at, number;

	while (i < 3 && !text_begins(name, len, own[i]))
		i++;
	if (i == 3)
		return false;
	at = strlen(own[i]);
	if (at + 1 < len && name[at] == '-') {
		number = ++at;
		while (at < len && isdigit((unsigned char)name[at]))
			at++;
		at += at == number && name[at] == '?';
		if (at == number)
			return false;
	}
	return at == len || name[at] == '/';
}

bool measuring_is(const char *name, size_t len)
{
	size_t base = frame_base_len(name, len);

	if (frame_annotation(name, len) != 'k' || !measuring_is_word(name, base))
		return measuring_is_recorder(name, len);
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		size_t n = strlen(functions[i]);
		bool begins = functions[i][n - 1] == '*';

		n -= begins;
		if ((begins ? base >= n : base == n) && !memcmp(name, functions[i], n))
			return true;
	}
	return false;
}

bool *measuring_names(const struct profile *p)
{
	bool *known = xcalloc(p->names.count, sizeof(*known));

	for (uint32_t n = 0; n < p->names.count; n++)
		known[n] = measuring_is(intern_text(&p->names, n), intern_len(&p->names, n));
	return known;
}

uint64_t measuring_value(const struct tree *t, uint32_t root, const struct profile *p)
{
	bool *known = measuring_names(p);
	uint64_t sum = 0;

	for (uint32_t i = root; i < t->frames[root].end;) {
		if (known[t->frames[i].name]) {
			sum += t->frames[i].total;
			i = t->frames[i].end;
		} else {
			i++;
		}
	}
	free(known);
	return sum;
}
