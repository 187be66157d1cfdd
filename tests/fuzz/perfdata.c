/* Coverage-guided fuzzing of the perf.data reader: `make fuzz`. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "collapse/clock.h"
#include "collapse/fold.h"
#include "collapse/recorded.h"
#include "collapse/sideband.h"
#include "core/error.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void read_samples(struct perfdata *d, struct sideband *s, struct stacks *stacks,
			 struct roots *roots, struct intern *keys)
{
	const uint64_t values[] = { 1, 2, 3 };
	uint32_t words[ROOT_WORDS_MAX];
	struct record_cursor cursor = perfdata_records(d);
	struct sample sample;
	struct record r;

	while (record_next(&cursor, &r)) {
		size_t count;

		if (r.type != PERF_RECORD_SAMPLE || !sample_read(d, &r, &sample))
			continue;
		count = roots_key(roots, &sample, words);
		stacks_add(stacks, &sample, intern_add(keys, (char *)words, count * sizeof(*words)),
			   s, values);
	}
}

/* Everything but the live symbols, which are this machine's and not the file's. */
static void fold(struct perfdata *d)
{
	struct recorded_symbols recorded = {0};
	struct name_style style = { true, true, true, true };
	struct sideband sideband = {0};
	struct columns columns = { { COLUMN_TIME, COLUMN_COUNT, COLUMN_LONGEST }, 3 };
	struct stacks stacks = { .columns = &columns };
	struct intern keys = {0};
	struct roots roots = {0};
	struct clock clock = {0};
	struct fold lines = {0};
	struct names names = { .style = &style };

	recorded_symbols_read(&recorded, d);
	sideband_read(&sideband, d);
	clock_read(&clock, d);
	roots.data = d;
	roots.sideband = &sideband;
	roots_parse(&roots, "host,event,comm,pid,tid,thread,cpu,state,by,waker");
	read_samples(d, &sideband, &stacks, &roots, &keys);
	places_resolve(&stacks.places, &sideband.modules, recorded_source, &recorded);
	names.modules = &sideband.modules;
	names.places = &stacks.places;
	names.comms = &sideband.comms.names;
	fold_stacks(&lines, &stacks, &names, &roots, &keys, NULL, NULL);
	fold_free(&lines);
	names_free(&names);
	clock_free(&clock);
	roots_free(&roots);
	intern_free(&keys);
	stacks_free(&stacks);
	sideband_free(&sideband);
	recorded_symbols_free(&recorded);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct perfdata data = {0};
	char path[64];
	int fd = memfd_create("fuzz", 0);

	quiet = 1;
	if (write(fd, bytes, size) == (ssize_t)size) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		if (perfdata_open(&data, path) == 0)
			fold(&data);
		perfdata_close(&data);
	}
	close(fd);
	return 0;
}
