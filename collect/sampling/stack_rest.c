#include "collect/sampling/stack_rest.h"

#include <string.h>
#include <sys/uio.h>

enum {
	PAGE = 4096, /* where pages are larger, copies also end at a multiple of this */
	PAGES_MAX = STACK_REST_MAX / PAGE + 1,
	SAME_MAX = 256, /* number of bytes at the end of the copy that must be unchanged, if the copy is that long */
};

#ifdef __aarch64__
enum { STACK_POINTER = 31 }; /* linux/arch/.../include/uapi/asm/perf_regs.h */
#else
enum { STACK_POINTER = 7 };
#endif

bool stack_begin(const struct unwind_sample *s, uint64_t *sp)
{
	uint64_t bit = (uint64_t)1 << STACK_POINTER;

	if (!s->regs || !(s->regs_mask & bit))
		return false;
	memcpy(sp, s->regs + 8 * (size_t)__builtin_popcountll(s->regs_mask & (bit - 1)), sizeof(*sp));
	return true;
}

static bool find_end(const struct unwind_sample *s, uint64_t *end)
{
	if (!stack_begin(s, end))
		return false;
	*end += s->stack_len;
	return true;
}

bool stack_rest_is_missing(const struct unwind_sample *s)
{
	uint64_t end;

	return s->stack_len && s->stack_len < s->stack_wanted && find_end(s, &end) && end % PAGE == 0;
}

/* Read a stack in one part per page, since reading stops at the first missing page.  Returns the number of bytes
 * read. */
static size_t read_pages(int pid, uint64_t address, uint8_t *to, size_t len)
{
	struct iovec local = { to, len }, remote[PAGES_MAX];
	size_t count = 0;
	ssize_t got;

	for (size_t at = 0; at < len && count < PAGES_MAX; at += PAGE)
		remote[count++] =
			(struct iovec){ (void *)(uintptr_t)(address + at), len - at < PAGE ? len - at : PAGE };
	got = process_vm_readv(pid, &local, 1, remote, count, 0);
	return got > 0 ? (size_t)got : 0;
}

bool stack_rest_read(struct unwind_sample *s, int pid, uint8_t buffer[STACK_REST_MAX])
{
	size_t wanted = s->stack_wanted < STACK_REST_MAX ? s->stack_wanted : STACK_REST_MAX, got;
	size_t same = s->stack_len < SAME_MAX ? s->stack_len : SAME_MAX;
	uint8_t now[SAME_MAX];
	uint64_t end;

	if (wanted <= s->stack_len || !find_end(s, &end))
		return false;
	got = read_pages(pid, end, buffer + s->stack_len, wanted - s->stack_len) & ~(size_t)7;
	if (!got || read_pages(pid, end - same, now, same) != same ||
	    memcmp(now, s->stack + s->stack_len - same, same) != 0)
		return false;
	memcpy(buffer, s->stack, s->stack_len);
	s->stack = buffer;
	s->stack_len += got;
	return true;
}
