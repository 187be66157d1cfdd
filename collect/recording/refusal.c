#include "collect/recording/refusal.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/machine/denial.h"
#include "collect/machine/kernel_defects.h"
#include "core/error.h"

/* No value of the sysctl helps. */
#define NO_PARANOID INT64_MIN

#define CAPS_SAMPLE "cap_perfmon,cap_sys_ptrace,cap_syslog"
#define CAPS_ADMIN "cap_sys_admin,cap_sys_ptrace,cap_syslog"

/* What each wish needs: the highest kernel.perf_event_paranoid that allows it (Linux,
 * Documentation/admin-guide/sysctl/kernel.rst), or the capabilities with which the value does not matter. */
static const struct {
	int64_t paranoid;
	const char *capabilities;
} needs[] = {
	[WANT_OWN_USER] = { 2, CAPS_SAMPLE },         [WANT_OWN] = { 1, CAPS_SAMPLE },
	[WANT_MACHINE] = { 0, CAPS_SAMPLE },          [WANT_TRACEPOINTS] = { -1, CAPS_SAMPLE },
	[WANT_OTHERS] = { NO_PARANOID, CAPS_SAMPLE }, [WANT_BPF] = { NO_PARANOID, "cap_bpf," CAPS_SAMPLE },
	[WANT_UPROBES] = { NO_PARANOID, CAPS_ADMIN },
};

static const char no_uprobes[] = "this kernel has no uprobe events (CONFIG_UPROBE_EVENTS)";

/* ---- commands ---- */

/* A report also records with BPF if it has the rights. */
static const char *capabilities_for(enum wanted w)
{
	return needs[w < WANT_BPF && !strcmp(program_name, "pyrograph report") ? WANT_BPF : w].capabilities;
}

static void add_sysctl(struct str *out, int64_t paranoid)
{
	str_addf(out, "\n  sudo sysctl kernel.perf_event_paranoid=%" PRId64, paranoid);
}

/* If perf events are denied altogether, the capabilities suffice once they are allowed again. */
static void add_ways_in(struct str *out, enum wanted w, const struct rights *r, const char *program)
{
	bool have = r->perfmon && (w != WANT_BPF || r->bpf);

	if (w == WANT_OWN_USER || have)
		add_sysctl(out, PARANOID_OPEN);
	if (!have && w > WANT_OWN_USER && w < WANT_OTHERS)
		add_sysctl(out, needs[w].paranoid);
	if (!have && w > WANT_OWN_USER) {
		add_sysctl(out, PARANOID_OPEN);
		str_addf(out, " && sudo setcap %s+ep %s", capabilities_for(w), program);
	}
	str_addf(out, "\n  sudo setcap %s+ep %s", CAPS_ADMIN, program);
}

void refusal_add_ways(struct str *out, enum wanted w, const struct rights *r, const char *program, const char *again)
{
	if (rights_closed_by_sysctl(r) && w != WANT_UPROBES) {
		add_ways_in(out, w, r, program);
	} else {
		if (needs[w].paranoid < r->paranoid && needs[w].paranoid != NO_PARANOID)
			add_sysctl(out, needs[w].paranoid);
		str_addf(out, "\n  sudo setcap %s+ep %s", capabilities_for(w), program);
	}
	str_addf(out, "\n  sudo %s ...", again);
}

/* Add a word, quoted for a shell. */
static void refusal_add_word(struct str *out, const char *word, size_t len)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._+-=:,@%";
	bool is_plain = strspn(word, plain) >= len;

	if (!is_plain)
		str_addc(out, '\'');
	for (size_t i = 0; i < len; i++) {
		if (word[i] == '\'')
			str_puts(out, "'\\''");
		else
			str_addc(out, word[i]);
	}
	if (!is_plain)
		str_addc(out, '\'');
}

/* Add the program by its path: "/usr/local/bin/pyrograph collect cpu", or, if the dispatcher is not beside us,
 * ".../pyrograph-collect cpu".  sudo has a PATH of its own. */
static void add_again(struct str *out, const char *path)
{
	static const char dispatcher[] = "pyrograph";
	const char *name = strrchr(path, '/'), *verbs = program_name;
	size_t len = name ? (size_t)(name + 1 - path) + sizeof(dispatcher) - 1 : 0;
	char beside[PATH_MAX];

	if (strncmp(verbs, dispatcher, sizeof(dispatcher) - 1)) {
		str_puts(out, program_name);
		return;
	}
	verbs += sizeof(dispatcher) - 1;
	snprintf(beside, sizeof(beside), "%.*s", (int)len, path);
	if (len && len < strlen(path) && !access(beside, X_OK)) {
		refusal_add_word(out, beside, len);
	} else {
		refusal_add_word(out, path, strlen(path));
		if (!strncmp(verbs, " collect", strlen(" collect")))
			verbs += strlen(" collect");
	}
	str_puts(out, verbs);
}

