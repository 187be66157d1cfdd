/* collapse/perfdata/recorded.c: what recordings say about places, and why places have no name. */
#include <stdlib.h>

#include "collapse/perfdata/recorded.h"
#include "core/format/recording.h"
#include "core/memory.h"
#include "tests/unit/check.h"

static const char section[] =
	"module elf 1:1:1 /a\n10 8 named\n!no-file 1\n!no-symbols a\n!damaged 2\n"
	"module elf 1:1:2 /b\n!nonsense ff\n"
	"module elf 1:1:3 /c\n!\n! \n!no-file\n!no-file \n!no-file zz\n!no-file 1 2\n!no-right 0\n"
	"module elf 1:1:4 /d\n!no-file ffffffffffffffff\n!damaged 1\n";

/* Why an address in the module with this inode has no name. */
static enum why reason(const struct recorded_symbols *symbols, const char *path, const char *id)
{
	struct module module = { .kind = MODULE_ELF, .path = path, .id = id };
	struct place wanted[] = { { .address = 0x10 }, { .address = 0x40 } };
	struct arena names = { 0 };

	recorded_source(&module, wanted, 2, &names, (void *)symbols);
	arena_free(&names);
	return wanted[1].why;
}

/* Two names for one address, the second one at the very end of the file; nothing after that may be read. */
static void test_last_name(void)
{
	static const char text[] = "module elf 1:1:1 /a\n10 8 __pi_x\n10 8 __";
	const size_t len = sizeof(text) - 1;
	char *bytes = xmalloc(len);
	struct perfdata d = { .bytes = (const uint8_t *)bytes, .size = len };
	struct module module = { .kind = MODULE_ELF, .path = "/a", .id = "1:1:1" };
	struct place wanted = { .address = 0x10 };
	struct recorded_symbols symbols = { 0 };
	struct arena names = { 0 };

	memcpy(bytes, text, len);
	d.features[RECORDING_SYMBOLS] = (struct sched_span){ 0, len };
	recorded_symbols_read(&symbols, &d);
	recorded_source(&module, &wanted, 1, &names, &symbols);
	CHECK_TEXT(wanted.name, "__");
	arena_free(&names);
	recorded_symbols_free(&symbols);
	free(bytes);
}

int main(void)
{
	struct perfdata d = { .bytes = (const uint8_t *)section, .size = sizeof(section) - 1 };
	struct recorded_symbols symbols = { 0 };

	d.features[RECORDING_SYMBOLS] = (struct sched_span){ 0, sizeof(section) - 1 };
	recorded_symbols_read(&symbols, &d);
	CHECK(reason(&symbols, "/a", "1:1:1") == WHY_NO_SYMBOLS); /* that of most */
	CHECK(reason(&symbols, "/b", "1:1:2") == WHY_UNKNOWN);
	CHECK(reason(&symbols, "/c", "1:1:3") == WHY_NO_FILE);
	CHECK(reason(&symbols, "/d", "1:1:4") == WHY_NO_FILE);
	CHECK(reason(&symbols, "/e", "1:1:5") == WHY_UNKNOWN);
	recorded_symbols_free(&symbols);
	test_last_name();
	return check_done();
}
