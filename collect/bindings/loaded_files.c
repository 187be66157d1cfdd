#include "collect/bindings/loaded_files.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/machine/procfs.h"
#include "core/memory.h"

/* "7f1c2a600000-7f1c2a755000 r-xp 00026000 fe:01 1054      /usr/lib/libc.so.6" */
struct map_line {
	uint64_t start, end, offset, inode;
	unsigned int major, minor;
	char rights[8];
	int path;
};

static bool loaded_files_parse(const char *text, struct map_line *line)
{
	line->path = 0;
	return sscanf(text, "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %x:%x %" SCNu64 " %n", &line->start, &line->end,
		      line->rights, &line->offset, &line->major, &line->minor, &line->inode, &line->path) == 7 &&
	       line->path && line->inode;
}

static bool loaded_files_is_same_file(const struct map_line *a, const struct map_line *b)
{
	return a->inode == b->inode && a->major == b->major && a->minor == b->minor;
}

/* Add the file of some mappings, if it has code. */
static void loaded_files_add(struct loaded_files *files, const struct loaded_file *file, bool has_code)
{
	if (!has_code)
		return;
	files->items = xgrow(files->items, &files->cap, files->count + 1, sizeof(*files->items));
	files->items[files->count++] = *file;
}

int loaded_files_read(struct loaded_files *files, int pid)
{
	struct map_line line, first = { 0 };
	struct loaded_file file = { 0 };
	bool has_code = false;
	char *text, *end;
	int errnum = read_process(pid, "maps", &files->maps);

	for (text = files->maps.buf; text && (end = strchr(text, '\n')); text = end + 1) {
		*end = '\0';
		if (!loaded_files_parse(text, &line))
			continue;
		/* The first mapping of each copy of a file begins with the ELF header.  In a small file, what follows
		 * may begin there, too. */
		if (!line.offset && (has_code || file.end != line.start || !loaded_files_is_same_file(&line, &first))) {
			loaded_files_add(files, &file, has_code);
			file = (struct loaded_file){ .start = line.start, .path = text + line.path };
			first = line;
			has_code = false;
		} else if (!loaded_files_is_same_file(&line, &first)) {
			continue;
		}
		file.end = line.end;
		has_code |= line.rights[2] == 'x';
	}
	loaded_files_add(files, &file, has_code);
	return errnum;
}

void loaded_files_free(struct loaded_files *files)
{
	free(files->items);
	str_free(&files->maps);
	*files = (struct loaded_files){ 0 };
}
