/* directory: makes a directory with all that is missing above it. */
#ifndef REPORT_DIRECTORY_H
#define REPORT_DIRECTORY_H

/* Make path; *made becomes how many of its parts were new.  Returns 0, or -1 after a
 * message, also when path is a file. */
int directory_make(const char *path, int *made);

/* Remove the last `made` parts of path again, up to the first that has something in
 * it. */
void directory_unmake(const char *path, int made);

#endif
