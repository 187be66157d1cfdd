/* Debug information: with arguments, a file and addresses (as in its tables, hex), it prints what `addr2line -a -i -f`
 * prints, for tests/symbols/inline.test.sh; without arguments, it runs tests. */
#include <stdlib.h>

#include "core/memory.h"
#include "core/symbols/elf/debug_info.h"
#include "core/symbols/elf/elf.h"
#include "core/symbols/elf/elf_file.h"
#include "tests/unit/check.h"

extern const char __ehdr_start; /* where the file begins in memory; set by the linker */

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
	struct module module = { .kind = MODULE_ELF, .path = path, .id = "-" };
	struct place *places = NULL;
	struct elf_file file;
	struct arena names = { 0 };
	unsigned long long address;
	size_t count = 0, cap = 0;
	enum why why;
	int status;

	if (elf_file_open(&file, &module, &why))
		return 1;
	while (scanf("%llx", &address) == 1) {
		places = xgrow(places, &cap, count + 1, sizeof(*places));
		places[count] = (struct place){ 0 };
		count += elf_to_offset(&file.segments, address, &places[count].address);
	}
	qsort(places, count, sizeof(*places), by_address);
	if (!getenv("NO_SYMBOLS"))
		elf_resolve(&module, places, count, &names);
	status = debug_info_resolve(&module, true, places, count, &names);
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

/* --- of this program itself ---------------------------------------------------------- */

static volatile int sink;

static inline __attribute__((always_inline)) void known_inner(int x)
{
	sink += x * 3;
}

static inline __attribute__((always_inline)) void known_middle(int x)
{
	known_inner(x + sink);
}

__attribute__((noinline)) void known_outer(int x);
void known_outer(int x)
{
	known_middle(x);
	sink++;
}

enum { BYTES = 64 }; /* offset in the function: inlined calls begin after the sanitizer's own code */

static void test_own_function(void)
{
	struct module self = { .kind = MODULE_ELF, .path = "/proc/self/exe", .id = "-" };
	uintptr_t here = (uintptr_t)known_outer;
	const struct place *inlined = NULL;
	struct place places[BYTES];
	struct arena names = { 0 };
	struct elf_file file;
	enum why why;
	uint64_t offset;

	known_outer(1);
	CHECK(elf_file_open(&file, &self, &why) == 0);
	/* The program is loaded anywhere; this is the address of the function as the linker assigned it. */
	here -= (uintptr_t)&__ehdr_start;
	if (file.segments.count && file.segments.items[0].address)
		here += file.segments.items[0].address;
	CHECK(elf_to_offset(&file.segments, here, &offset));
	for (size_t i = 0; i < BYTES; i++)
		places[i] = (struct place){ .address = offset + i };
	CHECK(debug_info_resolve(&self, true, places, BYTES, &names) == 0);
	CHECK_TEXT(places[0].name ? places[0].name : "", "known_outer");
	CHECK(places[0].start == offset);
	for (size_t i = 0; i < BYTES && !inlined; i++)
		inlined = places[i].inlined_count == 2 ? &places[i] : NULL;
	CHECK(inlined);
	CHECK_TEXT(inlined ? inlined->inlined[0].name : "", "known_inner");
	CHECK_TEXT(inlined ? inlined->inlined[1].name : "", "known_middle");
	CHECK(inlined && inlined->file && strstr(inlined->file, "core_debug_info.c"));
	CHECK(inlined && inlined->inlined[1].line < inlined->line);
	CHECK(inlined && inlined->inlined[0].line < inlined->inlined[1].line);

	for (size_t i = 0; i < BYTES; i++)
		places[i] = (struct place){ .address = offset + i };
	CHECK(debug_info_resolve(&self, false, places, BYTES, &names) == 0);
	CHECK(inlined && inlined->inlined_count == 2 && !strcmp(inlined->inlined[1].name, "known_middle"));
	CHECK(inlined && !inlined->file && !inlined->line && !inlined->inlined[1].file && !inlined->inlined[1].line);
	elf_file_close(&file);
	arena_free(&names);
}

static void test_nothing_known(void)
{
	struct module none = { .kind = MODULE_ELF, .path = "/no/such/file", .id = "-" };
	struct module text = { .kind = MODULE_ELF, .path = "/etc/passwd", .id = "-" };
	struct place place = { .address = 0x1000 };
	struct arena names = { 0 };

	CHECK(debug_info_resolve(&none, true, &place, 1, &names) == 0);
	CHECK(debug_info_resolve(&text, true, &place, 1, &names) == 0);
	CHECK(!place.name && !place.file && !place.inlined_count);
	arena_free(&names);
}

int main(int argc, char **argv)
{
	if (argc > 1)
		return print_all(argv[1]);
	test_own_function();
	test_nothing_known();
	return check_done();
}
