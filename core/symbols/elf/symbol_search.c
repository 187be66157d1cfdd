#include "core/symbols/elf/symbol_search.h"

#include <stdlib.h>
#include <string.h>

#include "core/intern.h"
#include "core/memory.h"
#include "core/symbols/elf/debug_file.h"
#include "core/symbols/elf/elf_symbols.h"
#include "core/symbols/names/demangle.h"

/* The smallest pages; files are mapped at multiples of them. */
enum { PAGE = 4096 };

/* How many pairs of items and symbols with the same name are compared: a damaged file may use one name everywhere. */
enum { PAIRS_BUDGET = 1 << 28 };

struct search {
	struct symbol_wanted *items; /* [count] */
	size_t count;
	struct intern names;
	size_t *first, *next; /* by name and by item: the next item with the same name + 1; 0: none */
	bool in_page[PAGE];   /* whether an item's symbol can be at that place in its page */
	uint32_t budget;
};

bool elf_is_fixed(Elf *elf)
{
	GElf_Ehdr header;

	return gelf_getehdr(elf, &header) && header.e_type == ET_EXEC;
}

static bool may_be_at(const struct symbol_wanted *w, uint64_t address)
{
	return (w->seen - w->offset) % PAGE == address % PAGE;
}

static void try_name(struct search *s, const char *name, size_t len, uint64_t address)
{
	uint32_t id = intern_find(&s->names, name, len);

	for (size_t i = id == UINT32_MAX ? 0 : s->first[id]; i && s->budget; i = s->next[i - 1]) {
		struct symbol_wanted *w = &s->items[i - 1];

		s->budget--;
		if (!may_be_at(w, address)) {
			w->found = w->found ? w->found : SYMBOL_OTHER;
			continue;
		}
		if (w->found < SYMBOL_FOUND)
			w->found = SYMBOL_FOUND;
		else if (w->start != address)
			w->found = SYMBOL_SEVERAL;
		w->start = address;
	}
}

static void try_symbol(struct search *s, const char *name, uint64_t address)
{
	size_t len = strlen(name), plain = strcspn(name, "@");

	try_name(s, name, len, address);
	if (plain && plain < len)
		try_name(s, name, plain, address); /* free@@GLIBC_2.2.5 */
	if (!s->in_page[address % PAGE])
		return;
	for (int style = DEMANGLE_SIMPLE; style < DEMANGLE_NO; style++) {
		char *text = demangle(name, (enum demangle_style)style);

		if (!text)
			return;
		try_name(s, text, strlen(text), address);
		free(text);
	}
}

static bool try_table(struct search *s, Elf *elf, uint32_t type)
{
	struct elf_symbols table;
	bool damaged;
	GElf_Sym symbol;

	if (!elf_symbols_find(&table, elf, type, &damaged))
		return false;
	for (int i = 0; gelf_getsym(table.symbols, i, &symbol); i++) {
		const char *name = elf_symbols_code(&table, &symbol);

		if (name)
			try_symbol(s, name, symbol.st_value);
	}
	return true;
}

/* The tables of elf_resolve(). */
static void try_tables(struct search *s, const struct elf_file *file, const struct module *module)
{
	struct elf_file debug = { .fd = -1 };
	struct debugdata little = { 0 };
	bool all = try_table(s, file->elf, SHT_SYMTAB) ||
		   (debug_file_open(&debug, module, file) == 0 && try_table(s, debug.elf, SHT_SYMTAB));

	if (!all) {
		try_table(s, file->elf, SHT_DYNSYM);
		if (debugdata_open(&little, file->elf) == 0)
			try_table(s, little.elf, SHT_SYMTAB);
	}
	debugdata_close(&little);
	elf_file_close(&debug);
}

void symbol_search(const struct elf_file *file, const struct module *module, struct symbol_wanted *wanted, size_t count)
{
	struct search *s = xcalloc(1, sizeof(*s));

	*s = (struct search){ .items = wanted,
			      .count = count,
			      .first = xcalloc(count + 1, sizeof(*s->first)),
			      .next = xcalloc(count + 1, sizeof(*s->next)),
			      .budget = PAIRS_BUDGET };
	for (size_t i = 0; i < count; i++) {
		uint32_t id = intern_add(&s->names, wanted[i].name, wanted[i].len);

		s->next[i] = s->first[id];
		s->first[id] = i + 1;
		s->in_page[(wanted[i].seen - wanted[i].offset) % PAGE] = true;
		wanted[i].found = SYMBOL_NONE;
	}
	if (count)
		try_tables(s, file, module);
	intern_free(&s->names);
	free(s->first);
	free(s->next);
	free(s);
}
