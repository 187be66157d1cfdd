/* JIT-compiled code: what is where at which time, jitdumps and perf maps whole and damaged. */
#include <byteswap.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/symbols/jit/jit_code.h"
#include "core/symbols/jit/jitdump.h"
#include "core/symbols/jit/perfmap.h"
#include "core/symbols/space/spaces.h"
#include "tests/unit/check.h"

static const struct patience for_ever;

enum { LOAD, MOVE, DEBUG_INFO, CLOSE, UNWINDING };

/* --- spaces ------------------------------------------------------------------------ */

/* The module at an address, or -1. */
static int module_at(struct spaces *s, int pid, uint64_t address, uint64_t time_ns)
{
	const struct mapping *m = space_lookup(spaces_find(s, pid, time_ns), address, time_ns);

	return m ? (int)m->module : -1;
}

static void test_code_in_time(void)
{
	struct spaces s = {0};
	struct space *space;

	spaces_map_memory(&s, 1, 10, 0x1000, 0x1000, 1);
	spaces_map_memory(&s, 1, 25, 0x1000, 0x1000, 1); /* mprotect() */
	spaces_map(&s, 1, 10, 0x8000, 0x1000, 0, 2);
	spaces_code(&s, 1, 20, 0x1100, 0x100, 0x50, 3);
	spaces_code(&s, 1, 30, 0x1180, 0x40, 0x250, 4);
	spaces_code(&s, 1, 20, 0x1800, 0x10, 0x350, 5);
	spaces_code(&s, 1, 20, 0x8100, 0x10, 0x450, 6); /* a file is mapped there */
	spaces_code(&s, 1, 20, 0x9100, 0x10, 0x450, 7); /* nothing is */
	CHECK(module_at(&s, 1, 0x1000, 50) == 1);
	CHECK(module_at(&s, 1, 0x1180, 29) == 3);
	CHECK(module_at(&s, 1, 0x1180, 30) == 4);
	CHECK(module_at(&s, 1, 0x11c0, 30) == 3);
	CHECK(module_at(&s, 1, 0x1100, 5) == 3);  /* the first is valid from the beginning */
	CHECK(module_at(&s, 1, 0x1800, 15) == 5);
	CHECK(module_at(&s, 1, 0x8100, 50) == 2);
	CHECK(module_at(&s, 1, 0x9100, 50) == 7);
	space = spaces_find(&s, 1, 50);
	CHECK(space_lookup(space, 0x1190, 40)->offset + 0x1190 - space_lookup(space, 0x1190, 40)->start == 0x260);
	CHECK(space_context(&s, space, 29) != space_context(&s, space, 30));
	CHECK(space_context(&s, space, 31) == space_context(&s, space, 90));
	spaces_free(&s);
}

static void test_code_and_processes(void)
{
	struct spaces s = {0};

	spaces_map_memory(&s, 1, 10, 0x1000, 0x1000, 1);
	spaces_code(&s, 1, 20, 0x1100, 0x100, 0x50, 3);
	spaces_fork(&s, 2, 1, 30);
	spaces_map_memory(&s, 2, 35, 0x1000, 0x1000, 4); /* mprotect() in the child */
	spaces_code(&s, 2, 40, 0x1100, 0x100, 0x150, 5);
	spaces_code(&s, 1, 50, 0x1100, 0x100, 0x250, 6);
	CHECK(module_at(&s, 2, 0x1100, 60) == 5);
	CHECK(module_at(&s, 2, 0x1200, 60) == 4);
	CHECK(module_at(&s, 1, 0x1100, 45) == 3);
	CHECK(module_at(&s, 1, 0x1100, 60) == 6);
	spaces_fork(&s, 3, 1, 70);
	spaces_map_memory(&s, 3, 75, 0x1000, 0x1000, 7);
	CHECK(module_at(&s, 3, 0x1100, 80) == 6); /* the parent's */
	spaces_exec(&s, 3, 90);
	spaces_map_memory(&s, 3, 95, 0x1000, 0x1000, 8);
	CHECK(module_at(&s, 3, 0x1100, 99) == 8); /* an exec leaves it behind */
	spaces_free(&s);
}

