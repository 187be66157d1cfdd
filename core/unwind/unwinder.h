/* unwinder: callers of user code, from its registers and a copy of its stack, as
 * perf_event_open(2) takes them (PERF_SAMPLE_REGS_USER, PERF_SAMPLE_STACK_USER).
 *
 * The call frame information of a file (.eh_frame, .debug_frame; DWARF 5, 6.4), read by libdw,
 * describes where each function keeps its caller.  For each address it becomes, once, a rule of
 * a few numbers; most stacks are walked by existing rules:
 *
 *     pc --space--> module, address --hash--> rule --registers, stack--> pc of the caller
 *
 * For code without such information we guess.  JIT-compiled code, and code compiled without any
 * tables, keeps frame pointers; they are followed as long as they lead to plausible frames.  In a
 * file with tables, a function without one was written by hand, and may or may not set up a frame
 * pointer: where its code shows that it does not, its return address is the first one on the stack
 * after a call of this function.  Where nothing is known about a function, frame pointers are
 * followed if they lead to a chain of frames with return addresses after calls.  Better no caller
 * than a wrong one.
 *
 * A walk is complete where the table says that there is no caller (the return address is undefined:
 * _start, clone), at the program's entry point, where the return address is 0 or the first byte of a
 * function (which cannot follow a call: makecontext(3)), and where guessed code has the frame pointer
 * 0, as the ABI requires for the first frame. */
#ifndef CORE_UNWIND_UNWINDER_H
#define CORE_UNWIND_UNWINDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/symbols/space/modules.h"
#include "core/symbols/space/spaces.h"
#include "core/unwind/registers.h"

/* Frames, marks included; deeper stacks are cut. */
enum { UNWIND_MAX = 4096 };

/* The processor of the registers (elf.h). */
enum unwind_machine { UNWIND_X86_64, UNWIND_AARCH64 };

/* Why a walk ended where it did. */
enum unwind_end {
	UNWIND_COMPLETE,     /* the walk reached the thread's first function */
	UNWIND_TRUNCATED,    /* the copy of the stack was too short */
	UNWIND_TOO_DEEP,     /* the stack has more than UNWIND_MAX frames */
	UNWIND_NO_CFI,       /* at code without unwind information or frame pointers */
	UNWIND_NO_FILE,      /* at code whose file is gone, or from another build */
	UNWIND_UNMAPPED,     /* nothing is mapped at the next address, which is in the chain only if it is the leaf */
	UNWIND_BROKEN,       /* inconsistent data: a loop, misaligned, out of range */
	UNWIND_NO_REGISTERS, /* no registers or no stack were taken, or a 32-bit program */
	UNWIND_OTHER_STACK,  /* at a signal handler with its own stack; or the first function was reached, but a
				runtime has left out callers that it keeps elsewhere */
	UNWIND_ENDS,
};

/* One stack, from a sample.  The caller owns everything. */
struct unwind_sample {
	uint64_t abi;         /* PERF_SAMPLE_REGS_ABI_64, or it cannot be walked */
	uint64_t regs_mask;   /* attr.sample_regs_user */
	const uint8_t *regs;  /* 8 bytes for each bit of the mask; may be unaligned */
	const uint8_t *stack; /* from the stack pointer on */
	size_t stack_len;     /* bytes copied: dyn_size */
	size_t stack_wanted;  /* bytes requested.  If this is more than stack_len, the copy has the whole stack, or
			       * ends before a page that was never touched (collect/sampling/stack_rest.h) */
	struct space *space;  /* of the process */
	uint64_t time_ns;     /* of the sample: selects the mappings */
};

/* A frame of code without a file, known only to the runtime that made the code: the JVM. */
struct unwind_made {
	struct space *space; /* of the process */
	uint64_t time_ns;
	uint64_t pc;
	bool is_exact;   /* interrupted at pc; else pc is after a call */
	uint64_t sp, fp; /* stack pointer; frame pointer (x86-64: rbp), if has_fp */
	bool has_fp;
	const struct registers *registers; /* the registers that are known, by DWARF's numbers */
	struct stack_copy *stack;          /* for stack_read(); a missing address ends the walk as TRUNCATED */
	/* The answer. */
	uint64_t *entries;                        /* [room], for the chain, leaf first, as unwind() gives them */
	size_t room, count;                       /* set by the runtime */
	uint64_t caller_pc, caller_sp, caller_fp; /* caller_sp: the stack pointer above the return address */
	bool caller_has_fp;
	bool caller_is_exact; /* caller_pc is not a return address */
	bool leaves_out;      /* callers between these are elsewhere: a walk that reaches its end is OTHER_STACK */
};

enum unwind_answer {
	UNWIND_NOT_MINE,  /* the code is not the runtime's; if count is 0, guess, as without a runtime */
	UNWIND_TO_CALLER, /* the caller was found */
	UNWIND_FIRST,     /* there is no caller */
	UNWIND_LOST,      /* the entries are right, but their caller was not found: END_NO_CFI */
};

struct unwind_runtime {
	enum unwind_answer (*step)(void *self, struct unwind_made *frame);
	void *self;
};

struct unwinder;

/* The registers to ask the kernel for (attr.sample_regs_user); 0: those of this machine are unknown. */
uint64_t unwind_sample_registers(void);

/* modules must outlive the result; modules may be added in the meantime. */
struct unwinder *unwinder_new(const struct modules *modules, enum unwind_machine machine);

/* Say that the processes of the samples still live, and are the same: JIT-compiled code that has no tables is then
 * read from their memory. */
void unwinder_read_memory(struct unwinder *u);

/* For code that was generated at run time, ask step first.  step must outlive u. */
void unwinder_set_runtime(struct unwinder *u, const struct unwind_runtime *runtime);

/* Walk one stack.  chain gets up to UNWIND_MAX entries as in a call chain of the kernel, leaf first, without a mark
 * at the beginning: return addresses, and PERF_CONTEXT_USER before each exact address other than the leaf (where a
 * signal came in, and the code that its handler returns to).  Between the dynamic linker's function that binds functions
 * late and its caller stands the stub of the function being bound (core/symbols/elf/plt.h, PLT_BINDS).  Returns the number of entries.  *end is the reason
 * for the end; *stopped is the module in which the walk ended; UINT32_MAX: in none, or *end is UNWIND_COMPLETE. */
size_t unwind(struct unwinder *u, const struct unwind_sample *s, uint64_t chain[UNWIND_MAX], enum unwind_end *end,
	      uint32_t *stopped);

/* Add unwind information of code without a file, from a JIT, for [start, start + size) of a
 * space (jitdump, JIT_CODE_UNWINDING_INFO: .eh_frame_hdr and .eh_frame).  Copied. */
void unwinder_add_jit(struct unwinder *u, uint32_t module, uint64_t address, uint64_t size, const uint8_t *eh_frame,
		      size_t len, uint64_t eh_frame_address);

void unwinder_free(struct unwinder *u);

#endif
