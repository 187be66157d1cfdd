#include "core/unwind/unwinder.h"

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include "core/memory.h"
#include "core/sorted.h"
#include "core/symbols/elf/frame_index.h"
#include "core/symbols/elf/plt.h"
#include "core/unwind/walk.h"

/* ---- which function a walked stack is binding ---- */

/* A stub of the PLT jumps to the dynamic linker when its function
 * is called first, and leaves on the stack what is to be bound (glibc, sysdeps/x86_64/dl-trampoline.h and
 * sysdeps/aarch64/dl-trampoline.S):
 *
 *     x86-64                                            aarch64
 *     CFA - 8   return address into the caller          CFA + 8   return address into the caller
 *     CFA - 16  number of the relocation in .rela.plt   CFA       address of the slot in the GOT
 *     CFA - 24  struct link_map of the stub's file
 *
 * where CFA is that of _dl_runtime_resolve*, which are local symbols, and mostly stripped.  On x86-64 we know them by
 * their tables: no other function begins with a CFA 24 above the stack pointer; on aarch64, by a return address above
 * the CFA.  The file is the caller's, if that calls a stub for the slot; or, after a tail call, the one of the
 * link_map, if that can be read; if not, it follows from the code of the function that the caller called, which has the
 * jump to the stub. */

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

/* May a function with this rule be the dynamic linker's binding function?  Most are not. */
static bool binding_is_possible(const struct walk *w, const struct rule *rule)
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

