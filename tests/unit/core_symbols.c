/* Symbols: address spaces over time, places, choosing among symbols, names. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/format/chain.h"
#include "core/symbols/elf/elf.h"
#include "core/symbols/jit/jit_open.h"
#include "core/symbols/jit/perfmap.h"
#include "core/symbols/kallsyms.h"
#include "core/symbols/names/interrupts.h"
#include "core/symbols/space/chooser.h"
#include "core/symbols/space/runtime.h"
#include "core/symbols/space/spaces.h"
#include "core/symbols/starts.h"
#include "tests/unit/check.h"

/* The module at an address, or -1. */
static int module_at(struct spaces *s, int pid, uint64_t address, uint64_t time_ns)
{
	const struct mapping *m = space_lookup(spaces_find(s, pid, time_ns), address, time_ns);

	return m ? (int)m->module : -1;
}

static void test_spaces(void)
{
	struct spaces s = { 0 };

	spaces_map(&s, 1, 10, 0x1000, 0x1000, 0, 1);
	spaces_map(&s, 1, 10, 0x3000, 0x1000, 0x500, 2);
	spaces_fork(&s, 2, 1, 20);
	spaces_map(&s, 1, 30, 0x5000, 0x1000, 0, 3); /* after the fork: the parent's only */
	spaces_map(&s, 2, 30, 0x7000, 0x1000, 0, 4);
	spaces_exec(&s, 2, 40);
	spaces_map(&s, 2, 41, 0x1000, 0x1000, 0, 5);
	CHECK(module_at(&s, 1, 0xfff, 50) == -1);
	CHECK(module_at(&s, 1, 0x1000, 50) == 1);
	CHECK(module_at(&s, 1, 0x1fff, 50) == 1);
	CHECK(module_at(&s, 1, 0x2000, 50) == -1);
	CHECK(module_at(&s, 2, 0x1000, 35) == 1);
	CHECK(module_at(&s, 2, 0x7000, 35) == 4);
	CHECK(module_at(&s, 2, 0x1000, 45) == 5);
	CHECK(module_at(&s, 2, 0x3000, 45) == 2); /* the image before, see spaces_exec() */
	CHECK(module_at(&s, 99, 0x1000, 50) == -1);
	spaces_free(&s);
}

/* A library that is closed, and another one mapped over its place. */
static void test_replaced_mapping(void)
{
	struct spaces s = { 0 };
	struct space *space;

	spaces_map(&s, 1, 10, 0x1000, 0x4000, 0, 1);
	spaces_map(&s, 1, 20, 0x2000, 0x1000, 0, 2);
	spaces_map(&s, 1, 30, 0x9000, 0x1000, 0, 3);
	CHECK(module_at(&s, 1, 0x2800, 15) == 1);
	CHECK(module_at(&s, 1, 0x2800, 25) == 2);
	CHECK(module_at(&s, 1, 0x3800, 25) == 1);
	space = spaces_find(&s, 1, 0);
	CHECK(space_context(&s, space, 15) != space_context(&s, space, 25));
	CHECK(space_context(&s, space, 25) == space_context(&s, space, 35));
	spaces_free(&s);
}

/* A process that is its own parent, and a ring of parents, must not hang. */
static uint64_t made_up(uint64_t *state, uint64_t below)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (*state >> 33) % below;
}

/* The newest mapping of the address that existed at a time. */
static uint32_t right_module(const struct mapping *all, size_t count, uint64_t address, uint64_t time_ns)
{
	uint32_t module = UINT32_MAX;

	for (size_t i = 0; i < count && all[i].from_ns <= time_ns; i++) {
		if (all[i].start <= address && address < all[i].end)
			module = all[i].module;
	}
	return module;
}

/* So many mappings overlap that they are not searched one by one; and as many programs of one process. */
static void test_many_overlaps(void)
{
	enum { COUNT = 3000, LOOKS = 20000 };
	static struct mapping all[COUNT];
	struct spaces s = { 0 };
	uint64_t state = 7, wrong = 0;

	for (uint32_t i = 0; i < COUNT; i++) {
		struct mapping *m = &all[i];

		*m = (struct mapping){ .start = 0x1000 + made_up(&state, 500), .from_ns = 10 + i, .module = i };
		m->end = m->start + 1 + made_up(&state, i % 10 ? 50 : 500);
		spaces_map(&s, 1, m->from_ns, m->start, m->end - m->start, 0, i);
	}
	for (size_t i = 0; i < LOOKS; i++) {
		uint64_t address = 0xff0 + made_up(&state, 1100), time_ns = made_up(&state, COUNT + 20);
		const struct mapping *m = space_lookup(spaces_find(&s, 1, time_ns), address, time_ns);

		wrong += (m ? m->module : UINT32_MAX) != right_module(all, COUNT, address, time_ns);
	}
	CHECK(s.all[0]->mappings.overlaps && !wrong);
	for (uint64_t i = 0; i < COUNT; i++)
		spaces_exec(&s, 2, 100 + 10 * i);
	for (uint64_t i = 0; i < COUNT; i++)
		wrong += spaces_find(&s, 2, 105 + 10 * i)->from_ns != 100 + 10 * i;
	CHECK(!wrong && spaces_find(&s, 2, 99)->from_ns == 0);
	spaces_free(&s);
}

