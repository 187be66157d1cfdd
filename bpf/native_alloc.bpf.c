/* native_alloc: malloc and similar functions, sampled by bytes (bpf/native_alloc.h).  The programs run in uprobes at
 * the first instruction of a function; there is one for each position of the size among the arguments. */
#include "bpf/kernel.h"
#include "bpf/native_alloc.h"
#include "bpf/python/python_ring.bpf.h"
#include "bpf/targets.bpf.h"
#include "bpf/user_regs.bpf.h"

char LICENSE[] SEC("license") = "GPL";

const volatile struct native_alloc_draw draw = { 0 };

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
} output SEC(".maps");

struct cpu {
	__u64 left; /* bytes until the next sample */
	__u64 seeded;
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct cpu);
} cpus SEC(".maps");

/* A thread's last call of an allocation function that may call others.  Threads whose ids have the same low bits share
 * an entry, so that a nested call is rarely counted, too. */
struct outer {
	__u64 sp, ip, caller;
	__u32 tid, unused;
};

enum { OUTERS = 4096 };

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, OUTERS);
	__type(key, __u32);
	__type(value, struct outer);
} outers SEC(".maps");

/* ---- nested calls ---- */

static __always_inline __u64 read_caller(struct user_regs *ctx)
{
#ifdef __TARGET_ARCH_arm64
	return ctx->regs[30];
#else
	__u64 caller = 0;

	bpf_probe_read_user(&caller, sizeof(caller), (const void *)ctx->sp);
	return caller;
#endif
}

enum { NEAR_STACK = 512, NEAR_CODE = 4096 };

/* Was this call made by the outer function?  realloc() calls or jumps to malloc() to get the same bytes.  While the
 * outer function runs, its return address is still at o->sp; after a jump, that is also the return address of the inner
 * function. */
static __always_inline bool bpf_native_alloc_is_inner(struct user_regs *ctx, const struct outer *o, __u32 tid)
{
	__u64 below = o->sp - ctx->sp, caller = 0;

	if (o->tid != tid || below > NEAR_STACK || (!below && o->ip == ctx->ip))
		return false;
#ifdef __TARGET_ARCH_arm64
	/* aarch64: the link register may be saved anywhere. */
	caller = read_caller(ctx);
	return below ? caller - o->ip < NEAR_CODE : caller == o->caller;
#else
	bpf_probe_read_user(&caller, sizeof(caller), (const void *)o->sp);
	return caller == o->caller;
#endif
}

static __always_inline void note_outer(struct user_regs *ctx, struct outer *o, __u32 tid)
{
	o->sp = ctx->sp;
	o->ip = ctx->ip;
	o->caller = read_caller(ctx);
	o->tid = tid;
}

/* ---- bytes ---- */

#define MOST (1ull << 47) /* more than can be allocated */

static __always_inline __u64 draw_distance(void)
{
	return native_alloc_distance(&draw, bpf_get_prandom_u32());
}

static __always_inline bool bpf_native_alloc_is_ours(__u32 tid)
{
	struct target_thread *thread;

	if (target_rules.everybody)
		return true;
	thread = target_thread(tid);
	return thread && is_target(bpf_get_current_task_btf(), thread);
}

/* Another thread may preempt this one anywhere in this function. */
static __always_inline void bpf_native_alloc_count(struct user_regs *ctx, __u64 bytes)
{
	struct native_alloc_sample sample = { .bytes = bytes };
	__u32 zero = 0;
	struct cpu *cpu = bpf_map_lookup_elem(&cpus, &zero);
	__s64 left;

	if (!cpu)
		return;
	if (!cpu->seeded) {
		cpu->seeded = 1;
		cpu->left = draw_distance();
	}
	left = (__s64)__sync_fetch_and_add(&cpu->left, -bytes);
	if (left > (__s64)bytes)
		return;
	cpu->left = draw_distance();
	python_send();
	/* A CPU that is not recorded has no entry; the kernel counts records lost to a full ring. */
	bpf_perf_event_output(ctx, &output, BPF_F_CURRENT_CPU, &sample, sizeof(sample));
}

static __always_inline int allocated(struct user_regs *ctx, __u64 bytes, bool calls_others)
{
	__u32 tid = (__u32)bpf_get_current_pid_tgid(), place = tid % OUTERS;
	struct outer *outer = bpf_map_lookup_elem(&outers, &place);

	if (!outer || !bpf_native_alloc_is_ours(tid) || bpf_native_alloc_is_inner(ctx, outer, tid))
		return 0;
	if (calls_others)
		note_outer(ctx, outer, tid);
	if (bytes && bytes < MOST)
		bpf_native_alloc_count(ctx, bytes);
	return 0;
}

SEC("uprobe")
int native_malloc(struct user_regs *ctx)
{
	return allocated(ctx, USER_ARGUMENT(ctx, 1), false);
}

SEC("uprobe")
int native_first(struct user_regs *ctx)
{
	return allocated(ctx, USER_ARGUMENT(ctx, 1), true);
}

SEC("uprobe")
int native_second(struct user_regs *ctx)
{
	return allocated(ctx, USER_ARGUMENT(ctx, 2), true);
}

SEC("uprobe")
int native_third(struct user_regs *ctx)
{
	return allocated(ctx, USER_ARGUMENT(ctx, 3), true);
}

SEC("uprobe")
int native_product(struct user_regs *ctx)
{
	__u64 members = USER_ARGUMENT(ctx, 1), size = USER_ARGUMENT(ctx, 2);

	if (members && size > MOST / members)
		return 0;
	return allocated(ctx, members * size, true);
}
