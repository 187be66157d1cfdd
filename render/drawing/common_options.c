#include "render/drawing/common_options.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/str.h"
#include "render/drawing/attributes.h"
#include "render/drawing/theme.h"

void common_options_check(const struct common_options *o)
{
	if (o->fontsize && (o->fontsize < 4 || o->fontsize > 100))
		die_usage("--fontsize needs a number from 4 to 100");
	if (o->scale < 0.1 || o->scale > 20)
		die_usage("--scale needs a number from 0.1 to 20");
	if (o->script && !is_safe_address(o->script, false))
		die_usage("--script needs an address of http or https, or a relative one, not '%s'", o->script);
	if (o->output && !*o->output)
		die_usage("--output needs a file, or - for stdout");
	if (o->theme && strcmp(o->theme, "auto") && !theme_find(o->theme))
		die_usage("--theme needs auto, light or dark, not '%s'", o->theme);
}

struct regexp **regexps_compile(const struct text_list *list, const char *option)
{
	struct regexp **regexps = xcalloc(list->count + 1, sizeof(*regexps));

	for (size_t i = 0; i < list->count; i++)
		regexps[i] = regexp_compile(list->items[i], option);
	return regexps;
}

void regexps_free(struct regexp *const *regexps, size_t count)
{
	for (size_t i = 0; regexps && i < count; i++)
		regexp_free(regexps[i]);
	free((void *)regexps);
}

char *headline_join(const struct text_list *texts)
{
	struct str lines = { 0 };

	for (size_t i = 0; i < texts->count; i++)
		str_addf(&lines, "%s%s", i ? "\n" : "", texts->items[i]);
	return lines.buf;
}

struct instant wanted_instant(const char *text, const char *option)
{
	struct instant when = { 0 };

	if (text && !instant_parse(text, &when))
		die_usage("%s needs a time such as 10:15:02.5, 2.5 (seconds after the start) or -10s "
			  "(before the end), not '%s'",
			  option, text);
	return when;
}

char **inputs_or_stdin(char **argv, int *count)
{
	static char *from_stdin[] = { "-" };

	if (*count)
		return argv;
	*count = 1;
	return from_stdin;
}

int report_bad_lines(uint64_t bad, uint64_t lines, bool strict)
{
	if (!bad)
		return 0;
	if (strict)
		return error("%" PRIu64 " of %" PRIu64 " lines %s bad; nothing drawn because of --strict", bad, lines,
			     bad == 1 ? "is" : "are");
	warn("skipped %" PRIu64 " bad line%s of %" PRIu64, bad, bad == 1 ? "" : "s", lines);
	return 0;
}
