/* calls: functions that call functions, in unusual ways. */
#include "chains.h"

#include <alloca.h>
#include <setjmp.h>

LEAF(spin_plain)
LEAF(spin_deep)
LEAF(spin_tail)
LEAF(spin_realigned)
LEAF(spin_forced)
LEAF(spin_alloca)
LEAF(spin_array)
LEAF(spin_noreturn)
LEAF(spin_longjmp)
LEAF(spin_asm)
LEAF(spin_told)

/* ---- plain, and 500 deep ---- */

KEEP void plain_inner(uint64_t turns);
KEEP void plain_inner(uint64_t turns)
{
	spin_plain(turns);
	AND_RETURN();
}

KEEP void run_plain(uint64_t turns);
KEEP void run_plain(uint64_t turns)
{
	plain_inner(turns);
	AND_RETURN();
}

KEEP void recurse(int depth, uint64_t turns);
KEEP void recurse(int depth, uint64_t turns)
{
	if (depth > 1)
		recurse(depth - 1, turns);
	else
		spin_deep(turns);
	AND_RETURN();
}

KEEP void run_deep(uint64_t turns);
KEEP void run_deep(uint64_t turns)
{
	recurse(500, turns);
	AND_RETURN();
}

/* ---- inlined functions, in the middle and at the leaf ---- */

#define INLINED __attribute__((always_inline)) static inline

INLINED void inlined_leaf(uint64_t turns)
{
	for (uint64_t turn = 0; turn < turns; turn++)
		sink += turn;
}

INLINED void inlined_inner(uint64_t turns)
{
	inlined_leaf(turns);
	AND_RETURN();
}

KEEP void holds_inlined(uint64_t turns);
KEEP void holds_inlined(uint64_t turns)
{
	inlined_inner(turns);
	AND_RETURN();
}

INLINED void inlined_middle(uint64_t turns)
{
	holds_inlined(turns);
	AND_RETURN();
}

KEEP void run_inlined(uint64_t turns);
KEEP void run_inlined(uint64_t turns)
{
	inlined_middle(turns);
	AND_RETURN();
}

/* ---- a tail call: a function that jumps leaves nothing on the stack ---- */

KEEP void tail_jumps(uint64_t turns);
KEEP void tail_jumps(uint64_t turns)
{
	spin_tail(turns);
}

KEEP void run_tail(uint64_t turns);
KEEP void run_tail(uint64_t turns)
{
	tail_jumps(turns);
	AND_RETURN();
}

#ifdef __OPTIMIZE__
#define TAIL "{start};main;run_tail;spin_tail"
#else
#define TAIL "{start};main;run_tail;tail_jumps;spin_tail"
#endif

/* ---- frames whose size is not constant ---- */

KEEP void use(volatile char *bytes, uint64_t size);
KEEP void use(volatile char *bytes, uint64_t size)
{
	bytes[0] = bytes[size - 1] = (char)sink;
}

KEEP void run_realigned(uint64_t turns);
KEEP void run_realigned(uint64_t turns)
{
	_Alignas(256) volatile char bytes[512];

	use(bytes, sizeof(bytes));
	spin_realigned(turns);
	AND_RETURN();
}

#ifdef __x86_64__
#define FORCED __attribute__((force_align_arg_pointer))
#else
#define FORCED
#endif

FORCED KEEP void run_forced(uint64_t turns);
FORCED KEEP void run_forced(uint64_t turns)
{
	_Alignas(128) volatile char bytes[128];
	volatile char *more = alloca(100 + (sink & 63));

	use(bytes, sizeof(bytes));
	use(more, 100);
	spin_forced(turns);
	AND_RETURN();
}

KEEP void run_alloca(uint64_t turns);
KEEP void run_alloca(uint64_t turns)
{
	for (int part = 0; part < 4; part++) {
		use(alloca(200 + (sink & 127)), 200);
		spin_alloca(turns / 4);
	}
	AND_RETURN();
}

KEEP void run_array(uint64_t turns);
KEEP void run_array(uint64_t turns)
{
	volatile char bytes[1000 + (sink & 511)];

	use(bytes, sizeof(bytes));
	spin_array(turns);
	AND_RETURN();
}

