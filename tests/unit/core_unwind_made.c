/* Walks of stacks made here: aarch64, x86-64, code without tables. */
#include <sys/mman.h>

#include "tests/unit/unwind_made.h"

/* ---- aarch64 -------------------------------------------------------------------------- */

/* At 0: stp x29, x30, [sp, -32]!; from 4 on, the frame of 32 bytes exists.  At 0x100: a leaf without a frame.  At
 * 0x200: the first function.  At 0x300: code that signs its return address, and then does the same as at 0. */
static struct bytes arm_tables(void)
{
	static const uint8_t begin[] = { 0x0c, 31, 0 };                      /* CFA = sp + 0 */
	static const uint8_t frame[] = { 0x41, 0x0e, 32, 0x9d, 4, 0x9e, 3 }; /* x29, x30 at CFA - 32, - 24 */
	static const uint8_t first[] = { 0x07, 30 };                         /* x30 undefined */
	static const uint8_t sign[] = { 0x41, 0x2d, 0x41, 0x0e, 32, 0x9d, 4, 0x9e, 3 };
	struct bytes b = { 0 };

	put_cie(&b, "zR", 30, 4, begin, sizeof(begin));
	put_fde(&b, EH_FRAME_ADDRESS, ADDRESS, 0x40, frame, sizeof(frame));
	put_fde(&b, EH_FRAME_ADDRESS, ADDRESS + 0x100, 0x40, NULL, 0);
	put_fde(&b, EH_FRAME_ADDRESS, ADDRESS + 0x200, 0x40, first, sizeof(first));
	put_fde(&b, EH_FRAME_ADDRESS, ADDRESS + 0x300, 0x40, sign, sizeof(sign));
	put_number(&b, 0);
	return b;
}

enum { LR = 30, SP = 31, PC = 32, X29 = 29 };

static void try_arm(const char *path)
{
	struct bytes tables = arm_tables();
	struct file file = make_file(EM_AARCH64, tables.at, tables.len);
	const uint32_t signal_return[] = { 0xd2801168, 0xd4000001 };
	struct made m;

	memcpy(file.text + 0x800, signal_return, sizeof(signal_return));
	file.symbols[1] = (Elf64_Sym){ .st_name = 1, .st_info = STT_FUNC, .st_shndx = 3, .st_value = ADDRESS + 0x400 };
	file.symbols[2] = (Elf64_Sym){ .st_name = 1, .st_info = STT_FUNC, .st_shndx = 3, .st_value = ADDRESS + 0x900 };
	memcpy(file.text + 0x900, "\xfd\x7b\xbe\xa9\xfd\x03\x00\x91", 8); /* stp x29, x30, [sp, -32]!; mov x29, sp */
	made_init(&m, UNWIND_AARCH64, &file, path);
	m.regs[SP] = STACK;
	m.stack[0] = STACK + 0x80;
	m.stack[1] = MAPPED + 0x210;

	m.regs[PC] = MAPPED + 0x104; /* the leaf, called by the function with the frame, called by the first one */
	m.regs[LR] = MAPPED + 0x20;
	CHECK(gives(&m, WORDS, (uint64_t[]){ MAPPED + 0x104, MAPPED + 0x20, MAPPED + 0x210, 0 }, UNWIND_COMPLETE));

	m.regs[PC] = MAPPED; /* before the frame stands */
	m.regs[LR] = MAPPED + 0x204;
	CHECK(gives(&m, WORDS, (uint64_t[]){ MAPPED, MAPPED + 0x204, 0 }, UNWIND_COMPLETE));

	m.regs[PC] = MAPPED + 0x308; /* a return address that is signed */
	m.stack[1] = (MAPPED + 0x210) | (uint64_t)0x2a5b << 48;
	CHECK(gives(&m, WORDS, (uint64_t[]){ MAPPED + 0x308, MAPPED + 0x210, 0 }, UNWIND_COMPLETE));
	m.stack[1] = MAPPED + 0x210;

	m.regs[PC] = MAPPED + 0x104; /* returns to itself, for ever */
	m.regs[LR] = MAPPED + 0x108;
	CHECK(gives(&m, WORDS, (uint64_t[]){ MAPPED + 0x104, MAPPED + 0x108, 0 }, UNWIND_BROKEN));

	m.regs[PC] = MAPPED + 0x908; /* no table: first by the frame pointer, then by the table */
	m.regs[X29] = STACK + 0x40;
	m.stack[8] = 0;
	m.stack[9] = MAPPED + 0x208;
	CHECK(gives(&m, WORDS, (uint64_t[]){ MAPPED + 0x908, MAPPED + 0x208, 0 }, UNWIND_COMPLETE));
	CHECK(gives(&m, 9, (uint64_t[]){ MAPPED + 0x908, 0 }, UNWIND_TRUNCATED));

	m.regs[PC] = MAPPED + 0x420; /* no table, no frame: the caller is in the link register */
	m.regs[LR] = MAPPED + 0x204;
	CHECK(gives(&m, WORDS, (uint64_t[]){ MAPPED + 0x420, MAPPED + 0x204, 0 }, UNWIND_COMPLETE));
	made_free(&m);
}

