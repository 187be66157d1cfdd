#include "core/symbols/elf.h"

#include <elf.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/symbols/chooser.h"
#include "core/symbols/elf_file.h"

static bool names_code(const GElf_Sym *symbol)
{
	int type = GELF_ST_TYPE(symbol->st_info), visibility = GELF_ST_VISIBILITY(symbol->st_other);

	if (symbol->st_shndx == SHN_UNDEF || !symbol->st_name)
		return false;
	if (type == STT_FUNC || type == STT_GNU_IFUNC)
		return true;
	/* Labels of assembler code, e.g. _start. */
	return type == STT_NOTYPE && symbol->st_shndx != SHN_ABS && visibility != STV_HIDDEN &&
	       visibility != STV_INTERNAL;
}

static void offer_symbol(struct chooser *chooser, const GElf_Sym *symbol, const Elf_Data *strings,
			 const struct elf_segments *segments)
{
	int binding = GELF_ST_BIND(symbol->st_info);
	struct symbol s = { .size = symbol->st_size, .weak = binding == STB_WEAK,
			    .local = binding == STB_LOCAL };

	if (!names_code(symbol) || symbol->st_name >= strings->d_size ||
	    !elf_to_offset(segments, symbol->st_value, &s.start))
		return;
	s.name = (const char *)strings->d_buf + symbol->st_name;
	if (!*s.name || *s.name == '$') /* mapping symbols of arm64: $x, $d */
		return;
	chooser_offer(chooser, &s);
}

/* So that every name in it ends, too. */
static bool ends_with_nul(const Elf_Data *strings)
{
	return strings->d_buf && strings->d_size && !((const char *)strings->d_buf)[strings->d_size - 1];
}

/* The section of a type, and the strings that belong to it. */
static Elf_Data *find_table(Elf *elf, uint32_t type, Elf_Data **strings)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(elf, section))) {
		Elf_Scn *linked;

		if (!gelf_getshdr(section, &header) || header.sh_type != type || !header.sh_entsize)
			continue;
		linked = elf_getscn(elf, header.sh_link);
		*strings = linked ? elf_getdata(linked, NULL) : NULL;
		return *strings && ends_with_nul(*strings) ? elf_getdata(section, NULL) : NULL;
	}
	return NULL;
}

/* Hundreds of thousands of symbols are worth a loop without calls. */
static void offer_all(struct chooser *chooser, Elf *elf, Elf_Data *table, const Elf_Data *strings,
		      const struct elf_segments *segments)
{
	GElf_Sym symbol;

	if (gelf_getclass(elf) == ELFCLASS64 && (uintptr_t)table->d_buf % _Alignof(Elf64_Sym) == 0) {
		const Elf64_Sym *symbols = table->d_buf;

		for (size_t i = 0; i < table->d_size / sizeof(*symbols); i++)
			offer_symbol(chooser, &symbols[i], strings, segments);
		return;
	}
	for (int i = 0; gelf_getsym(table, i, &symbol); i++)
		offer_symbol(chooser, &symbol, strings, segments);
}

/* Offer every symbol of the best table.  Returns false if there is none. */
static bool offer_table(struct chooser *chooser, Elf *elf, const struct elf_segments *segments)
{
	static const uint32_t types[] = { SHT_SYMTAB, SHT_DYNSYM };

	for (size_t t = 0; t < 2; t++) {
		Elf_Data *strings, *table = find_table(elf, types[t], &strings);

		if (!table || !table->d_size)
			continue;
		offer_all(chooser, elf, table, strings, segments);
		return true;
	}
	return false;
}

/* Segments are those of the file that was mapped: a debug file may lack them. */
static int resolve_from(Elf *table, const struct elf_segments *segments, struct place *wanted,
			size_t count, struct arena *names)
{
	struct chooser chooser;
	bool found;

	chooser_init(&chooser, wanted, count);
	found = offer_table(&chooser, table, segments);
	chooser_finish(&chooser, names); /* reads names that lie in the mapped file */
	return found ? 0 : -1;
}

/* /usr/lib/debug/.build-id/1a/2b3c.debug, where debug packages put symbols. */
static int open_debug_file(const char *id)
{
	char path[128];

	if (!is_build_id(id))
		return -1;
	snprintf(path, sizeof(path), "/usr/lib/debug/.build-id/%.2s/%s.debug", id, id + 2);
	return open(path, O_RDONLY | O_CLOEXEC);
}

static bool resolve_from_debug_file(const char *id, const struct elf_segments *segments,
				    struct place *wanted, size_t count, struct arena *names)
{
	int fd = open_debug_file(id);
	struct elf_file debug;
	bool done;

	if (fd < 0 || elf_file_open_fd(&debug, fd))
		return false;
	done = !strcmp(elf_file_build_id(debug.elf).text, id) &&
	       resolve_from(debug.elf, segments, wanted, count, names) == 0;
	elf_file_close(&debug);
	return done;
}

static void say_why(struct place *wanted, size_t count, enum why why)
{
	for (size_t i = 0; i < count; i++)
		wanted[i].why = (uint8_t)why;
}

int elf_resolve(const struct module *module, struct place *wanted, size_t count, struct arena *names)
{
	struct elf_file file;
	enum why why;
	int status = 0;

	if (elf_file_open(&file, module, &why)) {
		say_why(wanted, count, why);
		return -1;
	}
	if (!resolve_from_debug_file(elf_file_build_id(file.elf).text, &file.segments, wanted, count, names))
		status = resolve_from(file.elf, &file.segments, wanted, count, names);
	say_why(wanted, count, status ? WHY_NO_SYMBOLS : WHY_NO_SYMBOL);
	elf_file_close(&file);
	return status;
}
