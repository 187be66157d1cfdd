/* interrupts: the kernel's entry functions for interrupts.  The frames below one of them
 * in a stack were interrupted, and are unrelated to those above:
 *
 *     try_to_wake_up
 *     hrtimer_interrupt
 *     asm_sysvec_apic_timer_interrupt     the entry
 *     do_syscall_64                       what happened to run
 *
 * Exceptions (asm_exc_page_fault) do not count: the thread itself causes them.  Softirqs do
 * not count either: they run on top of an interrupt, in a system call's path, or in a thread.
 *
 * Sources: linux/arch/x86/include/asm/idtentry.h, arch/x86/entry/entry_64.S (also that
 * of 5.7 and before), entry_fred.c; arch/arm64/kernel/entry.S. */
#ifndef CORE_SYMBOLS_NAMES_INTERRUPTS_H
#define CORE_SYMBOLS_NAMES_INTERRUPTS_H

#include <stdbool.h>
#include <stddef.h>

/* Is name one of these functions?  One interrupt may pass two of them, one after the other: el1h_64_irq_handler,
 * el1h_64_irq. */
bool is_interrupt_entry(const char *name, size_t len);

#endif
