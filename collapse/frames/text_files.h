/* text_files: how much of the path of its file a frame shows.  Functions of one name in several files must stay apart, and the
 * shortest end of a path that tells them apart is enough:
 *
 *     parse   /app/node_modules/qs/lib/parse.js       qs/lib/parse.js
 *     parse   /app/node_modules/url/lib/parse.js      url/lib/parse.js
 *     read    /app/read.js                            read.js: no other file has a "read"
 *
 * It depends on the set of names and files only, not on their order. */
#ifndef COLLAPSE_FRAMES_TEXT_FILES_H
#define COLLAPSE_FRAMES_TEXT_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/intern.h"
#include "core/map.h"

/* --files: where it is needed to tell functions apart, always, always with the whole path, never */
enum text_files_when { FILES_NEEDED, FILES_ALWAYS, FILES_FULL, FILES_NEVER };

struct text_files { /* {0} is empty */
	struct intern names, paths;
	struct text_file {
		uint32_t name, path; /* numbers in names and paths */
		uint32_t shown;      /* so many bytes at the end of the path */
		bool several;        /* the name is in other files, too */
	} * items;                   /* [count] */
	size_t count, cap;
	struct map place_of; /* name, path: place in items + 1 */
};

/* There is a function of this name in this file; len 0: in one that is not known. */
void text_files_add(struct text_files *f, const char *name, size_t name_len, const char *path, size_t len);

/* After all were added: choose what is shown. */
void text_files_choose(struct text_files *f);

/* Does the name include the name of its file?  Code without a name in /usr/lib/libfoo.so is "[libfoo.so]",
 * "[libfoo.so <0x1234>]" or "libfoo.so+0x1234". */
bool text_files_in_name(const char *name, size_t name_len, const char *path, size_t len);

/* What is shown of a function; NULL: it was not added. */
const struct text_file *text_files_find(const struct text_files *f, const char *name, size_t name_len, const char *path,
					size_t len);

void text_files_free(struct text_files *f);

#endif
