/* wall: looks at what each thread does at the moment, in rounds: an iterator over all threads that the collector runs.
 *
 * A thread that has not been switched out since the previous round and is in the same state is still in the same place,
 * and is only counted.  Even so, visiting it costs half a microsecond, since its memory is cold.  Therefore most rounds
 * visit only the threads in a list: those that were not blocked, and those that were woken since the previous round.
 * All others are where they were.  A round visits all threads once a second, and always where the kernel cannot find a
 * thread by its id (before Linux 6.2). */
#include "bpf/kernel.h"
#include "bpf/python/python_processes.bpf.h"
#include "bpf/slots.bpf.h"
#include "bpf/states.bpf.h"
#include "bpf/thread_pointer.bpf.h"
#include "bpf/wall.h"
#include "core/format/recording.h"

enum { MOMENT_NS = 50000 };

char LICENSE[] SEC("license") = "GPL";

__u64 round_ns; /* the time of this round */
__u64 last_round_ns;
__u64 round_number;           /* threads for the next round are listed in bank (round_number + 1) & 1 */
__u32 listed[2];              /* how many threads are listed; if more than WALL_LIST, some are missing */
__u32 stride = 1;             /* each round looks at one in this many of the threads that are switched often */
__u32 check_count;            /* 0: visit the list; else check this many threads */
__u64 walks;                  /* stacks taken */
__u64 passed_over;            /* threads not looked at because of stride */
__u64 noted_round, put_on_ns; /* the collector in this round */
__u32 my_cpu;                 /* the collector's CPU */

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

/* Three banks of WALL_LIST threads: those to visit in this round, those to visit in the next one, and those to
 * check. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 3 * WALL_LIST);
	__type(key, __u32);
	__type(value, __u64);
} list SEC(".maps");

extern struct task_struct *bpf_task_from_pid(__s32 pid) __ksym __weak;
extern void bpf_task_release(struct task_struct *task) __ksym __weak;

struct bpf_iter__task {
	struct task_struct *task;
} __attribute__((preserve_access_index));

/* When the collector was put on its CPU, in the time of its run queue. */
static __always_inline void note_collector(const struct task_struct *me)
{
	if (noted_round == round_number)
		return;
	noted_round = round_number;
	my_cpu = task_cpu(me);
	if (bpf_core_field_exists(me->sched_info.last_arrival))
		put_on_ns = me->sched_info.last_arrival;
}

/* Would the thread run if the collector had not just taken its CPU?  If so, it has waited since the collector got the
 * CPU, or a little longer: the timer interrupt that wakes the collector often lets the kernel's own threads run
 * first. */
static __always_inline bool is_displaced(const struct task_struct *task)
{
	return bpf_core_field_exists(task->sched_info.last_queued) && task_cpu(task) == my_cpu &&
	       put_on_ns - task->sched_info.last_queued < MOMENT_NS;
}

static __always_inline __u32 state_now(struct task_struct *task, __u32 bits)
{
	if (task->on_cpu)
		return RECORDING_RUNNING;
	if (bits)
		return blocked_state(task, bits);
	if (is_throttled(task))
		return RECORDING_THROTTLED;
	return is_displaced(task) ? RECORDING_RUNNING : RECORDING_PREEMPTED;
}

static __always_inline void bpf_wall_note_cpu(const struct task_struct *task)
{
	__u32 key = task_cpu(task) & (WALL_CPUS - 1);
	struct wall_cpu *cpu = bpf_map_lookup_elem(&cpus, &key);

	if (!cpu)
		return;
	cpu->round_ns = round_ns;
	cpu->tid = (__u32)task->pid;
}

/* Put the thread on the list for the next round. */
static __always_inline void enlist(struct wall_slot *slot, __u32 tid)
{
	__u64 next = round_number + 1;
	__u64 listed_tid = tid;
	__u32 bank = next & 1, i;

	if (slot && slot->listed == next)
		return;
	if (slot)
		slot->listed = next;
	i = __sync_fetch_and_add(&listed[bank], 1);
	if (i >= WALL_LIST)
		return;
	i += bank * WALL_LIST;
	bpf_map_update_elem(&list, &i, &listed_tid, BPF_ANY);
}