/* A handler without a frame, which returns to code without a table. */
static void try_arm_signal(const char *path)
{
	struct bytes tables = arm_tables();
	struct file file = make_file(EM_AARCH64, tables.at, tables.len);
	const uint32_t signal_return[] = { 0xd2801168, 0xd4000001 };
	static uint64_t frame[100];
	struct made m;
	struct unwind_sample s;

	memcpy(file.text + 0x800, signal_return, sizeof(signal_return));
	made_init(&m, UNWIND_AARCH64, &file, path);
	m.regs[SP] = STACK;
	m.regs[PC] = MAPPED + 0x104;
	m.regs[LR] = MAPPED + 0x800;
	frame[39 + 30] = MAPPED + 0x204; /* x30, when the signal came */
	frame[39 + 31] = STACK + 0x300;  /* sp */
	frame[39 + 32] = MAPPED + 0x11c; /* pc */
	s = (struct unwind_sample){ .abi = PERF_SAMPLE_REGS_ABI_64,
				    .regs = (const uint8_t *)m.regs,
				    .regs_mask = 0x1ffffffff,
				    .stack = (const uint8_t *)frame,
				    .stack_len = sizeof(frame),
				    .stack_wanted = sizeof(frame),
				    .space = m.space,
				    .time_ns = 2 };
	CHECK(unwind(m.unwinder, &s, m.chain, &m.end, &m.stopped) == 6);
	CHECK(m.end == UNWIND_COMPLETE);
	CHECK(m.chain[1] == (uint64_t)PERF_CONTEXT_USER && m.chain[2] == MAPPED + 0x800);
	CHECK(m.chain[3] == (uint64_t)PERF_CONTEXT_USER && m.chain[4] == MAPPED + 0x11c);
	CHECK(m.chain[5] == MAPPED + 0x204);
	made_free(&m);
}

/* ---- x86-64 --------------------------------------------------------------------------- */

static void try_frame_pointers(const char *path)
{
	struct made m;

	made_x86(&m, path, true);
	m.regs[IP] = JIT + 0x10;
	m.regs[BP] = STACK + 0x10;
	m.stack[2] = STACK + 0x20; /* JIT-compiled code, called by JIT-compiled code, called by the program */
	m.stack[3] = JIT + 0x20;
	m.stack[4] = STACK + 0x60;
	m.stack[5] = MAPPED + 0x10;
	m.stack[12] = 0;
	m.stack[13] = MAPPED + 0x210;
	CHECK(gives(&m, WORDS, (uint64_t[]){ JIT + 0x10, JIT + 0x20, MAPPED + 0x10, MAPPED + 0x210, 0 },
		    UNWIND_COMPLETE));
	CHECK(gives(&m, 13, (uint64_t[]){ JIT + 0x10, JIT + 0x20, MAPPED + 0x10, 0 }, UNWIND_TRUNCATED));

	m.stack[13] = 0; /* nobody called: a coroutine's first function */
	CHECK(gives(&m, WORDS, (uint64_t[]){ JIT + 0x10, JIT + 0x20, MAPPED + 0x10, 0 }, UNWIND_COMPLETE));

	m.stack[13] = 12345;
	CHECK(gives(&m, WORDS, (uint64_t[]){ JIT + 0x10, JIT + 0x20, MAPPED + 0x10, 0 }, UNWIND_UNMAPPED));

	m.stack[4] = STACK + 0x10; /* the frame leads back */
	CHECK(gives(&m, WORDS, (uint64_t[]){ JIT + 0x10, JIT + 0x20, MAPPED + 0x10, 0 }, UNWIND_BROKEN));

	m.stack[2] = STACK; /* in JIT-compiled code */
	CHECK(gives(&m, WORDS, (uint64_t[]){ JIT + 0x10, JIT + 0x20, 0 }, UNWIND_NO_CFI));
	m.stack[2] = STACK + 0x20;

	m.stack[3] = 12345;
	CHECK(gives(&m, WORDS, (uint64_t[]){ JIT + 0x10, 0 }, UNWIND_NO_CFI));
	CHECK(m.stopped == m.jit);
	m.regs[BP] = 0;
	CHECK(gives(&m, WORDS, (uint64_t[]){ JIT + 0x10, 0 }, UNWIND_NO_CFI));
	m.regs[BP] = STACK + 0x11;
	CHECK(gives(&m, WORDS, (uint64_t[]){ JIT + 0x10, 0 }, UNWIND_NO_CFI));
	made_free(&m);
}

