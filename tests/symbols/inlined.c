/* Known inlining: tests compare each address of this program. */
#include <stdio.h>
#include <stdlib.h>

static inline unsigned int innermost(unsigned int x)
{
	volatile unsigned int sum = 0;

	for (unsigned int i = 0; i < 200; i++)
		sum += x ^ i;
	return sum;
}

static inline unsigned int middle(unsigned int x)
{
	if (x % 3) {
		unsigned int twice = 2 * x;

		return innermost(twice) + 1;
	}
	return innermost(x) - 1;
}

__attribute__((noinline)) unsigned int outer(unsigned int x)
{
	return middle(x) + middle(x + 1);
}

static __attribute__((noinline)) unsigned int apply(unsigned int (*function)(unsigned int), unsigned int x)
{
	return function(x) + 1;
}

static unsigned int plain(unsigned int x)
{
	return middle(x);
}

#ifdef __clang__
#define INSIDE plain
#else
#define INSIDE inside
#endif

int main(int argc, char **argv)
{
	unsigned int rounds = argc > 1 ? (unsigned int)atoi(argv[1]) : 1000, sum = (unsigned int)argc;
#ifndef __clang__
	unsigned int inside(unsigned int x) { return middle(x + rounds); }
#endif

	for (unsigned int i = 0; i < rounds; i++) {
		sum += outer(i);
		if (i % 64 == 0)
			sum += apply(INSIDE, i) + apply(plain, i);
	}
	printf("%u\n", sum);
	return 0;
}
