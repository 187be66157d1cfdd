/* alloc_weight, compared with threads that allocate like HotSpot's, and count.
 * slow: counts until it is sure */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "collect/alloc/alloc_weight.h"
#include "tests/unit/check.h"

enum { CLASSES = 8, TLAB = 65536, WASTE_FRACTION = 64, WASTE_INCREMENT = 32 };

/* The size of the objects of each class, with their share of all bytes if they come in random order, or with how many
 * of each come in a row, round after round. */
struct load {
	uint64_t sizes[CLASSES];
	double shares[CLASSES];
	uint64_t rows[CLASSES];
	bool in_any_order; /* the rows */
	uint64_t tlab;     /* 0: TLAB */
};

struct allocator {
	int tid;
	const struct load *load;
	uint64_t seed, left, limit, tlab;
	int64_t until_gc;                              /* bytes */
	uint64_t class, made;                          /* in the present row */
	double truth[CLASSES], estimate[CLASSES], all; /* all: the sum of truth */
	double objects_true, objects;
	double weights[CLASSES], weight; /* how often objects of each class come; of all classes */
};

static double next_random(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (double)(*seed >> 11) / (double)((uint64_t)1 << 53);
}

static void weigh_classes(struct allocator *a)
{
	for (int i = 0; i < CLASSES && a->load->sizes[i]; i++)
		a->weight += a->weights[i] = a->load->shares[i] / (double)a->load->sizes[i];
}

static int choose(struct allocator *a)
{
	double at = next_random(&a->seed) * a->weight;
	int i;

	for (i = 0; a->load->sizes[i + 1] && (at -= a->weights[i]) >= 0;)
		i++;
	return i;
}

/* The next one of a row. */
static int go_on(struct allocator *a)
{
	while (a->made >= a->load->rows[a->class]) {
		a->class = a->load->in_any_order    ? (uint64_t)(next_random(&a->seed) * CLASSES)
			   : a->class + 1 < CLASSES ? a->class + 1
						    : 0;
		a->made = 0;
	}
	a->made++;
	return (int)a->class;
}

/* TLABs end at random places, and get another size. */
static void collect_garbage(struct allocator *a)
{
	a->tlab = (uint64_t)((double)a->load->tlab * (0.9 + 0.2 * next_random(&a->seed))) & ~(uint64_t)7;
	a->left = 0;
	a->until_gc = (int64_t)((double)a->load->tlab * 100 * next_random(&a->seed));
}