/* Code without any table, which the code itself has to explain. */
static void try_instructions(const char *path)
{
	static const uint64_t behind_calls[] = { 0x208, 0x217, 0x228 };
	struct made m;

	made_x86(&m, path, true);
	m.regs[IP] = MAPPED + 0x420;
	for (size_t i = 0; i < 3; i++) {
		m.stack[0] = MAPPED + behind_calls[i];
		CHECK(gives(&m, WORDS, (uint64_t[]){ MAPPED + 0x420, m.stack[0], 0 }, UNWIND_COMPLETE));
	}
	m.stack[0] = MAPPED + 0x210; /* behind no call */
	CHECK(gives(&m, WORDS, (uint64_t[]){ MAPPED + 0x420, 0 }, UNWIND_NO_CFI));
	CHECK(m.stopped == m.module);
	m.stack[0] = MAPPED + 0x235; /* behind that of another function */
	CHECK(gives(&m, WORDS, (uint64_t[]){ MAPPED + 0x420, 0 }, UNWIND_NO_CFI));

	m.stack[0] = MAPPED + 0x208; /* called from the entry point, where argc is */
	m.regs[IP] = MAPPED + 0xf04;
	CHECK(gives(&m, WORDS, (uint64_t[]){ MAPPED + 0xf04, 0 }, UNWIND_COMPLETE));

	m.regs[IP] = MAPPED; /* a handler's first instruction; it returns to "mov $15, %rax; syscall" */
	m.stack[0] = MAPPED + 0x800;
	m.stack[1 + 20] = STACK + 0xf0; /* rsp and rip, when the signal came */
	m.stack[1 + 21] = MAPPED + 0x201;
	CHECK(gives(&m, WORDS,
		    (uint64_t[]){ MAPPED, (uint64_t)PERF_CONTEXT_USER, MAPPED + 0x800, (uint64_t)PERF_CONTEXT_USER,
				  MAPPED + 0x201, 0 },
		    UNWIND_COMPLETE));
	m.regs[IP] = MAPPED + 0x809; /* in that system call: behind the code */
	m.stack[20] = STACK + 0xf0;
	m.stack[21] = MAPPED + 0x201;
	CHECK(gives(&m, WORDS, (uint64_t[]){ MAPPED + 0x809, (uint64_t)PERF_CONTEXT_USER, MAPPED + 0x201, 0 },
		    UNWIND_COMPLETE));
	made_free(&m);
}

/* A leaf that was not called directly: its caller called the code that jumps there. */
static void try_jumped_to(const char *path)
{
	struct made m;

	made_x86(&m, path, true);
	m.regs[IP] = MAPPED + 0x428;
	m.stack[0] = MAPPED + 0x245; /* after a call of 0x500, which jumps to 0x420 */
	CHECK(gives(&m, WORDS, (uint64_t[]){ MAPPED + 0x428, MAPPED + 0x245, 0 }, UNWIND_COMPLETE));
	m.stack[0] = MAPPED + 0x235; /* of 0x600, which does not */
	CHECK(gives(&m, WORDS, (uint64_t[]){ MAPPED + 0x428, 0 }, UNWIND_NO_CFI));
	m.stack[0] = MAPPED + 0x245;
	m.regs[IP] = MAPPED + 0x464; /* behind a push */
	CHECK(gives(&m, WORDS, (uint64_t[]){ MAPPED + 0x464, 0 }, UNWIND_NO_CFI));
	made_free(&m);
}

