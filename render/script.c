/* "render script": the scripts of a picture as one file, for sites whose content
 * security policy forbids inline ones. */
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/opts.h"
#include "core/outfile.h"
#include "render/charts.h"
#include "render/drawing/assets.h"

/* The scripts of a chart; 0 when it has none. */
static size_t scripts_of(const char *chart, const struct asset **scripts)
{
	if (!strcmp(chart, "flame"))
		return flame_scripts(scripts);
	if (!strcmp(chart, "states") || !strcmp(chart, "tenancy"))
		return bars_scripts(scripts);
	if (!strcmp(chart, "heat"))
		return heat_scripts(scripts);
	if (!strcmp(chart, "timeline"))
		return timeline_scripts(scripts);
	return 0;
}

int script_run(int argc, char **argv)
{
	const char *output = NULL;
	const struct opt opts[] = {
		{ 'o', "output", "FILE", "write to FILE [stdout]", .text = &output },
		{0}
	};
	static const struct manual manual = {
		.usage = "[-o FILE] [CHART]",
		.about = "Writes the script that 'render CHART --script URL' refers to: of flame [default],\n"
			 "heat, states, tenancy, or timeline: tenancy over time.",
		.examples = "  pyrograph render script -o htdocs/flame.js\n"
			    "  pyrograph render flame --script flame.js -o htdocs/cpu.svg cpu.folded\n"
			    "  pyrograph render script -o htdocs/states.js states\n",
	};
	const struct asset *scripts;
	size_t count;
	struct outfile out;
	int operands = opts_parse(opts, &manual, argc, argv);

	if (operands > 1)
		die_usage("'%s' is too much", argv[1]);
	count = scripts_of(operands ? argv[0] : "flame", &scripts);
	if (!count)
		die_usage("'%s' is no chart that has a script: flame, heat, states, tenancy, timeline", argv[0]);
	if (outfile_open(&out, output) < 0)
		return 1;
	for (size_t i = 0; i < count; i++)
		fwrite(scripts[i].bytes, 1, scripts[i].len, out.file);
	return outfile_commit(&out) < 0;
}
