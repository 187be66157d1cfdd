/* Control groups of a process: lines of /proc/PID/cgroup, and the directories that may limit it. */
#include "collect/machine/cgroup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/check.h"

static void test_lines(void)
{
	static const char text[] = "12:cpu,cpuacct:/docker/5f\nnonsense\n7:\n1:name=systemd:/a:b\n0::/\n0::/no newline";
	static const struct row {
		unsigned int hierarchy;
		const char *controllers, *path;
		bool cpu, cpuacct, systemd;
	} rows[] = {
		{ 12, "cpu,cpuacct", "/docker/5f", true, true, false },
		{ 1, "name=systemd", "/a:b", false, false, true },
		{ 0, "", "/", false, false, false },
		{ 0, "", "/no newline", false, false, false },
	};
	const char *at = text;
	struct cgroup_line line;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char part[64];

		CHECK(cgroup_next(&at, &line));
		CHECK(line.hierarchy == rows[i].hierarchy);
		snprintf(part, sizeof(part), "%.*s", (int)line.controllers_len, line.controllers);
		CHECK_TEXT(part, rows[i].controllers);
		snprintf(part, sizeof(part), "%.*s", (int)line.path_len, line.path);
		CHECK_TEXT(part, rows[i].path);
		CHECK(cgroup_has_controller(&line, "cpu") == rows[i].cpu);
		CHECK(cgroup_has_controller(&line, "cpuacct") == rows[i].cpuacct);
		CHECK(cgroup_has_controller(&line, "name=systemd") == rows[i].systemd);
		CHECK(!cgroup_has_controller(&line, "c"));
	}
	CHECK(!cgroup_next(&at, &line));
}

static char cgroup_root[] = "/tmp/cgroup-XXXXXX";

static void add_directory(void *argument, const char *directory)
{
	str_addf(argument, "%s\n", directory + strlen(cgroup_root));
}

static void test_walk(void)
{
	static const char *const directories[] = { "/cpu,cpuacct", "/cpu", "/memory", "/unified" };
	static const struct row {
		const char *groups, *says;
	} rows[] = {
		{ "2:cpu,cpuacct:/a/b\n", "/cpu,cpuacct/a/b\n/cpu,cpuacct/a\n/cpu,cpuacct\n" },
		{ "2:cpuacct,cpu:/a\n", "/cpu/a\n/cpu\n" }, /* the name of the mount point has another order */
		{ "3:memory:/m\n4:cpuset:/c\n", "" },
		{ "0::/u\n", "/unified/u\n/unified\n" },
		{ "0::/\n", "/unified\n" },
		{ "0::/../u\n", "" },
		{ "0::/..\n2:cpu:/x/\n", "/cpu/x\n/cpu\n" },
		{ "", "" },
	};
	struct str out = { 0 };
	char command[64];

	CHECK(mkdtemp(cgroup_root));
	for (size_t i = 0; i < sizeof(directories) / sizeof(*directories); i++) {
		str_clear(&out);
		str_addf(&out, "%s%s", cgroup_root, directories[i]);
		CHECK(!mkdir(out.buf, 0700));
	}
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		str_clear(&out);
		cgroup_walk_up(rows[i].groups, cgroup_root, "cpu", add_directory, &out);
		CHECK_TEXT(str_text(&out), rows[i].says);
	}
	snprintf(command, sizeof(command), "rmdir %s/unified", cgroup_root);
	CHECK(!system(command));
	str_clear(&out);
	cgroup_walk_up("0::/u\n", cgroup_root, "cpu", add_directory, &out);
	CHECK_TEXT(str_text(&out), "/u\n\n");
	snprintf(command, sizeof(command), "rm -r %s", cgroup_root);
	CHECK(!system(command));
	str_free(&out);
}

int main(void)
{
	test_lines();
	test_walk();
	return check_done();
}
