#include "collect/machine/rights.h"

#include <errno.h>
#include <linux/capability.h>
#include <linux/perf_event.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "collect/machine/procfs.h"
#include "core/opts.h"
#include "core/str.h"

static const char uprobe_path[] = "/sys/bus/event_source/devices/uprobe/type";

bool have_capability(int capability)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = { 0 };

	if (syscall(SYS_capget, &header, data))
		return false;
	return data[capability / 32].effective >> capability % 32 & 1;
}

/* Open an event of this thread, and close it again.  Returns 0, or errno. */
static int try_event(struct perf_event_attr *attr)
{
	long fd = syscall(SYS_perf_event_open, attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		return errno;
	close((int)fd);
	return 0;
}

static bool is_refusal(int err)
{
	return err == EACCES || err == EPERM;
}

struct rights rights_read(void)
{
	struct perf_event_attr nothing = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(nothing),
		.config = PERF_COUNT_SW_DUMMY,
		.disabled = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	bool admin = have_capability(CAP_SYS_ADMIN);

	return (struct rights){
		.paranoid = read_sysctl("kernel/perf_event_paranoid", PARANOID_OPEN),
		.admin = admin,
		.perfmon = admin || have_capability(CAP_PERFMON),
		.bpf = admin || have_capability(CAP_BPF),
		.closed = is_refusal(try_event(&nothing)),
	};
}

bool rights_closed_by_sysctl(const struct rights *r)
{
	return r->closed && !r->admin && r->paranoid > PARANOID_OPEN;
}

bool rights_may_load(const struct rights *r)
{
	return r->bpf && r->perfmon;
}

/* A capability may not count: in a user namespace, or where a security module knows better. */
bool may_sample_kernel(void)
{
	struct perf_event_attr kernel = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(kernel),
		.config = PERF_COUNT_SW_DUMMY,
		.disabled = 1,
	};

	return !is_refusal(try_event(&kernel));
}

uint32_t uprobe_type(void)
{
	struct str text = { 0 };
	uint64_t type = 0;

	if (!read_whole(uprobe_path, &text)) {
		text.buf[strcspn(str_text(&text), "\n")] = '\0';
		parse_u64(text.buf, &type);
	}
	str_free(&text);
	return (uint32_t)type;
}

/* Try a uprobe without a file: the kernel checks rights first, and only then fails with EINVAL. */
enum uprobe_right uprobe_right(void)
{
	struct perf_event_attr attr = { .type = uprobe_type(), .size = sizeof(attr) };

	if (!attr.type)
		return UPROBE_NONE;
	return is_refusal(try_event(&attr)) ? UPROBE_FORBIDDEN : UPROBE_ALLOWED;
}

void limits_raise(struct limits *before)
{
	enum { AHEAD = -20 };
	struct rlimit files;

	*before = (struct limits){ .nice = getpriority(PRIO_PROCESS, 0) };
	if (before->nice <= 0) /* if we were started with nice, keep that priority */
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
