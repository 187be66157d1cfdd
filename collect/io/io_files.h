/* io_files: the files that requests read and write, by inode. */
#ifndef COLLECT_IO_IO_FILES_H
#define COLLECT_IO_IO_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/io/io.h"
#include "collect/recording/file_list.h"
#include "core/intern.h"
#include "core/str.h"

struct io_files {             /* {0} is empty */
	struct intern inodes; /* struct inode_id, by number */
	uint32_t *number_of;  /* [inodes.count]: number in the recording, + 1; 0: the program sent no name */
	size_t cap;
	struct str mounts; /* /proc/self/mountinfo, read for a file of last_device */
	struct str others; /* mountinfo of the process last_pid, for a file of others_device */
	uint32_t last_device, last_pid, others_device;
	bool knows_device;
};

/* Enter the name of a file in the list of the recording: its path as the process sees it, or as we see it. */
void io_files_add(struct io_files *f, struct file_list *list, const struct io_file *file);

/* The number of a request's file or other purpose in the list ("/var/log/syslog", "[direct]"); UINT32_MAX: none. */
uint32_t io_files_number(struct io_files *f, struct file_list *list, const struct io_request *q);

/* Call this when the list has dropped files, so that we drop them, too.  Calls forgotten() for each one, whose name
 * must then be sent again. */
void io_files_forget(struct io_files *f, const struct file_list *list, void (*forgotten)(const struct inode_id *id));

/* Append the path of a file that the kernel calls `parts`, in a filesystem of this device.  mounts: as in
 * /proc/PID/mountinfo. If this part of the filesystem is not mounted there, appends the path from the root of the
 * filesystem, and returns false. */
bool io_files_path(const char *mounts, uint32_t device, const struct inode_name *name, struct str *out);

void io_files_free(struct io_files *f);

#endif
