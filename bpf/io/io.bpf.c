/* io: how long block I/O takes, for which file, and in whose stack.
 *
 *     block_io_start       a thread creates a request (Linux 6.5; before, block_rq_insert or _issue is the first we see)
 *     block_rq_issue       the device gets it
 *     block_rq_requeue     ... gives it back: it is queued again
 *     block_rq_merge       it becomes a part of another request, and ends so
 *     block_rq_complete    the request, or a part of it, has ended
 *
 * All requests are followed, so that the use of each device is exact.  Requests of targets are reported: one by one
 * from min_ns on, with the stack that was taken when they began; shorter ones without a stack, once the collector has
 * that stack.  The owners of pages are read when a request begins, too: pages under I/O do not go away. */
#include "bpf/io/io.h"
#include "bpf/exec.bpf.h"
#include "bpf/io/io_devices.bpf.h"
#include "bpf/io/io_owner.bpf.h"
#include "bpf/io/io_request.bpf.h"
#include "bpf/io/io_stacks.bpf.h"
#include "bpf/io/io_table.bpf.h"
#include "bpf/kernel.h"
#include "bpf/targets.bpf.h"

char LICENSE[] SEC("license") = "GPL";

__u64 lost_requests; /* the table was full, or the kernel did not show us the end */

/* ---- the life of a request ---- */

static __always_inline __u32 operation_of(struct request *rq)
{
	__u32 flags = rq->cmd_flags, kind = flags & REQ_OP_MASK;

	if (kind == REQ_OP_WRITE && HAS_FLAG(flags, __REQ_PREFLUSH) && !rq->__data_len)
		return RECORDING_IO_EMPTY_FLUSH;
	return kind | (HAS_FLAG(flags, __REQ_SYNC) ? RECORDING_IO_SYNC : 0) |
	       (HAS_FLAG(flags, __REQ_META) ? RECORDING_IO_META : 0) |
	       (HAS_FLAG(flags, __REQ_FUA) ? RECORDING_IO_FUA : 0) |
	       (HAS_FLAG(flags, __REQ_PREFLUSH) ? RECORDING_IO_PREFLUSH : 0) |
	       (HAS_FLAG(flags, __REQ_RAHEAD) ? RECORDING_IO_AHEAD : 0);
}

static __always_inline bool bpf_io_is_wanted(const struct io_request *r, struct task_struct *task)
{
	struct target_thread *thread = target_thread(task->pid);

	if (thread && is_target(task, thread))
		return true;
	thread = r->dirtier_tid ? target_thread(r->dirtier_tid) : NULL;
	return thread && !target_rules.everybody && thread->decision == TARGET_YES;
}

static __always_inline void bpf_io_forget(struct io_request *r)
{
	free_slot(r->slot);
	io_remove(r);
}

static __always_inline bool is_on(__u64 now)
{
	return now >= control.begin_ns && now <= control.end_ns;
}

static __always_inline struct io_request *known(struct request *rq)
{
	return io_find(rq);
}

/* The end of the request was not seen: where softirqs end very many at once, the kernel shows some neither to us nor to
 * perf record. */
static __always_inline void bpf_io_drop(struct io_request *r, __u64 now)
{
	struct io_device *d = device_find(r->device);

	if (d && r->flags & IO_ISSUED)
		device_leave(d, now);
	__sync_fetch_and_add(&lost_requests, !!(r->flags & IO_WANTED));
	bpf_io_forget(r);
}

/* Add a request that, as far as we see, has just begun.  left: the entry of a request at the same address whose end was
 * not seen, or NULL. */
static __always_inline struct io_request *bpf_io_begin(void *context, struct request *rq, struct io_request *left,
						       __u64 now)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct io_request r = {
		.operation = operation_of(rq),
		.pid = task->tgid,
		.tid = task->pid,
		.begin_ns = now,
		.end_ns = now,
		.sector = rq->__sector,
		.device = number_of(disk_of(rq)),
	};
	struct io_request *its;

	if (left)
		bpf_io_drop(left, now);
	find_owner(&r, rq);
	if (bpf_io_is_wanted(&r, task)) {
		r.flags = IO_WANTED;
		add_stack(context, task, &r);
	}
	its = io_add(rq, &r);
	if (its)
		return its;
	__sync_fetch_and_add(&lost_requests, !!(r.flags & IO_WANTED));
	free_slot(r.slot);
	return NULL;
}

/* Add the time up to now to the queue or to the device, wherever the request was. */
static __always_inline void bpf_io_pass(struct io_request *r, __u64 now)
{
	__u64 ns = now > r->end_ns ? now - r->end_ns : 0;

	if (r->flags & IO_ISSUED)
		r->device_ns += ns;
	else
		r->queue_ns += ns;
	r->end_ns += ns;
}

SEC("?tp_btf/block_io_start")
int io_start(unsigned long long *context)
{
	struct request *rq = (struct request *)context[0];
	__u64 now = bpf_ktime_get_ns();

	if (is_on(now))
		bpf_io_begin(context, rq, known(rq), now);
	return 0;
}

