/* span_program: how long a record with a stack must be; an impossible count makes it longer than any record. */
#include <limits.h>

#include "collect/spans/span_program.h"
#include "tests/unit/check.h"

int main(void)
{
	struct span_program unloaded = { .name = "locks" };
	size_t copy = sizeof(struct user_copy);

	CHECK(span_record_size(40, 0, 0, 0) == 40);
	CHECK(span_record_size(40, 2, 3, 0) == 80);
	CHECK(span_record_size(40, -14, 3, 0) == 64); /* an errno: there is no such part */
	CHECK(span_record_size(40, 2, -14, 0) == 56);
	CHECK(span_record_size(40, 2, 0, (uint32_t)copy) == 56 + copy);
	CHECK(span_record_size(40, 2, 0, (uint32_t)copy - 1) > UINT32_MAX); /* no copy is so short */
	CHECK(span_record_size(40, INT_MAX, INT_MAX, 0) > UINT32_MAX);

	/* A program that was not loaded has lost nothing. */
	span_life.end(&unloaded, 1);
	CHECK(!span_life.lost(&unloaded) && !span_life.missed(&unloaded));
	span_program_free(&unloaded);
	return check_done();
}
