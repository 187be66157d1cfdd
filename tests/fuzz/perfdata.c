/* Coverage-guided fuzzing of the perf.data reader: `make fuzz`. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "collapse/fold/fold_stacks.h"
#include "collapse/fold/gather.h"
#include "collapse/output/output.h"
#include "collapse/output/output_formats.h"
#include "collapse/output/quality_report.h"
#include "collapse/perfdata/clock.h"
#include "collapse/perfdata/recorded.h"
#include "collapse/perfdata/sideband.h"
#include "collapse/sched/derived.h"
#include "collapse/sched/parallelism.h"
#include "core/error.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void add_derived(void *gather, struct recorded_sample *sample)
{
	gather_add(gather, sample);
}

static void add_mean(void *count, uint64_t time_ns, uint64_t thousandths)
{
	(void)time_ns, (void)thousandths;
	++*(size_t *)count;
}

static void read_parallelism(struct perfdata *d, struct sideband *sideband, struct parallelism *p)
{
	size_t count = 0;

	p->running.sums_will_do = d->event_count & 1;
	parallelism_read(p, d, sideband, d->event_count & 2 ? &d->events[0] : NULL);
	if (p->running.source != RUNNING_SAMPLES)
		parallelism_mean(&p->running, sideband->first_ns, sideband->last_ns, add_mean, &count);
}

static void read_samples(struct perfdata *d, struct gather *gather, struct recorded_symbols *recorded)
{
	struct record_cursor cursor = perfdata_records(d);
	struct parallelism parallelism = { 0 };
	struct recorded_sample sample;
	struct record r;

	read_parallelism(d, gather->sideband, &parallelism);
	while (record_next(&cursor, &r)) {
		if (r.type != PERF_RECORD_SAMPLE || !sample_read(d, &r, &sample))
			continue;
		sample.parallelism = parallelism_at(&parallelism, sample.time_ns);
		gather_add(gather, &sample);
	}
	parallelism_free(&parallelism);
	for (size_t i = 0; i < d->event_count; i++) {
		struct derived_request request = {
			.event = &d->events[i],
			.may_sum = i & 1,
			.source = recorded_source,
			.source_argument = recorded,
			.user_stacks = gather->user_stacks,
			.sink = add_derived,
			.sink_argument = gather,
		};

		if (d->events[i].derived)
			derived_read(d, gather->sideband, &request);
	}
}

/* Everything but live symbols, which depend on this machine and not on the file. */
static void fold(struct perfdata *d, FILE *out)
{
	struct recorded_symbols recorded = { 0 };
	struct name_style style = { .kernel = true, .jit = true, .marks = true, .addrs = true, .offsets = true };
	struct sideband sideband = { 0 };
	struct clock clock = { 0 };
	struct seen seen = { 0 };
	struct fold lines = { 0 };
	struct user_stacks user_stacks = { 0 };
	struct gather gather = {
		.clock = &clock,
		.sideband = &sideband,
		.user_stacks = &user_stacks,
		.to_ns = UINT64_MAX,
		.timed = true,
		.columns = { .list = { COLUMN_TIME, COLUMN_COUNT, COLUMN_LONGEST, COLUMN_LATENCY }, .count = 4 },
	};
	struct names names = { .style = &style,
			       .modules = &sideband.modules,
			       .places = &gather.stacks.places,
			       .comms = &sideband.comms.names };
	struct product product = { .fold = &lines, .texts = &names.texts };

	recorded_symbols_read(&recorded, d);
	sideband_read(&sideband, d);
	derived_add_events(d);
	clock_read(&clock, d);
	roots_parse(&gather.roots, "host,event,comm,pid,tid,thread,cpu,state,by,waker,class");
	gather.roots.pool = d->event_count & 1;
	gather.roots.frames = &names;
	gather.roots.data = d;
	gather.roots.sideband = &sideband;
	gather.from_ns = clock_wall(&clock, sideband.first_ns) + 1;
	gather_start(&gather);
	gather.class_at_root = d->event_count & 1;
	user_stacks_start(&user_stacks, d, &sideband);
	read_samples(d, &gather, &recorded);
	seen_read(&seen, d, d->event_count & 1 ? &d->events[0] : NULL, &clock);
	places_resolve(&gather.stacks.places, &sideband.modules, recorded_source, &recorded);
	kernel_areas_assign(&sideband.kernel_areas, &gather.stacks.places);
	aux_data_warn(&sideband.aux, d->path);
	fold_stacks(&lines, &gather.stacks, &names, &gather.roots, &gather.root_keys);
	fold_keep(&lines, &names.texts, false, NULL, NULL);
	output_header(&product.header, &(struct origin){ .data = d, .filter = "", .columns = true, .seen = &seen },
		      &gather, &lines);
	folded_output.write(out, &product);
	times_sort(&gather.times, lines.line_of_stack, &gather.columns);
	product.times = &gather.times;
	folded_output.write(out, &product);
	str_free(&product.header);
	quality_report_write(out, d, &gather, &lines, &names);
	fold_free(&lines);
	names_free(&names);
	gather_free(&gather);
	user_stacks_free(&user_stacks);
	clock_free(&clock);
	seen_free(&seen);
	sideband_free(&sideband);
	recorded_symbols_free(&recorded);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static FILE *nowhere;
	struct perfdata data = { 0 };
	struct input_stream stream;
	char path[64];
	int fd = memfd_create("fuzz", 0);

	quiet = 1;
	if (!nowhere)
		nowhere = fopen("/dev/null", "w");
	if (write(fd, bytes, size) == (ssize_t)size) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		if (input_open(&stream, path) == 0 && perfdata_open(&data, &stream) == 0)
			fold(&data, nowhere);
		input_close(&stream);
		perfdata_close(&data);
	}
	close(fd);
	return 0;
}