static void test_hostile_forks(void)
{
	struct spaces s = { 0 };

	for (int i = 0; i < 1000; i++)
		spaces_fork(&s, i % 7, (i + 1) % 7, (uint64_t)(i / 3));
	CHECK(module_at(&s, 3, 0x1000, 500) == -1);
	spaces_free(&s);
}

static void test_chooser(void)
{
	struct place wanted[] = { { .address = 0x100 },
				  { .address = 0x108 },
				  { .address = 0x110 },
				  { .address = 0x150 },
				  { .address = 0x200 } };
	static const struct symbol symbols[] = {
		{ .start = 0x200, .size = 8, .name = "__alias" },
		{ .start = 0x200, .size = 8, .name = "name" },
		{ .start = 0x200, .size = 8, .name = "weak_but_longer", .weak = true },
		{ .start = 0x100, .size = 0x10, .name = "outer" },
		{ .start = 0x108, .size = 2, .name = "inner" },
		{ .start = 0x140, .name = "label" },
		{ .start = 0x300, .size = 8, .name = "behind" },
	};
	struct arena names = { 0 };
	struct chooser chooser;

	chooser_init(&chooser, wanted, 5);
	for (size_t i = 0; i < sizeof(symbols) / sizeof(*symbols); i++)
		chooser_offer(&chooser, &symbols[i]);
	chooser_finish(&chooser, &names);
	CHECK_TEXT(wanted[0].name, "outer");
	CHECK_TEXT(wanted[1].name, "inner");
	CHECK(!wanted[2].name);
	CHECK_TEXT(wanted[3].name, "label");
	CHECK_TEXT(wanted[4].name, "name");
	arena_free(&names);
}

static void test_kallsyms(void)
{
	static char text[] = "ffffffff81000000 T _text\nffffffff81000000 T _stext\n"
			     "ffffffff81000100 t helper\t[ext4]\nffffffff81000200 D data\n"
			     "ffffffff81000300 T __ia32_sys_x\nffffffff81000300 T __x64_sys_x\n"
			     "ffffffffc0201000 t bpf_prog_5f82ba5c82343e03_target_fork\t[bpf]\n";
	struct kallsyms k = { .text = text, .len = sizeof(text) - 1 };
	struct place wanted[] = { { .address = 0xffffffff810000ff },
				  { .address = 0xffffffff81000100 },
				  { .address = 0xffffffff81000250 },
				  { .address = 0xffffffff81000300 },
				  { .address = 0xffffffffc0201010 } };
	struct kallsyms hidden = { .text = "0000000000000000 T _text\n0000000000000000 t x\n" };
	struct arena names = { 0 };

	kallsyms_resolve(&k, wanted, 5, &names);
	CHECK_TEXT(wanted[0].name, "_stext");
	CHECK_TEXT(wanted[1].name, "helper");
	CHECK(!wanted[2].name);
	CHECK_TEXT(wanted[3].name, "__x64_sys_x");
	CHECK_TEXT(wanted[4].name, "bpf_prog_5f82ba5c82343e03_target_fork");
	CHECK(kallsyms_visible(&k) && !kallsyms_visible(&hidden));
	arena_free(&names);
}

static void test_perfmap(void)
{
	static const char map[] = "7f00 10 first\n0x7f08 8 second: with blanks\nnonsense\n7f20 zz x\n"
				  "ffffffffffffffff 5 wraps\n7f30 4 cut of";
	struct place wanted[] = { { .address = 0x7f00 }, { .address = 0x7f0f }, { .address = 0x7f30 } };
	char path[] = "/tmp/perfmap.XXXXXX";
	struct arena names = { 0 };
	int fd = mkstemp(path);
	struct jit_code code = { 0 };
	struct perfmap state = { 0 };

	unlink(path);
	CHECK(write(fd, map, sizeof(map) - 1) == (ssize_t)sizeof(map) - 1);
	lseek(fd, 0, SEEK_SET);
	perfmap_read(&state, fd, 1, &(struct patience){ 0 }, &code);
	CHECK(code.bad == 3);
	jit_code_name(&code, wanted, 3, &names);
	CHECK_TEXT(wanted[0].name, "first");
	CHECK_TEXT(wanted[1].name, "second: with blanks");
	CHECK(!wanted[2].name); /* the line was being written */
	close(fd);
	arena_free(&names);
	jit_code_free(&code);
}

