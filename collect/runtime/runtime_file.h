/* runtime_file: the file of a language's runtime that a process maps (libjvm.so, libpython), and its symbols. */
#ifndef COLLECT_RUNTIME_RUNTIME_FILE_H
#define COLLECT_RUNTIME_RUNTIME_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct runtime_file {
	uint64_t bias;       /* what to add to the addresses in the file's tables */
	uint64_t start, end; /* address range of all its mappings */
	char name[64];       /* its name, perhaps cut */
	char path[512];      /* a path that opens the file: /proc/PID/root/... or .../map_files/... */
};

/* Find the file among pid's mappings. is_it: is it the one with this name[0..len), the last part of its path?
 * Returns false if pid maps no such file, or we may not read its mappings, or if we may not open the file; in this
 * case, file->start is set. */
bool runtime_file_find(int pid, bool (*is_it)(const char *name, size_t len), struct runtime_file *file);

struct runtime_symbol {
	const char *name; /* exact, or a prefix if is_prefix; "": skip */
	bool is_prefix;
	uint64_t address; /* answer: in the process; 0: not found */
	uint64_t offset;  /* answer: in the file, for a uprobe */
	uint64_t size;    /* answer: bytes; 0: unknown */
	char found[192];  /* answer: the whole name */
};

/* The part of a function that the compiler put elsewhere, since it thought it unlikely to run, or split it: the place, not
 * called as a function, to which the code of [start, start + size) jumps most often.  Returns false if there is none. */
struct remote;
bool runtime_file_other_part(const struct runtime_file *file, const struct remote *process, uint64_t start,
			     uint64_t size, uint64_t *other_start, uint64_t *other_end);

/* Look the names up in .dynsym, and those missing there in .symtab.  Returns the number found. */
size_t runtime_symbols(const struct runtime_file *file, struct runtime_symbol *wanted, size_t count);

/* Copy the begin of a section, as it is in the file.  Returns false if there is none, or if it is shorter. */
bool runtime_section(const struct runtime_file *file, const char *name, void *to, size_t len);

#endif
