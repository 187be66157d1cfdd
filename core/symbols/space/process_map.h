/* process_map: a mapping of a running process, from /proc/PID/maps (proc(5)). */
#ifndef CORE_SYMBOLS_SPACE_PROCESS_MAP_H
#define CORE_SYMBOLS_SPACE_PROCESS_MAP_H

#include <stdbool.h>
#include <stdint.h>

struct process_map {
	uint64_t start, end;
	char id[40]; /* "8:1:1234": device and inode in hex, as in a module's id */
	char *path;  /* from the kernel, possibly ending in " (deleted)"; the caller frees it */
};

/* The mapping of address.  Returns false when there is none, or it may not be read. */
bool process_map_find(int pid, uint64_t address, struct process_map *map);

#endif
