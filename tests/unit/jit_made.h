/* jit_made: files and names of JIT-compiled code, for the tests of maps and of dumps. */
#ifndef TESTS_UNIT_JIT_MADE_H
#define TESTS_UNIT_JIT_MADE_H

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/patience.h"
#include "core/symbols/jit/jit_code.h"
#include "core/symbols/space/spaces.h"

static const struct patience for_ever;

/* The module at an address, or -1. */
static int module_at(struct spaces *s, int pid, uint64_t address, uint64_t time_ns)
{
	const struct mapping *m = space_lookup(spaces_find(s, pid, time_ns), address, time_ns);

	return m ? (int)m->module : -1;
}

static int temporary_file(void)
{
	char path[] = "/tmp/pyrograph-jit-XXXXXX";
	int fd = mkstemp(path);

	unlink(path);
	return fd;
}

static void write_all(int fd, const void *bytes, size_t len)
{
	if (pwrite(fd, bytes, len, lseek(fd, 0, SEEK_END)) != (ssize_t)len)
		abort();
}

static const char *name_at(const struct jit_code *code, uint64_t start)
{
	const struct jit_piece *p = jit_code_at(code, start);

	return p ? jit_piece_name(code, p) : "(none)";
}

/* The largest that the file system has. */
static uint64_t grow_hole(int fd, uint64_t most)
{
	while (ftruncate(fd, (off_t)most))
		most /= 2;
	return most;
}

/* SIGTERM waits until it is taken again. */
static void ask_to_stop(void)
{
	sigset_t term;

	sigemptyset(&term);
	sigaddset(&term, SIGTERM);
	sigprocmask(SIG_BLOCK, &term, NULL);
	raise(SIGTERM);
}

static void take_stop(void)
{
	sigset_t term;
	int number;

	sigemptyset(&term);
	sigaddset(&term, SIGTERM);
	sigwait(&term, &number);
}

static uint32_t next_random(uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 8;
}

static void damage(uint8_t *bytes, size_t *len, uint32_t *state)
{
	static const uint8_t edges[] = { 0, 1, 0x7f, 0x80, 0xff, '\n', ' ' };

	for (uint32_t n = 1 + next_random(state) % 4; n; n--) {
		size_t at = next_random(state) % *len;

		switch (next_random(state) % 4) {
		case 0: bytes[at] ^= (uint8_t)(1 << next_random(state) % 8); break;
		case 1:
			memset(bytes + at, edges[next_random(state) % sizeof(edges)],
			       next_random(state) % 9 < *len - at ? next_random(state) % 9 % (*len - at) : 1);
			break;
		case 2: *len = at + 1; break;
		case 3:
			memmove(bytes + at / 2, bytes + at, *len - at);
			*len -= at - at / 2;
			break;
		}
	}
}

/* A symbol that is found must be usable in lookups. */
static void use(struct jit_code *code)
{
	struct place wanted[4] = {
		{ .address = 0 }, { .address = 0x1000 }, { .address = UINT64_C(1) << 62 }, { .address = UINT64_MAX }
	};
	struct arena names = { 0 };
	struct spaces s = { 0 };

	jit_code_settle(code);
	jit_code_name(code, wanted, 4, &names);
	for (size_t i = 0; i < code->count; i++)
		spaces_code(&s, 1, jit_piece_since(jit_code_piece(code, i), i, &s, 1), jit_code_piece(code, i)->start,
			    jit_code_piece(code, i)->size, jit_code_piece(code, i)->offset, 1);
	for (size_t i = 0; i < code->unwinding_count; i++) {
		if (code->unwinding[i].at + code->unwinding[i].len > code->bytes.len)
			abort();
	}
	module_at(&s, 1, 0x1000, 150);
	spaces_free(&s);
	arena_free(&names);
}

#endif
