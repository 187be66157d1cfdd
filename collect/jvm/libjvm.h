/* libjvm: the HotSpot library that a process has mapped, and the symbols of its file. */
#ifndef COLLECT_JVM_LIBJVM_H
#define COLLECT_JVM_LIBJVM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct libjvm {
	uint64_t bias;        /* what must be added to addresses of its tables */
	uint64_t start, end;  /* addresses that it takes, all mappings */
	char path[512];       /* by which we can open it: /proc/PID/root/... or .../map_files/... */
};

/* Returns false if pid has none mapped (it is no HotSpot JVM, or is not ours to look at), or, lib->start
 * being set, one that we have no right to open. */
bool libjvm_find(int pid, struct libjvm *lib);

struct libjvm_symbol {
	const char *name;     /* exact, or its beginning if is_prefix; "" is none */
	bool is_prefix;
	uint64_t address;     /* answer, in the process; 0: not there */
	uint64_t offset;      /* answer, in the file: where a uprobe is put */
	char found[192];      /* answer: the whole name */
};

/* Look names up in .dynsym and, what is missing, in .symtab.  Returns how many were found. */
size_t libjvm_symbols(const struct libjvm *lib, struct libjvm_symbol *wanted, size_t count);

#endif
