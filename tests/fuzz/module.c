/* Any bytes as the file of a module: names, addresses of names, lines of source and inlined functions of its addresses,
 * and walks of stacks by its tables. */
#include <elf.h>
#include <linux/perf_event.h>
#include <string.h>

#include "core/error.h"
#include "core/symbols/elf/debug_info.h"
#include "core/symbols/elf/elf.h"
#include "core/symbols/elf/elf_file.h"
#include "core/symbols/elf/symbol_search.h"
#include "core/unwind/unwinder.h"
#include "tests/fuzz/input.h"

enum { PLACES = 64, WORDS = 64, REGISTERS = 33, MAPPED = 0x7000000, STACK = 0x7ffc0000 };

static void touch(const char *text)
{
	must(!text || strlen(text) < SIZE_MAX);
}

static void check(const struct place *p)
{
	touch(p->name);
	touch(p->file);
	must(p->name || p->why);
	for (uint16_t i = 0; i < p->inlined_count; i++) {
		must(p->inlined[i].name);
		touch(p->inlined[i].name);
		touch(p->inlined[i].file);
	}
}

/* The offset of the i-th place; places are spread evenly over the file. */
static uint64_t offset_of(size_t i, size_t size)
{
	return (size + 1) * i / PLACES;
}

/* Look for names at the addresses that they are said to have: for any tables, the answer must be the name of a symbol
 * there. */
static void search(const struct module *module, const struct place *places)
{
	struct symbol_wanted wanted[PLACES] = { 0 };
	struct elf_file file;
	enum why why;
	size_t count = 0;

	for (size_t i = 0; i < PLACES; i++) {
		const struct place *p = &places[i];

		if (p->name)
			wanted[count++] = (struct symbol_wanted){ .name = p->name,
								  .len = strlen(p->name),
								  .seen = p->address,
								  .offset = p->address - p->start };
	}
	if (elf_file_open(&file, module, &why))
		return;
	symbol_search(&file, module, wanted, count);
	for (size_t i = 0; i < count; i++)
		must(wanted[i].found != SYMBOL_FOUND ||
		     !((wanted[i].start ^ (wanted[i].seen - wanted[i].offset)) & 0xfff));
	elf_file_close(&file);
}

static void name_places(const struct module *module, size_t size)
{
	struct place wanted[PLACES] = { 0 };
	struct arena names = { 0 };

	for (size_t i = 0; i < PLACES; i++)
		wanted[i].address = offset_of(i, size);
	elf_resolve(module, wanted, PLACES, &names);
	debug_info_resolve(module, true, wanted, PLACES, &names);
	for (size_t i = 0; i < PLACES; i++)
		check(&wanted[i]);
	search(module, wanted);
	arena_free(&names);
}

static void walk(struct unwinder *u, struct space *space, uint64_t mask, uint64_t pc, const uint64_t *stack)
{
	static uint64_t chain[UNWIND_MAX];
	uint64_t registers[REGISTERS];
	struct unwind_sample s = {
		.abi = PERF_SAMPLE_REGS_ABI_64,
		.regs_mask = mask,
		.regs = (const uint8_t *)registers,
		.stack = (const uint8_t *)stack,
		.stack_len = WORDS * sizeof(*stack),
		.stack_wanted = WORDS * sizeof(*stack),
		.space = space,
		.time_ns = 2,
	};
	enum unwind_end end;
	uint32_t stopped;
	size_t n;

	for (size_t i = 0; i < REGISTERS; i++)
		registers[i] = STACK;
	registers[8] = registers[32] = pc; /* of x86-64, of aarch64 */
	n = unwind(u, &s, chain, &end, &stopped);
	must(n && n <= UNWIND_MAX && chain[0] == pc && end < UNWIND_ENDS);
}

static void walk_stacks(const struct modules *modules, uint32_t module, enum unwind_machine machine, size_t size)
{
	struct unwinder *u = unwinder_new(modules, machine);
	struct spaces spaces = { 0 };
	uint64_t stack[WORDS];
	struct space *space;

	spaces_map(&spaces, 1, 1, MAPPED, size + 1, 0, module);
	space = spaces_find(&spaces, 1, 2);
	for (size_t i = 0; i < WORDS; i++)
		stack[i] = i & 1 ? MAPPED + offset_of(i, size) : STACK + 8 * (i + 2);
	for (size_t i = 0; i < PLACES; i++)
		walk(u, space, machine == UNWIND_X86_64 ? 0xff01ff : 0x1ffffffff, MAPPED + offset_of(i, size), stack);
	unwinder_free(u);
	spaces_free(&spaces);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct input in = { bytes, size };
	struct modules modules = { 0 };
	int fd = input_file(&in);
	uint32_t number;
	bool arm = size > offsetof(Elf64_Ehdr, e_machine) && bytes[offsetof(Elf64_Ehdr, e_machine)] == EM_AARCH64;

	quiet = 1;
	unsetenv("DEBUGINFOD_URLS");
	modules_init(&modules);
	number = modules_add(&modules, MODULE_ELF, "/nowhere/module", "-", 0);
	modules.items[number].kept_fd = fd;
	name_places(&modules.items[number], size);
	walk_stacks(&modules, number, arm ? UNWIND_AARCH64 : UNWIND_X86_64, size);
	modules_free(&modules);
	close(fd);
	return 0;
}
