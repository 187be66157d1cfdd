#include "collapse/formats.h"

#include <string.h>

#include "collapse/text/points.h"
#include "core/error.h"
#include "core/nearest.h"

static const struct input_format formats[] = {
	{ "perfdata", NULL },
	{ "points", points_collapse },
};

enum { FORMATS = sizeof(formats) / sizeof(*formats) };

const struct input_format *input_format_find(const char *name)
{
	struct nearest meant = {0};
	struct str known = {0};

	for (size_t i = 0; i < FORMATS; i++) {
		if (!strcmp(formats[i].name, name))
			return &formats[i];
		nearest_try(&meant, name, formats[i].name);
		str_addf(&known, " %s", formats[i].name);
	}
	if (meant.name)
		die_usage("--format: there is no '%s'. Did you mean '%s'?", name, meant.name);
	die_usage("--format: '%s' is none of:%s", name, known.buf);
}