/* MemAllocator::allocate_inside_tlab_slow() */
static void allocate(struct allocator *a, struct alloc_weights *w)
{
	int class = a->load->rows[0] ? go_on(a) : choose(a);
	uint64_t size = a->load->sizes[class], tlab = 0;
	struct alloc_weight weight;

	a->truth[class] += (double)size;
	a->all += (double)size;
	a->objects_true++;
	a->until_gc -= (int64_t)size;
	if (a->load->rows[0] && a->until_gc < 0)
		collect_garbage(a);
	if (size <= a->left) {
		a->left -= size;
		return;
	}
	if (a->left > a->limit || size > a->tlab) {
		a->limit += WASTE_INCREMENT;
	} else {
		a->left = a->tlab;
		a->limit = a->tlab / WASTE_FRACTION;
		tlab = a->tlab + size;
	}
	weight = alloc_weigh(w, a->tid, size, tlab, a->tlab / WASTE_FRACTION);
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

/* Loads with threads that allocate at the same time: shares are wrong by less than limit points. */
static void check_loads(const struct load *loads, size_t count, double limit)
{
	struct allocator list[2] = { 0 };
	struct alloc_weights *w = alloc_weights_new();

	for (size_t i = 0; i < count; i++) {
		list[i] = (struct allocator){ .tid = 100 + (int)i,
					      .load = &loads[i],
					      .seed = 17 + i,
					      .tlab = loads[i].tlab ? loads[i].tlab : TLAB };
		weigh_classes(&list[i]);
		alloc_weights_add_thread(w, list[i].tid);
	}
	for (size_t i = 0; i < count; i++) {
		while (list[i].all < 3000.0 * (double)list[i].tlab)
			allocate(&list[i], w);
	}
	for (size_t i = 0; i < count; i++) {
		double error = worst_error(&list[i]);

		CHECK(error >= 0 && error < limit);
	}
	alloc_weights_free(w);
}

static void check_weights(void)
{
	static const struct load loads[] = {
		{ .sizes = { 24, 64 }, .shares = { .5, .5 } },
		{ .sizes = { 64, 8192 }, .shares = { .5, .5 } },
		{ .sizes = { 64, 3072 }, .shares = { .5, .5 } },
		{ .sizes = { 64, 8192 }, .shares = { .1, .9 } },
		{ .sizes = { 64, 8192 }, .shares = { .9, .1 } },
		{ .sizes = { 900, 1200 }, .shares = { .5, .5 } },
		{ .sizes = { 8192, 20480 }, .shares = { .5, .5 } },
		{ .sizes = { 64, 40960 }, .shares = { .5, .5 } },
		{ .sizes = { 1100, 40960 }, .shares = { .5, .5 } },
		{ .sizes = { 8192 }, .shares = { 1 } },
		{ .sizes = { 64, 2048, 8192, 20480 }, .shares = { .35, .25, .2, .2 } },
		{ .sizes = { 24, 600, 1100, 2048 }, .shares = { .25, .25, .25, .25 } },
		{ .sizes = { 64, 102400 }, .shares = { .5, .5 } },
	};
	static const struct load different[] = { { .sizes = { 24, 64 }, .shares = { .5, .5 } },
						 { .sizes = { 64, 8192 }, .shares = { .5, .5 } } };

	for (size_t i = 0; i < sizeof(loads) / sizeof(*loads); i++)
		check_loads(&loads[i], 1, 5);
	check_loads(different, 2, 5);
}

/* Do rows come in this order, so that they could beat with TLABs, or in any order? */
static void check_rows(const struct load *loads, size_t count, bool in_any_order, double limit)
{
	static const uint64_t tlabs[] = { 150000, 262144, 600000 };

	for (size_t i = 0; i < count; i++) {
		for (size_t k = 0; k < sizeof(tlabs) / sizeof(*tlabs); k++) {
			struct load load = loads[i];

			load.in_any_order = in_any_order;
			load.tlab = tlabs[k];
			printf("# load %zu, TLABs of %zu\n", i, (size_t)tlabs[k]);
			check_loads(&load, 1, limit);
		}
	}
}

static bool steps(const uint64_t *sizes, size_t count)
{
	struct alloc_weights *w = alloc_weights_new();
	bool in_step;

	for (size_t i = 0; i < 100; i++)
		alloc_weigh(w, (int)(1 + i % 3), sizes[i / 3 % count], 1000000 + sizes[i / 3 % count], 15000);
	in_step = alloc_weights_are_in_step(w);
	alloc_weights_free(w);
	return in_step;
}

static void check_steps(void)
{
	CHECK(steps((uint64_t[]){ 1016 }, 1));
	CHECK(!steps((uint64_t[]){ 1016, 2016 }, 2));
	CHECK(!steps((uint64_t[]){ 1016, 1016, 1016, 2016 }, 4));
}

/* TLABs, each of which begins like the one before with the given probability; two sizes are equally frequent. */
static bool is_in_order(double alike, unsigned count)
{
	struct alloc_weights *w = alloc_weights_new();
	uint64_t seed = 7, size = 104;
	bool in_order;

	for (unsigned i = 0; i < count; i++) {
		if (next_random(&seed) >= alike)
			size = size == 104 ? 416 : 104;
		alloc_weigh(w, 1, size, 262144 + size, 4096);
	}
	in_order = alloc_weights_are_in_order(w);
	alloc_weights_free(w);
	return in_order;
}

/* As many sizes in turns. */
static bool is_in_cycle(unsigned length, unsigned count)
{
	struct alloc_weights *w = alloc_weights_new();
	bool in_order;

	for (unsigned i = 0; i < count; i++)
		alloc_weigh(w, 1, 104 + i % length * 8, 262144 + 104 + i % length * 8, 4096);
	in_order = alloc_weights_are_in_order(w);
	alloc_weights_free(w);
	return in_order;
}

static void check_order(void)
{
	CHECK(is_in_cycle(2, 300));
	CHECK(is_in_cycle(8, 300));
	CHECK(!is_in_cycle(9, 300));
	CHECK(!is_in_cycle(2, 50));
	CHECK(!is_in_order(0.5, 2000)); /* random */
	CHECK(!is_in_order(0.1, 2000)); /* in turns */
	CHECK(is_in_order(0.85, 2000)); /* phases */
	CHECK(!is_in_order(0.85, 50));  /* too few to say */
}

static void check_bursts(void)
{
	static const struct load short_rows[] = {
		{ .sizes = { 32, 96, 16, 416, 4096, 65536 }, .rows = { 300, 100, 600, 20, 3, 1 } },
		{ .sizes = { 64, 8192 }, .rows = { 1000, 4 } },
		{ .sizes = { 64, 24, 20480 }, .rows = { 5000, 10000, 7 } },
	};
	static const struct load long_rows[] = {
		{ .sizes = { 64, 8192 }, .rows = { 10000, 100 } },
		{ .sizes = { 24, 16384, 32, 16384, 64 }, .rows = { 50000, 10, 9000, 50, 12000 } },
	};
	/* Round for round; no row is as long as a TLAB. */
	struct load rounds = { .sizes = { 32, 96, 16, 416, 4096, 65536, 1048576 },
			       .rows = { 30000, 10000, 60000, 2000, 300, 20, 1 } };

	check_rows(short_rows, sizeof(short_rows) / sizeof(*short_rows), true, 7);
	check_rows(long_rows, sizeof(long_rows) / sizeof(*long_rows), true, 3);
	check_rows(long_rows, sizeof(long_rows) / sizeof(*long_rows), false, 3);
	for (rounds.tlab = 75000; rounds.tlab <= 600000; rounds.tlab *= 2)
		check_loads(&rounds, 1, 3);
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
		struct alloc_weight weight =
			alloc_weigh(w, 1 + i % 300, size, tlab, (uint64_t)(next_random(&seed) * 1e6));

		sane &= weight.bytes >= size && weight.objects >= 1 && weight.bytes < (uint64_t)1 << 62;
	}
	CHECK(sane);
	alloc_weights_free(w);
	alloc_weights_free(NULL);
}

