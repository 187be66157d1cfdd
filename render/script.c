/* "render script": the scripts of a picture as one file, for sites whose content
 * security policy forbids inline ones. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/error.h"
#include "core/hash.h"
#include "core/opts.h"
#include "core/outfile.h"
#include "render/charts.h"

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
static int script_parse(const char **output, const char **into, int argc, char **argv)
{
	const struct opt opts[] = { { 'o', "output", "FILE", "write to FILE [stdout]", .text = output },
				    { 0, "into", "DIR", "write DIR/CHART-VERSION.js, and print the names",
				      .text = into },
				    { 0 } };
	struct manual manual = {
		.usage = "[-o FILE | --into DIR] [CHART ...]",
		.examples = "  pyrograph render script -o htdocs/flame.js\n"
			    "  pyrograph render flame --script flame.js -o htdocs/cpu.svg cpu.folded\n"
			    "  pyrograph render script --into htdocs/scripts   of all charts\n",
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

static int script_write_one(const struct page *page, const char *output)
{
	struct str text = { 0 };
	struct outfile out;

	if (outfile_open(&out, output) < 0)
		return -1;
	page_script_file(page, &text);
	fwrite(text.buf, 1, text.len, out.file);
	str_free(&text);
	return outfile_commit(&out);
}

/* "flame-0123456789abcdef.js": the hash lets old charts keep the script that they were drawn for. */
static int write_version(int dir, const char *into, const char *chart)
{
	struct str text = { 0 }, name = { 0 }, path = { 0 };
	int status;

	page_script_file(page_of(chart), &text);
	str_addf(&name, "%s-%016" PRIx64 ".js", chart, hash_bytes(text.buf, text.len));
	str_addf(&path, "%s/%s", into, name.buf);
	status = outfile_update(dir, name.buf, path.buf, text.buf, text.len);
	if (!status)
		puts(name.buf);
	str_free(&text);
	str_free(&name);
	str_free(&path);
	return status;
}

static int write_versions(const char *into, int count, char **names)
{
	int dir = outdir_open(into), status = dir < 0 ? -1 : 0;

	for (int i = 0; !status && i < count; i++)
		status = write_version(dir, into, names[i]);
	for (size_t i = 0; !status && !count && charts[i]; i++)
		status = charts[i]->page ? write_version(dir, into, charts[i]->verb.name) : 0;
	if (dir >= 0)
		close(dir);
	return status || flush_stdout() < 0 ? -1 : 0;
}

int script_run(int argc, char **argv)
{
	const char *output = NULL, *into = NULL;
	int operands = script_parse(&output, &into, argc, argv);

	if (output && into)
		die_usage("--output and --into do not go together");
	if (operands > 1 && !into)
		die_usage("one chart at a time, not '%s' too", argv[1]);
	for (int i = 0; i < operands; i++) {
		if (!page_of(argv[i]))
			unknown_chart(argv[i]);
	}
	if (into)
		return write_versions(into, operands, argv) < 0;
	return script_write_one(page_of(operands ? argv[0] : "flame"), output) < 0;
}