static void test_perfmap_is_not_followed(void)
{
	char path[64];
	const char *why = "";
	int fd;

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
	unlink(path); /* a mapping of an earlier process with our pid */
	CHECK(symlink("/etc/passwd", path) == 0);
	CHECK(jit_open((int)getpid(), NULL, 0, &why) == -1);
	CHECK_TEXT(why, "is a symbolic link");
	unlink(path);
	fd = open(path, O_CREAT | O_WRONLY, 0600);
	close(fd);
	fd = jit_open((int)getpid(), NULL, 0, &why);
	CHECK(fd >= 0);
	close(fd);
	if (geteuid() == 0) {
		CHECK(chown(path, 12345, 0) == 0);
		CHECK(jit_open((int)getpid(), NULL, 0, &why) == -1);
		CHECK_TEXT(why, "belongs to another user");
	}
	unlink(path);
}

static uint64_t monotonic(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* A number of a process comes again. */
static void test_perfmap_of_a_process_before(void)
{
	struct timespec times[2] = { { .tv_nsec = UTIME_OMIT }, { .tv_sec = time(NULL) - 86400 } };
	const char *why;
	siginfo_t info;
	char path[64];
	int gone, fd;

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
	fd = open(path, O_CREAT | O_WRONLY, 0600);
	CHECK(futimens(fd, times) == 0);
	close(fd);
	CHECK(jit_open((int)getpid(), NULL, 0, &why) == -1);
	CHECK_TEXT(why, "is older than the process");
	CHECK(jit_open((int)getpid(), path, 0, &why) == -1);
	CHECK_TEXT(why, "is older than the process");
	unlink(path);

	gone = fork();
	if (!gone)
		_exit(0);
	CHECK(waitid(P_PID, (id_t)gone, &info, WEXITED | WNOWAIT) == 0);
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", gone);
	unlink(path); /* a mapping of an earlier process with this pid */
	fd = open(path, O_CREAT | O_WRONLY, 0600);
	close(fd);
	fd = jit_open(gone, path, 0, &why); /* not waited for: it has no root */
	CHECK(fd >= 0);
	close(fd);
	CHECK(!jit_maker_lives(gone) && jit_maker_lives((int)getpid()));
	CHECK(waitpid(gone, NULL, 0) == gone);
	fd = jit_open(gone, NULL, 1, &why);
	CHECK(fd >= 0);
	CHECK(futimens(fd, times) == 0);
	close(fd);
	fd = jit_open(gone, NULL, 0, &why); /* nobody knows when it began */
	CHECK(fd >= 0);
	close(fd);
	CHECK(jit_open(gone, NULL, monotonic(), &why) == -1);
	CHECK_TEXT(why, "is older than the process");
	unlink(path);
}

static void test_chain(void)
{
	const uint64_t entries[] = { (uint64_t)PERF_CONTEXT_KERNEL,
				     0xffffffff81000010,
				     0xffffffff81000020,
				     (uint64_t)PERF_CONTEXT_USER,
				     0x100,
				     0x200 };
	const uint64_t wanted[] = { 0xffffffff81000010, 0xffffffff8100001f, 0x100, 0x1ff };
	struct chain chain = chain_of(entries, 6, false);
	uint64_t address;

	for (int i = 0; i < 4; i++) {
		CHECK(chain_next(&chain, &address) && address == wanted[i]);
		CHECK(chain.kernel == (i < 2));
	}
	CHECK(!chain_next(&chain, &address));
	CHECK(!chain_hop(&chain, &address));
}

/* There are no labels if they were not asked for, or if they make no sense. */
static void test_labels(void)
{
	const uint64_t waker = UINT64_C(0x4c03000007000008);
	const uint64_t entries[] = { (uint64_t)PERF_CONTEXT_KERNEL,
				     0xffffffff81000010,
				     UINT64_C(0x4c01000000000006),
				     waker,
				     (uint64_t)PERF_CONTEXT_USER,
				     0x100,
				     UINT64_C(0x4cff000000000001),
				     UINT64_C(0x4c03ffffffffffff),
				     waker };
	struct chain chain = chain_of(entries, 9, false);
	uint64_t address;
	int seen = 0;

	while (chain_next(&chain, &address))
		seen++;
	CHECK(seen == 7 && !chain_hop(&chain, &address));
	chain = chain_of(entries, 9, false);
	chain.labelled = true;
	CHECK(chain_next(&chain, &address) && chain.kernel);
	CHECK(!chain_next(&chain, &address));
	CHECK(chain_hop(&chain, &address) && chain_waker_pid(address) == 7 && chain_waker_tid(address) == 8);
	CHECK(chain_next(&chain, &address) && address == 0x100 && !chain.kernel);
	CHECK(chain_next(&chain, &address) && address == UINT64_C(0x4cff000000000000));
	CHECK(chain_next(&chain, &address));
	CHECK(!chain_next(&chain, &address));
	CHECK(chain_hop(&chain, &address) && !chain_next(&chain, &address) && !chain_hop(&chain, &address));
}

/* Names in this program, by the offsets of functions in its file. */
static void test_own_elf(void)
{
	struct modules modules = { 0 };
	struct place wanted = { .address = 0 };
	struct arena names = { 0 };
	char path[4096];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);
	extern char __executable_start;

	path[n > 0 ? n : 0] = '\0';
	wanted.address = (uint64_t)((char *)check_done - &__executable_start);
	modules_init(&modules);
	modules_add(&modules, MODULE_ELF, path, "-", (int)getpid());
	CHECK(elf_resolve(&modules.items[1], &wanted, 1, &names) == 0);
	CHECK_TEXT(wanted.name ? wanted.name : "", "check_done");
	modules_add(&modules, MODULE_ELF, path, "0123456789abcdef", (int)getpid());
	CHECK(elf_resolve(&modules.items[2], &wanted, 1, &names) == -1);
	CHECK(wanted.why == WHY_OTHER_BUILD);
	arena_free(&names);
	modules_free(&modules);
}

