#include "core/symbols/unnamed.h"

#include <string.h>

#include "core/symbols/elf/debug_package.h"
#include "core/utf8.h"

enum { RARE = 20, SHOWN = 3 /* files */ };

/* Take the file with most samples; returns NULL if none is left. */
static const struct module *take_worst(const struct modules *modules, uint64_t *by_module)
{
	size_t worst = 0;

	for (size_t i = 0; i < modules->count; i++)
		worst = by_module[i] > by_module[worst] ? i : worst;
	if (!modules->count || !by_module[worst])
		return NULL;
	by_module[worst] = 0;
	return &modules->items[worst];
}

/* Append the names of the worst files, and of the packages that have their names. */
static void unnamed_add_files(struct str *files, struct str *packages, const struct modules *modules,
			      uint64_t *by_module)
{
	struct str found[SHOWN] = { 0 };
	const char *paths[SHOWN];
	const struct module *m;
	size_t count = 0;

	while (count < SHOWN && (m = take_worst(modules, by_module))) {
		str_puts(files, count ? ", " : "");
		printable_add(files, module_name(m), strlen(module_name(m)));
		paths[count++] = m->path;
	}
	debug_packages_find(paths, count, found);
	for (size_t i = 0; i < count; i++) {
		if (found[i].len && !strstr(str_text(packages), str_text(&found[i])))
			str_addf(packages, "%s%s", packages->len ? " " : "", str_text(&found[i]));
		str_free(&found[i]);
	}
}

bool unnamed_line(struct str *out, const struct modules *modules, uint64_t *by_module, uint64_t all)
{
	struct str files = { 0 }, packages = { 0 };
	uint64_t unnamed = 0;

	for (size_t i = 0; i < modules->count; i++)
		unnamed += by_module[i];
	if (!unnamed || unnamed * RARE < all)
		return false;
	unnamed_add_files(&files, &packages, modules, by_module);
	str_addf(out,
		 "%.0f %% of the samples are in functions without a name, of %s: install %s, or set DEBUGINFOD_URLS=%s",
		 100.0 * (double)unnamed / (double)all, str_text(&files),
		 packages.len ? str_text(&packages) : "debug packages", debug_package_server());
	str_free(&files);
	str_free(&packages);
	return true;
}
