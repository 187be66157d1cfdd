#include "collapse/perfdata/recorded_names.h"

#include <stdlib.h>

#include "collapse/perfdata/recorded.h"
#include "core/memory.h"

void file_names_read(struct file_names *f, const struct perfdata *d, enum recording_feature section)
{
	struct section_lines lines;
	const char *text;
	size_t len;

	section_lines_init(&lines, d, section);
	while (section_next_line(&lines, &text, &len)) {
		uint64_t number;

		if (!field_number(&text, &len, 10, &number) || !len)
			return;
		if (!f->count)
			f->first = number;
		if (number - f->first != f->count)
			return; /* damaged: numbers would lead astray */
		f->list = xgrow(f->list, &f->cap, f->count + 1, sizeof(*f->list));
		f->list[f->count++] = (struct file_name){ text, len };
	}
}

const struct file_name *file_names_get(const struct file_names *f, uint64_t number)
{
	return number >= f->first && number - f->first < f->count ? &f->list[number - f->first] : NULL;
}

void file_names_free(struct file_names *f)
{
	free(f->list);
	*f = (struct file_names){ 0 };
}

/* ---- syscall names ---- */

void syscall_names_read(struct syscall_names *n, const struct perfdata *d)
{
	struct section_lines lines;
	const char *text;
	size_t len;

	section_lines_init(&lines, d, RECORDING_SYSCALLS);
	while (section_next_line(&lines, &text, &len)) {
		uint64_t number;
		uint32_t *place;

		if (!field_number(&text, &len, 10, &number) || !len)
			continue; /* damaged */
		place = map_at(&n->by_number, number, 0);
		if (*place)
			continue; /* the first name counts */
		*place = (uint32_t)n->count + 1;
		n->list = xgrow(n->list, &n->cap, n->count + 1, sizeof(*n->list));
		n->list[n->count++] = (struct named_syscall){ number, text, len };
	}
}

const struct named_syscall *syscall_names_find(const struct syscall_names *n, uint64_t number)
{
	uint32_t place = map_get(&n->by_number, number, 0);

	return place ? &n->list[place - 1] : NULL;
}

void syscall_names_free(struct syscall_names *n)
{
	free(n->list);
	map_free(&n->by_number);
	*n = (struct syscall_names){ 0 };
}
