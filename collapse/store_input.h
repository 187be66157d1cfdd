/* store_input: a run of pyrograph collapse that reads a store for recordings of many machines.
 *
 *     collapse clickhouse://store/perf --host 'db*' --from 10:15 --include malloc
 *
 * pyrograph-ship, which knows stores, runs as another process and writes the samples that the options select as text
 * (core/format/samples.h), with the frames of the wanted roots. */
#ifndef COLLAPSE_STORE_INPUT_H
#define COLLAPSE_STORE_INPUT_H

#include <stdbool.h>

#include "collapse/collapse.h"

/* Is it "clickhouse://..." or "clickhouses://..."? */
bool store_is_address(const char *recording);

/* Check the options: exits 2 if an option needs a recording, or if options of stores are given with a recording. */
void store_check_options(const struct options *o);

/* Read the store c->options.recording, and write what the options ask for.  Returns 0, or -1 after a message. */
int store_input_run(struct collapse *c);

#endif
