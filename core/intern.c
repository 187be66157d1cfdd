#include "core/intern.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/hash.h"
#include "core/memory.h"

/* The key of a search. */
struct wanted_text {
	const char *text;
	size_t len;
};

static uint64_t intern_word_at(const char *text)
{
	uint64_t word;

	memcpy(&word, text, sizeof(word));
	return word;
}

/* Most names have 8 to 16 bytes: two words, which may overlap, and no call. */
static bool intern_is_equal(const char *a, const char *b, size_t len)
{
	if (len < 8 || len > 16)
		return !memcmp(a, b, len);
	return intern_word_at(a) == intern_word_at(b) && intern_word_at(a + len - 8) == intern_word_at(b + len - 8);
}

static bool intern_is_text(const void *intern, uint32_t id, const void *key)
{
	const struct intern *in = intern;
	const struct wanted_text *wanted = key;
	const struct intern_entry *e = &in->entries[id];

	return e->len == wanted->len && intern_is_equal(in->text + e->start, wanted->text, wanted->len);
}

uint32_t intern_append(struct intern *in, const char *text, size_t len)
{
	if (len >= UINT32_MAX || in->count >= UINT32_MAX - 1)
		die("too many names, or one of over 4 GiB");
	in->entries = xgrow(in->entries, &in->cap, in->count + 1, sizeof(*in->entries));
	in->text = xgrow_used(in->text, &in->text_cap, in->text_len, in->text_len + len + 1, 1);
	if (len)
		memcpy(in->text + in->text_len, text, len);
	in->text[in->text_len + len] = '\0';
	in->entries[in->count] = (struct intern_entry){ in->text_len, (uint32_t)len };
	in->text_len += len + 1;
	return (uint32_t)in->count++;
}

uint32_t intern_add(struct intern *in, const char *text, size_t len)
{
	const struct wanted_text wanted = { text, len };
	uint32_t next = (uint32_t)in->count,
		 id = hash_table_add(&in->by_text, hash_bytes(text, len), intern_is_text, in, &wanted, next);

	return id == next ? intern_append(in, text, len) : id;
}

uint32_t intern_find(const struct intern *in, const char *text, size_t len)
{
	const struct wanted_text wanted = { text, len };

	return hash_table_find(&in->by_text, hash_bytes(text, len), intern_is_text, in, &wanted);
}

void intern_free(struct intern *in)
{
	if (!in)
		return;
	free(in->text);
	free(in->entries);
	hash_table_free(&in->by_text);
	*in = (struct intern){ 0 };
}
