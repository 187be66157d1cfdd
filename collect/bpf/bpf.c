#include "collect/bpf/bpf.h"

#include "core/amount.h"
#include "core/error.h"

#ifdef NO_BPF

const char *bpf_obstacle(void)
{
	return "this build has no BPF (clang and bpftool were missing)";
}

int bpf_check(const char *name)
{
	return error("%s needs BPF, and this build has none: install clang and bpftool, then make", name);
}

const char *bpf_least_kernel(const void *elf, size_t size)
{
	(void)elf, (void)size; /* no source has an object */
	return BPF_LEAST_KERNEL;
}

#else

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/capability.h>
#include <linux/membarrier.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "collect/bpf/bpf_memory.h"
#include "collect/bpf/bpf_needs.h"
#include "collect/bpf/bpf_verifier.h"
#include "collect/machine/cgroup.h"
#include "collect/machine/denial.h"
#include "collect/machine/free_memory.h"
#include "collect/machine/procfs.h"
#include "collect/recording/refusal.h"
#include "core/memory.h"

/* A version 1 group that has no limit shows a very large one. */
#define MEMORY_UNLIMITED (UINT64_MAX >> 2)

static const char btf_path[] = "/sys/kernel/btf/vmlinux";

/* The first message of libbpf or the kernel's verifier, which gives the reason; later ones are consequences. */
static char complaint[512];

/* What the verifier says about a program that it cannot check; empty if there is none. */
static char too_complex[128];

/* The verifier knows no helper that reads kernel memory, bpf_probe_read_kernel() or, in which libbpf then puts its hope,
 * bpf_probe_read().  All kernels that run our programs have them, so this one denies it (bpf_base_func_proto() in
 * kernel/bpf/helpers.c, security/lockdown/lockdown.c). */
static bool may_not_read;

static void bpf_keep_line(const char *line)
{
	size_t len = 0;
	const char *said = verifier_too_complex(line, &len);

	if (said && !too_complex[0])
		snprintf(too_complex, sizeof(too_complex), "%.*s", (int)len, said);
	if (strstr(line, "unknown func bpf_probe_read") || strstr(line, "cannot use helper bpf_probe_read"))
		may_not_read = true;
	/* This message is no error: libbpf's next attempt works. */
	if (!strstr(line, "Retrying without BTF") && !complaint[0])
		snprintf(complaint, sizeof(complaint), "%s", line);
}

/* One message may be the whole log of the verifier. */
static int keep_complaint(enum libbpf_print_level level, const char *format, va_list args)
{
	va_list again;
	char *line;
	int size;

	if (level != LIBBPF_WARN)
		return 0;
	va_copy(again, args);
	size = vsnprintf(NULL, 0, format, again) + 1;
	va_end(again);
	line = xmalloc((size_t)size);
	vsnprintf(line, (size_t)size, format, args);
	if (getenv("PYROGRAPH_BPF_LOG"))
		fputs(line, stderr);
	bpf_keep_line(line);
	free(line);
	return 0;
}

/* Root of a container has only what the engine grants. */
static const char *bpf_rights_obstacle(void)
{
	return geteuid()
		       ? "no right to load BPF programs (needs CAP_BPF and CAP_PERFMON, or root)"
		       : "no right to load BPF programs, although root: whoever started this container or service must "
			 "grant CAP_BPF and CAP_PERFMON (--cap-add=bpf,perfmon)";
}

/* Why the kernel's types cannot be read; NULL if they can. */
static const char *bpf_types_obstacle(void)
{
	if (!access(btf_path, R_OK))
		return NULL;
	if (errno == ENOENT && access("/sys/kernel", F_OK))
		return "/sys is not mounted, which has the kernel's types: mount -t sysfs sysfs /sys";
	if (errno == ENOENT)
		return "this kernel does not describe its types: use one that is built with CONFIG_DEBUG_INFO_BTF; "
		       "files "
		       "with types do not help, since the programs refer to those in the kernel";
	return "/sys/kernel/btf/vmlinux, which describes the kernel's types, may not be read";
}

const char *bpf_obstacle(void)
{
	struct rights r = rights_read();
	static char denied[512];
	int map;

	if (!rights_may_load(&r))
		return bpf_rights_obstacle();
	if (bpf_types_obstacle())
		return bpf_types_obstacle();
	libbpf_set_print(keep_complaint);
	map = bpf_map_create(BPF_MAP_TYPE_ARRAY, NULL, sizeof(uint32_t), sizeof(uint32_t), 1, NULL);
	if (map >= 0)
		close(map);
	if (map < 0 || denial_of_kernel_memory("")) {
		snprintf(denied, sizeof(denied), "no right to BPF: %s", denial_reason(""));
		return denied;
	}
	return perf_obstacle(); /* its recording needs the side-band events */
}