static __always_inline int woken(struct task_struct *task)
{
	struct target_thread *thread = target_thread((__u32)task->pid);
	struct wall_slot *slot = NULL;
	__u32 i;

	if (!thread || thread->slot == NO_ROOM || !is_target(task, thread))
		return 0;
	if (thread->slot) {
		i = thread->slot - 1;
		slot = bpf_map_lookup_elem(&slots, &i);
	}
	enlist(slot, (__u32)task->pid);
	return 0;
}

SEC("tp_btf/sched_wakeup")
int BPF_PROG(wall_wakeup, struct task_struct *task)
{
	return woken(task);
}

SEC("tp_btf/sched_wakeup_new")
int BPF_PROG(wall_wakeup_new, struct task_struct *task)
{
	return woken(task);
}

static __always_inline void begin_slot(struct wall_slot *slot, const struct task_struct *task)
{
	slot->start_ns = task->start_time;
	slot->told_ns = task->start_time > control.begin_ns ? task->start_time : control.begin_ns;
	if (slot->told_ns > round_ns)
		slot->told_ns = round_ns;
	slot->tid = (__u32)task->pid;
	slot->state = WALL_UNKNOWN;
	slot->passed_over = 0;
	slot->ended = 0;
}

/* Does the thread get a CPU without being woken? */
static __always_inline bool bpf_wall_is_runnable(__u32 state)
{
	return state <= RECORDING_WOKEN || state == RECORDING_THROTTLED;
}

/* Was the thread interrupted in user code?  Then its kernel stack is only that of the interrupt. */
static __always_inline bool bpf_wall_is_interrupted(struct task_struct *task, __u32 state)
{
	struct pt_regs *regs;

	if (!bpf_wall_is_runnable(state) || task->flags & PF_KTHREAD || !have_regs)
		return false;
	regs = (struct pt_regs *)bpf_task_pt_regs(task);
#ifdef __TARGET_ARCH_arm64
	return regs->syscallno == -1;
#else
	return (long)regs->orig_ax == -1;
#endif
}

static __always_inline bool bpf_wall_copy_registers(struct task_struct *task, struct user_copy *copy)
{
	copy->python = thread_pointer(task);
	return !bpf_probe_read_kernel(copy->regs, sizeof(copy->regs), (const void *)bpf_task_pt_regs(task));
}

