#include "collect/faults/fault_files.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/machine/procfs.h"
#include "core/memory.h"

enum { MINOR_BITS = 20 };

struct fault_file_key {
	uint64_t device, inode;
};

struct map_line {
	uint64_t start, end, inode;
	const char *path; /* to the end of the line */
	size_t len;
};

/* A line of /proc/PID/maps (proc_pid_maps(5)).  Returns false for memory without a file. */
static bool read_line(const char *line, size_t len, struct map_line *m)
{
	char text[256];
	int at = 0;

	snprintf(text, sizeof(text), "%.*s", (int)len, line);
	if (sscanf(text, "%" SCNx64 "-%" SCNx64 " %*s %*s %*s %" SCNu64 " %n", &m->start, &m->end, &m->inode, &at) <
		    3 ||
	    !m->inode || !at || (size_t)at >= len)
		return false;
	m->path = line + at;
	m->len = len - (size_t)at;
	return true;
}

/* Append the path of the file at the page.  A filesystem in layers, as in containers, shows other inodes here than to
 * BPF: then the address alone decides. */
static void find_path(const struct fault_place *place, struct str *path)
{
	struct str maps = { 0 };
	struct map_line m;
	bool certain = false;
	size_t root;

	read_process(place->pid, "maps", &maps);
	for (const char *line = str_text(&maps), *end; *line && !certain; line = *end ? end + 1 : end) {
		end = line + strcspn(line, "\n");
		if (!read_line(line, (size_t)(end - line), &m))
			continue;
		certain = m.inode == place->inode;
		if (!certain && (place->address < m.start || place->address >= m.end))
			continue;
		str_clear(path);
		root = root_length((pid_t)place->pid, m.path, m.len);
		str_add(path, m.path + root, m.len - root);
	}
	str_free(&maps);
}

uint32_t fault_files_number(struct fault_files *f, struct file_list *list, const struct fault_place *place)
{
	struct fault_file_key key = { place->device, place->inode };
	size_t known = f->files.count;
	uint32_t i = intern_add(&f->files, (const char *)&key, sizeof(key));
	struct str path = { 0 };

	if (i < known && (f->numbers[i] = file_list_again(list, f->numbers[i])) != FILE_LIST_GONE)
		return f->numbers[i];
	find_path(place, &path);
	if (!path.len)
		str_addf(&path, "[%s%sinode %" PRIu64 " of %u:%u]", place->name, *place->name ? ", " : "", place->inode,
			 place->device >> MINOR_BITS, place->device & ((1u << MINOR_BITS) - 1));
	f->numbers = xgrow(f->numbers, &f->cap, f->files.count, sizeof(*f->numbers));
	f->numbers[i] = file_list_add(list, path.buf, path.len);
	str_free(&path);
	return f->numbers[i];
}

void fault_files_forget(struct fault_files *f, const struct file_list *list)
{
	struct fault_files kept = { 0 };

	for (uint32_t i = 0; i < f->files.count; i++) {
		if (f->numbers[i] < list->first)
			continue;
		intern_add(&kept.files, intern_text(&f->files, i), intern_len(&f->files, i));
		kept.numbers = xgrow(kept.numbers, &kept.cap, kept.files.count, sizeof(*kept.numbers));
		kept.numbers[kept.files.count - 1] = f->numbers[i];
	}
	fault_files_free(f);
	*f = kept;
}

void fault_files_free(struct fault_files *f)
{
	intern_free(&f->files);
	free(f->numbers);
	*f = (struct fault_files){ 0 };
}