/* As many as a large program makes. */
static void test_much_code(void)
{
	enum { COUNT = 100000 };
	struct spaces s = {0};
	bool right = true;

	spaces_map_memory(&s, 1, 1, 0, (uint64_t)COUNT * 64, 0);
	for (uint64_t i = 0; i < COUNT; i++)
		spaces_code(&s, 1, 10 + i, (i * 7919 % COUNT) * 64, 64, i * 100, (uint32_t)i + 1);
	for (uint64_t i = 0; i < COUNT; i++)
		right &= module_at(&s, 1, (i * 7919 % COUNT) * 64 + 63, 5) == (int)i + 1;
	CHECK(right);
	CHECK(space_context(&s, spaces_find(&s, 1, 5), 5) == space_context(&s, spaces_find(&s, 1, 5), COUNT));
	spaces_free(&s);
}

/* --- dumps -------------------------------------------------------------------------- */

struct dump {
	uint8_t bytes[4096];
	size_t len;
	bool swapped;
};

static void put_u32(struct dump *d, uint32_t n)
{
	n = d->swapped ? bswap_32(n) : n;
	memcpy(d->bytes + d->len, &n, sizeof(n));
	d->len += sizeof(n);
}

static void put_u64(struct dump *d, uint64_t n)
{
	n = d->swapped ? bswap_64(n) : n;
	memcpy(d->bytes + d->len, &n, sizeof(n));
	d->len += sizeof(n);
}

static void put_bytes(struct dump *d, const void *bytes, size_t len)
{
	memcpy(d->bytes + d->len, bytes, len);
	d->len += len;
}

static void put_prefix(struct dump *d, uint32_t id, size_t size, uint64_t time_ns)
{
	put_u32(d, id);
	put_u32(d, (uint32_t)size);
	put_u64(d, time_ns);
}

static void put_header(struct dump *d, uint64_t flags)
{
	put_u32(d, 0x4a695444);
	put_u32(d, 1);
	put_u32(d, 40);
	put_u32(d, 62);
	put_u32(d, 0);
	put_u32(d, 7);
	put_u64(d, 12345);
	put_u64(d, flags);
}

/* Returns where the code is. */
static size_t put_load(struct dump *d, const char *name, uint64_t time_ns, uint64_t start, size_t size)
{
	static const uint8_t code[256] = { 0x90 };

	put_prefix(d, LOAD, 56 + strlen(name) + 1 + size, time_ns);
	put_u32(d, 7);
	put_u32(d, 7);
	put_u64(d, start);
	put_u64(d, start);
	put_u64(d, size);
	put_u64(d, 1);
	put_bytes(d, name, strlen(name) + 1);
	put_bytes(d, code, size);
	return d->len - size;
}

static void put_move(struct dump *d, uint64_t time_ns, uint64_t from, uint64_t to)
{
	put_prefix(d, MOVE, 64, time_ns);
	put_u64(d, 0);
	put_u64(d, to);
	put_u64(d, from);
	put_u64(d, to);
	put_u64(d, 16);
	put_u64(d, 1);
}

static void put_lines(struct dump *d, uint64_t start, uint64_t shift)
{
	put_prefix(d, DEBUG_INFO, 32 + 2 * 16 + 5 + 2, 100);
	put_u64(d, start);
	put_u64(d, 2);
	put_u64(d, start + shift);
	put_u32(d, 7);
	put_u32(d, 0);
	put_bytes(d, "a.js", 5);
	put_u64(d, start + shift + 8);
	put_u32(d, 9);
	put_u32(d, 0);
	put_bytes(d, "\xff", 2);
}

