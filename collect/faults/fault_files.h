/* fault_files: the paths of files whose pages were accessed.  A fault has a device and an inode; fault_maps finds the
 * path. */
#ifndef COLLECT_FAULTS_FAULT_FILES_H
#define COLLECT_FAULTS_FAULT_FILES_H

#include <stdint.h>

#include "collect/faults/fault_maps.h"
#include "collect/recording/file_list.h"
#include "core/intern.h"

struct fault_files {         /* {0} is empty */
	struct intern files; /* struct fault_file_key, by number */
	uint32_t *numbers;   /* [files.count] in the recording; FILE_LIST_GONE: not known yet */
	size_t cap;
	struct fault_maps maps;
};

/* The number of the file in the list of the recording.  If the process has ended, the list has the file's name without
 * its directory. */
uint32_t fault_files_number(struct fault_files *f, struct file_list *list, const struct fault_place *place);

/* Call this when the list has dropped files, so that we drop them, too. */
void fault_files_forget(struct fault_files *f, const struct file_list *list);

void fault_files_free(struct fault_files *f);

#endif
