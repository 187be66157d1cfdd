/* frame_files: frames of a recording together with the files that they are in.  Functions with the same name in several
 * files have different numbers.  These are used like numbers of texts:
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

/* Separates the text of a function from its file; no frame contains it. */
#define FUNCTION_FILE '\1'

/* {0} is empty. */
struct frame_files {
	struct intern *texts; /* of all frames */
	const struct modules *modules;
	enum text_files_when when;
	struct intern files; /* paths of files; "": code that is in no known file */
	uint32_t *of_module; /* [modules->count + 1], by module, the last one for no module: number in files + 1; 0: not
			    * set yet */
	uint32_t *module_of; /* by file: the module, or PLACE_NO_MODULE if there are several */
	size_t file_cap;
	struct frame_function {
		uint32_t text, file; /* file: number in files + 1; 0: the text is not a function's */
	} * items;                   /* [cap], by number */
	size_t cap;
	struct map numbers;     /* text, file -> number + 1, for functions whose number is not that of their text */
	bool several;           /* functions in several files have this text */
	struct text_files told; /* which functions show their files */
	uint32_t *shown;        /* by number: the text that is shown for it */
	size_t shown_cap;
	struct map file_of; /* text that shows a file -> its number in files + 1 */
	struct str name;    /* scratch */
};

/* Call one of these first, perhaps several times: texts and modules must outlive f. */
void frame_files_start(struct frame_files *f, struct intern *texts, const struct modules *modules,
		       enum text_files_when when);

/* The number of the file of a module. */
uint32_t frame_files_of(struct frame_files *f, uint32_t module);

/* The number of the function with this text in a file. */
uint32_t frame_files_add(struct frame_files *f, uint32_t text, uint32_t file);

/* Let a and b, which have the same callers, show their files if they have the same text. */
void frame_files_tell_apart(struct frame_files *f, uint32_t a, uint32_t b);

/* Call this after frame_files_tell_apart(): it chooses what is shown, for all texts so far.  If told is empty, no
 * function shows its file. */
void frame_files_choose(struct frame_files *f);

/* The number of the same function, without the annotations in its text. */
uint32_t frame_files_bare(struct frame_files *f, uint32_t number);

/* The module of a function that is shown with its file; NULL: none, or several. */
const struct module *frame_files_module(const struct frame_files *f, uint32_t shown);

void frame_files_free(struct frame_files *f);

#endif
