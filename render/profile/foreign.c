#include "render/profile/foreign.h"

#include <string.h>

#include "core/error.h"
#include "core/format/events.h"
#include "core/format/folded.h"
#include "core/str.h"
#include "render/profile/line.h"

static const char COLLAPSE[] = "pyrograph collapse";

#define METADATA "<metadata id=\"pyrograph\">" /* core/format/picture.h, on which nothing here depends */
#define UNFOLD "pyrograph render folded"
#define LIFELESS "a picture that does not contain its profile (an SVG would)"

static const struct foreign {
	const char *start, *what;
	const char *command; /* the command that converts it to folded text; NULL: none does */
} known[] = { { "PERFILE2", "a recording", COLLAPSE },
	      { "<!DOCTYPE html", "a web page", NULL },
	      { "\x1f\x8b", "packed (a picture, .svgz: with \"" UNFOLD "\" instead of zcat)", "zcat" },
	      { "\x28\xb5\x2f\xfd", "packed", "zstdcat" },
	      { "\xfd"
		"7zXZ",
		"packed", "xzcat" },
	      { "BZh", "packed", "bzcat" },
	      { "%PDF-", LIFELESS, NULL },
	      { "\x89PNG", LIFELESS, NULL },
	      { "\x7f"
		"ELF",
		"a program", NULL },
	      { 0 } };

static bool profile_foreign_has(const char *text, size_t len, const char *word)
{
	return memmem(text, len, word, strlen(word)) != NULL;
}

/* Recognize XML: our pictures have their metadata at the beginning. */
static const struct foreign *find_xml(const char *text, size_t len)
{
	static const struct foreign ours = { "", "a picture", UNFOLD };
	static const struct foreign picture = {
		"", "a picture that pyrograph did not make: draw the folded text that it was made from", NULL
	};
	static const struct foreign other = { "", "XML, not folded text", NULL };

	if (!text_begins(text, len, "<?xml") && !text_begins(text, len, "<svg") &&
	    !text_begins(text, len, "<!DOCTYPE svg"))
		return NULL;
	if (!profile_foreign_has(text, len, "<svg"))
		return &other;
	return profile_foreign_has(text, len, METADATA) ? &ours : &picture;
}

static const struct foreign *profile_foreign_find(const char *text, size_t len)
{
	for (const struct foreign *f = known; f->start; f++) {
		if (text_begins(text, len, f->start))
			return f;
	}
	return find_xml(text, len);
}

bool foreign_is(struct str *advice, const char *text, size_t len, const char *path, const char *roots, const char *verb)
{
	const struct foreign *f = profile_foreign_find(text, len);

	if (!f)
		return false;
	str_addf(advice, "is %s", f->what);
	if (f->command)
		str_addf(advice, ": %s %s%s | pyrograph render %s", f->command, f->command == COLLAPSE ? roots : "",
			 path, verb);
	return true;
}

/* ---- several events ---- */

int foreign_events_check(const struct folded_source *header, const char *path, const char *collapse)
{
	const char *events = source_get(header, FOLDED_EVENT);
	const struct event_row *ours;

	/* The names of other events may have commas. */
	for (unsigned i = 0; events && strchr(events, ',') && (ours = event_row_at(i)); i++) {
		if (line_column(events, ours->name) >= 0)
			return error("%s: the lines are of several events (%s), whose times overlap: "
				     "pyrograph collapse %sREC takes the scheduler's",
				     path, events, collapse);
	}
	return 0;
}
