/* unwind_own: this process's own stacks, as perf would take them, and the result of libdw's walker for them; used by
 * the test and the benchmark of core/unwind. */
#ifndef TESTS_UNIT_UNWIND_OWN_H
#define TESTS_UNIT_UNWIND_OWN_H

#include <elfutils/libdwfl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <ucontext.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/unwind/unwinder.h"

/* ---- what is mapped ---------------------------------------------------------------- */

struct own {
	struct modules modules;
	struct spaces spaces;
	struct unwinder *unwinder;
};

/* 55d0c0-55d0d0 r-xp 00001000 08:01 1234   /usr/bin/cat */
static inline void own_read_maps(struct own *own)
{
	FILE *in = fopen("/proc/self/maps", "r");
	char line[5000];

	while (in && fgets(line, sizeof(line), in)) {
		unsigned long start, end, offset, inode;
		unsigned major, minor;
		char flags[5], path[4096] = "";
		uint32_t module;

		if (sscanf(line, "%lx-%lx %4s %lx %x:%x %lu %4095[^\n]", &start, &end, flags, &offset, &major, &minor,
			   &inode, path) < 7 ||
		    flags[2] != 'x')
			continue;
		module = modules_add_mapping(&own->modules, path, NULL, 0, major, minor, inode, flags[3] == 'p',
					     getpid());
		spaces_map(&own->spaces, getpid(), 1, start, end - start, offset, module);
	}
	if (in)
		fclose(in);
}

static inline void own_init(struct own *own)
{
	*own = (struct own){ .unwinder = NULL };
	modules_init(&own->modules);
	own_read_maps(own);
	own->unwinder = unwinder_new(&own->modules, UNWIND_X86_64);
}

static inline void own_free(struct own *own)
{
	unwinder_free(own->unwinder);
	spaces_free(&own->spaces);
	modules_free(&own->modules);
}

/* ---- a stack of this process ------------------------------------------------------- */

enum { OWN_REGISTERS = 24, OWN_MASK = 0xff01ff }; /* as perf record --call-graph dwarf */

struct own_stack {
	uint64_t regs[OWN_REGISTERS]; /* those of the mask */
	uint64_t all[17];             /* by DWARF's numbers */
	uint8_t *bytes;
	size_t len;
	uint64_t start;
};

static inline void own_set_registers(struct own_stack *s, const ucontext_t *context)
{
	static const int dwarf[17] = { REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8,
				       REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP };
	static const int perf[17] = { REG_RAX, REG_RBX, REG_RCX, REG_RDX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_RIP,
				      REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15 };

	for (int i = 0; i < 17; i++) {
		s->all[i] = (uint64_t)context->uc_mcontext.gregs[dwarf[i]];
		s->regs[i] = (uint64_t)context->uc_mcontext.gregs[perf[i]];
	}
}

/* The frame that calls this must not return meanwhile: it is copied, with everything above it. */
__attribute__((noinline, no_sanitize("address"))) static void own_copy_stack(struct own_stack *s, const void *end)
{
	s->start = s->all[7];
	s->len = (size_t)((uint64_t)(uintptr_t)end - s->start) & ~(size_t)7;
	s->bytes = xmalloc(s->len);
	for (size_t i = 0; i < s->len / 8; i++) /* not by memcpy(): sanitizers watch that */
		((volatile uint64_t *)s->bytes)[i] = ((const volatile uint64_t *)(uintptr_t)s->start)[i];
}

/* The stack as it would be if code at pc had just been called, and had pushed count numbers. */
static inline struct own_stack own_call(const struct own_stack *from, uint64_t pc, const uint64_t *pushed, size_t count)
{
	struct own_stack s = *from;

	s.len += 8 * (count + 1);
	s.start -= 8 * (count + 1);
	s.bytes = xmalloc(s.len);
	for (size_t i = 0; i < count; i++)
		memcpy(s.bytes + 8 * i, &pushed[i], 8);
	memcpy(s.bytes + 8 * count, &from->all[16], 8);
	memcpy(s.bytes + 8 * (count + 1), from->bytes, from->len);
	s.all[7] = s.regs[7] = s.start;
	s.all[16] = s.regs[8] = pc;
	return s;
}

