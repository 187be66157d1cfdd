#include "ship/texts.h"

#include <string.h>

#include "core/memory.h"
#include "ship/row.h"

static bool equal(const void *owner, uint32_t number, const void *key)
{
	const struct hashed_texts *t = owner;

	return !memcmp(t->items[number].hash, key, SIP_BYTES);
}

static uint64_t short_hash(const unsigned char hash[SIP_BYTES])
{
	uint64_t h;

	memcpy(&h, hash, sizeof(h));
	return h;
}

static struct text_entry *texts_entry_of(struct hashed_texts *t, const unsigned char hash[SIP_BYTES])
{
	uint32_t next = (uint32_t)t->by_hash.count, number;

	number = hash_table_add(&t->by_hash, short_hash(hash), equal, t, hash, next);
	if (number != next)
		return &t->items[number];
	t->items = xgrow(t->items, &t->cap, next + 1, sizeof(*t->items));
	t->items[next] = (struct text_entry){ 0 };
	memcpy(t->items[next].hash, hash, SIP_BYTES);
	return &t->items[next];
}

void texts_want(struct hashed_texts *t, const unsigned char hash[SIP_BYTES])
{
	texts_entry_of(t, hash);
}

size_t texts_left(const struct hashed_texts *t, struct str *out)
{
	size_t count = 0;

	for (size_t i = 0; i < t->by_hash.count; i++) {
		if (t->items[i].came)
			continue;
		str_add(out, (const char *)t->items[i].hash, SIP_BYTES);
		count++;
	}
	return count;
}

static bool has_hash(const char *text, size_t len, const unsigned char hash[SIP_BYTES])
{
	unsigned char own[SIP_BYTES];

	sip_hash(text, len, own);
	return !memcmp(own, hash, SIP_BYTES);
}

static void texts_add(struct hashed_texts *t, const unsigned char hash[SIP_BYTES], const char *text, size_t len)
{
	uint32_t number = t->wanted_only ? hash_table_find(&t->by_hash, short_hash(hash), equal, t, hash) : 0;
	struct text_entry *e = number == HASH_TABLE_NONE ? NULL : texts_entry_of(t, hash);

	if (!e || e->came || (t->in_doubt && !has_hash(text, len, hash))) /* a table may have it twice */
		return;
	e->came = true;
	if (t->came) {
		t->came(t->owner, e, text, len);
		return;
	}
	e->start = t->text.len;
	if (t->change)
		t->change(t->argument, text, len, &t->text);
	else
		str_add(&t->text, text, len);
	e->len = t->text.len - e->start;
}

bool texts_take(void *argument, const char *bytes, size_t len)
{
	struct hashed_texts *t = argument;
	struct binary_row row;

	str_add(&t->rest, bytes, len);
	row = (struct binary_row){ t->rest.buf, t->rest.buf + t->rest.len };
	for (;;) {
		struct binary_row start = row;
		const char *hash = row_bytes(&row, SIP_BYTES), *text;
		size_t n;

		if (!hash || !(text = row_text(&row, &n))) {
			str_keep_from(&t->rest, start.at);
			return row_may_go_on(&t->rest);
		}
		texts_add(t, (const unsigned char *)hash, text, n);
	}
}

struct text_entry *texts_find(const struct hashed_texts *t, const unsigned char hash[SIP_BYTES])
{
	uint32_t number = hash_table_find(&t->by_hash, short_hash(hash), equal, t, hash);

	return number == HASH_TABLE_NONE || !t->items[number].came ? NULL : &t->items[number];
}

void texts_free(struct hashed_texts *t)
{
	free(t->items);
	hash_table_free(&t->by_hash);
	str_free(&t->text);
	str_free(&t->rest);
	*t = (struct hashed_texts){ 0 };
}
