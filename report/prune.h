/* prune: removes old runs from the directory of a report. */
#ifndef REPORT_PRUNE_H
#define REPORT_PRUNE_H

#include <stddef.h>
#include <stdint.h>

/* Remove from dir the files of reports that began more than keep_ns ago, and say how many.  The time is that in their
 * names, "db1-2026-11-21T101502Z-heat.svg".  A file is removed only if it belongs to our user and its contents say
 * that pyrograph made it; links are left alone, and so are files in other directories, except those of threads. Returns
 * how many files were removed. */
size_t report_prune(const char *dir, uint64_t keep_ns);

#endif
