/* The encodings of collapse/wire: protocol buffers, JSON, gzip. */
#include <stdlib.h>
#include <zlib.h>

#include "collapse/wire/json_stream.h"
#include "collapse/wire/packed_stream.h"
#include "collapse/wire/protobuf.h"
#include "tests/unit/check.h"

static bool is(const struct str *s, const char *bytes, size_t len)
{
	return s->len == len && !memcmp(str_text(s), bytes, len);
}

static void check_varints(void)
{
	static const struct {
		uint64_t value;
		const char *bytes;
		size_t len;
	} rows[] = {
		{ 0, "\0", 1 },
		{ 127, "\x7f", 1 },
		{ 128, "\x80\x01", 2 },
		{ 150, "\x96\x01", 2 },
		{ 16383, "\xff\x7f", 2 },
		{ 16384, "\x80\x80\x01", 3 },
		{ UINT64_MAX, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10 },
		{ INT64_MAX, "\xff\xff\xff\xff\xff\xff\xff\xff\x7f", 9 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct str s = { 0 };

		pb_varint(&s, rows[i].value);
		CHECK(is(&s, rows[i].bytes, rows[i].len));
		CHECK(pb_varint_len(rows[i].value) == rows[i].len);
		str_free(&s);
	}
}

static void check_fields(void)
{
	struct str s = { 0 };

	pb_number(&s, 1, 150);
	pb_number(&s, 2, 0); /* not written */
	pb_bytes(&s, 3, "abc", 3);
	pb_fixed64(&s, 3, 0x0102030405060708);
	pb_bytes(&s, 16, "", 0);
	CHECK(is(&s,
		 "\x08\x96\x01\x1a\x03"
		 "abc"
		 "\x19\x08\x07\x06\x05\x04\x03\x02\x01\x82\x01\x00",
		 20));
	str_clear(&s);
	pb_puts(&s, 1, "a\xff\xc3\xa9\xed\xa0\x80"); /* a stray byte, e acute, a surrogate */
	CHECK(is(&s,
		 "\x0a\x0f"
		 "a\xef\xbf\xbd\xc3\xa9\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd",
		 17));
	str_free(&s);
}

static void check_json(void)
{
	static const char wanted[] = "{\"a\\u0022\":\"\xef\xbf\xbd\",\"n\":[1,0.5,1.000001,null,{},[]],\"m\":2}\n";
	char *text = NULL;
	size_t len = 0;
	struct json_stream j = { .out = open_memstream(&text, &len) };

	json_object(&j, NULL);
	json_string(&j, "a\"", "\xff");
	json_array(&j, "n");
	json_number(&j, NULL, 1);
	json_decimal(&j, NULL, 500, 3);
	json_decimal(&j, NULL, 1000001, 6);
	json_raw(&j, NULL, "null");
	json_object(&j, NULL);
	json_close(&j, '}');
	json_array(&j, NULL);
	json_close(&j, ']');
	json_close(&j, ']');
	json_number(&j, "m", 2);
	json_close(&j, '}');
	json_end(&j);
	fclose(j.out);
	CHECK(!strcmp(text, wanted));
	free(text);
}

/* The unpacked bytes are the original ones, in a single member, for each size around that of blocks. */
/* Bytes of many kinds at first; then few kinds, which are packed very fast, and which tell their position. */
static void fill(char *plain, size_t len)
{
	enum { DENSE = 600000, EVERY = 4096 };

	memset(plain, 'x', len);
	for (size_t i = 0; i < len && i < DENSE; i++)
		plain[i] = (char)(i * i / 977 % 251);
	for (size_t i = DENSE; i + sizeof(i) < len; i += EVERY)
		memcpy(plain + i, &i, sizeof(i));
}

static void check_gzip(size_t len)
{
	char *plain = malloc(len + 1), *back = malloc(len + 2), *packed = NULL;
	struct packed_stream *s;
	size_t packed_len = 0;
	z_stream z = { 0 };
	FILE *out = open_memstream(&packed, &packed_len);

	fill(plain, len);
	s = packed_stream_begin(out);
	for (size_t at = 0, n; at < len; at += n) {
		n = len - at < 70001 ? len - at : 70001;
		packed_stream_add(s, plain + at, n);
	}
	packed_stream_end(s);
	fclose(out);
	CHECK(inflateInit2(&z, 15 + 16) == Z_OK);
	z.next_in = (Bytef *)packed;
	z.avail_in = (uInt)packed_len;
	z.next_out = (Bytef *)back;
	z.avail_out = (uInt)len + 1;
	CHECK(inflate(&z, Z_FINISH) == Z_STREAM_END);
	CHECK(z.total_out == len && !z.avail_in && !memcmp(plain, back, len));
	CHECK(!memcmp(packed + 4, "\0\0\0\0", 4)); /* no time */
	inflateEnd(&z);
	free(plain);
	free(back);
	free(packed);
}

int main(void)
{
	static const size_t lens[] = { 0,       1, 524287, PACKED_WHOLE, PACKED_WHOLE + 1, 33 * 524288, 33 * 524288 + 1,
				       20000000 };

	check_varints();
	check_fields();
	check_json();
	for (size_t i = 0; i < sizeof(lens) / sizeof(*lens); i++)
		check_gzip(lens[i]);
	return check_done();
}
