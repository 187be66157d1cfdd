/* The stacks of wakers come back after the chains that they belong to. */
#include <linux/perf_event.h>

#include "collect/offcpu/offcpu_wakers.h"
#include "core/format/recording.h"
#include "tests/unit/check.h"

int main(void)
{
	const uint64_t user[] = { (uint64_t)PERF_CONTEXT_USER, 0x10, 0x20, RECORDING_LABEL(RECORDING_LABEL_END, 1) };
	struct offcpu_wakers w = { 0 };
	uint64_t first = offcpu_wakers_place(&w), second = offcpu_wakers_place(&w), lost = 0;
	const uint64_t chain[] = { 0x1, RECORDING_LABEL(RECORDING_LABEL_WAKER, 7), first, second };
	struct chain_builder filled = { 0 };

	CHECK(first != second && offcpu_wakers_serial(first) == 1 && offcpu_wakers_serial(second) == 2);
	CHECK(!offcpu_wakers_serial(0x1) && !offcpu_wakers_serial(chain[1]));
	CHECK(offcpu_wakers_are_in(chain, 3) && !offcpu_wakers_are_in(chain, 2));

	offcpu_wakers_fill(&w, chain, 4, &filled, &lost);
	CHECK(filled.count == 2 && lost == 2); /* none is back */

	filled.count = 0;
	lost = 0;
	offcpu_wakers_keep(&w, 1, user, 4);
	offcpu_wakers_fill(&w, chain, 4, &filled, &lost);
	CHECK(filled.count == 5 && filled.list[2] == user[0] && filled.list[4] == 0x20 && lost == 1);

	/* Much later, another one has its place. */
	filled.count = 0;
	offcpu_wakers_keep(&w, 1 + (1 << 18), user, 2);
	offcpu_wakers_fill(&w, chain, 4, &filled, &lost);
	CHECK(filled.count == 2);

	chain_builder_free(&filled);
	offcpu_wakers_free(&w);
	return check_done();
}
