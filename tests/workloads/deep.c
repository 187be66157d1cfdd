/* deep: real call chains of known shape for a known number of turns:
 * main -> work -> recurse x DEPTH -> spin_a or spin_b, and some system calls. */
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

static volatile uint64_t sink;

__attribute__((noinline)) static void spin_a(unsigned turns)
{
	for (unsigned i = 0; i < turns; i++)
		sink += i * sink;
}

__attribute__((noinline)) static void spin_b(unsigned turns)
{
	for (unsigned i = 0; i < turns; i++)
		sink ^= i + sink;
}

__attribute__((noinline)) static void recurse(int depth, unsigned turns)
{
	if (depth)
		recurse(depth - 1, turns);
	else if (turns & 1)
		spin_a(turns);
	else
		spin_b(turns);
	sink++; /* keeps the call from becoming a jump */
}

__attribute__((noinline)) static void work(unsigned round)
{
	recurse(round % 2 ? 5 : 12, 20000 + round % 3);
	sink += (uint64_t)getppid();
}

int main(int argc, char **argv)
{
	unsigned rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 3000;

	for (unsigned i = 0; i < rounds; i++)
		work(i);
	return 0;
}