static inline size_t own_unwind(struct own *own, const struct own_stack *s, size_t len, size_t wanted, uint64_t *chain,
				enum unwind_end *end, uint32_t *stopped)
{
	struct unwind_sample sample = {
		.abi = PERF_SAMPLE_REGS_ABI_64,
		.regs_mask = OWN_MASK,
		.regs = (const uint8_t *)s->regs,
		.stack = s->bytes,
		.stack_len = len,
		.stack_wanted = wanted,
		.space = spaces_find(&own->spaces, getpid(), 2),
		.time_ns = 2,
	};

	return unwind(own->unwinder, &sample, chain, end, stopped);
}

/* ---- the same by libdw's walker ---------------------------------------------------- */

struct own_reference {
	Dwfl *dwfl;
	const struct own_stack *stack;
	uint64_t *chain;
	size_t count;
};

static inline pid_t own_next_thread(Dwfl *dwfl, void *argument, void **thread)
{
	(void)dwfl;
	if (*thread)
		return 0;
	*thread = argument;
	return getpid();
}

static inline bool own_memory(Dwfl *dwfl, Dwarf_Addr address, Dwarf_Word *value, void *argument)
{
	const struct own_stack *s = ((struct own_reference *)argument)->stack;

	(void)dwfl;
	if (address < s->start || address - s->start > s->len - 8)
		return false;
	memcpy(value, s->bytes + (address - s->start), 8);
	return true;
}

static inline bool own_registers(Dwfl_Thread *thread, void *argument)
{
	const struct own_stack *s = ((struct own_reference *)argument)->stack;

	return dwfl_thread_state_registers(thread, 0, 17, s->all);
}

static inline int own_frame(Dwfl_Frame *state, void *argument)
{
	struct own_reference *r = argument;
	Dwarf_Addr pc;
	bool exact;

	if (!dwfl_frame_pc(state, &pc, &exact) || r->count + 2 > UNWIND_MAX)
		return DWARF_CB_ABORT;
	if (r->count && exact)
		r->chain[r->count++] = PERF_CONTEXT_USER;
	r->chain[r->count++] = pc;
	return DWARF_CB_OK;
}

static inline int own_no_debuginfo(Dwfl_Module *m, void **user, const char *name, Dwarf_Addr base, const char *file,
				   const char *link, GElf_Word crc, char **debug)
{
	(void)m, (void)user, (void)name, (void)base, (void)file, (void)link, (void)crc, (void)debug;
	return -1;
}

static inline bool own_reference_init(struct own_reference *r)
{
	static const Dwfl_Callbacks files = { .find_elf = dwfl_linux_proc_find_elf,
					      .find_debuginfo = own_no_debuginfo };
	static const Dwfl_Thread_Callbacks threads = { .next_thread = own_next_thread,
						       .memory_read = own_memory,
						       .set_initial_registers = own_registers };

	*r = (struct own_reference){ .dwfl = dwfl_begin(&files) };
	return r->dwfl && !dwfl_linux_proc_report(r->dwfl, getpid()) && !dwfl_report_end(r->dwfl, NULL, NULL) &&
	       dwfl_attach_state(r->dwfl, NULL, getpid(), &threads, r);
}

/* Returns how many entries there are; libdw's own result does not distinguish ends from errors. */
static inline size_t own_reference_walk(struct own_reference *r, const struct own_stack *s, uint64_t *chain)
{
	r->stack = s;
	r->chain = chain;
	r->count = 0;
	dwfl_getthread_frames(r->dwfl, getpid(), own_frame, r);
	return r->count;
}

#endif
