/* open_files: notes when files cannot be opened because this process, or the machine, has too many open.  Data from
 * such files is missing although it exists, so programs that read many files must report that in the end. */
#ifndef CORE_OPEN_FILES_H
#define CORE_OPEN_FILES_H

/* Note the errno of a failed open; errors other than EMFILE and ENFILE are ignored.  May be called from any thread. */
void open_files_failed(int err);

/* Returns 0 if no open failed, or -1 after a message, which is printed only once. */
int open_files_tell(void);

#endif
