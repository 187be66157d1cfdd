#include "render/drawing/chart_options.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/str.h"
#include "render/drawing/attributes.h"
#include "render/drawing/canvas.h"

/* ---- rows ---- */

static bool opt_has_place(const struct opt *o)
{
	return o->flag || o->text || o->list || o->num || o->real || o->bytes || o->ns || o->off;
}

void opts_complete(struct opt *rows, const struct opt *shared)
{
	for (struct opt *o = rows; o->name; o++) {
		const struct opt *s = shared;
		struct opt own = *o;

		while (s->name && strcmp(s->name, own.name))
			s++;
		if (!s->name || opt_has_place(o))
			continue;
		*o = *s;
		if (own.choices || own.choice) {
			o->choices = own.choices;
			o->choice = own.choice;
		}
		if (own.help)
			o->help = *own.help ? own.help : NULL;
		if (own.max) {
			o->min = own.min;
			o->max = own.max;
		}
	}
}

int chart_options_parse(struct chart_options *o, const struct opt *rows, const struct manual *manual, int argc,
			char **argv)
{
	const struct opt shared[] = {
		{ 'o', "output", "FILE", "write to FILE [stdout]", .text = &o->output },
		{ 'f', "format", "NAME", "svg, svgz, png, pdf [by FILE's name, else svg]", .text = &o->format,
		  .choices = "svg svgz png pdf" },
		{ 0, "scale", "N", "enlarge a PNG or PDF N times [1]", .real = &o->scale },
		{ 't', "title", "TEXT", "heading", .text = &o->title },
		{ 0, "headline", "TEXT", NULL, .list = &o->headline },
		{ 0, "subtitle", "TEXT", NULL, .text = &o->subtitle },
		{ 0, "notes", "TEXT", NULL, .text = &o->notes },
		{ 'w', "width", "PX", "width [the window's; 1200 without scripts]", .num = &o->width, .min = 300,
		  .max = 100000, .preferred = true },
		{ 0, "fonttype", "FONT", NULL, .text = &o->fonttype },
		{ 0, "fontsize", "PX", NULL, .real = &o->fontsize },
		{ 'c', "colors", "NAME", NULL, .text = &o->colors, .preferred = true },
		{ 0, "theme", "auto|light|dark", "background and texts [auto]", .text = &o->theme },
		{ 0, "from", "TIME", "from 10:15:02.5, 2s, -10s, ... on", .text = &o->from },
		{ 0, "to", "TIME", "up to that time", .text = &o->to },
		{ 0, "include", "REGEXP", "only lines that match (repeatable: any of them)", .list = &o->include },
		{ 0, "exclude", "REGEXP", "no lines that match", .list = &o->exclude },
		{ 0, "script", "URL", "refer to a script instead of embedding it", .text = &o->script },
		{ 0, "siblings", "URL", NULL, .text = &o->siblings },
		{ 0, "no-script", NULL, "the picture alone", .flag = &o->no_script },
		{ 0, "no-javascript", NULL, NULL, .flag = &o->no_script },
		{ 0, "strict", NULL, "a bad line is an error", .flag = &o->strict },
		{ 0 },
	};
	struct opt_table table = { 0 };
	int left;

	opt_table_add(&table, rows);
	opts_complete(table.rows, shared);
	left = opts_parse(table.rows, manual, argc, argv);
	opt_table_free(&table);
	return left;
}

/* ---- what was given ---- */

void chart_options_check(const struct chart_options *o)
{
	if (o->fontsize < 4 || o->fontsize > 100)
		die_usage("--fontsize needs a number from 4 to 100");
	if (o->scale < 0.1 || o->scale > 20)
		die_usage("--scale needs a number from 0.1 to 20");
	if (o->script && !is_safe_address(o->script, false))
		die_usage("--script needs an address of http or https, or a relative one, not '%s'", o->script);
	if (o->output && !*o->output)
		die_usage("--output needs a file, or - for stdout");
	if (o->theme && strcmp(o->theme, "auto") && !theme_find(o->theme))
		die_usage("--theme needs auto, light or dark, not '%s'", o->theme);
	wanted_instant(o->from, "--from");
	wanted_instant(o->to, "--to");
}

void chart_options_free(struct chart_options *o)
{
	free(o->include.items);
	free(o->exclude.items);
	free(o->headline.items);
}

static void filter_add(struct str *out, const char *option, const char *value)
{
	if (value)
		str_addf(out, "%s%s %s", out->len ? " " : "", option, value);
}

void chart_options_filters(const struct chart_options *o, struct str *out)
{
	for (size_t i = 0; i < o->include.count; i++)
		filter_add(out, "--include", o->include.items[i]);
	for (size_t i = 0; i < o->exclude.count; i++)
		filter_add(out, "--exclude", o->exclude.items[i]);
	filter_add(out, "--from", o->from);
	filter_add(out, "--to", o->to);
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
