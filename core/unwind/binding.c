#include "core/unwind/binding.h"

#include <string.h>
#include <sys/uio.h>

#include "core/sorted.h"
#include "core/symbols/elf/plt.h"
#include "core/symbols/elf/plt_stub.h"

/* What the stub left on the stack. */
struct left {
	uint64_t number, link_map; /* x86-64 */
	uint64_t slot;             /* aarch64: its address in memory */
};

/* A stub, and the mapping that it is in. */
struct found {
	const struct mapping *m;
	uint64_t stub; /* as in the file's tables */
};

bool binding_is_possible(const struct walk *w, const struct rule *rule)
{
	if (rule->kind != RULE_PLAIN || rule->returns != RETURN_SAVED || rule->is_signal || !rule->cfa_register)
		return false;
	if (w->u->machine == UNWIND_AARCH64)
		return rule->return_offset == 8;
	for (uint32_t i = 0; i < rule->saved_count; i++) {
		if (rule->saved_at[i] == -16 || rule->saved_at[i] == -24)
			return false;
	}
	return rule->return_offset == -8;
}

/* --- is it a function that binds? --- */

/* The header of .eh_frame_hdr as all linkers write it, and its table, ascending (LSB 5.0, 10.6.2). */
struct frame_index {
	uint8_t version, pointer_encoding, count_encoding, table_encoding;
	int32_t eh_frame;
	uint32_t count;
	struct frame_index_row {
		int32_t function, entry; /* relative to the section */
	} rows[];
};

enum { UDATA4 = 0x03, DATAREL_SDATA4 = 0x3b };

/* The start of the function with tables that begins at or before an address. */
static bool find_start(const struct elf_file *file, uint64_t address, uint64_t *start)
{
	GElf_Shdr header;
	Elf_Data *data = elf_file_section(file->elf, ".eh_frame_hdr", &header);
	const struct frame_index *index = data ? data->d_buf : NULL;
	int64_t at = (int64_t)(address - header.sh_addr);
	size_t low;

	if (!index || data->d_size < sizeof(*index) || (uintptr_t)index % _Alignof(struct frame_index) ||
	    index->version != 1 || index->count_encoding != UDATA4 || index->table_encoding != DATAREL_SDATA4 ||
	    index->count > (data->d_size - sizeof(*index)) / sizeof(*index->rows))
		return false;
	low = FIRST_NOT(i, index->count, index->rows[i].function <= at);
	if (!low)
		return false;
	*start = header.sh_addr + (uint64_t)(int64_t)index->rows[low - 1].function;
	return true;
}

/* x86-64: two words more than the return address are on the stack when the function begins. */
static bool begins_below_two_words(struct walk *w, const struct mapping *m, uint64_t address)
{
	struct unwinder *u = w->u;
	const struct elf_file *file = tables_file(&u->tables, u->modules, m->module);
	uint64_t in_module = address - m->start + m->offset, at, start;
	const struct rule *rule;
	uint32_t number;

	if (!file || !elf_to_address(&file->segments, in_module, &at) || !find_start(file, at, &start) ||
	    !elf_to_offset(&file->segments, start, &in_module))
		return false;
	number = tables_rule(&u->tables, u->modules, m->module, in_module, &u->rules, u->machine);
	if (number < RULE_FIRST)
		return false;
	rule = &u->rules.items[number - RULE_FIRST];
	return rule->kind == RULE_PLAIN && rule->cfa_register == X86_RSP && rule->cfa_offset == 24;
}

static bool read_left(struct walk *w, struct left *left)
{
	enum { NUMBERS = 1 << 20, LOWEST = 1 << 16 };

	if (w->u->machine == UNWIND_AARCH64)
		return stack_read(&w->stack, w->floor, &left->slot) && left->slot % 8 == 0;
	return stack_read(&w->stack, w->floor - 16, &left->number) &&
	       stack_read(&w->stack, w->floor - 24, &left->link_map) && left->number < NUMBERS &&
	       left->link_map % 8 == 0 && left->link_map >= LOWEST;
}

/* --- which file, which stub? --- */

static const struct elf_file *binding_file_of(struct walk *w, const struct mapping *m)
{
	return m ? tables_file(&w->u->tables, w->u->modules, m->module) : NULL;
}

/* The caller called a stub for this slot. */
static bool find_called(struct walk *w, const struct left *left, struct found *found)
{
	const struct elf_file *file;
	uint64_t target, slot, wanted;

	if (!walk_call_target(w, w->pc, &target))
		return false;
	found->m = walk_mapping(w, target);
	file = binding_file_of(w, found->m);
	return file && elf_to_address(&file->segments, target - found->m->start + found->m->offset, &found->stub) &&
	       plt_slot_of_stub(file, found->stub, &slot) && plt_slot_of_relocation(file, left->number, &wanted) &&
	       slot == wanted;
}

