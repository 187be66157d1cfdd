#include "core/intern.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/hash.h"
#include "core/memory.h"

static uint32_t *find_slot(const struct intern *in, const char *text, size_t len, uint32_t hash)
{
	size_t mask = in->slot_count - 1;

	for (size_t i = hash & mask;; i = (i + 1) & mask) {
		uint32_t *slot = &in->slots[i];
		const struct intern_entry *e;

		if (!*slot)
			return slot;
		e = &in->entries[*slot - 1];
		if (e->hash == hash && e->len == len && !memcmp(in->text + e->start, text, len))
			return slot;
	}
}

static void grow_slots(struct intern *in)
{
	size_t count = in->slot_count ? in->slot_count * 2 : 256;

	free(in->slots);
	in->slots = xcalloc(count, sizeof(*in->slots));
	in->slot_count = count;
	for (size_t id = 0; id < in->count; id++) {
		size_t i = in->entries[id].hash & (count - 1);

		while (in->slots[i])
			i = (i + 1) & (count - 1);
		in->slots[i] = (uint32_t)id + 1;
	}
}

static uint32_t append(struct intern *in, const char *text, size_t len, uint32_t hash)
{
	if (len >= UINT32_MAX || in->count >= UINT32_MAX - 1)
		die("too many names, or one of over 4 GB");
	in->entries = xgrow(in->entries, &in->cap, in->count + 1, sizeof(*in->entries));
	in->text = xgrow(in->text, &in->text_cap, in->text_len + len + 1, 1);
	if (len)
		memcpy(in->text + in->text_len, text, len);
	in->text[in->text_len + len] = '\0';
	in->entries[in->count] = (struct intern_entry){in->text_len, (uint32_t)len, hash};
	in->text_len += len + 1;
	return (uint32_t)in->count++;
}

uint32_t intern_add(struct intern *in, const char *text, size_t len)
{
	uint32_t hash = (uint32_t)hash_bytes(text, len), *slot, id;

	if (in->count * 2 >= in->slot_count)
		grow_slots(in);
	slot = find_slot(in, text, len, hash);
	if (*slot)
		return *slot - 1;
	id = append(in, text, len, hash);
	*slot = id + 1;
	return id;
}

uint32_t intern_append(struct intern *in, const char *text, size_t len)
{
	/* a hash that is not this text's own, so that no search comes upon it */
	return append(in, text, len, ~(uint32_t)hash_bytes(text, len));
}

uint32_t intern_find(const struct intern *in, const char *text, size_t len)
{
	if (!in->count)
		return UINT32_MAX;
	return *find_slot(in, text, len, (uint32_t)hash_bytes(text, len)) - 1;
}

void intern_free(struct intern *in)
{
	if (!in)
		return;
	free(in->text);
	free(in->entries);
	free(in->slots);
	*in = (struct intern){0};
}
