#include "collect/syscalls/call_held.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>

#include "collect/machine/procfs.h"
#include "collect/spans/held_stack.h"

/* /proc/PID/task/TID/syscall: "0 0x3 0x7ffd...0 0x1 0x0 0x0 0x0 0x7ffd29c0 0x7f2e91": ends in sp and pc */
static bool call_held_is_there(const struct call_record *r)
{
	uint64_t sp = 0, pc = 0;
	struct str line = { 0 };
	char name[40];

	snprintf(name, sizeof(name), "task/%" PRIu32 "/syscall", r->tid);
	if (!read_process((pid_t)r->pid, name, &line) && line.len)
		sscanf(line.buf, "%*d %*x %*x %*x %*x %*x %*x %" SCNx64 " %" SCNx64, &sp, &pc);
	str_free(&line);
	return sp == r->sp && pc == r->ip;
}

bool call_held_stack(const struct call_record *r, struct chain_builder *chain, struct str *copy)
{
	uint64_t followed[SYSCALLS_FRAMES], cut = 0;
	bool is_whole = true;
	size_t count = 1;

	followed[0] = r->ip;
	if (copy->len)
		is_whole = held_stack_complete((int)r->tid, r->sp, copy);
	else
		count = held_stack_follow((int)r->tid, r->ip, r->bp, followed, SYSCALLS_FRAMES);
	if (!call_held_is_there(r)) {
		is_whole = false;
		count = count ? 1 : 0;
	}
	if (!is_whole)
		str_clear(copy);
	chain_builder_add_user(chain, followed, count, &cut);
	return is_whole;
}

/* A part of a path ends with its page: the next one may be missing. */
const struct path_record *call_held_path(const struct call_record *r, struct path_record *read)
{
	size_t room = PATH_TEXT_BYTES - 1, first = USER_COPY_PAGE - r->file.inode % USER_COPY_PAGE;
	struct iovec to = { read->names, room }, from[2];
	ssize_t n;

	if (r->file.kind != PATH_AT)
		return &r->file;
	memset(read, 0, sizeof(*read));
	if (first > room)
		first = room;
	from[0] = (struct iovec){ (void *)(uintptr_t)r->file.inode, first };
	from[1] = (struct iovec){ (void *)(uintptr_t)(r->file.inode + first), room - first };
	n = process_vm_readv((pid_t)r->tid, &to, 1, from, 2, 0);
	if (n > 0) {
		read->kind = PATH_TEXT;
		read->used = (uint32_t)strnlen(read->names, (size_t)n) + 1;
	}
	return read;
}
