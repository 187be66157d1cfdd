#include "collect/noise/steal.h"

#include <stdio.h>
#include <unistd.h>

#include "core/wallclock.h"

/* /proc/stat: "cpu3 1096076 46065 575213 882006 3705 0 1633 2905 0 0"; the eighth is steal, in clock ticks */
uint64_t steal_ns(int cpu)
{
	FILE *stat = fopen("/proc/stat", "re");
	unsigned long long ticks, found = 0;
	char line[512];
	int number;

	while (stat && fgets(line, sizeof(line), stat)) {
		if (sscanf(line, "cpu%d %*u %*u %*u %*u %*u %*u %*u %llu", &number, &ticks) == 2 && number == cpu)
			found = ticks;
	}
	if (stat)
		fclose(stat);
	return found * NS_PER_SEC / (unsigned long long)sysconf(_SC_CLK_TCK);
}
