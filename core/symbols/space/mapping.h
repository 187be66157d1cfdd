/* mapping: a part of a process's memory, and what it shows. */
#ifndef CORE_SYMBOLS_SPACE_MAPPING_H
#define CORE_SYMBOLS_SPACE_MAPPING_H

#include <stdbool.h>
#include <stdint.h>

struct mapping {
	uint64_t start, end; /* addresses, end excluded */
	uint64_t offset;     /* of start in the file */
	uint64_t from_ns;    /* when it began */
	uint32_t module;
	bool memory; /* not from a file: code may be generated in it */
};

#endif