struct btf *bpf_kernel_types(void)
{
	static struct btf *types;

	if (!types)
		types = btf__load_vmlinux_btf();
	return types;
}

/* The feature that the object needs and the kernel lacks; NULL: none.  The texts stay valid, so that callers can
 * compare them later. */
static const char *object_lacks(bpf_elf_bytes *bytes)
{
	enum { TEXTS_MAX = 32 };
	static char texts[TEXTS_MAX][160];
	struct btf *kernel = bpf_kernel_types();
	char text[sizeof(texts[0])];
	size_t size = 0;
	const void *elf = bytes(&size);
	int i = 0;

	if (!kernel || !bpf_needs_lack(elf, size, kernel, text, sizeof(text)))
		return NULL;
	while (i < TEXTS_MAX - 1 && texts[i][0] && strcmp(texts[i], text))
		i++;
	memcpy(texts[i], text, sizeof(text));
	return texts[i];
}

enum { FIRST_PID_NAMESPACE = 0xEFFFFFFC }; /* linux/include/linux/proc_ns.h: PROC_PID_INIT_INO */

/* Programs see the numbers of the initial namespace, /proc shows those of ours. */
static const char *bpf_numbers_obstacle(void)
{
	struct stat ns;

	return stat("/proc/self/ns/pid", &ns) || ns.st_ino == FIRST_PID_NAMESPACE
		       ? NULL
		       : "in a PID namespace of its own, such as a container's, threads have other numbers than in the "
			 "kernel: start the container with --pid=host (hostPID: true)";
}

const char *bpf_object_obstacle(bpf_elf_bytes *bytes)
{
	const char *obstacle = bpf_obstacle();

	obstacle = obstacle ? obstacle : bpf_numbers_obstacle();
	return obstacle ? obstacle : object_lacks(bytes);
}

const char *bpf_least_kernel(const void *elf, size_t size)
{
	return elf ? bpf_needs_least(elf, size) : BPF_LEAST_KERNEL;
}

bool bpf_has_function(const char *function)
{
	struct btf *btf = bpf_kernel_types();

	return btf && btf__find_by_name_kind(btf, function, BTF_KIND_FUNC) > 0;
}

/* typedef void (*btf_trace_NAME)(...) */
bool bpf_has_tracepoint(const struct btf *kernel, const char *tracepoint)
{
	char type[128];

	snprintf(type, sizeof(type), "btf_trace_%s", tracepoint);
	return btf__find_by_name_kind(kernel, type, BTF_KIND_TYPEDEF) > 0;
}

static bool may_call(const char *function)
{
	return have_capability(CAP_SYS_ADMIN) || bpf_has_function(function);
}

const char *bpf_function_obstacle(const char *function, bpf_elf_bytes *bytes)
{
	const char *obstacle = bpf_object_obstacle(bytes);

	return obstacle || may_call(function) ? obstacle : "before Linux 6.2 that needs CAP_SYS_ADMIN, or root";
}

int bpf_function_check(const char *name, const char *function)
{
	return may_call(function) ? 0 : explain_kernel_function(name, function);
}

int bpf_check(const char *name)
{
	struct rights r = rights_read();

	libbpf_set_print(keep_complaint);
	if (!rights_may_load(&r))
		return explain_bpf_rights(name);
	if (bpf_types_obstacle())
		return error("%s: %s", name, bpf_types_obstacle());
	if (denial_of_kernel_memory(""))
		return error("%s: no right to load a BPF program: %s", name, denial_of_kernel_memory(""));
	return 0;
}

int bpf_check_object(const char *name, bpf_elf_bytes *bytes)
{
	const char *lacks = bpf_check(name) ? "" : bpf_numbers_obstacle();

	lacks = lacks ? lacks : object_lacks(bytes);
	return !lacks ? 0 : *lacks ? error("%s: %s", name, lacks) : -1;
}

void bpf_forget_complaint(void)
{
	complaint[0] = too_complex[0] = '\0';
	may_not_read = false;
}

/* Is the limit of open files too low for programs and maps?  libbpf reports this as another error. */
static bool is_short_of_files(int err)
{
	enum { NEEDED = 64 };
	struct rlimit files;

	return (err == EINVAL || err == ESRCH || err == ENOENT) && !getrlimit(RLIMIT_NOFILE, &files) &&
	       files.rlim_max < NEEDED;
}

