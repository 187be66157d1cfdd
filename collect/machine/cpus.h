/* cpus: sets of CPU numbers, written as "0-3,5". */
#ifndef COLLECT_MACHINE_CPUS_H
#define COLLECT_MACHINE_CPUS_H

#include <stdbool.h>
#include <stddef.h>

struct cpus {
	int *list; /* ascending */
	size_t count, cap;
};

/* Add the CPUs of "0-3,5", up to the end or a newline.  Returns false if text is not such a list; some may have
 * been added then. */
bool cpus_read(struct cpus *c, const char *text);

/* Insert a CPU, keeping the order. */
void cpus_add(struct cpus *c, int cpu);

bool cpus_have(const struct cpus *c, int cpu);

/* The CPUs that are online now.  Dies if the kernel does not tell. */
void cpus_online(struct cpus *c);

/* The CPUs that text names; wrong usage if it names none, or one that is offline. */
void cpus_parse(struct cpus *c, const char *text);

void cpus_free(struct cpus *c);

#endif
