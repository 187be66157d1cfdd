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

static void add(struct hashed_texts *t, const unsigned char hash[SIP_BYTES], const char *text, size_t len)
{
	uint32_t next = (uint32_t)t->by_hash.count;
	struct text_entry *e;

	if (hash_table_add(&t->by_hash, short_hash(hash), equal, t, hash, next) != next)
		return; /* a table may have it twice */
	t->items = xgrow(t->items, &t->cap, next + 1, sizeof(*t->items));
	e = &t->items[next];
	memcpy(e->hash, hash, SIP_BYTES);
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
			return true;
		}
		add(t, (const unsigned char *)hash, text, n);
	}
}

const struct text_entry *texts_find(const struct hashed_texts *t, const unsigned char hash[SIP_BYTES])
{
	uint32_t number = hash_table_find(&t->by_hash, short_hash(hash), equal, t, hash);

	return number == HASH_TABLE_NONE ? NULL : &t->items[number];
}

void texts_free(struct hashed_texts *t)
{
	free(t->items);
	hash_table_free(&t->by_hash);
	str_free(&t->text);
	str_free(&t->rest);
	*t = (struct hashed_texts){ 0 };
}
