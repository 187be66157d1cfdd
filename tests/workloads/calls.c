/* calls: calls DEPTH functions deep, and from there through libc's qsort() back into its
 * own code, ROUNDS times; what it does there:
 *
 *     calls DEPTH ROUNDS [turn|read|write]     take time; wait for a byte of stdin; write one
 *     calls DEPTH MSms [...]                   the same, until it has used so much CPU time
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile uint64_t sink;
static const char *what = "turn";

__attribute__((noinline)) static void turn(unsigned turns)
{
	for (unsigned i = 0; i < turns; i++)
		sink += i * sink;
}

__attribute__((noinline)) static void leaf(void)
{
	char byte = 'x';

	if (*what == 'r' && read(0, &byte, 1) != 1)
		exit(0);
	turn(*what == 'r' ? 100 : 20000);
	if (*what == 'w' && write(1, &byte, 1) != 1)
		exit(0);
	sink += (uint64_t)getppid();
}

static int compare(const void *a, const void *b)
{
	leaf();
	return memcmp(a, b, sizeof(int));
}

__attribute__((noinline)) static void descend(unsigned depth)
{
	int numbers[2] = { (int)depth, 1 };

	if (depth)
		descend(depth - 1);
	else
		qsort(numbers, 2, sizeof(numbers[0]), compare);
	sink += (uint64_t)numbers[1]; /* keeps the call from becoming a jump */
}

int main(int argc, char **argv)
{
	unsigned depth = argc > 1 ? (unsigned)atoi(argv[1]) : 10;
	unsigned count = argc > 2 ? (unsigned)atoi(argv[2]) : 3000;
	int is_time = argc > 2 && strstr(argv[2], "ms");

	if (argc > 3)
		what = argv[3];
	for (unsigned i = 0; is_time ? clock() / (CLOCKS_PER_SEC / 1000) < (clock_t)count : i < count; i++)
		descend(depth + i % 3);
	return 0;
}