static void put_unwinding(struct dump *d, const char *eh_frame)
{
	put_prefix(d, UNWINDING, 40 + strlen(eh_frame) + 4, 100);
	put_u64(d, strlen(eh_frame) + 4);
	put_u64(d, 4);
	put_u64(d, 0);
	put_bytes(d, eh_frame, strlen(eh_frame));
	put_bytes(d, "hdr.", 4);
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

static void test_dump(bool swapped)
{
	struct dump d = { .swapped = swapped };
	struct jit_code code = {0};
	struct jitdump reader = {0};
	struct arena names = {0};
	struct place wanted = {0};
	size_t first, second;
	int fd = temporary_file();

	put_header(&d, 0);
	first = put_load(&d, "first", 100, 0x1000, 16);
	put_lines(&d, 0x1000, swapped ? 64 : 0); /* as V8 does */
	put_unwinding(&d, "eh_frame");
	second = put_load(&d, "second", 200, 0x1000, 13);
	put_move(&d, 300, 0x1000, 0x2000);
	put_prefix(&d, 17, 24, 300); /* of a later version of the format */
	put_u64(&d, 0);
	put_prefix(&d, CLOSE, 16, 400);
	write_all(fd, d.bytes, d.len);
	jitdump_read(&reader, fd, true, &for_ever, &code);
	CHECK(!reader.refused && !code.bad && code.count == 3);
	CHECK(jit_code_piece(&code, 0)->from_ns == 100 && jit_code_piece(&code, 0)->offset == first && jit_code_piece(&code, 0)->size == 16);
	CHECK_TEXT(name_at(&code, 0x1000), "second");
	CHECK_TEXT(name_at(&code, 0x2000), "second");
	CHECK(jit_code_piece(&code, 2)->from_ns == 300 && jit_code_piece(&code, 2)->start == 0x2000 && jit_code_piece(&code, 2)->offset == second && jit_code_piece(&code, 2)->size == 13);
	CHECK(code.unwinding_count == 1 && code.unwinding[0].offset == second && code.unwinding[0].len == 8 &&
	      code.unwinding[0].eh_frame_address == second + 16 && !memcmp(code.bytes.buf, "eh_frame", 8));
	wanted.address = second + 12;
	jit_code_name(&code, &wanted, 1, &names);
	CHECK_TEXT(wanted.name ? wanted.name : "", "second");
	CHECK(wanted.line == 9 && wanted.file && !strcmp(wanted.file, "a.js"));
	arena_free(&names);
	jit_code_free(&code);
	close(fd);
}

static void test_refused(void)
{
	struct dump times = {0}, magic = {0};
	struct jit_code code = {0};
	struct jitdump reader = {0};
	int fd = temporary_file();

	put_header(&times, 1);
	put_load(&times, "first", 100, 0x1000, 16);
	write_all(fd, times.bytes, times.len);
	jitdump_read(&reader, fd, true, &for_ever, &code);
	CHECK(reader.refused && !code.count);
	close(fd);
	fd = temporary_file();
	reader = (struct jitdump){0};
	put_header(&magic, 0);
	magic.bytes[0] = 'x';
	write_all(fd, magic.bytes, magic.len);
	jitdump_read(&reader, fd, true, &for_ever, &code);
	CHECK_TEXT(reader.refused ? reader.refused : "", "is no jitdump");
	close(fd);
	jit_code_free(&code);
}

/* Byte by byte, as a reader may find it. */
static void test_dump_that_grows(void)
{
	struct jit_code code = {0};
	struct jitdump reader = {0};
	struct dump d = {0};
	int fd = temporary_file();

	put_header(&d, 0);
	put_load(&d, "first", 100, 0x1000, 16);
	put_load(&d, "second", 200, 0x2000, 16);
	put_move(&d, 300, 0x1000, 0x3000);
	for (size_t i = 0; i < d.len; i++) {
		jitdump_read(&reader, fd, false, &for_ever, &code);
		write_all(fd, d.bytes + i, 1);
	}
	jitdump_read(&reader, fd, true, &for_ever, &code);
	CHECK(code.count == 3 && !code.bad);
	CHECK_TEXT(name_at(&code, 0x3000), "first");
	jit_code_free(&code);
	close(fd);
}

/* Zeros, a hole, garbage, a name without an end, a move of nothing, a record cut short. */
static void test_damaged_dump(void)
{
	static const char zeros[64], garbage[] = "\xff\xff\xff\xff\xff\xff\xff\xff?";
	struct dump a = {0}, b = {0}, c = {0};
	struct jit_code code = {0};
	struct jitdump reader = {0};
	int fd = temporary_file();
	size_t at;

	put_header(&a, 0);
	put_load(&a, "first", 100, 0x1000, 16);
	put_bytes(&a, zeros, sizeof(zeros));
	put_load(&a, "second", 200, 0x2000, 16);
	write_all(fd, a.bytes, a.len);
	if (ftruncate(fd, 1 << 20))
		abort();
	put_load(&b, "third", 300, 0x3000, 16);
	put_bytes(&b, garbage, sizeof(garbage));
	put_load(&b, "fourth", 400, 0x4000, 16);
	at = put_load(&b, "fifth", 500, 0x5000, 16);
	memset(b.bytes + at - 1, 'x', 17);
	put_move(&b, 600, 0x9000, 0xa000);
	write_all(fd, b.bytes, b.len);
	jitdump_read(&reader, fd, false, &for_ever, &code);
	put_load(&c, "sixth", 700, 0x6000, 16);
	write_all(fd, c.bytes, c.len - 1);
	jitdump_read(&reader, fd, true, &for_ever, &code);
	CHECK_TEXT(name_at(&code, 0x1000), "first");
	CHECK_TEXT(name_at(&code, 0x2000), "second");
	CHECK_TEXT(name_at(&code, 0x3000), "third");
	CHECK_TEXT(name_at(&code, 0x4000), "fourth");
	CHECK_TEXT(name_at(&code, 0x5000), "(none)");
	CHECK_TEXT(name_at(&code, 0x6000), "(none)");
	CHECK(code.bad == 5 && reader.cut); /* more may come */
	jit_code_free(&code);
	close(fd);
}

/* --- maps --------------------------------------------------------------------------- */

static void look(struct perfmap *map, int fd, const char *text, uint64_t now_ns, struct jit_code *code)
{
	write_all(fd, text, strlen(text));
	perfmap_read(map, fd, now_ns, &for_ever, code);
}

static void test_map_in_time(void)
{
	struct perfmap map = {0};
	struct jit_code code = {0};
	struct spaces s = {0};
	int fd = temporary_file();

	spaces_map_memory(&s, 1, 1, 0x1000, 0x1000, 1);
	look(&map, fd, "1000 10 stale\n1000 10 a\n1800 8 same\r\n", 1000, &code);
	look(&map, fd, "1000 20 b\n1900 8 ne", 2000, &code);
	look(&map, fd, "w\n", 3000, &code);
	if (ftruncate(fd, 0))
		abort();
	look(&map, fd, "1800 8 same\n1900 8 new\n1008 8 c\nsuch long text, so that it is not shorter now\n", 4000, &code);
	jit_code_settle(&code);
	CHECK(code.count == 6 && code.bad == 1);
	for (size_t i = 0; i < code.count; i++) {
		if (jit_code_piece(&code, i)->by_time)
			spaces_code(&s, 1, jit_piece_since(jit_code_piece(&code, i), i, &s, 1), jit_code_piece(&code, i)->start,
				    jit_code_piece(&code, i)->size, jit_code_piece(&code, i)->offset, 10 + (uint32_t)i);
	}
	CHECK(module_at(&s, 1, 0x1000, 500) == 11);
	CHECK(module_at(&s, 1, 0x1000, 999) == 11);
	CHECK(module_at(&s, 1, 0x1008, 1500) == 13); /* since the look before */
	CHECK(module_at(&s, 1, 0x1008, 3500) == 15);
	CHECK(module_at(&s, 1, 0x1000, 3500) == 13);
	CHECK(module_at(&s, 1, 0x1800, 3500) == 1);  /* of all times: by address */
	CHECK(module_at(&s, 1, 0x1900, 500) == 1);
	spaces_free(&s);
	jit_code_free(&code);
	close(fd);
}

/* --- too much ------------------------------------------------------------------------- */

/* The largest that the file system has. */
static uint64_t grow_hole(int fd, uint64_t most)
{
	while (ftruncate(fd, (off_t)most))
		most /= 2;
	return most;
}

static void test_sparse_map(void)
{
	struct perfmap map = {0};
	struct jit_code code = {0};
	int fd = temporary_file();

	look(&map, fd, "1000 10 a\n", 1000, &code);
	grow_hole(fd, UINT64_C(8) << 40);
	CHECK(perfmap_read(&map, fd, 2000, &for_ever, &code) && !map.unread);
	CHECK(code.count == 1 && code.bad == 1);
	CHECK(perfmap_read(&map, fd, 3000, &for_ever, &code) && code.bad == 1); /* counted once */
	if (ftruncate(fd, 1 << 20))
		abort();
	look(&map, fd, "2000 10 b\n", 4000, &code);
	CHECK_TEXT(name_at(&code, 0x2000), "b");
	CHECK(code.bad == 1);
	grow_hole(fd, UINT64_C(4) << 30);
	look(&map, fd, "3000 10 c\n", 5000, &code);
	CHECK_TEXT(name_at(&code, 0x3000), "c");
	map.taken = UINT64_C(1) << 30; /* of more than that, the rest is told of */
	look(&map, fd, "4000 10 d\n", 6000, &code);
	CHECK_TEXT(name_at(&code, 0x4000), "(none)");
	CHECK(map.unread == strlen("4000 10 d\n"));
	jit_code_free(&code);
	close(fd);
}

static void test_sparse_dump(void)
{
	struct jit_code code = {0};
	struct jitdump reader = {0};
	struct dump d = {0};
	int fd = temporary_file();

	put_header(&d, 0);
	put_load(&d, "first", 100, 0x1000, 16);
	write_all(fd, d.bytes, d.len);
	grow_hole(fd, UINT64_C(8) << 40);
	CHECK(jitdump_read(&reader, fd, false, &for_ever, &code));
	CHECK(jitdump_read(&reader, fd, true, &for_ever, &code));
	CHECK_TEXT(name_at(&code, 0x1000), "first");
	CHECK(code.bad == 1 && !reader.unread);
	jit_code_free(&code);
	close(fd);
}

static void write_large_map(int fd)
{
	struct str text = {0};

	for (unsigned i = 0; i < 100000; i++)
		str_addf(&text, "%x 10 function_%u\n", 0x10000 + i % 90000 * 16, i);
	write_all(fd, text.buf, text.len);
	str_free(&text);
}

/* Bit by bit it is the same: what a look begins with was there at one time. */
static void test_patience(void)
{
	struct patience none = { 1 };
	struct perfmap map = {0}, whole_map = {0};
	struct jit_code code = {0}, whole = {0};
	int fd = temporary_file();
	unsigned calls = 0;
	bool same = true;

	write_large_map(fd);
	CHECK(!perfmap_read(&map, fd, 1000, &none, &code) && !code.count && map.unread);
	for (struct patience little = {0}; calls < 1000000; calls++) {
		little = patience_of(1000000);
		if (perfmap_read(&map, fd, 1000 + calls, &little, &code))
			break;
	}
	perfmap_read(&whole_map, fd, 1000, &for_ever, &whole);
	CHECK(!map.unread && code.count == 100000 && whole.count == 100000);
	for (size_t i = 0; i < whole.count && i < code.count; i++) {
		const struct jit_piece *a = jit_code_piece(&code, i), *b = jit_code_piece(&whole, i);

		same &= a->start == b->start && a->seen_ns == b->seen_ns && a->from_ns == b->from_ns &&
			!strcmp(jit_piece_name(&code, a), jit_piece_name(&whole, b));
	}
	CHECK(same);
	CHECK_TEXT(name_at(&code, 0x10000), "function_90000"); /* the last one wins */
	jit_code_free(&code);
	jit_code_free(&whole);
	close(fd);
}

static void test_stop_is_asked(void)
{
	struct patience hour = patience_of(UINT64_C(3600) * 1000000000);
	struct perfmap map = {0};
	struct jitdump reader = {0};
	struct jit_code code = {0};
	struct dump d = {0};
	int fd = temporary_file(), dump = temporary_file(), number;
	sigset_t term;

	write_large_map(fd);
	put_header(&d, 0);
	put_load(&d, "first", 100, 0x1000, 16);
	write_all(dump, d.bytes, d.len);
	sigemptyset(&term);
	sigaddset(&term, SIGTERM);
	sigprocmask(SIG_BLOCK, &term, NULL);
	raise(SIGTERM);
	CHECK(stop_is_asked() && patience_is_over(&hour));
	CHECK(!perfmap_read(&map, fd, 1000, &hour, &code) && map.unread);
	CHECK(!jitdump_read(&reader, dump, true, &hour, &code) && reader.unread);
	sigwait(&term, &number);
	CHECK(!stop_is_asked() && !patience_is_over(&hour));
	CHECK(perfmap_read(&map, fd, 1000, &hour, &code) && jitdump_read(&reader, dump, true, &hour, &code));
	jit_code_free(&code);
	close(fd);
	close(dump);
}

/* Starts that lie in one another's place of the table, again and again. */
static void test_collisions(void)
{
	enum { COUNT = 20000 };
	struct jit_code code = {0};

	for (uint64_t i = 0; i < COUNT; i++) {
		if (!jit_code_add(&code, 0x1000 + i % 16, 1 + i, 0, "x", 1))
			break;
	}
	CHECK(code.count == COUNT && jit_code_at(&code, 0x1003)->size == COUNT - 12);
	jit_code_free(&code);
}

/* --- any bytes ------------------------------------------------------------------------ */

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
		case 0:
			bytes[at] ^= (uint8_t)(1 << next_random(state) % 8);
			break;
		case 1:
			memset(bytes + at, edges[next_random(state) % sizeof(edges)],
			       next_random(state) % 9 < *len - at ? next_random(state) % 9 % (*len - at) : 1);
			break;
		case 2:
			*len = at + 1;
			break;
		case 3:
			memmove(bytes + at / 2, bytes + at, *len - at);
			*len -= at - at / 2;
			break;
		}
	}
}

