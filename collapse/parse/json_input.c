#include "collapse/parse/json_input.h"

#include <string.h>

#include "collapse/wire/all_threads.h"
#include "core/memory.h"

/* The value without byte-order marks before it. */
static struct json json_input_value_of(const char *text, size_t len)
{
	while (text_begins(text, len, "\xef\xbb\xbf")) {
		text += 3;
		len -= 3;
	}
	return json_make(text, len);
}

bool json_begins(const char *text, size_t len, const char *member)
{
	struct json value = json_input_value_of(text, len);
	struct str quoted = { 0 };
	bool found;

	str_addf(&quoted, "\"%s\"", member);
	found = value.at < value.end && *value.at == '{' &&
		memmem(value.at, (size_t)(value.end - value.at), quoted.buf, quoted.len);
	str_free(&quoted);
	return found;
}

struct json json_input_indexed(struct text_stacks *s, struct json value, struct json_index *index)
{
	value = json_indexed(value, index);
	if (index->too_deep)
		text_wrong(s, index->too_deep, "JSON that is nested more than 1,048,576 deep, from here on");
	return value;
}

uint32_t json_frame(struct text_stacks *s, enum text_kind kind, struct json value, const char *instead)
{
	return json_frame_at(s, kind, value, instead, (struct json){ 0 }, 0);
}

uint32_t json_frame_at(struct text_stacks *s, enum text_kind kind, struct json value, const char *instead,
		       struct json file, uint32_t line)
{
	struct str name_room = { 0 }, file_room = { 0 };
	struct text_source at = { .line = line };
	const char *name;
	uint32_t frame;
	size_t len;

	json_span(file, &file_room, &at.file, &at.len);
	json_span(value, &name_room, &name, &len);
	if (!len) {
		name = instead;
		len = strlen(instead);
	}
	frame = text_frame_at(s, kind, name, len, at);
	str_free(&name_room);
	str_free(&file_room);
	return frame;
}

uint32_t json_line(struct json value)
{
	uint64_t number;

	return json_u64(value, &number) && number <= UINT32_MAX ? (uint32_t)number : 0;
}

uint32_t json_name(struct text_stacks *s, struct json value)
{
	struct str room = { 0 };
	const char *text;
	size_t len;
	uint32_t name = json_span(value, &room, &text, &len) ? text_name(s, text, len) : TEXT_NO_NAME;

	str_free(&room);
	return name;
}

uint32_t json_thread_name(struct text_stacks *s, struct json value)
{
	return json_is(value, ALL_THREADS) ? TEXT_NO_NAME : json_name(s, value);
}

/* A value that has no fraction. */
static bool json_rounded_value(struct text_stacks *s, struct json value, int power, struct text_value *to)
{
	bool negative = s->setup->value_count == 1 && value.at < value.end && *value.at == '-';

	value.at += negative;
	if (!json_rounded(value, power, &to->whole))
		return false;
	if (negative && to->whole)
		to->fraction = TEXT_MINUS;
	return true;
}

bool json_value(struct text_stacks *s, struct json value, int power, struct text_value *to)
{
	bool quoted = value.at < value.end && *value.at == '"';
	const char *at = value.at ? value.at + quoted : NULL, *wrong;
	size_t len = at ? (size_t)(value.end - at) : 0;

	*to = (struct text_value){ 0 };
	if (power)
		return json_rounded_value(s, value, power, to);
	if (!len || !text_signed_read(s, &at, &len, to, &wrong))
		return false;
	while (len > quoted && *at == ' ') {
		at++;
		len--;
	}
	return len == quoted;
}

int32_t json_thread_number(struct json value)
{
	struct str text = { 0 };
	int32_t stands;
	uint64_t n;

	if (json_u64(value, &n) && n <= INT32_MAX)
		return (int32_t)n;
	if (!value.at || value.at == value.end || *value.at == 'n' || *value.at == '-')
		return -1;
	if (!json_text(value, &text))
		str_add(&text, value.at, (size_t)(value.end - value.at));
	stands = text.len && text.buf[0] != '-' ? text_thread_number(text.buf, text.len) : -1;
	str_free(&text);
	return stands;
}

int64_t json_int(struct json value, int64_t fallback)
{
	bool negative = value.at && value.at < value.end && *value.at == '-';
	uint64_t n;

	if (negative)
		value.at++;
	if (!value.at || !json_rounded(value, 0, &n) || n > INT64_MAX)
		return fallback;
	return negative ? -(int64_t)n : (int64_t)n;
}

bool json_signed(struct json value, int power, int64_t *n)
{
	bool negative = value.at && value.at < value.end && *value.at == '-';
	uint64_t number;

	if (negative)
		value.at++;
	if (!value.at || !json_rounded(value, power, &number) || number > INT64_MAX)
		return false;
	*n = negative ? -(int64_t)number : (int64_t)number;
	return true;
}

uint64_t *json_numbers(struct json array, size_t *count)
{
	uint64_t *numbers = NULL, n;
	size_t cap = 0;
	struct json item;

	*count = 0;
	while (json_next_item(&array, &item)) {
		numbers = xgrow(numbers, &cap, *count + 1, sizeof(*numbers));
		numbers[(*count)++] = json_scaled(item, 0, &n) ? n : UINT64_MAX;
	}
	return numbers;
}

void json_check_end(struct text_stacks *s, struct json rest, char close)
{
	if (!rest.at || rest.at == rest.end || *rest.at != close)
		text_wrong(s, rest.at ? rest.at : s->part->text, "JSON that ends here, or is damaged");
}

void json_check_alone(struct text_stacks *s)
{
	struct json rest = json_input_value_of(s->part->text, s->part->len), value;
	bool is_array = rest.at < rest.end && *rest.at == '[';
	struct str key = { 0 };

	while (is_array ? json_next_item(&rest, &value) : json_next_member(&rest, &key, &value))
		;
	str_free(&key);
	if (!rest.at || rest.at == rest.end || *rest.at != (is_array ? ']' : '}'))
		return; /* it is cut, as json_check_end() says */
	for (rest.at++; rest.at < rest.end; rest.at++) {
		if (!strchr(" \t\r\n", *rest.at) || !*rest.at) {
			text_wrong(s, rest.at, "more behind the end of the profile, which is not read");
			return;
		}
	}
}
