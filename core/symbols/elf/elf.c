#include "core/symbols/elf/elf.h"

#include <gelf.h>

#include "core/symbols/elf/debug_file.h"
#include "core/symbols/elf/debugdata.h"
#include "core/symbols/elf/elf_file.h"
#include "core/symbols/elf/elf_symbols.h"
#include "core/symbols/elf/function_starts.h"
#include "core/symbols/elf/plt.h"
#include "core/symbols/elf/program_start.h"
#include "core/symbols/space/chooser.h"

static void offer_symbol(struct chooser *chooser, const GElf_Sym *symbol, const struct elf_symbols *table,
			 const struct elf_segments *segments)
{
	int binding = GELF_ST_BIND(symbol->st_info);
	struct symbol s = { .size = symbol->st_size, .weak = binding == STB_WEAK, .local = binding == STB_LOCAL };

	s.name = elf_symbols_code(table, symbol);
	if (s.name && elf_to_offset(segments, symbol->st_value, &s.start))
		chooser_offer(chooser, &s);
}

/* There are hundreds of thousands of symbols: a loop without calls is worth it. */
static void offer_all(struct chooser *chooser, Elf *elf, const struct elf_symbols *table,
		      const struct elf_segments *segments)
{
	GElf_Sym symbol;

	if (gelf_getclass(elf) == ELFCLASS64 && (uintptr_t)table->symbols->d_buf % _Alignof(Elf64_Sym) == 0) {
		const Elf64_Sym *symbols = table->symbols->d_buf;

		for (size_t i = 0; i < table->symbols->d_size / sizeof(*symbols); i++)
			offer_symbol(chooser, &symbols[i], table, segments);
		return;
	}
	for (int i = 0; gelf_getsym(table->symbols, i, &symbol); i++)
		offer_symbol(chooser, &symbol, table, segments);
}

/* All sources of a module's names; they stay open until the chooser is done.  The segments are those of the file
 * that was mapped: the other files may lack them. */
struct sources {
	const struct module *module;
	struct elf_file file, debug;
	struct debugdata little;
	struct chooser chooser;
	struct arena made; /* names that are in no table */
	bool damaged;      /* a table is invalid */
};

/* Offer the symbols of a table.  Returns false if the file has no such table. */
static bool offer_table(struct sources *s, Elf *elf, uint32_t type)
{
	struct elf_symbols table;

	if (!elf_symbols_find(&table, elf, type, &s->damaged))
		return false;
	offer_all(&s->chooser, elf, &table, &s->file.segments);
	return true;
}

/* How many of a module's functions its symbols cover. */
enum extent { NO_SYMBOLS, SOME_SYMBOLS, ALL_SYMBOLS };

/* Offer every symbol of the best tables. */
static enum extent offer_tables(struct sources *s)
{
	bool some;

	if (offer_table(s, s->file.elf, SHT_SYMTAB))
		return ALL_SYMBOLS;
	if (debug_file_open(&s->debug, s->module, &s->file) == 0 && offer_table(s, s->debug.elf, SHT_SYMTAB))
		return ALL_SYMBOLS;
	some = offer_table(s, s->file.elf, SHT_DYNSYM);
	if (debugdata_open(&s->little, s->file.elf) == 0 && offer_table(s, s->little.elf, SHT_SYMTAB))
		return ALL_SYMBOLS;
	return some ? SOME_SYMBOLS : NO_SYMBOLS;
}

/* Does the ELF header refer to sections that are missing?  Then the file was cut short. */
static bool lacks_sections(Elf *elf)
{
	GElf_Ehdr header;

	return gelf_getehdr(elf, &header) && header.e_shoff && !elf_nextscn(elf, NULL);
}

static enum why why_nameless(const struct sources *s, enum extent extent)
{
	if (extent == ALL_SYMBOLS)
		return WHY_NO_SYMBOL;
	return s->damaged || lacks_sections(s->file.elf) ? WHY_DAMAGED : WHY_NO_SYMBOLS;
}

static void elf_say_why(struct place *wanted, size_t count, enum why why)
{
	for (size_t i = 0; i < count; i++)
		wanted[i].why = (uint8_t)why;
}

static void close_sources(struct sources *s)
{
	debugdata_close(&s->little);
	elf_file_close(&s->debug);
	elf_file_close(&s->file);
	arena_free(&s->made);
}

int elf_resolve(const struct module *module, struct place *wanted, size_t count, struct arena *names)
{
	struct sources s = { .module = module, .debug.fd = -1 };
	enum extent extent;
	enum why why;

	if (elf_file_open(&s.file, module, &why)) {
		elf_say_why(wanted, count, why);
		return -1;
	}
	chooser_init(&s.chooser, wanted, count);
	extent = offer_tables(&s);
	plt_offer(&s.chooser, &s.file, module_name(module), &s.made);
	program_start_offer(&s.chooser, &s.file);
	chooser_finish(&s.chooser, names); /* reads names that lie in the mapped files */
	elf_say_why(wanted, count, why_nameless(&s, extent));
	if (module->kind == MODULE_ELF)
		function_starts_find(&s.file, wanted, count);
	close_sources(&s);
	return extent == NO_SYMBOLS ? -1 : 0;
}
