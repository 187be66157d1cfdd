#include "collapse/formats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collapse/perfdata/perfdata.h"
#include "core/error.h"
#include "core/nearest.h"
#include "core/outfile.h"

static enum sniffed sniff_perfdata(const char *text, size_t len)
{
	size_t magic = strlen(PERFDATA_MAGIC);

	return len >= magic && !memcmp(text, PERFDATA_MAGIC, magic) ? SNIFF_SURE : SNIFF_NO;
}

const struct input_format perfdata_format = {
	.name = "perfdata",
	.holds = "a recording of pyrograph collect, perf record or perf sched record",
	.sniff = sniff_perfdata,
};

#define ROW(name) &name##_format,
static const struct input_format *const formats[] = { INPUT_FORMATS(ROW) };

enum { FORMATS = sizeof(formats) / sizeof(*formats) };

static void list_and_exit(void)
{
	for (size_t i = 0; i < FORMATS; i++)
		printf("%-16s %s\n", formats[i]->name, formats[i]->holds);
	exit(flush_stdout() < 0 ? 1 : 0);
}

const struct input_format *input_format_find(const char *name)
{
	const char *names[FORMATS];

	if (!strcmp(name, "list"))
		list_and_exit();
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
