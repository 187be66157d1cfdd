/* core/hash_table.h, core/map.h, core/intern.h */
#include <stdio.h>
#include <string.h>

#include "core/hash_table.h"
#include "core/intern.h"
#include "core/map.h"
#include "tests/unit/check.h"

enum { MANY = 10000 };

static bool is_number(const void *items, uint32_t number, const void *key)
{
	return ((const uint64_t *)items)[number] == *(const uint64_t *)key;
}

/* spread: how many items share a hash. */
static bool finds_all(uint64_t spread)
{
	static uint64_t items[MANY];
	struct hash_table t = { 0 };
	bool good = true;

	for (uint64_t pass = 0; pass < 2; pass++) {
		for (uint32_t i = 0; i < MANY; i++) {
			items[i] = (uint64_t)i * 3;
			good &= hash_table_add(&t, items[i] / spread * 0x9e3779b97f4a7c15u, is_number, items, &items[i],
					       pass ? MANY : i) == i;
		}
	}
	good &= t.count == MANY;
	good &= hash_table_find(&t, 1, is_number, items, &(uint64_t){ 1 }) == HASH_TABLE_NONE;
	hash_table_free(&t);
	return good;
}

static bool maps_all(void)
{
	struct map m = { 0 };
	bool good = !map_get(&m, 1, 2);

	for (uint32_t i = 0; i < MANY; i++) {
		uint32_t *value = map_at(&m, i / 3, i % 3);

		good &= !*value;
		*value = i + 1;
	}
	for (uint32_t i = 0; i < MANY; i++)
		good &= map_get(&m, i / 3, i % 3) == i + 1;
	good &= !map_get(&m, MANY, 0) && m.count == MANY;
	map_free(&m);
	return good && !m.entries;
}

/* So many names that some share the 32 bits of their hash, and are told apart by their bytes. */
static bool interns_all(int width)
{
	enum { NAMES = 300000 };
	struct intern in = { 0 };
	bool good = true;
	char name[64];

	for (uint32_t pass = 0; pass < 2; pass++) {
		for (uint32_t i = 0; i < NAMES; i++) {
			int len = snprintf(name, sizeof(name), "%0*u", width, i * 7);

			good &= intern_add(&in, name, (size_t)len) == i;
		}
	}
	good &= in.count == NAMES;
	intern_free(&in);
	return good;
}

int main(void)
{
	struct hash_table empty = { 0 };

	CHECK(hash_table_find(&empty, 1, is_number, NULL, NULL) == HASH_TABLE_NONE);
	CHECK(finds_all(1));
	CHECK(finds_all(30));
	CHECK(maps_all());
	CHECK(interns_all(7));
	CHECK(interns_all(12));
	CHECK(interns_all(16));
	return check_done();
}
