/* collect/java/java_stacks.c, collect/runtime/frame_names.c: addresses that stand for Java frames, and their way through a recording. */
#include "collect/java/java_stacks.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "collect/runtime/frame_names.h"
#include "collect/recording/records.h"
#include "core/format/chain.h"
#include "core/format/recording.h"
#include "tests/unit/check.h"

enum { SHELL = 100, JVM = 200, CHILD = 300, STEP = 16 };

static const struct frame_names_place java_place = { RECORDING_JAVA, RECORDING_JAVA_PATH };

static struct str bytes;

static void add_record(uint32_t type, uint16_t misc, const void *body, size_t len, uint64_t time_ns)
{
	struct recording_trailer trailer = { .time_ns = time_ns };
	struct perf_event_header header = { type, misc, (uint16_t)(sizeof(header) + len + sizeof(trailer)) };

	str_add(&bytes, (const char *)&header, sizeof(header));
	str_add(&bytes, body, len);
	str_add(&bytes, (const char *)&trailer, sizeof(trailer));
}

static void add_fork(uint32_t pid, uint32_t parent, uint64_t time_ns)
{
	struct {
		uint32_t pid, parent, tid, parent_tid;
		uint64_t time_ns;
	} fork = { pid, parent, pid, parent, time_ns };

	add_record(PERF_RECORD_FORK, 0, &fork, sizeof(fork), time_ns);
}

static void add_exec(uint32_t pid, uint64_t time_ns)
{
	struct {
		uint32_t pid, tid;
		char name[8];
	} comm = { pid, pid, "java" };

	add_record(PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC, &comm, sizeof(comm), time_ns);
}

static void check_names(void)
{
	const struct frame_name frames[] = {
		{ "App.run", "App.java", 17, '0', true },    { "App.run", "App.java", 17, 'j', true },
		{ "App.run", "App.java", 18, 'j', true },    { "App.run", NULL, 0, 'i', true },
		{ "java.lang.String[]", NULL, 0, 0, false }, { "", NULL, 0, '1', false },
	};
	static const char *const wanted[] = { "App.run_[0]", "App.run_[j]",        "App.run_[j]",
					      "App.run_[i]", "java.lang.String[]", "_[1]" };
	struct frame_names n = { .place = &java_place };
	struct jit_files files = { 0 };
	const struct jit_code *code;
	struct place places[2] = { 0 };
	struct arena names = { 0 };
	struct str text = { 0 };

	for (size_t i = 0; i < 6; i++)
		CHECK(frame_names_address(&n, &frames[i]) == RECORDING_JAVA + STEP * i + STEP / 2);
	for (size_t i = 0; i < 6; i++) {
		CHECK(frame_names_address(&n, &frames[i]) == RECORDING_JAVA + STEP * i + STEP / 2);
		str_clear(&text);
		frame_names_spell(&n, RECORDING_JAVA + STEP * i + STEP / 2 - 1, &text);
		CHECK_TEXT(str_text(&text), wanted[i]);
	}
	str_clear(&text);
	frame_names_spell(&n, RECORDING_JAVA + STEP * 6, &text);
	frame_names_spell(&n, RECORDING_JAVA - 1, &text);
	frame_names_spell(&n, 0, &text);
	CHECK(!text.len);
	frame_names_give(&n, JVM, &files);
	code = &files.items[0].code;
	CHECK(files.count == 1 && code->count == 6 && code->line_count == 3 && !code->bad);
	places[0].address = RECORDING_JAVA + STEP / 2 - 1; /* as readers of chains look it up */
	places[1].address = RECORDING_JAVA + 4 * STEP + STEP / 2;
	jit_code_name(code, places, 2, &names);
	CHECK_TEXT(places[0].name, "App.run_[0]");
	CHECK(places[0].line == 17 && !strcmp(places[0].file, "App.java"));
	CHECK_TEXT(places[1].name, "java.lang.String[]");
	CHECK(!places[1].file);
	arena_free(&names);
	str_free(&text);
	jit_files_free(&files);
	frame_names_free(&n);
}

/* The cost of a stack of 40 known frames. */
static void time_names(void)
{
	enum { FRAMES = 40, ROUNDS = 10000 };
	struct frame_names n = { .place = &java_place };
	char names[FRAMES][64];
	struct timespec from, to;

	for (int i = 0; i < FRAMES; i++)
		snprintf(names[i], sizeof(names[i]), "com.example.shop.orders.OrderService%d.handle", i);
	clock_gettime(CLOCK_MONOTONIC, &from);
	for (uint32_t i = 0; i < FRAMES * ROUNDS; i++)
		frame_names_address(
			&n, &(struct frame_name){ names[i % FRAMES], "OrderService.java", i % FRAMES, 'j', true });
	clock_gettime(CLOCK_MONOTONIC, &to);
	printf("# figure: ns to find the addresses of %d frames: %.0f\n", FRAMES,
	       ((double)(to.tv_sec - from.tv_sec) * 1e9 + (double)(to.tv_nsec - from.tv_nsec)) / ROUNDS);
	frame_names_free(&n);
}