/* Shortly before a garbage collection, there is no room for a new TLAB, and a small object, which would have begun one,
 * is put outside.  This object's sample stands for the TLAB that ended; the object that begins the next TLAB
 * stands for itself. */
static void check_no_room(void)
{
	enum { SMALL = 48, LARGE = 4096, LIMIT = TLAB / WASTE_FRACTION };
	static const struct {
		uint64_t size, tlab, bytes;
	} rows[] = {
		{ SMALL, TLAB + SMALL, TLAB },  /* ends the first one, and begins one */
		{ SMALL, 0, TLAB },             /* ends that, without room for another */
		{ SMALL, TLAB + SMALL, SMALL }, /* begins the next: nothing came between */
		{ SMALL, TLAB + SMALL, TLAB },  /* as ever */
		{ SMALL, 0, TLAB },
		{ LARGE, TLAB + LARGE, LARGE }, /* the same, of another class */
		{ SMALL, TLAB + SMALL, TLAB },
	};
	struct alloc_weights *w = alloc_weights_new();

	alloc_weights_add_thread(w, 7);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		uint64_t bytes = alloc_weigh(w, 7, rows[i].size, rows[i].tlab, LIMIT).bytes;

		printf("# row %zu: %zu bytes, expected %zu\n", i, (size_t)bytes, (size_t)rows[i].bytes);
		CHECK(bytes == rows[i].bytes);
	}
	alloc_weights_free(w);
}

int main(void)
{
	check_weights();
	check_no_room();
	check_order();
	check_bursts();
	check_steps();
	check_odd_weights();
	return check_done();
}
