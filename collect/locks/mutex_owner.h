/* mutex_owner: finds the owner of a glibc mutex in the memory of its process. */
#ifndef COLLECT_LOCKS_MUTEX_OWNER_H
#define COLLECT_LOCKS_MUTEX_OWNER_H

#include <stdint.h>

/* The thread of process pid that has the mutex at this address; 0: the mutex is free, another process has it, or there
 * is no mutex. */
uint32_t mutex_owner_read(uint32_t pid, uint64_t address);

#endif