static void refusal_own_path(char path[PATH_MAX])
{
	ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 1);

	if (n > 0)
		path[n] = '\0';
	else
		strcpy(path, "pyrograph-collect");
}

static int refusal_refuse(const char *why, enum wanted w, const struct rights *r)
{
	struct str program = { 0 }, again = { 0 }, ways = { 0 };
	char path[PATH_MAX];

	refusal_own_path(path);
	refusal_add_word(&program, path, strlen(path));
	add_again(&again, path);
	refusal_add_ways(&ways, w, r, program.buf, again.buf);
	error("%s.  One of:%s%s", why, ways.buf,
	      w == WANT_MACHINE && r->paranoid == PARANOID_OPEN && !r->closed
		      ? "\nWithout these: your own processes, with -p or COMMAND"
		      : "");
	str_free(&program);
	str_free(&again);
	str_free(&ways);
	return -1;
}

/* ---- reasons ---- */

/* "kernel.perf_event_paranoid is 3, ..." */
static void add_closed(struct str *out, const struct rights *r)
{
	str_addf(out,
		 "kernel.perf_event_paranoid is %" PRId64 ", and above %d this kernel reserves perf events for "
		 "CAP_SYS_ADMIN: CAP_PERFMON is not enough",
		 r->paranoid, PARANOID_OPEN);
}

static int refusal_explain(enum wanted w, const struct rights *r, struct str *why)
{
	int status = refusal_refuse(str_text(why), w, r);

	str_free(why);
	return status;
}

int explain_bpf_rights(const char *name)
{
	struct rights r = rights_read();
	struct str why = { 0 };

	if (!rights_may_load(&r))
		str_addf(&why, "collect %s loads a BPF program, which needs CAP_BPF and CAP_PERFMON", name);
	if (rights_closed_by_sysctl(&r)) {
		str_puts(&why, why.len ? "; and " : "");
		add_closed(&why, &r);
	}
	return refusal_explain(WANT_BPF, &r, &why);
}

int explain_kernel_function(const char *name, const char *function)
{
	struct rights r = rights_read();
	struct str why = { 0 };

	str_addf(&why,
		 "collect %s: this kernel lacks %s(), which came with Linux 6.2; to look for it, CAP_SYS_ADMIN is "
		 "needed",
		 name, function);
	return refusal_explain(WANT_UPROBES, &r, &why);
}

int check_uprobes(const char *name)
{
	enum uprobe_right right = uprobe_right();
	const char *defect = kernel_defect(RISK_UPROBES);
	struct rights r = rights_read();
	struct str why = { 0 };

	if (right == UPROBE_ALLOWED && defect)
		return error("collect %s sets uprobes, and %s: use a newer kernel, or --force", name, defect);
	if (right == UPROBE_ALLOWED)
		return 0;
	if (right == UPROBE_NONE)
		return error("collect %s: %s", name, no_uprobes);
	str_addf(&why, "collect %s sets uprobes, for which this kernel requires CAP_SYS_ADMIN", name);
	return refusal_explain(WANT_UPROBES, &r, &why);
}

static bool belongs_to_another(pid_t tid)
{
	char path[32];
	struct stat info;

	snprintf(path, sizeof(path), "/proc/%d", (int)tid);
	return tid > 0 && !stat(path, &info) && info.st_uid != geteuid();
}

static enum wanted wanted_for(const struct event *e, pid_t tid)
{
	if (event_is_tracepoint(e))
		return WANT_TRACEPOINTS;
	if (tid < 0)
		return WANT_MACHINE;
	return e->attr.exclude_kernel ? WANT_OWN_USER : WANT_OWN;
}