/* What is found must be good for being looked up. */
static void use(struct jit_code *code)
{
	struct place wanted[4] = { { .address = 0 }, { .address = 0x1000 }, { .address = UINT64_C(1) << 62 },
				   { .address = UINT64_MAX } };
	struct arena names = {0};
	struct spaces s = {0};

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

static void test_mutations(void)
{
	static const char text[] = "1000 10 first\n0x1008 8 second: with blanks\n1000 10 third\n2000 1 x\n";
	struct dump whole = {0};
	uint32_t state = 1;

	put_header(&whole, 0);
	put_load(&whole, "first", 100, 0x1000, 16);
	put_lines(&whole, 0x1000, 0);
	put_unwinding(&whole, "eh_frame");
	put_load(&whole, "second", 200, 0x1000, 13);
	put_move(&whole, 300, 0x1000, 0x2000);
	put_prefix(&whole, CLOSE, 16, 400);
	for (int i = 0; i < 1000; i++) {
		struct dump d = whole;
		uint8_t map[sizeof(text)];
		size_t map_len = sizeof(text) - 1;
		struct jit_code dumped = {0}, mapped = {0};
		struct jitdump reader = {0};
		struct perfmap lines = {0};
		int fd = temporary_file();

		damage(d.bytes, &d.len, &state);
		write_all(fd, d.bytes, d.len);
		jitdump_read(&reader, fd, false, &for_ever, &dumped);
		jitdump_read(&reader, fd, true, &for_ever, &dumped);
		use(&dumped);
		memcpy(map, text, sizeof(text));
		damage(map, &map_len, &state);
		if (ftruncate(fd, 0))
			abort();
		write_all(fd, map, map_len / 2);
		perfmap_read(&lines, fd, 1, &for_ever, &mapped);
		write_all(fd, map + map_len / 2, map_len - map_len / 2);
		perfmap_read(&lines, fd, 2, &for_ever, &mapped);
		use(&mapped);
		jit_code_free(&dumped);
		jit_code_free(&mapped);
		close(fd);
	}
	CHECK("a thousand damaged dumps and maps");
}

int main(void)
{
	test_code_in_time();
	test_code_and_processes();
	test_much_code();
	test_dump(false);
	test_dump(true);
	test_refused();
	test_dump_that_grows();
	test_damaged_dump();
	test_map_in_time();
	test_sparse_map();
	test_sparse_dump();
	test_patience();
	test_stop_is_asked();
	test_collisions();
	test_mutations();
	return check_done();
}