/* Send a record of the new state.  Returns false if the ring is full. */
static __always_inline bool bpf_wall_tell(struct task_struct *task, const struct wall_slot *slot, __u32 i, __u32 state)
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
	r->begin_ns = slot->state == WALL_UNKNOWN || slot->passed_over ? slot->told_ns : last_round_ns;
	r->has_registers = state != RECORDING_RUNNING && have_regs && !(task->flags & PF_KTHREAD) &&
			   bpf_wall_copy_registers(task, (struct user_copy *)r->registers);
	if (state != RECORDING_RUNNING && !bpf_wall_is_interrupted(task, state)) {
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

/* Find the thread's state.  Returns false if it is unknown, because there was no room for the thread or because it is
 * not its turn. */
static __always_inline bool bpf_wall_take_state(struct task_struct *task, struct wall_slot *slot, __u32 i, __u32 state)
{
	__u64 switches = task->nvcsw + task->nivcsw;

	if (stride > 1 && switches != slot->switches && slot->state != WALL_UNKNOWN && (i + round_number) % stride) {
		passed_over++;
		return false;
	}
	if (state != slot->state || (state != RECORDING_RUNNING && switches != slot->switches)) {
		if (!bpf_wall_tell(task, slot, i, state)) {
			control.lost++;
			return false;
		}
		slot->state = state;
	}
	slot->switches = switches;
	return true;
}

static __always_inline void bpf_wall_look_at(struct task_struct *task)
{
	__u32 bits = task_state(task), i, state;
	struct wall_slot *slot;
	bool fresh = false;

	if (task->exit_state || bits & (TASK_DEAD_MASK | TASK_NEW))
		return;
	i = slot_take(task, &fresh);
	slot = i == NO_SLOT ? NULL : bpf_map_lookup_elem(&slots, &i);
	if (!slot)
		return;
	if (fresh || slot->start_ns != task->start_time)
		begin_slot(slot, task);
	else if (slot->ended)
		return; /* it is on its way out */
	slot->seen_ns = round_ns;
	state = state_now(task, bits);
	if (state == RECORDING_RUNNING)
		bpf_wall_note_cpu(task);
	slot->passed_over = !bpf_wall_take_state(task, slot, i, state);
	if (!slot->passed_over)
		slot->told_ns = round_ns;
	if (slot->passed_over || bpf_wall_is_runnable(state))
		enlist(slot, (__u32)task->pid);
}

SEC("iter/task")
int wall_look(struct bpf_iter__task *context)
{
	struct task_struct *task = context->task, *me = bpf_get_current_task_btf();

	if (!task || !task->pid)
		return 0;
	note_collector(me);
	if (task != me)
		bpf_wall_look_at(task);
	return 0;
}

static __always_inline void note_end(__u32 tid, __u64 end_ns)
{
	__u32 i = slot_known(tid);
	struct wall_slot *slot = i == NO_SLOT ? NULL : bpf_map_lookup_elem(&slots, &i);

	if (!slot || slot->tid != tid || slot->ended)
		return;
	slot->seen_ns = end_ns;
	slot->ended = 1;
}

/* The thread's end is known, but not what it did since the last look. */
SEC("tp_btf/sched_process_exit")
int BPF_PROG(wall_exit, struct task_struct *task)
{
	note_end((__u32)task->pid, bpf_ktime_get_ns());
	return 0;
}

/* If a thread other than the first executes a program, the first thread ends before, and the other takes over its id
 * and its start time.  If the end of the first thread was already reported, the thread counts from now on. */
SEC("tp_btf/sched_process_exec")
int BPF_PROG(wall_exec, struct task_struct *task, int old_tid)
{
	struct wall_slot *slot;
	bool fresh = false;
	__u32 i;

	if (old_tid == task->pid || !round_ns)
		return 0;
	note_end((__u32)old_tid, bpf_ktime_get_ns());
	i = slot_take(task, &fresh);
	slot = i == NO_SLOT ? NULL : bpf_map_lookup_elem(&slots, &i);
	if (!slot)
		return 0;
	if (fresh || slot->start_ns != task->start_time) {
		begin_slot(slot, task);
		slot->told_ns = round_ns;
	}
	slot->seen_ns = round_ns;
	slot->ended = 0;
	return 0;
}

static long bpf_wall_visit(__u32 at, void *unused)
{
	__u32 key = (round_number & 1) * WALL_LIST + at;
	__u64 *tid = bpf_map_lookup_elem(&list, &key);
	struct task_struct *task = tid ? bpf_task_from_pid((__s32)*tid) : NULL;

	(void)unused;
	if (!tid)
		return 1;
	if (!task) {
		note_end((__u32)*tid, last_round_ns);
		return 0;
	}
	if (task->exit_state)
		note_end((__u32)*tid, last_round_ns);
	else if (task->pid != bpf_get_current_task_btf()->pid)
		bpf_wall_look_at(task);
	bpf_task_release(task);
	return 0;
}

/* Is the thread where it was at the last look, without having run since? */
static __always_inline bool bpf_wall_is_same(const struct task_struct *task, const struct wall_slot *slot)
{
	return task->start_time == slot->start_ns && task->nvcsw + task->nivcsw == slot->switches && !task->on_cpu;
}

static long bpf_wall_check(__u32 at, void *unused)
{
	__u32 key = 2 * WALL_LIST + at, i;
	__u64 *tid = bpf_map_lookup_elem(&list, &key);
	struct task_struct *task = tid ? bpf_task_from_pid((__s32)*tid) : NULL;
	struct target_thread *thread;
	struct wall_slot *slot;

	(void)unused;
	if (!tid || !task)
		return !tid;
	thread = target_thread((__u32)*tid);
	if (thread && thread->slot && thread->slot != NO_ROOM) {
		i = thread->slot - 1;
		slot = bpf_map_lookup_elem(&slots, &i);
		if (slot && bpf_wall_is_same(task, slot))
			slot->same_ns = round_ns;
	}
	bpf_task_release(task);
	return 0;
}

/* The collector runs this for one thread, itself.  The program then visits all threads in the list. */
SEC("?iter/task")
int wall_visit(struct bpf_iter__task *context)
{
	struct task_struct *me = bpf_get_current_task_btf();
	__u32 count = listed[round_number & 1];

	if (context->task != me)
		return 0;
	if (check_count) {
		bpf_loop(check_count < WALL_LIST ? check_count : WALL_LIST, bpf_wall_check, NULL, 0);
		return 0;
	}
	note_collector(me);
	bpf_loop(count < WALL_LIST ? count : WALL_LIST, bpf_wall_visit, NULL, 0);
	return 0;
}