static void test_starts(void)
{
	static struct module app = { .kind = MODULE_ELF, .path = "/bin/app", .id = "-" };
	static struct module libc = { .kind = MODULE_ELF, .path = "/lib/libc.so.6", .id = "-" };
	static struct module jit = { .kind = MODULE_JIT, .path = "/tmp/perf-7.map", .id = "7" };
	static const char *const starts[] = { "_start",
					      "main",
					      "__libc_start_main@@GLIBC_2.34",
					      "__libc_start_call_main",
					      "start_thread",
					      "__clone3",
					      "__GI___clone3",
					      "clone@@GLIBC_2.2.5",
					      "runtime.goexit.abi0",
					      "__start_context" };
	static const char *const others[] = { "",       "_",        "main2", "domain",   "start_threads",
					      "memcpy", "mains@@X", ".abi0", "main.cold" };

	for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++)
		CHECK(stack_start_of(2, false, starts[i], &libc) == START_SEEN &&
		      stack_start_of(1, false, starts[i], &app) == START_SEEN &&
		      stack_start_of(30, false, starts[i], &app) == START_SEEN);
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		CHECK(stack_start_of(2, false, others[i], &libc) == START_LOST &&
		      stack_start_of(1, false, others[i], &app) == START_LOST &&
		      stack_start_of(3, false, others[i], &app) == START_UNSEEN);
	CHECK(stack_start_of(0, false, "memcpy", &libc) == START_SEEN);
	/* start_thread in a stripped libc, most likely */
	CHECK(stack_start_of(2, false, NULL, &libc) == START_SEEN &&
	      stack_start_of(30, false, NULL, &libc) == START_SEEN);
	CHECK(stack_start_of(1, false, NULL, &libc) == START_LOST);
	CHECK(stack_start_of(2, false, NULL, &app) == START_LOST &&
	      stack_start_of(3, false, NULL, &app) == START_UNSEEN);
	CHECK(stack_start_of(2, false, NULL, &jit) == START_LOST &&
	      stack_start_of(3, false, NULL, &jit) == START_UNSEEN);
	CHECK(stack_start_of(5, true, "main", &app) == START_SEEN); /* and rubbish behind it */
	CHECK(stack_start_of(5, true, "work", &app) == START_LOST &&
	      stack_start_of(5, true, NULL, &libc) == START_LOST);
	CHECK(stack_start_of(2, false, NULL, NULL) == START_LOST &&
	      stack_start_of(30, false, NULL, NULL) == START_LOST);
}

