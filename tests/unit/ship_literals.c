/* Text from outside in SQL, hashes in SQL, stored frames as they are shown, and labels. */
#include <stdio.h>
#include <string.h>

#include "ship/frames.h"
#include "ship/header.h"
#include "ship/labels.h"
#include "ship/sip.h"
#include "ship/sql.h"
#include "tests/unit/check.h"

static void test_quotes(void)
{
	static const struct {
		const char *text, *wanted;
		size_t len;
	} rows[] = {
		{ "db1", "'db1'", 3 },
		{ "'; DROP TABLE samples; --", "'\\x27; DROP TABLE samples; --'", 25 },
		{ "\\'", "'\\x5C\\x27'", 2 },
		{ "a\0b\n\x7f", "'a\\x00b\\x0A\\x7F'", 5 },
		{ "\xc3\xa4\xff", "'\xc3\xa4\xff'", 3 },
		{ "", "''", 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct str out = { 0 };

		sql_quote(&out, rows[i].text, rows[i].len);
		CHECK_TEXT(out.buf, rows[i].wanted);
		str_free(&out);
	}
}

static void test_patterns(void)
{
	static const struct {
		const char *pattern, *wanted;
	} rows[] = {
		{ "db*", "host LIKE 'db%'" },
		{ "db?", "host LIKE 'db_'" },
		{ "!db*", "NOT host LIKE 'db%'" },
		{ "50%_\\", "host LIKE '50\\x5C%\\x5C_\\x5C\\x5C'" },
		{ "' OR 1", "host LIKE '\\x27 OR 1'" },
		{ "*", "1" },
		{ "", "1" },
		{ "!*", "NOT host LIKE '%'" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct str out = { 0 };

		sql_like(&out, "host", rows[i].pattern);
		CHECK_TEXT(out.buf, rows[i].wanted);
		str_free(&out);
	}
}

/* As ClickHouse 18.16 says: SELECT hex(sipHash128('abc')). */
static void test_hashes(void)
{
	static const struct {
		const char *text, *wanted;
	} rows[] = {
		{ "", "32B5C1DB56A683E9E5B5B6A8CBED11F7" },
		{ "abc", "B6B415A2DA966B6C685A65E54C12A353" },
		{ "abcdefgh12345", "DA1F34061855F6791AB78F08E1CBA879" },
	};
	unsigned char hash[SIP_BYTES], parts[SIP_BYTES];
	struct sip s;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char text[2 * SIP_BYTES + 1];
		size_t len = strlen(rows[i].text);

		sip_hash(rows[i].text, len, hash);
		for (int n = 0; n < SIP_BYTES; n++)
			sprintf(text + 2 * n, "%02X", hash[n]);
		CHECK_TEXT(text, rows[i].wanted);
		for (size_t cut = 0; cut <= len; cut++) {
			sip_begin(&s);
			sip_add(&s, rows[i].text, cut);
			sip_add(&s, rows[i].text + cut, len - cut);
			sip_end(&s, parts);
			CHECK(!memcmp(hash, parts, SIP_BYTES));
		}
	}
}

static void test_frames(void)
{
	static const char stored[] = "main;App.run_[j];App.in_[?];f_[i];old_[0];read_[k];--;wake_[w]";
	static const struct {
		struct frames_style style;
		const char *wanted;
	} rows[] = {
		{ { 0 }, "main;App.run;App.in_[i];f_[i];old;read;--;wake_[w]" },
		{ { .kernel = true, .jit = true }, "main;App.run_[j];App.in_[?];f_[i];old_[0];read_[k];--;wake_[w]" },
		{ { .kernel = true, .no_wakers = true }, "main;App.run;App.in_[i];f_[i];old;read_[k]" },
		{ { .no_inlined = true, .no_wakers = true }, "main;App.run;old;read" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct str out = { 0 };

		frames_add(&rows[i].style, stored, strlen(stored), &out);
		CHECK_TEXT(str_text(&out), rows[i].wanted);
		str_free(&out);
	}
}

static void test_labels(void)
{
	static const char labels[] = "comm=java\tstate=woken\twait=[I/O]";
	size_t len = 0;

	CHECK(!strncmp(label_value(labels, strlen(labels), "state", 5, &len), "woken", len) && len == 5);
	CHECK(!label_value(labels, strlen(labels), "stat", 4, &len));
	CHECK(label_is_listed(labels, strlen(labels), "state", "running,runnable"));
	CHECK(!label_is_listed(labels, strlen(labels), "state", "running,off-cpu"));
	CHECK(label_is_listed(labels, strlen(labels), "wait", "lock,io"));
	CHECK(!label_is_listed(labels, strlen(labels), "wait", "lock"));
	CHECK(label_is_listed(labels, strlen(labels), "wait", "all"));
	CHECK(label_is_listed(labels, strlen(labels), "by", "nobody"));
}

static void test_header(void)
{
	static const char header[] =
		"# pyrograph: host=\"a \\\"b\\\" \\u003c\" event=x broken user stacks=3 lost=2/9 unit=ns";
	struct str value = { 0 };
	uint64_t lost, seen;

	CHECK(header_value(header, "host", &value) && !strcmp(value.buf, "a \"b\" <"));
	str_clear(&value);
	CHECK(header_value(header, "unit", &value) && !strcmp(value.buf, "ns"));
	CHECK(!header_value(header, "nit", &value));
	CHECK(!header_value("host=\"cut", "event", &value));
	CHECK(header_value("host=\"", "host", &value));
	header_lost(header, &lost, &seen);
	CHECK(lost == 2 && seen == 9);
	str_free(&value);
}

int main(void)
{
	test_quotes();
	test_patterns();
	test_hashes();
	test_frames();
	test_labels();
	test_header();
	return check_done();
}
