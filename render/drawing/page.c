#include "render/drawing/page.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/markup.h"
#include "core/symbols/names/runtimes.h"

static const char *const common_scripts[] = {
	"common/number.js",      "common/profile.js",  "common/search.js",   "common/link_text.js",
	"common/folded_text.js", "common/contrast.js", "common/dom.js",      "common/start.js",
	"common/slow.js",        "common/state.js",    "common/headline.js", "common/page.js",
	"common/tip.js",         "common/menu.js",     "common/commands.js", "common/help.js",
	"common/foot.js",        "common/box.js",      "common/controls.js", "common/pointer.js",
	"common/windowed.js",    "common/keys.js",     "common/save.js",     "common/picture.js",
	"common/history.js",     "common/linked.js",   "common/siblings.js", NULL
};

const struct page common_page = { .scripts = common_scripts, .style = "common/chart.css" };

static void page_add_file(struct str *out, const char *name)
{
	struct asset file = strncmp(name, "core/", 5) ? browser_file(name) : runtimes_table_asset();

	str_add(out, file.bytes, file.len);
}

void page_scripts(const struct page *page, struct str *out)
{
	if (page->base)
		page_scripts(page->base, out);
	for (const char *const *name = page->scripts; *name; name++)
		page_add_file(out, *name);
}

void page_styles(const struct page *page, struct str *out)
{
	if (page->base)
		page_styles(page->base, out);
	if (page->style)
		page_add_file(out, page->style);
}

void page_script_file(const struct page *page, struct str *out)
{
	struct str style = { 0 };

	page_styles(page, &style);
	str_puts(out, PAGE_SCRIPT_HEAD
		 "charts that refer to it */\n"
		 "(function pyrographScript() {\nvar pyrograph = self.pyrograph = self.pyrograph || {};\n");
	page_scripts(page, out);
	str_puts(out, "pyrograph.style = ");
	json_add(out, str_text(&style), style.len);
	str_puts(out, ";\n})();\n");
	str_free(&style);
}

/* ---- files of render/browser ---- */

/* The Makefile writes a line with id and name for each file, BROWSER_FILE(common_tip_js, ...), sorted by name. */
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
