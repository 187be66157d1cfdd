#include "collect/runtime/runtime_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/runtime/remote.h"
#include "core/memory.h"
#include "core/symbols/elf/elf_file.h"
#include "core/symbols/elf/frame_index.h"
#include "core/symbols/space/process_root.h"

/* "7f00-7f01 r-xp 00001000 08:01 1234   /usr/lib/jvm/.../libjvm.so (deleted)" */
static bool runtime_file_is_in(const char *line, bool (*is_it)(const char *name, size_t len), char *found, size_t size)
{
	static const char deleted[] = " (deleted)";
	size_t len = strcspn(line, "\n"), at;

	if (len > sizeof(deleted) - 1 && !memcmp(line + len - (sizeof(deleted) - 1), deleted, sizeof(deleted) - 1))
		len -= sizeof(deleted) - 1;
	for (at = len; at && line[at - 1] != '/'; at--)
		;
	if (!at || !is_it(line + at, len - at))
		return false;
	snprintf(found, size, "%.*s", (int)(len - at), line + at);
	return true;
}

/* Compute the bias of a file from its first mapping. */
static bool runtime_file_find_bias(struct runtime_file *its, uint64_t start, uint64_t offset)
{
	int fd = process_root_open(0, its->path);
	struct elf_file file;
	uint64_t address;
	bool found;

	if (fd < 0 || elf_file_open_fd(&file, fd))
		return false;
	found = elf_to_address(&file.segments, offset, &address);
	its->bias = start - address;
	elf_file_close(&file);
	return found;
}

bool runtime_file_find(int pid, bool (*is_it)(const char *name, size_t len), struct runtime_file *its)
{
	uint64_t start, end, offset, first = 0, first_offset = 0;
	char line[4352];
	FILE *maps;

	*its = (struct runtime_file){ 0 };
	snprintf(line, sizeof(line), "/proc/%d/maps", pid);
	maps = fopen(line, "re");
	while (maps && fgets(line, sizeof(line), maps)) {
		if (!runtime_file_is_in(line, is_it, its->name, sizeof(its->name)) ||
		    sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64, &start, &end, &offset) != 3)
			continue;
		if (!its->start) {
			its->start = first = start;
			first_offset = offset;
			snprintf(its->path, sizeof(its->path), "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, pid, start,
				 end);
			if (access(its->path, R_OK))
				snprintf(its->path, sizeof(its->path), "/proc/%d/root%.*s", pid,
					 (int)strcspn(strchr(line, '/'), "\n"), strchr(line, '/'));
		}
		its->end = end;
	}
	if (maps)
		fclose(maps);
	return its->start && runtime_file_find_bias(its, first, first_offset);
}

static bool runtime_symbol_is_wanted(const struct runtime_symbol *w, const char *name)
{
	if (w->address || !w->name[0])
		return false;
	return !(w->is_prefix ? strncmp(name, w->name, strlen(w->name)) : strcmp(name, w->name));
}

static size_t runtime_symbols_search(Elf *elf, GElf_Shdr *header, Elf_Data *data, const struct elf_file *file,
				     const struct runtime_file *its, struct runtime_symbol *wanted, size_t count)
{
	size_t symbols = header->sh_entsize ? data->d_size / header->sh_entsize : 0, found = 0;
	GElf_Sym symbol;

	for (size_t i = 0; i < symbols; i++) {
		const char *name = gelf_getsym(data, (int)i, &symbol) && symbol.st_value
					   ? elf_strptr(elf, header->sh_link, symbol.st_name)
					   : NULL;

		for (size_t j = 0; name && j < count; j++) {
			struct runtime_symbol *w = &wanted[j];

			if (!runtime_symbol_is_wanted(w, name))
				continue;
			w->address = symbol.st_value + its->bias;
			w->size = symbol.st_size;
			if (!elf_to_offset(&file->segments, symbol.st_value, &w->offset))
				w->offset = 0;
			snprintf(w->found, sizeof(w->found), "%s", name);
			found++;
		}
	}
	return found;
}

