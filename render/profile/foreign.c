#include "render/profile/foreign.h"

#include <string.h>

static const char COLLAPSE[] = "pyrograph collapse";

#define UNFOLD "pyrograph render folded"
#define LIFELESS "a picture that does not hold its profile (one in SVG does)"

static const struct foreign {
	const char *start, *what;
	const char *command; /* makes folded text of it; NULL: nothing does */
} known[] = {
	{ "PERFILE2", "a recording", COLLAPSE },
	{ "<?xml", "a picture", UNFOLD },
	{ "<svg", "a picture", UNFOLD },
	{ "<!DOCTYPE svg", "a picture", UNFOLD },
	{ "<!DOCTYPE html", "a web page", NULL },
	{ "\x1f\x8b", "packed (a picture, .svgz: with \"" UNFOLD "\" instead of zcat)", "zcat" },
	{ "\x28\xb5\x2f\xfd", "packed", "zstdcat" },
	{ "\xfd" "7zXZ", "packed", "xzcat" },
	{ "BZh", "packed", "bzcat" },
	{ "%PDF-", LIFELESS, NULL },
	{ "\x89PNG", LIFELESS, NULL },
	{ "\x7f" "ELF", "a program", NULL },
	{0}
};

bool foreign_is(struct str *advice, const char *text, size_t len, const char *path,
		const char *roots, const char *verb)
{
	for (const struct foreign *f = known; f->start; f++) {
		size_t start = strlen(f->start);

		if (len < start || memcmp(text, f->start, start))
			continue;
		str_addf(advice, "is %s", f->what);
		if (f->command)
			str_addf(advice, ": %s %s%s | pyrograph render %s", f->command,
				 f->command == COLLAPSE ? roots : "", path, verb);
		return true;
	}
	return false;
}
