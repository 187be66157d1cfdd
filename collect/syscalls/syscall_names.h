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

/* What is known of all system calls: [2 * SYSCALLS_NUMBERS], by number, then those of 32-bit programs; the last entries
 * stand for all larger numbers.  pattern: of the names to be chosen; NULL: all.  Exits 2 if it is wrong, or no name
 * matches. */
void syscall_abouts(struct syscall_about *list, const char *pattern);

#endif
