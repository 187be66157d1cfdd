/* bpf_memory: limits of control groups, from made files. */
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/bpf/bpf_memory.h"
#include "tests/unit/check.h"

static const char *const directories[] = {
	"",           "/memory", "/memory/user", "/memory/user/one", "/unified",
	"/unified/a", "/two",    "/two/pod",     "/two/pod/c",       "/none",
};

static const struct {
	const char *path, *content;
} files[] = {
	{ "/memory/memory.limit_in_bytes", "9223372036854771712\n" },
	{ "/memory/user/memory.limit_in_bytes", "25165824\n" },
	{ "/memory/user/one/memory.limit_in_bytes", "50331648\n" },
	{ "/memory/cgroup", "11:cpu,cpuacct:/\n7:memory:/user/one\n0::/\n" },
	{ "/unified/a/memory.max", "1000000\n" },
	{ "/unified/cgroup", "0::/a\n" },
	{ "/two/memory.max", "max\n" }, /* a container's own hierarchy */
	{ "/two/pod/memory.max", "64000000\n" },
	{ "/two/pod/c/memory.max", "max\n" },
	{ "/two/cgroup", "0::/pod/c\n" },
	{ "/none/cgroup", "0::/\n" },
};

static const struct {
	const char *mounts, *groups; /* below the directory */
	uint64_t limit;
} rows[] = {
	{ "", "/memory/cgroup", 25165824 },
	{ "", "/unified/cgroup", 1000000 },
	{ "/two", "/two/cgroup", 64000000 },
	{ "/two/pod", "/none/cgroup", 64000000 }, /* in a namespace, "/" is the group itself */
	{ "/none", "/none/cgroup", UINT64_MAX },
	{ "/none", "/none/missing", UINT64_MAX },
};

static const char *below(const char *directory, const char *name)
{
	static char paths[2][PATH_MAX];
	static int turn;

	turn = !turn;
	snprintf(paths[turn], sizeof(paths[turn]), "%s%s", directory, name);
	return paths[turn];
}

int main(void)
{
	const char *place = getenv("TMPDIR");
	char top[256];

	snprintf(top, sizeof(top), "%s/bpf_memory.%d", place ? place : "/tmp", (int)getpid());
	for (size_t i = 0; i < sizeof(directories) / sizeof(*directories); i++)
		mkdir(below(top, directories[i]), 0700);
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		FILE *f = fopen(below(top, files[i].path), "w");

		fputs(files[i].content, f);
		fclose(f);
	}
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const char *groups = below(top, rows[i].groups);

		CHECK(cgroup_memory_limit(groups, below(top, rows[i].mounts)) == rows[i].limit);
	}
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		unlink(below(top, files[i].path));
	for (size_t i = sizeof(directories) / sizeof(*directories); i--;)
		rmdir(below(top, directories[i]));
	return check_done();
}
