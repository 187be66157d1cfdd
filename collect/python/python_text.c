#include "collect/python/python_text.h"

#include <string.h>

#include "core/utf8.h"

enum { PYTHON_KEYS_MAX = 64 };

struct python_text_layout python_text_layout(const struct python_runtime *p)
{
	const struct python_offsets *o = &p->offsets;

	return (struct python_text_layout){
		.code_type = p->code_type,
		.text_type = p->text_type,
		.dict_type = p->dict_type,
		.number_type = p->number_type,
		.coroutine_type = p->coroutine_type,
		.type = o->object_type,
		.code_file = o->code_file,
		.length = o->text_length,
		.state = o->text_state,
		.characters = o->text_ascii,
		.other_characters = o->text_other,
		.dict_keys = o->dict_keys,
		.kind_bit = (uint8_t)o->text_kind_bit,
		.has_old_dict = o->has_old_dict,
	};
}

bool python_is_a(const struct python_runtime *p, uint64_t address, uint64_t type)
{
	uint64_t is;

	return address && address % 8 == 0 && remote_u64(&p->remote, address + p->offsets.object_type, &is) &&
	       is == type;
}

static uint32_t python_text_character(const uint8_t *at, unsigned kind)
{
	uint16_t two;
	uint32_t four;

	if (kind == 1)
		return *at;
	if (kind == 2) {
		memcpy(&two, at, sizeof(two));
		return two;
	}
	memcpy(&four, at, sizeof(four));
	return four;
}

/* A compact str: Include/cpython/unicodeobject.h. */
bool python_text_add(const struct python_runtime *p, uint64_t address, struct str *to)
{
	const struct python_offsets *o = &p->offsets;
	uint8_t bytes[PYTHON_TEXT_MAX * 4];
	uint64_t length;
	uint32_t state;
	unsigned kind;
	bool is_compact, is_ascii;

	if (!python_is_a(p, address, p->text_type) || !remote_u64(&p->remote, address + o->text_length, &length) ||
	    !remote_u32(&p->remote, address + o->text_state, &state))
		return false;
	state >>= o->text_kind_bit;
	kind = state & 7;
	is_compact = state & 8;
	is_ascii = state & 16;
	if (!is_compact || (kind != 1 && kind != 2 && kind != 4) || (is_ascii && kind != 1))
		return false;
	if (length > PYTHON_TEXT_MAX)
		length = PYTHON_TEXT_MAX;
	if (!remote_read(&p->remote, address + (is_ascii ? o->text_ascii : o->text_other), bytes, length * kind))
		return false;
	for (uint64_t i = 0; i < length; i++)
		utf8_add(to, python_text_character(bytes + i * kind, kind));
	return true;
}

/* ---- modules ---- */

/* A table of indices, then the entries in order of their insertion. */
bool python_keys_read(const struct python_runtime *p, uint64_t address, struct python_keys *keys)
{
	struct {
		uint64_t count, size, lookup, usable, used;
	} old;
	struct {
		uint64_t count;
		uint8_t log2_size, log2_index_bytes, kind, more[5];
		uint64_t usable, used;
	} now;

	if (p->offsets.has_old_dict) {
		if (!remote_read(&p->remote, address, &old, sizeof(old)) || old.size > UINT32_MAX)
			return false;
		*keys = (struct python_keys){ address + sizeof(old) +
						      old.size * (old.size <= 0xff     ? 1
								  : old.size <= 0xffff ? 2
										       : 4),
					      old.used, true };
		return true;
	}
	if (!remote_read(&p->remote, address, &now, sizeof(now)) || now.log2_index_bytes > 34)
		return false;
	*keys = (struct python_keys){ address + sizeof(now) + (UINT64_C(1) << now.log2_index_bytes), now.used,
				      now.kind == 0 };
	return true;
}

static bool python_text_is(const struct python_runtime *p, uint64_t address, const char *text, struct str *work)
{
	str_clear(work);
	return python_text_add(p, address, work) && !strcmp(str_text(work), text);
}

int python_keys_find(const struct python_runtime *p, const struct python_keys *keys, const char *name, unsigned most,
		     uint64_t *value)
{
	uint64_t words[PYTHON_KEYS_MAX * 3];
	struct str work = { 0 };
	size_t each = keys->has_hashes ? 3 : 2, count = keys->count < most ? (size_t)keys->count : most;
	int found = -1;

	if (count > PYTHON_KEYS_MAX)
		count = PYTHON_KEYS_MAX;
	if (!remote_read(&p->remote, keys->entries, words, count * each * sizeof(*words)))
		return -1;
	for (size_t i = 0; i < count && found < 0; i++) {
		const uint64_t *key = &words[i * each + each - 2];

		if (python_text_is(p, key[0], name, &work)) {
			found = (int)i;
			*value = key[1];
		}
	}
	str_free(&work);
	return found;
}

/* The import system puts __name__ first; code that is executed in a dict of its own has it later, if at all. */
bool python_module_add(const struct python_runtime *p, uint64_t globals, struct str *to)
{
	enum { NAME_IS_WITHIN = 16 };
	struct python_keys keys;
	uint64_t at, value;

	return python_is_a(p, globals, p->dict_type) && remote_u64(&p->remote, globals + p->offsets.dict_keys, &at) &&
	       python_keys_read(p, at, &keys) && python_keys_find(p, &keys, "__name__", NAME_IS_WITHIN, &value) >= 0 &&
	       python_text_add(p, value, to);
}