/* Functions without a table, in a file that has some tables: 0x400 has no frame pointer, 0x600 sets one up. */
static void try_hand_written(const char *path)
{
	struct made m;

	made_x86(&m, path, true);
	m.regs[BP] = STACK + 0x20;   /* the caller's, in the first case */
	m.stack[1] = MAPPED + 0x210; /* these three were left by others */
	m.stack[2] = MAPPED + 0x228;
	m.stack[3] = MAPPED + 0x235;
	m.stack[4] = 0;
	m.stack[5] = MAPPED + 0x228;
	m.stack[20] = MAPPED + 0x208;
	m.regs[IP] = MAPPED + 0x420;
	CHECK(gives(&m, WORDS, (uint64_t[]){ MAPPED + 0x420, MAPPED + 0x208, 0 }, UNWIND_COMPLETE));
	m.regs[IP] = MAPPED + 0x620;
	CHECK(gives(&m, WORDS, (uint64_t[]){ MAPPED + 0x620, MAPPED + 0x228, 0 }, UNWIND_COMPLETE));
	m.regs[IP] = MAPPED + 0x602; /* between the two, where no frame pointer has been set up yet */
	CHECK(gives(&m, WORDS, (uint64_t[]){ MAPPED + 0x602, MAPPED + 0x235, 0 }, UNWIND_COMPLETE));

	m.stack[20] = 0; /* no return address: nothing is made up */
	m.regs[IP] = MAPPED + 0x420;
	CHECK(gives(&m, WORDS, (uint64_t[]){ MAPPED + 0x420, 0 }, UNWIND_NO_CFI));
	made_free(&m);
}

/* The same of a stripped file. */
static void try_stripped(const char *path)
{
	struct made m;

	made_x86(&m, path, false);
	m.regs[IP] = MAPPED + 0x420;
	m.regs[BP] = STACK + 0x20;
	m.stack[1] = MAPPED + 0x210;
	m.stack[4] = STACK + 0x81;
	m.stack[5] = MAPPED + 0x228;
	m.stack[20] = MAPPED + 0x208;
	CHECK(gives(&m, WORDS, (uint64_t[]){ MAPPED + 0x420, MAPPED + 0x208, 0 }, UNWIND_COMPLETE));
	m.stack[2] = MAPPED + 0x23d; /* left by an earlier call, in a frame of its own */
	m.stack[5] = MAPPED + 0x208;
	CHECK(gives(&m, WORDS, (uint64_t[]){ MAPPED + 0x420, MAPPED + 0x208, 0 }, UNWIND_COMPLETE));
	m.regs[BP] = 0;
	m.stack[2] = m.stack[5] = m.stack[20] = 0;
	CHECK(gives(&m, WORDS, (uint64_t[]){ MAPPED + 0x420, 0 }, UNWIND_NO_CFI));
	made_free(&m);
}

/* A chain of frames whose return addresses follow calls through pointers. */
static void put_frames(struct made *m)
{
	m->regs[BP] = STACK + 0x20;
	m->stack[4] = STACK + 0x80;
	m->stack[5] = MAPPED + 0x228;
}

/* A stripped file with frame pointers: none of its functions is skipped because of words that earlier calls have
 * left. */
static void try_stripped_frames(const char *path)
{
	struct made m;

	made_x86(&m, path, false);
	put_frames(&m);
	m.regs[IP] = MAPPED + 0x480;
	m.stack[1] = MAPPED + 0x23d;
	m.stack[12] = MAPPED + 0x208;
	CHECK(gives(&m, WORDS, (uint64_t[]){ MAPPED + 0x480, MAPPED + 0x228, 0 }, UNWIND_COMPLETE));

	m.stack[4] = STACK + 0x10; /* no chain: leads back */
	m.stack[5] = 0;
	m.stack[12] = 0;
	m.stack[1] = MAPPED + 0x235; /* after a call of code that has set up a frame, which would be seen */
	m.regs[IP] = MAPPED + 0x620;
	CHECK(gives(&m, WORDS, (uint64_t[]){ MAPPED + 0x620, 0 }, UNWIND_NO_CFI));
	made_free(&m);
}

