/* deep: real call chains of known shape for a known number of rounds, or until it has used so much CPU time, as
 * samples count it:
 *
 *     deep [ROUNDS | MSms]
 *
 * main -> work -> recurse x DEPTH -> spin_a or spin_b, and some system calls. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
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
	unsigned count = argc > 1 ? (unsigned)atoi(argv[1]) : 3000;
	int is_time = argc > 1 && strstr(argv[1], "ms");

	for (unsigned i = 0; is_time ? clock() / (CLOCKS_PER_SEC / 1000) < (clock_t)count : i < count; i++)
		work(i);
	return 0;
}
