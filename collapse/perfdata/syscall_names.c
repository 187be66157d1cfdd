#include "collapse/perfdata/syscall_names.h"

#include <stdlib.h>

#include "collapse/perfdata/recorded.h"
#include "core/format/recording.h"
#include "core/memory.h"

void syscall_names_read(struct syscall_names *n, const struct perfdata *d)
{
	struct section_lines lines;
	const char *text;
	size_t len;

	section_lines_init(&lines, d, RECORDING_SYSCALLS);
	while (section_next_line(&lines, &text, &len)) {
		uint64_t number;

		if (!field_number(&text, &len, 10, &number) || !len)
			continue; /* damaged */
		n->list = xgrow(n->list, &n->cap, n->count + 1, sizeof(*n->list));
		n->list[n->count++] = (struct named_syscall){ number, text, len };
	}
}

const struct named_syscall *syscall_names_find(const struct syscall_names *n, uint64_t number)
{
	for (size_t i = 0; i < n->count; i++) {
		if (n->list[i].number == number)
			return &n->list[i];
	}
	return NULL;
}

void syscall_names_free(struct syscall_names *n)
{
	free(n->list);
	*n = (struct syscall_names){ 0 };
}
