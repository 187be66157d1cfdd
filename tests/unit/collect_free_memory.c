/* Limits of control groups, and free memory, read from made files; and how much of it rings may take. */
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/machine/free_memory.h"
#include "collect/run/ring_share.h"
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
	{ "/memory/user/one/memory.usage_in_bytes", "40331648\n" },
	{ "/memory/user/memory.usage_in_bytes", "5165824\n" },
	{ "/meminfo", "MemTotal: 9000000 kB\nXMemAvailable: 3 kB\nMemAvailable:   40000 kB\n" },
	{ "/memory/cgroup", "11:cpu,cpuacct:/\n7:memory:/user/one\n0::/\n" },
	{ "/unified/a/memory.max", "1000000\n" },
	{ "/unified/cgroup", "0::/a\n" },
	{ "/two/pod/memory.current", "30000000\n" },
	{ "/two/pod/memory.stat", "active_file 7\ninactive_file 10000000\nworkingset 5\n" },
	{ "/two/memory.max", "max\n" }, /* a container's own hierarchy */
	{ "/two/pod/memory.max", "64000000\n" },
	{ "/two/pod/c/memory.max", "max\n" },
	{ "/two/cgroup", "0::/pod/c\n" },
	{ "/none/cgroup", "0::/\n" },
};

static const struct {
	const char *mounts, *groups; /* below the directory */
	uint64_t limit, free;
} rows[] = {
	{ "", "/memory/cgroup", 25165824, 10000000 },
	{ "", "/unified/cgroup", 1000000, 1000000 },
	{ "/two", "/two/cgroup", 64000000, 40960000 },
	{ "/two/pod", "/none/cgroup", 64000000, 40960000 }, /* in a namespace, "/" is the group itself */
	{ "/none", "/none/cgroup", UINT64_MAX, 40960000 },
	{ "/none", "/none/missing", UINT64_MAX, 40960000 },
};

static const char *below(const char *directory, const char *name)
{
	static char paths[4][PATH_MAX];
	static int turn;

	turn = (turn + 1) % 4;
	snprintf(paths[turn], sizeof(paths[turn]), "%s%s", directory, name);
	return paths[turn];
}

static void shares(void)
{
	const struct ring_share none = { 0 };
	struct ring_share s = ring_share_of(21ull << 30, 2, 1);

	CHECK(s.sampling == 256 << 20 && s.program == 512u << 20);
	CHECK(ring_share_sampling(&s, 16 << 20) == 16 << 20 && ring_share_program(&s, 64 << 20) == 64 << 20);
	s = ring_share_of(2ull << 30, 96, 4);
	CHECK(s.sampling == 512 << 10 && s.program == 8 << 20);
	CHECK(ring_share_sampling(&s, 16 << 20) == 512 << 10 && ring_share_program(&s, 64 << 20) == 8 << 20);
	CHECK(!ring_share_is_small(64 << 20, 16 << 20) && ring_share_is_small(64 << 20, 8 << 20));
	s = ring_share_of(0, 96, 4);
	CHECK(s.sampling == RING_SHARE_LEAST && s.program == RING_SHARE_LEAST);
	s = ring_share_of(UINT64_MAX, 1, 1);
	CHECK(ring_share_program(&s, 1u << 31) == 1u << 31);
	CHECK(ring_share_sampling(&none, 1 << 20) == 1 << 20 && ring_share_program(&none, 1 << 20) == 1 << 20);
}

int main(void)
{
	const char *place = getenv("TMPDIR");
	char top[256];

	snprintf(top, sizeof(top), "%s/free_memory.%d", place ? place : "/tmp", (int)getpid());
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
		CHECK(free_memory(below(top, "/meminfo"), groups, below(top, rows[i].mounts)) == rows[i].free);
	}
	shares();
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		unlink(below(top, files[i].path));
	for (size_t i = sizeof(directories) / sizeof(*directories); i--;)
		rmdir(below(top, directories[i]));
	return check_done();
}