/* The frame pointer is set up, but not by the first instructions. */
static void try_late_frames(const char *path)
{
	struct made m;

	made_x86(&m, path, true);
	put_frames(&m);
	m.regs[IP] = MAPPED + 0x720;
	CHECK(gives(&m, WORDS, (uint64_t[]){ MAPPED + 0x720, MAPPED + 0x228, 0 }, UNWIND_COMPLETE));

	m.regs[IP] = MAPPED; /* called by a function that has no frame pointer where it begins */
	m.stack[0] = MAPPED + 0x430;
	CHECK(gives(&m, WORDS, (uint64_t[]){ MAPPED, MAPPED + 0x430, MAPPED + 0x228, 0 }, UNWIND_COMPLETE));
	m.stack[2] = MAPPED + 0x208; /* behind a call of it */
	CHECK(gives(&m, WORDS, (uint64_t[]){ MAPPED, MAPPED + 0x430, MAPPED + 0x208, 0 }, UNWIND_COMPLETE));
	m.stack[2] = 0;
	m.stack[4] = STACK + 0x10; /* no chain */
	CHECK(gives(&m, WORDS, (uint64_t[]){ MAPPED, MAPPED + 0x430, 0 }, UNWIND_NO_CFI));
	made_free(&m);
}

/* Instructions before which the frame pointer still is the caller's. */
static void try_next_instruction(const char *path)
{
	static const struct {
		uint64_t pc, above;
	} rows[] = { { 0x441, 0 }, { 0x450, 0 }, { 0x454, 0 }, { 0x461, 0 }, { 0x462, 8 } };
	struct made m;

	made_x86(&m, path, false);
	put_frames(&m);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		m.regs[IP] = MAPPED + rows[i].pc;
		m.stack[0] = m.stack[1] = 0;
		m.stack[rows[i].above / 8] = MAPPED + 0x217;
		CHECK(gives(&m, WORDS, (uint64_t[]){ m.regs[IP], MAPPED + 0x217, 0 }, UNWIND_COMPLETE));
	}
	made_free(&m);
}

/* A coroutine: its first function returns to the first byte of a function that did not call it. */
static void try_never_called(const char *path)
{
	struct made m;

	made_x86(&m, path, true);
	m.regs[IP] = MAPPED + 0x10;
	m.regs[BP] = STACK + 0x10;
	m.stack[3] = MAPPED + 0x200;
	CHECK(gives(&m, WORDS, (uint64_t[]){ MAPPED + 0x10, (uint64_t)PERF_CONTEXT_USER, MAPPED + 0x200, 0 },
		    UNWIND_COMPLETE));
	made_free(&m);
}

/* Like Python's trampoline: no table, no frame pointer.  Its code is remembered after it is gone. */
static void try_made_code(const char *path)
{
	uint8_t *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t at = (uint64_t)(uintptr_t)code;
	struct made m;

	CHECK(code != MAP_FAILED);
	memcpy(code + 0x20, "\x48\x83\xc4\x08\xc3", 5); /* add $8, %rsp; ret */
	made_x86(&m, path, true);
	unwinder_read_memory(m.unwinder);
	m.space = spaces_find(&m.spaces, getpid(), 2);
	spaces_map(&m.spaces, getpid(), 1, MAPPED, TEXT_SIZE, TEXT, m.module);
	spaces_map_memory(&m.spaces, getpid(), 1, at, 4096, m.jit);
	m.regs[IP] = MAPPED;
	m.stack[0] = at + 0x20;
	m.stack[2] = MAPPED + 0x217;
	for (int gone = 0; gone < 2; gone++) {
		CHECK(gives(&m, WORDS, (uint64_t[]){ MAPPED, at + 0x20, MAPPED + 0x217, 0 }, UNWIND_COMPLETE));
		munmap(code, 4096);
	}
	made_free(&m);
}