/* If this much address space is left, ulimit -v was not the cause of libbpf's failure. */
enum { SPACE_ENOUGH = 64 << 20 };

/* The size of this process's address space in bytes; 0 without /proc. */
static uint64_t bpf_address_space(void)
{
	FILE *file = fopen("/proc/self/statm", "re");
	unsigned long long pages = 0;

	if (!file)
		return 0;
	if (fscanf(file, "%llu", &pages) != 1)
		pages = 0;
	fclose(file);
	return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

bool bpf_is_short_of_memory(int err)
{
	struct rlimit space;

	if ((err != ESRCH && err != ENOMEM) || getrlimit(RLIMIT_AS, &space) || space.rlim_cur == RLIM_INFINITY)
		return false;
	return err == ESRCH || space.rlim_cur < bpf_address_space() + SPACE_ENOUGH;
}

int bpf_failure(const char *name, const char *what, int err)
{
	size_t len = strcspn(complaint, "\n");

	if (is_short_of_files(err)) /* libbpf hides EPERM behind other errors, as its retries fail for the same
				     * reason */
		err = EMFILE;
	if (bpf_is_short_of_memory(err))
		err = ENOMEM;
	if (refusal_limit(err))
		return error("%s: cannot %s: %s", name, what, refusal_limit(err));
	if (err == E2BIG)
		return error(
			"%s: cannot %s: this kernel is too old for it, or allows no program or map of that size%s%.*s",
			name, what, len ? ": " : "", (int)len, complaint);
	if (err == EPERM)
		return error("%s: no right to %s, despite the capabilities: %s", name, what, denial_reason(""));
	return error("%s: cannot %s: %s%s%.*s", name, what, strerror(err), len ? ": " : "", (int)len, complaint);
}

static int maps_too_large(const char *name, struct bpf_object *object, const char *option)
{
	uint64_t limit = cgroup_memory_limit("/proc/self/cgroup", "/sys/fs/cgroup");
	struct amount_text wanted = size_text(bpf_memory_wanted(object));
	const char *ways = option ? ", or lower " : "";

	option = option ? option : "";
	if (limit > MEMORY_UNLIMITED)
		return error("%s: its maps need %s of kernel memory, more than is free: free some%s%s", name,
			     wanted.text, ways, option);
	return error("%s: its maps need %s of kernel memory, more than this control group has left of the "
		     "%s that it allows: raise its limit%s%s",
		     name, wanted.text, size_text(limit).text, ways, option);
}

int bpf_load_failure(const char *name, struct bpf_object *object, int err, const char *option)
{
	if (too_complex[0])
		return error("%s: this kernel's verifier gives its program up: %s: that is a bug, please report it "
			     "with what "
			     "PYROGRAPH_BPF_LOG=1 in the environment prints",
			     name, too_complex);
	if (may_not_read)
		return error(
			"%s: no right to load its program: the kernel denies it to read kernel memory, as lockdown at "
			"confidentiality does: boot with lockdown=integrity, which allows it",
			name);
	if (err == ENOMEM && !bpf_is_short_of_memory(err))
		return maps_too_large(name, object, option);
	return bpf_failure(name, "load its program", err);
}

uint32_t bpf_tid_limit(void)
{
	return (uint32_t)read_sysctl("kernel/pid_max", 1 << 22) + 1;
}

/* The id of a control group in the kernel is the inode of its directory. */
static int find_cgroup(const char *name, struct target_rules *rules)
{
	struct cgroup_found found = { 0 };
	struct stat info;
	int status = cgroup_find(name, &found);

	if (!status && stat(found.path.buf, &info))
		status = error("--cgroup %s: %s", name, strerror(errno));
	if (!status) {
		rules->cgroup = info.st_ino;
		rules->hierarchy = found.hierarchy;
	}
	cgroup_found_free(&found);
	return status;
}

static const struct bpf_map *target_threads;

/* The maps of targets of all programs. */
enum { FILLED_MOST = 32 };
static int filled[FILLED_MOST];
static size_t filled_count;

int bpf_targets_prepare(struct bpf_object *object, struct target_rules *rules, const struct targets *targets,
			const char *cgroup, bool inherit)
{
	struct bpf_program *fork = bpf_object__find_program_by_name(object, "target_fork");
	struct bpf_map *threads = bpf_object__find_map_by_name(object, "target_threads");
	struct bpf_map *groups = bpf_object__find_map_by_name(object, "target_groups");

	if (cgroup && find_cgroup(cgroup, rules))
		return -1;
	rules->everybody = !targets && !cgroup;
	rules->inherit = inherit;
	bpf_program__set_autoload(fork, !rules->everybody);
	bpf_map__set_max_entries(threads, bpf_tid_limit());
	if (cgroup)
		bpf_map__set_max_entries(groups, bpf_tid_limit());
	if (!rules->everybody)
		target_threads = threads;
	return 0;
}

bool bpf_is_target(uint32_t tid)
{
	struct target_thread thread = { 0 };

	return target_threads && !bpf_map_lookup_elem(bpf_map__fd(target_threads), &tid, &thread) &&
	       thread.decision == TARGET_YES;
}

static int bpf_decide(int map, uint32_t tid, enum target_decision decision)
{
	struct target_thread thread;

	if (bpf_map_lookup_elem(map, &tid, &thread))
		return 0;                /* kernel.pid_max was raised meanwhile, so the thread id is too large for the
					  * map */
	if (thread.decision == decision) /* the program may be changing the rest */
		return 0;
	thread.decision = (uint16_t)decision;
	if (bpf_map_update_elem(map, &tid, &thread, BPF_ANY))
		return error("BPF map of targets: %s", strerror(errno));
	return 0;
}

static int bpf_fill(int map, const struct targets *targets)
{
	for (size_t i = 0; i < targets->count; i++) {
		if (bpf_decide(map, (uint32_t)targets->list[i].tid, TARGET_YES))
			return -1;
	}
	return 0;
}

/* Threads that targets start from now on are targets, too.  Threads that they started earlier, after the search for
 * targets, are found by another search. */
int bpf_targets_fill(struct bpf_object *object, const struct targets *targets)
{
	int map = bpf_object__find_map_fd_by_name(object, "target_threads"), status;
	struct targets now = { 0 };

	if (!targets || bpf_fill(map, targets))
		return targets ? -1 : 0;
	if (filled_count < FILLED_MOST)
		filled[filled_count++] = map;
	if (!targets->of)
		return 0;
	targets_find(&now, targets->of, false);
	status = bpf_fill(map, &now);
	targets_free(&now);
	return status;
}

int bpf_targets_add(const struct targets *targets)
{
	for (size_t i = 0; i < filled_count; i++) {
		if (bpf_fill(filled[i], targets))
			return -1;
	}
	return 0;
}

int bpf_targets_await_exec(struct bpf_object *object, int tid)
{
	return bpf_decide(bpf_object__find_map_fd_by_name(object, "target_threads"), (uint32_t)tid, TARGET_AT_EXEC);
}

int bpf_attached(const char *name, struct bpf_object *object, int err, const struct targets *targets, int command)
{
	if (err)
		return bpf_failure(name, "attach its program", -err);
	return command ? bpf_targets_await_exec(object, command) : bpf_targets_fill(object, targets);
}

void *bpf_map_memory(const char *name, struct bpf_map *map, size_t value_size, size_t *size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t bytes = bpf_map__max_entries(map) * ((value_size + 7) / 8 * 8);
	void *memory;

	bytes = (bytes + page - 1) / page * page;
	memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, bpf_map__fd(map), 0);
	if (size)
		*size = bytes;
	if (memory != MAP_FAILED)
		return memory;
	bpf_failure(name, "map its memory", errno);
	return NULL;
}

