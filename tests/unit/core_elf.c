/* The files of modules: sections, notes, and how to find them.  With arguments, it prints names of addresses for
 * tests/symbols/:
 *
 *     core_elf PATH ID PID START <OFFSETS     prints "OFFSET NAME SIZE WHY" for each
 *
 * (hex, sorted; ID and START as in a recording; "-" for NAME and, when there is one, WHY). */
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/symbols/elf/elf.h"
#include "core/symbols/elf/elf_file.h"
#include "core/symbols/elf/module_file.h"
#include "core/symbols/space/process_map.h"
#include "tests/unit/check.h"

static int name_addresses(char **argv)
{
	int pid = atoi(argv[3]);
	uint64_t start = strtoull(argv[4], NULL, 16), address;
	struct modules modules = { 0 };
	struct place *wanted = NULL;
	struct arena names = { 0 };
	size_t count = 0, cap = 0;
	uint32_t number;

	number = modules_add(&modules, MODULE_ELF, argv[1], argv[2], pid);
	if (start)
		modules_saw(&modules, number, pid, start, 1);
	while (scanf("%" SCNx64, &address) == 1) {
		wanted = xgrow(wanted, &cap, count + 1, sizeof(*wanted));
		wanted[count++] = (struct place){ .address = address };
	}
	elf_resolve(&modules.items[number], wanted, count, &names);
	for (size_t i = 0; i < count; i++)
		printf("%" PRIx64 " %s %" PRIx64 " %s\n", wanted[i].address, wanted[i].name ? wanted[i].name : "-",
		       wanted[i].size, wanted[i].name ? "-" : why_word(wanted[i].why));
	arena_free(&names);
	modules_free(&modules);
	free(wanted);
	return 0;
}

static void own_path(char *path, size_t size)
{
	ssize_t n = readlink("/proc/self/exe", path, size - 1);

	path[n > 0 ? n : 0] = '\0';
}

static void test_process_map(void)
{
	struct process_map map;
	char path[4096];

	own_path(path, sizeof(path));
	CHECK(process_map_find((int)getpid(), (uint64_t)(uintptr_t)&own_path, &map));
	CHECK_TEXT(map.path, path);
	CHECK(map.start <= (uint64_t)(uintptr_t)&own_path && map.end > (uint64_t)(uintptr_t)&own_path);
	free(map.path);
	CHECK(!process_map_find((int)getpid(), 1, &map));
	CHECK(!process_map_find(0, 1, &map));
}

/* Found by the inode, and by the mapping that the process itself has. */
static void test_inodes(void)
{
	struct modules modules = { 0 };
	uint64_t address = (uint64_t)(uintptr_t)&own_path;
	struct process_map map;
	struct elf_file file;
	char path[4096];
	uint32_t right, wrong;
	enum why why;

	own_path(path, sizeof(path));
	if (!process_map_find((int)getpid(), address, &map))
		return;
	right = modules_add(&modules, MODULE_ELF, path, map.id, (int)getpid());
	wrong = modules_add(&modules, MODULE_ELF, path, "1:1:1", (int)getpid());
	modules_saw(&modules, right, (int)getpid(), address, 1);
	modules_saw(&modules, wrong, (int)getpid(), address, 1);
	CHECK(elf_file_open(&file, &modules.items[right], &why) == 0);
	elf_file_close(&file);
	CHECK(elf_file_open(&file, &modules.items[wrong], &why) == -1 && why == WHY_OTHER_BUILD);
	free(map.path);
	modules_free(&modules);
}

/* If the inode from stat() differs from that of the mapping, as on overlayfs, the process's own mappings are consulted:
 * any file to which its mapping leads is accepted. */
static void test_other_inode(void)
{
	uint64_t address = (uint64_t)(uintptr_t)&own_path;
	struct module module = { .kind = MODULE_ELF };
	int other = open("/etc/passwd", O_RDONLY);
	struct process_map map;

	if (!process_map_find((int)getpid(), address, &map))
		return;
	module.path = map.path;
	module.id = map.id;
	module.first = (struct module_mapping){ (int)getpid(), address, 1 };
	CHECK(module_file_is_same(&module, 1, other));  /* by its path, as the process sees it */
	CHECK(!module_file_is_same(&module, 3, other)); /* as we do */
	CHECK(module_file_is_same(&module, 4, other));  /* its mapping */
	module.path = "/elsewhere";
	CHECK(!module_file_is_same(&module, 1, other));
	CHECK(module_file_is_same(&module, 4, other));
	module.id = "1:1:1";
	CHECK(!module_file_is_same(&module, 4, other));
	free(map.path);
	close(other);
}

static void test_reasons(void)
{
	static const struct {
		const char *path, *id;
		enum why why;
	} rows[] = {
		{ "/nowhere/at/all", "-", WHY_NO_FILE },     { "[uprobes]", "-", WHY_NO_FILE },
		{ "/dev/null", "-", WHY_NO_FILE },           { "/etc/passwd", "-", WHY_DAMAGED },
		{ "/etc/passwd", "1:1:1", WHY_OTHER_BUILD },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct module module = { .kind = MODULE_ELF, .path = rows[i].path, .id = rows[i].id };
		struct elf_file file;
		enum why why;

		CHECK(elf_file_open(&file, &module, &why) == -1 && why == rows[i].why);
	}
}

/* When the first process has ended, the newest one stands in. */
static void test_processes(void)
{
	struct modules modules = { 0 };
	uint32_t number = modules_add(&modules, MODULE_ELF, "/x", "-", 7);

	CHECK(modules.items[number].first.pid == 7 && !modules.items[number].first.len);
	modules_saw(&modules, number, 8, 0x1000, 0x10);
	modules_saw(&modules, number, 9, 0x2000, 0x20);
	CHECK(modules.items[number].first.pid == 8 && modules.items[number].newest.start == 0x2000);
	modules_free(&modules);
}

int main(int argc, char **argv)
{
	if (argc == 5)
		return name_addresses(argv);
	test_process_map();
	test_inodes();
	test_other_inode();
	test_reasons();
	test_processes();
	return check_done();
}
