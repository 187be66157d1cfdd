/* own_cost: what is done between two windows is in one of them. */
#include "collect/run/own_cost.h"

#include "collect/machine/anchors.h"

#include "tests/unit/check.h"

enum { WORK_NS = 30000000 };

static void work(void)
{
	uint64_t end = own_cpu_ns() + WORK_NS;

	while (own_cpu_ns() < end)
		;
}

/* CPU time of the window so far. */
static double cost_ns(struct own_cost *o)
{
	double share = own_cost_share(o);

	return share * (double)(o->end_ns - o->begin_ns);
}

int main(void)
{
	struct own_cost o = { 0 };
	uint64_t first_end;

	own_cost_begin(&o);
	CHECK(cost_ns(&o) < WORK_NS);
	work();
	CHECK(cost_ns(&o) > 0.99 * WORK_NS);
	first_end = o.end_ns;
	work(); /* completes the first window, begins the second */
	own_cost_begin(&o);
	CHECK(o.begin_ns == first_end);
	CHECK(cost_ns(&o) > 0.99 * WORK_NS);
	CHECK(cost_ns(&o) < 2 * WORK_NS);
	own_cost_end(&o);
	return check_done();
}
