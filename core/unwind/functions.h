/* functions: where the functions of a file begin, by its symbols: for code without tables. */
#ifndef CORE_UNWIND_FUNCTIONS_H
#define CORE_UNWIND_FUNCTIONS_H

#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* {0} is valid and empty. */
struct functions {
	uint64_t *starts; /* [count], ascending: addresses as in the file's tables */
	size_t count, cap;
};

void functions_read(struct functions *f, Elf *elf);

/* The start of the function that contains address.  Returns false if none begins before it. */
bool functions_find(const struct functions *f, uint64_t address, uint64_t *start);

void functions_free(struct functions *f);

#endif
