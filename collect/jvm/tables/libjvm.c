#include "collect/jvm/tables/libjvm.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/symbols/elf/elf_file.h"
#include "core/symbols/space/process_root.h"

/* "7f00-7f01 r-xp 00001000 08:01 1234   /usr/lib/jvm/.../libjvm.so" */
static bool is_libjvm(const char *line)
{
	static const char name[] = "/libjvm.so", deleted[] = " (deleted)";
	size_t len = strcspn(line, "\n");

	if (len > sizeof(deleted) - 1 && !memcmp(line + len - (sizeof(deleted) - 1), deleted, sizeof(deleted) - 1))
		len -= sizeof(deleted) - 1;
	return len > sizeof(name) - 1 && !memcmp(line + len - (sizeof(name) - 1), name, sizeof(name) - 1);
}

/* Compute the bias of libjvm from its first mapping. */
static bool find_bias(struct libjvm *lib, uint64_t start, uint64_t offset)
{
	int fd = process_root_open(0, lib->path);
	struct elf_file file;
	uint64_t address;
	bool found;

	if (fd < 0 || elf_file_open_fd(&file, fd))
		return false;
	found = elf_to_address(&file.segments, offset, &address);
	lib->bias = start - address;
	elf_file_close(&file);
	return found;
}

bool libjvm_find(int pid, struct libjvm *lib)
{
	uint64_t start, end, offset, first = 0, first_offset = 0;
	char line[4352];
	FILE *maps;

	*lib = (struct libjvm){ 0 };
	snprintf(line, sizeof(line), "/proc/%d/maps", pid);
	maps = fopen(line, "re");
	while (maps && fgets(line, sizeof(line), maps)) {
		if (!is_libjvm(line) ||
		    sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64, &start, &end, &offset) != 3)
			continue;
		if (!lib->start) {
			lib->start = first = start;
			first_offset = offset;
			snprintf(lib->path, sizeof(lib->path), "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, pid, start,
				 end);
			if (access(lib->path, R_OK))
				snprintf(lib->path, sizeof(lib->path), "/proc/%d/root%.*s", pid,
					 (int)strcspn(strchr(line, '/'), "\n"), strchr(line, '/'));
		}
		lib->end = end;
	}
	if (maps)
		fclose(maps);
	return lib->start && find_bias(lib, first, first_offset);
}

static bool libjvm_is_wanted(const struct libjvm_symbol *w, const char *name)
{
	if (w->address || !w->name[0])
		return false;
	return !(w->is_prefix ? strncmp(name, w->name, strlen(w->name)) : strcmp(name, w->name));
}

static size_t libjvm_search(Elf *elf, GElf_Shdr *header, Elf_Data *data, const struct elf_file *file,
			    const struct libjvm *lib, struct libjvm_symbol *wanted, size_t count)
{
	size_t symbols = header->sh_entsize ? data->d_size / header->sh_entsize : 0, found = 0;
	GElf_Sym symbol;

	for (size_t i = 0; i < symbols; i++) {
		const char *name = gelf_getsym(data, (int)i, &symbol) && symbol.st_value
					   ? elf_strptr(elf, header->sh_link, symbol.st_name)
					   : NULL;

		for (size_t j = 0; name && j < count; j++) {
			struct libjvm_symbol *w = &wanted[j];

			if (!libjvm_is_wanted(w, name))
				continue;
			w->address = symbol.st_value + lib->bias;
			if (!elf_to_offset(&file->segments, symbol.st_value, &w->offset))
				w->offset = 0;
			snprintf(w->found, sizeof(w->found), "%s", name);
			found++;
		}
	}
	return found;
}

size_t libjvm_symbols(const struct libjvm *lib, struct libjvm_symbol *wanted, size_t count)
{
	static const char *const sections[] = { ".dynsym", ".symtab" };
	int fd = process_root_open(0, lib->path);
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
			found += libjvm_search(file.elf, &header, data, &file, lib, wanted, count);
	}
	elf_file_close(&file);
	return found;
}
