#include "core/symbols/kernel_copy.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/infile.h"
#include "core/memory.h"
#include "core/symbols/kallsyms.h"
#include "core/symbols/space/chooser.h"

/* The note "GNU", NT_GNU_BUILD_ID. */
size_t kernel_build_id(uint8_t id[BUILD_ID_MAX])
{
	FILE *file = fopen("/sys/kernel/notes", "re");
	uint8_t notes[4096];
	size_t len = file ? fread(notes, 1, sizeof(notes), file) : 0, at = 0;
	Elf64_Nhdr note;

	if (file)
		fclose(file);
	while (len - at >= sizeof(note)) {
		size_t name = at + sizeof(note), value, end;

		memcpy(&note, notes + at, sizeof(note));
		if (note.n_namesz > len || note.n_descsz > len)
			return 0;
		value = name + ((note.n_namesz + 3u) & ~3u);
		end = value + ((note.n_descsz + 3u) & ~3u);
		if (end > len)
			return 0;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && !memcmp(notes + name, "GNU", 4) &&
		    note.n_descsz <= BUILD_ID_MAX) {
			memcpy(id, notes + value, note.n_descsz);
			return note.n_descsz;
		}
		at = end;
	}
	return 0;
}

/* --- the file ------------------------------------------------------------------------------ */

static int open_copy(void)
{
	char path[4200], hex[2 * BUILD_ID_MAX + 1] = "";
	const char *home = getenv("HOME");
	uint8_t id[BUILD_ID_MAX];
	size_t len = kernel_build_id(id);

	for (size_t i = 0; i < len; i++)
		snprintf(hex + 2 * i, 3, "%02x", id[i]);
	if (!len || !home ||
	    (size_t)snprintf(path, sizeof(path), "%s/.debug/[kernel.kallsyms]/%s/kallsyms", home, hex) >= sizeof(path))
		return -1;
	return infile_open_regular(path);
}

/* Map the file if only we and root could have written it.  A file that is a whole number of pages is refused, because
 * no NUL, which ends the text, would follow it in memory. */
static bool map_copy(struct kernel_copy *c, int fd)
{
	struct stat st;
	void *text;

	if (fstat(fd, &st) || (st.st_uid && st.st_uid != geteuid()) || st.st_mode & (S_IWGRP | S_IWOTH) ||
	    st.st_size % sysconf(_SC_PAGESIZE) == 0)
		return false;
	text = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (text == MAP_FAILED)
		return false;
	c->text = text;
	c->len = (size_t)st.st_size;
	return true;
}

/* --- its lines ------------------------------------------------------------------------------- */

/* The beginning of the line that contains the byte at. */
static size_t line_with(const struct kernel_copy *c, size_t at)
{
	const char *before = at ? memrchr(c->text, '\n', at) : NULL;

	return before ? (size_t)(before + 1 - c->text) : 0;
}

static struct kallsyms_line kernel_copy_read_line(const struct kernel_copy *c, size_t at, size_t *next)
{
	const char *p = c->text + at;
	struct kallsyms_line line = { 0 };

	if (!kallsyms_next(&p, &line))
		p = c->text + c->len;
	*next = (size_t)(p - c->text);
	return line;
}

/* "ffffffffc0201000 t name\t[module]": these lines follow those of the image. */
static bool is_of_module(const struct kallsyms_line *line)
{
	return line->name[line->name_len] == '\t';
}

/* The image's lines, and its last address: whole lines only. */
static bool find_image(struct kernel_copy *c)
{
	size_t low = 0, high = c->len, next;
	struct kallsyms_line line;

	while (low < high) {
		size_t middle = line_with(c, low + (high - low) / 2);

		line = kernel_copy_read_line(c, middle, &next);
		if (line.type && !is_of_module(&line) && c->text[next - 1] == '\n') {
			c->end = line.address;
			low = next;
		} else {
			high = middle;
		}
	}
	c->image = low;
	return low > 0;
}

/* "_text" is among the first lines.  On some kernels, the lines of per-CPU variables come before it. */
static bool kernel_copy_find_text(struct kernel_copy *c)
{
	static const char name[] = "_text";
	struct kallsyms_line line;

	for (size_t at = 0; at < c->image;) {
		line = kernel_copy_read_line(c, at, &at);
		if (line.name_len == sizeof(name) - 1 && !memcmp(line.name, name, sizeof(name) - 1)) {
			c->start = line.address;
			return line.address && line.address < c->end;
		}
	}
	return false;
}