static int no_right(const struct event *e, pid_t tid)
{
	enum wanted w = wanted_for(e, tid);
	struct rights r = rights_read();
	struct str why = { 0 };

	if (rights_closed_by_sysctl(&r)) {
		str_puts(&why, "no right to any perf event: ");
		add_closed(&why, &r);
		return refusal_explain(w, &r, &why);
	}
	if (r.perfmon || r.admin || r.closed)
		return error("no right to sample %s%s: %s", e->name,
			     r.perfmon || r.admin ? ", despite CAP_PERFMON" : "", denial_reason(""));
	if (r.paranoid <= needs[w].paranoid && belongs_to_another(tid)) {
		str_addf(&why, "no right to sample %d: it is another user's process", (int)tid);
		return refusal_explain(WANT_OTHERS, &r, &why);
	}
	str_addf(&why,
		 "no right to sample %s %s: kernel.perf_event_paranoid is %" PRId64 ", it must be %" PRId64
		 " or less, or CAP_PERFMON is needed",
		 e->name, tid < 0 ? "on the whole machine" : "in this process", r.paranoid, needs[w].paranoid);
	return refusal_explain(w, &r, &why);
}

const char *refusal_limit(int err)
{
	static char text[128];
	struct rlimit limit;

	switch (err) {
	case EMFILE:
		getrlimit(RLIMIT_NOFILE, &limit);
		snprintf(text, sizeof(text), "too many open files: this process may have %ju (ulimit -Hn)",
			 (uintmax_t)limit.rlim_max);
		return text;
	case ENFILE: return "too many open files on this machine (sysctl fs.file-max)";
	case ENOMEM:
		if (getrlimit(RLIMIT_AS, &limit) || limit.rlim_cur == RLIM_INFINITY)
			return "the kernel has no memory for it";
		snprintf(text, sizeof(text), "no memory for it: this process may have %ju kB (ulimit -v)",
			 (uintmax_t)limit.rlim_cur / 1024);
		return text;
	case EAGAIN: return "the kernel cannot do it just now: try again";
	case EIO: return "an input/output error in the kernel, whose log (dmesg) may say more";
	default: return NULL;
	}
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
			return error("event %s: its process is gone", e->name);
		return error("thread %d is gone", (int)tid);
	case ENODEV: return error("event %s: not available on CPU %d", e->name, cpu);
	case EBUSY: return error("event %s: another program uses the counters", e->name);
	case ENOSYS: return error("this kernel has no perf_event_open");
	case EMFILE:
		getrlimit(RLIMIT_NOFILE, &files);
		return error("too many threads times CPUs times events: %ju files may be open "
			     "(ulimit -Hn); choose fewer with -t or --thread, or use -a",
			     (uintmax_t)files.rlim_max);
	case ENFILE:
	case ENOMEM:
	case EAGAIN:
	case EIO: return error("event %s: %s", e->name, refusal_limit(err));
	case ENOSPC:
		return error("event %s: all of the machine's breakpoints or counters of this kind are taken", e->name);
	case E2BIG: return error("event %s: this kernel is too old: it does not know such attributes", e->name);
	case EINVAL:
		return error("event %s: this kernel does not know such an event, or not with these attributes",
			     e->name);
	default: return error("event %s: perf_event_open: %s", e->name, strerror(err));
	}
}

/* ---- obstacles ---- */

const char *perf_obstacle(void)
{
	static char closed[512];
	struct rights r = rights_read();

	if (!r.closed)
		return NULL;
	if (!rights_closed_by_sysctl(&r)) {
		snprintf(closed, sizeof(closed), "no right to any perf event: %s", denial_reason(""));
		return closed;
	}
	snprintf(closed, sizeof(closed),
		 "kernel.perf_event_paranoid is %" PRId64 ": it must be %d, or you need "
		 "CAP_SYS_ADMIN, or root",
		 r.paranoid, PARANOID_OPEN);
	return closed;
}

/* Of who denies it, without what to do: recording goes on. */
const char *kernel_obstacle(void)
{
	static char text[160];
	struct rights r = rights_read();
	const char *reason = denial_reason("");

	if (r.perfmon)
		snprintf(text, sizeof(text), "%.*s", (int)strcspn(reason, ":"), reason);
	else
		snprintf(text, sizeof(text), "kernel.perf_event_paranoid is %" PRId64 ", CAP_PERFMON is missing",
			 r.paranoid);
	return text;
}

const char *uprobe_obstacle(void)
{
	enum uprobe_right right = uprobe_right();
	static char denied[512];
	struct rights r = rights_read();

	if (right == UPROBE_NONE)
		return no_uprobes;
	if (right == UPROBE_ALLOWED)
		return kernel_defect(RISK_UPROBES);
	if (!r.admin)
		return geteuid() ? "no right to set uprobes (needs CAP_SYS_ADMIN, or root)"
				 : "no right to set uprobes, although root: whoever started this container or service "
				   "must "
				   "grant CAP_SYS_ADMIN (--cap-add=sys_admin)";
	snprintf(denied, sizeof(denied), "no right to set uprobes: %s", denial_reason(""));
	return denied;
}
