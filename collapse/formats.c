#include "collapse/formats.h"

#include <string.h>

#include "collapse/perfdata/perfdata.h"
#include "core/error.h"
#include "core/nearest.h"

static enum sniffed sniff_perfdata(const char *text, size_t len)
{
	size_t magic = strlen(PERFDATA_MAGIC);

	return len >= magic && !memcmp(text, PERFDATA_MAGIC, magic) ? SNIFF_SURE : SNIFF_NO;
}

const struct input_format perfdata_format = {
	.name = "perfdata",
	.sniff = sniff_perfdata,
};

#define ROW(name) &name##_format,
static const struct input_format *const formats[] = { INPUT_FORMATS(ROW) };

enum { FORMATS = sizeof(formats) / sizeof(*formats) };

void input_formats_list(struct str *out)
{
	for (size_t i = 0; i < FORMATS; i++)
		str_addf(out, "%s%s", i ? ", " : "", formats[i]->name);
}

const struct input_format *input_format_find(const char *name)
{
	const char *names[FORMATS];

	for (size_t i = 0; i < FORMATS; i++) {
		names[i] = formats[i]->name;
		if (!strcmp(names[i], name))
			return formats[i];
	}
	nearest_die("--format", name, names, FORMATS);
}

const struct input_format *input_format_sniff(const char *path, const char *text, size_t len)
{
	const struct input_format *sure[FORMATS];
	struct str names = { 0 };
	size_t count = 0;

	for (size_t i = 0; i < FORMATS; i++) {
		if (formats[i]->sniff(text, len) == SNIFF_SURE)
			sure[count++] = formats[i];
	}
	for (size_t i = 0; count > 1 && i < count; i++)
		str_addf(&names, "%s%s", i ? i + 1 < count ? ", " : " or " : "", sure[i]->name);
	if (count > 1)
		die("%s: may be %s: say which, with --format", path, names.buf);
	return count ? sure[0] : &perfdata_format;
}
