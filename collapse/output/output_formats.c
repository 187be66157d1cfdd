#include "collapse/output/output_formats.h"

#include <string.h>

#include "core/nearest.h"

#define ROW(name) &name##_output,
static const struct output_format *const formats[] = { OUTPUT_FORMATS(ROW) };

enum { FORMATS = sizeof(formats) / sizeof(*formats) };

void output_formats_list(struct str *out)
{
	for (size_t i = 0; i < FORMATS; i++)
		if (!formats[i]->unlisted)
			str_addf(out, "%s%s", i ? " " : "", formats[i]->name);
}

const char *output_format_name(size_t i)
{
	for (size_t at = 0; at < FORMATS; at++) {
		if (!formats[at]->unlisted && !i--)
			return formats[at]->name;
	}
	return NULL;
}

const struct output_format *output_format_find(const char *name)
{
	const char *names[FORMATS];

	for (size_t i = 0; i < FORMATS; i++) {
		names[i] = formats[i]->name;
		if (!strcmp(names[i], name))
			return formats[i];
	}
	nearest_die("--out", name, names, FORMATS);
}

static bool output_formats_ends_in(const char *text, const char *end)
{
	size_t len = strlen(text), n = strlen(end);

	return len > n && !strcmp(text + len - n, end);
}

const struct output_format *output_format_of_file(const char *path)
{
	for (size_t i = 0; path && i < FORMATS; i++) {
		for (const char *const *ending = formats[i]->endings; ending && *ending; ending++) {
			if (output_formats_ends_in(path, *ending))
				return formats[i];
		}
	}
	return formats[0];
}