static void test_runtimes(void)
{
	struct modules modules = { 0 };
	struct spaces s = { 0 };
	uint32_t sh, python, jvm, jit;

	modules_init(&modules);
	sh = modules_add(&modules, MODULE_ELF, "/bin/sh", "-", 7);
	python = modules_add(&modules, MODULE_ELF, "/usr/lib/libpython3.13.so.1.0", "-", 7);
	jvm = modules_add(&modules, MODULE_ELF, "/opt/jdk/lib/server/libjvm.so", "-", 8);
	jit = modules_add_jit(&modules, "/tmp/perf-7.map", 7);
	spaces_map(&s, 7, 10, 0x1000, 0x1000, 0, sh);
	spaces_exec(&s, 7, 20);
	spaces_map(&s, 7, 20, 0x1000, 0x1000, 0, python);
	spaces_map_memory(&s, 7, 20, 0x9000, 0x1000, jit);
	spaces_fork(&s, 8, 7, 30);
	CHECK(runtime_of(&s, &modules, 7) == RUNTIME_PYTHON);
	CHECK(runtime_of(&s, &modules, 8) == RUNTIME_PYTHON); /* a worker */
	spaces_exec(&s, 8, 40);
	CHECK(runtime_of(&s, &modules, 8) == RUNTIME_UNKNOWN);
	spaces_map(&s, 8, 40, 0x1000, 0x1000, 0, jvm);
	CHECK(runtime_of(&s, &modules, 8) == RUNTIME_JAVA);
	CHECK(runtime_of(&s, &modules, 9) == RUNTIME_UNKNOWN);
	CHECK(runtime_named("node") == RUNTIME_NODE && runtime_named("noah") == RUNTIME_UNKNOWN);
	CHECK(!strstr(runtime_stack_remedy(RUNTIME_PYTHON, STACKS_WALKED), "java") &&
	      !strstr(runtime_map_remedy(RUNTIME_PYTHON), "node"));
	spaces_free(&s);
	modules_free(&modules);
}

static void test_interrupts(void)
{
	static const struct {
		const char *name;
		bool is_one;
	} rows[] = {
		{ "asm_sysvec_apic_timer_interrupt", true },
		{ "asm_common_interrupt", true },
		{ "asm_exc_nmi", true },
		{ "end_repeat_nmi", true },
		{ "el1h_64_irq", true },
		{ "el1h_64_irq_handler", true },
		{ "el0t_64_irq", true },
		{ "fred_extint", true },
		{ "apic_timer_interrupt", true },
		{ "asm_exc_page_fault", false },
		{ "el1h_64_sync", false },
		{ "asm_fred_entrypoint_kernel", false },
		{ "common_interrupt_return", false },
		{ "__sysvec_apic_timer_interrupt", false },
		{ "hrtimer_interrupt", false },
		{ "asm_sysvec", false },
		{ "entry_SYSCALL_64_after_hwframe", false },
		{ "", false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		CHECK(is_interrupt_entry(rows[i].name, strlen(rows[i].name)) == rows[i].is_one);
	CHECK(is_interrupt_entry("el1_irq\n", 7));
}

/* What is mapped in any space at any time; later mappings are seen, too. */
static void test_reach(void)
{
	struct spaces s = { 0 };

	CHECK(!spaces_reach(&s, 0) && !spaces_reach(&s, 0x1000));
	spaces_map(&s, 1, 10, 0x1000, 0x1000, 0, 1);
	spaces_map(&s, 2, 10, 0x2000, 0x1000, 0, 1);
	spaces_map(&s, 2, 20, 0x1800, 0x400, 0, 2);
	spaces_code(&s, 1, 30, 0x9000, 0x10, 0, 3);
	CHECK(!spaces_reach(&s, 0xfff) && spaces_reach(&s, 0x1000) && spaces_reach(&s, 0x2fff));
	CHECK(!spaces_reach(&s, 0x3000) && spaces_reach(&s, 0x900f) && !spaces_reach(&s, 0x9010));
	CHECK(!spaces_reach(&s, UINT64_MAX));
	spaces_map_memory(&s, 1, 40, 0x3000, 0x1000, 4);
	CHECK(spaces_reach(&s, 0x3fff) && !spaces_reach(&s, 0x4000));
	spaces_map_always(&s, 3, 0x7000000000000000, 0x10, 5);
	CHECK(spaces_reach(&s, 0x700000000000000f) && !spaces_reach(&s, 0x7000000000000010));
	spaces_free(&s);
}

int main(void)
{
	test_reach();
	test_runtimes();
	test_spaces();
	test_replaced_mapping();
	test_many_overlaps();
	test_hostile_forks();
	test_chooser();
	test_kallsyms();
	test_perfmap();
	test_perfmap_is_not_followed();
	test_perfmap_of_a_process_before();
	test_chain();
	test_labels();
	test_own_elf();
	test_starts();
	test_interrupts();
	return check_done();
}
