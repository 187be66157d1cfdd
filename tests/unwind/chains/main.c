/* main: see chains.h. */
#include "chains.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RECORDED_NS = 15000000 };

volatile uint64_t sink;
uint64_t children_ns;

uint64_t cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static int wanted(const char *name, char **names)
{
	if (!*names)
		return 1;
	for (; *names; names++) {
		if (!strcmp(*names, name))
			return 1;
	}
	return 0;
}

/* How many turns take that long on this machine, measured with the first scenario. */
KEEP uint64_t turns_in(uint64_t wanted_ns);
KEEP uint64_t turns_in(uint64_t wanted_ns)
{
	uint64_t turns = 5000, start = cpu_ns(), took = 0;

	for (uint64_t before = start; took < wanted_ns / 4; before += took) {
		turns *= 2;
		call_scenarios[0].run(turns);
		took = cpu_ns() - before;
	}
	printf("{start};main;turns_in;run_plain;plain_inner;spin_plain %llu\n", (unsigned long long)(cpu_ns() - start));
	fflush(stdout);
	return turns * wanted_ns / took;
}

int main(int argc, char **argv)
{
	const struct scenario *tables[] = { call_scenarios, signal_scenarios, library_scenarios,
					    process_scenarios };
	uint64_t turns;
	int waits = 0;

	if (argc > 2 && !strcmp(argv[1], "-after-exec")) {
		after_exec(strtoull(argv[2], NULL, 10));
		AND_RETURN();
		return 0;
	}
	if (argc > 1 && !strcmp(argv[1], "-wait")) {
		waits = 1;
		argv++;
	}
	turns = turns_in(RECORDED_NS);
	for (unsigned i = 0; i < sizeof(tables) / sizeof(*tables); i++) {
		for (const struct scenario *s = tables[i]; s->name; s++) {
			uint64_t start = cpu_ns(), took;

			if (!wanted(s->name, argv + 1))
				continue;
			for (took = 0, children_ns = 0; took < RECORDED_NS; took = cpu_ns() - start + children_ns)
				s->run(turns);
			printf("%s %llu\n", s->stack, (unsigned long long)took);
			fflush(stdout);
		}
	}
	while (waits && getchar() != EOF)
		;
	return 0;
}