size_t runtime_symbols(const struct runtime_file *its, struct runtime_symbol *wanted, size_t count)
{
	static const char *const sections[] = { ".dynsym", ".symtab" };
	int fd = process_root_open(0, its->path);
	struct elf_file file;
	size_t found = 0; /* not found, or not wanted */

	for (size_t i = 0; i < count; i++) {
		wanted[i].address = wanted[i].offset = 0;
		found += !wanted[i].name[0];
	}
	if (fd < 0 || elf_file_open_fd(&file, fd))
		return 0;
	for (size_t i = 0; i < 2 && found < count; i++) {
		GElf_Shdr header;
		Elf_Data *data = elf_file_section(file.elf, sections[i], &header);

		if (data)
			found += runtime_symbols_search(file.elf, &header, data, &file, its, wanted, count);
	}
	elf_file_close(&file);
	return found;
}

bool runtime_section(const struct runtime_file *its, const char *name, void *to, size_t len)
{
	int fd = process_root_open(0, its->path);
	struct elf_file file;
	GElf_Shdr header;
	Elf_Data *data;
	bool found;

	if (fd < 0 || elf_file_open_fd(&file, fd))
		return false;
	data = elf_file_section(file.elf, name, &header);
	found = data && data->d_buf && data->d_size >= len;
	if (found)
		memcpy(to, data->d_buf, len);
	elf_file_close(&file);
	return found;
}

/* ---- the other part of a function ---- */

/* Where the jump at code[at] leads, from the code's start on; false: there is none.  x86-64: jmp, jcc with 32 bits. */
static bool runtime_file_jump(const uint8_t *code, size_t at, size_t size, int64_t *to)
{
	size_t opcode = code[at] == 0xe9                                                     ? 1
			: code[at] == 0x0f && at + 1 < size && (code[at + 1] & 0xf0) == 0x80 ? 2
											     : 0;
	int32_t away;

	if (!opcode || at + opcode + sizeof(away) > size)
		return false;
	memcpy(&away, code + at + opcode, sizeof(away));
	*to = (int64_t)(at + opcode + sizeof(away)) + away;
	return true;
}

enum { TARGETS_MAX = 64, TARGETS_FEWEST = 3 };

struct jump_targets {
	struct jump_target {
		uint64_t start, end;
		size_t jumps;
	} list[TARGETS_MAX];
	size_t count;
};

/* Count a jump into the middle of a function; a jump to its start may be a call. */
static void jump_targets_add(struct jump_targets *t, const struct elf_file *elf, uint64_t address)
{
	uint64_t start, next;
	size_t i = 0;

	if (!frame_index_find(elf, address, &start, &next) || address == start || next == UINT64_MAX)
		return;
	while (i < t->count && t->list[i].start != start)
		i++;
	if (i == TARGETS_MAX)
		return;
	if (i == t->count)
		t->list[t->count++] = (struct jump_target){ start, next, 0 };
	t->list[i].jumps++;
}

bool runtime_file_other_part(const struct runtime_file *its, const struct remote *process, uint64_t start,
			     uint64_t size, uint64_t *other_start, uint64_t *other_end)
{
	enum { SIZE_MAX_HERE = 1 << 20 };
	int fd = process_root_open(0, its->path);
	struct jump_targets targets = { 0 };
	const struct jump_target *best = NULL;
	struct elf_file elf;
	uint8_t *code;
	int64_t to;

	if (fd < 0 || elf_file_open_fd(&elf, fd))
		return false;
	code = xcalloc(1, size < SIZE_MAX_HERE ? size : 1);
	if (size < SIZE_MAX_HERE && remote_read(process, start, code, size)) {
		for (size_t i = 0; i < size; i++) {
			if (runtime_file_jump(code, i, size, &to) && (to < 0 || to >= (int64_t)size))
				jump_targets_add(&targets, &elf, start - its->bias + (uint64_t)to);
		}
	}
	for (size_t i = 0; i < targets.count; i++) {
		if (targets.list[i].jumps >= TARGETS_FEWEST && (!best || targets.list[i].jumps > best->jumps))
			best = &targets.list[i];
	}
	if (best) {
		*other_start = best->start + its->bias;
		*other_end = best->end + its->bias;
	}
	free(code);
	elf_file_close(&elf);
	return best;
}