void bpf_set_cpus(uint64_t *mask, unsigned limit, const struct cpus *cpus)
{
	for (size_t i = 0; i < cpus->count; i++) {
		unsigned cpu = (unsigned)cpus->list[i];

		if (cpu < limit)
			mask[cpu / 64] |= 1ull << cpu % 64;
	}
}

/* libbpf cannot probe whether tracing programs have this helper; kprobes have had it since the same version. */
bool bpf_has_registers(void)
{
	return libbpf_probe_bpf_helper(BPF_PROG_TYPE_KPROBE, BPF_FUNC_task_pt_regs, NULL) == 1;
}

/* With PYROGRAPH_BPF_OLD, as before Linux 5.17; for tests. */
static bool bpf_has_helper_of_5_17(enum bpf_func_id helper)
{
	return !getenv("PYROGRAPH_BPF_OLD") && libbpf_probe_bpf_helper(BPF_PROG_TYPE_KPROBE, helper, NULL) == 1;
}

bool bpf_has_find_vma(void)
{
	return bpf_has_helper_of_5_17(BPF_FUNC_find_vma);
}

void bpf_choose_loop(struct bpf_object *object, volatile uint32_t *have)
{
	static const char suffix[] = "_step_table";
	struct bpf_map *map;

	*have = bpf_has_helper_of_5_17(BPF_FUNC_loop);
	bpf_object__for_each_map(map, object) {
		const char *name = bpf_map__name(map);
		size_t len = strlen(name);

		if (*have && len > strlen(suffix) && !strcmp(name + len - strlen(suffix), suffix))
			bpf_map__set_autocreate(map, false);
	}
}

