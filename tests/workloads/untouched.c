/* A function whose variables take many pages, of which it touches only the first, so that the kernel's copies of its
 * stack end there.
 *
 *     untouched [ROUNDS]         main -> large -> spin
 *     untouched nap NAPS         main -> roomy -> nap: sleeps so often for a millisecond */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile uint64_t sink;

__attribute__((noinline)) static void spin(volatile char *to, unsigned turns)
{
	for (unsigned i = 0; i < turns; i++)
		sink += i * sink;
	*to = 1;
}

__attribute__((noinline)) static void nap(volatile char *to)
{
	usleep(1000);
	*to = 1;
}

__attribute__((noinline)) static void large(unsigned rounds)
{
	volatile char variables[24 * 1024];

	for (unsigned i = 0; i < rounds; i++)
		spin(variables, 20000);
}

/* Reading untouched pages of a stack from another process makes the kernel allocate them.  BPF copies 16 kB: once these
 * pages exist, the copy reaches as far as the caller. */
__attribute__((noinline)) static void roomy(unsigned naps)
{
	volatile char variables[12 * 1024];

	for (unsigned i = 0; i < naps; i++)
		nap(variables);
}

int main(int argc, char **argv)
{
	if (argc > 2 && !strcmp(argv[1], "nap"))
		roomy((unsigned)atoi(argv[2]));
	else
		large(argc > 1 ? (unsigned)atoi(argv[1]) : 3000);
	return 0;
}
