/* Any bytes as a name, mangled or not: the simplified name is text, and does not change when its template arguments are
 * removed a second time. */
#include <string.h>

#include "core/memory.h"
#include "core/symbols/names/demangle.h"
#include "core/symbols/names/name_simplify.h"
#include "tests/fuzz/input.h"

static void strip(const char *name, size_t len)
{
	struct str once = { 0 }, twice = { 0 };

	name_strip_templates(name, len, &once);
	must(once.len <= len);
	name_strip_templates(str_text(&once), once.len, &twice);
	must(once.len == twice.len && !memcmp(str_text(&once), str_text(&twice), once.len));
	str_free(&once);
	str_free(&twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	char *name = xstrndup((const char *)bytes, size);

	strip((const char *)bytes, size);
	for (int style = DEMANGLE_SIMPLE; style <= DEMANGLE_NO; style++) {
		char *text = demangle(name, (enum demangle_style)style);

		must(!text || style != DEMANGLE_NO);
		if (text)
			strip(text, strlen(text));
		free(text);
	}
	free(name);
	return 0;
}
