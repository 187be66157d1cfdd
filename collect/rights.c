#include "collect/rights.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/capability.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "collect/procfs.h"
#include "core/error.h"

static const char paranoid_path[] = "kernel/perf_event_paranoid";

bool have_capability(int capability)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {0};

	if (syscall(SYS_capget, &header, data))
		return false;
	return data[capability / 32].effective >> capability % 32 & 1;
}

static bool may_monitor(void)
{
	return have_capability(CAP_PERFMON) || have_capability(CAP_SYS_ADMIN);
}

bool may_sample_kernel(void)
{
	return may_monitor() || read_sysctl(paranoid_path, 2) <= 1;
}

/* The highest kernel.perf_event_paranoid that allows this (Linux,
 * Documentation/admin-guide/sysctl/kernel.rst); 2 is a plain kernel's default,
 * Debian and Ubuntu have 3 and 4, which forbid all. */
static int highest_paranoid(const struct event *e, pid_t tid)
{
	if (event_is_tracepoint(e))
		return -1;
	if (tid < 0)
		return 0;
	return e->attr.exclude_kernel ? 2 : 1;
}

static bool belongs_to_another(pid_t tid)
{
	char path[32];
	struct stat info;

	snprintf(path, sizeof(path), "/proc/%d", (int)tid);
	return tid > 0 && !stat(path, &info) && info.st_uid != geteuid();
}

static void own_path(char path[PATH_MAX])
{
	ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 1);

	if (n > 0)
		path[n] = '\0';
	else
		strcpy(path, "pyrograph-collect");
}

int explain_bpf_rights(const char *name)
{
	char program[PATH_MAX];

	own_path(program);
	return error("collect %s loads a BPF program, which wants the capabilities CAP_BPF and "
		     "CAP_PERFMON.  One of:\n"
		     "  sudo %s ...\n"
		     "  sudo setcap cap_bpf,cap_perfmon,cap_sys_ptrace,cap_syslog+ep %s",
		     name, program_name, program);
}

static int no_right(const struct event *e, pid_t tid)
{
	int64_t paranoid = read_sysctl(paranoid_path, 2);
	int highest = highest_paranoid(e, tid);
	char program[PATH_MAX];

	own_path(program);
	if (may_monitor())
		return error("no right to sample %s, although CAP_PERFMON is there: a container's "
			     "seccomp profile, or a security module, forbids perf_event_open",
			     e->name);
	if (paranoid <= highest && belongs_to_another(tid))
		return error("no right to sample %d: it is another user's process.  One of:\n"
			     "  sudo %s ...\n"
			     "  sudo setcap cap_perfmon,cap_sys_ptrace,cap_syslog+ep %s",
			     (int)tid, program_name, program);
	return error("no right to sample %s %s: kernel.perf_event_paranoid is %" PRId64
		     ", it must be %d or less, or CAP_PERFMON is needed.  One of:\n"
		     "  sudo sysctl kernel.perf_event_paranoid=%d\n"
		     "  sudo setcap cap_perfmon,cap_sys_ptrace,cap_syslog+ep %s\n"
		     "  sudo %s ...%s",
		     e->name, tid < 0 ? "on the whole machine" : "in this process", paranoid, highest,
		     highest, program, program_name,
		     tid < 0 && paranoid == 2 ? "\nWithout: processes of your own, with -p or COMMAND"
					      : "");
}

int explain_open_failure(const struct event *e, pid_t tid, int cpu, int err)
{
	struct rlimit files;

	switch (err) {
	case EACCES:
	case EPERM: return no_right(e, tid);
	case ENOENT:
	case EOPNOTSUPP:
		return error("event %s: this machine cannot count it (a virtual machine has no "
			     "hardware counters); -e cpu-clock works everywhere",
			     e->name);
	case ESRCH:
		if (tid < 0) /* a uprobe, whose path leads through /proc */
			return error("event %s: the process that it is for is gone", e->name);
		return error("thread %d is gone", (int)tid);
	case ENODEV: return error("event %s: not on CPU %d", e->name, cpu);
	case EBUSY: return error("event %s: another program holds the counters", e->name);
	case ENOSYS: return error("this kernel has no perf_event_open");
	case EMFILE:
		getrlimit(RLIMIT_NOFILE, &files);
		return error("too many threads times CPUs times events: %ju files may be open "
			     "(ulimit -Hn); choose fewer with -t or --thread, or use -a",
			     (uintmax_t)files.rlim_max);
	default: return error("event %s: perf_event_open: %s", e->name, strerror(err));
	}
}

void limits_raise(struct limits *before)
{
	enum { AHEAD = -20 };
	struct rlimit files;

	*before = (struct limits){ .nice = getpriority(PRIO_PROCESS, 0) };
	if (before->nice <= 0) /* who asks us to be nice means it */
		setpriority(PRIO_PROCESS, 0, AHEAD);
	if (getrlimit(RLIMIT_NOFILE, &files))
		return;
	before->files = files.rlim_cur;
	files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
}

void limits_restore(const struct limits *before)
{
	struct rlimit files;

	setpriority(PRIO_PROCESS, 0, before->nice);
	if (!before->files || getrlimit(RLIMIT_NOFILE, &files))
		return;
	files.rlim_cur = before->files;
	setrlimit(RLIMIT_NOFILE, &files);
}
