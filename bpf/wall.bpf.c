/* wall: what each thread does, now: an iterator over all threads, run by the collector several times a second.
 *
 * A thread that has not been switched out since the round before, and is in the same state, is in the same place: it is
 * only counted.  So the cost of a thread that sleeps is that of a visit, without a stack. */
#include "bpf/kernel.h"
#include "bpf/slots.bpf.h"
#include "bpf/states.bpf.h"
#include "bpf/wall.h"
#include "core/format/recording.h"

enum { MOMENT_NS = 50000 };

char LICENSE[] SEC("license") = "GPL";

__u64 round_ns; /* the time of this round */
__u64 begin_ns; /* of the recording */
__u64 round_number;
__u32 stride = 1;             /* of threads that are switched often, look at one in so many in each round */
__u64 walks;                  /* stacks taken */
__u64 passed_over;            /* threads not looked at because of stride */
__u64 noted_round, put_on_ns; /* the collector in this round ... */
__u32 my_cpu;                 /* ... and its CPU */
__u64 lost_records; /* rounds in which the new state of a thread found no room; its time goes to the next one */

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1); /* max_slots */
	__type(key, __u32);
	__type(value, struct wall_slot);
} slots SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, WALL_CPUS);
	__type(key, __u32);
	__type(value, struct wall_cpu);
} cpus SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct wall_record);
} scratch SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 16 << 20);
} ring SEC(".maps");

struct bpf_iter__task {
	struct task_struct *task;
} __attribute__((preserve_access_index));

/* When the collector was put on its CPU, in the time of its run queue; as of the beginning of a round, since each tick moves
 * exec_start.  Only the fair class keeps prev_sum_exec_runtime. */
static __always_inline void note_collector(const struct task_struct *me)
{
	if (noted_round == round_number)
		return;
	noted_round = round_number;
	my_cpu = task_cpu(me);
	put_on_ns = me->se.exec_start;
	if (me->prio >= MAX_RT_PRIO)
		put_on_ns -= me->se.sum_exec_runtime - me->se.prev_sum_exec_runtime;
}

/* Would it run, if the collector had not just taken its CPU?  Then it left the CPU when the collector got it; or a moment
 * before, since what wakes the collector, the timer's interrupt, often has the kernel's own threads run first. */
static __always_inline bool is_displaced(const struct task_struct *task)
{
	return task_cpu(task) == my_cpu && put_on_ns - task->se.exec_start < MOMENT_NS;
}

static __always_inline __u32 state_now(struct task_struct *task, __u32 bits)
{
	if (task->on_cpu)
		return RECORDING_RUNNING;
	if (bits)
		return blocked_state(task, bits);
	return is_displaced(task) ? RECORDING_RUNNING : RECORDING_PREEMPTED;
}

static __always_inline void note_cpu(const struct task_struct *task)
{
	__u32 key = task_cpu(task) & (WALL_CPUS - 1);
	struct wall_cpu *cpu = bpf_map_lookup_elem(&cpus, &key);

	if (!cpu)
		return;
	cpu->round_ns = round_ns;
	cpu->tid = (__u32)task->pid;
}

static __always_inline void begin_slot(struct wall_slot *slot, const struct task_struct *task)
{
	slot->start_ns = task->start_time;
	slot->told_ns = task->start_time > begin_ns ? task->start_time : begin_ns;
	if (slot->told_ns > round_ns)
		slot->told_ns = round_ns;
	slot->tid = (__u32)task->pid;
	slot->state = WALL_UNKNOWN;
	slot->rounds = 0;
}

/* Was it interrupted in its own code?  Then the kernel's stack is only that of the interrupt. */
static __always_inline bool is_interrupted(struct task_struct *task, __u32 state)
{
	struct pt_regs *regs;

	if (state != RECORDING_PREEMPTED || task->flags & PF_KTHREAD || !have_regs)
		return false;
	regs = (struct pt_regs *)bpf_task_pt_regs(task);
#ifdef __TARGET_ARCH_arm64
	return regs->syscallno == -1;
#else
	return (long)regs->orig_ax == -1;
#endif
}

/* Tell of a new state.  Returns false if there is no room. */
static __always_inline bool tell(struct task_struct *task, const struct wall_slot *slot, __u32 i, __u32 state)
{
	__u32 zero = 0, size;
	struct wall_record *r = bpf_map_lookup_elem(&scratch, &zero);
	long bytes = 0;

	if (!r)
		return false;
	r->slot = i;
	r->pid = (__u32)task->tgid;
	r->tid = (__u32)task->pid;
	r->state = state;
	r->cpu = task_cpu(task);
	r->begin_ns = slot->told_ns;
	r->rounds = slot->rounds;
	if (state != RECORDING_RUNNING && !is_interrupted(task, state)) {
		bytes = bpf_get_task_stack(task, r->stack, sizeof(r->stack), 0);
		walks++;
	}
	r->count = bytes > 0 ? (__s32)((__u64)bytes >> 3) : (__s32)bytes;
	size = r->count > 0 ? (__u32)r->count : 0;
	if (size > WALL_FRAMES)
		size = WALL_FRAMES;
	return !bpf_ringbuf_output(&ring, r, offsetof(struct wall_record, stack) + size * sizeof(__u64),
				   BPF_RB_NO_WAKEUP);
}

SEC("iter/task")
int wall_look(struct bpf_iter__task *context)
{
	struct task_struct *task = context->task;
	__u32 bits, i, state;
	struct wall_slot *slot;
	bool fresh = false;
	__u64 switches;

	if (!task || !task->pid)
		return 0;
	note_collector(bpf_get_current_task_btf());
	if (task == bpf_get_current_task_btf())
		return 0;
	bits = task_state(task);
	if (task->exit_state || bits & (TASK_DEAD_MASK | TASK_NEW))
		return 0;
	i = slot_take(task, &fresh);
	slot = i == NO_SLOT ? NULL : bpf_map_lookup_elem(&slots, &i);
	if (!slot)
		return 0;
	if (fresh || slot->start_ns != task->start_time)
		begin_slot(slot, task);
	slot->seen_ns = round_ns;
	switches = task->nvcsw + task->nivcsw;
	state = state_now(task, bits);
	if (state == RECORDING_RUNNING)
		note_cpu(task);
	if (stride > 1 && switches != slot->switches && slot->state != WALL_UNKNOWN && (i + round_number) % stride) {
		passed_over++;
		return 0;
	}
	if (state != slot->state || (state != RECORDING_RUNNING && switches != slot->switches)) {
		if (!tell(task, slot, i, state)) {
			lost_records++;
			return 0;
		}
		slot->state = state;
		slot->rounds = 0;
	}
	slot->switches = switches;
	slot->told_ns = round_ns;
	slot->rounds++;
	return 0;
}
