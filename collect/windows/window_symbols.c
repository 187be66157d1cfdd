#include "collect/windows/window_symbols.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "core/nearest.h"
#include "core/symbols/elf/debugdata.h"
#include "core/symbols/elf/elf_file.h"
#include "core/symbols/names/demangle.h"

struct search {
	const char *name, *last; /* last: the part after "::" or "." */
	size_t len;
	bool copies; /* a compiler's copies will do */
	const struct elf_segments *segments;
	uint64_t *offsets;
	size_t count;
	struct nearest nearest;
	struct str *meant;
};

static bool window_symbols_is_letter(char c)
{
	return c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

static const char *window_symbols_last_part(const char *name)
{
	const char *last = name;

	for (const char *at = name; *at; at++) {
		if (window_symbols_is_letter(*at) && at > name && !window_symbols_is_letter(at[-1]))
			last = at;
	}
	return last;
}

/* "name", "name@@VERSION"; "name.isra.0", "name.constprop.0", "name.lto_priv.0" */
static bool window_symbols_has_name(const struct search *s, const char *symbol)
{
	const char *rest = symbol + s->len;

	if (strncmp(symbol, s->name, s->len) != 0)
		return false;
	if (!*rest || *rest == '@')
		return true;
	return s->copies &&
	       (!strncmp(rest, ".isra.", 6) || !strncmp(rest, ".constprop.", 11) || !strncmp(rest, ".lto_priv.", 10));
}

static bool window_symbols_is_meant(const struct search *s, const char *symbol)
{
	char *readable;
	bool found;

	if (window_symbols_has_name(s, symbol))
		return true;
	/* Demangling takes its time: mangled names have their parts in plain letters. */
	if (symbol[0] != '_' || !strstr(symbol, s->last))
		return false;
	readable = demangle(symbol, DEMANGLE_SIMPLE);
	found = readable && !strcmp(readable, s->name) && !strstr(symbol, ".cold");
	free(readable);
	return found;
}

static void window_symbols_add_offset(struct search *s, uint64_t offset)
{
	for (size_t i = 0; i < s->count && i < WINDOW_OFFSETS_MAX; i++) {
		if (s->offsets[i] == offset)
			return; /* by another name, or in another table */
	}
	if (s->count < WINDOW_OFFSETS_MAX)
		s->offsets[s->count] = offset;
	s->count++;
}

static void note_near(struct search *s, const char *symbol)
{
	struct nearest before = s->nearest;

	if (s->copies) /* the second search sees the same names */
		return;
	nearest_try(&s->nearest, s->name, symbol);
	if (s->nearest.name == before.name)
		return;
	str_clear(s->meant);
	str_puts(s->meant, symbol);
	s->nearest.name = s->name; /* the symbol's own text goes with its file */
}

static void search_table(struct search *s, Elf *elf, const char *section)
{
	GElf_Shdr header;
	Elf_Data *data = elf_file_section(elf, section, &header);
	size_t symbols = data && header.sh_entsize ? data->d_size / header.sh_entsize : 0;

	for (size_t i = 0; i < symbols && i < INT_MAX; i++) {
		const char *name;
		GElf_Sym symbol;
		uint64_t offset;

		if (!gelf_getsym(data, (int)i, &symbol) || symbol.st_shndx == SHN_UNDEF || !symbol.st_value ||
		    GELF_ST_TYPE(symbol.st_info) != STT_FUNC)
			continue;
		name = elf_strptr(elf, header.sh_link, symbol.st_name);
		if (name && window_symbols_is_meant(s, name) && elf_to_offset(s->segments, symbol.st_value, &offset))
			window_symbols_add_offset(s, offset);
		else if (name)
			note_near(s, name);
	}
}

static void search_file(struct search *s, Elf *elf)
{
	struct debugdata more = { 0 };

	search_table(s, elf, ".symtab");
	search_table(s, elf, ".dynsym");
	if (!s->count && !debugdata_open(&more, elf)) {
		search_table(s, more.elf, ".symtab");
		debugdata_close(&more);
	}
}

size_t window_symbols_find(int fd, const char *name, uint64_t offsets[WINDOW_OFFSETS_MAX], struct str *meant)
{
	struct search s = { .name = name,
			    .last = window_symbols_last_part(name),
			    .len = strlen(name),
			    .offsets = offsets,
			    .meant = meant };
	struct elf_file file;

	if (elf_file_open_fd(&file, fd))
		return 0;
	s.segments = &file.segments;
	search_file(&s, file.elf);
	if (!s.count) {
		s.copies = true;
		search_file(&s, file.elf);
	}
	elf_file_close(&file);
	return s.count;
}
