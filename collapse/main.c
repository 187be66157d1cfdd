/* pyrograph-collapse: turns a recording into folded lines. */
#include "collapse/diff.h"
#include "collapse/option_checks.h"
#include "collapse/run.h"
#include "collapse/store_input.h"
#include "core/error.h"
#include "core/open_files.h"

int main(int argc, char **argv)
{
	static struct collapse collapse;
	int status = 1;             /* failed, unless we reach the last line */
	enum { NOTHING_THERE = 3 }; /* for pyrograph report: the recording has no such samples */

	program_begin("pyrograph collapse");
	options_parse(&collapse.options, argc, argv);
	options_check(&collapse.options);
	store_check_options(&collapse.options);
	if (collapse.options.diff) {
		status = diff_run(&collapse.options);
		status = status < 0 ? 1 : status ? NOTHING_THERE : 0;
		goto out;
	}
	if (collapse_run(&collapse) < 0) {
		if (collapse.options.if_any && collapse.reading.nothing)
			status = NOTHING_THERE;
		else if (collapse.options.of_several && (collapse.nothing_left || collapse.reading.nothing))
			status = COLLAPSE_NOTHING_LEFT;
		goto out;
	}
	status = open_files_tell() ? 1 : 0;
out:
	collapse_free(&collapse);
	return status;
}
