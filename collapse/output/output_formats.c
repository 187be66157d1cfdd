#include "collapse/output/output_formats.h"

#include <string.h>

#include "core/nearest.h"

#define ROW(name) &name##_output,
static const struct output_format *const formats[] = { OUTPUT_FORMATS(ROW) };

enum { FORMATS = sizeof(formats) / sizeof(*formats) };

void output_formats_list(struct str *out)
{
	for (size_t i = 0; i < FORMATS; i++)
		str_addf(out, "%s%s", i ? ", " : "", formats[i]->name);
}

const struct output_format *output_format_find(const char *name)
{
	const char *names[FORMATS];

	for (size_t i = 0; i < FORMATS; i++) {
		names[i] = formats[i]->name;
		if (!strcmp(names[i], name))
			return formats[i];
	}
	nearest_die("--output-format", name, names, FORMATS);
}
