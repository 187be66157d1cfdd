/* The stacks of wakers arrive after the chains to which they belong. */
#include <linux/perf_event.h>

#include "collect/spans/waker_stacks.h"
#include "core/format/recording.h"
#include "tests/unit/check.h"

/* Two generations of at most 65536 are kept, however many there are. */
static void many(void)
{
	struct waker_stacks w = { 0 };
	uint64_t chain[] = { (uint64_t)PERF_CONTEXT_USER, 0x10 }, lost = 0;
	struct chain_builder filled = { 0 };
	uint64_t first = waker_stacks_place(&w);

	waker_stacks_keep(&w, 1, chain, 2);
	for (uint64_t i = 0; i < 150000; i++) {
		waker_stacks_place(&w);
		chain[1] = 0x1000 + i;
		waker_stacks_keep(&w, 2 + i, chain, 2);
		if (i == 70000) { /* of the generation before */
			waker_stacks_fill(&w, &first, 1, &filled, &lost);
			CHECK(filled.count == 2 && filled.list[1] == 0x10 && !lost);
		}
	}
	CHECK(w.chains[0].count <= 65536 && w.chains[1].count <= 65536);
	waker_stacks_fill(&w, &first, 1, &filled, &lost);
	CHECK(filled.count == 2 && lost == 1);
	first = RECORDING_LABEL(0xfe, 150001);
	waker_stacks_fill(&w, &first, 1, &filled, &lost);
	CHECK(filled.count == 4 && filled.list[3] == 0x1000 + 149999 && lost == 1);
	chain_builder_free(&filled);
	waker_stacks_free(&w);
}

int main(void)
{
	const uint64_t user[] = { (uint64_t)PERF_CONTEXT_USER, 0x10, 0x20, RECORDING_LABEL(RECORDING_LABEL_END, 1) };
	struct waker_stacks w = { 0 };
	uint64_t first = waker_stacks_place(&w), second = waker_stacks_place(&w), lost = 0;
	const uint64_t chain[] = { 0x1, RECORDING_LABEL(RECORDING_LABEL_WAKER, 7), first, second };
	struct chain_builder filled = { 0 };

	CHECK(first != second && waker_stacks_serial(first) == 1 && waker_stacks_serial(second) == 2);
	CHECK(!waker_stacks_serial(0x1) && !waker_stacks_serial(chain[1]));
	CHECK(waker_stacks_await(chain, 3) && !waker_stacks_await(chain, 2));

	waker_stacks_fill(&w, chain, 4, &filled, &lost);
	CHECK(filled.count == 2 && lost == 2); /* none is back */

	filled.count = 0;
	lost = 0;
	waker_stacks_keep(&w, 1, user, 4);
	waker_stacks_fill(&w, chain, 4, &filled, &lost);
	CHECK(filled.count == 5 && filled.list[2] == user[0] && filled.list[4] == 0x20 && lost == 1);

	/* Much later, another one has its place. */
	filled.count = 0;
	waker_stacks_keep(&w, 1 + (1 << 18), user, 2);
	waker_stacks_fill(&w, chain, 4, &filled, &lost);
	CHECK(filled.count == 2);

	chain_builder_free(&filled);
	waker_stacks_free(&w);
	many();
	return check_done();
}
