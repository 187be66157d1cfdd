/* collect/python/: lines of instructions, text and names of modules in the memory of an interpreter (this program's, made
 * up), and copies of frames that arrive apart from their samples. */
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "collect/python/python_copies.h"
#include "collect/python/python_lines.h"
#include "collect/python/python_text.h"
#include "tests/unit/check.h"

/* ---- lines: of a function that begins in line 2, as the interpreters of these versions made its tables ---- */

static const uint8_t of_3_9[] = { 0x00, 0x01, 0x04, 0x01, 0x04, 0x01, 0x02, 0x01, 0x02, 0x01, 0x02, 0xff,
				  0x02, 0xff, 0x04, 0x06, 0x0c, 0x01, 0x0a, 0x01, 0x06, 0x01, 0x02, 0xff };
static const uint8_t of_3_10[] = { 0x04, 0x01, 0x04, 0x01, 0x02, 0x01, 0x02, 0x01, 0x02, 0x01, 0x02, 0xff,
				   0x04, 0xff, 0x0c, 0x06, 0x0a, 0x01, 0x06, 0x01, 0x02, 0x01, 0x06, 0xff };
static const uint8_t of_3_11[] = { 0x80, 0x00, 0xd8, 0x08, 0x09, 0x80, 0x41, 0xd8, 0x07, 0x08, 0xf0, 0x00, 0x03,
				   0x05, 0x10, 0xd8, 0x0d, 0x0e, 0xd8, 0x0d, 0x0e, 0xd8, 0x0d, 0x0e, 0xf1, 0x03,
				   0x01, 0x0e, 0x0f, 0xf1, 0x03, 0x02, 0x0e, 0x0f, 0x88, 0x01, 0xf5, 0x0c, 0x00,
				   0x0e, 0x13, 0x90, 0x31, 0x89, 0x58, 0x8c, 0x58, 0xf0, 0x00, 0x01, 0x05, 0x0f,
				   0xf0, 0x00, 0x01, 0x05, 0x0f, 0x88, 0x01, 0xd8, 0x08, 0x09, 0x88, 0x51, 0x89,
				   0x06, 0x88, 0x01, 0x88, 0x01, 0xf0, 0x02, 0x01, 0x0c, 0x18, 0xf0, 0x00, 0x01,
				   0x0c, 0x18, 0xd8, 0x15, 0x16, 0xf0, 0x03, 0x01, 0x0c, 0x18, 0xf1, 0x00, 0x01,
				   0x0c, 0x18, 0xf4, 0x00, 0x01, 0x0c, 0x18, 0xf0, 0x00, 0x01, 0x05, 0x18 };

struct stretch {
	uint32_t from, line; /* from the previous one's end on; up to this instruction */
};

static void check_table(enum python_lines form, const uint8_t *table, size_t len, const struct stretch *wanted)
{
	for (uint32_t at = 0; wanted->from; wanted++) {
		for (; at < wanted->from; at += 2)
			CHECK(python_line(form, table, len, 2, at) == wanted->line);
	}
	for (size_t cut = 0; cut < len; cut++) /* is nothing read beyond its end? */
		python_line(form, table, cut, 2, 1 << 20);
	CHECK(!python_line(form, table, form == PYTHON_LNOTAB ? 0 : len, form == PYTHON_LNOTAB ? 0 : 2, 1 << 20));
}

static void check_lines(void)
{
	check_table(PYTHON_LNOTAB, of_3_9, sizeof(of_3_9),
		    (const struct stretch[]){ { 4, 3 },
					      { 8, 4 },
					      { 10, 5 },
					      { 12, 6 },
					      { 14, 7 },
					      { 16, 6 },
					      { 20, 5 },
					      { 32, 11 },
					      { 42, 12 },
					      { 48, 13 },
					      { 50, 14 },
					      { 56, 13 },
					      { 0, 0 } });
	check_table(PYTHON_LINETABLE, of_3_10, sizeof(of_3_10),
		    (const struct stretch[]){ { 4, 3 },
					      { 8, 4 },
					      { 10, 5 },
					      { 12, 6 },
					      { 14, 7 },
					      { 16, 6 },
					      { 20, 5 },
					      { 32, 11 },
					      { 42, 12 },
					      { 48, 13 },
					      { 50, 14 },
					      { 56, 13 },
					      { 0, 0 } });
	check_table(PYTHON_LOCATIONS, of_3_11, sizeof(of_3_11),
		    (const struct stretch[]){ { 2, 2 },
					      { 6, 3 },
					      { 10, 4 },
					      { 12, 5 },
					      { 14, 6 },
					      { 16, 7 },
					      { 20, 6 },
					      { 26, 5 },
					      { 60, 11 },
					      { 72, 12 },
					      { 76, 13 },
					      { 78, 14 },
					      { 96, 13 },
					      { 0, 0 } });
}

/* ---- objects ---- */

static uint64_t text_type, dict_type;

struct text {
	uint64_t references, type, length, hash;
	uint32_t state, padding;
	union {
		char one[64];
		uint16_t two[32];
		uint32_t four[16];
	};
	uint64_t more[256];
};