/* ---- the call is the caller's last instruction, so it returns to the next function ---- */

static jmp_buf back;

_Noreturn KEEP void never_returns(uint64_t turns);
_Noreturn KEEP void never_returns(uint64_t turns)
{
	spin_noreturn(turns);
	longjmp(back, 1);
}

KEEP void calls_last(uint64_t turns);
KEEP void calls_last(uint64_t turns)
{
	never_returns(turns);
}

KEEP void run_noreturn(uint64_t turns);
KEEP void run_noreturn(uint64_t turns)
{
	if (!setjmp(back))
		calls_last(turns);
	AND_RETURN();
}

/* ---- leaving many frames at once, again and again ---- */

KEEP void jump_deep(int depth, uint64_t turns);
KEEP void jump_deep(int depth, uint64_t turns)
{
	if (depth > 1) {
		jump_deep(depth - 1, turns);
	} else if (turns) {
		spin_longjmp(turns);
		longjmp(back, 1);
	}
	AND_RETURN();
}

KEEP void run_longjmp(uint64_t turns);
KEEP void run_longjmp(uint64_t turns)
{
	volatile int jumps = 0;

	setjmp(back);
	if (jumps++ < 50)
		jump_deep(10, turns / 50);
	AND_RETURN();
}

/* ---- hand-written code without unwind information, and code that has it ---- */

#ifdef __x86_64__
__asm__(".text\n"
	".globl asm_silent, asm_tells\n"
	".type asm_silent, @function\n"
	"asm_silent:\n"
	"	sub $40, %rsp\n"
	"	mov %rdi, %rax\n"
	"	mov %rsi, %rdi\n"
	"	call *%rax\n"
	"	add $40, %rsp\n"
	"	ret\n"
	".size asm_silent, . - asm_silent\n"
	".type asm_tells, @function\n"
	"asm_tells:\n"
	"	.cfi_startproc\n"
	"	sub $40, %rsp\n"
	"	.cfi_adjust_cfa_offset 40\n"
	"	mov %rdi, %rax\n"
	"	mov %rsi, %rdi\n"
	"	call *%rax\n"
	"	add $40, %rsp\n"
	"	.cfi_adjust_cfa_offset -40\n"
	"	ret\n"
	"	.cfi_endproc\n"
	".size asm_tells, . - asm_tells\n");

void asm_silent(void (*callee)(uint64_t), uint64_t turns);
void asm_tells(void (*callee)(uint64_t), uint64_t turns);

KEEP void below_asm(uint64_t turns);
KEEP void below_asm(uint64_t turns)
{
	spin_asm(turns);
	AND_RETURN();
}

KEEP void run_asm(uint64_t turns);
KEEP void run_asm(uint64_t turns)
{
	asm_silent(below_asm, turns);
	AND_RETURN();
}

KEEP void run_told(uint64_t turns);
KEEP void run_told(uint64_t turns)
{
	asm_tells(spin_told, turns);
	AND_RETURN();
}
#endif

const struct scenario call_scenarios[] = {
	{ "plain", run_plain, "{start};main;run_plain;plain_inner;spin_plain" },
	{ "deep", run_deep, "{start};main;run_deep;recurse*500;spin_deep" },
	{ "inlined", run_inlined,
	  "{start};main;run_inlined;inlined_middle_[i];holds_inlined;inlined_inner_[i];inlined_leaf_[i]" },
	{ "tail", run_tail, TAIL },
	{ "realigned", run_realigned, "{start};main;run_realigned;spin_realigned" },
	{ "forced", run_forced, "{start};main;run_forced;spin_forced" },
	{ "alloca", run_alloca, "{start};main;run_alloca;spin_alloca" },
	{ "array", run_array, "{start};main;run_array;spin_array" },
	{ "noreturn", run_noreturn, "{start};main;run_noreturn;calls_last;never_returns;spin_noreturn" },
	{ "longjmp", run_longjmp, "{start};main;run_longjmp;jump_deep*10;spin_longjmp" },
#ifdef __x86_64__
	{ "asm", run_asm, "~{start};main;run_asm;asm_silent;below_asm;spin_asm" },
	{ "told", run_told, "{start};main;run_told;asm_tells;spin_told" },
#endif
	{ 0 }
};
