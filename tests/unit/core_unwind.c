/* Our own stacks, walked: every entry as libdw's walker has it, and as libgcc's. */
#include <elf.h>
#include <execinfo.h>
#include <pthread.h>
#include <signal.h>

#include "tests/unit/check.h"

#if defined(__x86_64__)

#include "tests/unit/unwind_own.h"

static struct own own;
static struct own_reference reference;
static const void *stack_end;    /* of this thread: what is above is not copied */

/* Take the stack here, walk it in three ways.  Returns false when they differ, and says how. */
static bool same_as_reference(const struct own_stack *s, const char *what)
{
	static uint64_t ours[UNWIND_MAX], theirs[UNWIND_MAX];
	enum unwind_end end;
	uint32_t stopped;
	size_t n = own_unwind(&own, s, s->len, 2 * s->len, ours, &end, &stopped);
	size_t wanted = own_reference_walk(&reference, s, theirs);

	if (n == wanted && !memcmp(ours, theirs, n * sizeof(*ours)) && end == UNWIND_COMPLETE &&
	    stopped == UINT32_MAX)
		return true;
	printf("# %s: end %d, module %d: %zu entries, wanted %zu\n", what, (int)end, (int)stopped, n, wanted);
	for (size_t i = 0; i < n || i < wanted; i++)
		printf("#   %#18lx %#18lx\n", i < n ? ours[i] : 0, i < wanted ? theirs[i] : 0);
	return false;
}

/* libgcc's walker sees the same callers; its own first entry lies in this function. */
static bool same_as_backtrace(const struct own_stack *s, void *const *trace, int count)
{
	static uint64_t ours[UNWIND_MAX];
	enum unwind_end end;
	uint32_t stopped;
	size_t n = own_unwind(&own, s, s->len, 2 * s->len, ours, &end, &stopped);
	int at = 1;

	for (size_t i = 1; i < n; i++) {
		if (ours[i] == (uint64_t)PERF_CONTEXT_USER)
			continue;
		if (at >= count || ours[i] != (uint64_t)(uintptr_t)trace[at])
			return false;
		at++;
	}
	return at == count;
}

static bool good;

__attribute__((noinline)) static void look(void)
{
	struct own_stack s;
	ucontext_t context;
	void *trace[1000];
	int count;

	getcontext(&context);
	own_set_registers(&s, &context);
	own_copy_stack(&s, stack_end);
	count = backtrace(trace, 1000);
	good = same_as_reference(&s, "libdw") && same_as_backtrace(&s, trace, count);
	free(s.bytes);
}

/* ---- ways to come there ------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
	look();
	return *(const int *)a - *(const int *)b;
}

__attribute__((noinline)) static int recurse(int depth)
{
	volatile char room[100];

	room[depth % 100] = 1;
	if (!depth)
		look();
	else
		recurse(depth - 1);
	return room[depth % 100];
}

static void handle(int number)
{
	(void)number;
	look();
}

static void *run_thread(void *argument)
{
	(void)argument;
	stack_end = (const char *)__builtin_frame_address(0) + 512;
	recurse(3);
	return NULL;
}

int main(void)
{
	int numbers[] = { 3, 1, 2 }, key = 2;
	pthread_t thread;

	stack_end = (const char *)__builtin_frame_address(0) + 1024;
	own_init(&own);
	CHECK(own_reference_init(&reference));
	look();
	CHECK(good);
	recurse(500);
	CHECK(good);
	qsort(numbers, 3, sizeof(*numbers), compare);
	CHECK(good);
	bsearch(&key, numbers, 3, sizeof(*numbers), compare);
	CHECK(good);
	signal(SIGUSR1, handle);
	raise(SIGUSR1);
	CHECK(good);
	pthread_create(&thread, NULL, run_thread, NULL);
	pthread_join(thread, NULL);
	CHECK(good);
	dwfl_end(reference.dwfl);
	own_free(&own);
	return check_done();
}

#else

int main(void)
{
	printf("ok - own stacks # SKIP made for x86-64\n");
	return 0;
}

#endif