static const struct python_runtime *interpreter(void)
{
	static struct python_runtime p;

	p = (struct python_runtime){
		.remote.pid = getpid(),
		.text_type = (uint64_t)&text_type,
		.dict_type = (uint64_t)&dict_type,
		.offsets = { .object_type = 8,
			     .text_length = 16,
			     .text_state = 32,
			     .text_kind_bit = 2,
			     .dict_keys = 32,
			     .text_ascii = 40,
			     .text_other = 40 },
	};
	return &p;
}

enum { COMPACT = 8, ASCII = 16 };

static struct text text_of(const char *ascii)
{
	struct text t = { .type = (uint64_t)&text_type, .length = strlen(ascii), .state = (1 | COMPACT | ASCII) << 2 };

	strcpy(t.one, ascii);
	return t;
}

static const char *read_text(const struct text *t)
{
	static struct str got;

	str_clear(&got);
	return python_text_add(interpreter(), (uint64_t)t, &got) ? str_text(&got) : "none";
}

static void check_text(void)
{
	struct text t = text_of("handler");

	CHECK_TEXT(read_text(&t), "handler");
	t.length = 3;
	CHECK_TEXT(read_text(&t), "han");
	t.length = UINT64_C(1) << 30;
	CHECK(strlen(read_text(&t)) <= PYTHON_TEXT_MAX);
	t = text_of("");
	t.length = 2;
	t.state = (2 | COMPACT) << 2;
	t.two[0] = 0x20ac, t.two[1] = 0xd800; /* half a character */
	CHECK_TEXT(read_text(&t), "\xe2\x82\xac\xef\xbf\xbd");
	t.state = (4 | COMPACT) << 2;
	t.four[0] = 0x1f40d, t.four[1] = 0xffffffff;
	CHECK_TEXT(read_text(&t), "\xf0\x9f\x90\x8d\xef\xbf\xbd");
	t.state = (3 | COMPACT) << 2; /* there is no such kind */
	CHECK_TEXT(read_text(&t), "none");
	t.state = 1 << 2; /* its characters are elsewhere */
	CHECK_TEXT(read_text(&t), "none");
	t = text_of("other");
	t.type++;
	CHECK_TEXT(read_text(&t), "none");
	CHECK_TEXT(read_text(NULL), "none");
	CHECK_TEXT(read_text((const void *)0xffff888000000000), "none");
}

static void check_module(void)
{
	struct text first = text_of("other"), key = text_of("__name__"), value = text_of("app.views");
	struct {
		uint64_t references;
		uint8_t log2_size, log2_index_bytes, kind, more[5];
		uint64_t usable, used;
		uint8_t indices[8];
		uint64_t entries[4];
	} keys = { .log2_index_bytes = 3,
		   .kind = 1,
		   .used = 2,
		   .entries = { (uint64_t)&first, (uint64_t)&value, (uint64_t)&key, (uint64_t)&value } };
	uint64_t dict[8] = { [1] = (uint64_t)&dict_type, [4] = (uint64_t)&keys };
	struct str got = { 0 };

	CHECK(python_module_add(interpreter(), (uint64_t)dict, &got));
	CHECK_TEXT(str_text(&got), "app.views");
	keys.used = 1;
	CHECK(!python_module_add(interpreter(), (uint64_t)dict, &got));
	keys.used = UINT64_MAX;
	keys.log2_index_bytes = 200;
	CHECK(!python_module_add(interpreter(), (uint64_t)dict, &got));
	dict[1]++;
	CHECK(!python_module_add(interpreter(), (uint64_t)dict, &got));
	str_free(&got);
}

/* ---- copies ---- */

static void check_copies(void)
{
	struct python_copies c = { 0 };
	struct python_copy copy = { .pid = 1, .count = 2, .frames = { { .code = 8 }, { .code = 16 } } };
	size_t head = offsetof(struct python_copy, frames), size = head + 2 * sizeof(*copy.frames);
	const struct python_copy *found;

	for (uint32_t i = 0; i < 20; i++) {
		copy.tid = 7 + i % 2;
		copy.time_ns = UINT64_C(1000000000) + i * 1000000;
		python_copies_add(&c, &copy, size);
	}
	found = python_copies_find(&c, 8, 1001000000 + 3000);
	CHECK(found && found->tid == 8 && found->time_ns == 1001000000 && found->count == 2);
	found = python_copies_find(&c, 8, 1001000000 - 3000);
	CHECK(found && found->time_ns == 1001000000);
	CHECK(!python_copies_find(&c, 8, 1002000000)); /* between two of this thread */
	CHECK(!python_copies_find(&c, 9, 1001000000));
	python_copies_add(&c, &copy, size - 1);
	python_copies_add(&c, &copy, head - 1);
	copy.count = PYTHON_ENTRIES_MAX + 1;
	python_copies_add(&c, &copy, sizeof(copy));
	CHECK(c.count == 20); /* what is malformed is not taken */
	copy.count = 0;
	copy.time_ns = UINT64_C(100000000000);
	python_copies_add(&c, &copy, head);
	python_copies_age(&c);
	CHECK(c.count == 1);
	python_copies_free(&c);
}

int main(void)
{
	check_lines();
	check_text();
	check_module();
	check_copies();
	return check_done();
}
