/* How much CPU time a stack of about 30 frames takes, once everything about its code has been read: with core/unwind,
 * and with libdw's walker and a session that is reused.
 *
 *     unwind_speed [STACKS]      one line: frames, ns with ours, ns with libdw, their ratio */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tests/unit/unwind_own.h"

static struct own own;
static struct own_reference reference;
static const void *stack_end;
static long stacks = 1000000;

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static double measure_ours(const struct own_stack *s, size_t *frames)
{
	static uint64_t chain[UNWIND_MAX];
	enum unwind_end end;
	uint32_t stopped;
	uint64_t from;

	*frames = own_unwind(&own, s, s->len, 2 * s->len, chain, &end, &stopped);
	from = now_ns();
	for (long i = 0; i < stacks; i++) {
		if (own_unwind(&own, s, s->len, 2 * s->len, chain, &end, &stopped) != *frames)
			abort();
	}
	return (double)(now_ns() - from) / (double)stacks;
}

static double measure_libdw(const struct own_stack *s, size_t frames)
{
	static uint64_t chain[UNWIND_MAX];
	long count = stacks / 50 + 1;
	uint64_t from;

	if (own_reference_walk(&reference, s, chain) != frames)
		abort();
	from = now_ns();
	for (long i = 0; i < count; i++)
		own_reference_walk(&reference, s, chain);
	return (double)(now_ns() - from) / (double)count;
}

__attribute__((noinline)) static void look(void)
{
	struct own_stack s;
	ucontext_t context;
	double ours, libdw;
	size_t frames;

	getcontext(&context);
	own_set_registers(&s, &context);
	own_copy_stack(&s, stack_end);
	ours = measure_ours(&s, &frames);
	libdw = measure_libdw(&s, frames);
	printf("frames=%zu ours_ns=%.0f libdw_ns=%.0f times=%.1f\n", frames, ours, libdw, libdw / ours);
	free(s.bytes);
}

/* Different functions, so that there is more than one rule. */
__attribute__((noinline)) static int down(int depth);

__attribute__((noinline)) static int with_array(int depth)
{
	volatile char room[300];

	room[depth] = 1;
	return down(depth - 1) + room[depth];
}

static int by_number(const void *a, const void *b)
{
	static int last;

	if (last != *(const int *)a + 1) {
		last = *(const int *)a + 1;
		down(last - 2);
	}
	return *(const int *)a - *(const int *)b;
}

static int down(int depth)
{
	int keys[1] = { depth };
	volatile int one = 1;

	if (depth <= 0)
		look();
	else if (depth % 4 == 3)
		bsearch(keys, keys, 1, sizeof(*keys), by_number);
	else
		with_array(depth);
	return one;
}

int main(int argc, char **argv)
{
	if (argc > 1)
		stacks = strtol(argv[1], NULL, 10);
	stack_end = (const char *)__builtin_frame_address(0) + 1024;
	own_init(&own);
	if (!own_reference_init(&reference))
		return 1;
	down(14);
	dwfl_end(reference.dwfl);
	own_free(&own);
	return 0;
}
