/* store_input: a run of pyrograph collapse that reads a store for recordings of many machines.
 *
 *     collapse clickhouse://store/perf --host 'db*' --from 10:15 --include malloc
 *
 * pyrograph-ship, which knows stores, runs as another process and writes the samples as text (core/format/samples.h),
 * those only that the options select, and with the frames of --root that they ask for. */
#ifndef COLLAPSE_STORE_INPUT_H
#define COLLAPSE_STORE_INPUT_H

#include <stdbool.h>

#include "collapse/collapse.h"

/* Is it "clickhouse://..." or "clickhouses://..."? */
bool store_is_address(const char *recording);

/* Exits 2 if an option needs a recording; exits 2 for options of stores if the recording is none. */
void store_check_options(const struct options *o);

/* Read the store c->options.recording, and write what the options ask for.  Returns 0, or -1 after a message. */
int store_input_run(struct collapse *c);

#endif
