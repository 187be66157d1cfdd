/* io_devices: the disks that were used, and how much. */
#ifndef COLLECT_IO_IO_DEVICES_H
#define COLLECT_IO_IO_DEVICES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/io/io.h"
#include "core/str.h"

struct io_devices {                       /* {0} is empty */
	uint32_t numbers[IO_DEVICES];     /* [count] dev_t, in the order in which they were first seen */
	struct io_device use[IO_DEVICES]; /* set by io_devices_complete() */
	size_t count;
	uint64_t observed_ns;
};

/* The number of a disk in the recording, by its dev_t; 255 for all after that. */
uint32_t io_devices_number(struct io_devices *d, uint32_t device);

/* Take the program's counts from begin_ns until end_ns.  end_ns 0: until now, while the program goes on counting. */
void io_devices_complete(struct io_devices *d, uint64_t begin_ns, uint64_t end_ns);

/* Complete busy_ns of a device that was observed for observed_ns, until end_ns.  Returns false if busy_ns was read
 * between two of the program's additions, so that it is wrong by the time since the machine was started. */
bool io_device_complete(struct io_device *seen, uint64_t observed_ns, uint64_t end_ns);

/* Append the lines of RECORDING_DEVICES. */
void io_devices_format(const struct io_devices *d, struct str *out);

/* Report on stderr how much each disk was used. */
void io_devices_say(const struct io_devices *d);

#endif
