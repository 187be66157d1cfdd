/* Debug information: with a file and addresses in it (as in its tables, hex) it prints what
 * `addr2line -a -i -f` does, for tests/symbols/inline.test.sh; without any it tests. */
#include <elf.h>
#include <stdlib.h>

#include "core/memory.h"
#include "core/symbols/debug_info.h"
#include "core/symbols/elf.h"
#include "core/symbols/elf_file.h"
#include "tests/unit/check.h"

static void print_frame(const char *name, const char *file, uint32_t line)
{
	printf("%s\n%s:", name ? name : "??", file ? file : "??");
	if (line || !file)
		printf("%u\n", line);
	else
		puts("?");
}

static int by_address(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
}

/* Addresses come from stdin, a line each. */
static int print_all(const char *path)
{
	struct module module = { .kind = MODULE_ELF, .path = path, .id = "-", .pid = -1 };
	struct place *places = NULL;
	struct elf_file file;
	struct arena names = {0};
	unsigned long long address;
	size_t count = 0, cap = 0;
	enum why why;
	int status;

	if (elf_file_open(&file, &module, &why))
		return 1;
	while (scanf("%llx", &address) == 1) {
		places = xgrow(places, &cap, count + 1, sizeof(*places));
		places[count] = (struct place){0};
		count += elf_to_offset(&file.segments, address, &places[count].address);
	}
	qsort(places, count, sizeof(*places), by_address);
	if (!getenv("NO_SYMBOLS"))
		elf_resolve(&module, places, count, &names);
	status = debug_info_resolve(&module, places, count, &names);
	for (size_t i = 0; i < count && !getenv("QUIET"); i++) {
		elf_to_address(&file.segments, places[i].address, (uint64_t *)&address);
		printf("0x%016llx\n", address);
		for (size_t f = 0; f < places[i].inlined_count; f++)
			print_frame(places[i].inlined[f].name, places[i].inlined[f].file, places[i].inlined[f].line);
		print_frame(places[i].name, places[i].file, places[i].line);
	}
	elf_file_close(&file);
	arena_free(&names);
	free(places);
	return status ? 2 : 0;
}

int main(int argc, char **argv)
{
	if (argc > 1)
		return print_all(argv[1]);
	return check_done();
}
