/* quality_report: collapse --quality: how good the stacks of a recording are, by process and by
 * module, and how to improve them.  For people and scripts: each table has a line of headings and an
 * empty line before it; columns are separated by blanks, and only the last one may contain blanks.
 *
 *     96.2 % of user stacks are whole, 0.4 % of frames have no name, 1.3 % are of stripped code
 *
 *       stacks whole%  unseen     cut  broken   frames nameless stripped process
 *           52     96       0       1       1      612        3        8 app
 *
 *       frames nameless stripped     cut  broken module
 *          300        3        8       0       1 libfoo.so
 *
 *       stacks  end                module     remedy
 *            1  copy-too-short     app        a larger copy: --call-graph dwarf,BYTES
 *
 *       frames  why                module     remedy
 *            3  no-symbols         libfoo.so  install its debug package, or set DEBUGINFOD_URLS */
#ifndef COLLAPSE_OUTPUT_QUALITY_REPORT_H
#define COLLAPSE_OUTPUT_QUALITY_REPORT_H

#include <stdio.h>

#include "collapse/fold/fold.h"
#include "collapse/fold/gather.h"
#include "collapse/perfdata/perfdata.h"

/* Write the report for the stacks whose lines are kept.  Column unseen counts whole stacks that do
 * not begin at a known start of a thread.  Columns cut and broken of a module count stacks that lost
 * their callers there. */
void quality_report_write(FILE *out, const struct perfdata *d, const struct gather *g, const struct fold *fold,
			  const struct names *names);

/* Warn if many stacks or names are incomplete, with the place and a remedy.  copied: user stacks were
 * unwound from copies. */
void quality_warn(const struct gather *g, const struct fold *fold, const struct names *names, bool copied);

#endif
