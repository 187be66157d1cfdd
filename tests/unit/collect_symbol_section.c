/* collect/recording/symbol_section.c: why places have no name. */
#include "collect/recording/symbol_section.h"
#include "tests/unit/check.h"

int main(void)
{
	struct place items[] = {
		{ .address = 0x10, .start = 0x10, .size = 8, .name = "named", .module = 1, .why = WHY_NO_SYMBOL },
		{ .address = 0x20, .module = 1, .why = WHY_NO_SYMBOLS },
		{ .address = 0x30, .module = 2, .why = WHY_NO_FILE },
		{ .address = 0x40, .module = PLACE_NO_MODULE, .why = WHY_UNMAPPED },
		{ .address = 0x50, .module = 1, .why = WHY_NO_SYMBOLS },
		{ .address = 0x60, .module = 1, .why = WHY_DAMAGED },
		{ .address = 0x70, .module = 3 },
	};
	struct places places = { .items = items, .count = sizeof(items) / sizeof(*items) };
	struct modules modules = { 0 };
	struct str out = { 0 };

	modules_init(&modules);
	modules_add(&modules, MODULE_ELF, "/a", "1:1:1", 7);
	modules_add(&modules, MODULE_ELF, "/b", "1:1:2", 7);
	modules_add(&modules, MODULE_ELF, "/c", "1:1:3", 7);
	symbol_section_write(&out, &places, &modules);
	CHECK_TEXT(str_text(&out), "module elf 1:1:1 /a\n10 8 named\n!no-symbols 2\n!damaged 1\n"
				   "module elf 1:1:2 /b\n!no-file 1\n");
	str_free(&out);
	modules_free(&modules);
	return check_done();
}
