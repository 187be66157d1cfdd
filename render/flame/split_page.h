/* split_page: an index.html for the pictures of a split, with name, value, share and a small picture for each, the
 * largest first.  The page is static: it has no script, and is valid as HTML and XML. */
#ifndef RENDER_SPLIT_PAGE_H
#define RENDER_SPLIT_PAGE_H

#include <stdbool.h>

#include "core/intern.h"
#include "core/str.h"
#include "render/drawing/format.h"
#include "render/profile/number.h"
#include "render/profile/source.h"

enum { SPLIT_SIDES = 2 };

struct split_page { /* {0} is empty */
	struct split_row {
		char *name, *file;
		size_t name_len;
		uint64_t value;
		uint64_t sides[SPLIT_SIDES]; /* with split_about.compared */
		bool is_rest;                /* of all that are too small for a picture of their own: the last row */
	} * rows;
	size_t count, cap;
};

/* What the page shows about all pictures together. */
struct split_about {
	const char *headline; /* NULL: none */
	const char *title, *dimension;
	const char *left_out; /* what no picture shows; "": nothing */
	uint64_t total;
	const struct unit *unit;
	const struct folded_source *source;
	const struct picture_format *format;

	bool compared; /* the page shows the totals of base and new, not of their union */
	struct split_side {
		const char *name;                   /* "base" */
		const char *file;                   /* "base: before.folded"; NULL: a column of source */
		const struct folded_source *source; /* of file */
		uint64_t total;
	} sides[SPLIT_SIDES];
};

/* Add a picture: name as in the profile, file its name in the directory.  Returns its
 * row, in which the caller sets sides; valid until the next call. */
struct split_row *split_page_add(struct split_page *p, const char *name, size_t len, const char *file, uint64_t value);

/* Check that dir_fd (dir in messages) has no files of other programs under the names that we need.  Returns 0,
 * or -1 after a message.  Call it before any picture is written. */
int split_page_check(int dir_fd, const char *dir, bool with_script);

/* The name of the script that the pictures share. */
#define SPLIT_SCRIPT "flame.js"

/* Write dir/SPLIT_SCRIPT.  Returns 0, or -1 after a message. */
int split_script_write(int dir_fd, const char *dir);

/* Write dir/index.html; sorts the rows.  A page by "pyrograph web" is not replaced.  Returns 0,
 * or -1 after a message. */
int split_page_write(struct split_page *p, int dir_fd, const char *dir, const struct split_about *about);

void split_page_free(struct split_page *p);

/* ---- File names for pictures of threads, whose names can be anything ---- */

struct split_names {         /* {0}: no name is taken */
	struct intern taken; /* in lower case, since some file systems ignore case */
};

/* Append a file name for name, with suffix (".svg"): only [A-Za-z0-9._-], without a dot at the start, never empty, at
 * most about 120 bytes, and different from all earlier names. */
void split_name_add(struct str *out, struct split_names *names, const char *name, size_t len, const char *suffix);

void split_names_free(struct split_names *names);

#endif
