#include "collapse/wire/json_stream.h"

#include "core/markup.h"

enum { FLUSH_BYTES = 256 * 1024 };

static void json_stream_flush(struct json_stream *j, size_t limit)
{
	if (j->text.len <= limit)
		return;
	fwrite(j->text.buf, 1, j->text.len, j->out);
	str_clear(&j->text);
}

void json_begin(struct json_stream *j, const char *key)
{
	json_stream_flush(j, FLUSH_BYTES);
	if (j->comma)
		str_addc(&j->text, ',');
	j->comma = true;
	if (!key)
		return;
	json_puts(&j->text, key);
	str_addc(&j->text, ':');
}

static void open(struct json_stream *j, const char *key, char bracket)
{
	json_begin(j, key);
	str_addc(&j->text, bracket);
	j->comma = false;
}

void json_object(struct json_stream *j, const char *key)
{
	open(j, key, '{');
}

void json_array(struct json_stream *j, const char *key)
{
	open(j, key, '[');
}

void json_close(struct json_stream *j, char close)
{
	str_addc(&j->text, close);
	j->comma = true;
}

void json_sized(struct json_stream *j, const char *key, const char *text, size_t len)
{
	json_begin(j, key);
	json_add(&j->text, text, len);
}

void json_string(struct json_stream *j, const char *key, const char *text)
{
	json_sized(j, key, text, strlen(text));
}

void json_number(struct json_stream *j, const char *key, uint64_t number)
{
	json_begin(j, key);
	str_add_u64(&j->text, number);
}

void json_decimal(struct json_stream *j, const char *key, uint64_t number, unsigned digits)
{
	uint64_t unit = 1;

	for (unsigned i = 0; i < digits; i++)
		unit *= 10;
	json_number(j, key, number / unit);
	if (!(number % unit))
		return;
	str_addf(&j->text, ".%0*llu", (int)digits, (unsigned long long)(number % unit));
	while (j->text.buf[j->text.len - 1] == '0')
		j->text.buf[--j->text.len] = '\0';
}

void json_raw(struct json_stream *j, const char *key, const char *json)
{
	json_begin(j, key);
	str_puts(&j->text, json);
}

void json_newline(struct json_stream *j)
{
	str_addc(&j->text, '\n');
}

void json_end(struct json_stream *j)
{
	json_newline(j);
	json_stream_flush(j, 0);
	str_free(&j->text);
}
