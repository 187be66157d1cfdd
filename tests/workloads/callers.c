/* A function that two others call in turn, and that calls itself.  It reveals stacks that end at it, or continue with
 * the wrong caller.
 *
 *     callers SECONDS [PIECE_US]    spins, for so long by CPU time, in pieces of so long
 *
 * Compiled without frame pointers. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static long piece_us;
static volatile unsigned sum;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); /* the same amount of work, even if other programs want the CPU */
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

__attribute__((noinline)) static void spin_even(double until)
{
	while (now() < until)
		sum++;
}

__attribute__((noinline)) static void spin_odd(double until)
{
	while (now() < until)
		sum += 3;
}

/* Its frame has the same size whichever function calls it. */
__attribute__((noinline)) void callee(int odd, int depth)
{
	if (depth) {
		callee(odd, depth - 1);
		sum++;
		return;
	}
	(odd ? spin_odd : spin_even)(now() + (double)piece_us / 1e6);
	sum++;
}

__attribute__((noinline)) static void even_caller(int depth)
{
	callee(0, depth);
	sum++;
}

__attribute__((noinline)) static void odd_caller(int depth)
{
	callee(1, depth);
	sum++;
}

int main(int argc, char **argv)
{
	double end = now() + (argc > 1 ? atof(argv[1]) : 1);

	piece_us = argc > 2 ? atol(argv[2]) : 100000;
	for (int i = 0; now() < end; i++) {
		even_caller(i / 2 % 2 * 3);
		odd_caller(i / 2 % 2 * 3);
	}
	printf("%u\n", sum);
	return 0;
}
