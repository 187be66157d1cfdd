/* io_devices: exact sums of what each disk did. */
#ifndef BPF_IO_IO_DEVICES_BPF_H
#define BPF_IO_IO_DEVICES_BPF_H

#include "bpf/io/io_request.bpf.h"

struct io_device devices[IO_DEVICES];

enum { IO_DEVICE_TRIES = 16 };

static __always_inline __u32 device_place(__u32 number, __u32 try)
{
	return ((number ^ number >> MINOR_BITS) * 31 + try) & (IO_DEVICES - 1);
}

/* NULL: it is not there. */
static __always_inline struct io_device *device_find(__u32 number)
{
	for (__u32 i = 0; i < IO_DEVICE_TRIES; i++) {
		struct io_device *d = &devices[device_place(number, i)];

		if (d->key == IO_DEVICE_KEY(number))
			return d;
	}
	return NULL;
}

/* disk: NULL if its queue has none. */
static __noinline void device_add(struct gendisk *disk, __u32 number)
{
	for (__u32 i = 0; i < IO_DEVICE_TRIES; i++) {
		struct io_device *d = &devices[device_place(number, i)];
		__u64 was = __sync_val_compare_and_swap(&d->key, 0, IO_DEVICE_KEY(number));

		if (!was && disk)
			bpf_probe_read_kernel_str(d->name, sizeof(d->name), disk->disk_name);
		if (!was || was == IO_DEVICE_KEY(number))
			return;
	}
}

/* NULL: the table is full. */
static __always_inline struct io_device *device_of(struct gendisk *disk)
{
	__u32 number = number_of(disk);
	struct io_device *d = device_find(number);

	if (d)
		return d;
	device_add(disk, number);
	return device_find(number);
}

/* No lock is needed, since the sums do not depend on the order of begins and ends. */
static __always_inline void device_enter(struct io_device *d, __u64 now)
{
	__u64 in_flight = __sync_fetch_and_add(&d->in_flight, 1) + 1, most = d->most_in_flight;

	if (in_flight == 1)
		__sync_fetch_and_add(&d->busy_ns, -now);
	for (int i = 0; i < 8 && in_flight > most; i++)
		most = __sync_val_compare_and_swap(&d->most_in_flight, most, in_flight);
}

static __always_inline void device_leave(struct io_device *d, __u64 now)
{
	if (__sync_fetch_and_add(&d->in_flight, -1) == 1)
		__sync_fetch_and_add(&d->busy_ns, now);
}

#endif
