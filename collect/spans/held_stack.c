#include "collect/spans/held_stack.h"

#include <stddef.h>
#include <string.h>
#include <sys/uio.h>

#include "bpf/user_copy.h"
#include "collect/python/python_held.h"
#include "collect/sampling/stack_walk.h"

/* rbp -> { rbp of the caller, return address } -> ... */
size_t held_stack_follow(int tid, uint64_t ip, uint64_t bp, uint64_t *stack, size_t most)
{
	uint64_t at = bp, frame[2];
	size_t count = 0;

	if (!ip)
		return 0;
	stack[count++] = ip;
	while (count < most && at % sizeof(at) == 0) {
		struct iovec to = { frame, sizeof(frame) };
		struct iovec from = { (void *)(uintptr_t)at, sizeof(frame) };

		if (process_vm_readv(tid, &to, 1, &from, 1, 0) != sizeof(frame))
			break;
		if (!frame[1] || frame[1] >> 63)
			break;
		stack[count++] = frame[1];
		if (frame[0] <= at)
			break;
		at = frame[0];
	}
	return count;
}

/* Read page by page, since a transfer fails for a part that is not completely readable. */
static size_t held_stack_read_stack(int tid, uint64_t sp, uint8_t *to, size_t room)
{
	struct iovec local = { to, room }, pages[CALL_GRAPH_BYTES / USER_COPY_PAGE + 1];
	size_t count = 0, done = 0;
	ssize_t n;

	while (done < room && count < sizeof(pages) / sizeof(*pages)) {
		size_t len = USER_COPY_PAGE - (sp + done) % USER_COPY_PAGE;

		if (len > room - done)
			len = room - done;
		pages[count++] = (struct iovec){ (void *)(uintptr_t)(sp + done), len };
		done += len;
	}
	n = process_vm_readv(tid, &local, 1, pages, count, 0);
	return n > 0 ? (size_t)n : 0;
}

bool held_stack_complete(int pid, int tid, uint64_t sp, struct str *copy)
{
	uint8_t stack[CALL_GRAPH_BYTES];
	uint64_t thread, frames = 0;
	size_t len, place = offsetof(struct user_copy, python);

	if (copy->len != sizeof(struct user_copy))
		return true;
	memcpy(&thread, copy->buf + place, sizeof(thread));
	len = held_stack_read_stack(tid, sp, stack, sizeof(stack));
	str_add(copy, (const char *)stack, len);
	if (len)
		frames = python_held_add(pid, thread, copy);
	memcpy(copy->buf + place, &frames, sizeof(frames));
	return len > 0;
}