/* The mapping of a file of code that ends last below address. */
static const struct mapping *mapping_below(const struct walk *w, uint64_t address)
{
	const struct mapping *best = NULL;

	for (const struct space *s = w->space; s; s = s->parent) {
		for (size_t i = 0; i < s->mappings.count; i++) {
			const struct mapping *m = &s->mappings.items[i];

			if (m->end <= address && (!best || m->end > best->end) &&
			    w->u->modules->items[m->module].kind == MODULE_ELF)
				best = m;
		}
	}
	return best;
}

static bool find_dynamic(const struct elf_file *file, uint64_t *address)
{
	GElf_Phdr segment;
	size_t count;

	if (elf_getphdrnum(file->elf, &count))
		return false;
	for (size_t i = 0; i < count && gelf_getphdr(file->elf, (int)i, &segment); i++) {
		*address = segment.p_vaddr;
		if (segment.p_type == PT_DYNAMIC)
			return true;
	}
	return false;
}

/* The process's struct link_map (link.h) says where the file's dynamic section is, which follows its code. */
static bool find_by_link_map(struct walk *w, const struct left *left, struct found *found)
{
	struct {
		uint64_t moved, name, dynamic;
	} map;
	struct iovec to = { &map, sizeof(map) }, from = { (void *)(uintptr_t)left->link_map, sizeof(map) };
	const struct elf_file *file;
	uint64_t at, slot;

	if (!w->u->reads_memory || !w->space ||
	    process_vm_readv(w->space->pid, &to, 1, &from, 1, 0) != (ssize_t)sizeof(map))
		return false;
	found->m = mapping_below(w, map.dynamic);
	file = binding_file_of(w, found->m);
	return file && find_dynamic(file, &at) && at + map.moved == map.dynamic &&
	       plt_slot_of_relocation(file, left->number, &slot) && plt_stub_of_slot(file, slot, &found->stub);
}

/* Does a function in this mapping jump to the stub? */
static bool jumps(struct walk *w, const struct mapping *m, uint64_t function, const struct left *left,
		  struct found *found)
{
	enum { CODE_MAX = 16384 };
	const struct elf_file *file = binding_file_of(w, m);
	uint64_t slot, jump, start, its;

	found->m = m;
	return file && plt_slot_of_relocation(file, left->number, &slot) &&
	       plt_stub_of_slot(file, slot, &found->stub) &&
	       plt_find_jump(file, function, CODE_MAX, found->stub, &jump) && find_start(file, function, &start) &&
	       find_start(file, jump, &its) && start == its;
}

/* A function of this name, in whatever file. */
static bool find_named(struct walk *w, const char *name, const struct left *left, struct found *found)
{
	for (const struct space *s = w->space; s; s = s->parent) {
		for (size_t i = 0; i < s->mappings.count; i++) {
			const struct mapping *m = &s->mappings.items[i];
			const struct elf_file *file =
				w->u->modules->items[m->module].kind == MODULE_ELF ? binding_file_of(w, m) : NULL;
			uint64_t function;

			if (file && plt_find_function(file, name, &function) && jumps(w, m, function, left, found))
				return true;
		}
	}
	return false;
}

/* The process has ended.  What the caller called, itself or through a stub, is a function whose code has the jump. */
static bool find_by_code(struct walk *w, const struct left *left, struct found *found)
{
	const struct mapping *m;
	const struct elf_file *file;
	uint64_t target, at;
	const char *name;

	if (!walk_call_target(w, w->pc, &target))
		return false;
	m = walk_mapping(w, target);
	file = binding_file_of(w, m);
	if (!file || !elf_to_address(&file->segments, target - m->start + m->offset, &at))
		return false;
	name = plt_function_of_stub(file, at);
	return name ? find_named(w, name, left, found) : jumps(w, m, at, left, found);
}

/* aarch64: the slot is in the file of the caller. */
static bool find_by_slot(struct walk *w, const struct left *left, struct found *found)
{
	const struct elf_file *file;
	uint64_t at;

	found->m = walk_mapping(w, w->pc - 1);
	file = binding_file_of(w, found->m);
	return file && elf_to_address(&file->segments, found->m->offset, &at) &&
	       plt_stub_of_slot(file, left->slot - found->m->start + at, &found->stub);
}

bool binding_find(struct walk *w, const struct mapping *m, uint64_t address, uint64_t *entry)
{
	struct found found;
	struct left left;
	uint64_t offset;

	if (!read_left(w, &left))
		return false;
	if (w->u->machine == UNWIND_AARCH64
		    ? !find_by_slot(w, &left, &found)
		    : !begins_below_two_words(w, m, address) ||
			      (!find_called(w, &left, &found) && !find_by_link_map(w, &left, &found) &&
			       !find_by_code(w, &left, &found)))
		return false;
	if (!elf_to_offset(&binding_file_of(w, found.m)->segments, found.stub, &offset) || offset < found.m->offset)
		return false;
	*entry = found.m->start + (offset - found.m->offset) + PLT_BINDS;
	return *entry < found.m->end;
}
