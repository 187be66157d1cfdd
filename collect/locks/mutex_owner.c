#include "collect/locks/mutex_owner.h"

#include <stdio.h>
#include <sys/uio.h>
#include <unistd.h>

enum { CONTENDED = 2, OWNER_MASK = 0x3fffffff };

uint32_t mutex_owner_read(uint32_t pid, uint64_t address)
{
	struct {
		uint32_t lock, count, owner, users;
	} mutex; /* the beginning of struct __pthread_mutex_s: sysdeps/nptl/bits/struct_mutex.h */
	struct iovec to = { &mutex, sizeof(mutex) }, from = { (void *)(uintptr_t)address, sizeof(mutex) };
	char path[64];

	if (process_vm_readv((pid_t)pid, &to, 1, &from, 1, 0) != sizeof(mutex) || !mutex.owner || !mutex.users)
		return 0;
	/* A robust or priority-inheriting mutex has the owner in the futex word itself. */
	if (mutex.lock != CONTENDED && (mutex.lock & OWNER_MASK) != mutex.owner)
		return 0;
	snprintf(path, sizeof(path), "/proc/%u/task/%u", pid, mutex.owner);
	return access(path, F_OK) ? 0 : mutex.owner;
}
