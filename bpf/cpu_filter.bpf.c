/* cpu_filter: keeps only the targets' samples of an event that samples all threads on a CPU, and copies what Python code
 * the sampled thread runs.
 *
 * An event of a single thread is switched with the thread, and its timer is set anew at each switch; for threads that
 * talk to each other, this costs more than the rest of the recording.  An event of a CPU is not touched by switches. */
#include "bpf/exec.bpf.h"
#include "bpf/python/python_ring.bpf.h"

char LICENSE[] SEC("license") = "GPL";

SEC("perf_event")
int cpu_sample(void *context)
{
	struct target_thread *thread = target_thread((__u32)bpf_get_current_pid_tgid());

	(void)context;
	if (!thread || !is_target((struct task_struct *)bpf_get_current_task(), thread))
		return 0;
	python_send();
	return 1;
}

/* For events whose samples are all kept. */
SEC("perf_event")
int cpu_python(void *context)
{
	(void)context;
	python_send();
	return 1;
}
