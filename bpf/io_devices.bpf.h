/* io_devices: what each disk was used for, exactly. */
#ifndef BPF_IO_DEVICES_BPF_H
#define BPF_IO_DEVICES_BPF_H

#include "bpf/io_request.bpf.h"

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, IO_DEVICES);
	__type(key, __u32);
	__type(value, struct io_device);
} devices SEC(".maps");

static __noinline struct io_device *device_add(struct gendisk *disk, __u32 number)
{
	struct io_device fresh = { 0 };

	if (disk)
		bpf_probe_read_kernel_str(fresh.name, sizeof(fresh.name), disk->disk_name);
	bpf_map_update_elem(&devices, &number, &fresh, BPF_NOEXIST);
	return bpf_map_lookup_elem(&devices, &number);
}

static __always_inline struct io_device *device_of(struct gendisk *disk)
{
	__u32 number = number_of(disk);
	struct io_device *d = bpf_map_lookup_elem(&devices, &number);

	return d ? d : device_add(disk, number);
}

/* What begins and ends is added up in any order: nobody needs a lock. */
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
