/* alloc_signature, alloc_weight: where the arguments of HotSpot's functions are; what they stand for. */
#include <math.h>
#include <stdint.h>

#include "collect/alloc_signature.h"
#include "collect/alloc_weight.h"
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

/* ---- weights: against threads that allocate as HotSpot's do, and count ---- */

enum { CLASSES = 5, TLAB = 65536, WASTE_FRACTION = 64, WASTE_INCREMENT = 32 };

/* Bytes of the objects of each class, and what part of all bytes they take. */
struct load {
	uint64_t sizes[CLASSES];
	double shares[CLASSES];
};

struct allocator {
	int tid;
	const struct load *load;
	uint64_t seed, left, limit;
	double truth[CLASSES], estimate[CLASSES];
	double objects_true, objects;
};

static double next_random(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (double)(*seed >> 11) / (double)((uint64_t)1 << 53);
}

static int choose(struct allocator *a)
{
	double sum = 0, at;
	int i;

	for (i = 0; i < CLASSES && a->load->sizes[i]; i++)
		sum += a->load->shares[i] / (double)a->load->sizes[i];
	at = next_random(&a->seed) * sum;
	for (i = 0; a->load->sizes[i + 1] && (at -= a->load->shares[i] / (double)a->load->sizes[i]) >= 0;)
		i++;
	return i;
}

/* MemAllocator::allocate_inside_tlab_slow() */
static void allocate(struct allocator *a, struct alloc_weights *w)
{
	int class = choose(a);
	uint64_t size = a->load->sizes[class], tlab = 0;
	struct alloc_weight weight;

	a->truth[class] += (double)size;
	a->objects_true++;
	if (size <= a->left) {
		a->left -= size;
		return;
	}
	if (a->left > a->limit || size > TLAB) {
		a->limit += WASTE_INCREMENT;
	} else {
		tlab = TLAB + size;
		a->left = TLAB;
		a->limit = TLAB / WASTE_FRACTION;
	}
	weight = alloc_weigh(w, a->tid, size, tlab, TLAB / WASTE_FRACTION);
	a->estimate[class] += (double)weight.bytes;
	a->objects += (double)weight.objects;
}

static double sum_of(const double list[CLASSES])
{
	double sum = 0;

	for (int i = 0; i < CLASSES; i++)
		sum += list[i];
	return sum;
}

/* The largest error of a share, in percent; -1: the sum is wrong. */
static double worst_error(const struct allocator *a)
{
	double worst = 0;

	for (int i = 0; i < CLASSES; i++)
		worst = fmax(worst, fabs(a->truth[i] / sum_of(a->truth) - a->estimate[i] / sum_of(a->estimate)));
	printf("# shares are wrong by %.1f points at most; bytes %.3f, objects %.3f of the truth\n", 100 * worst,
	       sum_of(a->estimate) / sum_of(a->truth), a->objects / a->objects_true);
	return fabs(sum_of(a->estimate) / sum_of(a->truth) - 1) < 0.12 ? 100 * worst : -1;
}

/* Loads of threads that allocate at the same time. */
static void check_loads(const struct load *loads, size_t count)
{
	struct allocator list[2] = {0};
	struct alloc_weights *w = alloc_weights_new();

	for (size_t i = 0; i < count; i++) {
		list[i] = (struct allocator){ .tid = 100 + (int)i, .load = &loads[i], .seed = 17 + i };
		alloc_weights_add_thread(w, list[i].tid);
	}
	for (size_t i = 0; i < count; i++) {
		while (sum_of(list[i].truth) < 3000.0 * TLAB)
			allocate(&list[i], w);
	}
	for (size_t i = 0; i < count; i++) {
		double error = worst_error(&list[i]);

		CHECK(error >= 0 && error < 5);
	}
	alloc_weights_free(w);
}

static void check_weights(void)
{
	static const struct load loads[] = {
		{ { 24, 64 }, { .5, .5 } },
		{ { 64, 8192 }, { .5, .5 } },
		{ { 64, 3072 }, { .5, .5 } },
		{ { 64, 8192 }, { .1, .9 } },
		{ { 64, 8192 }, { .9, .1 } },
		{ { 900, 1200 }, { .5, .5 } },
		{ { 8192, 20480 }, { .5, .5 } },
		{ { 64, 40960 }, { .5, .5 } },
		{ { 1100, 40960 }, { .5, .5 } },
		{ { 8192 }, { 1 } },
		{ { 64, 2048, 8192, 20480 }, { .35, .25, .2, .2 } },
		{ { 24, 600, 1100, 2048 }, { .25, .25, .25, .25 } },
		{ { 64, 102400 }, { .5, .5 } },
	};
	static const struct load different[] = { { { 24, 64 }, { .5, .5 } }, { { 64, 8192 }, { .5, .5 } } };

	for (size_t i = 0; i < sizeof(loads) / sizeof(*loads); i++)
		check_loads(&loads[i], 1);
	check_loads(different, 2);
}

/* Sizes that no JVM gives. */
static void check_odd_weights(void)
{
	struct alloc_weights *w = alloc_weights_new();
	uint64_t seed = 1;
	bool sane = true;

	for (int i = 0; i < 200000; i++) {
		uint64_t size = 1 + (uint64_t)(next_random(&seed) * 1e14) % ((uint64_t)1 << (i % 47));
		uint64_t tlab = i % 3 ? 0 : (uint64_t)(next_random(&seed) * 1e14) % ((uint64_t)1 << (i % 46));
		struct alloc_weight weight = alloc_weigh(w, 1 + i % 300, size, tlab, (uint64_t)(next_random(&seed) * 1e6));

		sane &= weight.bytes >= size && weight.objects >= 1 && weight.bytes < (uint64_t)1 << 62;
	}
	CHECK(sane);
	alloc_weights_free(w);
	alloc_weights_free(NULL);
}

int main(void)
{
	check_weights();
	check_odd_weights();
	check_versions();
	check_hostile();
	check_registers();
	return check_done();
}
