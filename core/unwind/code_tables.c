#include "core/unwind/code_tables.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/sorted.h"
#include "core/symbols/elf/elf_file.h"
#include "core/unwind/cfi_check.h"

enum { EH_FRAME_MAX = 1 << 20 }; /* bytes of the table of one function */

void code_tables_add(struct code_tables *t, const struct code_table *table)
{
	uint8_t *copy;

	if (!table->len || table->len > EH_FRAME_MAX || table->address + table->size < table->address)
		return;
	copy = arena_alloc(&t->bytes, table->len);
	memcpy(copy, table->eh_frame, table->len);
	t->items = xgrow(t->items, &t->cap, t->count + 1, sizeof(*t->items));
	t->items[t->count] = *table;
	t->items[t->count].eh_frame = copy;
	t->items[t->count].order = t->count;
	t->count++;
	t->sorted = false;
}

static int code_tables_by_place(const void *a, const void *b)
{
	const struct code_table *x = a, *y = b;

	return ORDER(x->module, y->module) ?: ORDER(x->address, y->address) ?: ORDER(x->order, y->order);
}

static const struct code_table *code_tables_find(struct code_tables *t, uint32_t module, uint64_t address)
{
	struct code_table wanted = { .module = module, .address = address, .order = SIZE_MAX };
	const struct code_table *last;
	size_t low;

	if (!t->sorted && t->count)
		qsort(t->items, t->count, sizeof(*t->items), code_tables_by_place);
	t->sorted = true;
	low = FIRST_NOT(i, t->count, code_tables_by_place(&t->items[i], &wanted) <= 0);
	if (!low)
		return NULL;
	last = &t->items[low - 1];
	return last->module == module && address - last->address < last->size ? last : NULL;
}

/* The input that libdw needs: an ELF file with one section. */
struct image {
	Elf64_Ehdr header;
	Elf64_Shdr sections[3];
	char names[sizeof("\0.eh_frame\0.shstrtab")];
	uint8_t eh_frame[]; /* at a multiple of 8 */
};

static struct image *make_image(const struct code_table *table, enum unwind_machine machine, size_t *size)
{
	static const char names[] = "\0.eh_frame\0.shstrtab";
	size_t before = (sizeof(struct image) + 7) & ~(size_t)7;
	struct image *image;

	/* Four zero bytes end the section; some compilers omit these bytes. */
	*size = before + table->len + 4;
	image = xcalloc(1, *size);
	image->header = (Elf64_Ehdr){
		.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_DYN,
		.e_machine = machine == UNWIND_X86_64 ? EM_X86_64 : EM_AARCH64,
		.e_version = EV_CURRENT,
		.e_shoff = offsetof(struct image, sections),
		.e_ehsize = sizeof(Elf64_Ehdr),
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = 3,
		.e_shstrndx = 2,
	};
	image->sections[1] = (Elf64_Shdr){ .sh_name = 1,
					   .sh_type = SHT_PROGBITS,
					   .sh_flags = SHF_ALLOC,
					   .sh_addr = table->eh_frame_address,
					   .sh_offset = before,
					   .sh_size = table->len + 4,
					   .sh_addralign = 8 };
	image->sections[2] = (Elf64_Shdr){ .sh_name = 11,
					   .sh_type = SHT_STRTAB,
					   .sh_offset = offsetof(struct image, names),
					   .sh_size = sizeof(names),
					   .sh_addralign = 1 };
	memcpy(image->names, names, sizeof(names));
	memcpy((uint8_t *)image + before, table->eh_frame, table->len);
	return image;
}

/* The table of a function is small and rarely needed: we open it for each address, and keep nothing open. */
uint32_t code_tables_rule(struct code_tables *t, uint32_t module, uint64_t address, struct rules *rules,
			  enum unwind_machine machine)
{
	const struct code_table *table = code_tables_find(t, module, address);
	uint32_t rule = RULE_NO_CFI;
	struct image *image;
	Dwarf_Frame *frame;
	struct elf_file file;
	Dwarf_CFI *cfi = NULL;
	size_t size;

	if (!table)
		return RULE_NO_CFI;
	image = make_image(table, machine, &size);
	if (elf_file_open_memory(&file, image, size) == 0 &&
	    cfi_is_modest(elf_file_section(file.elf, ".eh_frame", NULL), image->header.e_ident, true))
		cfi = dwarf_getcfi_elf(file.elf);
	if (cfi && !dwarf_cfi_addrframe(cfi, address, &frame)) {
		rule = unwind_rules_add(rules, frame, machine);
		free(frame);
	}
	if (cfi)
		dwarf_cfi_end(cfi);
	elf_file_close(&file);
	free(image);
	return rule;
}

void code_tables_free(struct code_tables *t)
{
	if (!t)
		return;
	free(t->items);
	arena_free(&t->bytes);
	*t = (struct code_tables){ 0 };
}
