#include "report/report_scripts.h"

#include <string.h>

#include "core/error.h"
#include "core/str.h"
#include "report/stages.h"

const char *report_scripts_write(const char *dir, struct arena *text)
{
	struct str into = { 0 }, names = { 0 };
	char *words[] = { "render", "script", "--into", NULL, NULL };
	const char *copy = NULL;

	str_addf(&into, "%s/" REPORT_SCRIPTS, dir);
	words[3] = into.buf;
	if (!stage_read(words, &names) && names.len)
		copy = arena_strdup(text, names.buf, names.len);
	else
		warn("each chart contains its script, which strict policies of servers forbid");
	str_free(&into);
	str_free(&names);
	return copy;
}

/* The charts of --split are in a directory of their own. */
static bool is_split(const char *const *words)
{
	while (*words && strcmp(*words, "--split"))
		words++;
	return *words;
}

const char *report_script_of(const char *names, const char *const *words, struct arena *text)
{
	struct str url = { 0 };
	const char *copy = NULL;
	size_t len;

	if (!names || strcmp(words[0], "render"))
		return NULL;
	len = strlen(words[1]);
	while (*names && (strncmp(names, words[1], len) || names[len] != '-')) {
		names += strcspn(names, "\n");
		names += *names == '\n';
	}
	if (*names) {
		str_addf(&url, "%s" REPORT_SCRIPTS "/%.*s", is_split(words) ? "../" : "", (int)strcspn(names, "\n"),
			 names);
		copy = arena_strdup(text, url.buf, url.len);
	}
	str_free(&url);
	return copy;
}
