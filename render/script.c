/* "render script": the scripts of a picture as one file, for sites whose content
 * security policy forbids inline ones. */
#include <stdio.h>

#include "core/error.h"
#include "core/opts.h"
#include "core/outfile.h"
#include "render/assets.h"
#include "render/charts.h"

int script_run(int argc, char **argv)
{
	const char *output = NULL;
	const struct opt opts[] = {
		{ 'o', "output", "FILE", "write to FILE [stdout]", .text = &output },
		{0}
	};
	static const struct manual manual = {
		.usage = "[-o FILE]",
		.about = "Writes the script that 'render flame --script URL' refers to.",
		.examples = "  pyrograph render script -o htdocs/flame.js\n"
			    "  pyrograph render flame --script flame.js -o htdocs/cpu.svg cpu.folded\n",
	};
	const struct asset *scripts;
	size_t count = flame_scripts(&scripts);
	struct outfile out;

	if (opts_parse(opts, &manual, argc, argv))
		die_usage("'%s' is too much", argv[0]);
	if (outfile_open(&out, output) < 0)
		return 1;
	for (size_t i = 0; i < count; i++)
		fwrite(scripts[i].bytes, 1, scripts[i].len, out.file);
	return outfile_commit(&out) < 0;
}
