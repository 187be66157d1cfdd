/* libjvm: the HotSpot library that a process maps, and the symbols of its file. */
#ifndef COLLECT_JVM_TABLES_LIBJVM_H
#define COLLECT_JVM_TABLES_LIBJVM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct libjvm {
	uint64_t bias;       /* what to add to the addresses in the file's tables */
	uint64_t start, end; /* address range of all its mappings */
	char path[512];      /* a path that opens the file: /proc/PID/root/... or .../map_files/... */
};

/* Returns false if pid maps no libjvm (it is not a HotSpot JVM, or we may not read its mappings), or if we may not open
 * the file; in this case, lib->start is set. */
bool libjvm_find(int pid, struct libjvm *lib);

struct libjvm_symbol {
	const char *name; /* exact, or a prefix if is_prefix; "": skip */
	bool is_prefix;
	uint64_t address; /* answer: in the process; 0: not found */
	uint64_t offset;  /* answer: in the file, for a uprobe */
	char found[192];  /* answer: the whole name */
};

/* Look the names up in .dynsym, and those missing there in .symtab.  Returns the number found. */
size_t libjvm_symbols(const struct libjvm *lib, struct libjvm_symbol *wanted, size_t count);

#endif
