/* main: see chains.h. */
#include "chains.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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

int main(int argc, char **argv)
{
	const struct scenario *tables[] = { call_scenarios, signal_scenarios, library_scenarios,
					    process_scenarios };
	uint64_t turns = 10000000;
	int waits = 0;

	if (argc > 2 && !strcmp(argv[1], "-turns")) {
		turns = strtoull(argv[2], NULL, 10);
		argv += 2;
	}
	if (argv[1] && !strcmp(argv[1], "-wait")) {
		waits = 1;
		argv++;
	}
	if (argv[1] && !strcmp(argv[1], "-after-exec")) {
		after_exec(turns);
		AND_RETURN();
		return 0;
	}
	for (unsigned i = 0; i < sizeof(tables) / sizeof(*tables); i++) {
		for (const struct scenario *s = tables[i]; s->name; s++) {
			uint64_t start = cpu_ns();

			if (!wanted(s->name, argv + 1))
				continue;
			children_ns = 0;
			s->run(turns);
			printf("%s %llu\n", s->stack, (unsigned long long)(cpu_ns() - start + children_ns));
			fflush(stdout);
		}
	}
	while (waits && getchar() != EOF)
		;
	return 0;
}
