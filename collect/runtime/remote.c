#include "collect/runtime/remote.h"

#include <limits.h>
#include <string.h>
#include <sys/uio.h>

enum { PAGE = 4096, PARTS_MAX = 512 };

_Static_assert(PARTS_MAX <= IOV_MAX, "as many as the kernel takes");

bool remote_read(const struct remote *r, uint64_t address, void *to, size_t len)
{
	struct iovec local = { to, len }, remote = { (void *)(uintptr_t)address, len };

	if (r->read)
		return r->read(r, address, to, len);
	return process_vm_readv(r->pid, &local, 1, &remote, 1, 0) == (ssize_t)len;
}

bool remote_u64(const struct remote *r, uint64_t address, uint64_t *value)
{
	return remote_read(r, address, value, sizeof(*value));
}

bool remote_u32(const struct remote *r, uint64_t address, uint32_t *value)
{
	return remote_read(r, address, value, sizeof(*value));
}

bool remote_i32(const struct remote *r, uint64_t address, int32_t *value)
{
	return remote_read(r, address, value, sizeof(*value));
}

bool remote_u16(const struct remote *r, uint64_t address, uint16_t *value)
{
	return remote_read(r, address, value, sizeof(*value));
}

bool remote_u8(const struct remote *r, uint64_t address, uint8_t *value)
{
	return remote_read(r, address, value, sizeof(*value));
}

/* The kernel stops at the first part that it cannot read.  Returns how many parts were read completely. */
static size_t read_until_fault(const struct remote *r, const struct remote_part *parts, size_t count)
{
	struct iovec local[PARTS_MAX], remote[PARTS_MAX];
	ssize_t got;

	for (size_t i = 0; i < count; i++) {
		local[i] = (struct iovec){ parts[i].to, parts[i].len };
		remote[i] = (struct iovec){ (void *)(uintptr_t)parts[i].address, parts[i].len };
	}
	got = process_vm_readv(r->pid, local, count, remote, count, 0);
	for (size_t i = 0; i < count; i++) {
		if (got < (ssize_t)parts[i].len)
			return i;
		got -= (ssize_t)parts[i].len;
	}
	return count;
}

size_t remote_read_parts(const struct remote *r, const struct remote_part *parts, size_t count)
{
	size_t whole = 0;

	for (size_t at = 0; at < count;) {
		size_t some = count - at < PARTS_MAX ? count - at : PARTS_MAX;
		size_t done = r->read ? remote_read(r, parts[at].address, parts[at].to, parts[at].len)
				      : read_until_fault(r, parts + at, some);

		whole += done;
		at += done;
		if (!done)
			memset(parts[at].to, 0, parts[at].len), at++;
	}
	return whole;
}

bool remote_text(const struct remote *r, uint64_t address, char *to, size_t size)
{
	size_t have = 0;

	while (have < size) {
		size_t in_page = PAGE - (size_t)((address + have) % PAGE);
		size_t len = size - have < in_page ? size - have : in_page;

		if (len > 64)
			len = 64;
		if (!remote_read(r, address + have, to + have, len))
			break;
		if (memchr(to + have, 0, len))
			return true;
		have += len;
	}
	to[0] = '\0';
	return false;
}
