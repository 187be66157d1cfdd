#include "render/drawing/assets.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"

/* The Makefile writes a line BROWSER_FILE(common_tip_js, "common/tip.js") for each file, sorted by name. */
#define BROWSER_FILE(id, name) ASSET(id, "render/browser/" name)
#include "browser_files.inc"
#undef BROWSER_FILE

static const struct browser_row {
	const char *name;
	struct asset (*get)(void);
} files[] = {
#define BROWSER_FILE(id, name) { name, id##_asset },
#include "browser_files.inc"
#undef BROWSER_FILE
};

struct asset browser_file(const char *name)
{
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		if (!strcmp(files[i].name, name))
			return files[i].get();
	}
	die("render/browser/%s: no such file", name);
}
