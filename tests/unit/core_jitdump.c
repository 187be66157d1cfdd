/* jitdump: code that a runtime wrote into a dump: whole, damaged, and still growing. */
#include <byteswap.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/symbols/jit/jit_code.h"
#include "core/symbols/jit/jitdump.h"
#include "tests/unit/check.h"
#include "tests/unit/jit_made.h"

enum { LOAD, MOVE, DEBUG_INFO, CLOSE, UNWINDING };

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

static void test_dump(bool swapped)
{
	struct dump d = { .swapped = swapped };
	struct jit_code code = { 0 };
	struct jitdump reader = { 0 };
	struct arena names = { 0 };
	struct place wanted = { 0 };
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
	CHECK(jit_code_piece(&code, 0)->from_ns == 100 && jit_code_piece(&code, 0)->offset == first &&
	      jit_code_piece(&code, 0)->size == 16);
	CHECK_TEXT(name_at(&code, 0x1000), "second");
	CHECK_TEXT(name_at(&code, 0x2000), "second");
	CHECK(jit_code_piece(&code, 2)->from_ns == 300 && jit_code_piece(&code, 2)->start == 0x2000 &&
	      jit_code_piece(&code, 2)->offset == second && jit_code_piece(&code, 2)->size == 13);
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
	struct dump times = { 0 }, magic = { 0 };
	struct jit_code code = { 0 };
	struct jitdump reader = { 0 };
	int fd = temporary_file();

	put_header(&times, 1);
	put_load(&times, "first", 100, 0x1000, 16);
	write_all(fd, times.bytes, times.len);
	jitdump_read(&reader, fd, true, &for_ever, &code);
	CHECK(reader.refused && !code.count);
	close(fd);
	fd = temporary_file();
	reader = (struct jitdump){ 0 };
	put_header(&magic, 0);
	magic.bytes[0] = 'x';
	write_all(fd, magic.bytes, magic.len);
	jitdump_read(&reader, fd, true, &for_ever, &code);
	CHECK_TEXT(reader.refused ? reader.refused : "", "is not a jitdump");
	close(fd);
	jit_code_free(&code);
}

/* The dump grows byte by byte, as a reader may find it. */
static void test_dump_that_grows(void)
{
	struct jit_code code = { 0 };
	struct jitdump reader = { 0 };
	struct dump d = { 0 };
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
	struct dump a = { 0 }, b = { 0 }, c = { 0 };
	struct jit_code code = { 0 };
	struct jitdump reader = { 0 };
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

static void test_sparse_dump(void)
{
	struct jit_code code = { 0 };
	struct jitdump reader = { 0 };
	struct dump d = { 0 };
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

static void test_stop_is_asked(void)
{
	struct patience hour = patience_of(UINT64_C(3600) * 1000000000);
	struct jitdump reader = { 0 };
	struct jit_code code = { 0 };
	struct dump d = { 0 };
	int fd = temporary_file();

	put_header(&d, 0);
	put_load(&d, "first", 100, 0x1000, 16);
	write_all(fd, d.bytes, d.len);
	ask_to_stop();
	CHECK(!jitdump_read(&reader, fd, true, &hour, &code) && reader.unread);
	take_stop();
	CHECK(jitdump_read(&reader, fd, true, &hour, &code));
	jit_code_free(&code);
	close(fd);
}

static void test_mutations(void)
{
	struct dump whole = { 0 };
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
		struct jit_code code = { 0 };
		struct jitdump reader = { 0 };
		int fd = temporary_file();

		damage(d.bytes, &d.len, &state);
		write_all(fd, d.bytes, d.len);
		jitdump_read(&reader, fd, false, &for_ever, &code);
		jitdump_read(&reader, fd, true, &for_ever, &code);
		use(&code);
		jit_code_free(&code);
		close(fd);
	}
	CHECK("a thousand damaged dumps");
}

int main(void)
{
	test_dump(false);
	test_dump(true);
	test_refused();
	test_dump_that_grows();
	test_damaged_dump();
	test_sparse_dump();
	test_stop_is_asked();
	test_mutations();
	return check_done();
}
