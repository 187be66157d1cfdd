/* signals: handlers that use CPU time on top of a known stack. */
#include "chains.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>

LEAF(spin_signal)
LEAF(spin_alternate)
LEAF(spin_near)
LEAF(spin_trap)

static volatile int handled;
static uint64_t handler_turns;

static void set_handler(int signal, void (*handler)(int, siginfo_t *, void *), int flags)
{
	struct sigaction action;

	memset(&action, 0, sizeof(action));
	action.sa_sigaction = handler;
	action.sa_flags = SA_SIGINFO | flags;
	sigaction(signal, &action, NULL);
	handled = 0;
}

/* ---- a signal at any instruction: its timer counts our CPU time, so that it comes in interrupted(), and not before,
 * however busy the machine is ---- */

KEEP void interrupted(void);
KEEP void interrupted(void)
{
	while (!handled)
		sink++;
}

static void interrupt(void)
{
	struct itimerval soon = { .it_value = { 0, 2000 } };

	setitimer(ITIMER_VIRTUAL, &soon, NULL);
}

#define HANDLER(name, leaf)                                          \
	KEEP void name(int signal, siginfo_t *info, void *context);  \
	KEEP void name(int signal, siginfo_t *info, void *context)   \
	{                                                            \
		(void)signal, (void)info, (void)context;             \
		leaf(handler_turns);                                 \
		handled = 1;                                         \
	}

HANDLER(on_signal, spin_signal)
HANDLER(on_alternate, spin_alternate)
HANDLER(on_near, spin_near)

KEEP void run_signal(uint64_t turns);
KEEP void run_signal(uint64_t turns)
{
	handler_turns = turns;
	set_handler(SIGVTALRM, on_signal, 0);
	interrupt();
	interrupted();
	AND_RETURN();
}

/* ---- on another stack: the interrupted code is not in the copy ---- */

enum { ALTERNATE = 1 << 16 };

static void use_alternate(void *base)
{
	stack_t stack = { .ss_sp = base, .ss_size = ALTERNATE };

	if (!base)
		stack.ss_flags = SS_DISABLE;
	sigaltstack(&stack, NULL);
}

KEEP void run_alternate(uint64_t turns);
KEEP void run_alternate(uint64_t turns)
{
	static char elsewhere[ALTERNATE];

	handler_turns = turns;
	use_alternate(elsewhere);
	set_handler(SIGVTALRM, on_alternate, SA_ONSTACK);
	interrupt();
	interrupted();
	use_alternate(NULL);
}

/* ---- on another stack just below the old one: it is in the copy ---- */

KEEP void touch(void);
KEEP void touch(void)
{
	volatile char bytes[2 * ALTERNATE];

	for (unsigned i = 0; i < sizeof(bytes); i += 512)
		bytes[i] = 0;
}

KEEP void run_near(uint64_t turns);
KEEP void run_near(uint64_t turns)
{
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);

	touch(); /* so that the pages are there */
	handler_turns = turns;
	use_alternate((void *)((here & ~(uintptr_t)63) - 2048 - ALTERNATE));
	set_handler(SIGVTALRM, on_near, SA_ONSTACK);
	interrupt();
	interrupted();
	use_alternate(NULL);
}

/* ---- a trap at a function's first byte: the byte before it is another function's ---- */

#ifdef __x86_64__
__asm__(".text\n"
	".globl trap_before, trap_first\n"
	".type trap_before, @function\n"
	"trap_before:\n"
	"	.cfi_startproc\n"
	"	push %rbx\n"
	"	.cfi_adjust_cfa_offset 8\n"
	"	.cfi_offset %rbx, -16\n"
	"	hlt\n"
	"	.cfi_endproc\n"
	".size trap_before, . - trap_before\n"
	".type trap_first, @function\n"
	"trap_first:\n"
	"	.cfi_startproc\n"
	"	ud2\n"
	"	ret\n"
	"	.cfi_endproc\n"
	".size trap_first, . - trap_first\n");

void trap_first(void);

KEEP void on_trap(int signal, siginfo_t *info, void *context);
KEEP void on_trap(int signal, siginfo_t *info, void *context)
{
	ucontext_t *at = context;

	(void)signal, (void)info;
	spin_trap(handler_turns);
	at->uc_mcontext.gregs[REG_RIP] += 2;
}

KEEP void run_trap(uint64_t turns);
KEEP void run_trap(uint64_t turns)
{
	handler_turns = turns;
	set_handler(SIGILL, on_trap, 0);
	trap_first();
	AND_RETURN();
}
#endif

const struct scenario signal_scenarios[] = {
	{ "signal", run_signal, "{start};main;run_signal;interrupted;{signal};on_signal;spin_signal" },
	{ "alternate", run_alternate,
	  "~{start};main;run_alternate;interrupted;{signal};on_alternate;spin_alternate" },
	{ "near", run_near, "{start};main;run_near;interrupted;{signal};on_near;spin_near" },
#ifdef __x86_64__
	{ "trap", run_trap, "{start};main;run_trap;trap_first;{signal};on_trap;spin_trap" },
#endif
	{ 0 }
};
