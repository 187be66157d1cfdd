/* lanes: how full the receive queues of sockets are, how many threads want each CPU, and who frees memory.
 *
 *     sk_data_ready                      something was queued: keep the maximum with the socket
 *     iter/task_file                     which sockets targets have
 *     iter/bpf_sk_storage_map            a look: the maximum since the last one, the limit, drops
 *     syscall                            a look: the length of each run queue
 *     mm_vmscan_kswapd_wake, _sleep, mm_vmscan_direct_reclaim_begin, _end
 *
 * A queue only grows when something is added, so its maximum is found there, without slowing down readers. */
#include "bpf/lanes.h"
#include "bpf/exec.bpf.h"
#include "bpf/kernel.h"
#include "bpf/targets.bpf.h"

#include <bpf/bpf_endian.h>

char LICENSE[] SEC("license") = "GPL";

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

typedef struct {
	int counter;
} atomic_t;

struct in6_addr {
	unsigned char bytes[16];
};

struct sock_common {
	__u32 skc_daddr, skc_rcv_saddr;
	__u16 skc_dport, skc_num;
	unsigned short skc_family;
	unsigned char skc_state;
	struct in6_addr skc_v6_daddr, skc_v6_rcv_saddr;
};

struct sk_buff_head {
	__u32 qlen;
};

struct sock {
	struct sock_common __sk_common;
	atomic_t sk_drops;
	struct sk_buff_head sk_receive_queue;
	struct {
		atomic_t rmem_alloc;
	} sk_backlog;
	int sk_rcvbuf;
	__u32 sk_ack_backlog, sk_max_ack_backlog;
	__u16 sk_protocol;
	void *sk_drop_counters; /* since Linux 6.18 */
};

struct udp_sock {
	struct sk_buff_head reader_queue;
	int forward_deficit;
};

struct tcp_sock {
	__u32 rcv_nxt, copied_seq;
};

struct socket {
	struct sock *sk;
};

struct file;

struct seq_file;

struct bpf_iter_meta {
	struct seq_file *seq;
};

struct bpf_iter__task_file {
	struct bpf_iter_meta *meta;
	struct task_struct *task;
	struct file *file;
};

struct bpf_iter__bpf_sk_storage_map {
	struct bpf_iter_meta *meta;
	struct sock *sk;
	void *value;
};

struct cfs_rq___delayed { /* before */
	unsigned int h_nr_delayed;
};

struct task_struct___group {
	struct task_group *sched_task_group;
};

#pragma clang attribute pop

enum { IPV4 = 2, IPV6 = 10, TCP = 6, UDP = 17, LISTENS = 10, REPEAT_NS = 900000000 };

const volatile __u32 cpu_count;

/* Offsets of the counters in struct numa_drop_counters, for even and odd nodes, each in a cache line of its own.  If we
 * used the struct's type, libbpf would search kernel modules for it on kernels that lack it, which takes
 * CAP_SYS_ADMIN. */
const volatile __s32 drop_places[2];

__u32 running[LANES_CPUS]; /* threads on each CPU that run or wait for it */
__u64 fresh;               /* sockets whose process is not known yet */
__u64 ids;
__u64 kswapd_nodes; /* a bit for each that is awake */
int reclaimers;
__u64 lost_records;
__u64 lost_sockets;

/* What is kept with each socket. */
struct watched {
	__u64 id;
	__u64 memory, unread;           /* maximum since the last look */
	__u64 told_memory, told_unread; /* at the last look that reported the socket, which was at ... */
	__u64 told_limit, told_drops, told_ns;
	__u32 pid, reserved;
};

struct {
	__uint(type, BPF_MAP_TYPE_SK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct watched);
} sockets SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 18);
} ring SEC(".maps");

/* ---- sockets ---- */

/* Finding what is kept for a socket costs more than everything else here.  So the maximum since the last look is kept
 * in a slot chosen by the socket's address, unless another socket has taken that slot.  There are two sets of slots:
 * while a look reads one, the other is filled for the next look. */
enum { SLOTS = 1024 };

#define SLOT_IS_TAKEN (~0ull)

struct slot {
	__u64 look; /* it is valid for this look only */
	__u64 sk;
	__u64 memory, unread;
};

static struct slot slots[2 * SLOTS];
__u64 look = 1; /* the number of the next look */

static __always_inline struct slot *bpf_lanes_slot_of(const struct sock *sk, __u64 at_look)
{
	__u64 address = (__u64)sk;
	__u32 i = (__u32)(at_look & 1) * SLOTS + (__u32)((address >> 6 ^ address >> 16) & (SLOTS - 1));

	asm volatile("" : "+r"(i)); /* so that the compiler keeps the check, which Linux 6.1 needs */
	return &slots[i & (2 * SLOTS - 1)];
}

