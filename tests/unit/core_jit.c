/* JIT-compiled code: which code is where at which time; perf maps, whole and damaged. */
#include <stdlib.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/symbols/jit/jit_code.h"
#include "core/symbols/jit/perfmap.h"
#include "core/symbols/space/spaces.h"
#include "tests/unit/check.h"
#include "tests/unit/jit_made.h"

/* --- spaces ------------------------------------------------------------------------ */

static void test_code_in_time(void)
{
	struct spaces s = { 0 };
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
	CHECK(module_at(&s, 1, 0x1100, 5) == 3); /* the first is valid from the beginning */
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
	struct spaces s = { 0 };

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
	struct spaces s = { 0 };
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

/* Code that begins inside the table slots of other code, again and again. */
static void test_collisions(void)
{
	enum { COUNT = 20000 };
	struct jit_code code = { 0 };

	for (uint64_t i = 0; i < COUNT; i++) {
		if (!jit_code_add(&code, 0x1000 + i % 16, 1 + i, 0, "x", 1))
			break;
	}
	CHECK(code.count == COUNT && jit_code_at(&code, 0x1003)->size == COUNT - 12);
	jit_code_free(&code);
}

/* --- maps --------------------------------------------------------------------------- */

static void look(struct perfmap *map, int fd, const char *text, uint64_t now_ns, struct jit_code *code)
{
	write_all(fd, text, strlen(text));
	perfmap_read(map, fd, now_ns, &for_ever, code);
}

static void test_map_in_time(void)
{
	struct perfmap map = { 0 };
	struct jit_code code = { 0 };
	struct spaces s = { 0 };
	int fd = temporary_file();

	spaces_map_memory(&s, 1, 1, 0x1000, 0x1000, 1);
	look(&map, fd, "1000 10 stale\n1000 10 a\n1800 8 same\r\n", 1000, &code);
	look(&map, fd, "1000 20 b\n1900 8 ne", 2000, &code);
	look(&map, fd, "w\n", 3000, &code);
	if (ftruncate(fd, 0))
		abort();
	look(&map, fd, "1800 8 same\n1900 8 new\n1008 8 c\nsuch long text, so that it is not shorter now\n", 4000,
	     &code);
	jit_code_settle(&code);
	CHECK(code.count == 6 && code.bad == 1);
	for (size_t i = 0; i < code.count; i++) {
		if (jit_code_piece(&code, i)->by_time)
			spaces_code(&s, 1, jit_piece_since(jit_code_piece(&code, i), i, &s, 1),
				    jit_code_piece(&code, i)->start, jit_code_piece(&code, i)->size,
				    jit_code_piece(&code, i)->offset, 10 + (uint32_t)i);
	}
	CHECK(module_at(&s, 1, 0x1000, 500) == 11);
	CHECK(module_at(&s, 1, 0x1000, 999) == 11);
	CHECK(module_at(&s, 1, 0x1008, 1500) == 13); /* since the look before */
	CHECK(module_at(&s, 1, 0x1008, 3500) == 15);
	CHECK(module_at(&s, 1, 0x1000, 3500) == 13);
	CHECK(module_at(&s, 1, 0x1800, 3500) == 1); /* of all times: by address */
	CHECK(module_at(&s, 1, 0x1900, 500) == 1);
	spaces_free(&s);
	jit_code_free(&code);
	close(fd);
}

/* --- too much ------------------------------------------------------------------------- */

static void test_sparse_map(void)
{
	struct perfmap map = { 0 };
	struct jit_code code = { 0 };
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
	map.taken = UINT64_C(1) << 30; /* if there are more, the rest is reported */
	look(&map, fd, "4000 10 d\n", 6000, &code);
	CHECK_TEXT(name_at(&code, 0x4000), "(none)");
	CHECK(map.unread == strlen("4000 10 d\n"));
	jit_code_free(&code);
	close(fd);
}

static void write_large_map(int fd)
{
	struct str text = { 0 };

	for (unsigned i = 0; i < 100000; i++)
		str_addf(&text, "%x 10 function_%u\n", 0x10000 + i % 90000 * 16, i);
	write_all(fd, text.buf, text.len);
	str_free(&text);
}

/* A map that is read in several steps gives the same result as a map that is read at once. */
static void test_patience(void)
{
	struct patience none = { 1 };
	struct perfmap map = { 0 }, whole_map = { 0 };
	struct jit_code code = { 0 }, whole = { 0 };
	int fd = temporary_file();
	unsigned calls = 0;
	bool same = true;

	write_large_map(fd);
	CHECK(!perfmap_read(&map, fd, 1000, &none, &code) && !code.count && map.unread);
	for (struct patience little = { 0 }; calls < 1000000; calls++) {
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
	struct perfmap map = { 0 };
	struct jit_code code = { 0 };
	int fd = temporary_file();

	write_large_map(fd);
	ask_to_stop();
	CHECK(stop_is_asked() && patience_is_over(&hour));
	CHECK(!perfmap_read(&map, fd, 1000, &hour, &code) && map.unread);
	take_stop();
	CHECK(!stop_is_asked() && !patience_is_over(&hour));
	CHECK(perfmap_read(&map, fd, 1000, &hour, &code));
	jit_code_free(&code);
	close(fd);
}

/* --- any bytes ------------------------------------------------------------------------ */

static void test_mutations(void)
{
	static const char text[] = "1000 10 first\n0x1008 8 second: with blanks\n1000 10 third\n2000 1 x\n";
	uint32_t state = 1;

	for (int i = 0; i < 1000; i++) {
		uint8_t map[sizeof(text)];
		size_t len = sizeof(text) - 1;
		struct jit_code code = { 0 };
		struct perfmap lines = { 0 };
		int fd = temporary_file();

		memcpy(map, text, sizeof(text));
		damage(map, &len, &state);
		write_all(fd, map, len / 2);
		perfmap_read(&lines, fd, 1, &for_ever, &code);
		write_all(fd, map + len / 2, len - len / 2);
		perfmap_read(&lines, fd, 2, &for_ever, &code);
		use(&code);
		jit_code_free(&code);
		close(fd);
	}
	CHECK("a thousand damaged maps");
}

int main(void)
{
	test_code_in_time();
	test_code_and_processes();
	test_much_code();
	test_collisions();
	test_map_in_time();
	test_sparse_map();
	test_patience();
	test_stop_is_asked();
	test_mutations();
	return check_done();
}
