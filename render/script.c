/* "render script": the scripts of a picture as one file, for sites whose content
 * security policy forbids inline ones. */
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/opts.h"
#include "core/outfile.h"
#include "render/charts.h"
#include "render/verbs.h"

/* Returns NULL if there is no such chart. */
static const struct page *page_of(const char *name)
{
	for (const struct chart_entry *const *chart = charts; *chart; chart++) {
		if (!strcmp((*chart)->verb.name, name))
			return (*chart)->page;
	}
	return NULL;
}

/* "flame, heat, ..." */
static void list_charts(struct str *out)
{
	for (const struct chart_entry *const *chart = charts; *chart; chart++)
		str_addf(out, "%s%s", out->len ? ", " : "", (*chart)->verb.name);
}

static _Noreturn void unknown_chart(const char *name)
{
	struct str known = { 0 };

	list_charts(&known);
	die_usage("'%s' is not a chart with a script: %s", name, known.buf);
}

/* Returns how many operands are left. */
static int parse(const char **output, int argc, char **argv)
{
	const struct opt opts[] = { { 'o', "output", "FILE", "write to FILE [stdout]", .text = output }, { 0 } };
	struct manual manual = {
		.usage = "[-o FILE] [CHART]",
		.examples = "  pyrograph render script -o htdocs/flame.js\n"
			    "  pyrograph render flame --script flame.js -o htdocs/cpu.svg cpu.folded\n"
			    "  pyrograph render script -o htdocs/states.js states\n",
	};
	struct str about = { 0 }, known = { 0 };
	int operands;

	list_charts(&known);
	str_addf(&about,
		 "Writes the script that 'render CHART --script URL' refers to [of flame].\n"
		 "Charts: %s.",
		 known.buf);
	manual.about = about.buf;
	operands = opts_parse(opts, &manual, argc, argv);
	str_free(&about);
	str_free(&known);
	return operands;
}

int script_run(int argc, char **argv)
{
	const char *output = NULL;
	struct str text = { 0 };
	const struct page *page;
	struct outfile out;
	int operands = parse(&output, argc, argv);

	if (operands > 1)
		die_usage("one chart at a time, not '%s' too", argv[1]);
	page = page_of(operands ? argv[0] : "flame");
	if (!page)
		unknown_chart(argv[0]);
	if (outfile_open(&out, output) < 0)
		return 1;
	page_scripts(page, &text);
	fwrite(text.buf, 1, text.len, out.file);
	str_free(&text);
	return outfile_commit(&out) < 0;
}
