/* chains: a program that spends its time in known functions under known stacks, and prints the truth.
 *
 *     chains [-wait] SCENARIO...      (without: all of them; -wait: for the end of stdin)
 *
 * Each scenario ends in its own leaf, which uses CPU time in a loop.  The first scenario determines how many turns take
 * 15 ms on this machine; a scenario that takes less time is run again.  At the end, each has a line in the output,
 * "STACK NANOSECONDS": the functions from the root to the leaf, and the CPU time that the scenario took.  In a stack
 * (tests/unwind/truth.py):
 *
 *     {start} {thread}   what the C library has below main, or below a thread's function
 *     {signal}           what returns from a signal handler
 *     {vdso} {libc}      one function in there
 *     {deeper}           any number of functions, also none
 *     name*500           the same function 500 times
 *     name_[i]           a function that was compiled into the one before it
 *
 * A line that begins with "~": the stack may also end early, if it is marked so. */
#ifndef CHAINS_H
#define CHAINS_H

#include <stdint.h>

/* A plain function, with its own frame and its own name. */
#if defined(__clang__)
#define KEEP __attribute__((noinline))
#else
#define KEEP __attribute__((noinline, noclone, noipa))
#endif

extern volatile uint64_t sink;

/* After a call; without this, the call would become a jump. */
#define AND_RETURN() (sink++)

#define LEAF(name)                                          \
	KEEP void name(uint64_t turns);                     \
	KEEP void name(uint64_t turns)                      \
	{                                                   \
		for (uint64_t turn = 0; turn < turns; turn++) \
			sink += turn;                       \
	}

struct scenario {
	const char *name;
	void (*run)(uint64_t turns);
	const char *stack;
};

extern const struct scenario call_scenarios[], signal_scenarios[], library_scenarios[], process_scenarios[];

/* CPU time of other processes that counts as the scenario's. */
extern uint64_t children_ns;

uint64_t cpu_ns(void);
void after_exec(uint64_t turns);

#endif