/* At "ret", popped values are below the stack pointer: they are not in the copy, but in the registers. */
static void try_popped(const char *path)
{
	static const uint8_t begin[] = { 0x0c, 7, 8, 0x90, 1 };
	/* rbx at CFA - 16, CFA = rsp + 8 again */
	static const uint8_t end_of_function[] = { 0x83, 2 };
	static const uint8_t by_rbx[] = { 0x0c, 3, 8 }; /* CFA = rbx + 8 */
	static const uint8_t by_rcx[] = { 0x0c, 2, 8 }; /* which functions need not keep */
	struct bytes b = { 0 };
	struct file file;
	struct made m;

	put_cie(&b, "zR", 16, 1, begin, sizeof(begin));
	put_fde(&b, EH_FRAME_ADDRESS, ADDRESS, 0x40, end_of_function, sizeof(end_of_function));
	put_fde(&b, EH_FRAME_ADDRESS, ADDRESS + 0x100, 0x40, by_rbx, sizeof(by_rbx));
	put_fde(&b, EH_FRAME_ADDRESS, ADDRESS + 0x200, 0x40, by_rcx, sizeof(by_rcx));
	put_number(&b, 0);
	file = make_file(EM_X86_64, b.at, b.len);
	made_init(&m, UNWIND_X86_64, &file, path);
	m.regs[X86_SP] = STACK;
	m.regs[IP] = MAPPED + 0x10;
	m.regs[1] = STACK + 0x40; /* rbx */
	m.stack[0] = MAPPED + 0x120;
	m.stack[8] = 0;
	CHECK(gives(&m, WORDS, (uint64_t[]){ MAPPED + 0x10, MAPPED + 0x120, 0 }, UNWIND_COMPLETE));

	m.regs[2] = STACK + 0x40; /* rcx */
	m.regs[IP] = MAPPED + 0x210;
	CHECK(gives(&m, WORDS, (uint64_t[]){ MAPPED + 0x210, 0 }, UNWIND_COMPLETE));
	m.regs[IP] = MAPPED + 0x10;
	m.stack[0] = MAPPED + 0x220;
	CHECK(gives(&m, WORDS, (uint64_t[]){ MAPPED + 0x10, MAPPED + 0x220, 0 }, UNWIND_BROKEN));
	made_free(&m);
}

/* As in glibc's vfork(): the return address was popped into rdi. */
static void try_return_register(const char *path)
{
	static const uint8_t begin[] = { 0x0c, 7, 0, 0x09, 16, 5 };
	struct bytes b = { 0 };
	struct file file;
	struct made m;

	put_cie(&b, "zR", 16, 1, begin, sizeof(begin));
	put_fde(&b, EH_FRAME_ADDRESS, ADDRESS, 0x40, NULL, 0);
	put_number(&b, 0);
	file = make_file(EM_X86_64, b.at, b.len);
	made_init(&m, UNWIND_X86_64, &file, path);
	m.regs[X86_SP] = STACK;
	m.regs[IP] = MAPPED + 0x10;
	m.regs[5] = MAPPED + 0xf20; /* rdi: the entry point, where every walk is complete */
	CHECK(gives(&m, WORDS, (uint64_t[]){ MAPPED + 0x10, MAPPED + 0xf20, 0 }, UNWIND_COMPLETE));
	made_free(&m);
}

/* The table marks the frame as a signal's, so its pc is exact, and so is the next one. */
static void try_signal_table(const char *path)
{
	static const uint8_t begin[] = { 0x0c, 7, 8, 0x90, 1 };
	struct bytes b = { 0 };
	struct file file;
	struct made m;

	put_cie(&b, "zRS", 16, 1, begin, sizeof(begin));
	put_fde(&b, EH_FRAME_ADDRESS, ADDRESS, 0x40, NULL, 0);
	put_number(&b, 0);
	file = make_file(EM_X86_64, b.at, b.len);
	made_init(&m, UNWIND_X86_64, &file, path);
	m.regs[X86_SP] = STACK;
	m.regs[IP] = MAPPED + 0x10;
	m.stack[0] = MAPPED + 0x20;
	m.stack[1] = 0;
	CHECK(gives(&m, WORDS, (uint64_t[]){ MAPPED + 0x10, (uint64_t)PERF_CONTEXT_USER, MAPPED + 0x20, 0 },
		    UNWIND_COMPLETE));
	made_free(&m);
}

int main(void)
{
	char path[] = "/tmp/core_unwind_made.XXXXXX";
	int fd = mkstemp(path);

	CHECK(fd >= 0);
	close(fd);
	try_arm(path);
	try_arm_signal(path);
	try_frame_pointers(path);
	try_instructions(path);
	try_hand_written(path);
	try_stripped(path);
	try_stripped_frames(path);
	try_late_frames(path);
	try_next_instruction(path);
	try_jumped_to(path);
	try_never_called(path);
	try_made_code(path);
	try_popped(path);
	try_return_register(path);
	try_signal_table(path);
	unlink(path);
	return check_done();
}