int kernel_copy_open(struct kernel_copy *c)
{
	int fd = open_copy();
	uint64_t now = 0;
	bool usable;

	*c = (struct kernel_copy){ 0 };
	if (fd < 0)
		return -1;
	usable = map_copy(c, fd) && find_image(c) && kernel_copy_find_text(c);
	close(fd);
	if (usable)
		now = kallsyms_look_up("_text");
	c->shift = now - c->start;
	if (now)
		return 0;
	kernel_copy_close(c);
	return -1;
}

int kernel_copy_keep(struct kernel_copy *c)
{
	struct kallsyms k;

	*c = (struct kernel_copy){ 0 };
	if (!kallsyms_look_up("_text")) /* addresses are hidden: do not read the whole file for that */
		return -1;
	if (kallsyms_read(&k, NULL) < 0) {
		kallsyms_free(&k);
		return -1;
	}
	c->text = c->kept = k.text;
	c->len = k.len;
	if (find_image(c) && kernel_copy_find_text(c)) {
		c->text = c->kept = xrealloc(c->kept, c->len + 1);
		return 0;
	}
	kernel_copy_close(c);
	return -1;
}

bool kernel_copy_has(const struct kernel_copy *c, uint64_t address)
{
	return address - c->shift >= c->start && address - c->shift < c->end;
}

/* --- names ----------------------------------------------------------------------------------- */

/* The first line of the last symbol at or before address; from is a line before it. */
static size_t find_symbol(const struct kernel_copy *c, size_t from, uint64_t address)
{
	size_t low = from, high = c->image, found = from, next;
	uint64_t start;

	while (low < high) {
		size_t middle = line_with(c, low + (high - low) / 2);

		if (kernel_copy_read_line(c, middle, &next).address <= address) {
			found = middle;
			low = next;
		} else {
			high = middle;
		}
	}
	start = kernel_copy_read_line(c, found, &next).address;
	while (found) {
		size_t before = line_with(c, found - 1);

		if (kernel_copy_read_line(c, before, &next).address != start)
			break;
		found = before;
	}
	return found;
}

/* Offer all symbols with the address in the line at, which may be several names of one function.  Returns the address
 * of the next symbol. */
static uint64_t kernel_copy_offer(const struct kernel_copy *c, size_t at, struct chooser *chooser)
{
	struct kallsyms_line line = kernel_copy_read_line(c, at, &at);
	uint64_t start = line.address;

	while (line.address == start) {
		struct symbol s = kallsyms_symbol(&line);

		s.start += c->shift;
		chooser_offer(chooser, &s);
		if (at >= c->image)
			return UINT64_MAX;
		line = kernel_copy_read_line(c, at, &at);
	}
	return line.address;
}

void kernel_copy_resolve(const struct kernel_copy *c, struct place *wanted, size_t count, struct arena *names)
{
	struct chooser chooser;
	uint64_t next = 0;
	size_t at = 0;

	chooser_init(&chooser, wanted, count);
	for (size_t i = 0; i < count; i++) {
		uint64_t address = wanted[i].address - c->shift;

		if (!kernel_copy_has(c, wanted[i].address) || address < next)
			continue;
		at = find_symbol(c, at, address);
		next = kernel_copy_offer(c, at, &chooser);
	}
	chooser_finish(&chooser, names);
}

/* Those in the image are neighbours. */
void kernel_copy_resolve_all(const struct kernel_copy *c, struct place *wanted, size_t count, struct arena *names)
{
	struct kallsyms rest = { c->kept + c->image, c->len - c->image };
	size_t first = 0, end;

	while (first < count && !kernel_copy_has(c, wanted[first].address))
		first++;
	for (end = first; end < count && kernel_copy_has(c, wanted[end].address);)
		end++;
	kallsyms_resolve(&rest, wanted, first, names);
	kernel_copy_resolve(c, wanted + first, end - first, names);
	kallsyms_resolve(&rest, wanted + end, count - end, names);
}

void kernel_copy_close(struct kernel_copy *c)
{
	if (!c)
		return;
	if (c->kept)
		free(c->kept);
	else if (c->text)
		munmap((void *)c->text, c->len);
	*c = (struct kernel_copy){ 0 };
}
