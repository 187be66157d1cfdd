/* cpu_filter: keeps only the targets' samples of an event that samples all threads on a CPU.
 *
 * An event of a single thread is switched with the thread, and its timer is set anew at each switch; for threads that
 * talk to each other, this costs more than the rest of the recording.  An event of a CPU is not touched by switches. */
#include "bpf/exec.bpf.h"

char LICENSE[] SEC("license") = "GPL";

SEC("perf_event")
int cpu_sample(void *context)
{
	struct target_thread *thread = target_thread((__u32)bpf_get_current_pid_tgid());

	(void)context;
	return thread && thread->decision == TARGET_YES;
}
