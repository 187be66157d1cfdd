/* run_file: the files that pyrograph web makes of a run, in its own folder beside the charts:
 *
 *     index-files/run-0123456789abcdef.html     its page
 *     index-files/run-0123456789abcdef.js       its charts, for their own scripts: pyrograph.siblings = {...};
 *
 * Reports know these names beforehand. */
#ifndef CORE_FORMAT_RUN_FILE_H
#define CORE_FORMAT_RUN_FILE_H

#define RUN_FILE_FOLDER "index-files"

enum { RUN_FILE_NAME = 26 }; /* bytes: "run-0123456789abcdef.html" and NUL */

/* The file name for a run, "db1-T1", with an ending, ".html": a run always gets the same name. */
void run_file_name(char name[RUN_FILE_NAME], const char *run, const char *ending);

#endif
