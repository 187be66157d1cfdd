/* What each collector's BPF program needs from the kernel: the least version, which "collect usable --kernels" prints; and
 * the message. */
#include "collect/bpf/bpf_needs.h"

#include <bpf/btf.h>
#include <linux/bpf.h>
#include <stdio.h>
#include <string.h>

#include "core/str.h"
#include "tests/unit/check.h"

/* The last helper of each version. */
enum { V510 = 155, V511 = 162, V512 = 163, V513 = 165, V514 = 168, V515 = 175, V516 = 179, V517 = 185, V62 = 211 };

static const struct row {
	const char *name, *object;
	int before; /* the last helper of the newest version that is not enough; 0: any version is enough */
	int least;
	const char *version;
	const char *said; /* by the version before */
} rows[] = {
	{ "sched", "sched", V511, V512, "5.12", "no atomic operations that return a value: Linux 5.12 or" },
	{ "offcpu", "offcpu", V511, V512, "5.12", "no atomic operations that return a value: Linux 5.12 or" },
	{ "offcpu --watch", "offcpu_watch", 0, V510, "5.10", NULL },
	{ "wakeup", "wakeup", V511, V512, "5.12", "no atomic operations that return a value: Linux 5.12 or" },
	{ "io", "io", V511, V512, "5.12", "no atomic operations that return a value: Linux 5.12 or" },
	{ "alloc --native", "native_alloc", V511, V512, "5.12",
	  "no atomic operations that return a value: Linux 5.12 or" },
	{ "faults", "faults", V511, V512, "5.12", "no atomic operations that return a value: Linux 5.12 or" },
	{ "syscalls", "syscalls", V512, V513, "5.13", "no bpf_for_each_map_elem(): Linux 5.13 or later is needed" },
	{ "locks", "locks", V514, V515, "5.15", "no bpf_timer_start(): Linux 5.15 or later is needed" },
	{ "lanes", "lanes", V513, V514, "5.14", "no programs of BPF that user space calls: Linux 5.14 or" },
	{ "lanes", "lanes", V510, V514, "5.14", "no programs of BPF that user space calls: Linux 5.14 or" },
	{ "processes", "processes", V512, V513, "5.13", "no bpf_for_each_map_elem(): Linux 5.13 or later is needed" },
	{ "wall", "wall", V511, V512, "5.12", "no atomic operations that return a value: Linux 5.12 or" },
	{ "windows", "windows", V510, V511, "5.11", "no bpf_get_current_task_btf(): Linux 5.11 or later is needed" },
	{ "noise", "noise", V510, V511, "5.11", "no bpf_get_current_task_btf(): Linux 5.11 or later is needed" },
};

/* Features of every kernel that we try here. */
static const char *const tracepoints[] = { "sched_switch",
					   "sched_waking",
					   "sched_wakeup",
					   "sched_wakeup_new",
					   "sched_migrate_task",
					   "sched_process_fork",
					   "sched_process_exec",
					   "sched_process_exit",
					   "sched_process_free",
					   "sys_enter",
					   "sys_exit",
					   "block_rq_insert",
					   "block_rq_issue",
					   "block_rq_requeue",
					   "block_rq_merge",
					   "block_rq_complete",
					   "irq_handler_entry",
					   "irq_handler_exit",
					   "softirq_entry",
					   "softirq_exit",
					   "hrtimer_expire_entry",
					   "hrtimer_expire_exit",
					   "timer_expire_entry",
					   "timer_expire_exit",
					   "workqueue_execute_start",
					   "workqueue_execute_end" };

/* A kernel with the helpers up to this one, and with the first few of these tracepoints. */
static struct btf *kernel_with(int last, size_t count)
{
	struct btf *btf = btf__new_empty();
	char name[80];

	btf__add_enum(btf, "bpf_func_id", 4);
	for (int i = 0; i <= last; i++) {
		snprintf(name, sizeof(name), "BPF_FUNC_%d", i);
		btf__add_enum_value(btf, name, i);
	}
	for (size_t i = 0; i < count; i++) {
		snprintf(name, sizeof(name), "btf_trace_%s", tracepoints[i]);
		btf__add_typedef(btf, name, 0);
	}
	return btf;
}

static bool lacks(const struct str *object, int last, size_t count, char text[200])
{
	struct btf *kernel = kernel_with(last, count);
	bool lacks = bpf_needs_lack(object->buf, object->len, kernel, text, 200);

	btf__free(kernel);
	return lacks;
}

static void read_object(struct str *s, const char *name)
{
	char path[100], bytes[4096];
	size_t n = 1;
	FILE *f;

	snprintf(path, sizeof(path), "build/bpf/%s.o", name);
	f = fopen(path, "r");
	s->len = 0;
	while (f && n) {
		n = fread(bytes, 1, sizeof(bytes), f);
		str_add(s, bytes, n);
	}
	if (f)
		fclose(f);
}

int main(void)
{
	size_t all = sizeof(tracepoints) / sizeof(*tracepoints);
	struct str object = { 0 };
	char text[200];

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct row *r = &rows[i];

		read_object(&object, r->object);
		text[0] = '\0';
		printf("# %s\n", r->name);
		CHECK(!lacks(&object, r->least, all, text));
		CHECK_TEXT(text, "");
		CHECK_TEXT(bpf_needs_least(object.buf, object.len), r->version);
		if (r->said)
			CHECK(lacks(&object, r->before, all, text) && strstr(text, r->said));
		CHECK(lacks(&object, V62, 0, text) && strstr(text, "this kernel has no tracepoint "));
	}
	str_free(&object);
	return check_done();
}
