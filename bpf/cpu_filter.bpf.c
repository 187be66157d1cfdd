/* cpu_filter: which samples of an event of all threads on a CPU are kept: those of the targets.
 *
 * An event of a thread is switched with it, and its timer is set anew each time: between threads that talk to each other that
 * costs more than all that they are recorded with besides.  An event of a CPU stays as it is. */
#include "bpf/exec.bpf.h"

char LICENSE[] SEC("license") = "GPL";

SEC("perf_event")
int cpu_sample(void *context)
{
	struct target_thread *thread = target_thread((__u32)bpf_get_current_pid_tgid());

	(void)context;
	return thread && thread->decision == TARGET_YES;
}