static const char *path_at(struct spaces *spaces, const struct modules *modules, int pid, uint64_t time_ns,
			   uint64_t address)
{
	const struct mapping *m = space_lookup(spaces_find(spaces, pid, time_ns), address, time_ns);

	return m ? modules->items[m->module].path : "none";
}

/* The mapping holds at all times, whatever the process ran, and only for this process. */
static void check_mapping(struct java_stacks *j)
{
	struct spaces spaces = { 0 };
	struct modules modules = { 0 };
	uint64_t address = java_stacks_class_named(j, JVM, "[[I", 3);
	uint64_t other = java_stacks_class_named(j, CHILD, "[B", 2);
	static const int times[] = { 0, 4, 6, 8, 20, 100 };
	struct str text = { 0 };

	CHECK(address == other && address); /* each has its own */
	add_fork(JVM, SHELL, 5);
	add_exec(JVM, 7);
	java_stacks_mappings(j, 1, &bytes);
	java_stacks_mappings(j, 1, &text);
	CHECK(bytes.len && !text.len); /* once each */
	add_fork(CHILD, JVM, 10);
	add_exec(CHILD, 12);
	add_exec(JVM, 15);
	modules_init(&modules);
	records_apply_changes((struct records){ (const uint8_t *)bytes.buf, bytes.len, 0 }, &spaces, &modules);
	for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++) {
		uint64_t ns = (uint64_t)times[i];
		const struct mapping *m = space_lookup(spaces_find(&spaces, JVM, ns), address - 1, ns);
		const struct mapping *childs = space_lookup(spaces_find(&spaces, CHILD, ns), address, ns);

		CHECK(m && modules.items[m->module].pid == JVM && address - 1 - m->start + m->offset == address - 1);
		CHECK(childs && modules.items[childs->module].pid == CHILD);
	}
	CHECK_TEXT(path_at(&spaces, &modules, JVM, 8, address), "[java]");
	CHECK_TEXT(path_at(&spaces, &modules, SHELL, 8, address), "none");
	CHECK_TEXT(path_at(&spaces, &modules, JVM, 8, RECORDING_JAVA - 1), "none");
	CHECK_TEXT(path_at(&spaces, &modules, JVM, 8, RECORDING_JAVA + FRAME_NAMES_BYTES), "none");
	CHECK_TEXT(java_stacks_name(j, JVM, address), "int[][]");
	CHECK_TEXT(java_stacks_name(j, CHILD, address), "byte[]");
	CHECK(!java_stacks_name(j, SHELL, address) && !java_stacks_name(j, JVM, address + STEP));
	str_free(&text);
	spaces_free(&spaces);
	modules_free(&modules);
}

static void check_given(struct java_stacks *j)
{
	struct module module = { .kind = MODULE_JIT, .path = "[java]", .pid = JVM };
	struct jit_files files = { 0 };
	const struct jit_file *f;

	java_stacks_give_names(j, &files);
	jit_files_read(&files, 1, true); /* it is no file */
	f = jit_files_find(&files, &module);
	CHECK(f && f->code.count == 1 && !f->why);
	module.pid = SHELL;
	CHECK(!jit_files_find(&files, &module));
	CHECK(!jit_files_bad(&files));
	jit_files_free(&files);
}

/* A process that is not a JVM is not asked again and again. */
static void check_others(struct java_stacks *j)
{
	struct unwind_runtime runtime = java_stacks_runtime(j);
	struct spaces spaces = { 0 };
	struct unwind_made frame = { .space = spaces_find(&spaces, getpid(), 1), .pc = 0x1000, .room = 8 };

	for (int i = 0; i < 3; i++) {
		CHECK(runtime.step(runtime.self, &frame) == UNWIND_NOT_MINE && !frame.count);
		java_stacks_next_batch(j);
	}
	CHECK(!java_stacks_class(j, getpid(), 0x1000, UINT64_MAX));
	CHECK(!java_stacks_unread(j));
	spaces_free(&spaces);
}

int main(void)
{
	struct modules modules = { 0 };
	struct java_stacks *j = java_stacks_new(&modules, false);

	check_names();
	time_names();
	check_mapping(j);
	check_given(j);
	check_others(j);
	java_stacks_free(j);
	str_free(&bytes);
	return check_done();
}
