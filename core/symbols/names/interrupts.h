/* interrupts: the functions at which interrupts come into the kernel.  What lies below
 * one of them in a stack was interrupted, and has no part in what is above it:
 *
 *     try_to_wake_up
 *     hrtimer_interrupt
 *     asm_sysvec_apic_timer_interrupt     here it came in
 *     do_syscall_64                       what happened to run
 *
 * Exceptions (asm_exc_page_fault) are none: they are the thread's own doing.  Nor are
 * softirqs, which run on top of an interrupt, in a system call's path, or in a thread.
 *
 * Sources: linux/arch/x86/include/asm/idtentry.h, arch/x86/entry/entry_64.S (also that
 * of 5.7 and before), entry_fred.c; arch/arm64/kernel/entry.S. */
#ifndef CORE_SYMBOLS_NAMES_INTERRUPTS_H
#define CORE_SYMBOLS_NAMES_INTERRUPTS_H

#include <stdbool.h>
#include <stddef.h>

/* Is it one of them?  One interrupt may come by two, one after the other:
 * el1h_64_irq_handler, el1h_64_irq. */
bool is_interrupt_entry(const char *name, size_t len);

#endif
