/* "render script": the scripts of a picture as one file, for sites whose content
 * security policy forbids inline ones. */
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/opts.h"
#include "core/outfile.h"
#include "render/assets.h"
#include "render/charts.h"

/* Which scripts there are: those of flame graphs when none is named. */
static const struct {
	const char *chart;
	size_t (*scripts)(const struct asset **scripts);
} charts[] = {
	{ "flame", flame_scripts },
	{ "states", bars_scripts },
	{ "tenancy", bars_scripts },
	{ "timeline", timeline_scripts },
};

static size_t scripts_of(const char *chart, const struct asset **scripts)
{
	for (size_t i = 0; i < sizeof(charts) / sizeof(charts[0]); i++) {
		if (!strcmp(charts[i].chart, chart))
			return charts[i].scripts(scripts);
	}
	die_usage("'%s' has no script; flame, states, tenancy and timeline have", chart);
}

int script_run(int argc, char **argv)
{
	const char *output = NULL;
	const struct opt opts[] = {
		{ 'o', "output", "FILE", "write to FILE [stdout]", .text = &output },
		{0}
	};
	static const struct manual manual = {
		.usage = "[-o FILE] [flame|states|tenancy|timeline]",
		.about = "Writes the script that --script URL refers to (of flame graphs, if none is named;\n"
			 "timeline is that of render tenancy over time).",
		.examples = "  pyrograph render script -o htdocs/flame.js\n"
			    "  pyrograph render flame --script flame.js -o htdocs/cpu.svg cpu.folded\n",
	};
	const struct asset *scripts;
	struct outfile out;
	size_t count;

	argc = opts_parse(opts, &manual, argc, argv);
	if (argc > 1)
		die_usage("'%s' is too much", argv[1]);
	count = scripts_of(argc ? argv[0] : "flame", &scripts);
	if (outfile_open(&out, output) < 0)
		return 1;
	for (size_t i = 0; i < count; i++)
		fwrite(scripts[i].bytes, 1, scripts[i].len, out.file);
	return outfile_commit(&out) < 0;
}
