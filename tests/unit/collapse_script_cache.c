/* script_cache: no key gets the number of another key, growing keeps all keys, and a full cache forgets some. */
#include "collapse/script/script_cache.h"
#include "tests/unit/check.h"

enum { KEYS = 20000, BITS_MAX = 8 };

/* Keys like those of splitmix64: all differ, and some sets get more of them than others. */
static uint64_t hash_of(uint32_t i)
{
	uint64_t hash = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);

	hash = (hash ^ hash >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	hash = (hash ^ hash >> 27) * UINT64_C(0x94d049bb133111eb);
	return hash ^ hash >> 31;
}

static size_t count_found(const struct script_cache *c, uint32_t keys)
{
	size_t found = 0, wrong = 0;

	for (uint32_t i = 0; i < keys; i++) {
		uint32_t number = script_cache_find(c, hash_of(i), i);

		wrong += number && number != i + 1;
		found += number != 0;
	}
	CHECK(!wrong);
	return found;
}

static void check_growth(void)
{
	struct script_cache c = { 0 };

	CHECK(script_cache_find(&c, 0, 0) == 0);
	script_cache_look(&c, 0); /* of an empty one: nothing */
	for (uint32_t i = 0; i < KEYS; i++) {
		unsigned bits = c.bits;
		size_t before = c.count >= (size_t)SCRIPT_CACHE_WAYS << bits >> 1 ? count_found(&c, i) : 0;

		script_cache_add(&c, 20, hash_of(i), i, i);
		if (bits && c.bits > bits)
			CHECK(before && count_found(&c, i + 1) >= before);
	}
	CHECK(count_found(&c, KEYS) > KEYS * 9 / 10); /* a set may be full even if others are not */
	CHECK(script_cache_find(&c, hash_of(5), 6) == 0);
	CHECK(script_cache_find(&c, hash_of(KEYS), 5) == 0);
	script_cache_free(&c);
}

static void check_full(void)
{
	struct script_cache c = { 0 };
	size_t last_found = 0;

	for (uint32_t i = 0; i < KEYS; i++) {
		script_cache_add(&c, BITS_MAX, hash_of(i), i, i);
		last_found += script_cache_find(&c, hash_of(i), i) == i + 1;
	}
	CHECK(last_found == KEYS);
	CHECK(c.bits == BITS_MAX);
	CHECK(count_found(&c, KEYS) <= (size_t)SCRIPT_CACHE_WAYS << BITS_MAX);
	CHECK(count_found(&c, KEYS) > (size_t)SCRIPT_CACHE_WAYS << BITS_MAX >> 1);
	script_cache_free(&c);
}

static void check_zero(void)
{
	struct script_cache c = { 0 };

	script_cache_add(&c, BITS_MAX, 0, 0, 0);
	script_cache_add(&c, BITS_MAX, 0, 1, 7);
	CHECK(script_cache_find(&c, 0, 0) == 1);
	CHECK(script_cache_find(&c, 0, 1) == 8);
	CHECK(script_cache_find(&c, 0, 2) == 0);
	script_cache_free(&c);
}

int main(void)
{
	check_growth();
	check_full();
	check_zero();
	return check_done();
}
