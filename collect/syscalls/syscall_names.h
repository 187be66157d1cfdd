/* syscall_names: the system calls of this machine: names, and which argument is a descriptor. */
#ifndef COLLECT_SYSCALLS_SYSCALL_NAMES_H
#define COLLECT_SYSCALLS_SYSCALL_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/syscalls.h"
#include "core/str.h"

/* Append "read", "read (32-bit)", "syscall_999".  number: with RECORDING_SYSCALL_COMPAT. */
void syscall_name_add(struct str *out, uint32_t number);

/* The number of the system call of that name in 64-bit programs.  Returns false if there is none. */
bool syscall_number(const char *name, uint32_t *number);

/* What is known about all system calls, [2 * SYSCALLS_NUMBERS]: by number, then those of 32-bit programs; the last
 * entry of each kind is for all larger numbers.  pattern: matches the names to choose; NULL: all.  Exits 2 if the
 * pattern is wrong, or no name matches. */
void syscall_abouts(struct syscall_about *list, const char *pattern);

#endif
