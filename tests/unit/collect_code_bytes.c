/* collect/jvm/code_bytes.c */
#include "collect/jvm/code_bytes.h"

#include <string.h>

#include "tests/unit/check.h"

enum { BASE = 0x10000, SIZE = 0x1000 };

#include "tests/unit/made_memory.h"

int main(void)
{
	const struct remote remote = { .read = read_made };
	struct code_bytes c;
	uint8_t got[200];
	unsigned before;

	for (size_t i = 0; i < SIZE; i++)
		memory[i] = (uint8_t)(i * 7);
	code_bytes_init(&c, &remote);
	CHECK(code_bytes_get(&c, BASE + 100, got, sizeof(got)));
	CHECK(!memcmp(got, memory + 100, sizeof(got))); /* over several lines */
	before = reads;
	CHECK(code_bytes_get(&c, BASE + 120, got, 100) && !memcmp(got, memory + 120, 100));
	CHECK(reads == before);
	put(BASE + 120, 1, 1);
	CHECK(code_bytes_get(&c, BASE + 120, got, 1) && got[0] == (uint8_t)(120 * 7)); /* as it was */
	code_bytes_next_batch(&c);
	CHECK(code_bytes_get(&c, BASE + 120, got, 1) && got[0] == 1);

	/* Of all the memory, only a few places. */
	for (size_t i = 0; i < SIZE; i += 50)
		CHECK(code_bytes_get(&c, BASE + i, got, 33 < SIZE - i ? 33 : SIZE - i) && got[0] == memory[i]);

	CHECK(code_bytes_get(&c, BASE + SIZE - 1, got, 1));
	CHECK(!code_bytes_get(&c, BASE + SIZE - 1, got, 2));
	CHECK(!code_bytes_get(&c, BASE - 1, got, 2));
	CHECK(!code_bytes_get(&c, UINT64_MAX, got, 2));
	CHECK(!code_bytes_get(&c, 0, got, 1));
	CHECK(code_bytes_get(&c, 0, got, 0)); /* nothing is always there */
	code_bytes_free(&c);
	return check_done();
}