struct depth {
	__u64 memory, unread;
};

static __always_inline __u64 positive(int n)
{
	return n > 0 ? (__u64)n : 0;
}

static __always_inline bool is_of_internet(struct sock *sk)
{
	__u16 family = sk->__sk_common.skc_family;

	return (family == IPV4 || family == IPV6) && (sk->sk_protocol == TCP || sk->sk_protocol == UDP);
}

/* What a reader has taken off a UDP socket's queue stays charged against the limit until it is given back in portions
 * (forward_deficit).  The reader moves queued datagrams to a queue of its own; that queue is read first here, so that
 * those moved meanwhile are not counted twice. */
static __always_inline struct depth udp_depth(struct sock *sk)
{
	struct udp_sock *udp = (void *)sk;
	int deficit = BPF_CORE_READ(udp, forward_deficit);
	__u32 moved = BPF_CORE_READ(udp, reader_queue.qlen);

	return (struct depth){ positive(sk->sk_backlog.rmem_alloc.counter - deficit),
			       (__u64)moved + sk->sk_receive_queue.qlen };
}

static __always_inline struct depth tcp_depth(struct sock *sk)
{
	struct tcp_sock *tcp = (void *)sk;
	__u32 read = BPF_CORE_READ(tcp, copied_seq);

	if (sk->__sk_common.skc_state == LISTENS)
		return (struct depth){ 0, sk->sk_ack_backlog };
	return (struct depth){ positive(sk->sk_backlog.rmem_alloc.counter),
			       positive((int)(BPF_CORE_READ(tcp, rcv_nxt) - read)) };
}

static __always_inline struct depth bpf_lanes_depth_of(struct sock *sk)
{
	return sk->sk_protocol == UDP ? udp_depth(sk) : tcp_depth(sk);
}

/* Several CPUs may queue at once. */
static __always_inline void raise(__u64 *maximum, __u64 n)
{
	for (int i = 0; i < 4; i++) {
		__u64 before = *maximum;

		if (n <= before || __sync_val_compare_and_swap(maximum, before, n) == before)
			return;
	}
}

/* Available since Linux 6.2, and so wherever sk_data_ready is. */
extern void *bpf_rdonly_cast(const void *object, __u32 type) __ksym __weak; /* as libbpf 1.5 declares it */

/* Does the same as bpf_lanes_depth_of(), but cheaply enough for each datagram: makes no calls, and skips what cannot be
 * a new maximum. */
static __always_inline void bpf_lanes_note(struct sock *sk, __u64 *memory, __u64 *unread)
{
	__u64 charged = positive(sk->sk_backlog.rmem_alloc.counter), count;
	struct depth d;

	if (sk->sk_protocol == UDP) {
		struct udp_sock *udp = bpf_rdonly_cast(sk, bpf_core_type_id_kernel(struct udp_sock));

		count = udp->reader_queue.qlen;
		count += sk->sk_receive_queue.qlen;
		if (charged > *memory)
			raise(memory, positive((int)charged - udp->forward_deficit));
		if (count > *unread)
			raise(unread, count);
		return;
	}
	d = tcp_depth(sk);
	raise(memory, d.memory);
	raise(unread, d.unread);
}

static __always_inline struct watched *bpf_lanes_watch(struct sock *sk)
{
	struct watched *w = bpf_sk_storage_get(&sockets, sk, NULL, BPF_SK_STORAGE_GET_F_CREATE);

	if (!w)
		__sync_fetch_and_add(&lost_sockets, 1);
	else if (!w->id)
		w->id = __sync_fetch_and_add(&ids, 1) + 1;
	return w;
}

static __always_inline void claim(struct slot *slot, struct sock *sk, __u64 now)
{
	__u64 before = slot->look;

	if (before >= now || __sync_val_compare_and_swap(&slot->look, before, SLOT_IS_TAKEN) != before)
		return;
	slot->memory = slot->unread = 0;
	slot->sk = (__u64)sk;
	__sync_lock_test_and_set(&slot->look, now);
}

static __always_inline int first_since_look(struct sock *sk, __u64 now)
{
	struct watched *w = bpf_sk_storage_get(&sockets, sk, NULL, 0);
	struct slot *slot = bpf_lanes_slot_of(sk, now);

	if (!w) {
		if (!is_of_internet(sk))
			return 0;
		w = bpf_lanes_watch(sk);
		if (!w)
			return 0;
		__sync_fetch_and_add(&fresh, 1);
	}
	bpf_lanes_note(sk, &w->memory, &w->unread);
	claim(slot, sk, now);
	return 0;
}

