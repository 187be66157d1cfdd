/* report_scripts: the scripts that the charts of a report share, one file for each kind of chart in a directory
 * beside the charts.  Policies of servers allow scripts in files, not those within a chart. */
#ifndef REPORT_REPORT_SCRIPTS_H
#define REPORT_REPORT_SCRIPTS_H

#include "core/arena.h"

#define REPORT_SCRIPTS "chart-scripts" /* below the directory of the charts */

/* Write the scripts.  Returns their names, a line each, which live in text; NULL, after a message, if that is not
 * possible: then charts contain their scripts. */
const char *report_scripts_write(const char *dir, struct arena *text);

/* What --script needs for a step, the words of a render command, as names has it; lives in text.  NULL for
 * other steps, and without names. */
const char *report_script_of(const char *names, const char *const *words, struct arena *text);

#endif
