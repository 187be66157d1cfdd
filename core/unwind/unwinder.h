/* unwinder: callers of user code, from its registers and a copy of its stack, as
 * perf_event_open(2) takes them (PERF_SAMPLE_REGS_USER, PERF_SAMPLE_STACK_USER).
 *
 * How each function keeps its caller is said by the call frame information of its file
 * (.eh_frame, .debug_frame; DWARF 5, 6.4), which libdw reads.  What it says of one address
 * becomes a rule of a few numbers, once; most stacks are walked by rules that are there:
 *
 *     pc --space--> module, address --hash--> rule --registers, stack--> pc of the caller
 *
 * Code without such information is guessed at.  What a JIT compiled keeps frame pointers, and so
 * does what was compiled without any tables; they are followed as long as what they lead to makes
 * sense.  In a file that has tables, a function without one was written by hand, and has set up a
 * frame pointer or has not: where its code shows that it has not, its return address is the first
 * on the stack that stands behind a call of this very function.  Where nothing is known of a function, frame
 * pointers are followed if they lead to a chain of frames that stand behind calls.  Rather no caller than a wrong one.
 *
 * A walk is complete where the table says that nobody called (the return address is undefined: _start,
 * clone), at the program's entry point, where the return address is 0 or the first byte of a function
 * (which nobody called from there: makecontext(3)), and where code that is
 * guessed at has the frame pointer 0, as the ABI wants it of the first frame. */
#ifndef CORE_UNWIND_UNWINDER_H
#define CORE_UNWIND_UNWINDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/symbols/space/modules.h"
#include "core/symbols/space/spaces.h"
#include "core/unwind/registers.h"

/* Frames, marks included; what is deeper is cut. */
enum { UNWIND_MAX = 4096 };

/* Of which processor the registers are (elf.h). */
enum unwind_machine { UNWIND_X86_64, UNWIND_AARCH64 };

/* Why a walk ended where it did. */
enum unwind_end {
	UNWIND_COMPLETE,     /* at the thread's first function */
	UNWIND_TRUNCATED,    /* the copy of the stack was too short */
	UNWIND_TOO_DEEP,     /* UNWIND_MAX */
	UNWIND_NO_CFI,       /* at code that does not say how to go on, nor keeps frame pointers */
	UNWIND_NO_FILE,      /* at code whose file is gone, or another build */
	UNWIND_UNMAPPED,     /* the next address is one where nothing is mapped: not in the chain, but as leaf */
	UNWIND_BROKEN,       /* what was read makes no sense: a loop, misaligned, out of range */
	UNWIND_NO_REGISTERS, /* none were taken, or nothing of the stack, or of a 32-bit program */
	UNWIND_OTHER_STACK,  /* at what a signal handler interrupted, that runs on a stack of its own; or the first
				function was reached, but a runtime has left out callers that it keeps elsewhere */
	UNWIND_ENDS,
};

/* One stack: what a sample has of it.  Everything stays the caller's. */
struct unwind_sample {
	uint64_t abi;         /* PERF_SAMPLE_REGS_ABI_64, or there is nothing to be done */
	uint64_t regs_mask;   /* attr.sample_regs_user */
	const uint8_t *regs;  /* 8 bytes for each bit of the mask, at any alignment */
	const uint8_t *stack; /* from the stack pointer on */
	size_t stack_len;     /* that are there: dyn_size */
	size_t stack_wanted;  /* that were asked for: fewer were there, and it is the whole stack, or all up to
			       * a page that was never touched (collect/sampling/stack_rest.h) */
	struct space *space;  /* of the process */
	uint64_t time_ns;     /* of the sample: what was mapped then */
};

/* A frame of code that no file backs, and of which only the runtime that made it knows more: the JVM's. */
struct unwind_made {
	struct space *space;      /* of the process */
	uint64_t time_ns;
	uint64_t pc;
	bool is_exact;            /* interrupted at pc; else pc is behind a call */
	uint64_t sp, fp;          /* stack pointer; frame pointer (x86-64: rbp), if has_fp */
	bool has_fp;
	const struct registers *registers; /* all that is known, by DWARF's numbers */
	struct stack_copy *stack; /* stack_read(); what is not in it and not read ends the walk as TRUNCATED */
	/* The answer. */
	uint64_t *entries;        /* [room], for the chain, leaf first, as unwind() gives them */
	size_t room, count;       /* set by the runtime */
	uint64_t caller_pc, caller_sp, caller_fp; /* caller_sp: behind the return address */
	bool caller_has_fp;
	bool caller_is_exact;     /* nothing was called at caller_pc */
	bool leaves_out;          /* callers between, which are elsewhere: a walk that gets to its end is OTHER_STACK */
};

enum unwind_answer {
	UNWIND_NOT_MINE,          /* count is 0: it is guessed at, as if there were no runtime */
	UNWIND_TO_CALLER,         /* the caller is known */
	UNWIND_FIRST,             /* nobody called */
	UNWIND_LOST,              /* the entries are right, but the caller is not known: END_NO_CFI */
};

struct unwind_runtime {
	enum unwind_answer (*step)(void *self, struct unwind_made *frame);
	void *self;
};

struct unwinder;

/* The registers to ask the kernel for (attr.sample_regs_user); 0: those of this machine are unknown. */
uint64_t unwind_sample_registers(void);

/* modules must outlive it; more may be added to them meanwhile. */
struct unwinder *unwinder_new(const struct modules *modules, enum unwind_machine machine);

/* The processes of the samples live still, and have not become others: what tables do not tell
 * of JIT-compiled code is looked for in their memory. */
void unwinder_read_memory(struct unwinder *u);

/* Ask it first of code that was made at run time.  step must outlive u. */
void unwinder_set_runtime(struct unwinder *u, const struct unwind_runtime *runtime);

/* Walk one stack.  chain gets up to UNWIND_MAX entries as in a call chain of the kernel's, leaf
 * first, without a mark at the beginning: return addresses, and before an address that is exact
 * (the leaf apart: where a signal came in, and what its handler returns to) PERF_CONTEXT_USER.
 * Returns how many; *end says why no more; *stopped, when that is not UNWIND_COMPLETE, the module at which it was, or UINT32_MAX. */
size_t unwind(struct unwinder *u, const struct unwind_sample *s, uint64_t chain[UNWIND_MAX],
	      enum unwind_end *end, uint32_t *stopped);

/* Unwind information of code that has no file: what a JIT says of [start, start + size) of a
 * space (jitdump, JIT_CODE_UNWINDING_INFO: .eh_frame_hdr and .eh_frame).  Copied. */
void unwinder_add_jit(struct unwinder *u, uint32_t module, uint64_t address, uint64_t size,
		      const uint8_t *eh_frame, size_t len, uint64_t eh_frame_address);

void unwinder_free(struct unwinder *u);

#endif
