/* remote: the memory of another process, read while it runs.
 *
 * What is read may change between two reads, and may be anything: whoever uses it checks it
 * before it is believed.  Nothing is ever written there. */
#ifndef COLLECT_JVM_REMOTE_H
#define COLLECT_JVM_REMOTE_H

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
	/* NULL: process_vm_readv(2).  Tests give their own: returns whether all was read. */
	bool (*read)(const struct remote *r, uint64_t address, void *to, size_t len);
	void *argument;       /* the reader's */
};

/* All of [address, address + len), or false. */
bool remote_read(const struct remote *r, uint64_t address, void *to, size_t len);

bool remote_u64(const struct remote *r, uint64_t address, uint64_t *value);
bool remote_u32(const struct remote *r, uint64_t address, uint32_t *value);
bool remote_i32(const struct remote *r, uint64_t address, int32_t *value);
bool remote_u16(const struct remote *r, uint64_t address, uint16_t *value);
bool remote_u8(const struct remote *r, uint64_t address, uint8_t *value);

/* Many parts in few calls of the kernel; a part that cannot be read is filled with 0.  Returns how
 * many could be read. */
size_t remote_read_parts(const struct remote *r, const struct remote_part *parts, size_t count);

/* A text that ends in NUL, of less than size bytes.  Returns false, and to is "", if it cannot be read
 * or is longer. */
bool remote_text(const struct remote *r, uint64_t address, char *to, size_t size);

#endif
