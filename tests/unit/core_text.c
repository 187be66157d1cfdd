/* Texts: buffers, names, UTF-8, markup, lines. */
#include <stdlib.h>
#include <unistd.h>

#include "core/arena.h"
#include "core/intern.h"
#include "core/lines.h"
#include "core/markup.h"
#include "core/nearest.h"
#include "core/str.h"
#include "core/utf8.h"
#include "tests/unit/check.h"

static void test_str(void)
{
	struct str s = { 0 };

	CHECK_TEXT(str_text(&s), "");
	str_addf(&s, "%d-%s", 7, "x");
	str_addc(&s, ';');
	str_add_u64(&s, 0);
	str_add_u64(&s, UINT64_MAX);
	CHECK_TEXT(s.buf, "7-x;018446744073709551615");
	str_clear(&s);
	CHECK(s.len == 0);
	str_free(&s);
	str_free(&s);
	str_free(NULL);
}

/* Numbers of each length, and text that just fits, or just does not fit, into the allocated memory. */
static void test_str_growth(void)
{
	struct str s = { 0 }, wanted = { 0 };
	char number[32];
	bool same = true;

	for (uint64_t n = 1, times = 0; times < 20; times++, n *= 10) {
		for (uint64_t i = n - 1; i <= n + 1; i++) {
			str_clear(&s);
			str_add_u64(&s, i * 7);
			snprintf(number, sizeof(number), "%llu", (unsigned long long)i * 7);
			same &= !strcmp(s.buf, number) && s.len == strlen(number);
		}
	}
	CHECK(same);
	str_free(&s);
	for (int len = 0; len < 70; len++) {
		str_addf(&s, "%.*s", len, "0123456789012345678901234567890123456789012345678901234567890123456789");
		str_add(&wanted, "0123456789012345678901234567890123456789012345678901234567890123456789", (size_t)len);
		same &= s.len == wanted.len && !strcmp(str_text(&s), str_text(&wanted));
	}
	CHECK(same && s.len == 69 * 70 / 2);
	str_free(&s);
	str_addf(&s, "%s", "");
	CHECK(!s.buf && !s.len);
	str_free(&wanted);
}

static void test_intern(void)
{
	struct intern in = { 0 };
	char name[16];

	CHECK(intern_find(&in, "a", 1) == UINT32_MAX);
	for (int i = 0; i < 10000; i++) {
		int n = snprintf(name, sizeof(name), "name%d", i);

		if (intern_add(&in, name, (size_t)n) != (uint32_t)i)
			CHECK(!"numbers come in order");
	}
	CHECK(in.count == 10000);
	CHECK(intern_add(&in, "name777", 7) == 777);
	CHECK(intern_find(&in, "name9999", 8) == 9999);
	CHECK(intern_find(&in, "name", 4) == UINT32_MAX);
	CHECK_TEXT(intern_text(&in, 4242), "name4242");
	CHECK(intern_add(&in, "a\0b", 3) != intern_add(&in, "a\0c", 3));
	CHECK(intern_add(&in, "", 0) == intern_add(&in, "", 0));
	intern_free(&in);
}

static void test_arena(void)
{
	struct arena a = { 0 };
	char *first = arena_strdup(&a, "first", 5), *large;

	for (int i = 0; i < 100000; i++)
		arena_alloc(&a, 24);
	large = arena_alloc(&a, 5 << 20);
	memset(large, 1, 5 << 20);
	CHECK_TEXT(first, "first");
	CHECK((uintptr_t)arena_alloc(&a, 1) % 8 == 0);
	arena_free(&a);
	arena_free(&a);
}

static void test_utf8(void)
{
	static const struct {
		const char *text;
		size_t len;
		uint32_t code;
	} rows[] = {
		{ "a", 1, 'a' },
		{ "\xc3\xa4", 2, 0xe4 },
		{ "\xe2\x82\xac", 3, 0x20ac },
		{ "\xf0\x9f\x94\xa5", 4, 0x1f525 },
		{ "\xc0\x80", 0, 0 },
		{ "\xed\xa0\x80", 0, 0 },
		{ "\xf4\x90\x80\x80", 0, 0 },
		{ "\x80", 0, 0 },
		{ "\xe2\x82", 0, 0 },
		{ "\xff", 0, 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		uint32_t code = 0;

		CHECK(utf8_decode(rows[i].text, strlen(rows[i].text), &code) == rows[i].len);
		CHECK(code == rows[i].code);
	}
}

static void test_markup(void)
{
	struct str s = { 0 };

	xml_puts(&s, "<a b=\"c\">&'\n\x01\xff\xc3\xa4");
	CHECK_TEXT(s.buf, "&lt;a b=&quot;c&quot;&gt;&amp;&#39;&#10;\xef\xbf\xbd\xef\xbf\xbd\xc3\xa4");
	str_clear(&s);
	json_puts(&s, "</script>\"\\\n\xe2\x80\xa8\xff");
	CHECK_TEXT(s.buf, "\"\\u003c/script\\u003e\\u0022\\u005c\\u000a\\u2028\xef\xbf\xbd\"");
	str_free(&s);
}

static void test_lines(void)
{
	char path[] = "/tmp/lines.XXXXXX", *text;
	struct lines lines;
	int fd = mkstemp(path);
	size_t len;

	CHECK(write(fd, "one\r\n\ntwo\0x\nlast", 16) == 16);
	close(fd);
	CHECK(lines_open(&lines, path) == 0);
	CHECK(lines_next(&lines, &text, &len) && len == 3 && !memcmp(text, "one", 3));
	CHECK(lines_next(&lines, &text, &len) && len == 0);
	CHECK(lines_next(&lines, &text, &len) && len == 5 && !memcmp(text, "two\0x", 5));
	CHECK(lines_next(&lines, &text, &len) && len == 4 && lines.number == 4);
	CHECK(!lines_next(&lines, &text, &len) && !lines.failed);
	lines_close(&lines);
	unlink(path);
}

static const char *nearest_of(const char *word)
{
	static const char *const known[] = { "collect", "collapse", "web", "from", "total", "title" };
	struct nearest n = { 0 };

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		nearest_try(&n, word, known[i]);
	return n.name ? n.name : "";
}

static void test_nearest(void)
{
	CHECK_TEXT(nearest_of("colect"), "collect");
	CHECK_TEXT(nearest_of("collapes"), "collapse");
	CHECK_TEXT(nearest_of("wbe"), "web"); /* swapped: one edit */
	CHECK_TEXT(nearest_of("we"), "web");
	CHECK_TEXT(nearest_of("w"), ""); /* two of three letters */
	CHECK_TEXT(nearest_of("form"), "from");
	CHECK_TEXT(nearest_of("titel"), "title"); /* one edit, though "total" came first */
	CHECK_TEXT(nearest_of("frobnicate"), "");
	CHECK_TEXT(nearest_of(""), "");
}

int main(void)
{
	test_str();
	test_str_growth();
	test_intern();
	test_arena();
	test_utf8();
	test_markup();
	test_lines();
	test_nearest();
	return check_done();
}
