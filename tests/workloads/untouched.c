/* A function with variables of many pages, of which it touches the first only: the kernel's copies of its stack end there.
 *
 *     untouched [ROUNDS]
 *
 * main -> large -> spin. */
#include <stdint.h>
#include <stdlib.h>

static volatile uint64_t sink;

__attribute__((noinline)) static void spin(volatile char *to, unsigned turns)
{
	for (unsigned i = 0; i < turns; i++)
		sink += i * sink;
	*to = 1;
}

__attribute__((noinline)) static void large(unsigned rounds)
{
	volatile char variables[24 * 1024];

	for (unsigned i = 0; i < rounds; i++)
		spin(variables, 20000);
}

int main(int argc, char **argv)
{
	large(argc > 1 ? (unsigned)atoi(argv[1]) : 3000);
	return 0;
}
