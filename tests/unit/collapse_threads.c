/* Names of threads, pools of threads, and what names of code tell. */
#include <stdlib.h>

#include "collapse/frames/tier.h"
#include "collapse/perfdata/runtime_names.h"
#include "core/pool.h"
#include "core/str.h"
#include "tests/unit/check.h"

static void test_pools(void)
{
	static const struct {
		const char *name;
		size_t len;
	} rows[] = {
		{ "dw-20", 3 },
		{ "pool-1-thread-7", 14 },
		{ "GC Thread#3", 10 },
		{ "C2 CompilerThread0", 17 },
		{ "worker", 0 },
		{ "", 0 },
		{ "12", 0 },
		{ "dw-20 - GET /", 0 },
		{ "conn-7f3a9c", 5 },
		{ "conn-7f3a9", 9 },
		{ "io-0x1f", 3 },
		{ "io 0xface", 3 },
		{ "the-facade", 0 },
		{ "x7f3a9c", 0 },
		{ "0x12", 0 },
		{ "id-DEADBEEF01", 3 },
		{ "java-8513/dw-20", 13 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		size_t len = pool_len(rows[i].name, strlen(rows[i].name));

		CHECK(len == rows[i].len);
		if (len != rows[i].len)
			printf("# %s: %zu\n", rows[i].name, len);
	}
}

static const char *last(struct runtime_names *t, struct comms *c, int pid, int tid, uint64_t time_ns)
{
	return intern_text(&c->names, thread_name_last(t, c, pid, tid, time_ns));
}

static const char *comm_at(struct runtime_names *t, struct comms *c, int tid)
{
	return intern_text(&c->names, thread_comm_at(t, c, 20, tid, 100));
}

/* The runtime's name stands for a comm that is a part of it, or that is only the process's. */
static void test_comms(void)
{
	struct runtime_names names = { 0 };
	struct comms comms = { 0 };

	comms_set(&comms, 20, 20, 0, "python3", 7);
	comms_set(&comms, 20, 21, 1, "python3", 7);
	comms_set(&comms, 20, 22, 1, "python3", 7);
	comms_set(&comms, 20, 23, 1, "native", 6);
	comms_set(&comms, 20, 24, 1, "report-of-the-d", 15);
	runtime_names_set(&names, &comms, 20, 20, "MainThread", 10);
	runtime_names_set(&names, &comms, 20, 21, "web-1", 5);
	runtime_names_set(&names, &comms, 20, 23, "Dummy-1", 7);
	runtime_names_set(&names, &comms, 20, 24, "report-of-the-day", 17);
	CHECK_TEXT(comm_at(&names, &comms, 20), "python3");
	CHECK_TEXT(comm_at(&names, &comms, 21), "web-1");
	CHECK_TEXT(comm_at(&names, &comms, 22), "python3");
	CHECK_TEXT(comm_at(&names, &comms, 23), "native");
	CHECK_TEXT(comm_at(&names, &comms, 24), "report-of-the-day");
	runtime_names_free(&names);
	comms_free(&comms);
}

/* Numbers of threads come again. */
static void test_lives(void)
{
	struct runtime_names names = { 0 };
	struct comms comms = { 0 };

	comms_set(&comms, 10, 10, 0, "java", 4);
	comms_set(&comms, 10, 11, 50, "first", 5);
	comms_fork(&comms, 10, 11, 10, 500);
	comms_set(&comms, 10, 11, 510, "second", 6);
	runtime_names_set(&names, &comms, 10, 11, "of the second", 13);
	runtime_names_set(&names, &comms, 10, 10, "", 0);
	runtime_names_set(&names, &comms, 10, 12, "not in the records", 18);
	comms_fork(&comms, 11, 11, 10, 900);
	CHECK_TEXT(last(&names, &comms, 10, 11, 100), "first");
	CHECK_TEXT(last(&names, &comms, 10, 11, 500), "of the second");
	CHECK_TEXT(last(&names, &comms, 10, 11, 899), "of the second");
	CHECK_TEXT(last(&names, &comms, 11, 11, 950), "java");
	CHECK_TEXT(last(&names, &comms, 10, 10, 100), "java");
	CHECK_TEXT(last(&names, &comms, 10, 12, 0), "not in the records");
	CHECK_TEXT(last(&names, &comms, 9, 12, 0), ":12");
	CHECK(thread_is_wanted(&names, &comms, 10, 10, 0));
	names.wanted = regexp_compile("^of .* second$", "--threads");
	CHECK(thread_is_wanted(&names, &comms, 10, 11, 600) && thread_is_wanted(&names, &comms, 10, 11, 700));
	CHECK(!thread_is_wanted(&names, &comms, 10, 11, 100) && !thread_is_wanted(&names, &comms, 10, 10, 600));
	runtime_names_free(&names);
	comms_free(&comms);
	runtime_names_free(NULL);
}

static void test_tiers(void)
{
	static char java_path[] = "[java]", map_path[] = "/tmp/perf-7.map";
	const struct module java = { .kind = MODULE_JIT, .path = java_path };
	const struct module map = { .kind = MODULE_JIT, .path = map_path };
	static const struct {
		bool java, shown;
		const char *name, *plain, *annotation;
	} rows[] = {
		{ true, true, "a.B.c_[0]", "a.B.c", "_[0]" },
		{ true, false, "a.B.c_[0]", "a.B.c", "" },
		{ true, true, "a.B.c_[1]", "a.B.c", "_[1]" },
		{ true, true, "a.B.c_[j]", "a.B.c", "_[j]" },
		{ true, true, "a.B.c_[?]", "a.B.c", "_[?]" },
		{ true, false, "a.B.c_[?]", "a.B.c", "_[i]" },
		{ true, false, "a.B.c_[i]", "a.B.c", "_[i]" },
		{ true, true, "byte[]", "byte[]", "" },
		{ true, true, "a_[k]", "a_[k]", "" },
		{ true, true, "_[0]", "_[0]", "" },
		{ false, true, "JS:~f x", "JS:f x", "_[0]" },
		{ false, false, "JS:~f x", "JS:~f x", "" },
		{ false, true, "JS:^f", "JS:f", "_[1]" },
		{ false, true, "JS:+'f", "JS:f", "_[1]" },
		{ false, true, "LazyCompile:*f", "LazyCompile:f", "_[j]" },
		{ false, true, "JS:*'f", "JS:f", "_[j]" },
		{ false, true, "JS:", "JS:", "_[j]" },
		{ false, true, "JS:~", "JS:", "_[0]" },
		{ false, true, "RegExp:*", "RegExp:*", "_[j]" },
		{ false, true, "a.B.c_[0]", "a.B.c_[0]", "_[j]" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct tier t =
			tier_of(rows[i].java ? &java : &map, rows[i].name, strlen(rows[i].name), rows[i].shown, false);
		struct str plain = { 0 };

		str_add(&plain, rows[i].name, t.head);
		str_add(&plain, rows[i].name + t.tail, t.len - t.tail);
		CHECK_TEXT(str_text(&plain), rows[i].plain);
		CHECK_TEXT(t.annotation, rows[i].annotation);
		CHECK(t.inlined == (!strcmp(t.annotation, "_[i]") || !strcmp(t.annotation, "_[?]")));
		str_free(&plain);
	}
	CHECK_TEXT(tier_of(&map, "JS:~f x", strlen("JS:~f x"), true, true).annotation, "_[0]");
	CHECK(tier_of(&map, "JS:~f x", strlen("JS:~f x"), true, true).head == strlen("JS:~f x")); /* the mark stays */
}

/* A thread that changes its name as often as a recording can hold: the time to find a name hardly grows. */
static void check_many_names(void)
{
	enum { NAMES = 160000 };
	struct comms c = { 0 };
	uint64_t wrong = 0;
	char name[16];

	for (int i = 0; i < NAMES; i++) {
		int len = snprintf(name, sizeof(name), "name%d", i);

		if (i % 1000 == 0)
			comms_fork(&c, 7, 8, 7, 10 * (uint64_t)i + 9);
		comms_set(&c, 7, 8, 10 * (uint64_t)i + 10, name, (size_t)len);
	}
	for (int i = 0; i < NAMES; i++) {
		uint64_t time_ns = 10 * (uint64_t)i + 15;

		snprintf(name, sizeof(name), "name%d", i);
		wrong += strcmp(intern_text(&c.names, comms_find(&c, 8, time_ns)), name) != 0;
		snprintf(name, sizeof(name), "name%d", i / 1000 * 1000 + 999);
		wrong += strcmp(intern_text(&c.names, comms_last(&c, 8, time_ns)), name) != 0;
	}
	CHECK(!wrong);
	CHECK(comms_begin(&c, 7, 8) == 10 * (uint64_t)(NAMES - 1000) + 9);
	CHECK(!comms_begin(&c, 9, 8));
	comms_free(&c);
}

int main(void)
{
	test_pools();
	test_comms();
	test_lives();
	test_tiers();
	check_many_names();
	return check_done();
}