/* X86-64: two words more than the return address are on the stack when the function begins. */
static bool begins_below_two_words(struct walk *w, const struct mapping *m, uint64_t address)
{
	struct unwinder *u = w->u;
	const struct elf_file *file = tables_file(&u->tables, u->modules, m->module);
	uint64_t in_module = address - m->start + m->offset, at, start, next;
	const struct rule *rule;
	uint32_t number;

	if (!file || !elf_to_address(&file->segments, in_module, &at) || !frame_index_find(file, at, &start, &next) ||
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
	uint64_t slot, jump, start, its, next;

	found->m = m;
	return file && plt_slot_of_relocation(file, left->number, &slot) &&
	       plt_stub_of_slot(file, slot, &found->stub) &&
	       plt_find_jump(file, function, CODE_MAX, found->stub, &jump) &&
	       frame_index_find(file, function, &start, &next) && frame_index_find(file, jump, &its, &next) &&
	       start == its;
}

/* A function with this name, in whatever file. */
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

/* The process has ended.  The caller called, itself or through a stub, a function whose code has the jump. */
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

/* Aarch64: the slot is in the file of the caller. */
static bool find_by_slot(struct walk *w, const struct left *left, struct found *found)
{
	const struct elf_file *file;
	uint64_t at;

	found->m = walk_mapping(w, w->pc - 1);
	file = binding_file_of(w, found->m);
	return file && elf_to_address(&file->segments, found->m->offset, &at) &&
	       plt_stub_of_slot(file, left->slot - found->m->start + at, &found->stub);
}

/* The walk went from the function at address, in mapping m, to its caller.  If that function binds, *entry is the stub of
 * the function that is being bound, for the chain (core/symbols/elf/plt.h, PLT_BINDS). */
static bool binding_find(struct walk *w, const struct mapping *m, uint64_t address, uint64_t *entry)
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

/* ---- the unwinder ---- */

struct unwinder *unwinder_new(const struct modules *modules, enum unwind_machine machine)
{
	struct unwinder *u = xcalloc(1, sizeof(*u));

	u->modules = modules;
	u->machine = machine;
	return u;
}

void unwinder_read_memory(struct unwinder *u)
{
	u->reads_memory = true;
}

void unwinder_set_runtime(struct unwinder *u, const struct unwind_runtime *runtime)
{
	u->runtime = *runtime;
}

void unwinder_free(struct unwinder *u)
{
	if (!u)
		return;
	unwind_rules_free(&u->rules);
	unwind_rules_free(&u->returns);
	tables_free(&u->tables);
	code_tables_free(&u->code_tables);
	free(u);
}

/* ---- the registers of a sample ---------------------------------------------------- */

/* linux/arch/.../include/uapi/asm/perf_regs.h: on x86-64 all registers but DS, ES, FS, GS, which the kernel
 * refuses; on aarch64 x0 to x30, SP, PC. */
uint64_t unwind_sample_registers(void)
{
#if defined(__x86_64__)
	return 0xff0fff;
#elif defined(__aarch64__)
	return 0x1ffffffff;
#else
	return 0;
#endif
}

/* DWARF's numbers, by the kernel's (asm/perf_regs.h). */
static const uint8_t x86_numbers[24] = {
	0,    3,    2,    1,    4, 5, X86_RBP, X86_RSP, X86_RIP, 0xff, 0xff, 0xff,
	0xff, 0xff, 0xff, 0xff, 8, 9, 10,      11,      12,      13,   14,   15,
};

static unsigned dwarf_number(enum unwind_machine machine, unsigned bit)
{
	if (machine == UNWIND_X86_64)
		return bit < sizeof(x86_numbers) ? x86_numbers[bit] : 0xff;
	return bit;
}

static void read_registers(const struct unwind_sample *s, enum unwind_machine machine, struct registers *to)
{
	const uint8_t *from = s->regs;

	to->known = 0;
	for (uint64_t mask = s->regs_mask; mask; mask &= mask - 1) {
		unsigned number = dwarf_number(machine, (unsigned)__builtin_ctzll(mask));
		uint64_t value;

		memcpy(&value, from, 8);
		from += 8;
		if (number < REGISTERS_MAX)
			register_set(to, number, value);
	}
}

/* ---- the walk --------------------------------------------------------------------- */

/* If the callee never returns, the return address may be after the end of the function: look up the call, which is
 * before it. */
static uint64_t lookup_address(const struct walk *w)
{
	return w->is_exact ? w->pc : w->pc - 1;
}

/* The number of the rule for the pc. */
static uint32_t find_rule(struct walk *w, uint64_t address_in_module)
{
	struct unwinder *u = w->u;
	uint32_t number = unwind_rules_find(&u->rules, w->module, address_in_module);

	if (!number) {
		if (u->modules->items[w->module].kind == MODULE_JIT)
			number = code_tables_rule(&u->code_tables, w->module, address_in_module, &u->rules, u->machine);
		else
			number = tables_rule(&u->tables, u->modules, w->module, address_in_module, &u->rules,
					     u->machine);
		unwind_rules_remember(&u->rules, w->module, address_in_module, number);
	}
	return number;
}

/* The first function of a coroutine returns to code that did not call it (makecontext(3)): to the first byte of a
 * function.  The bytes before that are unrelated. */
static bool is_never_called(struct walk *w, uint32_t number, const struct mapping *m)
{
	if (w->is_exact || number == RULE_NO_FILE || number == RULE_ENTRY || number >= RULE_FIRST ||
	    w->u->modules->items[m->module].kind != MODULE_ELF || w->pc >= m->end)
		return false;
	return find_rule(w, w->pc - m->start + m->offset) >= RULE_FIRST && !walk_is_behind_call(w, w->pc);
}

static const struct rule no_rule;

static bool unwinder_step(struct walk *w, uint32_t number, const struct rule *rule)
{
	if (number < RULE_FIRST)
		return step_by_guess(w, number);
	if (rule->returns == RETURN_UNDEFINED)
		return walk_stop(w, UNWIND_COMPLETE);
	return step_by_rule(w, rule);
}

static bool unwinder_begin(struct walk *w, const struct unwind_sample *s)
{
	uint64_t sp;

	w->end = UNWIND_NO_REGISTERS;
	if (s->abi != PERF_SAMPLE_REGS_ABI_64 || !s->regs)
		return false;
	read_registers(s, w->u->machine, &w->now);
	if (!register_get(&w->now, walk_program_counter(w), &w->pc) ||
	    !register_get(&w->now, walk_stack_pointer(w), &sp))
		return false;
	w->now.known &= ~((uint64_t)1 << walk_program_counter(w));
	w->stack = (struct stack_copy){ .bytes = s->stack, .start = sp, .len = s->stack ? s->stack_len : 0 };
	w->stack_is_cut = s->stack_len >= s->stack_wanted;
	w->floor = sp;
	w->is_exact = true;
	return true;
}

static unsigned frame_pointer(const struct walk *w)
{
	return w->u->machine == UNWIND_X86_64 ? X86_RBP : ARM_X29;
}

static bool go_to_caller(struct walk *w, const struct unwind_made *f)
{
	w->now.known = 0;
	if (f->caller_has_fp)
		register_set(&w->now, frame_pointer(w), f->caller_fp);
	return walk_go_on(w, f->caller_sp, f->caller_pc, f->caller_is_exact);
}

/* Ask the runtime for the frame.  Returns false if the runtime does not know the frame; else sets *going. */
static bool ask_runtime(struct walk *w, uint64_t *chain, size_t *n, bool *going)
{
	const struct unwind_runtime *runtime = &w->u->runtime;
	struct unwind_made f = { .space = w->space,
				 .time_ns = w->time_ns,
				 .pc = w->pc,
				 .is_exact = w->is_exact,
				 .registers = &w->now,
				 .stack = &w->stack,
				 .entries = chain + *n,
				 .room = UNWIND_MAX - *n - 2 };
	enum unwind_answer answer;

	if (!runtime->step || !register_get(&w->now, walk_stack_pointer(w), &f.sp))
		return false;
	f.has_fp = register_get(&w->now, frame_pointer(w), &f.fp);
	w->stack.missed = 0;
	answer = runtime->step(runtime->self, &f);
	if (answer == UNWIND_NOT_MINE)
		return false;
	*n += f.count;
	w->leaves_out |= f.leaves_out;
	if (answer == UNWIND_TO_CALLER)
		*going = go_to_caller(w, &f);
	else if (answer == UNWIND_LOST && w->stack.missed)
		*going = walk_stop_unread(w);
	else
		*going = walk_stop(w, answer == UNWIND_FIRST ? UNWIND_COMPLETE : UNWIND_NO_CFI);
	return true;
}

/* Add the frame at w->pc to chain[0..2], and go to the frame's caller.  Returns false if it was the last frame. */
static bool unwinder_visit(struct walk *w, uint64_t *chain, size_t *n)
{
	uint64_t address = lookup_address(w);
	const struct mapping *m = walk_mapping(w, address);
	const struct rule *rule = &no_rule;
	bool never_called, may_bind, going;
	uint32_t number;

	w->module = UINT32_MAX;
	if (!m) {
		if (!*n)
			chain[(*n)++] = w->pc;
		return walk_stop(w, UNWIND_UNMAPPED);
	}
	w->module = m->module;
	if (w->u->modules->items[m->module].kind == MODULE_JIT && ask_runtime(w, chain, n, &going))
		return going;
	number = find_rule(w, address - m->start + m->offset);
	if (number >= RULE_FIRST)
		rule = &w->u->rules.items[number - RULE_FIRST];
	may_bind = binding_is_possible(w, rule);
	never_called = is_never_called(w, number, m);
	/* The address is the first byte of the code that a signal handler returns to: the byte before it does not
	 * belong to it. */
	if (*n && (w->is_exact || rule->is_signal || never_called))
		chain[(*n)++] = PERF_CONTEXT_USER;
	chain[(*n)++] = w->pc;
	if (never_called)
		return walk_stop(w, UNWIND_COMPLETE);
	going = unwinder_step(w, number, rule);
	if (going && may_bind && binding_find(w, m, address, &chain[*n]))
		++*n;
	return going;
}

size_t unwind(struct unwinder *u, const struct unwind_sample *s, uint64_t chain[UNWIND_MAX], enum unwind_end *end,
	      uint32_t *stopped)
{
	struct walk w = { .u = u, .space = s->space, .time_ns = s->time_ns, .module = UINT32_MAX };
	bool going = unwinder_begin(&w, s);
	size_t n = 0;

	while (going) {
		going = unwinder_visit(&w, chain, &n);
		if (going && n + 3 > UNWIND_MAX)
			going = walk_stop(&w, UNWIND_TOO_DEEP);
	}
	*end = w.end == UNWIND_COMPLETE && w.leaves_out ? UNWIND_OTHER_STACK : w.end;
	*stopped = *end == UNWIND_COMPLETE ? UINT32_MAX : w.module;
	return n;
}

void unwinder_add_jit(struct unwinder *u, uint32_t module, uint64_t address, uint64_t size, const uint8_t *eh_frame,
		      size_t len, uint64_t eh_frame_address)
{
	code_tables_add(&u->code_tables, &(struct code_table){ .module = module,
							       .address = address,
							       .size = size,
							       .eh_frame = eh_frame,
							       .len = len,
							       .eh_frame_address = eh_frame_address });
}
