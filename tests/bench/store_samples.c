/* store_samples HOST MINUTES STACKS [RATE [CPUS]]: makes samples of one host, in the form of collapse --out samples,
 * for benchmarks of a store.  STACKS is the number of different stacks in the fleet, of which a few are frequent
 * (Zipf).  Timers fire at their rate, some us late. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 40, DEPTH = 24, JITTER_NS = 8000 };

static uint64_t state;

static uint64_t next(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static double unit(void)
{
	return (double)(next() >> 11) / 9007199254740992.0;
}

/* A random number, of which small ones are frequent: a continuous Zipf distribution with an exponent of 1. */
static uint32_t zipf(uint32_t count)
{
	return (uint32_t)exp(unit() * log((double)count)) - 1;
}

static void print_stack(uint32_t number, uint32_t stack)
{
	printf("s %u main;start", number);
	for (unsigned i = 0; i < DEPTH; i++)
		printf(";com.example.service.Package%u.Class%u::method%u", stack >> i & 7, (stack * (i + 3)) % 97,
		       (stack >> (DEPTH - i)) % 53);
	printf(";leaf_%u_[k]\n", stack);
}

int main(int argc, char **argv)
{
	uint32_t host, minutes, stacks, rate = argc > 4 ? (uint32_t)atoi(argv[4]) : 99;
	uint32_t cpus = argc > 5 ? (uint32_t)atoi(argv[5]) : 2, *numbers, defined = 0;

	if (argc < 4)
		return 2;
	host = (uint32_t)atoi(argv[1]);
	minutes = (uint32_t)atoi(argv[2]);
	stacks = (uint32_t)atoi(argv[3]);
	state = 88172645463325252u + host * 7919u;
	numbers = calloc(stacks + 1, sizeof(*numbers));
	printf("# pyrograph: host=host%03u event=cpu-clock rate=%uHz root=comm,thread,cpu columns=samples,period unit=samples\n",
	       host, rate);
	for (uint32_t n = 0; n < THREADS * cpus; n++)
		printf("l %u comm=worker-%u\tpid=java-%u\tthread=java-%u/worker-%u\tcpu=cpu%u\n", n, n / cpus, 1000 + host,
		       1000 + host, n / cpus, n % cpus);
	for (uint64_t i = 0; i < (uint64_t)minutes * 60 * rate; i++) {
		for (uint32_t cpu = 0; cpu < cpus; cpu++) {
			uint64_t ns = 1795342500u * UINT64_C(1000000000) + i * (1000000000 / rate) +
				      cpu * (1000000000 / rate / cpus) + host * 3571u + next() % JITTER_NS;
			uint32_t stack = zipf(stacks), thread = (stack + (next() & 3)) % THREADS;

			if (!numbers[stack]) {
				print_stack(defined, stack);
				numbers[stack] = ++defined;
			}
			printf("@%llu.%09llu %u %u 1 %u\n", (unsigned long long)(ns / 1000000000),
			       (unsigned long long)(ns % 1000000000), thread * cpus + cpu, numbers[stack] - 1,
			       1000000000 / rate);
		}
	}
	return 0;
}
