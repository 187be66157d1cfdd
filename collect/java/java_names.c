#include "collect/java/java_names.h"

#include <string.h>

#include "core/format/recording.h"
#include "core/memory.h"

/* An address is in the middle of its 16 bytes, since readers of chains subtract one from return addresses before they
 * look them up. */
enum { STEP = 16, MIDDLE = 8, NAMES_MAX = 1 << 22 };

_Static_assert((uint64_t)NAMES_MAX *STEP <= JAVA_NAMES_BYTES, "all have an address in the mapping");

struct key {
	uint32_t name, file, line; /* file: number + 1; 0: none */
	uint16_t tier, is_method;
};

static struct key java_names_key_of(const struct java_names *n, size_t number)
{
	struct key key;

	memcpy(&key, intern_text(&n->keys, (uint32_t)number), sizeof(key));
	return key;
}

/* Returns false if the address was not assigned. */
static bool java_names_find_key(const struct java_names *n, uint64_t address, struct key *key)
{
	uint64_t number = (address - RECORDING_JAVA) / STEP;

	if (address < RECORDING_JAVA || number >= n->keys.count)
		return false;
	*key = java_names_key_of(n, number);
	return true;
}

static uint32_t java_names_number_of(struct intern *in, const void *bytes, size_t len, bool is_full)
{
	return is_full ? intern_find(in, bytes, len) : intern_add(in, bytes, len);
}

uint64_t java_names_address(struct java_names *n, const struct java_name *name)
{
	bool is_full = n->keys.count >= NAMES_MAX;
	struct key key = { .line = name->line, .tier = (unsigned char)name->tier, .is_method = name->is_method };
	uint32_t number;

	key.name = java_names_number_of(&n->texts, name->name, strlen(name->name), is_full);
	if (name->file)
		key.file = java_names_number_of(&n->texts, name->file, strlen(name->file), is_full) + 1;
	number = java_names_number_of(&n->keys, &key, sizeof(key), is_full);
	return number == UINT32_MAX ? 0 : RECORDING_JAVA + (uint64_t)number * STEP + MIDDLE;
}

static void java_names_spell_key(const struct java_names *n, const struct key *key, struct str *to)
{
	str_add(to, intern_text(&n->texts, key->name), intern_len(&n->texts, key->name));
	if (key->tier)
		str_addf(to, "_[%c]", (char)key->tier);
}

void java_names_spell(const struct java_names *n, uint64_t address, struct str *to)
{
	struct key key;

	if (!java_names_find_key(n, address, &key))
		return;
	java_names_spell_key(n, &key, to);
}

bool java_names_is_method(const struct java_names *n, uint64_t address)
{
	struct key key;

	return java_names_find_key(n, address, &key) && key.is_method;
}

static void java_names_add_line(struct jit_code *code, struct jit_piece *p, const char *file, size_t len, uint32_t line)
{
	code->lines = xgrow(code->lines, &code->line_cap, code->line_count + 1, sizeof(*code->lines));
	code->lines[code->line_count++] = (struct jit_line){
		.address = p->offset,
		.file = intern_add(&code->files, file, len),
		.line = line,
	};
	jit_code_add_source(code, p, code->line_count - 1);
}

void java_names_give(const struct java_names *n, struct jit_code *code)
{
	struct str name = { 0 };

	for (size_t i = 0; i < n->keys.count; i++) {
		struct key key = java_names_key_of(n, i);
		uint64_t start = RECORDING_JAVA + i * STEP;
		struct jit_piece *p;

		str_clear(&name);
		java_names_spell_key(n, &key, &name);
		p = jit_code_add(code, start, STEP, start, name.buf, name.len);
		if (p && key.file && key.line)
			java_names_add_line(code, p, intern_text(&n->texts, key.file - 1),
					    intern_len(&n->texts, key.file - 1), key.line);
	}
	str_free(&name);
}

void java_names_free(struct java_names *n)
{
	if (!n)
		return;
	intern_free(&n->texts);
	intern_free(&n->keys);
	*n = (struct java_names){ 0 };
}
