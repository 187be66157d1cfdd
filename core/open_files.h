/* open_files: notes when files cannot be opened because this process, or the machine, has too many open.  Data from
 * such files is missing although it exists, so programs that read many files must report that in the end. */
#ifndef CORE_OPEN_FILES_H
#define CORE_OPEN_FILES_H

/* A file could not be opened, with this errno; others than EMFILE and ENFILE do not matter.  From any thread. */
void open_files_failed(int err);

/* Returns 0 if there were enough, or -1 after a message, which is given once. */
int open_files_tell(void);

#endif
