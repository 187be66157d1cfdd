/* remote: the memory of another process, read while it runs.
 *
 * Data may change between two reads, and may be garbage, so users check it before they trust it.  Nothing is ever
 * written there. */
#ifndef COLLECT_RUNTIME_REMOTE_H
#define COLLECT_RUNTIME_REMOTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct remote_part {
	uint64_t address;
	void *to;
	size_t len;
};

struct remote {
	int pid;
	/* NULL: process_vm_readv(2).  Tests supply their own, which returns whether all was read. */
	bool (*read)(const struct remote *r, uint64_t address, void *to, size_t len);
	void *argument; /* an argument for read() */
};

/* Read all of [address, address + len), or return false. */
bool remote_read(const struct remote *r, uint64_t address, void *to, size_t len);

bool remote_u64(const struct remote *r, uint64_t address, uint64_t *value);
bool remote_u32(const struct remote *r, uint64_t address, uint32_t *value);
bool remote_i32(const struct remote *r, uint64_t address, int32_t *value);
bool remote_u16(const struct remote *r, uint64_t address, uint16_t *value);
bool remote_u8(const struct remote *r, uint64_t address, uint8_t *value);

/* Read many parts in few system calls; unreadable parts are filled with 0.  Returns the number read. */
size_t remote_read_parts(const struct remote *r, const struct remote_part *parts, size_t count);

/* Read a NUL-terminated string of less than size bytes.  Returns false, and sets `to` to "", if the string cannot be
 * read or is longer. */
bool remote_text(const struct remote *r, uint64_t address, char *to, size_t size);

#endif