SEC("?tp_btf/sk_data_ready")
int BPF_PROG(lanes_data_ready, struct sock *sk)
{
	__u64 now = look;
	struct slot *slot = bpf_lanes_slot_of(sk, now);

	if (slot->look == now && slot->sk == (__u64)sk)
		bpf_lanes_note(sk, &slot->memory, &slot->unread);
	else
		first_since_look(sk, now);
	return 0;
}

/* Which sockets do the targets have? */
SEC("iter/task_file")
int lanes_find_sockets(struct bpf_iter__task_file *ctx)
{
	struct task_struct *task = ctx->task;
	struct file *file = ctx->file;
	struct target_thread *thread;
	struct socket *socket;
	struct watched *w;
	struct sock *sk;

	if (!task || !file)
		return 0;
	thread = target_thread((__u32)task->tgid);
	if (!thread || !is_target(task, thread))
		return 0;
	socket = bpf_sock_from_file(file);
	sk = socket ? socket->sk : NULL;
	if (!sk || !is_of_internet(sk))
		return 0;
	w = bpf_lanes_watch(sk);
	if (w && !w->pid)
		w->pid = (__u32)task->tgid;
	return 0;
}

static __always_inline __u64 drops_of(struct sock *sk)
{
	__u32 even = 0, odd = 0;

	if (bpf_core_field_exists(sk->sk_drop_counters) && sk->sk_drop_counters && drop_places[1] > 0) {
		bpf_probe_read_kernel(&even, sizeof(even), sk->sk_drop_counters + drop_places[0]);
		bpf_probe_read_kernel(&odd, sizeof(odd), sk->sk_drop_counters + drop_places[1]);
		return (__u64)even + odd;
	}
	return (__u32)sk->sk_drops.counter;
}

static __always_inline void add_addresses(struct lane_socket *s, struct sock *sk)
{
	s->family = sk->__sk_common.skc_family;
	s->port = sk->__sk_common.skc_num;
	s->remote_port = bpf_ntohs(sk->__sk_common.skc_dport);
	if (s->family == IPV4) {
		__builtin_memcpy(s->address, &sk->__sk_common.skc_rcv_saddr, 4);
		__builtin_memcpy(s->remote, &sk->__sk_common.skc_daddr, 4);
	} else {
		BPF_CORE_READ_INTO(&s->address, sk, __sk_common.skc_v6_rcv_saddr);
		BPF_CORE_READ_INTO(&s->remote, sk, __sk_common.skc_v6_daddr);
	}
}

/* Report a socket if something has changed, or once in a while. */
static __always_inline void bpf_lanes_tell(struct seq_file *seq, struct sock *sk, struct watched *w, __u64 now)
{
	struct depth d = bpf_lanes_depth_of(sk);
	struct lane_socket s = { .id = w->id, .pid = w->pid, .protocol = (__u8)sk->sk_protocol };

	struct slot *slot = bpf_lanes_slot_of(sk, look - 1);

	s.listens = s.protocol == TCP && sk->__sk_common.skc_state == LISTENS;
	s.memory = __sync_lock_test_and_set(&w->memory, 0);
	s.unread = __sync_lock_test_and_set(&w->unread, 0);
	if (slot->look == look - 1 && slot->sk == (__u64)sk) {
		s.memory = slot->memory > s.memory ? slot->memory : s.memory;
		s.unread = slot->unread > s.unread ? slot->unread : s.unread;
	}
	s.memory = d.memory > s.memory ? d.memory : s.memory;
	s.unread = d.unread > s.unread ? d.unread : s.unread;
	s.limit = s.listens ? sk->sk_max_ack_backlog : positive(sk->sk_rcvbuf);
	s.drops = drops_of(sk);
	if (s.memory == w->told_memory && s.unread == w->told_unread && s.limit == w->told_limit &&
	    s.drops == w->told_drops && now < w->told_ns + REPEAT_NS)
		return;
	add_addresses(&s, sk);
	if (bpf_seq_write(seq, &s, sizeof(s))) { /* no room: the iterator calls us again for this socket */
		raise(&w->memory, s.memory);
		raise(&w->unread, s.unread);
		return;
	}
	w->told_memory = s.memory;
	w->told_unread = s.unread;
	w->told_limit = s.limit;
	w->told_drops = s.drops;
	w->told_ns = now;
}

SEC("iter/bpf_sk_storage_map")
int lanes_look_at_sockets(struct bpf_iter__bpf_sk_storage_map *ctx)
{
	struct watched *w = ctx->value;
	struct sock *sk = ctx->sk;

	if (w && sk && (w->pid || target_rules.everybody))
		bpf_lanes_tell(ctx->meta->seq, sk, w, bpf_ktime_get_ns());
	return 0;
}

