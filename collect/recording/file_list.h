/* file_list: the files that labels FILE refer to, by number.  A recording that lasts for weeks works in generations, to
 * forget files that were not used for long:
 *
 *     full --> file_list_turn(): files that are used from now on get new numbers
 *     nothing that is kept refers to other files any more --> file_list_drop()
 *
 * Numbers are never used again. */
#ifndef COLLECT_RECORDING_FILE_LIST_H
#define COLLECT_RECORDING_FILE_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/intern.h"
#include "core/str.h"

/* From this number of files, or of keys that collectors have noted for files, the list counts as full. */
enum { FILE_LIST_MANY = 16384 };

/* The number of a file that was forgotten. */
#define FILE_LIST_GONE UINT32_MAX

struct file_list { /* {0} is empty */
	struct intern now, before;
	uint32_t first, first_before; /* their first numbers */
	bool has_before;
	size_t keys; /* of the present generation: see file_list_key() */
	uint64_t forgotten;
};

/* The number of path. */
uint32_t file_list_add(struct file_list *l, const char *path, size_t len);

/* A collector notes a new key of a file, such as an inode, until files are dropped.  A file that is replaced again and
 * again has one path, but many inodes. */
void file_list_key(struct file_list *l);

/* A file that had this number is used again: returns its present number, or FILE_LIST_GONE. */
uint32_t file_list_again(struct file_list *l, uint32_t number);

/* Begin a generation if there are many files or keys, and the files before the present generation were dropped.
 * Returns whether it did. */
bool file_list_turn(struct file_list *l);

/* Forget those before the present generation. */
void file_list_drop(struct file_list *l);

/* Append the lines of RECORDING_FILES. */
void file_list_format(const struct file_list *l, struct str *out);

void file_list_free(struct file_list *l);

#endif