SEC("tp_btf/block_rq_insert")
int io_insert(unsigned long long *context)
{
	struct request *rq = request_of(context);
	__u64 now;

	/* Only requests that flush a device's cache have no start. */
	if (has_start && (rq->cmd_flags & REQ_OP_MASK) != REQ_OP_FLUSH)
		return 0;
	now = bpf_ktime_get_ns();
	if (is_on(now) && !known(rq))
		bpf_io_begin(context, rq, NULL, now);
	return 0;
}

SEC("tp_btf/block_rq_issue")
int io_issue(unsigned long long *context)
{
	struct request *rq = request_of(context);
	__u64 now = bpf_ktime_get_ns();
	struct io_request *r;
	struct io_device *d;

	if (!is_on(now))
		return 0;
	r = known(rq);
	if (!r)
		r = bpf_io_begin(context, rq, NULL, now);
	if (!r || r->flags & IO_ISSUED)
		return 0;
	/* Look up the device only here, since the verifier checks everything that follows for each way of finding a
	 * device. */
	d = device_of(disk_of(rq));
	if (!d)
		return 0;
	bpf_io_pass(r, now);
	r->flags |= IO_ISSUED;
	device_enter(d, now);
	return 0;
}

SEC("tp_btf/block_rq_requeue")
int io_requeue(unsigned long long *context)
{
	struct request *rq = request_of(context);
	struct io_device *d = device_of(disk_of(rq));
	__u64 now = bpf_ktime_get_ns();
	struct io_request *r = known(rq);

	if (!r || !d || !(r->flags & IO_ISSUED) || !is_on(now))
		return 0;
	bpf_io_pass(r, now);
	r->flags &= ~IO_ISSUED;
	r->requeues++;
	device_leave(d, now);
	__sync_fetch_and_add(&d->requeues, 1);
	return 0;
}

/* From now on, the bytes of this request belong to the other one. */
SEC("?tp_btf/block_rq_merge")
int io_merge(unsigned long long *context)
{
	struct request *rq = request_of(context);
	struct io_device *d = device_of(disk_of(rq));
	struct io_request *r = known(rq);

	if (d && is_on(bpf_ktime_get_ns()))
		__sync_fetch_and_add(&d->merges, 1);
	if (r)
		bpf_io_forget(r);
	return 0;
}

static __always_inline void merged(struct bio *bio)
{
	struct io_device *d = device_of(bio->bi_bdev->bd_disk);

	if (d && is_on(bpf_ktime_get_ns()))
		__sync_fetch_and_add(&d->merges, 1);
}

SEC("?tp_btf/block_bio_backmerge")
int BPF_PROG(io_backmerge, struct bio *bio)
{
	merged(bio);
	return 0;
}

SEC("?tp_btf/block_bio_frontmerge")
int BPF_PROG(io_frontmerge, struct bio *bio)
{
	merged(bio);
	return 0;
}

static __always_inline void bpf_io_end(struct io_request *r, struct io_device *d, __u64 now)
{
	bpf_io_pass(r, now);
	if (r->flags & IO_ISSUED)
		device_leave(d, now);
	if ((r->operation & RECORDING_IO_KIND) == REQ_OP_FLUSH)
		__sync_fetch_and_add(&d->flushes, 1);
	else
		__sync_fetch_and_add(&d->requests, 1);
	__sync_fetch_and_add(&d->bytes, r->bytes);
	__sync_fetch_and_add(&d->queue_ns, r->queue_ns);
	__sync_fetch_and_add(&d->device_ns, r->device_ns);
	if (r->flags & IO_WANTED)
		bpf_io_stacks_report(r);
}

SEC("tp_btf/block_rq_complete")
int io_complete(unsigned long long *context)
{
	struct request *rq = request_of(context);
	__u32 error = bpf_io_request_argument(context, 1), bytes = bpf_io_request_argument(context, 2);
	struct io_device *d = device_of(disk_of(rq));
	__u64 now = bpf_ktime_get_ns();
	struct io_request *r = known(rq);

	if (r && !is_on(now))
		r->flags |= IO_LATER;
	if (!r || !d || !is_on(now))
		return 0;
	r->bytes += bytes;
	if (error)
		r->flags |= IO_FAILED;
	if (bytes < rq->__data_len) /* the rest goes on */
		return 0;
	bpf_io_end(r, d, now);
	bpf_io_forget(r);
	return 0;
}

/* After the end of the recording, the collector calls this for each request whose end we did not see, to learn whether
 * it has ended.  The request's state is read first, since it is idle only after io_complete() could have run. */
SEC("raw_tp")
int io_check(struct bpf_raw_tracepoint_args *context)
{
	__u32 place = context->args[0] & (IO_REQUESTS - 1);
	__u64 key = request_keys[place];
	enum mq_rq_state state = BPF_CORE_READ((struct request *)key, state);
	struct io_request *r = &requests[place];

	if (key && request_keys[place] == key && state == MQ_RQ_IDLE &&
	    (r->flags & (IO_ISSUED | IO_LATER)) == IO_ISSUED)
		bpf_io_drop(r, control.end_ns);
	return 0;
}
