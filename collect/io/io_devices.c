#include "collect/io/io_devices.h"

#include <inttypes.h>
#include <stdlib.h>

#include "collect/io/io_program.h"
#include "collect/machine/anchors.h"
#include "core/amount.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/wallclock.h"

enum { MINOR_BITS = 20, TRIES = 16 };

uint32_t io_devices_number(struct io_devices *d, uint32_t device)
{
	for (size_t i = 0; i < d->count; i++) {
		if (d->numbers[i] == device)
			return (uint32_t)i;
	}
	if (d->count == IO_DEVICES)
		return IO_DEVICES - 1;
	d->numbers[d->count] = device;
	return (uint32_t)d->count++;
}

bool io_device_complete(struct io_device *seen, uint64_t observed_ns, uint64_t end_ns)
{
	if (seen->in_flight)
		seen->busy_ns += end_ns;
	return seen->busy_ns <= observed_ns;
}

static bool io_devices_complete_span(struct io_devices *d, struct io_device use[IO_DEVICES], uint64_t begin_ns,
				     uint64_t end_ns)
{
	uint32_t numbers[IO_DEVICES];
	size_t count = io_program_devices(numbers, use);
	bool is_whole = true;

	if (!end_ns)
		end_ns = monotonic_ns();
	d->observed_ns = end_ns - begin_ns;
	for (size_t i = 0; i < count; i++) {
		struct io_device *to = &d->use[io_devices_number(d, numbers[i])];

		is_whole &= io_device_complete(&use[i], d->observed_ns, end_ns);
		*to = use[i];
		if (to->busy_ns > d->observed_ns)
			to->busy_ns = d->observed_ns;
	}
	return is_whole;
}

void io_devices_complete(struct io_devices *d, uint64_t begin_ns, uint64_t end_ns)
{
	struct io_device *use = xcalloc(IO_DEVICES, sizeof(*use));

	for (int i = 0; i < TRIES && !io_devices_complete_span(d, use, begin_ns, end_ns); i++)
		;
	free(use);
}

/* A queue without a disk takes commands, but no reads and writes. */
static const char *io_devices_name_of(const struct io_device *d)
{
	return *d->name ? d->name : "[no-disk]";
}

void io_devices_format(const struct io_devices *d, struct str *out)
{
	for (size_t i = 0; i < d->count; i++) {
		const struct io_device *u = &d->use[i];

		str_addf(out, "%zu %u:%u %s", i, d->numbers[i] >> MINOR_BITS, d->numbers[i] & ((1u << MINOR_BITS) - 1),
			 io_devices_name_of(u));
		str_addf(out, " requests %" PRIu64 " bytes %" PRIu64 " merges %" PRIu64, (uint64_t)u->requests,
			 (uint64_t)u->bytes, (uint64_t)u->merges);
		str_addf(out, " flushes %" PRIu64 " requeues %" PRIu64, (uint64_t)u->flushes, (uint64_t)u->requeues);
		str_addf(out, " queue_ns %" PRIu64 " device_ns %" PRIu64 " busy_ns %" PRIu64, (uint64_t)u->queue_ns,
			 (uint64_t)u->device_ns, (uint64_t)u->busy_ns);
		str_addf(out, " most_in_flight %" PRIu64 " observed_ns %" PRIu64 "\n", (uint64_t)u->most_in_flight,
			 d->observed_ns);
	}
}

static double io_devices_share(uint64_t part, uint64_t whole)
{
	return whole ? (double)part / (double)whole : 0;
}

void io_devices_say(const struct io_devices *d)
{
	for (size_t i = 0; i < d->count; i++) {
		const struct io_device *u = &d->use[i];

		if (!u->requests && !u->flushes)
			continue;
		detail("io: %s was busy for %s of the time, with %.1f requests in the mean, %" PRIu64
		       " at most; %" PRIu64 " requests of all processes (%" PRIu64 " merged into others), %s",
		       io_devices_name_of(u), percentage_text(u->busy_ns, d->observed_ns).text,
		       io_devices_share(u->device_ns, d->observed_ns), (uint64_t)u->most_in_flight,
		       (uint64_t)u->requests, (uint64_t)u->merges, size_text(u->bytes).text);
	}
}
