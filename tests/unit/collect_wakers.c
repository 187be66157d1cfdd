/* Chains of wakers: which part of a stack taken by a BPF program remains. */
#include <linux/perf_event.h>

#include "collect/recording/chain_builder.h"
#include "core/format/recording.h"
#include "tests/unit/check.h"

#define KERNEL (uint64_t) PERF_CONTEXT_KERNEL
#define USER (uint64_t) PERF_CONTEXT_USER
#define K(n) (0xffffffff81000000u + (n))
#define WAKER(pid, tid) RECORDING_LABEL(RECORDING_LABEL_WAKER, (uint64_t)(pid) << 24 | (tid))

enum { TRACING = 0x100, ENTRY = 0x200, SECOND = 0x300, OTHER = 0x400, CODE = 0x1000 };

static struct trace_range ranges[] = {
	{ K(TRACING), K(TRACING) + 0x10, false },
	{ K(ENTRY), K(ENTRY) + 0x10, true },
	{ K(SECOND), K(SECOND) + 0x10, true }, /* the functions from which ENTRY is called: one for an interrupt, two
					        * others */
};

static const struct trace_frames frames = { ranges, sizeof(ranges) / sizeof(*ranges), 0 };

struct row {
	int kernel_count, user_count;
	uint64_t stack[6];
	bool interrupt;
	size_t count;
	uint64_t chain[8];
};

static const struct row rows[] = {
	/* a thread */
	{ 2, 1, { K(TRACING), K(OTHER), CODE }, false, 5, { WAKER(7, 8), KERNEL, K(OTHER), USER, CODE } },
	/* an interrupt of user code, of kernel code, of both */
	{ 3, 1, { K(TRACING), K(OTHER), K(ENTRY), CODE }, true, 4, { WAKER(0, 0), KERNEL, K(OTHER), K(ENTRY) } },
	{ 3, 0, { K(OTHER), K(ENTRY), K(OTHER) }, true, 4, { WAKER(0, 0), KERNEL, K(OTHER), K(ENTRY) } },
	{ 3, 1, { K(OTHER), K(ENTRY), K(OTHER), CODE }, true, 4, { WAKER(0, 0), KERNEL, K(OTHER), K(ENTRY) } },
	/* ... that arrives through two functions; one interrupt inside another */
	{ 4,
	  0,
	  { K(OTHER), K(ENTRY), K(SECOND), K(OTHER) },
	  true,
	  5,
	  { WAKER(0, 0), KERNEL, K(OTHER), K(ENTRY), K(SECOND) } },
	{ 5,
	  0,
	  { K(OTHER), K(ENTRY), K(OTHER), K(SECOND), K(OTHER) },
	  true,
	  4,
	  { WAKER(0, 0), KERNEL, K(OTHER), K(ENTRY) } },
	/* a frame pointer that leads to itself; a function may really be there twice */
	{ 1,
	  5,
	  { K(OTHER), CODE, CODE + 1, CODE + 2, CODE + 2, CODE + 2 },
	  false,
	  7,
	  { WAKER(7, 8), KERNEL, K(OTHER), USER, CODE, CODE + 1, CODE + 2 } },
	{ 1,
	  3,
	  { K(OTHER), CODE, CODE + 2, CODE + 2 },
	  false,
	  7,
	  { WAKER(7, 8), KERNEL, K(OTHER), USER, CODE, CODE + 2, CODE + 2 } },
	{ 0, 6, { CODE, CODE, CODE, CODE, CODE, CODE }, false, 3, { WAKER(7, 8), USER, CODE } },
	{ 0,
	  5,
	  { CODE, CODE, CODE, CODE, CODE + 2 },
	  false,
	  7,
	  { WAKER(7, 8), USER, CODE, CODE, CODE, CODE, CODE + 2 } }, /* it goes on: recursion */
	/* no stack could be taken */
	{ -14, -14, { 0 }, false, 1, { WAKER(7, 8) } },
};

static void test_wakers(void)
{
	struct chain_builder c = { 0 };
	uint64_t cut = 0;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct row *r = &rows[i];
		struct waker_stack w = { &frames, 7, 8, r->stack, r->kernel_count, r->user_count, &cut };

		c.count = 0;
		CHECK(chain_builder_add_waker(&c, &w) == r->interrupt);
		CHECK(c.count == r->count);
		for (size_t k = 0; k < c.count && k < r->count; k++)
			CHECK(c.list[k] == r->chain[k]);
	}
	CHECK(cut == 2);
	chain_builder_free(&c);
}

int main(void)
{
	test_wakers();
	return check_done();
}
