/* Blocks of definitions: exactly those are sent that the store lacks. */
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "ship/definitions.h"
#include "tests/unit/check.h"

enum { TEXTS = 9, DAY = 20784 };

static void make(struct str *block, unsigned wanted)
{
	static const char *const frames[TEXTS] = { "", "a", "main;a", "main;b", "x", "y;z", "", "\xff", "last" };
	struct definition texts[TEXTS];
	const struct definition *chosen[TEXTS];
	struct str longer = { 0 };
	size_t count = 0;

	for (int i = 0; i < 300; i++) /* its length takes two bytes */
		str_puts(&longer, "frame;");
	for (int i = 0; i < TEXTS; i++) {
		texts[i] = (struct definition){ .text = i == 6 ? longer.buf : frames[i],
						.len = i == 6 ? longer.len : strlen(frames[i]) };
		sip_hash(texts[i].text, texts[i].len, texts[i].hash);
		if (wanted >> i & 1)
			chosen[count++] = &texts[i];
	}
	definitions_add(block, DAY, chosen, count);
	str_free(&longer);
}

static void join(const struct definitions_left *left, struct str *out)
{
	for (size_t i = 0; i < left->count; i++)
		str_add(out, left->pieces[i].bytes, left->pieces[i].len);
}

/* With all but these known, the bytes are those of a block of these alone. */
static void check_without(unsigned known)
{
	struct str block = { 0 }, without = { 0 }, expected = { 0 }, hashes = { 0 };
	struct definitions_left left;
	struct definitions d;

	make(&block, (1 << TEXTS) - 1);
	make(&expected, ~known & ((1 << TEXTS) - 1));
	CHECK(definitions_parse(&d, &block));
	CHECK(d.count == TEXTS && d.day == DAY);
	for (int i = TEXTS; i-- > 0;) {
		if (known >> i & 1) /* one hash is there twice, as in a table that has not been merged yet */
			str_add(&hashes, (const char *)d.hashes + i * SIP_BYTES, SIP_BYTES);
		if ((known >> i & 1) && i == 3)
			str_add(&hashes, (const char *)d.hashes + i * SIP_BYTES, SIP_BYTES);
	}
	definitions_without(&d, (unsigned char *)hashes.buf, hashes.len / SIP_BYTES, &left);
	join(&left, &without);
	CHECK(without.len == expected.len && (!without.len || !memcmp(without.buf, expected.buf, expected.len)));
	definitions_left_free(&left);
	str_free(&block);
	str_free(&without);
	str_free(&expected);
	str_free(&hashes);
}

/* A block that is cut short, or longer, is refused; with a changed byte, it is refused, or sent completely. */
static void check_damaged(void)
{
	struct str block = { 0 };
	struct definitions d;
	bool cut = true, longer, same = true;

	make(&block, (1 << TEXTS) - 1);
	for (size_t len = 0; len < block.len; len++) {
		struct str part = { .buf = xmalloc(len + !len), .len = len };

		if (len)
			memcpy(part.buf, block.buf, len);
		cut &= !definitions_parse(&d, &part);
		free(part.buf);
	}
	CHECK(cut);
	str_addc(&block, '\0');
	longer = definitions_parse(&d, &block);
	CHECK(!longer);
	block.len--;
	for (size_t i = 0; i < block.len; i++) {
		struct definitions_left left;
		struct str joined = { 0 };

		block.buf[i] = (char)(block.buf[i] ^ 0x81);
		if (definitions_parse(&d, &block)) {
			unsigned char foreign[SIP_BYTES] = { 1, 2, 3 };

			definitions_without(&d, foreign, 1, &left);
			join(&left, &joined);
			/* except for the days, which are all like the first one */
			same &= joined.len == block.len &&
				(i < 30 || !memcmp(joined.buf + 40, block.buf + 40, block.len - 40));
			definitions_left_free(&left);
			str_free(&joined);
		}
		block.buf[i] = (char)(block.buf[i] ^ 0x81);
	}
	CHECK(same);
	str_free(&block);
}

int main(void)
{
	struct str none = { 0 };
	struct definitions d;

	make(&none, 0);
	CHECK(!none.len);
	CHECK(!definitions_parse(&d, &none));
	str_free(&none);
	for (unsigned known = 0; known < 1 << TEXTS; known++)
		check_without(known);
	check_damaged();
	return check_done();
}
