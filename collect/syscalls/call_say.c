#include "collect/syscalls/call_say.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include "collect/machine/procfs.h"
#include "collect/sampling/live_stack.h"
#include "collect/spans/held_stack.h"
#include "collect/syscalls/call_file.h"
#include "collect/syscalls/syscall_names.h"
#include "core/amount.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/utf8.h"
#include "core/wallclock.h"

/* --- reading stacks and paths while a call goes on --- */

/* /proc/PID/task/TID/syscall: "0 0x3 0x7ffd...0 0x1 0x0 0x0 0x0 0x7ffd29c0 0x7f2e91": the last two are sp and pc */
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
		is_whole = held_stack_complete((int)r->pid, (int)r->tid, r->sp, copy);
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

/* Read a path up to the end of each page, since the next page may be missing. */
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

static struct live_names names;

/* "2026-11-21T14:08:03.123456789Z db1 8513/8530 HOW read of pipe:[4711] WORD 1.002 s" */
static void call_say_add_call(struct str *out, const struct call_record *r, const char *how, const char *word)
{
	struct path_record read;
	struct str file = { 0 };

	live_time_add(out, r->end_ns);
	str_addc(out, ' ');
	live_thread_add(out, (int)r->pid, (int)r->tid);
	str_addf(out, " %s ", how);
	syscall_name_add(out, r->number);
	call_file_add(&file, call_held_path(r, &read));
	if (file.len) {
		str_puts(out, " of ");
		printable_add(out, file.buf, file.len);
	}
	str_free(&file);
	str_addf(out, " %s %s%s", word, r->flags & CALL_BEFORE ? "at least " : "", duration_text(r->ns).text);
}

/* ---- calls that hang ---- */

static struct {
	struct hanging {
		uint64_t number;
		uint32_t tid;
		struct str line, over; /* text to report: now, and later, if the call ended meanwhile */
	} * list;
	size_t count, cap;
	uint64_t numbers;
} hanging;

uint64_t call_say_hangs(const struct call_record *r)
{
	struct hanging *h;

	hanging.list = xgrow(hanging.list, &hanging.cap, hanging.count + 1, sizeof(*hanging.list));
	h = &hanging.list[hanging.count++];
	*h = (struct hanging){ .number = ++hanging.numbers, .tid = r->tid };
	call_say_add_call(&h->line, r, "still in", "after");
	return h->number;
}

enum { INNERMOST = 8 };

static bool call_say_ends_with(const char *text, size_t len, const char *end)
{
	size_t end_len = strlen(end);

	return len >= end_len && !memcmp(text + len - end_len, end, end_len);
}

/* Where in stack ("main;work;read;ksys_read_[k]") begins the last part with this many frames of the program? */
static const char *call_say_innermost(const char *stack)
{
	const char *at = stack + strlen(stack);
	size_t user = 0;

	while (at > stack) {
		const char *begin = at;

		while (begin > stack && begin[-1] != ';')
			begin--;
		user += !call_say_ends_with(begin, (size_t)(at - begin), "_[k]");
		if (user > INNERMOST)
			return at + 1;
		at = begin > stack ? begin - 1 : begin;
	}
	return stack;
}

/* Add the frames, without those that have no name. */
static void call_say_add_named(struct str *out, const char *stack)
{
	static const char unknown[] = "[unknown]";

	for (const char *frame = stack; *frame;) {
		size_t len = strcspn(frame, ";");

		if (len != sizeof(unknown) - 1 || memcmp(frame, unknown, len)) {
			str_add(out, frame, len);
			str_puts(out, frame[len] ? ";" : "");
		}
		frame += len + (frame[len] == ';');
	}
}

static void call_say_tell(struct hanging *h, const struct span *s)
{
	struct str whole = { 0 }, named = { 0 };
	const char *from;

	live_stack_add(&whole, &names, s->pid, s->chain, s->chain_count);
	call_say_add_named(&named, str_text(&whole));
	from = call_say_innermost(str_text(&named));
	if (*from)
		str_addf(&h->line, ": %s%s", from > named.buf ? "...;" : "", from);
	inform("%s", h->line.buf);
	if (h->over.len)
		inform("%s", h->over.buf);
	str_free(&whole);
	str_free(&named);
}

static void call_say_forget(struct hanging *h)
{
	str_free(&h->line);
	str_free(&h->over);
	*h = hanging.list[--hanging.count];
}

void call_say_stack(const struct span *s, struct walker *walker)
{
	names.walker = walker;
	for (size_t i = 0; i < hanging.count; i++) {
		if (hanging.list[i].number == s->begin_ns) {
			call_say_tell(&hanging.list[i], s);
			call_say_forget(&hanging.list[i]);
			return;
		}
	}
}

void call_say_over(const struct call_record *r)
{
	struct str line = { 0 };

	call_say_add_call(&line, r, "was in", "for");
	for (size_t i = 0; i < hanging.count; i++) {
		if (hanging.list[i].tid == r->tid) {
			str_free(&hanging.list[i].over);
			hanging.list[i].over = line;
			return;
		}
	}
	inform("%s", line.buf);
	str_free(&line);
}

void call_say_free(void)
{
	while (hanging.count) { /* their stacks were lost */
		inform("%s", hanging.list[0].line.buf);
		call_say_forget(&hanging.list[0]);
	}
	free(hanging.list);
	memset(&hanging, 0, sizeof(hanging));
	live_names_free(&names);
}
