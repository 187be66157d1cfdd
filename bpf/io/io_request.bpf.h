/* io_request: the kernel's requests to block devices, and the arguments of their tracepoints. */
#ifndef BPF_IO_IO_REQUEST_BPF_H
#define BPF_IO_IO_REQUEST_BPF_H

#include "bpf/inode_name.bpf.h"
#include "bpf/io/io.h"
#include "bpf/kernel.h"

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct gendisk {
	int major, first_minor;
	char disk_name[IO_DISK_NAME];
};

struct block_device {
	struct gendisk *bd_disk;
};

struct page {
	unsigned long compound_info;
	struct address_space *mapping;
	unsigned long __folio_index;
};

struct page___head { /* Linux 6.18; no longer in 7.2 */
	unsigned long compound_head;
};

struct page___index { /* before Linux 6.16 */
	unsigned long index;
};

struct bio_vec {
	struct page *bv_page;
	unsigned int bv_offset;
};

struct bvec_iter {
	unsigned int bi_idx, bi_offset;
};

struct bio {
	struct block_device *bi_bdev;
	unsigned short bi_flags;
	struct bvec_iter bi_iter;
	struct bio_vec *bi_io_vec;
};

struct bvec_iter___done { /* before Linux 7.3 */
	unsigned int bi_bvec_done;
};

struct bio___done {
	struct bvec_iter___done bi_iter;
};

struct request_queue {
	struct gendisk *disk;
};

enum mq_rq_state { MQ_RQ_IDLE = 0 };

struct request {
	struct request_queue *q;
	unsigned int cmd_flags;
	unsigned int __data_len;
	__u64 __sector;
	struct bio *bio;
	enum mq_rq_state state;
};

struct request___disk { /* before Linux 5.17 */
	struct gendisk *rq_disk;
};

#pragma clang attribute pop

/* Their values differ between kernels. */
enum req_flag_bits {
	__REQ_SYNC = 11,
	__REQ_META = 12,
	__REQ_FUA = 17,
	__REQ_PREFLUSH = 18,
	__REQ_RAHEAD = 19,
	__REQ_SWAP = 24
};
enum pageflags { PG_swapcache = 10, PG_swapbacked = 19 };

enum { MINOR_BITS = 20, PAGE_SHIFT = 12, MAPPING_ANON = 1, MAPPING_FLAGS = 3, S_IFMT = 0170000, S_IFBLK = 0060000 };

/* include/linux/blk_types.h */
enum { BIO_PAGE_PINNED = 0 };
enum { REQ_OP_READ = 0, REQ_OP_WRITE = 1, REQ_OP_FLUSH = 2, REQ_OP_MASK = 0xff };

const volatile __u32 has_start = 0; /* there are block_io_start and BIO_PAGE_PINNED: Linux 6.5 */
const volatile __u32 has_queue = 0; /* before Linux 5.11: the first argument of the requests' tracepoints is the
				     * queue */

#define HAS_FLAG(flags, flag)                                    \
	(bpf_core_enum_value_exists(enum req_flag_bits, flag) && \
	 (flags) >> bpf_core_enum_value(enum req_flag_bits, flag) & 1)

/* Argument n after the queue.  The verifier requires constant offsets, so the compiler must not merge the two
 * branches. */
static __always_inline __u64 bpf_io_request_argument(unsigned long long *context, int n)
{
	__u64 value;

	if (has_queue) {
		value = context[n + 1];
		asm volatile("" : "+r"(value));
	} else {
		value = context[n];
		asm volatile("" : "+r"(value));
	}
	return value;
}

static __always_inline struct request *request_of(unsigned long long *context)
{
	return (struct request *)bpf_io_request_argument(context, 0);
}

static __always_inline struct gendisk *disk_of(struct request *rq)
{
	struct request___disk *old = (void *)rq;

	if (bpf_core_field_exists(old->rq_disk))
		return old->rq_disk;
	return rq->q->disk;
}

static __always_inline __u32 number_of(struct gendisk *disk)
{
	return disk ? (__u32)disk->major << MINOR_BITS | disk->first_minor : 0;
}

#endif
