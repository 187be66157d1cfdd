/* alloc_signature, alloc_match: the places of arguments of HotSpot's functions; limits. */
#include <math.h>
#include <stdint.h>

#include "collect/alloc/alloc_match.h"
#include "collect/alloc/alloc_signature.h"
#include "core/wallclock.h"
#include "tests/unit/check.h"

static int is(const char *mangled, int klass, int tlab, int size)
{
	struct alloc_signature s;

	return alloc_signature_read(&s, mangled) && s.klass == klass && s.tlab == tlab && s.size == size;
}

static int is_none(const char *mangled)
{
	struct alloc_signature s;

	return !alloc_signature_read(&s, mangled);
}

static void check_versions(void)
{
	CHECK(is("_ZN11AllocTracer33send_allocation_in_new_tlab_eventE11KlassHandlemm", 0, 1, 2));
	CHECK(is("_ZN11AllocTracer34send_allocation_outside_tlab_eventE11KlassHandlem", 0, -1, 1));
	CHECK(is("_ZN11AllocTracer33send_allocation_in_new_tlab_eventE11KlassHandleP8HeapWordmmP6Thread", 0, 2, 3));
	CHECK(is("_ZN11AllocTracer27send_allocation_in_new_tlabEP5KlassP8HeapWordmmP6Thread", 0, 2, 3));
	CHECK(is("_ZN11AllocTracer28send_allocation_outside_tlabEP5KlassP8HeapWordmP6Thread", 0, -1, 2));
	CHECK(is("_ZN11AllocTracer27send_allocation_in_new_tlabEP5KlassPP12HeapWordImplmmP10JavaThread", 0, 2, 3));
	CHECK(is("_ZN11AllocTracer28send_allocation_outside_tlabEP5KlassPP12HeapWordImplmP10JavaThread", 0, -1, 2));
	CHECK(is("_ZN11AllocTracer28send_allocation_outside_tlabEPK5KlassS2_S_m", 0, -1, 3));
}

/* Rather none than the wrong register. */
static void check_hostile(void)
{
	CHECK(is_none(""));
	CHECK(is_none("_ZN"));
	CHECK(is_none("_ZN99999999999999999999999AllocTracer"));
	CHECK(is_none("_ZN11AllocTracer27send_allocation_in_new_tlab"));
	CHECK(is_none("_ZN11AllocTracer27send_allocation_in_new_tlabE"));
	CHECK(is_none("_ZN11AllocTracer27send_allocation_in_new_tlabEP5Klass"));
	CHECK(is_none("_ZN11AllocTracer27send_allocation_in_new_tlabEP5Klassm"));
	CHECK(is_none("_ZN11AllocTracer27send_allocation_in_new_tlabEP5Klassmmm"));
	CHECK(is_none("_ZN11AllocTracer27send_allocation_in_new_tlabEP5KlassmmP10JavaThread.isra.0"));
	CHECK(is_none("_ZN11AllocTracer27send_allocation_in_new_tlabE5Klassmm"));
	CHECK(is_none("_ZN11AllocTracer27send_allocation_in_new_tlabEP5Klassdmm"));
	CHECK(is_none("_ZN11AllocTracer27send_allocation_in_new_tlabEP5KlassS0mm"));
	CHECK(is_none("_ZN11AllocTracer27send_allocation_in_new_tlabEP9999Klassmm"));
	CHECK(is_none("_ZN11AllocTracer27send_allocation_in_new_tlabEPmm"));
	CHECK(is_none("_ZN11AllocTracer34send_allocation_requiring_gc_eventEmj"));
	CHECK(is_none("_ZN11AllocTracer27send_allocation_in_new_tlabEmmmmmmmmmmmmmmmmmmmmmmmmmP5Klass"));
}

static void check_registers(void)
{
	CHECK(alloc_argument_register(0) >= 0);
	CHECK(alloc_argument_register(0) != alloc_argument_register(1));
	CHECK(alloc_argument_register(8) < 0);
	CHECK(alloc_argument_register(-1) < 0);
}

/* What was lost could have exceeded it. */
static void check_doubt(void)
{
	const char *text = "String=1000/s";
	struct text_list none = { 0 }, limits = { .items = &text, .count = 1 };
	struct alloc_match *m = alloc_match_new(&none, &none, &limits);

	CHECK(alloc_match_doubt(m, NS_PER_SEC, 0) == 0);
	CHECK(alloc_match_doubt(m, NS_PER_SEC, 1000) == 0);
	CHECK(alloc_match_doubt(m, NS_PER_SEC, 1001) == 1);
	CHECK(alloc_match_doubt(m, 2 * NS_PER_SEC, 1001) == 0);
	CHECK(alloc_match_doubt(m, NS_PER_SEC, INFINITY) == 1);
	CHECK(alloc_match_judge(m, NS_PER_SEC) == 0);
	alloc_match_free(m);
}

int main(void)
{
	check_doubt();
	check_versions();
	check_hostile();
	check_registers();
	return check_done();
}
