/* cpu_filter: keeps only the targets' samples of an event that samples all threads on a CPU, and copies what Python code
 * the sampled thread runs.
 *
 * An event of a single thread is switched with the thread, and its timer is set anew at each switch; for threads that
 * talk to each other, this costs more than the rest of the recording.  An event of a CPU is not touched by switches. */
#include "bpf/exec.bpf.h"
#include "bpf/python.bpf.h"

char LICENSE[] SEC("license") = "GPL";

/* The kernel sends its samples elsewhere; user space puts both together by thread and time. */
struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, PYTHON_RING);
} python_ring SEC(".maps");

__u64 python_lost;

static __always_inline void send_python(void)
{
	struct python_copy *copy = python_copy();

	if (copy && bpf_ringbuf_output(&python_ring, copy, python_copy_bytes(copy), BPF_RB_NO_WAKEUP))
		__sync_fetch_and_add(&python_lost, 1);
}

SEC("perf_event")
int cpu_sample(void *context)
{
	struct target_thread *thread = target_thread((__u32)bpf_get_current_pid_tgid());

	(void)context;
	if (!thread || !is_target((struct task_struct *)bpf_get_current_task(), thread))
		return 0;
	send_python();
	return 1;
}

/* For events whose samples are all kept. */
SEC("perf_event")
int cpu_python(void *context)
{
	(void)context;
	send_python();
	return 1;
}
