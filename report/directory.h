/* directory: creates a directory and its missing parents. */
#ifndef REPORT_DIRECTORY_H
#define REPORT_DIRECTORY_H

/* Create path; *made is set to the number of new directories.  Returns 0, or -1 after a
 * message, also when path is a file. */
int directory_make(const char *path, int *made);

/* Remove the last `made` directories of path again, up to the first that is not
 * empty. */
void directory_unmake(const char *path, int made);

#endif