int bpf_iterate(const char *name, struct bpf_program *iterator, const char *what)
{
	struct bpf_link *link = bpf_program__attach_iter(iterator, NULL);
	int fd = link ? bpf_iter_create(bpf_link__fd(link)) : -1, err = fd < 0 ? errno : 0;
	char buffer[4096];
	ssize_t n;

	do {
		n = fd < 0 ? 0 : read(fd, buffer, sizeof(buffer));
		err = n < 0 ? errno : err;
	} while (n > 0 || (n < 0 && (err == EAGAIN || err == EINTR)));
	if (fd >= 0)
		close(fd);
	bpf_link__destroy(link);
	return n < 0 || fd < 0 ? bpf_failure(name, what, err) : 0;
}

static struct bpf_link *attach_to_thread(struct bpf_program *iterator, uint32_t tid)
{
	union bpf_iter_link_info info = { .task = { .tid = tid } };
	LIBBPF_OPTS(bpf_iter_attach_opts, options, .link_info = &info, .link_info_len = sizeof(info));
	struct bpf_link *link = bpf_program__attach_iter(iterator, &options);

	/* The thread has ended, or the kernel cannot restrict the iterator to one thread. */
	return link || errno == ESRCH ? link : bpf_program__attach_iter(iterator, NULL);
}

bool bpf_iterate_thread(struct bpf_program *iterator, uint32_t tid, void *out, size_t size)
{
	struct bpf_link *link = attach_to_thread(iterator, tid);
	int fd = link ? bpf_iter_create(bpf_link__fd(link)) : -1;
	size_t done = 0;
	ssize_t n = 0;

	do {
		n = fd < 0 ? 0 : read(fd, (char *)out + done, size - done);
		done += n > 0 ? (size_t)n : 0;
	} while ((n > 0 && done < size) || (n < 0 && (errno == EAGAIN || errno == EINTR)));
	if (fd >= 0)
		close(fd);
	bpf_link__destroy(link);
	return done == size;
}

/* Replaces a map in a map of maps, which also waits for all programs. */
static void replace_inner_map(void)
{
	LIBBPF_OPTS(bpf_map_create_opts, options);
	uint32_t zero = 0;
	int inner = bpf_map_create(BPF_MAP_TYPE_ARRAY, "inner", 4, 4, 1, NULL);
	int outer;

	options.inner_map_fd = (uint32_t)inner;
	outer = bpf_map_create(BPF_MAP_TYPE_ARRAY_OF_MAPS, "outer", 4, 4, 1, &options);
	bpf_map_update_elem(outer, &zero, &inner, BPF_ANY);
	close(outer);
	close(inner);
}

/* membarrier(2) waits for a grace period of RCU, by whose end all programs have ended; a kernel with nohz_full CPUs
 * refuses the call. */
void bpf_wait_for_programs(void)
{
	if (syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0))
		replace_inner_map();
}

bool bpf_cost_enable(void)
{
	/* Measuring goes on until the file descriptor is closed, which is when we exit. */
	if (bpf_enable_stats(BPF_STATS_RUN_TIME) >= 0)
		return true;
	warn("cannot measure the cost of BPF programs: %s (needs CAP_SYS_ADMIN)", strerror(errno));
	return false;
}

/* Add up what the kernel says about the programs of an object. */
static struct bpf_prog_info sum_of_programs(const struct bpf_object *object)
{
	struct bpf_prog_info sum = { 0 };
	struct bpf_program *program;

	bpf_object__for_each_program(program, object)
	{
		struct bpf_prog_info info = { 0 };
		uint32_t size = sizeof(info);
		int fd = bpf_program__fd(program);

		if (fd < 0 || bpf_obj_get_info_by_fd(fd, &info, &size))
			continue;
		sum.run_cnt += info.run_cnt;
		sum.run_time_ns += info.run_time_ns;
		sum.recursion_misses += info.recursion_misses;
	}
	return sum;
}

struct bpf_cost bpf_cost(struct bpf_object *object)
{
	struct bpf_prog_info sum = sum_of_programs(object);

	return (struct bpf_cost){ sum.run_cnt, sum.run_time_ns };
}

uint64_t bpf_missed(const struct bpf_object *object)
{
	return sum_of_programs(object).recursion_misses;
}

#endif
