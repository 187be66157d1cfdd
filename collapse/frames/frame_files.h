/* frame_files: frames of a recording together with the files that they are in.  Functions of one name in several files
 * have different numbers, which can stand for texts, too:
 *
 *     read   /usr/lib/libfoo.so     7, the number of "read"
 *     read   /usr/lib/libbar.so    12, the number of "read\1/usr/lib/libbar.so", which is sorted behind it
 *
 * Functions of one text are siblings if their callers are the same.  A function that has a sibling anywhere shows its
 * file everywhere: "read (libfoo.so)", "read (libbar.so)". */
#ifndef COLLAPSE_FRAMES_FRAME_FILES_H
#define COLLAPSE_FRAMES_FRAME_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/frames/text_files.h"
#include "core/intern.h"
#include "core/map.h"
#include "core/str.h"
#include "core/symbols/space/modules.h"

/* Between the text of a function and its file; no frame contains it. */
#define FUNCTION_FILE '\1'

/* {0} is empty. */
struct frame_files {
	struct intern *texts; /* of all frames */
	const struct modules *modules;
	enum text_files_when when;
	struct intern files; /* their paths; "": code that is in no file, or in one that is not known */
	uint32_t *
		of_module; /* [modules->count + 1], by module, the last one for none: number in files + 1; 0: not yet */
	uint32_t *module_of; /* by file: the module, or PLACE_NO_MODULE if there are several */
	size_t file_cap;
	struct frame_function {
		uint32_t text, file; /* file: number in files + 1; 0: the text is not that of a function */
	} * items;                   /* [cap], by number */
	size_t cap;
	struct map numbers;     /* text, file -> number + 1, where it is not that of the text */
	bool several;           /* functions in several files have this text */
	struct text_files told; /* which functions show their files */
	uint32_t *shown;        /* by number: the text that it is shown as */
	size_t shown_cap;
	struct map file_of; /* text that shows a file -> its number in files + 1 */
	struct str name;    /* scratch */
};

/* Call these before the others, once or more: texts and modules must outlive f. */
void frame_files_start(struct frame_files *f, struct intern *texts, const struct modules *modules,
		       enum text_files_when when);

/* The number of the file that a module is. */
uint32_t frame_files_of(struct frame_files *f, uint32_t module);

/* The number of the function with this text in a file. */
uint32_t frame_files_add(struct frame_files *f, uint32_t text, uint32_t file);

/* Let a and b, which have the same callers, show their files if their texts are the same. */
void frame_files_tell_apart(struct frame_files *f, uint32_t a, uint32_t b);

/* After that: choose what is shown, for all texts so far.  If told is empty, no function shows its file. */
void frame_files_choose(struct frame_files *f);

/* The same function without the annotations of its text. */
uint32_t frame_files_bare(struct frame_files *f, uint32_t number);

/* The module of a function that is shown with its file; NULL: it has none, or several. */
const struct module *frame_files_module(const struct frame_files *f, uint32_t shown);

void frame_files_free(struct frame_files *f);

#endif
