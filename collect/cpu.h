/* cpu: the collector that samples stacks with perf_event_open(2). */
#ifndef COLLECT_CPU_H
#define COLLECT_CPU_H

/* "pyrograph collect cpu ...": argv[0] is "cpu".  Returns the exit status. */
int collect_cpu(int argc, char **argv);

#endif
