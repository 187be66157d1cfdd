/* io: data shared by the BPF program of collect io and the collector. */
#ifndef BPF_IO_IO_H
#define BPF_IO_IO_H

#include <linux/types.h>
#include <stdint.h>

#include "bpf/inode_name.h"
#include "bpf/user_copy.h"
#include "core/format/recording.h"

enum {
	IO_FRAMES = 127,
	IO_DISK_NAME = 32,
	IO_DEVICES = 256,    /* a power of two */
	IO_REQUESTS = 16384, /* requests that have not ended; a power of two */
	IO_STACKS = 16384,   /* stacks that the collector is known to have; a power of two */
	IO_TOTALS = 2048,    /* sums of short requests; a power of two */
};

/* On each CPU, a new stack is taken at most once in this time for requests of a thread from the same place in the
 * program, for the same kind of I/O. */
#define IO_TAKE_NS 10000000
/* After a quiet time, this many may be taken at once. */
#define IO_TAKEN_AT_ONCE 20
/* Stacks of short requests are walked less often. */
#define IO_WALK_NS 10000000
#define IO_WALKS_AT_ONCE 20

enum io_kind {
	IO_REQUEST = 1, /* struct io_record */
	IO_FILE = 2,    /* struct io_file: the name of a file, before the first request for it */
};

/* What a request's pages belong to. */
enum io_owner {
	IO_OF_NOTHING, /* a flush, a discard */
	IO_OF_FILE,
	IO_OF_METADATA,
	IO_OF_SWAP,
	IO_OF_DIRECT,
};

enum io_flag {
	IO_WANTED = 1,    /* of a target */
	IO_ISSUED = 2,    /* the device has it */
	IO_FAILED = 4,    /* with an error */
	IO_BY_HASH = 8,   /* a record without a stack: that of an earlier one with the same hash */
	IO_SHORT = 16,    /* shorter than --min */
	IO_OPEN = 32,     /* it had not ended with the recording */
	IO_LATER = 64,    /* it has ended since */
	IO_UNTAKEN = 128, /* the budget allowed no stack */
};

/* A request.  Records hold it after its end, the table before. */
struct io_request {
	__u32 unused, place;    /* place: in the table of ongoing requests */
	__u32 flags;            /* enum io_flag */
	__u32 operation;        /* enum recording_io */
	__u32 pid, tid;         /* of the thread that created it */
	__u64 begin_ns, end_ns; /* queue_ns and device_ns add up the time until end_ns */
	__u64 queue_ns, device_ns;
	__u64 bytes; /* that were transferred */
	__u64 sector;
	__u64 hash;   /* of its stack; 0: it has none */
	__u32 device; /* dev_t of the disk, as in the kernel: major << 20 | minor */
	__u32 requeues;
	__u32 owner; /* enum io_owner */
	__u32 slot;  /* place of its stack in the program's table, + 1; 0: none */
	struct inode_id inode;
	__u64 offset;                   /* in the file */
	__u32 dirtier_pid, dirtier_tid; /* the last thread that made a clean page of the file dirty; 0: unknown */
};

enum io_total_state {
	IO_TOTAL_FREE,
	IO_TOTAL_BEGUN, /* the program writes what it is of */
	IO_TOTAL_OPEN,
	IO_TOTAL_CLOSED, /* the collector is about to free the sum: the program adds nothing */
};

/* The sum of short requests that differ only in their times.  The program adds to it, and the collector takes the
 * difference from what it saw last time; the collector looks once more before it frees the place, so that neither has
 * to wait for the other. */
struct io_total {
	__u64 state;                      /* enum io_total_state */
	struct io_request first;          /* one of them */
	__u64 count, queue_ns, device_ns; /* totals of all requests at this place since the program began */
	__u64 longest_ns, begin_ns;       /* values since the collector last looked; 0: there was no request */
};

struct io_stack {
	__s32 kernel_count, user_count;
	__u32 copied; /* bytes of a struct user_copy after the stack; 0: none */
	__u32 unused;
	uint64_t stack[2 * IO_FRAMES]; /* kernel, then user; leaf first */
};

/* Only as long as its stack needs. */
struct io_record {
	__u32 kind, cpu;
	struct io_request request;
	struct io_stack stack;
};

struct io_file {
	__u32 kind, pid; /* pid: the process through which we learnt of the file, which may see other mounts than we
			  * do */
	struct inode_id inode;
	struct inode_name name;
};

#define IO_DEVICE_KEY(number) ((__u64)(number) + 1)

/* A disk, from the first request that was seen until the recording ends. */
struct io_device {
	__u64 key; /* IO_DEVICE_KEY() of its dev_t, as in the kernel; 0: this place is free */
	char name[IO_DISK_NAME];
	__u64 requests, bytes, merges, requeues;
	__u64 flushes; /* flushes of the device's own cache, which `requests` does not include */
	__u64 queue_ns, device_ns;
	__u64 in_flight, most_in_flight; /* that the device has */
	__u64 busy_ns;                   /* time with requests in flight; during such a time, minus its begin */
};

#endif