/* ---- run queues ---- */

/* Since Linux 6.12, a thread that goes to sleep may stay in the queue until its turn comes: the queue counts it as
 * running, although it neither runs nor waits. */
static __always_inline __u32 sleepers(const struct rq *rq)
{
	struct cfs_rq___delayed *old = (void *)&rq->cfs;

	if (bpf_core_field_exists(rq->cfs.h_nr_runnable))
		return BPF_CORE_READ(rq, cfs.h_nr_queued) - BPF_CORE_READ(rq, cfs.h_nr_runnable);
	return bpf_core_field_exists(old->h_nr_delayed) ? BPF_CORE_READ(old, h_nr_delayed) : 0;
}

/* Both numbers change while we read them. */
static __always_inline __u32 runnable(const struct rq *rq)
{
	return (__u32)positive((int)(BPF_CORE_READ(rq, nr_running) - sleepers(rq)));
}

/* The queues are found through the group of this thread, which points to its queue on each CPU
 * (CONFIG_FAIR_GROUP_SCHED), since not every kernel has a symbol for them. */
SEC("syscall")
int lanes_look_at_cpus(void *ctx)
{
	struct task_struct___group *task = (void *)bpf_get_current_task();
	struct cfs_rq **queues = BPF_CORE_READ(task, sched_task_group, cfs_rq);

	for (__u32 cpu = 0; cpu < LANES_CPUS && cpu < cpu_count; cpu++) {
		struct cfs_rq *queue = NULL;

		bpf_probe_read_kernel(&queue, sizeof(queue), &queues[cpu]);
		running[cpu] = runnable(BPF_CORE_READ(queue, rq));
	}
	return 0;
}

extern const struct rq runqueues __ksym __weak;

/* In 7.2, a group has a queue among each CPU's own variables, which the symbol leads to (CONFIG_KALLSYMS_ALL). */
SEC("?syscall")
int lanes_look_at_queues(void *ctx)
{
	for (__u32 cpu = 0; cpu < LANES_CPUS && cpu < cpu_count; cpu++) {
		const struct rq *rq = bpf_per_cpu_ptr(&runqueues, cpu);

		if (rq)
			running[cpu] = runnable(rq);
	}
	return 0;
}

/* ---- who frees memory ---- */

static __always_inline void tell_event(__u32 kind, __u32 value)
{
	struct lane_event *e = bpf_ringbuf_reserve(&ring, sizeof(*e), 0);

	if (!e) {
		__sync_fetch_and_add(&lost_records, 1);
		return;
	}
	*e = (struct lane_event){ bpf_ktime_get_ns(), kind, value };
	bpf_ringbuf_submit(e, BPF_RB_NO_WAKEUP);
}

static __always_inline __u32 bits(__u64 n)
{
	__u32 count = 0;

	for (int i = 0; i < 64; i++)
		count += n >> i & 1;
	return count;
}

static __always_inline int set_kswapd(int node, bool awake)
{
	__u64 bit = 1ull << (node & 63);
	__u64 before = kswapd_nodes, after;

	if (awake)
		__sync_fetch_and_or(&kswapd_nodes, bit);
	else
		__sync_fetch_and_and(&kswapd_nodes, ~bit);
	after = awake ? before | bit : before & ~bit;
	if (after != before)
		tell_event(LANE_KSWAPD, bits(after));
	return 0;
}

SEC("?tp_btf/mm_vmscan_kswapd_wake")
int BPF_PROG(lanes_kswapd_wake, int node)
{
	return set_kswapd(node, true);
}

SEC("?tp_btf/mm_vmscan_kswapd_sleep")
int BPF_PROG(lanes_kswapd_sleep, int node)
{
	return set_kswapd(node, false);
}

SEC("?tp_btf/mm_vmscan_direct_reclaim_begin")
int BPF_PROG(lanes_reclaim_begin)
{
	int before = __sync_fetch_and_add(&reclaimers, 1);

	tell_event(LANE_DIRECT_RECLAIM, (__u32)positive(before + 1));
	return 0;
}

/* The end of a reclaim that began before the recording does not lower the number. */
SEC("?tp_btf/mm_vmscan_direct_reclaim_end")
int BPF_PROG(lanes_reclaim_end)
{
	int before = __sync_fetch_and_add(&reclaimers, -1);

	if (before <= 0)
		__sync_fetch_and_add(&reclaimers, 1);
	tell_event(LANE_DIRECT_RECLAIM, (__u32)positive(before - 1));
	return 0;
}
